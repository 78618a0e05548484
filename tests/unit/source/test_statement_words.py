"""The rows of statements are those of the grammar, and tell rule text from YAML."""

from __future__ import annotations

import re

import pytest

from croupier.diagnostics import Source
from croupier.resources import grammar_file
from croupier.source.ruletext import whole
from croupier.source.statement_words import VERB_ROWS, WRITTEN, StatementWords
from croupier.syntax.lines import words_as_names
from croupier.syntax.parser import parse_block

GRAMMAR = grammar_file("rules.lark").read_text(encoding="utf-8")
FENCED = re.compile(r"^```(?:rules|yaml)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
SAME = {"let_supposed": "let", "return_supposed": "return_"}  # other forms of the same statement


def examples() -> set[str]:
    """The lines of rule text on the pages of the language, without comments and citations."""
    pages = grammar_file("reference").glob("*.md")
    blocks = [block for page in sorted(pages) for block in FENCED.findall(page.read_text(encoding="utf-8"))]
    return {re.sub(r"\s+[#@].*", "", line).strip() for block in blocks for line in block.splitlines()}


EXAMPLES = examples()


def alternatives(rule: str) -> set[str]:
    found = re.search(rf"^{rule}: ((?:.*)(?:\n +\|.*)*)", GRAMMAR, re.MULTILINE)
    assert found is not None
    return set(re.findall(r"\b[a-z]\w*", re.sub(r"_small|_NL", "", found[1])))


def test_rows_are_the_statements_of_the_grammar() -> None:
    rules = {SAME.get(rule, rule) for rule in alternatives("_small") | alternatives("_stmt")} - {"lost"}
    assert {row.rule for row in WRITTEN} == rules
    assert len(rules) == len(WRITTEN)


@pytest.mark.parametrize("row", [row for row in WRITTEN if row.words], ids=lambda row: row.rule)
def test_a_statement_begins_with_its_words(row: StatementWords) -> None:
    body = re.search(rf"^{row.rule}: (.*)", GRAMMAR, re.MULTILINE)
    assert body is not None
    first = set(re.findall(r'"(\w+)"|\b(?:LET|VAR)\b', body[1].split("[")[0].split(")")[0])[:1])
    is_named = {"let": "(LET | VAR)", "choose_line": "pick"}.get(row.rule)
    assert first & set(row.words) or (is_named is not None and body[1].startswith(is_named))


@pytest.mark.parametrize("row", [row for row in WRITTEN if row.line], ids=lambda row: row.rule)
def test_a_line_of_rule_text_is_told_from_yaml(row: StatementWords) -> None:
    assert row.line is not None
    ending = r":(?:\s.*)?\Z" if row.has_block else r"\Z"
    assert any(re.match(row.line + ending, line) for line in EXAMPLES), "no page has an example"
    assert not re.match(row.line + ending, "title: a game")


def test_joints_are_the_words_between_the_operands() -> None:
    for row in VERB_ROWS.values():
        body = re.search(rf"^{row.rule}: (.*)", GRAMMAR, re.MULTILINE)
        assert body is not None
        between = re.findall(r"\b[a-z_]+ (?:\[)?((?:\"\w+\" ?)+)", body[1])
        assert row.joints == tuple(" ".join(re.findall(r"\w+", words)) for words in between), row.rule


def test_a_young_word_stays_a_name() -> None:
    for row in (row for row in WRITTEN if row.is_young):
        word = row.words[0]
        assert row.line is not None
        line = next(line for line in sorted(EXAMPLES) if re.match(rf"{row.line}\Z", line))
        for name in (f"{word} = 3", f"{word}(p)", f"{word}[p] += 1", f"x = {word}", f"{word}.first!.n = 2"):
            both = f"{name}\n{line}"
            assert [both[a:b] for a, b in words_as_names(both)] == [word]
            assert parse_block(whole(Source("t", both)))[1] == []
