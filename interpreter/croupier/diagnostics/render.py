"""Showing diagnostics: to people, as JSON, as annotations of a GitHub run and as a SARIF log.

Renderers are functions from diagnostics to text; they print nothing.  Everything an author wrote goes through
`sanitise`.

All formats say the same of a diagnostic: its message, its places with their labels, notes, help and fix.
Where a format has no place for one of them, it is a line of the text.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import groupby
from urllib.parse import quote

from croupier.diagnostics.catalogue import CODES
from croupier.diagnostics.diagnostic import Diagnostic, Fix
from croupier.diagnostics.source import Source, Span, sanitise, visible


def lines_below(diagnostic: Diagnostic) -> list[str]:
    """The notes, the help and the fix of a diagnostic, a line each, as they stand below its place."""
    lines = [f"note: {note}" for note in diagnostic.notes]
    fix = diagnostic.fix
    if diagnostic.help is not None and (fix is None or diagnostic.help != fix.title):
        lines.append(f"help: {diagnostic.help}")
    if fix is not None:
        written = fix.replacement.strip()
        shown = "" if written in fix.title or "\n" in written else f": `{sanitise(fix.replacement)}`"
        lines.append(f"{'fix' if fix.safe else 'possible fix'}: {sanitise(fix.title)}{shown}")
    return [sanitise(line) for line in lines]


# ---------------------------------------------------------------- human
# Diagnostics for people: the message, the place, the line with carets under the place, and what helps.
#
#     error[Y301 duplicate-key]: the key `players` is given twice
#       --> my_game.yaml:4:1
#        |
#      2 | players: 2
#        | ------- first given here
#      4 | players: 3
#        | ^^^^^^^
#        = help: remove one of them, or rename it
#
# Columns are counted in terminal cells here (wide signs take two, combining ones none); the numbers after the
# file's name count code points.  A long line is shown around the place.
WIDEST = 110  # code points of a line that are shown
TAB = "    "

_RED, _YELLOW, _BLUE, _BOLD, _OFF = "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1m", "\x1b[0m"


def render_human(diagnostics: Iterable[Diagnostic], *, colour: bool = False) -> str:
    """The diagnostics, a blank line between two of them.

    `colour` adds ANSI colours around words of our own and authored ones.
    """
    return "\n".join(_Page(colour).one(diagnostic) for diagnostic in diagnostics)


class _Page:
    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def one(self, diagnostic: Diagnostic) -> str:
        strong = _RED if diagnostic.is_error else _YELLOW
        head = self._paint(f"{diagnostic.severity}[{diagnostic.code} {diagnostic.name}]", strong)
        lines = [f"{head}: {self._paint(sanitise(diagnostic.message), _BOLD)}"]
        places = self._places(diagnostic)
        numbers = [span.line for _, span, _, _ in places]
        margin = len(str(max(numbers, default=0))) + 1
        lines += self._excerpts(places, margin, strong)
        bar = " " * margin + self._paint(" =", _BLUE)
        lines += [f"{bar} {line}" for line in lines_below(diagnostic)]
        return "\n".join(lines) + "\n"

    def _places(self, diagnostic: Diagnostic) -> list[tuple[bool, Span, str, str]]:
        """Main place first: whether it is the main one, where, its underline, its words."""
        places = [(True, diagnostic.span, "^", "")] if diagnostic.span is not None else []
        return places + [(False, label.span, "-", label.text) for label in diagnostic.labels]

    def _excerpts(self, places: list[tuple[bool, Span, str, str]], margin: int, strong: str) -> Iterator[str]:
        """The places grouped by file, that of the main place first, each file's lines in order."""
        files: list[Source] = []
        for _, span, _, _ in places:
            if span.source not in files:
                files.append(span.source)
        for source in files:
            here = sorted(
                (place for place in places if place[1].source == source),
                key=lambda place: (place[1].line, not place[0], place[1].start),
            )
            first = next((place[1] for place in here if place[0]), here[0][1])
            arrow = "-->" if source is files[0] else ":::"
            yield (
                f"{' ' * margin}{self._paint(arrow, _BLUE)} "
                f"{sanitise(source.name)}:{first.line}:{first.column}"
            )
            yield self._bar(margin)
            before = 0
            for number, group in groupby(here, key=lambda place: place[1].line):
                if before and number > before + 1:
                    yield self._paint(f"{'...':>{margin + 1}}", _BLUE)
                before = number
                yield from self._line(source, number, list(group), margin, strong)

    def _line(
        self, source: Source, number: int, places: list[tuple[bool, Span, str, str]], margin: int, strong: str
    ) -> Iterator[str]:
        line = source.line(number)
        focus = places[0][1].column - 1
        low = 0 if len(line) <= WIDEST else max(0, min(focus - WIDEST // 3, len(line) - WIDEST))
        shown = line[low : low + WIDEST]
        left = "…" if low else ""
        right = "…" if low + WIDEST < len(line) else ""
        text = "".join(map(_show, shown))
        yield f"{self._paint(f'{number:>{margin}} |', _BLUE)} {left}{text}{right}".rstrip()
        for main, span, mark, words in places:
            start = span.column - 1
            end_line, end_column = span.end_position
            end = end_column - 1 if end_line == number else len(line)
            start, end = (max(0, min(at - low, len(shown))) for at in (start, end))
            space = " " * (len(left) + sum(_width(sign) for sign in shown[:start]))
            under = mark * max(1, sum(_width(sign) for sign in shown[start:end]))
            label = f" {sanitise(words)}" if words else ""
            yield f"{self._bar(margin)} {space}{self._paint(under + label, strong if main else _BLUE)}"

    def _bar(self, margin: int) -> str:
        return self._paint(f"{'':>{margin}} |", _BLUE)

    def _paint(self, text: str, colour: str) -> str:
        return f"{colour}{text}{_OFF}" if self.colour else text


def _show(sign: str) -> str:
    return TAB if sign == "\t" else visible(sign)


def _width(sign: str) -> int:
    """The terminal cells that a sign of a line takes as it is shown."""
    shown = _show(sign)
    if len(shown) > 1:
        return len(shown)
    if unicodedata.combining(shown) or unicodedata.category(shown) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(shown) in ("W", "F") else 1


# ---------------------------------------------------------------- json
# Diagnostics for programs: a JSON array, one object a diagnostic.
#
# Prose (messages, notes, helps, titles) is sanitised; file names and replacements are exact, because programs
# use them, and the output is ASCII, so that they cannot reach a terminal as anything but escapes.
Json = None | bool | int | str | list["Json"] | dict[str, "Json"]


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """A JSON array of the diagnostics, indented, with a line feed at its end."""
    return json.dumps([as_json(diagnostic) for diagnostic in diagnostics], indent=2, ensure_ascii=True) + "\n"


def as_json(diagnostic: Diagnostic) -> dict[str, Json]:
    """One diagnostic as a JSON object.

    Lines and columns count from 1 in code points; `place` and `fix` may be null.
    """
    return {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "severity": diagnostic.severity,
        "message": sanitise(diagnostic.message),
        "place": _place(diagnostic.span),
        "labels": [
            {"place": _place(label.span), "text": sanitise(label.text)} for label in diagnostic.labels
        ],
        "notes": [sanitise(note) for note in diagnostic.notes],
        "help": sanitise(diagnostic.help) if diagnostic.help is not None else None,
        "fix": None if diagnostic.fix is None else _replacement(diagnostic.fix),
    }


def _replacement(fix: Fix) -> dict[str, Json]:
    """A proposed replacement as a JSON object."""
    return {
        "title": sanitise(fix.title),
        "safe": fix.safe,
        "place": _place(fix.span),
        "replacement": fix.replacement,
    }


def short_place(span: Span | None) -> dict[str, Json] | None:
    """Return where something begins, as a JSON value; lines and columns count from 1, columns in code
    points.
    """
    return None if span is None else {"file": span.source.name, "line": span.line, "column": span.column}


def _place(span: Span | None) -> Json:
    if span is None:
        return None
    end_line, end_column = span.end_position
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": end_line,
        "end_column": end_column,
    }


# ---------------------------------------------------------------- github
# Diagnostics as annotations of a GitHub Actions run, one line each.  An annotation has one place: labels are
# lines of its text, with their places.
def render_github(diagnostics: Iterable[Diagnostic]) -> str:
    """One workflow command a diagnostic.

    Columns are given only for places within one line, as GitHub wants it.
    """
    return "".join(f"{_command(diagnostic)}\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    properties: dict[str, str] = {}
    span = diagnostic.span
    if span is not None:
        end_line, end_column = span.end_position
        properties |= {"file": sanitise(span.source.name), "line": str(span.line), "endLine": str(end_line)}
        if end_line == span.line:
            properties |= {"col": str(span.column), "endColumn": str(max(span.column, end_column - 1))}
    properties["title"] = f"{diagnostic.code} {diagnostic.name}"
    told = ",".join(f"{name}={_escape_property(value)}" for name, value in properties.items())
    labels = [sanitise(f"{label.span}: {label.text}") for label in diagnostic.labels]
    lines = [sanitise(diagnostic.message), *labels, *lines_below(diagnostic)]
    return f"::{diagnostic.severity} {told}::{'%0A'.join(map(_escape, lines))}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")


# ---------------------------------------------------------------- sarif
# Diagnostics as a SARIF 2.1.0 log, the format that code hosts and editors read.  A fix stands in the text,
# too, because not every host shows `fixes`.
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render_sarif(diagnostics: Iterable[Diagnostic], version: str = "") -> str:
    """A SARIF log with one run, indented, with a line feed at its end.

    `version`: of the tool that made the diagnostics.
    """
    found = list(diagnostics)
    codes = sorted({diagnostic.code for diagnostic in found})
    rules: list[Json] = [_rule(code) for code in codes]
    driver: dict[str, Json] = {"name": "croupier", "rules": rules}
    if version:
        driver["version"] = version
    results: list[Json] = [_result(diagnostic, codes.index(diagnostic.code)) for diagnostic in found]
    run: Json = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    log: Json = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=True) + "\n"


