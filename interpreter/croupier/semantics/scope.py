"""Local names: blocks inside blocks, slots in a frame, and what is known about optional values at a point of the text."""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.diagnostics import Span
from croupier.semantics.procedures import Proc
from croupier.semantics.types import Type
from croupier.syntax import nodes as n


@dataclass(slots=True)
class LocalName:
    """A local name, and the slot that holds its value."""

    name: str
    slot: int
    type: Type
    mutable: bool
    span: Span
    used: bool = False
    by_value: bool = False  # no type is written: it is that of the first value


@dataclass(frozen=True, slots=True)
class Fact:
    """What the text has shown about the value at `path`: that there is one (`kind` is none), or that it is of a kind or not."""

    path: str
    kind: str | None = None
    holds: bool = True


Facts = frozenset[Fact]


@dataclass(slots=True)
class Scope:
    """The names visible at a point; `certain` holds what is known about values here."""

    proc: Proc
    parent: Scope | None = None
    names: dict[str, LocalName] = field(default_factory=dict)
    certain: Facts = frozenset()
    ended: dict[str, Span] = field(default_factory=dict)  # of values about which less is known than before: the statement that may change them
    declared: dict[str, Span] = field(default_factory=dict)  # of the outermost scope: where each name was declared last

    def find(self, name: str) -> LocalName | None:
        at: Scope | None = self
        while at is not None:
            if name in at.names:
                return at.names[name]
            at = at.parent
        return None

    def visible(self) -> list[str]:
        at: Scope | None = self
        names: list[str] = []
        while at is not None:
            names.extend(at.names)
            at = at.parent
        return names

    def child(self, certain: Facts = frozenset()) -> Scope:
        return Scope(self.proc, self, {}, self.certain | certain)

    def known(self, where: str | None) -> list[Fact]:
        """What is known about the value at a path, in the order of the facts' own order."""
        return sorted((f for f in self.certain if f.path == where), key=lambda f: (f.kind or "", f.holds))

    def ended_by(self, where: str | None) -> Span | None:
        """The last statement because of which less is known about the value at a path."""
        at: Scope | None = self
        while at is not None and where is not None:
            if where in at.ended:
                return at.ended[where]
            at = at.parent
        return None

    def declare(self, name: str, kind: Type, span: Span, mutable: bool = False) -> LocalName:
        local = LocalName(name, self.proc.slot(name, kind), kind, mutable, span)
        self.names[name] = local
        self.outermost().declared[name] = span
        return local

    def outermost(self) -> Scope:
        """The scope that all others around this one stand in."""
        at = self
        while at.parent is not None:
            at = at.parent
        return at


def path(node: n.Expr) -> str | None:
    """A text that names the same value each time it is read, or none."""
    match node:
        case n.Name():
            return node.name
        case n.Attr():
            inner = path(node.target)
            return None if inner is None else f"{inner}.{node.name}"
        case n.Index():
            inner, key = path(node.target), path(node.key)
            return None if inner is None or key is None else f"{inner}[{key}]"
        case n.Int():
            return str(node.value)
    return None


def known_if(node: n.Expr, truth: bool) -> Facts:
    """What is known when `node` is true (or false): optionals that have a value, components of one of several kinds."""
    match node:
        case n.IsNone():
            where = path(node.value)
            return frozenset([Fact(where)]) if where is not None and node.negated == truth else frozenset()
        case n.IsKind():
            where = path(node.value)
            return frozenset() if where is None else frozenset([Fact(where, node.kind, truth != node.negated)])
        case n.Unary(op="not"):
            return known_if(node.value, not truth)
        case n.Binary(op="and") if truth:
            return known_if(node.left, True) | known_if(node.right, True)
        case n.Binary(op="or") if not truth:
            return known_if(node.left, False) | known_if(node.right, False)
    return frozenset()
