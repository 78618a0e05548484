"""From Lark's trees to our nodes: one method a grammar rule, bottom up.

Depth is limited before this recursive walk begins (`parser.py`), so a hostile text cannot exhaust the stack.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lark import Token, Tree

from croupier.diagnostics import Diagnostic, Span, diagnose
from croupier.syntax import nodes as n
from croupier.syntax.cites import cites_by_owner
from croupier.syntax.positions import Positioned

WORD = re.compile(r"[^\W\d]\w*")
PartParser = Callable[[Positioned, int, int], tuple[n.Expr | None, list[Diagnostic]]]


def number(digits: str) -> int:
    """The value of written digits; what is too large for any use stays too large."""
    return int(digits) if len(digits) < 20 else 10**20


class Builder:
    """Builds the nodes of one rule text; what is wrong inside its templates is gathered in `mistakes`."""

    def __init__(self, text: Positioned, parse_part: PartParser) -> None:
        self.text = text
        self.cites: dict[int, tuple[n.Cite, ...]] = {}
        self.parse_part = parse_part
        self.mistakes: list[Diagnostic] = []
        self.lost: frozenset[str] = frozenset()

    def read(self, tree: Tree[Token]) -> None:
        """Find what the citations of the text belong to."""
        self.cites = cites_by_owner(self.text, tree)

    def lose(self, text: str) -> None:
        """Remember the words of a part that could not be read: some of them may be declared there."""
        self.lost |= frozenset(WORD.findall(text))

    # ------------------------------------------------------------ helpers
    def span(self, t: Tree[Token] | Token) -> Span:
        if isinstance(t, Token):
            return self.text.span(t.start_pos or 0, t.end_pos or 0)
        if t.meta.empty:
            return self.text.span(0, 0)
        start, end = t.meta.start_pos, t.meta.end_pos
        raw = self.text.text[start:end]
        return self.text.span(start, start + len(raw.rstrip()))

    def head(self, t: Tree[Token]) -> Span:
        """The first line of a block statement, without its body."""
        start = t.meta.start_pos
        suite = next((k.meta.start_pos for k in t.children if isinstance(k, Tree) and k.data == "suite"), t.meta.end_pos)
        raw = self.text.text[start:suite].split("\n", 1)[0]
        return self.text.span(start, start + len(raw.rstrip()))

    def owned(self, t: Tree[Token]) -> tuple[n.Cite, ...]:
        return self.cites.get(t.meta.start_pos, ())

    def opt(self, t: Any) -> Any:
        return None if t is None else self.expr(t)

    def exprs(self, items: list[Any]) -> tuple[n.Expr, ...]:
        return tuple(self.expr(i) for i in items if i is not None)

    # ------------------------------------------------------------ expressions
    def expr(self, t: Tree[Token]) -> n.Expr:
        kids = t.children
        span = self.span(t)
        a: Any = kids[0] if kids else None
        match t.data:
            case "int":
                return n.Int(span, number(a))
            case "string":
                return self.template(a)
            case "true" | "false":
                return n.Bool(span, t.data == "true")
            case "none":
                return n.NoneLit(span)
            case "name":
                return n.Name(span, str(a))
            case "paren":
                return self.expr(a)
            case "attr":
                name: Any = kids[1]
                return n.Attr(span, self.expr(a), str(name), self.span(name))
            case "call":
                return n.Call(span, self.expr(a), self.args(kids[1]))
            case "aggregate":
                *fors, condition, by = kids[2:]
                return n.Aggregate(span, self.expr(a), self.expr(kids[1]), self.fors(fors), self.opt(condition), self.opt(by))  # type: ignore[arg-type]
            case "index":
                return n.Index(span, self.expr(a), self.expr(kids[1]))  # type: ignore[arg-type]
            case "certain":
                return n.Certain(span, self.expr(a))
            case "signed":
                value = self.expr(kids[1])  # type: ignore[arg-type]
                if isinstance(value, n.Int) and str(a) == "-":
                    return n.Int(span, -value.value)
                return n.Unary(span, str(a), value)
            case "not_":
                return n.Unary(span, "not", self.expr(a))
            case "binary" | "compare":
                return n.Binary(span, str(kids[1]), self.expr(a), self.expr(kids[2]))  # type: ignore[arg-type]
            case "or_" | "and_" | "contains" | "excludes" | "otherwise" | "span_":
                op = {"or_": "or", "and_": "and", "contains": "in", "excludes": "not in", "otherwise": "otherwise", "span_": ".."}[t.data]
                return n.Binary(span, op, self.expr(a), self.expr(kids[1]))  # type: ignore[arg-type]
            case "is_none" | "is_some":
                return n.IsNone(span, self.expr(a), t.data == "is_some")
            case "is_kind" | "is_other":
                return n.IsKind(span, self.expr(a), str(kids[1]), self.span(kids[1]), t.data == "is_other")
            case "if_else":
                return n.IfElse(span, self.expr(kids[1]), self.expr(a), self.expr(kids[2]))  # type: ignore[arg-type]
            case "list":
                return n.ListLit(span, () if a is None else self.exprs(a.children))
            case "listcomp":
                *fors, condition = kids[1:]
                return n.ListComp(span, self.expr(a), self.fors(fors), self.opt(condition))
            case "map":
                entries = () if a is None else tuple((self.expr(e.children[0]), self.expr(e.children[1])) for e in a.children if e is not None)
                return n.MapLit(span, entries)
            case "mapcomp":
                *fors, condition = kids[2:]
                return n.MapComp(span, self.expr(a), self.expr(kids[1]), self.fors(fors), self.opt(condition))  # type: ignore[arg-type]
        raise AssertionError(t.data)

    def fors(self, items: list[Any]) -> tuple[n.For, ...]:
        """The `for` of a comprehension or option; an `if` between two of them belongs to the one before it."""
        out: list[n.For] = []
        for f in (i for i in items if i is not None):
            if f.data == "comp_for":
                out.append(n.For(self.span(f), str(f.children[0]), self.expr(f.children[1])))
            else:
                out[-1] = replace(out[-1], condition=self.expr(f.children[0]))
        return tuple(out)

    def rest(self) -> tuple[n.Broken, ...]:
        """A node for what could not be read at all."""
        return (n.Broken(self.text.span(0, 0), (), (), self.lost),)

    def args(self, t: Any) -> tuple[n.Arg, ...]:
        if t is None:
            return ()
        out = []
        for a in t.children:
            if a is None:
                continue
            if a.data in ("named", "pat"):
                name = a.children[0]
                out.append(n.Arg(self.span(a), None if name is None else str(name), self.expr(a.children[1])))
            else:
                out.append(n.Arg(self.span(a), None, self.expr(a)))
        return tuple(out)

    def template(self, token: Token) -> n.Template:
        """Split a quoted text into words and `{expression}` parts."""
        return self.template_parts(str(token)[1:-1], (token.start_pos or 0) + 1, self.span(token))

    def template_parts(self, body: str, start: int, span: Span) -> n.Template:
        parts: list[str | n.Expr] = []
        at = 0
        while at < len(body):
            brace = body.find("{", at)
            words = body[at:] if brace < 0 else body[at:brace]
            if words:
                parts.append(words)
            if "}" in words:
                closing = start + at + words.index("}")
                self.mistakes.append(diagnose("P010", self.text.span(closing, closing + 1), bracket="}"))
            if brace < 0:
                break
            depth, end = 1, brace + 1
            while end < len(body) and depth:
                depth += {"{": 1, "}": -1}.get(body[end], 0)
                end += 1
            if depth:
                self.mistakes.append(diagnose("P008", self.text.span(start + brace, start + brace + 1), bracket="{"))
                break
            inner, bad = self.parse_part(self.text, start + brace + 1, start + end - 1)
            self.mistakes.extend(bad)
            if inner is not None:
                parts.append(inner)
            at = end
        return n.Template(span, tuple(parts), body)

    # ------------------------------------------------------------ types
    def type(self, t: Any) -> n.TypeExpr:
        span, kids = self.span(t), t.children
        match t.data:
            case "typename":
                names = tuple(n.TypeName(self.span(k), str(k)) for k in kids)
                return names[0] if len(names) == 1 else n.KindsType(span, names)
            case "ranged":
                return n.RangeType(span, self.expr(kids[0]), self.expr(kids[1]))
            case "optional":
                return n.OptionalType(span, self.type(kids[0]))
            case "per":
                return n.PerType(span, self.type(kids[0]), self.type(kids[1]))
            case "listof" | "bagof":
                return n.CollectionType(span, t.data[:-2], self.type(kids[0]), self.opt(kids[1]))
            case "setof" | "zoneof":
                return n.CollectionType(span, t.data[:-2], self.type(kids[0]))
        raise AssertionError(t.data)

    def declaration(self, t: Tree[Token]) -> n.Declaration:
        kids: Any = [k for k in t.children if not (isinstance(k, Token) and k.type == "_NL")]
        label = None if kids[3] is None else self.template(kids[3])
        return n.Declaration(self.span(t), self.type(kids[0]), self.opt(kids[1]), self.opt(kids[2]), label)

    def binding(self, t: Tree[Token]) -> n.Binding:
        kids: Any = t.children
        return n.Binding(self.span(t), str(kids[0]), self.expr(kids[1]), self.opt(kids[2]))
