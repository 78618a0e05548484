"""The parts of a document, free of any format; the list of rules; and words for names, types, values and
audiences.

Expressions stay as they are written, as code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from croupier.runtime.wording import plural
from croupier.schema import Audience, Text
from croupier.semantics.context import between, spread
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence
from croupier.syntax import nodes as n
from croupier.syntax.builder import find_cites
from croupier.syntax.lines import Positioned
from croupier.syntax.phrases import is_condition, phrase, phrase_of

# ---------------------------------------------------------------- document
# The parts of a document: plain values, free of any format.  Text in them is an author's and not escaped.
Mark = Literal["plain", "strong", "em", "code", "rule", "del", "sign"]

SIGN = "◆"
"""What stands in front of something new where there is no margin to colour."""


@dataclass(frozen=True, slots=True)
class TextRun:
    """A piece of text in one style; `rule` is the id of a rule, `del` what does not hold any more, `sign`
    stands for the mark of what is new.
    """

    text: str
    mark: Mark = "plain"


Line: TypeAlias = tuple[TextRun, ...]

# In the rulebook of a variant `is_new` marks what the rulebook of its base does not have (`margin.py`).


@dataclass(frozen=True, slots=True)
class HeadingBlock:
    """A heading, from `level` 1 down."""

    level: int
    text: str
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A line of text that stands alone."""

    line: Line
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class ListItem:
    """A line of a list, with a list of its own below it."""

    line: Line
    items: tuple[ListItem, ...] = ()
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A list; `rules` are the sentences of rules."""

    items: tuple[ListItem, ...]
    kind: Literal["plain", "rules"] = "plain"


@dataclass(frozen=True, slots=True)
class TableBlock:
    """Rows under the names of their columns; of a variant, the numbers of those that are new."""

    head: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]
    new_rows: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class RuleTextBlock:
    """Rule text as its author wrote it, to unfold; `start` is what the parser reads it as.

    It is open where no sentence says the same.
    """

    text: str
    start: str
    is_open: bool = False
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example: where it begins, what happens, and how things stand then; `after` is the title of the
    one that it goes on from.
    """

    title: str
    given: tuple[Line, ...]
    course: tuple[Line, ...]
    result: tuple[Line, ...]
    rules: tuple[str, ...]
    after: str | None = None
    is_agreed: bool = False  # does it hold only if players agree on something?
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class PictureBlock:
    """A picture as SVG, whose texts are escaped, what it shows, and the same in words for readers without
    pictures.
    """

    svg: str
    caption: str
    words: tuple[str, ...]
    is_new: bool = False


Block: TypeAlias = HeadingBlock | Paragraph | ListBlock | TableBlock | RuleTextBlock | Example | PictureBlock
Document: TypeAlias = tuple[Block, ...]


def line(*parts: str | TextRun) -> Line:
    """A line of texts and runs; empty ones are left out."""
    runs = (TextRun(part) if isinstance(part, str) else part for part in parts)
    return tuple(run for run in runs if run.text)


def with_rules(text: Line, ids: Iterable[str]) -> Line:
    """A line with the ids of rules behind it."""
    out = list(text)
    for k, name in enumerate(ids):
        out += [TextRun(" [" if k == 0 else ", "), TextRun(name, "rule")]
    return tuple(out) + ((TextRun("]"),) if len(out) > len(text) else ())


# ---------------------------------------------------------------- rules
# The rule list in a rulebook: the sentence of a rule stands once, where it is first cited; from then on its
# id is enough.
@dataclass(frozen=True, slots=True)
class Reservations:
    """Of a variant, by the ids of the rules: why sentences do not hold, and remarks beside others."""

    overruled: Mapping[str, str]
    remarks: Mapping[str, str]


