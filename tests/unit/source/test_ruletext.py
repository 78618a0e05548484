"""Offsets in rule text become places in the author's file."""

import pytest

from croupier.diagnostics import RulesetError, Source
from croupier.source import RuleText, YamlMapping, YamlScalar, read, whole


def scalar(text: str) -> YamlScalar:
    root, diagnostics = read(Source("f.yaml", text))
    assert diagnostics == [] and isinstance(root, YamlMapping)
    value = root.entries[0][1]
    while isinstance(value, YamlMapping):
        value = value.entries[0][1]
    assert isinstance(value, YamlScalar)
    return value


def rule(text: str) -> RuleText:
    return scalar(text).rule_text()


def check(text: RuleText) -> None:
    """Every character of the text stands in the file where the text says."""
    for at, sign in enumerate(text.text):
        shown = text.span(at, at + 1).text
        assert shown == sign or (sign == "\n" and shown in ("\r", "\n", ""))
        assert text.offset(at) == text.span(at, at).start


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "lines",
    [
        ["a: |", "  x = 1", "  if y:", "      z"],
        ["a: |", "  x", "", "    ", "  y"],
        ["a: |", "", "", "  x"],
        ["a: |", "  ", " ", "  x"],
        ["a: |2", "    x", "  y"],
        ["a: |4-", "      x", "    y", ""],
        ["a: |+", "  x", "", ""],
        ["a: |-", "  x", "", ""],
        ["a: |  # comment | x", "  x # not a comment"],
        ["a:", "    b: |1", "       x", "     y"],
        ["a:", "  b:", "    |", "    x"],
        ["a: |", "  x", "# comment", "c: 1"],
        ["a: |", "  字 = \t'é'", "  y"],
        ["a: |", "", "  "],
    ],
)
def test_literal_blocks(lines: list[str], end: str) -> None:
    check(rule(end.join([*lines, ""])))
    check(rule("\ufeff" + end.join(lines)))


def test_lines_and_columns() -> None:
    text = rule("a: |\r\n    x = 1\r\n\r\n      yy\r\n")
    assert text.text == "x = 1\n\n  yy\n"
    at = text.text.index("yy")
    span = text.span(at, at + 2)
    assert (span.line, span.column, span.text) == (4, 7, "yy")
    assert text.span(0, at + 2).text == "x = 1\r\n\r\n      yy"


def test_a_place_that_ends_with_a_line_does_not_reach_into_the_next() -> None:
    text = rule("a: |\n   x\n   y\n")
    assert text.span(0, 2).text == "x\n"
    assert text.span(1, 1).text == ""


def test_offsets_outside_move_to_the_ends() -> None:
    text = rule("a: |\n  xy\nb: 1\n")
    assert text.span(-3, 99).text == "xy\n"
    assert text.span(99, 99).column == 1 and text.span(99, 99).line == 3
    assert text.span(2, 1).text == ""


def test_plain_text() -> None:
    text = rule("a:   x + 1   # y\n")
    check(text)
    assert text.text == "x + 1" and text.span(4, 5).column == 10


def test_an_empty_text() -> None:
    check(rule("a:\n"))
    check(rule("a: |\n"))
    assert rule("a: |\n").span(0, 0).text == ""


def test_a_whole_source() -> None:
    check(whole(Source("typed", "x\n  y\n")))


@pytest.mark.parametrize(
    ("text", "code", "shown"),
    [
        ('a: "x"\n', "Y310", '"x"'),
        ("a: 'x'\n", "Y310", "'x'"),
        ("a: >\n  x\n", "Y311", ">"),
        ("a: x\n  y\n", "Y312", "x\n  y"),
        ("a: {b: f(x)}\n", "Y313", "("),
        ("a: {b: x == y}\n", "Y313", "="),
    ],
)
def test_what_cannot_be_rule_text(text: str, code: str, shown: str) -> None:
    problem = scalar(text).rule_problem()
    assert problem is not None and problem.span is not None
    assert (problem.code, problem.span.text) == (code, shown)
    with pytest.raises(RulesetError) as caught:
        scalar(text).rule_text()
    assert caught.value.diagnostics == (problem,)


@pytest.mark.parametrize(
    "text", ["Player?", "1..numbers", "hand_size - 1 + 2 * n", "players.size", "2", "Größe"]
)
def test_simple_rule_text_in_braces(text: str) -> None:
    check(rule(f"a: {{b: {text}}}\n"))


@pytest.mark.parametrize(
    ("text", "fixed"),
    [('a: "x + f(1)"\n', "x + f(1)"), ("a: 'x # y'\n", None), ('a: "1"\n', None), ("a: {b: 'f(1)'}\n", None)],
)
def test_quotes_are_removed_only_where_that_keeps_the_text(text: str, fixed: str | None) -> None:
    problem = scalar(text).rule_problem()
    assert problem is not None
    assert (problem.fix.replacement if problem.fix else None) == fixed
