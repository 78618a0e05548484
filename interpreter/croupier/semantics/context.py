"""The state that the parts of the checker share: the program that they fill, its findings, the facts known so
far, and the observers.

A scope holds local names: blocks inside blocks, slots in a frame, and what is known about optional values at
a point of the text.

A citation names ids of the rule list: each must exist; a range stands for the ids between its ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Protocol, TypeVar

from croupier.diagnostics import Diagnostic, Fix, Label, Source, Span, diagnose, did_you_mean
from croupier.kernel import types as t
from croupier.kernel.tree import CallExpr, OperationExpr, TypedExpr
from croupier.kernel.types import UNKNOWN, Type
from croupier.limits import MAX_RULE_TEXTS
from croupier.records import dataclass
from croupier.schema import Audience, Text
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.semantics.type_words import described, name_of, none_help, reason_of_none
from croupier.source.files import is_confusable
from croupier.source.splicing import SplicedText
from croupier.syntax import nodes as n
from croupier.syntax.lines import Positioned

# ------------------------------------------------------------ citations
NUMBER = re.compile(r"^(.*-[A-Z]*)([0-9]+)([a-z]?)$")


def spread(cite: n.Cite) -> list[str]:
    """The ids a citation names, range ends included."""
    return between(cite.first, cite.last)


def between(first: str, last: str | None) -> list[str]:
    """The ids from one to another, or the one; nothing where that is no range."""
    if last is None:
        return [first]
    a, b = NUMBER.match(first), NUMBER.match(last)
    if (
        a is None
        or b is None
        or a.group(1) != b.group(1)
        or int(a.group(2)) > int(b.group(2))
        or int(b.group(2)) - int(a.group(2)) > 500
    ):
        return []
    return [f"{a.group(1)}{i}" for i in range(int(a.group(2)), int(b.group(2)) + 1)]


_ALIKE = str.maketrans("OoIl", "0011")


def rule_help(name: str, known: Mapping[str, object]) -> str | None:
    """Help for an id that the rule list has not: one that looks alike there, or how its ids begin."""
    letters, _, number = name.rpartition("-")
    for other in known:
        begin, _, end = other.rpartition("-")
        alike = end.translate(_ALIKE)
        if (
            begin == letters
            and end != alike
            and alike.isdecimal()
            and number.isdecimal()
            and int(alike) == int(number)
        ):
            wrong = next(sign for sign in end if sign.isalpha())
            return (
                f"the rule list has `{other}`, with the letter {wrong}: write `{name}` there if this is meant"
            )
    prefixes = sorted({k.rsplit("-", 1)[0] for k in known})
    if name.rsplit("-", 1)[0] in prefixes:
        return None
    return "the ids of the rule list begin with " + " or ".join(f"`{p}-`" for p in prefixes[:5])


def here(declared: object) -> tuple[Label, ...]:
    """A label at what is declared already; empty where that has no place in a file."""
    span = getattr(declared, "span", None)
    return (Label(span, "here"),) if isinstance(span, Span) else ()


# ------------------------------------------------------------ local names
@dataclass(slots=True)
class LocalName:
    """A local name, and the slot that holds its value."""

    name: str
    slot: int
    type: Type
    mutable: bool
    span: Span
    used: bool = False
    by_value: bool = False  # no type is written: it is that of the first value


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that the text has shown about the value at `path`: that there is one (`kind` is `None`), or that
    it is of a kind or not.
    """

    path: str
    kind: str | None = None
    holds: bool = True


Facts = frozenset[Fact]


