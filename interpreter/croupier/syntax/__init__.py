"""Syntax: from rule text to nodes.

What comes in: `RuleText` (a scalar of the YAML document that knows its positions). What goes out: frozen nodes (`nodes/`) with exact spans,
and diagnostics. The grammar is `grammar/rules.lark`, LALR(1); `parser.py` runs it, limits it (`depth.py`) and goes on after a mistake
(`recovery.py`), by tables that are kept (`tables.py`). `build.py` and `statements.py` make nodes of Lark's trees; `cites.py` hands citations to
the nodes they follow; `mistakes.py` words what went wrong, with what people write who know other languages (`habits.py`) and names that look
like others (`odd.py`). `lines.py` and `tokens.py` are a text as readers and the formatter see it, `positions.py` its places, `show.py` the
nodes for people.
"""

from croupier.syntax.parser import parse_binding, parse_block, parse_declaration, parse_expression, parse_module, parse_template

__all__ = ["parse_binding", "parse_block", "parse_declaration", "parse_expression", "parse_module", "parse_template"]
