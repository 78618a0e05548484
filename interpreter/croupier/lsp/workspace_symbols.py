"""Symbols of a workspace: the names that its files declare, read from the beginnings of their lines.

A workspace has hundreds of files, most of which nobody has open, and reading one as YAML costs fifty times as
much.  So only what lines do not tell, such as a section between braces, is read as YAML, and that section
alone.  The outline says the same of a file that can be read, and nothing of others; here the names of what is
broken are found, too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from croupier.diagnostics import Source, Span
from croupier.limits import MAX_YAML_DEPTH
from croupier.lsp.analysis import real_path
from croupier.lsp.outline import SECTIONS, OutlineItem, outline
from croupier.resources import MAIN_FILE, SUFFIXES, VARIANTS
from croupier.scenarios.files import FOLDER
from croupier.source import read_file

MAX_FILES = 500
MAX_SYMBOLS = 500
MAX_FOLDER_DEPTH = 4  # folders inside one another that are looked through
SKIPPED = ("section", "key", "title", "hook")
_SECTION = re.compile(r"^([A-Za-z_]\w*):(?=[ \t\r\n]|\Z)", re.MULTILINE | re.ASCII)
_KEY = re.compile(r"""(?P<key>"[^"\\]+"|'[^']+'|[^\s"'{}\[\],&*!|>%@`#?:-][^:#'"]*):(?=[ \t]|\Z)[ \t]*""")
_ID = re.compile(
    r"""id:[ \t]+(?P<key>"[^"\\]+"|'[^']+'|[^\s"'{}\[\],&*!|>%@`#][^\s,{}\[\]#'"]*)[ \t]*(?:#.*)?\Z"""
)
_DEFINITION = re.compile(r"(?:replace[ \t]+)?(?P<word>def|window)[ \t]+(?P<key>\w+)[ \t]*\(")
_NOTHING = re.compile(r"[ \t]*(?:#.*)?\Z")
_LITERAL = re.compile(r"\|[0-9+-]*[ \t]*(?:#.*)?\Z")
_KINDS = {"def": "definition", "window": "window"}


@dataclass(frozen=True)
class DeclaredName:
    """A name, its kind as in the outline, its place, and what it is declared in: a section, a title or a
    phase.
    """

    name: str
    kind: str
    span: Span
    container: str


def names_in(source: Source) -> list[DeclaredName]:
    """The names that a text declares."""
    heads = list(_SECTION.finditer(source.text))
    ends = [*(head.start() for head in heads), len(source.text)][1:]
    found: list[DeclaredName] = []
    for head, end in zip(heads, ends, strict=True):
        if head[1] in SECTIONS:
            try:
                found += list(_of_section(source, head, end))
            except _Unclear:
                found += _as_yaml(source, head.start(), end)
    return found


class _Unclear(Exception):
    """Lines do not tell what a section declares."""


# ---------------------------------------------------------------- lines
@dataclass(frozen=True)
class _Line:
    """A line that holds more than blanks: the offset of its first sign, and the text from there."""

    indent: int
    start: int
    text: str


def _lines(source: Source, start: int, end: int) -> list[_Line]:
    found = []
    for number in range(source.position(start)[0], source.position(end)[0] + 1):
        begin, text = source.line_start(number), source.line(number)
        bare = text.lstrip(" ")
        if bare and start <= begin < end:
            found.append(_Line(len(text) - len(bare), begin + len(text) - len(bare), bare))
    return found


def _of_section(source: Source, head: re.Match[str], end: int) -> Iterator[DeclaredName]:
    """The names of one section."""
    section, kind = head[1], SECTIONS[head[1]]
    line = source.position(head.end())[0]
    value = source.line(line)[len(head[0]) :].lstrip(" \t")
    below = _lines(source, head.end(), end)
    if section == "definitions" and _LITERAL.match(value):
        yield from _definitions(source, below, section)
    elif not _NOTHING.match(value):
        raise _Unclear
    elif section == "scenarios":
        yield from _scenarios(source, below, section)
    elif section == "phases":
        yield from _phases(source, below, section)
    else:
        for key, rest, inner in _entries(source, below):
            if kind == "title" and _LITERAL.match(rest):
                yield from _definitions(source, inner, key.text.strip("\"'"))
            elif kind == "title":
                raise _Unclear
            else:
                yield _named(key, kind, section)


def _entries(source: Source, lines: list[_Line]) -> Iterator[tuple[Span, str, list[_Line]]]:
    """The keys of a mapping, each with the rest of its line and the lines below it."""
    plain = [at for at, line in enumerate(lines) if not line.text.startswith("#")]
    if not plain:
        return
    indent = lines[plain[0]].indent
    starts = [at for at in plain if lines[at].indent <= indent]
    for at, after in zip(starts, [*starts[1:], len(lines)], strict=True):
        found = _KEY.match(lines[at].text)
        if found is None or lines[at].indent != indent:
            raise _Unclear
        begin = lines[at].start
        yield (
            source.span(begin, begin + len(found["key"].rstrip())),
            lines[at].text[found.end() :],
            lines[at + 1 : after],
        )


