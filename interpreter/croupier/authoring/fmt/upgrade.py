"""Files of an older version of the language as files of the newest: names that are words now get other names,
and the version is written.

All files that belong together are rewritten together, so that a name is the same in all of them. Comments,
layout and prose stay.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from croupier.authoring.fmt.kinds import is_scenarios, kinds_of
from croupier.diagnostics import Diagnostic, Source
from croupier.schema import VERSIONS, is_known_version
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence, read
from croupier.source.renaming import RenamedScalar, RenamedText, renamed
from croupier.syntax.lines import SOFT_KEYWORDS, mask, names_not_keywords

NEWEST = str(VERSIONS[-1])
INSTEAD = {
    "suppose": ("supposed", "suppose_so", "suppose_name"),
    "gives": ("giving", "gives_so", "gives_name"),
}
PROSE = ("id", "title", "doc")  # keys of scenarios under which nothing is named
_SOFT = re.compile(rf"\b(?:{'|'.join(SOFT_KEYWORDS)})\b")
_BRACES = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class NameEdit:
    """A name in a file that gets another."""

    start: int
    end: int
    old: str
    new: str


@dataclass(frozen=True)
class Upgraded:
    """A file in the newest version: its text, `None` if it is left as it is; and what was done, or why
    nothing was.
    """

    text: str | None
    words: str
    diagnostics: tuple[Diagnostic, ...] = ()


def upgraded(sources: Mapping[Path, Source], others: Iterable[Path]) -> dict[Path, Upgraded]:
    """Files that belong together, upgraded together; `others` are the tables beside them, which are not
    rewritten.
    """
    trees = {path: read(source) for path, source in sources.items()}
    found = {
        path: _edits(root, {word: word for word in SOFT_KEYWORDS})
        for path, (root, wrong) in trees.items()
        if root is not None and not wrong
    }
    used = sorted({e.old for edits in found.values() for e in edits})
    held = _held(used, others)
    text = "\n".join(source.text for source in sources.values())
    new = {word: next(name for name in INSTEAD[word] if not re.search(rf"\b{name}\b", text)) for word in used}
    out = {}
    for path, source in sources.items():
        root, wrong = trees[path]
        written = root.get("croupier") if isinstance(root, YamlMapping) else None
        version = written if isinstance(written, YamlScalar) else None
        if isinstance(root, YamlSequence) and not wrong and not found[path]:
            out[path] = Upgraded(None, "has nothing to change")
        elif wrong or not (
            isinstance(root, YamlSequence) or (version is not None and is_known_version(version.text))
        ):
            out[path] = Upgraded(
                None, "left as it is: it cannot be read as a file of this language", tuple(wrong)
            )
        elif version is not None and version.text == NEWEST:
            out[path] = Upgraded(None, f"is written in version {NEWEST} already")
        elif held:
            out[path] = Upgraded(None, f"left as it is: {held}")
        else:
            edits = [NameEdit(e.start, e.end, e.old, new[e.old]) for e in found[path]]
            said = [
                f"`{old}` is `{new[old]}` now ({count}×)"
                for old, count in sorted(Counter(e.old for e in edits).items())
            ]
            if version is not None:
                edits.append(NameEdit(version.span.start, version.span.end, version.text, NEWEST))
                said.insert(0, f"version {NEWEST}")
            out[path] = Upgraded(_written(source.text, edits), ", ".join(said))
    return out


def _held(words: list[str], others: Iterable[Path]) -> str | None:
    """Return why names cannot be changed, which is that they stand in a table; `None` if they can."""
    for word in words:
        for path in others:
            if re.search(rf"\b{word}\b", path.read_text(encoding="utf-8", errors="replace")):
                return (
                    f"`{word}` is a word of version {NEWEST} and stands in {path.name}, which is not "
                    f"rewritten; rename it in all files first"
                )
    return None


def _written(text: str, edits: list[NameEdit]) -> str:
    for e in sorted(edits, key=lambda e: e.start, reverse=True):
        text = text[: e.start] + e.new + text[e.end :]
    return text


def _edits(root: YamlNode, words: Mapping[str, str]) -> list[NameEdit]:
    """Return the edits of a tree for words of the newest version that are names in it."""
    longer = {word: f"{word}_" for word in words}
    if is_scenarios(root):
        kinds = kinds_of(root)
        return [e for node in _texts(root) for e in _of_step(node, bool(kinds.starts(node)))]
    found = [e for s in _scalars(renamed(root, longer)) for e in _of_scalar(s, longer)]
    return [
        NameEdit(start, end, old, old) for start, end, old in sorted({(e.start, e.end, e.old) for e in found})
    ]


def _texts(node: YamlNode) -> Iterator[YamlScalar]:
    """The texts of a scenario file that may name something."""
    match node:
        case YamlMapping():
            for key, value in node.entries:
                yield key
                yield from () if key.text in PROSE else _texts(value)
        case YamlSequence():
            for item in node.items:
                yield from _texts(item)
        case YamlScalar():
            yield node


def _of_step(node: YamlScalar, is_rule_text: bool) -> Iterator[NameEdit]:
    """The names in a text of a scenario: in a fact those that are no words there, in the words of an option
    all.
    """
    text, start = node.span.text, node.span.start
    if is_rule_text and node.style in ("single", "double"):
        text, start = text[1:-1], start + 1
    places = names_not_keywords(mask(text)) if is_rule_text else [m.span() for m in _SOFT.finditer(text)]
    for first, last in places:
        yield NameEdit(start + first, start + last, text[first:last], "")


def _scalars(node: YamlNode) -> Iterator[RenamedScalar]:
    match node:
        case YamlMapping():
            for key, value in node.entries:
                yield from _scalars(key)
                yield from _scalars(value)
        case YamlSequence():
            for item in node.items:
                yield from _scalars(item)
        case RenamedScalar():
            yield node


def _of_scalar(node: RenamedScalar, longer: Mapping[str, str]) -> Iterator[NameEdit]:
    """The names in one scalar."""
    assert node.written is not None
    quoted = node.style in ("single", "double")
    text = node.template_text() if quoted else node.rule_text()
    if node.written.text in longer:
        at = node.span.start + quoted
        yield NameEdit(at, at + len(node.written.text), node.written.text, "")
    elif isinstance(text, RenamedText) and text.written is not None:
        whole = text.written.text
        spans = set() if quoted else set(names_not_keywords(mask(whole)))
        for inner in _BRACES.finditer(whole):
            spans |= {
                (inner.start(1) + first, inner.start(1) + last)
                for first, last in names_not_keywords(inner[1])
            }
        for part in text.parts:
            if (part.there, part.there + part.length) in spans:
                start = text.written.offset(part.there)
                yield NameEdit(start, start + part.length, whole[part.there : part.there + part.length], "")