@dataclass(slots=True)
class Scope:
    """The names visible at a point; `certain` holds what is known about values here."""

    proc: Proc
    parent: Scope | None = None
    names: dict[str, LocalName] = field(default_factory=dict)
    certain: Facts = frozenset()
    # of values about which less is known than before: the statement that may change them
    ended: dict[str, Span] = field(default_factory=dict)
    # of the outermost scope: where each name was declared last
    declared: dict[str, Span] = field(default_factory=dict)

    def find(self, name: str) -> LocalName | None:
        at: Scope | None = self
        while at is not None:
            if name in at.names:
                return at.names[name]
            at = at.parent
        return None

    def around(self) -> Iterator[Scope]:
        """This scope and those that it stands in, from the inside out."""
        at: Scope | None = self
        while at is not None:
            yield at
            at = at.parent

    def visible(self) -> list[str]:
        return [name for at in self.around() for name in at.names]

    def child(self, certain: Facts = frozenset()) -> Scope:
        return Scope(self.proc, self, {}, self.certain | certain)

    def known(self, where: str | None) -> list[Fact]:
        """Return the facts about the value at a path, ordered by kind."""
        return sorted((f for f in self.certain if f.path == where), key=lambda f: (f.kind or "", f.holds))

    def ended_by(self, where: str | None) -> Span | None:
        """The last statement because of which less is known about the value at a path."""
        if where is None:
            return None
        return next((at.ended[where] for at in self.around() if where in at.ended), None)

    @staticmethod
    def of_its_own(name: str, kind: str, span: Span, known: Iterable[tuple[str, Type]] = ()) -> Scope:
        """The scope of an expression that stands in no body: a frame that begins with what is known there."""
        scope = Scope(Proc(-1, name, kind, span))
        for local, of in known:
            scope.declare(local, of, span)
        return scope

    def declare(self, name: str, kind: Type, span: Span, mutable: bool = False) -> LocalName:
        local = LocalName(name, self.proc.slot(name, kind), kind, mutable, span)
        self.names[name] = local
        self.outermost().declared[name] = span
        return local

    def outermost(self) -> Scope:
        """The scope that all others around this one stand in."""
        at = self
        while at.parent is not None:
            at = at.parent
        return at


def path(node: n.Expr) -> str | None:
    """A text that names the same value each time it is read, or `None`."""
    match node:
        case n.Name():
            return node.name
        case n.Attr():
            inner = path(node.target)
            return None if inner is None else f"{inner}.{node.name}"
        case n.Index():
            inner, key = path(node.target), path(node.key)
            return None if inner is None or key is None else f"{inner}[{key}]"
        case n.Int():
            return str(node.value)
    return None


def _fact(node: n.Expr, kind: str | None = None, holds: bool = True) -> Facts:
    """A fact about a value, if it is the same each time it is read."""
    where = path(node)
    return frozenset() if where is None else frozenset([Fact(where, kind, holds)])


def known_if(node: n.Expr, truth: bool) -> Facts:
    """Return the facts that hold when `node` is true (or false): optionals that have a value, components of
    one of several kinds.
    """
    match node:
        case n.IsNone():
            return _fact(node.value) if node.negated == truth else frozenset()
        case (
            n.Binary(op="==" | "!=", left=value, right=n.NoneLit())
            | n.Binary(op="==" | "!=", left=n.NoneLit(), right=value)
        ):
            return _fact(value) if (node.op == "!=") == truth else frozenset()
        case n.IsKind():
            return _fact(node.value, node.kind, truth != node.negated)
        case n.Unary(op="not"):
            return known_if(node.value, not truth)
        case n.Binary(op="and") if truth:
            return known_if(node.left, True) | known_if(node.right, True)
        case n.Binary(op="or") if not truth:
            return known_if(node.left, False) | known_if(node.right, False)
    return frozenset()


