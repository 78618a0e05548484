"""Syntax: from rule text to nodes.

What comes in: `RuleText` (a scalar of the YAML document that knows its positions). What goes out: frozen nodes (`nodes.py`) with exact spans,
and diagnostics. The grammar is `grammar/rules.lark`, LALR(1).

    parser.py      runs the grammar, limits it and goes on after a mistake; tokens for the formatter; keeps Lark's tables
    lines.py       a text as its readers see it, and how it is repaired
    nodes.py       the nodes of statements and definitions; expressions.py those of expressions and types
    builder.py     from Lark's trees to nodes; citations handed to the nodes they follow
    mistakes.py    what went wrong, in words; what people write who know other languages
    phrases.py     expressions in words, for those who play
    dump_ast.py    the nodes as text
"""

from croupier.syntax.parser import parse_audience, parse_binding, parse_block, parse_declaration, parse_expression, parse_module, parse_template

__all__ = ["parse_audience", "parse_binding", "parse_block", "parse_declaration", "parse_expression", "parse_module", "parse_template"]
