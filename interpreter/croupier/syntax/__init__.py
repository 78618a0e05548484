"""Syntax: from rule text to nodes.

What comes in: `RuleText` (a scalar of the YAML document that knows its positions). What goes out: frozen
nodes (`nodes.py`) with exact spans, and diagnostics. The grammar is `grammar/rules.lark`, LALR(1).

    parser.py    runs the grammar within limits, recovers after mistakes; tokens for the formatter; stores
                 Lark's tables
    lines.py     lines, masked text, and the repair of a text with a mistake
    nodes.py     the nodes of statements and definitions; expressions.py those of expressions and types
    builder.py   from Lark's trees to nodes; citations handed to the nodes they follow
    mistakes.py  descriptions of mistakes; syntax of other languages
    spelling.py  misspelt words, and changes that are tried; needed.py what comes next, in words
    steps.py     the statements, options, conditions and cases that a variant names, and where each ends
    phrases.py   expressions in words, for players; phrase_words.py the words for the built-in names
    dump_ast.py  the nodes as text
"""

from croupier.syntax.parser import (
    parse_audience,
    parse_binding,
    parse_block,
    parse_declaration,
    parse_expression,
    parse_module,
    parse_template,
)

__all__ = [
    "parse_audience",
    "parse_binding",
    "parse_block",
    "parse_declaration",
    "parse_expression",
    "parse_module",
    "parse_template",
]