def _of_none(span: Span, args: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a message about a value that may be `none`: its name, why it may be `none`, and
    what to write.
    """
    text = span.text
    before = span.source.text[span.source.text.rfind("\n", 0, span.start) + 1 : span.start]
    why = reason_of_none(text)
    return {
        "help": none_help(text, before),
        **args,
        "what": name_of(text),
        "notes": () if why is None else (why,),
    }


# ------------------------------------------------------------ the context
OF_ONE_BODY = frozenset({"F001", "F003", "F005", "F008", "F010", "F013", "N010", "T002"})
"""What is found about all statements of a body: where one was not parsed, nobody knows."""
OF_UNKNOWN_NAMES = frozenset({"N001", "N003", "N006", "N013", "N016", "N018", "N023", "N024"})
"""What is found about names that stand for nothing."""
ONCE_A_LINE = frozenset({"N002", "T002"})
"""What is found about a value that may stand several times in an expression."""
AGAIN = "here, too"
CORRECT_IT = "correct the name, or declare what it stands for"
MOST_LABELS = 3  # so many further places of an unknown name are shown
ALIKE_ON_A_LINE = 20  # so many of the last findings are compared
WITH_WORDS = frozenset(
    {"F008", "G005", "N002"}
    | {
        "T001",
        "T002",
        "T003",
        "T004",
        "T006",
        "T008",
        "T009",
        "T010",
        "T011",
        "T014",
        "T027",
        "T030",
        "T036",
        "T039",
        "T040",
        "T046",
        "T048",
        "T049",
    }
    | {"T050", "T054", "T055", "T056", "T067"}
)
"""What says types in words; all other messages show them as they are written, because they are to be
written.
"""
OF_ALL_BODIES = frozenset({"N023"})
"""What is found about all decisions of a ruleset."""
T = TypeVar("T")
Parse = Callable[[Positioned], tuple[object, list[Diagnostic]]]
Reader = Callable[[Parse, Positioned], tuple[Any, list[Diagnostic]]]
"""How a rule text becomes nodes: by being parsed, unless whoever has read it before gives them."""


def parsed(parse: Parse, text: Positioned) -> tuple[object, list[Diagnostic]]:
    """The usual reader."""
    return parse(text)


TextKey = tuple[str, str, int, int, str]
"""A rule text: what it is read as, where it stands, and what it says: in a module, names may stand for
others.
"""


class TextReader:
    """A reader that parses each text once, however many rulesets share it."""

    def __init__(self) -> None:
        self._read: dict[TextKey, tuple[object, list[Diagnostic]]] = {}

    @staticmethod
    def key(parse: Parse, text: Positioned) -> TextKey:
        """Return the key that identifies a text."""
        span = text.span(0, len(text.text))
        return getattr(parse, "__name__", ""), span.source.name, span.start, span.end, text.text

    def __call__(self, parse: Parse, text: Positioned) -> tuple[object, list[Diagnostic]]:
        if isinstance(text, SplicedText):  # two may be equal and come from different files
            return parse(text)
        key = self.key(parse, text)
        if key not in self._read:
            self._read[key] = parse(text)
        return self._read[key]


class FileReader:
    """A reader that parses the texts of a file again only when anything in the file has changed: for whoever
    checks a ruleset after each edit.
    """

    def __init__(self) -> None:
        self._files: dict[
            str, tuple[Source, dict[tuple[Parse, int, str], tuple[object, list[Diagnostic]]]]
        ] = {}

    def __call__(self, parse: Parse, text: Positioned) -> tuple[object, list[Diagnostic]]:
        if isinstance(text, SplicedText):  # its pieces stand in several files, of which any may have changed
            return parse(text)
        place = text.span(0, 0)
        source, known = self._files.get(place.source.name, (None, {}))
        if source is not place.source:  # another one with the same text will not do: spans are compared by it
            known = {}
            self._files[place.source.name] = place.source, known
        key = parse, place.start, text.text
        if key not in known:
            known[key] = parse(text)
        return known[key]


class Citing(Protocol):
    """Something that may cite the rules that it implements."""

    @property
    def cites(self) -> Sequence[Text]:
        """Ids of rules, and ranges of them."""


class Observer:
    """Receives what the checker finds out about names and types.

    This one ignores it; the symbol index keeps it.
    """

    def begin(self, ctx: CheckContext) -> None:
        """A ruleset is about to be checked in this context."""

    def expression(self, node: n.Expr, scope: Scope, wanted: Type | None, x: TypedExpr) -> None:
        """An expression was checked; `wanted` is the type that its place asks for."""

    def type_name(self, node: n.TypeName, kind: Type) -> None:
        """The name of a type was checked."""

    def scope(self, scope: Scope) -> None:
        """The body of a definition is about to be checked: its parameters are known."""

    def definition(self, node: n.Def) -> None:
        """A definition was declared."""

    def revision(self, node: n.Revision) -> None:
        """A variant says what it changes in a definition or a phase."""

    def window_declaration(self, node: n.Window) -> None:
        """A window was declared."""

    def window(self, name: str, span: Span) -> None:
        """A window is named."""

    def hook(self, node: n.Hook) -> None:
        """A hook is about to be checked."""

    def component(self, name: str, span: Span) -> None:
        """A class of components is named, as what a zone holds."""

    def audience(self, audience: Audience) -> None:
        """A declaration of an audience was checked."""


class CheckContext:
    """The state of a check: the program, and its findings."""

    def __init__(self, program: Program, observer: Observer | None = None) -> None:
        self.program = program
        self.observer = observer or Observer()
        self.observer.begin(self)
        self.found: list[Diagnostic] = []
        self.unknown_names: dict[str, Diagnostic] = {}  # what was found of each name that stands for nothing
        self.quiet = False  # beside a value of unknown type: names may be its literals
        self.used: set[tuple[str, str]] = set()
        self.read_so_far = 0  # characters of rule text
        self.reader: Reader = parsed
        self.unread: list[Span] = []  # rule texts, and items of them, in which something could not be parsed
        self.lost_definitions = False  # may any unknown function be one whose definition could not be read?
        # names whose declaration was refused or could not be read: unknown, but not reported again
        self.dropped: set[str] = set()
        self.lacks_rules = False  # could a part of the rule list not be read?
        # may any unknown name be one that could not be read: of a module, or of a declaration whose name was
        # refused?
        self.lacks_names = False
        # definitions that give a result, but do not say of which type: that is told where they give it
        self.without_type: set[str] = set()
        # classes of components of whose declaration something was refused: nobody knows all their attributes
        self.incomplete: set[str] = set()
        # by place, what may be none again: the statement that may have changed it
        self.none_again: dict[tuple[int, int], Span] = {}
        self.ambiguous: set[str] = set()  # names declared twice: nobody knows which is meant
        # names that exist only when the game has begun, while set-up is checked
        self.known_in_play: set[str] = set()
        self.declared_below: set[str] = set()  # names of parameters that are declared further down
        self.defined_later: set[str] = set()  # names of definitions, while set-up is checked
        self.expression_calls: list[CallExpr] = []  # calls inside expressions: they must be pure
        self.named_types: dict[str, Text] = {}  # the text of each type that is only a name for another
        self.known_here: dict[str, str] = {}  # by an unknown name, the help where nothing else helps
        self.is_finished = False  # is the program complete, and only asked about?
        # what they stand for; none while it is being worked out
        self.known_types: dict[str, Type | None] = {}

    def declared(self) -> tuple[tuple[str, Mapping[str, object]], ...]:
        """What names are declared as, and the tables of those names."""
        p = self.program
        return (
            ("type", p.enums), ("type", p.records), ("component", p.classes), ("board", p.boards),
            ("parameter", p.params), ("zone", p.zones),
            ("state", p.vars), ("definition", p.defs), ("window", p.windows), ("type", self.named_types),
        )  # fmt: skip

    def cites(self, cites: tuple[n.Cite, ...]) -> tuple[str, ...]:
        """All ids of some citations; unknown ones are reported when the ruleset names a rule list."""
        ids: list[str] = []
        known = self.program.rule_ids
        removed = (
            self.program.resolved.removed_rules if self.program.resolved is not None else frozenset[str]()
        )
        for c in cites:
            # it marks a part, for whoever uses the module to say which rules that implements
            if c.first.startswith("@"):
                if self.program.resolved is None or not self.program.resolved.is_module:
                    self.report("P048", c.span)
                continue
            names = spread(c)
            if not names:
                self.report("N020", c.span, name=f"{c.first}..{c.last}")
            for name in names:
                if known and name not in known and self.lacks_rules:
                    continue
                if known and name not in known and name not in removed:
                    self.report("N008", c.span, name=name, help=rule_help(name, known))
                elif name in removed:
                    self.program.cited.setdefault(name, []).append(c.span)
                else:
                    ids.append(name)
                    self.program.cited.setdefault(name, []).append(c.span)
        return tuple(dict.fromkeys(ids))

    def report(self, code: str, span: Span, **args: Any) -> TypedExpr:  # noqa: ANN401 - what the template names
        lost = (
            code == "N006"
            and self.lost_definitions
            or code.startswith("N")
            and (self.quiet or args.get("name") in self.dropped or is_confusable(str(args.get("name", ""))))
        )
        lost = lost or (
            bool(self.found) and any(t.is_lost(args.get(side)) for side in ("given", "wanted", "type"))
        )
        lost = lost or (self.lacks_names and code in OF_UNKNOWN_NAMES)
        lost = lost or (code in ("N002", "T055") and self.is_incomplete(args.get("type") or args.get("kind")))
        changed = self.none_again.get((span.start, span.end)) if code == "T002" else None
        if changed is not None and changed.source is span.source:
            again = "after this it may be none again" + (
                ", the next time around" if changed.start > span.start or changed.end >= span.end else ""
            )
            args["labels"] = (*args.get("labels", ()), Label(changed, again))
        if code == "T002":
            args = _of_none(span, args)
        if code == "N001":
            args["kind"] = "nothing" if args["kind"] == "value" else f"no {args['kind']}"
        if code in WITH_WORDS:
            args = {
                name: described(value) if isinstance(value, Type) else value for name, value in args.items()
            }
        near = args.pop("near", None)
        if near is not None:
            args["fix"] = Fix(span, near, f"write `{near}`", safe=False)
        if not lost and self.read_so_far <= MAX_RULE_TEXTS:
            self.add(diagnose(code, span, **args), str(args.get("name", "")))
        return OperationExpr("unknown", UNKNOWN, span)

    def helped(self) -> list[Diagnostic]:
        """Return the findings; a finding of an unknown name that has no help is given the names that there
        are.
        """
        unknown = {
            id(d): name for name, d in self.unknown_names.items() if d.code == "N001" and d.help is None
        }
        return [
            replace(d, help=self.known_here.get(unknown[id(d)], CORRECT_IT)) if id(d) in unknown else d
            for d in self.found
        ]

    def add(self, d: Diagnostic, name: str) -> None:
        """Add a finding.

        A name that stands for nothing is told once, with the first other places as labels: it is one mistake,
        often of whoever declared it. So is the same thing said twice of what stands twice on a line.
        """
        if d.code in OF_UNKNOWN_NAMES:
            at = next((i for i, e in enumerate(self.found) if e is self.unknown_names.get(name)), None)
            if at is None:
                self.unknown_names[name] = d
                self.found.append(d)
            elif d.span is not None and d.code not in ("N023", "N024"):
                self.unknown_names[name] = self.found[at] = self.with_other_place(self.found[at], d.span)
        elif d.code not in ONCE_A_LINE or not self.is_on_this_line(d):
            self.found.append(d)

    def with_other_place(self, d: Diagnostic, other: Span) -> Diagnostic:
        """A finding with a label where the same is so: on another line, and not more than a few."""
        lines = {
            (at.source.name, at.line)
            for at in (d.span, *(label.span for label in d.labels))
            if at is not None
        }
        again = [label for label in d.labels if label.text == AGAIN]
        if (other.source.name, other.line) in lines or len(again) == MOST_LABELS:
            return d
        if d.span is None or self.reading_order(d.span) < self.reading_order(other):
            return replace(d, labels=(*d.labels, Label(other, AGAIN)))
        fix = replace(d.fix, span=other) if d.fix is not None and d.fix.span == d.span else d.fix
        # what is first in the text is read first
        return replace(d, span=other, fix=fix, labels=(*d.labels, Label(d.span, AGAIN)))

    def reading_order(self, at: Span) -> tuple[bool, int, int]:
        """Return the sort key of a place in the order of reading: the files of a ruleset in their order, its
        own first; a variant after what it changes.
        """
        doc = self.program.resolved
        names = [] if doc is None else [source.name for source in doc.sources]
        own = doc is not None and at.source.name in {source.name for source in doc.own_sources}
        return own, names.index(at.source.name) if at.source.name in names else len(names), at.start

    def is_on_this_line(self, d: Diagnostic) -> bool:
        """Tell whether the same finding was made of the same text on the same line before."""
        alike = (
            e.span
            for e in reversed(self.found[-ALIKE_ON_A_LINE:])
            if (e.code, e.message) == (d.code, d.message)
        )
        here = None if d.span is None else (d.span.source, d.span.line, d.span.text)
        return any(at is not None and (at.source, at.line, at.text) == here for at in alike)

    def is_incomplete(self, kind: object) -> bool:
        """Tell whether a type is a class of components that may have more attributes than are known."""
        return isinstance(kind, t.Component) and not kind.kinds.isdisjoint(self.incomplete)

    def leaving_out(self, span: Span) -> Fix:
        """The fix that leaves something out."""
        return Fix(span, "", "leave it out")

    def check_bounds(self, value: int | None, span: Span | None, most: int = 64) -> None:
        """Report a written number that is not one of 1..most."""
        if value is not None and span is not None and not 1 <= value <= most:
            self.report(
                "T017", span, given=value if value < 10**19 else "more", wanted=t.in_words(t.Int(1, most))
            )

    def read(
        self, parse: Callable[[Positioned], tuple[T, list[Diagnostic]]], text: Positioned, nothing: T
    ) -> T:
        """The nodes of a rule text.

        Beyond the limit on all texts together, nothing is read and nothing reported any more.
        """
        before = self.read_so_far
        self.read_so_far += len(text.text)
        if self.read_so_far > MAX_RULE_TEXTS:
            if before <= MAX_RULE_TEXTS:
                self.found.append(diagnose("P052", text.span(0, 1), limit=MAX_RULE_TEXTS))
            return nothing
        node: T
        node, bad = self.reader(parse, text)
        self.found.extend(bad)
        if any(d.is_error for d in bad):
            self.unread.append(text.span(0, len(text.text)))
        return node

    def only_items_unread(self, items: Sequence[Span], before: int) -> None:
        """Narrow what was noted last as unread, a text of several items that begin at `items`, to those with
        what was found since `before`.
        """
        whole = self.unread.pop()
        starts = sorted({whole.start, *(at.start for at in items if whole.start <= at.start < whole.end)})
        for d in self.found[before:]:
            if d.is_error and d.span is not None:
                first = max((at for at in starts if at <= d.span.start), default=whole.start)
                end = min((at for at in starts if at > d.span.start), default=whole.end)
                self.unread.append(Span(whole.source, first, end))

    def leave_out_what_follows(self) -> None:
        """Leave out findings that may be there only because something was not parsed: what a body does on its
        way, which decisions there are.
        """
        if self.unread:
            self.found = [d for d in self.found if not self.may_follow(d)]

    def may_follow(self, d: Diagnostic) -> bool:
        """Tell whether a finding may follow from a text that could not be parsed."""
        if d.code in OF_ALL_BODIES:
            return True
        inside = d.span is not None and any(
            at.source is d.span.source and at.start <= d.span.start <= at.end for at in self.unread
        )
        return inside and d.code in OF_ONE_BODY

    def suggest(self, name: str, candidates: Iterable[str]) -> dict[str, str]:
        near = did_you_mean(name, candidates)
        return {} if near is None else {"help": f"did you mean `{near}`?", "near": near}

    def report_unknown(self, code: str, span: Span, name: str, known: Iterable[str], **args: object) -> None:
        """Report a name that stands for nothing, with the one of those known that was probably meant."""
        self.report(code, span, name=name, **args, **self.suggest(name, known))

    def allow_leak(self, span: Span, leaks: n.Leaks | None) -> None:
        """Remember that a decision may depend on what its chooser does not see."""
        if leaks is not None:
            self.program.leaks[span] = leaks.span

    def cites_of(self, declaration: Citing) -> tuple[str, ...]:
        cites = tuple(n.Cite(c.span, *self.range_ends(c.text)) for c in declaration.cites)
        return self.cites(cites)

    def cite_always(self, declaration: Citing) -> None:
        """The citations of something that every game is made of, whatever happens in it."""
        self.program.cites = (*self.program.cites, *self.cites_of(declaration))

    def range_ends(self, text: str) -> tuple[str, str | None]:
        first, _, last = text.partition("..")
        prefix = first.rsplit("-", 1)[0] + "-" if "-" in first else ""
        return first, (last if not last or "-" in last else prefix + last) or None