def _phases(source: Source, lines: list[_Line], container: str, depth: int = 0) -> Iterator[DeclaredName]:
    """Phases, and those inside them."""
    if depth > MAX_YAML_DEPTH:
        raise _Unclear
    for key, rest, below in _entries(source, lines):
        name = _named(key, "phase", container)
        yield name
        if _NOTHING.match(rest):
            for word, value, inner in _entries(source, below):
                if word.text == "phases" and not _NOTHING.match(value):
                    raise _Unclear
                if word.text == "phases":
                    yield from _phases(source, inner, name.name, depth + 1)
        elif rest.startswith("{"):
            raise _Unclear


def _scenarios(source: Source, lines: list[_Line], container: str) -> Iterator[DeclaredName]:
    """The scenarios of a list, by their ids."""
    lines = [line for line in lines if not line.text.startswith("#")]
    inside = 0
    for line in lines:
        text, start, indent = line.text, line.start, line.indent
        if indent == lines[0].indent:
            if not text.startswith("- "):
                raise _Unclear
            text = text[2:].lstrip(" ")
            start += len(line.text) - len(text)
            inside = indent + len(line.text) - len(text)
            indent = inside
        if indent == inside and text.startswith(("id:", "{", '"id"', "'id'")):
            found = _ID.match(text)
            if found is None:
                raise _Unclear
            yield _named(
                source.span(start + found.start("key"), start + found.end("key")), "scenario", container
            )


def _definitions(source: Source, lines: list[_Line], container: str) -> Iterator[DeclaredName]:
    """The definitions and windows of rule text."""
    for line in lines:
        found = _DEFINITION.match(line.text) if line.indent == lines[0].indent else None
        if found is not None:
            span = source.span(line.start + found.start("key"), line.start + found.end("key"))
            yield DeclaredName(found["key"], _KINDS[found["word"]], span, container)


def _named(key: Span, kind: str, container: str) -> DeclaredName:
    return DeclaredName(key.text.strip("\"'"), kind, key, container)


# ---------------------------------------------------------------- YAML
def _as_yaml(source: Source, start: int, end: int) -> Iterator[DeclaredName]:
    """The names of a section that is read as YAML."""

    def declared(items: Iterable[OutlineItem], container: str) -> Iterator[DeclaredName]:
        for item in items:
            if item.kind not in SKIPPED:
                yield DeclaredName(
                    item.name,
                    item.kind,
                    source.span(start + item.name_span.start, start + item.name_span.end),
                    container,
                )
            yield from declared(item.children, item.name)

    yield from declared(outline(Source(source.name, source.text[start:end])), "")


# ---------------------------------------------------------------- of many files
@dataclass
class WorkspaceSymbols:
    """The names by path, as long as a file has the same size and time of change, or an open document the same
    text.
    """

    known: dict[str, tuple[object, list[DeclaredName]]] = field(default_factory=dict)
    count: int = 0  # of the texts that were read

    def search(
        self, texts: Mapping[str, str], folders: Iterable[str], query: str
    ) -> Iterator[list[DeclaredName]]:
        """The names that hold the letters of the query in their order, file by file, so that whoever asks can
        stop in between.

        `texts` are the open documents by path; in `folders`, rulesets, variants and scenarios are looked
        through.
        """
        left = MAX_SYMBOLS
        for path in dict.fromkeys(chain(texts, *map(_files, folders))):
            if path.endswith(SUFFIXES) and left > 0:
                found = [name for name in self.of(path, texts.get(path)) if _matches(query, name.name)][:left]
                left -= len(found)
                yield found

    def of(self, path: str, text: str | None) -> list[DeclaredName]:
        """Return the names of a file, or of the `text` of an open document; empty if it cannot be read."""
        stamp = _stamp(path) if text is None else text
        known = self.known.get(path)
        if known is None or known[0] != stamp:
            source = Source(path, text) if text is not None else read_file(Path(path))[0]
            known = self.known[path] = (stamp, names_in(source) if source is not None else [])
            self.count += 1
        return known[1]


def _stamp(path: str) -> object:
    """Return a stamp that changes when a file does."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


def _matches(query: str, name: str) -> bool:
    letters = iter(name.casefold())
    return all(letter in letters for letter in query.casefold() if not letter.isspace())


def _files(folder: str) -> Iterator[str]:
    """The rulesets, variants and scenario files in a folder and those inside it, hidden ones left out."""
    count = 0
    top = len(Path(folder).parts)
    for here, inner, names in os.walk(folder):
        inner[:] = (
            sorted(name for name in inner if not name.startswith("."))
            if len(Path(here).parts) - top < MAX_FOLDER_DEPTH
            else []
        )
        wanted = (
            names
            if os.path.basename(here) in (VARIANTS, FOLDER)
            else [name for name in names if name == MAIN_FILE]
        )
        for name in sorted(wanted):
            if name.endswith(SUFFIXES):
                yield real_path(os.path.join(here, name))
                count += 1
                if count == MAX_FILES:
                    return