class RuleSentences:
    """The sentences of the rules (id to tag and sentence), and which of them stand in the document already;
    of a variant, what is said of them.
    """

    def __init__(self, known: dict[str, tuple[str, str]], said: Reservations) -> None:
        self.known, self.overruled, self.remarks = known, said.overruled, said.remarks
        self.order = {name: place for place, name in enumerate(known)}
        self.used: set[str] = set()
        self.held: frozenset[str] = frozenset()  # those that a later part of the book tells, where they act
        self.groups: list[tuple[str, ...]] = []  # the rules of each list that was made, in order

    def sentences(self, ids: Iterable[str]) -> tuple[Block, ...]:
        """The sentences of those rules that do not stand anywhere yet, in the order of the rule list."""
        new = sorted(
            {name for name in ids if name in self.known and name not in self.used and name not in self.held},
            key=self.order.__getitem__,
        )
        self.used.update(new)
        if not new:
            return ()
        self.groups.append(tuple(new))
        return (ListBlock(tuple(map(self._item, new)), "rules"),)

    def _item(self, name: str) -> ListItem:
        """The sentence of a rule: struck where it is overruled, with a remark where there is one."""
        head, text = TextRun(name, "rule"), self.known[name][1]
        if name in self.overruled:
            return ListItem(
                line(
                    head, " ", TextRun(text, "del"), " ", TextRun(f"Overruled: {self.overruled[name]}.", "em")
                )
            )
        if name in self.remarks:
            return ListItem(line(head, f" {text} ", TextRun(f"{capital(self.remarks[name])}.", "em")))
        return ListItem(line(head, f" {text}"))

    def others(self) -> tuple[Block, ...]:
        """The sentences that nothing cites so far, without those that are overruled."""
        return self.sentences(name for name in self.known if name not in self.overruled)

    def lost(self) -> tuple[Block, ...]:
        """The sentences that are overruled and stand nowhere so far."""
        return self.sentences(self.overruled)


def ids_of(cites: Iterable[Text]) -> tuple[str, ...]:
    """The ids that a declaration cites, ranges written out."""
    ids: list[str] = []
    for cite in cites:
        first, _, last = cite.text.partition("..")
        last = last if not last or "-" in last else first[: first.rindex("-") + 1] + last
        ids += between(first, last or None)
    return tuple(dict.fromkeys(ids))


def ids_in(text: Positioned) -> Iterator[str]:
    """The ids that a rule text cites, in its order, ranges written out."""
    for _, cite in find_cites(text):
        yield from spread(cite)


# ------------------------------------------------------------ names, types and values in words
NOTHING = "–"  # an empty list
EMPTY = "·"  # a cell without a value
SWITCHES = {"true": "yes", "false": "no"}
SEEN = {
    "everybody": "everybody sees it",
    "nobody": "nobody sees it",
    "owner": "only its owner sees it",
    "others": "all but its owner see it",
}
COUNTED = {
    "everybody": "everybody",
    "nobody": "nobody",
    "owner": "its owner alone",
    "others": "all but its owner",
}
KNOWN = {
    "everybody": "everybody knows how many",
    "nobody": "nobody knows how many",
    "owner": "only its owner knows how many",
    "others": "all but its owner know how many",
}


def name(text: str) -> str:
    """A name as words."""
    return text.replace("_", " ").strip() or text