def _rule(code: str) -> Json:
    entry = CODES[code]
    return {
        "id": code,
        "name": entry.name,
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": entry.explanation},
        "defaultConfiguration": {"level": entry.severity},
    }


def _result(diagnostic: Diagnostic, rule: int) -> Json:
    lines = [sanitise(diagnostic.message), *lines_below(diagnostic)]
    result: dict[str, Json] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": diagnostic.severity,
        "message": {"text": "\n".join(lines)},
        "locations": [{"physicalLocation": _location(diagnostic.span)}]
        if diagnostic.span is not None
        else [],
    }
    if diagnostic.labels:
        result["relatedLocations"] = [
            {
                "id": number,
                "physicalLocation": _location(label.span),
                "message": {"text": sanitise(label.text)},
            }
            for number, label in enumerate(diagnostic.labels, 1)
        ]
    if diagnostic.fix is not None:
        result["fixes"] = [_fix(diagnostic.fix)]
    return result


def _fix(fix: Fix) -> Json:
    replacement: Json = {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.replacement}}
    change: Json = {"artifactLocation": _artifact(fix.span), "replacements": [replacement]}
    return {
        "description": {"text": sanitise(fix.title)},
        "artifactChanges": [change],
        "properties": {"safe": fix.safe},
    }


def _location(span: Span) -> Json:
    return {"artifactLocation": _artifact(span), "region": _region(span)}


def _artifact(span: Span) -> Json:
    return {"uri": quote(span.source.name.encode("utf-8", "surrogatepass"), safe="/")}


def _region(span: Span) -> Json:
    end_line, end_column = span.end_position
    return {"startLine": span.line, "startColumn": span.column, "endLine": end_line, "endColumn": end_column}
