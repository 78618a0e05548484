"""The stored parse tables belong to the grammar, and parse like freshly built ones."""

from croupier.resources import grammar_file
from croupier.syntax import parser
from croupier.syntax.parser import STARTS, IndentationTokens

GRAMMAR = grammar_file("rules.lark").read_text(encoding="utf-8")
TEXT = (
    'for p in turns():\n    choose c from grid by p\n        only if "free": mark[c] is none\n    '
    "mark[c] = p\n"
)


def test_fresh() -> None:
    assert parser.is_fresh(GRAMMAR), "grammar/rules.tables.json is stale: run tools/tables"


def test_same_trees() -> None:
    stored, built = (
        parser.load_parser(GRAMMAR, IndentationTokens(), STARTS),
        parser.build_parser(GRAMMAR, IndentationTokens(), STARTS),
    )
    assert stored.parse(TEXT, start="block") == built.parse(TEXT, start="block")