def listed(parts: Sequence[str], word: str = "and") -> str:
    """Some texts as a list in a sentence."""
    if len(parts) < 2:
        return parts[0] if parts else ""
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def capital(text: str) -> str:
    """A text at the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def gaps(text: str) -> str:
    """A text of the game, its parts in angle quotes: `{role}` is ‹role›."""
    return re.sub(r"\{([^{}]*)\}", lambda m: f"‹{_part(m.group(1))}›", text)


def _part(part: str) -> str:
    thing, dot, attribute = re.sub(r"\b(\w+)\[(\w+)\]", r"\1 of \2", part.strip().rstrip("!")).partition(".")
    return f"{name(attribute)} of {name(thing)}" if dot and attribute.isidentifier() else name(part)


def prose(text: str) -> str:
    """An explanation on one line, names in back-ticks as words in quotes."""
    return re.sub(r"`([^`]*)`", lambda m: f"“{name(m.group(1))}”", " ".join(text.split()))


def sentence(text: str) -> str:
    """An explanation as a sentence, with its full stop."""
    words = capital(prose(text))
    return words if words.endswith((".", "!", "?", ":")) else f"{words}."


def code(text: str) -> TextRun:
    """An expression as its author wrote it, on one line: a number or a name as words."""
    text = " ".join(text.split())
    return TextRun(name(text)) if re.fullmatch(r"\w+", text) else TextRun(text, "code")


def worded(text: str) -> TextRun:
    """An expression in words, else as its author wrote it."""
    words = phrase_of(text)
    return code(text) if words is None else TextRun(words)


def type_words(leaf: Text) -> str:
    """A type, and perhaps the value that it begins with, in words."""
    text = re.sub(r'\s+as\s+"[^"]*"', "", " ".join(leaf.text.split()))
    kind, _, start = text.partition("=")
    kind = in_words(kind)
    return f"{kind}, at first {SWITCHES.get(start.strip()) or name(start)}" if start.strip() else kind


def in_words(kind: str) -> str:
    """A type as it is written, in words: `0..9 per Player` is “0 to 9 for each player”."""
    words = re.sub(
        r"\blist of (\w+\.\.\w+) up to (\w+)(?= per\b|$)", r"up to \2 numbers from \1", " ".join(kind.split())
    )
    words = re.sub(
        r"\blist of (\w+) up to (\w+)(?= per\b|$)", lambda m: f"up to {m[2]} {plural(m[1])}", words
    ).replace("..", " to ")
    words = re.sub(r"\bint\b", "whole number", re.sub(r"\bper Player\b", "for each player", words))
    return name(
        re.sub(
            r"\?(?=\W|$)",
            ", or none",
            re.sub(r"\bbool\b", "yes or no", re.sub(r"\bper\b", "for each", words)),
        )
    )


def value(node: YamlNode) -> str:
    """A value written in YAML, in words."""
    if (
        isinstance(node, YamlSequence)
        and len(node.items) > 1
        and all(isinstance(item, YamlSequence) for item in node.items)
    ):
        return " / ".join(
            ", ".join(value(cell) for cell in row.items)
            for row in node.items
            if isinstance(row, YamlSequence)
        )
    if isinstance(node, YamlSequence):
        return ("; " if any(isinstance(item, YamlMapping) for item in node.items) else ", ").join(
            map(value, node.items)
        ) or NOTHING
    if isinstance(node, YamlMapping):
        if len(node.entries) == 1 and node.entries[0][0].text == "else":
            return value(node.entries[0][1])
        return ", ".join(
            f"{'any other' if key.text == 'else' else name(key.text)}: {value(inner)}"
            for key, inner in node.entries
        )
    assert isinstance(node, YamlScalar)
    if isinstance(node.value, bool):
        return "yes" if node.value else "no"
    inside = node.text[1:-1].strip()
    if re.fullmatch(r"\[.*\]", node.text):
        return ", ".join(name(part.strip()) for part in inside.split(",")) if inside else NOTHING
    if re.fullmatch(r"\{[^{}\[\]]*\}", node.text):
        pairs = [part.partition(":") for part in inside.split(",")]
        entries = [
            ("any other" if key.strip() == "else" else name(key.strip()), name(cell.strip()))
            for key, _, cell in pairs
        ]
        return (
            entries[0][1]
            if len(entries) == 1 and entries[0][0] == "any other"
            else ", ".join(f"{key}: {cell}" for key, cell in entries)
        )
    return name(node.text) if node.text.replace("_", "").isalnum() else " ".join(node.text.split())


def number_words(counts: Sequence[int]) -> str:
    """Numbers of players: “2 to 4”, “2, 4 or 6”."""
    together = len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1
    return f"{counts[0]} to {counts[-1]}" if together else listed([str(c) for c in counts], "or")


# ---------------------------------------------------------------- who sees it
def seen(audience: Audience | None) -> str:
    """Return the words for who sees something."""
    if audience is None:
        return SEEN["nobody"]
    if audience.word is not None:
        return SEEN.get(audience.word.text, audience.word.text)
    if audience.rule is not None:
        return f"seen by {audience.rule.text}"
    by = name(audience.by.text) if audience.by is not None else ""
    return (
        f"“{by}” says who sees it: "
        f"{listed([f'{_who(inner)} ({_case(key.text)})' for key, inner in audience.cases], 'or')}"
    )


def counted(audience: Audience) -> str:
    """Return the words for who knows how many there are."""
    if audience.word is not None:
        return KNOWN.get(audience.word.text, f"counted by {audience.word.text}")
    return f"how many, {_who(audience).replace(': ', ' knows: ', 1)}"


def _who(audience: Audience) -> str:
    """Return the words for an audience alone: “its owner alone”."""
    if audience.word is not None:
        return COUNTED.get(audience.word.text, audience.word.text)
    if audience.rule is not None:
        return audience.rule.text
    by = name(audience.by.text) if audience.by is not None else ""
    return (
        f"as “{by}” says: "
        f"{listed([f'{_who(inner)} ({_case(key.text)})' for key, inner in audience.cases], 'or')}"
    )


def _case(key: str) -> str:
    return SWITCHES.get(key) or name(key)


# ---------------------------------------------------------------- rows
def is_grid(node: object) -> bool:
    """Tell whether a value in YAML is a list of lists of the same length."""
    rows = node.items if isinstance(node, YamlSequence) else ()
    lengths = {len(row.items) if isinstance(row, YamlSequence) else 0 for row in rows}
    return len(rows) > 1 and len(lengths) == 1 and 0 not in lengths


def grid(node: object, title: str) -> Iterator[Block]:
    """The rows under a title, columns and rows numbered; nothing if the value is no list of rows."""
    if not isinstance(node, YamlSequence) or not is_grid(node):
        return
    rows = [row.items for row in node.items if isinstance(row, YamlSequence)]
    cells = [[EMPTY if (words := value(cell)) == "none" else words for cell in row] for row in rows]
    yield Paragraph(line(TextRun(title, "em")))
    yield TableBlock(
        ("", *map(str, range(1, len(rows[0]) + 1))),
        tuple((line(str(k)), *map(line, row)) for k, row in enumerate(cells, 1)),
    )


def joined(parts: Sequence[Any], separator: str = "; ") -> Line:
    """Texts, runs and lines, one after the other."""
    out: list[str | TextRun] = []
    for part in parts:
        if not part:
            continue
        out += [separator] if out else []
        out += [part] if isinstance(part, (str, TextRun)) else list(part)
    return line(*out)


# ---------------------------------------------------------------- steps
# What rules do, where no sentence of a rule list and no `doc` says it: who acts, what they choose from, in
# the words of the options, what is moved,
# drawn, rolled, counted, and when it ends. Conditions and amounts stay as they are written where they have no
# plain words.
SHORT = 3  # words of an amount that stands before what it is added to
JOINTS = {"add": " to ", "remove": " from ", "swap": " with ", "show": " to "}
RESULTS = {"draw": "a draw", "lose": "everybody loses"}


def thing(x: n.Expr | None) -> TextRun:
    """Return a short expression in words, or as code if there are none: `hand[p]` is hand of p."""
    match x:
        case None:
            return TextRun("")
        case n.Template():
            return TextRun(gaps(x.raw))
    words = phrase(x)
    return code(x.span.text) if words is None else TextRun(words)


def _first(x: n.Expr) -> TextRun:
    """A thing at the beginning of a sentence."""
    run = thing(x)
    return run if run.mark == "code" else TextRun(capital(run.text), run.mark)


def quoted(text: n.Template) -> str:
    """Words of the rules in quotes."""
    return f"“{gaps(text.raw)}”"


def steps(block: Iterable[n.Stmt], called: Mapping[str, str] | None = None) -> Iterator[ListItem]:
    """Yield the statements of a block in words, one after the other; what stands inside of one below it.

    What a `let` means is told if something told behind it names it. `called` is what lies in the zones, and
    the words for several things that were chosen from one, by name.
    """
    called = {} if called is None else dict(called)
    made: list[tuple[n.Stmt, list[ListItem]]] = []
    for s in block:
        made.append((s, list(_steps(s, called))))
        if isinstance(s, n.Choose) and (several := _several(s.pick, called)):
            called[s.pick.name] = f"these {several}"
    told: list[ListItem] = []
    for s, items in reversed(made):
        if isinstance(s, n.Let) and _names(told, s.name):
            items = [
                ListItem(
                    line(
                        TextRun(s.name, "code"), " is first " if s.mutable else " is ", *_begun(s.value), "."
                    )
                )
            ]
        told = [*items, *told]
    yield from told


def _begun(x: n.Expr) -> Line:
    """Return the words for what a name stands for."""
    if isinstance(x, n.ListLit):
        return line("a list of ", thing(x)) if x.items else line("empty")
    return line("whether " if is_condition(x) else "", thing(x))


def _names(items: Iterable[ListItem], called: str) -> bool:
    """Tell whether anything told here names this, in words or in code."""
    word = re.compile(
        rf"(?<![\w.])(?:{re.escape(called)}|{re.escape(name(called))}|{re.escape(capital(name(called)))})(?!\w)"
    )
    return any(
        any(word.search(run.text) for run in item.line) or _names(item.items, called) for item in items
    )


def _several(pick: n.Pick, called: Mapping[str, str]) -> str:
    """The word for several things that are chosen from a zone; empty if it is one thing, or they come from
    elsewhere.
    """
    zone = pick.source.target if isinstance(pick.source, n.Index) else pick.source
    kind = called.get(zone.name, "") if isinstance(zone, n.Name) and pick.how_many is not None else ""
    one = pick.how_many is not None and pick.how_many.high is not None and pick.how_many.high.span.text == "1"
    return "" if one or not kind else plural(name(kind))


def _steps(s: n.Stmt, called: Mapping[str, str]) -> Iterator[ListItem]:
    """Yield one statement in words."""
    inside = tuple(steps(s.body, called)) if isinstance(s, n.ForStmt | n.SoThat | n.Secretly) else ()
    match s:
        case n.ForStmt() | n.SoThat() | n.Secretly() if not inside:
            return
        case n.ForStmt():
            yield ListItem((*_each(s), TextRun(":")), inside)
        case n.Repeat():
            head = line("Again and again:") if s.until is None else line("Until ", thing(s.until), ":")
            yield ListItem(head, tuple(steps(s.body, called)))
        case n.If():
            yield from _branches(s, "If ", called)
        case n.Match():
            cases = [
                ListItem(
                    (*joined([thing(x) for x in c.values], ", "), TextRun(":")), tuple(steps(c.body, called))
                )
                for c in s.cases
            ]
            other = [ListItem(line("otherwise:"), tuple(steps(s.other, called)))] if s.other else []
            yield ListItem(line("By ", thing(s.value), ":"), (*cases, *other))
        case n.Menu():
            yield ListItem(
                line(_player(s.by), " chooses one:"), tuple(_option(o, called) for o in s.leaves())
            )
            yield from _without(s.other, "If there is none", called)
        case n.Choose():
            yield _choice(s, called)
            yield from _without(
                s.other, "Otherwise" if s.optional else "If there is nothing to choose", called
            )
        case n.SoThat():
            yield ListItem(line("So that ", thing(s.condition), ":"), inside)
        case n.Secretly():
            yield ListItem(line("Seen by ", thing(s.player), " alone:"), inside)
        case _:
            words = getattr(s, "words", None)
            done = _done(s, called) if words is None else _in_own_words(words)
            if done:
                yield ListItem(done)


def _in_own_words(words: n.Template) -> Line | None:
    """The sentence that a statement brings along; `None` if it is empty."""
    return line(f"{capital(gaps(words.raw))}.") if words.raw else None


def _without(other: n.Block | None, words: str, called: Mapping[str, str]) -> Iterator[ListItem]:
    """Yield what happens if nothing is chosen."""
    inside = tuple(steps(other or (), called))
    if inside:
        yield ListItem(line(f"{words}:"), inside)


def at_any_time(item: n.AnyTime) -> ListItem:
    """Return what players may do at each of their decisions."""
    where = () if item.condition is None else (", if ", thing(item.condition))
    options = tuple(_option(o, {}) for o in n.leaves(item.options))
    return ListItem(
        line(
            f"Whenever ‹{name(item.player)}› decides something",
            *where,
            ", they may first, as often as they like:",
        ),
        options,
    )


def _each(s: n.ForStmt) -> Line:
    where = () if s.condition is None else (", where ", thing(s.condition))
    if re.match(r"(turns|seats)\b|players\b", s.source.span.text):
        if s.at_once:
            order = "All at once, each player"
        elif s.source.span.text.startswith("turns"):
            order = "In turn, each player"
        else:
            order = "Each player"
        return line(order, f" (‹{name(s.name)}›)", *where)
    return line(
        f"{'All at once, for' if s.at_once else 'For'} each {name(s.name)} of ", thing(s.source), *where
    )


def _branches(s: n.If, word: str, called: Mapping[str, str]) -> Iterator[ListItem]:
    then = tuple(steps(s.then, called))
    further = s.other[0] if len(s.other) == 1 and isinstance(s.other[0], n.If) else None
    other = list(
        _branches(further, "Otherwise, if ", called) if further is not None else steps(s.other, called)
    )
    if not then and not other:
        return
    if not then and further is None:
        yield ListItem(
            line(word.replace("if ", "unless ").replace("If ", "Unless "), thing(s.condition), ":"),
            tuple(other),
        )
        return
    head = line(word, thing(s.condition))
    if len(then) == 1 and then[0].line == NOTHING_MORE:
        yield ListItem((*head, TextRun(", nothing more happens here.")))
    else:
        yield ListItem((*head, TextRun(":" if then else ", go on.")), then)
    if further is not None:
        yield from other
    elif other:
        yield ListItem(line("Otherwise:"), tuple(other))


def _player(x: n.Expr) -> TextRun:
    return TextRun(f"‹{name(x.name)}›") if isinstance(x, n.Name) else code(x.span.text)


def _only_if(conditions: Iterable[n.Condition]) -> str:
    """Under which conditions something may be chosen, by their words."""
    said = [gaps(c.text.raw) for c in conditions]
    return f", only if {listed(said)}" if said else ""


def _option(o: n.Option, called: Mapping[str, str]) -> ListItem:
    where = () if o.condition is None else (" if ", thing(o.condition))
    body = tuple(steps(o.body, called))
    return ListItem(line(quoted(o.label), *where, f"{_only_if(o.conditions)}{':' if body else '.'}"), body)


def _choice(s: n.Choose, called: Mapping[str, str]) -> ListItem:
    pick = s.pick
    by = TextRun("Chance") if pick.chooser == "chance" or pick.by is None else _player(pick.by)
    if pick.every is not None:
        if isinstance(pick.by, n.Name) and pick.by.name == "players":
            who = line("All at once, each player")
        else:
            who = line("All at once, each of ", by if pick.by is None else thing(pick.by))
    else:
        who = line(by)
    numbers = () if pick.how_many is None else (pick.how_many.low, pick.how_many.high)
    many = (
        ""
        if pick.how_many is None
        else f"{' to '.join(dict.fromkeys(x.span.text for x in numbers if x)) or 'any'} "
    )
    where = () if pick.where is None else (" where ", thing(pick.where))
    words = ""
    if pick.label is not None:
        words = f": {quoted(pick.label)}"
        if pick.decline:
            words += f", or “{gaps(pick.decline)}”"
    several = _several(pick, called)
    inside = {**called, pick.name: f"these {several}"} if several else called
    head = line(
        *who,
        " may choose " if s.optional else " chooses ",
        f"{many}{several or name(pick.name)} from ",
        thing(pick.source),
        *where,
    )
    return ListItem((*head, TextRun(f"{_only_if(pick.conditions)}{words}.")), tuple(steps(s.body, inside)))


NOTHING_MORE = line("Nothing more happens here.")


def _done(s: n.Stmt, called: Mapping[str, str]) -> Line | None:
    """Return the words for a statement that has none of its own; `None` if it only keeps a name."""
    match s:
        case n.Move(what=n.Name(name=moved)) if moved in called and called[moved].startswith("these "):
            return line(capital(called[moved]), " go to ", thing(s.to), ".")
        case n.Move():
            return line(_first(s.what), " goes to ", thing(s.to), ".")
        case n.Draw():
            return line("Draw ", thing(s.count), " from ", thing(s.source), " to ", thing(s.to), ".")
        case n.Verb():
            return (
                TextRun(f"{capital(name(s.verb))} "),
                *joined([thing(x) for x in s.operands], JOINTS.get(s.verb, ", ")),
                TextRun("."),
            )
        case n.Tell():
            told = f"{quoted(s.text)}."
            return line("It is announced: ", told) if s.to is None else line(thing(s.to), " is told: ", told)
        case n.Finish():
            return finish_words(s)
        case n.Assign():
            verb, to = {"=": ("Set ", " to "), "+=": ("Add ", " to "), "-=": ("Take ", " from ")}[s.op]
            if s.op == "=":
                return line(
                    verb,
                    thing(s.target),
                    to,
                    "whether " if is_condition(s.value) else "",
                    thing(s.value),
                    ".",
                )
            amount = thing(s.value)
            if len(amount.text.split()) > SHORT:
                return line(f"{verb.rstrip()}{to}", thing(s.target), " ", amount, ".")
            return line(verb, amount, to, thing(s.target), ".")
        case n.CallStmt():
            return line(_first(s.call), ".")
        case n.Return(value=n.Expr() as value):
            return line("It holds if " if is_condition(value) else "It is ", thing(value), ".")
        case n.Return():
            return NOTHING_MORE
        case n.Simple(word="break"):
            return line("Stop here.")
        case n.Simple(word="continue"):
            return line("Go on with the next.")
    return None


def finish_words(s: n.Finish) -> Line:
    """Return the words for an end of the game."""
    value, grade = s.value, "" if s.grade is None else f" ({quoted(s.grade)})"
    if s.result == "win":
        return line("The game is over; ", thing(value), f" wins{grade}.")
    if s.result in RESULTS or value is None:
        return line(f"The game is over: {RESULTS.get(s.result, s.result)}{grade}.")
    keys = value.value if isinstance(value, n.MapComp) else value
    first, *more = keys.items if isinstance(keys, n.ListLit) else (keys,)
    ties = line("; a tie is broken by ", *joined([thing(x) for x in more], ", then ")) if more else ()
    return (*line("The game is over; who has the most wins: ", thing(first)), *ties, TextRun(f"{grade}."))
