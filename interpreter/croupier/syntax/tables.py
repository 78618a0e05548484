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

TABLES = "rules.tables.json"


def build(grammar: str, layout: Any, starts: tuple[str, ...]) -> Lark:
    """The parser, from the grammar."""
    return Lark(grammar, parser="lalr", lexer="contextual", postlex=layout, start=list(starts), propagate_positions=True, maybe_placeholders=True)


def key(grammar: str) -> str:
    """What the tables depend on."""
    return hashlib.sha256(f"{lark.__version__}\n{grammar}".encode()).hexdigest()


def write(parser: Lark, grammar: str) -> str:
    """The tables as the text of a file."""
    parser.options.options["postlex"] = None
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    return json.dumps({"key": key(grammar), "data": _plain(data), "memo": _plain(memo)}, separators=(",", ":"), sort_keys=True) + "\n"


def is_fresh(grammar: str) -> bool:
    """Does the file of tables belong to this grammar and this Lark? (The numbers of the states differ from run to run.)"""
    path = grammar_file(TABLES)
    return path.is_file() and json.loads(path.read_text(encoding="utf-8")).get("key") == key(grammar)


def read(grammar: str, layout: Any, starts: tuple[str, ...]) -> Lark:
    """The parser, from the file of tables if that belongs to this grammar, else built."""
    path = grammar_file(TABLES)
    if path.is_file():
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored.get("key") == key(grammar):
            parser: Lark = Lark._load_from_dict(_back(stored["data"]), _back(stored["memo"]), postlex=layout)  # type: ignore[no-untyped-call]
            return parser
    return build(grammar, layout, starts)


def hand_on(parser: Lark) -> Lark:
    """The same parser, quicker: a rule that is nothing but its one part hands that on, without a look at positions that it has anyway.

    Most steps of parsing an expression are of this kind, one for each level of precedence.
    """
    for rule in parser._callbacks:
        if rule.options.expand1 and len(rule.expansion) == 1 and rule.alias is None:
            parser._callbacks[rule] = itemgetter(0)
    return parser


def _plain(value: Any) -> Any:
    """JSON has no keys that are numbers: they get a mark."""
    if isinstance(value, dict):
        return {f"#{k}" if isinstance(k, int) else k: _plain(v) for k, v in value.items()}
    return [_plain(v) for v in value] if isinstance(value, (list, tuple)) else value


def _back(value: Any) -> Any:
    if isinstance(value, dict):
        return {int(k[1:]) if k[:1] == "#" and k[1:].isdigit() else k: _back(v) for k, v in value.items()}
    return [_back(v) for v in value] if isinstance(value, list) else value
