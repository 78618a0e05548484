"""The rows of statements are those of the grammar, and tell rule text from YAML."""

from __future__ import annotations

import re

import pytest

from croupier.resources import grammar_file
from croupier.source.statement_words import WRITTEN, StatementWords

GRAMMAR = grammar_file("rules.lark").read_text(encoding="utf-8")
SAME = {"let_supposed": "let", "return_supposed": "return_"}  # other forms of the same statement
EXAMPLES = {
    "let": "let x: int = 3", "assign": "score[p] += 2", "return_": "return 3", "if_": "if a == b:",
    "for_": "for p in players: pass", "for_seconds": "for 10 seconds otherwise first:",
    "repeat": "repeat until done:", "match_": "match c.suit:",
    "move": "move c to discard", "draw": "draw 3 from deck to hand[p]", "shuffle": "shuffle deck",
    "roll": "roll dice", "swap": "swap a with b", "show": "show hand[p] to q", "reveal": "reveal c",
    "tell": 'tell p that "it is {x}"', "announce": 'announce "done"',
    "open_": "open after_play(c) to others(p)",
    "finish": "finish win p", "choose_line": "choose c from hand[p] by p", "menu": "choose by p:",
    "maychoose": "may choose c from hand[p] by p:", "sothat": "so that not check(p):",
    "secretly": "secretly p:",
}  # fmt: skip


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
    assert re.match(row.line + ending, EXAMPLES[row.rule])
    assert not re.match(row.line + ending, "title: a game")
