"""What declarations are made of: names that must be free, written types, expressions that are worked out at set-up, citations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from croupier.diagnostics import Span
from croupier.semantics import types as t
from croupier.semantics.builtins import AGGREGATES, FUNCTIONS
from croupier.semantics.literals import Literals
from croupier.semantics.reserved import is_reserved
from croupier.semantics.scope import Scope
from croupier.semantics.tree import X
from croupier.semantics.types import UNKNOWN, Type
from croupier.semantics.typing import SETUP_ONLY
from croupier.syntax import nodes as n
from croupier.syntax import parse_declaration, parse_expression


class Written(Literals):
    """Reads the parts of declarations."""

    def static_scope(self) -> Scope:
        assert self.program.static is not None
        return Scope(self.program.static)

    def taken(self, name: str, span: Span, kind: str) -> bool:
        p = self.program
        tables: tuple[tuple[str, Any], ...] = (
            ("type", p.enums), ("type", p.records), ("component", p.classes), ("board", p.boards), ("parameter", p.params), ("zone", p.zones),
            ("state", p.vars), ("definition", p.defs), ("window", p.windows), ("type", self.named_types),
        )  # fmt: skip
        called = kind in ("definition", "window") and (name in AGGREGATES or name in FUNCTIONS or name == "original")
        if called or is_reserved(name, kind):
            self.reserved(name, span)
            return True
        for word, table in tables:
            if name in table and not (word == "type" and name in p.params and kind == "parameter"):
                self.wrong("N004", span, name=name, kind=word)
                self.twice.add(name)
                return True
        return False

    def reserved(self, name: str, span: Span) -> None:
        """Report a name that could not be used; where it is tried all the same, it is not called unknown."""
        self.wrong("N014", span, name=name)
        if not is_reserved(name, "value"):
            self.dropped.add(name)

    def no_direction(self, name: Any, kind: Type) -> None:
        """Report a direction that is called like another: where a direction is wanted, the name is read as that one."""
        if t.DIRECTION in (kind, getattr(kind, "base", None)) and name.text in t.DIRECTIONS:
            self.wrong("N014", name.span, name=name.text, help=f"where a direction is wanted, `{name.text}` is that direction: choose another name")

    def values_named(self, names: Iterable[Any]) -> None:
        """Report the words among these that are no names: ids, cells, values of an enumeration."""
        for name in names:
            if is_reserved(name.text, "value"):
                self.reserved(name.text, name.span)

    def kept(self, kind: Type, span: Span) -> Type:
        """A type whose values are kept; zones are places and cannot be."""
        inner = kind
        while isinstance(inner, (t.Optional, t.Collection, t.Map)):
            inner = inner.value if isinstance(inner, t.Map) else inner.base
        if isinstance(inner, t.Zone):
            self.wrong("T067", span, given=inner)
            return UNKNOWN
        return kind

    def has_default(self, kind: Type) -> bool:
        """Has this type a value that state begins with unless another is written?"""
        if isinstance(kind, t.Map):
            return self.has_default(kind.value)
        if isinstance(kind, t.Int):
            return (kind.low or 0) <= 0 and (kind.high is None or kind.high >= 0)
        return isinstance(kind, (t.Optional, t.Collection, t.Bool, t.Unknown))

    def text_type(self, leaf: Any) -> Type:
        decl = self.read(parse_declaration, leaf.rule, None)
        if decl is None:
            return UNKNOWN
        self.only_type(decl)
        return self.kept(self.type(decl.type, self.static_scope()), decl.type.span)

    def text_expression(self, leaf: Any, wanted: Type | None, scope: Scope | None = None) -> X | None:
        """An expression that is worked out at set-up; what is not known then is reported once."""
        expr = self.read(parse_expression, leaf.rule, None)
        if expr is None:
            return None
        before = len(self.found)
        x = self.check(expr, scope or self.static_scope(), wanted)
        unknown_yet = [d for d in self.found[before:] if d.code == "T058"]
        self.found[before:] = [d for d in self.found[before:] if d.code != "T058"] + unknown_yet[:1]
        return x if unknown_yet else self.static_only(x)

    def static_only(self, x: X) -> X:
        bad = next((y for y in x.walk() if y.op in SETUP_ONLY), None)
        if bad is not None:
            self.wrong("T058", bad.span)
        return x

    def whole(self, doc: Any) -> Span:
        source = doc.sources[0]
        return Span(source, 0, 0)

    def cited(self, declaration: Any) -> tuple[str, ...]:
        cites = tuple(n.Cite(c.span, *self.ends(c.text)) for c in declaration.cites)
        return self.cites(cites)

    def made_of(self, declaration: Any) -> None:
        """The citations of something that every game is made of, whatever happens in it."""
        self.program.cites = (*self.program.cites, *self.cited(declaration))

    def ends(self, text: str) -> tuple[str, str | None]:
        first, _, last = text.partition("..")
        prefix = first.rsplit("-", 1)[0] + "-" if "-" in first else ""
        return first, (last if not last or "-" in last else prefix + last) or None
