"""Names, types, values and audiences in words, and values that are tables of several rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from croupier.authoring.rulebook.document import Block, Line, Paragraph, TableBlock, TextRun, line
from croupier.authoring.rulebook.vocabulary import current
from croupier.diagnostics import Source, Span
from croupier.runtime.wording import plural
from croupier.schema import Audience, Text
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence, whole
from croupier.syntax import nodes as n
from croupier.syntax import parse_audience
from croupier.syntax.phrases import phrase, phrase_of

_RANGE = re.compile(r"([^.]+?)\.\.(.+?)(?=\s+(?:per|up to)\b|\?|$)")
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
    """A text of the game, its parts in angle quotes and in words: `{hand[p].size}` is ‹the number in hand of
    p›, `{n} card|cards` ‹n› cards.
    """
    text = re.sub(r"\b\w+\|(\w+)", r"\1", text)
    return re.sub(r"\{([^{}]*)\}", lambda m: f"‹{_part(m.group(1))}›", text)


def _part(part: str) -> str:
    words = phrase_of(part, current())
    if words is not None:
        return re.sub(r"^the (?=“)|[“”]", "", words)
    text = re.sub(r"\b(\w+)\[(\w+)\]", r"\1 of \2", part.strip().rstrip("!"))
    thing, dot, attribute = text.partition(".")
    return f"{name(attribute)} of {name(thing)}" if dot and attribute.isidentifier() else name(text)


def prose(text: str) -> str:
    """An explanation on one line, names in back-ticks as words in quotes."""
    return re.sub(r"`([^`]*)`", lambda m: f"“{name(m.group(1))}”", " ".join(text.split()))


def sentence(text: str) -> str:
    """An explanation as a sentence, with its full stop."""
    words = capital(prose(text))
    return words if words.endswith((".", "!", "?", ":")) else f"{words}."


def code(text: str, span: Span | None = None) -> TextRun:
    """An expression as its author wrote it, on one line: a number or a name as words."""
    text = " ".join(text.split())
    return TextRun(name(text)) if re.fullmatch(r"\w+", text) else TextRun(text, "code", span=span)


def worded(text: str, span: Span | None = None) -> TextRun:
    """An expression in words, else as its author wrote it."""
    words = phrase_of(text, current())
    return code(text, span) if words is None else TextRun(words)


def type_words(leaf: Text) -> str:
    """A type, and perhaps the value that it begins with, in words."""
    text = re.sub(r'\s+as\s+"[^"]*"', "", " ".join(leaf.text.split()))
    kind, _, start = text.partition("=")
    kind = in_words(kind)
    return f"{kind}, at first {SWITCHES.get(start.strip()) or name(start)}" if start.strip() else kind


def in_words(kind: str) -> str:
    """A type as it is written, in words: `0..9 per Player` is “0 to 9 for each player”."""
    kind = _RANGE.sub(lambda m: f"{_bound(m[1])}..{_bound(m[2])}", " ".join(kind.split()))
    words = re.sub(r"\blist of (\w+\.\.\w+) up to (\w+)(?= per\b|$)", r"up to \2 numbers from \1", kind)
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


def _bound(text: str) -> str:
    """One end of a range, in words if it is worked out."""
    words = None if re.fullmatch(r"\s*-?\w+\s*", text) else phrase_of(text, current())
    return text if words is None else words


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


def seen(audience: Audience | None) -> str:
    """Return the words for who sees something."""
    if audience is None:
        return SEEN["nobody"]
    if audience.word is not None:
        return SEEN.get(audience.word.text, audience.word.text)
    if audience.rule is not None:
        return f"seen by {audience_words(audience.rule.text)}"
    by = name(audience.by.text) if audience.by is not None else ""
    return (
        f"“{by}” says who sees it: "
        f"{listed([f'{_who(inner)} ({_case(key.text)})' for key, inner in audience.cases], 'or')}"
    )


def counted(audience: Audience) -> str:
    """Return the words for who knows how many there are."""
    if audience.word is not None:
        return KNOWN.get(audience.word.text, f"counted by {audience_words(audience.word.text)}")
    return f"how many, {_who(audience).replace(': ', ' knows: ', 1)}"


def _who(audience: Audience) -> str:
    """Return the words for an audience alone: “its owner alone”."""
    if audience.word is not None:
        return COUNTED.get(audience.word.text, audience.word.text)
    if audience.rule is not None:
        return audience_words(audience.rule.text)
    by = name(audience.by.text) if audience.by is not None else ""
    return (
        f"as “{by}” says: "
        f"{listed([f'{_who(inner)} ({_case(key.text)})' for key, inner in audience.cases], 'or')}"
    )


def audience_words(text: str) -> str:
    """The audience that an expression gives, in words: `q if q == key` is “each player q for whom q is the
    owner”.
    """
    found, problems = parse_audience(whole(Source("an audience", " ".join(text.split()))))
    known = replace(current(), names={"key": "the owner", "self": "it"})
    match found:
        case n.SeenIf(who=n.Name(name="everybody" | "nobody" | "owner" | "others" as who), condition=held):
            words = phrase(held, known)
            group = COUNTED[who]
            told = None if words is None else f"{group} if {words}"
        case n.SeenIf(who=who, condition=held):
            words, one = phrase(held, known), phrase(who, known)
            told = None if words is None or one is None else f"each player {one} for whom {words}"
        case n.Expr():
            told = phrase(found, known)
        case _:
            told = None
    return text if told is None or problems else told


def _case(key: str) -> str:
    return SWITCHES.get(key) or name(key)


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
