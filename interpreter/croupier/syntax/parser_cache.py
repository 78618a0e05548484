"""Lark's parse tables as data: built once by `tools/tables`, read at start-up, a fifth of the time that building them takes.

The file is JSON and says which grammar and which Lark it was made for; where either differs, the tables are built anew in memory.
"""

from __future__ import annotations

import hashlib
import json
from operator import itemgetter
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from croupier.resources import grammar_file

CACHE_FILE = "rules.tables.json"


def build_parser(grammar: str, layout: object, starts: tuple[str, ...]) -> Lark:
    """The parser, from the grammar."""
    return Lark(grammar, parser="lalr", lexer="contextual", postlex=layout, start=list(starts), propagate_positions=True, maybe_placeholders=True)


def cache_key(grammar: str) -> str:
    """What the tables depend on."""
    return hashlib.sha256(f"{lark.__version__}\n{grammar}".encode()).hexdigest()


def serialise_parser(parser: Lark, grammar: str) -> str:
    """The tables as the text of a file: what Lark gives, without what can be had from the rest, since reading takes time at every start.

    A row of `rows` is a state: numbers of tokens, each followed by what it leads to, twice the next state, or twice a rule's number and one more.
    """
    parser.options.options["postlex"] = None
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    table = data["parser"]["parser"]
    rows = [_row(table["states"][state]) for state in range(len(table["states"]))]
    tokens = [table["tokens"][number] for number in range(len(table["tokens"]))]
    del table["states"], table["tokens"]
    stored = {"key": cache_key(grammar), "data": data, "memo": [memo[number] for number in range(len(memo))], "rows": rows, "tokens": tokens}
    return json.dumps(stored, separators=(",", ":"), sort_keys=True) + "\n"


def _row(actions: dict[int, tuple[int, Any]]) -> list[int]:
    return [number for token, (reduces, to) in actions.items() for number in (token, 2 * to["@"] + 1 if reduces else 2 * to)]


def is_fresh(grammar: str) -> bool:
    """Does the file of tables belong to this grammar and this Lark? (The numbers of the states differ from run to run.)"""
    path = grammar_file(CACHE_FILE)
    return path.is_file() and json.loads(path.read_text(encoding="utf-8")).get("key") == cache_key(grammar)


def load_parser(grammar: str, layout: object, starts: tuple[str, ...]) -> Lark:
    """The parser, from the file of tables if that belongs to this grammar, else built."""
    path = grammar_file(CACHE_FILE)
    if path.is_file():
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored.get("key") == cache_key(grammar):
            memo, table = dict(enumerate(stored["memo"])), stored["data"]["parser"]["parser"]
            steps = _Steps()
            table["tokens"] = dict(enumerate(stored["tokens"]))
            rows = ({token: steps[to] for token, to in zip(row[::2], row[1::2], strict=True)} for row in stored["rows"])
            table["states"] = dict(enumerate(rows))
            parser: Lark = Lark._load_from_dict(stored["data"], memo, postlex=layout)  # type: ignore[no-untyped-call]
            return parser
    return build_parser(grammar, layout, starts)


class _Steps(dict[int, tuple[int, Any]]):
    """What a number in a row says, in Lark's own form."""

    def __missing__(self, to: int) -> tuple[int, object]:
        self[to] = made = (1, {"@": to >> 1}) if to & 1 else (0, to >> 1)
        return made


def skip_single_parts(parser: Lark) -> Lark:
    """The same parser, quicker: a rule that is nothing but its one part hands that on, without a look at positions that it has anyway.

    Most steps of parsing an expression are of this kind, one for each level of precedence.
    """
    for rule in parser._callbacks:
        if rule.options.expand1 and len(rule.expansion) == 1 and rule.alias is None:
            parser._callbacks[rule] = itemgetter(0)
    return parser
