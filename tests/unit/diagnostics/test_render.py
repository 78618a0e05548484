import json
import re
import time

from croupier.diagnostics import Diagnostic, Fix, Label, Source, Span, diagnose
from croupier.diagnostics.render import render_github, render_human, render_json, render_sarif

GAME = Source("games/my game.yaml", "players: 2\ntitle: Chess\nplayers: 3\n")
TWICE = diagnose(
    "Y301",
    GAME.span(24, 31),
    name="players",
    labels=[Label(GAME.span(0, 7), "first given here")],
    notes=["50% of it, a: b"],
)


def at(source: Source, start: int, end: int, *labels: Label) -> Diagnostic:
    return diagnose("Y301", source.span(start, end), name="x", labels=labels)


def lines(diagnostic: Diagnostic) -> list[str]:
    return render_human([diagnostic]).splitlines()


def test_human() -> None:
    assert render_human([TWICE]) == (
        "error[Y301 duplicate-key]: the key `players` is given twice\n"
        "  --> games/my game.yaml:3:1\n"
        "   |\n"
        " 1 | players: 2\n"
        "   | ------- first given here\n"
        "...\n"
        " 3 | players: 3\n"
        "   | ^^^^^^^\n"
        "   = note: 50% of it, a: b\n"
        "   = help: remove one of them, or rename it\n"
    )


def test_human_in_colour_differs_only_in_colour() -> None:
    coloured = render_human([TWICE], colour=True)
    assert "\x1b[1;31m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render_human([TWICE])


def test_human_without_a_place() -> None:
    assert (
        render_human([diagnose("X001", None, name="a\nb")])
        == "error[X001 file-not-found]: there is no file `a\\nb`\n"
    )


def test_human_separates_diagnostics_by_a_blank_line() -> None:
    assert render_human([TWICE, TWICE]) == f"{render_human([TWICE])}\n{render_human([TWICE])}"
    assert render_human([]) == ""


def test_human_places_in_another_file() -> None:
    other = Source("base.yaml", "a: 1\n")
    shown = lines(at(GAME, 0, 7, Label(other.span(0, 1), "promised here")))
    assert shown[5:] == [
        "  ::: base.yaml:1:1",
        "   |",
        " 1 | a: 1",
        "   | - promised here",
        "   = help: remove one of them, or rename it",
    ]


def test_human_carets_count_terminal_cells() -> None:
    assert lines(at(Source("f", "字字: é\n"), 1, 2))[3:5] == [" 1 | 字字: é", "   |   ^^"]
    assert lines(at(Source("f", "e\u0301x"), 2, 3))[4] == "   |  ^"
    assert lines(at(Source("f", "\ta"), 1, 2))[3:5] == [" 1 |     a", "   |     ^"]
    assert lines(at(Source("f", "\x1b[2Ja"), 4, 5))[3:5] == [" 1 | \\x1b[2Ja", "   |        ^"]


def test_human_places_of_no_width_and_of_several_lines() -> None:
    source = Source("f", "ab\ncd\n")
    assert lines(at(source, 1, 1))[4] == "   |  ^"
    assert lines(at(source, 1, 5))[3:5] == [" 1 | ab", "   |  ^"]
    assert lines(at(source, 6, 6))[3:5] == [" 3 |", "   | ^"]


def test_human_shows_a_part_of_a_long_line() -> None:
    source = Source("f", "x" * 5000 + "!" + "y" * 5000)
    line, carets = lines(at(source, 5000, 5001))[3:5]
    assert len(line) < 130 and line[5] == "…" and line[-1] == "…"
    assert line[carets.index("^")] == "!"


def test_human_shows_a_fix() -> None:
    span = GAME.span(0, 7)
    assert (
        lines(diagnose("Y301", span, name="a", fix=Fix(span, "x\n", "rename it")))[-1]
        == "   = fix: rename it: `x\\n`"
    )
    assert (
        lines(diagnose("Y301", span, name="a", fix=Fix(span, "b", "write `b`", safe=False)))[-1]
        == "   = possible fix: write `b`"
    )


def test_human_on_many_diagnostics_is_linear() -> None:
    source = Source("f", "a: 1\n" * 5000)
    many = [
        at(source, number * 5, number * 5 + 1, Label(source.span(0, 1), "first")) for number in range(5000)
    ]
    started = time.process_time()
    render_human(many)
    assert time.process_time() - started < 2


def test_json() -> None:
    [found] = json.loads(render_json([TWICE]))
    assert found["code"] == "Y301" and found["severity"] == "error"
    assert found["place"] == {
        "file": "games/my game.yaml",
        "line": 3,
        "column": 1,
        "end_line": 3,
        "end_column": 8,
    }
    assert found["labels"][0]["text"] == "first given here"
    assert found["fix"] is None
    assert json.loads(render_json([diagnose("X001", None, name="\u202e")]))[0]["place"] is None
    assert render_json([diagnose("X001", None, name="字")]).isascii()


def test_github() -> None:
    assert render_github([TWICE]) == (
        "::error file=games/my game.yaml,line=3,endLine=3,col=1,endColumn=7,title=Y301 duplicate-key"
        "::the key `players` is given twice%0Agames/my game.yaml:1:1: first given here"
        "%0Anote: 50%25 of it, a: b%0Ahelp: remove one of them, or rename it\n"
    )
    odd = Source("a,b:c%\n.yaml", "x\ny")
    assert render_github([Diagnostic("Y301", "warning", "m\n::error::x", Span(odd, 0, 3))]) == (
        "::warning file=a%2Cb%3Ac%25\\n.yaml,line=1,endLine=2,title=Y301 duplicate-key::m\\n::error::x\n"
    )
    assert render_github([Diagnostic("X001", "error", "m", None)]) == "::error title=X001 file-not-found::m\n"


def test_sarif() -> None:
    fixed = diagnose("Y304", GAME.span(9, 10), text="2", fix=Fix(GAME.span(9, 10), '"2"', "quote it"))
    log = json.loads(render_sarif([TWICE, fixed, diagnose("X001", None, name="f")], "1.2.3"))
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    assert run["tool"]["driver"]["version"] == "1.2.3"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["X001", "Y301", "Y304"]
    twice, fix, missing = run["results"]
    assert run["tool"]["driver"]["rules"][twice["ruleIndex"]]["id"] == twice["ruleId"] == "Y301"
    place = twice["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "games/my%20game.yaml"
    assert place["region"] == {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 8}
    assert twice["relatedLocations"][0]["message"]["text"] == "first given here"
    assert fix["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"] == '"2"'
    assert missing["locations"] == []
