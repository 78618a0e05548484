"""Parsing rule text: Lark's LALR parser, our layout, our limits, our words for typical mistakes.

What comes in is a `RuleText` and the place it stands in (`module`, `block`, `expression`, `declaration`, `binding`); what goes out are
nodes and diagnostics. After a mistake the statement it stands in is replaced by a marker and the text is parsed again, so that every
statement with a mistake is reported once. Nesting is limited here, before any recursive walk.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from lark import Lark, Token, Tree, UnexpectedCharacters, UnexpectedInput
from lark.exceptions import LarkError
from lark.indenter import DedentError, Indenter

from croupier.diagnostics import Diagnostic, diagnose
from croupier.resources import grammar_file
from croupier.syntax import nodes as n
from croupier.syntax.mistakes import word_mistake
from croupier.syntax.positions import Positioned
from croupier.syntax.statements import StatementBuilder

STARTS = ("module", "block", "expression", "declaration", "binding")
MAX_DEPTH = 64  # brackets or blocks inside one another
MAX_TREE = 400  # operators chained in one expression
MAX_MISTAKES = 50
BROKEN = "\x01"


class Layout(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8

    def handle_NL(self, token: Token) -> Any:
        if self.paren_level > 0:
            return
        yield token
        indent = token.rsplit("\n", 1)[1]
        width = indent.count(" ") + indent.count("\t") * self.tab_len if not indent.lstrip(" \t") else self.indent_level[-1]
        if width > self.indent_level[-1]:
            self.indent_level.append(width)
            yield Token.new_borrow_pos(self.INDENT_type, indent, token)
        else:
            while width < self.indent_level[-1]:
                self.indent_level.pop()
                yield Token.new_borrow_pos(self.DEDENT_type, indent, token)
            if width != self.indent_level[-1]:
                raise Misaligned(token)


class Misaligned(DedentError):
    def __init__(self, token: Token) -> None:
        super().__init__("misaligned")
        self.token = token


@lru_cache(maxsize=1)
def _lark() -> Lark:
    grammar = grammar_file("rules.lark").read_text(encoding="utf-8")
    return Lark(
        grammar, parser="lalr", lexer="contextual", postlex=Layout(), start=list(STARTS), propagate_positions=True, maybe_placeholders=True
    )


def parse_module(text: Positioned) -> tuple[tuple[n.Item | n.Broken, ...], list[Diagnostic]]:
    """Definitions and hooks of one text."""
    tree, builder, found = _parse(text, "module")
    if tree is None or builder is None:
        return (), found
    items = tuple(builder.item(t) for t in tree.children if isinstance(t, Tree))
    return items, found + builder.mistakes


def parse_block(text: Positioned) -> tuple[n.Block, list[Diagnostic]]:
    """The statements of a phase."""
    tree, builder, found = _parse(text, "block")
    if tree is None or builder is None:
        return (n.Broken(text.span(0, len(text.text)), ()),), found
    block = builder.block(tree.children)
    return block, found + builder.mistakes


def parse_expression(text: Positioned) -> tuple[n.Expr | None, list[Diagnostic]]:
    """One expression."""
    return _parse_one(text, "expression", lambda b, t: b.expr(next(k for k in t.children if isinstance(k, Tree))))


def parse_declaration(text: Positioned) -> tuple[n.Declaration | None, list[Diagnostic]]:
    """A type, perhaps with a start value and an audience."""
    return _parse_one(text, "declaration", lambda b, t: b.declaration(_without_newlines(t)))


def parse_binding(text: Positioned) -> tuple[n.Binding | None, list[Diagnostic]]:
    """`name in source if condition`."""
    return _parse_one(text, "binding", lambda b, t: b.binding(_without_newlines(t)))


def parse_template(text: Positioned) -> tuple[n.Template, list[Diagnostic]]:
    """A text with `{expression}` parts that stands without quotes of ours (labels)."""
    builder = StatementBuilder(text, Tree("expression", []), _parse_part)
    return builder.template_parts(text.text, 0, text.span(0, len(text.text))), builder.mistakes


def _without_newlines(t: Tree[Token]) -> Tree[Token]:
    return Tree(t.data, [k for k in t.children if not (isinstance(k, Token) and k.type == "_NL")], t.meta)


def _parse_one(text: Positioned, start: str, build: Any) -> tuple[Any, list[Diagnostic]]:
    tree, builder, found = _parse(text, start)
    if tree is None or builder is None or found:
        return None, found
    built = build(builder, tree)
    return (None if builder.mistakes else built), builder.mistakes


def _parse(text: Positioned, start: str) -> tuple[Tree[Token] | None, StatementBuilder | None, list[Diagnostic]]:
    found: list[Diagnostic] = []
    too_deep = _bracket_depth(text)
    if too_deep is not None:
        return None, None, [too_deep]
    source, line_wise = text.text, start in ("module", "block")
    if not source.strip():
        return (Tree(start, []), StatementBuilder(text, Tree(start, []), None), []) if start == "module" else (None, None, [diagnose("P002", text.span(0, 0))])
    if line_wise:
        source = source.rstrip() + "\n"
    while True:
        try:
            tree = _lark().parse(source, start=start)
            break
        except (UnexpectedInput, Misaligned) as e:
            offset = _offset(e, source)
            found.append(word_mistake(text, offset, e))
            if not line_wise or len(found) >= MAX_MISTAKES:
                return None, None, found
            repaired = _mark_broken(source, max(0, offset))
            if repaired == source:
                return None, None, found
            source = repaired
        except LarkError:  # pragma: no cover - any other refusal of the library
            return None, None, [diagnose("P001", text.span(0, len(text.text)), found="this text")]
    if _tree_depth(tree) > MAX_TREE:
        return None, None, [diagnose("P003", text.span(0, len(text.text)), limit=MAX_TREE)]
    builder = StatementBuilder(text, tree, _parse_part)
    return tree, builder, found


def _parse_part(text: Positioned, begin: int, end: int) -> tuple[n.Expr | None, list[Diagnostic]]:
    """The expression between two braces of a template."""
    if not text.text[begin:end].strip():
        return None, [diagnose("P005", text.span(max(0, begin - 1), min(len(text.text), end + 1)))]
    return parse_expression(Slice(text, begin, end))


class Slice:
    """A part of a rule text that is itself a rule text; positions stay those of the file."""

    def __init__(self, whole: Positioned, begin: int, end: int) -> None:
        self.whole, self.begin = whole, begin
        self.text = whole.text[begin:end]

    def span(self, start: int, end: int) -> Any:
        return self.whole.span(self.begin + start, self.begin + end)


def _offset(e: Exception, source: str) -> int:
    if isinstance(e, Misaligned):
        token = e.token
        return (token.start_pos or 0) + len(token.rstrip(" \t")) + len(token) - len(token.rstrip(" \t"))
    if isinstance(e, UnexpectedCharacters):
        return e.pos_in_stream or 0
    token = getattr(e, "token", None)
    if token is not None and token.type != "$END" and token.start_pos is not None:
        if token.type in ("_NL", "_INDENT", "_DEDENT"):
            return int(token.start_pos)
        return int(token.start_pos)
    return len(source.rstrip())


def _mark_broken(source: str, offset: int) -> str:
    """Replace the statement around `offset` (with its continuation lines) by a marker; a block's head keeps its body."""
    offset = min(offset, len(source) - 1)
    lines = source.split("\n")
    at, number = 0, 0
    for number, line in enumerate(lines):
        if at + len(line) >= offset:
            break
        at += len(line) + 1
    while number > 0 and not lines[number].strip():
        number -= 1
    line = lines[number]
    if line.strip().startswith(BROKEN):
        lines[number] = " " * len(line)
        return "\n".join(lines)
    indent = len(line) - len(line.lstrip())
    bare = re.sub(r'"[^"]*"', lambda m: "x" * len(m.group()), line.split("#")[0])
    bare = re.sub(r"@[A-Z]+-\S+", "", bare).rstrip()
    following = next((x for x in lines[number + 1 :] if x.strip()), "")
    deeper = len(following) - len(following.lstrip()) > indent
    marker = BROKEN + ":" if bare.endswith(":") and deeper else BROKEN
    lines[number] = line[:indent] + marker + " " * max(0, len(line) - indent - len(marker))
    if not bare.endswith(":") and deeper:  # continuation lines belong to the broken statement
        for i in range(number + 1, len(lines)):
            if lines[i].strip() and len(lines[i]) - len(lines[i].lstrip()) <= indent:
                break
            lines[i] = " " * len(lines[i])
    return "\n".join(lines)


def _bracket_depth(text: Positioned) -> Diagnostic | None:
    depth = 0
    for m in re.finditer(r'"[^"\n]*"|#[^\n]*|[(\[{]|[)\]}]', text.text):
        c = m.group()
        if c in "([{":
            depth += 1
            if depth > MAX_DEPTH:
                return diagnose("P003", text.span(m.start(), m.end()), limit=MAX_DEPTH)
        elif c in ")]}":
            depth -= 1
    for m in re.finditer(r"(?m)^[ \t]*(?=\S)", text.text):
        if len(m.group()) > 8 * MAX_DEPTH:
            return diagnose("P003", text.span(m.start(), m.end()), limit=MAX_DEPTH)
    return None


def _tree_depth(tree: Tree[Token]) -> int:
    deepest, stack = 0, [(tree, 1)]
    while stack:
        t, depth = stack.pop()
        deepest = max(deepest, depth)
        stack.extend((k, depth + 1) for k in t.children if isinstance(k, Tree))
    return deepest
