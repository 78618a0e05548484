"""Whatever a person is shown of a diagnostic, programs and build servers get in every format: its labels,
notes, help and fix.

Over all fixtures: what stands below the place in the recorded text (`= note`, `= help`, `= fix`), and what is
written beside a second place.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest

from croupier.diagnostics import Diagnostic, Span, sanitise
from croupier.diagnostics.render import lines_below, render_github, render_human, render_json, render_sarif
from findings import FIXTURES, ROOT, findings

SHOWN_BELOW = "= "


@pytest.fixture(scope="module")
def found() -> list[Diagnostic]:
    """What is found in all fixtures, with names as seen from the root of the repository."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        paths = sorted(FIXTURES.glob("[A-Z][0-9][0-9][0-9]*.yaml"))
        return [d for path in paths for d in findings(path.relative_to(ROOT))]


def place(span: Span) -> tuple[str, int, int, int, int]:
    """The file, and where the place begins and ends."""
    return (span.source.name, span.line, span.column, *span.end_position)


def below(diagnostic: Diagnostic) -> list[str]:
    """The notes, the help and the fix as a person is shown them."""
    lines = (line.lstrip() for line in render_human([diagnostic]).splitlines())
    return [line.removeprefix(SHOWN_BELOW) for line in lines if line.startswith(SHOWN_BELOW)]


# ------------------------------------------------------------ what each format says of one diagnostic, in one
# form
Told = dict[str, object]


def expected(diagnostic: Diagnostic) -> Told:
    """The message, the labels with their places, the lines below, and what the fix replaces by what."""
    fix = diagnostic.fix
    return {
        "message": sanitise(diagnostic.message),
        "labels": [(*place(label.span), sanitise(label.text)) for label in diagnostic.labels],
        "below": below(diagnostic),
        "fix": None if fix is None else (*place(fix.span), fix.replacement, sanitise(fix.title), fix.safe),
    }


def in_json(diagnostic: Diagnostic) -> Told:
    [row] = json.loads(render_json([diagnostic]))

    def at(found: dict[str, Any]) -> tuple[object, ...]:
        return tuple(found[key] for key in ("file", "line", "column", "end_line", "end_column"))

    fix = row["fix"]
    help = (
        []
        if row["help"] is None or fix is not None and row["help"] == fix["title"]
        else [f"help: {row['help']}"]
    )
    return {
        "message": row["message"],
        "labels": [(*at(label["place"]), label["text"]) for label in row["labels"]],
        "below": [
            *(f"note: {note}" for note in row["notes"]),
            *help,
            *below(diagnostic)[len(row["notes"]) + len(help) :],
        ],
        "fix": None if fix is None else (*at(fix["place"]), fix["replacement"], fix["title"], fix["safe"]),
    }


def in_sarif(diagnostic: Diagnostic) -> Told:
    [row] = json.loads(render_sarif([diagnostic]))["runs"][0]["results"]

    def at(artifact: dict[str, Any], region: dict[str, Any]) -> tuple[object, ...]:
        return (
            unquote(artifact["uri"]),
            *(region[key] for key in ("startLine", "startColumn", "endLine", "endColumn")),
        )

    def label(found: dict[str, Any]) -> tuple[object, ...]:
        physical = found["physicalLocation"]
        return (*at(physical["artifactLocation"], physical["region"]), found["message"]["text"])

    fix: tuple[object, ...] | None = None
    for proposed in row.get("fixes", ()):
        [change] = proposed["artifactChanges"]
        [edit] = change["replacements"]
        where = at(change["artifactLocation"], edit["deletedRegion"])
        fix = (
            *where,
            edit["insertedContent"]["text"],
            proposed["description"]["text"],
            proposed["properties"]["safe"],
        )
    message, *lines = row["message"]["text"].split("\n")
    return {
        "message": message,
        "labels": [label(at) for at in row.get("relatedLocations", ())],
        "below": lines,
        "fix": fix,
    }


def in_github(diagnostic: Diagnostic) -> Told:
    """An annotation is one text: its first line is the message, then come the labels, each with its place."""
    [line] = render_github([diagnostic]).splitlines()
    text = (
        line.removeprefix("::")
        .partition("::")[2]
        .replace("%0A", "\n")
        .replace("%0D", "\r")
        .replace("%25", "%")
    )
    message, *lines = text.split("\n")
    labels = lines[: len(diagnostic.labels)]
    assert labels == [sanitise(f"{label.span}: {label.text}") for label in diagnostic.labels]
    whole = expected(diagnostic)
    return {"message": message, "labels": whole["labels"], "below": lines[len(labels) :], "fix": whole["fix"]}


@pytest.mark.parametrize("read", [in_json, in_sarif, in_github])
def test_every_format_says_what_a_person_is_shown(
    read: Callable[[Diagnostic], Told], found: list[Diagnostic]
) -> None:
    assert [read(d) for d in found] == [expected(d) for d in found]


def test_there_is_something_of_each_kind(found: list[Diagnostic]) -> None:
    """Otherwise the test above would prove little."""
    parts = {"labels": 0, "notes": 0, "help": 0, "fix": 0}
    for d in found:
        for name in parts:
            parts[name] += bool(getattr(d, name))
    assert min(parts.values()) > 15, parts
    assert [below(d) for d in found] == [lines_below(d) for d in found]


def test_a_log_has_the_shape_that_sarif_asks_for(found: list[Diagnostic]) -> None:
    """Of the SARIF schema, version 2.1.0: ids of related places are whole numbers, places begin at 1 and do
    not end before they begin.
    """
    for row in json.loads(render_sarif(found))["runs"][0]["results"]:
        related = row.get("relatedLocations", [])
        assert [at["id"] for at in related] == list(range(1, len(related) + 1))
        regions = [at["physicalLocation"]["region"] for at in (*row["locations"], *related)]
        regions += [
            edit["deletedRegion"]
            for fix in row.get("fixes", ())
            for change in fix["artifactChanges"]
            for edit in change["replacements"]
        ]
        for region in regions:
            start = (region["startLine"], region["startColumn"])
            end = (region["endLine"], region["endColumn"])
            assert min(*start, *end) >= 1 and start <= end
