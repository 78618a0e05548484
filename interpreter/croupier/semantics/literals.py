"""Values written in YAML (defaults, tables, start values) as typed constants of a wanted type."""

from __future__ import annotations

from croupier.diagnostics import Span
from croupier.semantics import types as t
from croupier.semantics.habits import shape_of
from croupier.semantics.program import Program
from croupier.semantics.scope import Scope
from croupier.semantics.statements import Statements
from croupier.semantics.tree import X
from croupier.semantics.types import Type
from croupier.source import Mapping, Node, RuleText, Scalar, Sequence
from croupier.syntax import nodes as n
from croupier.syntax import parse_expression


def plain_text(node: Scalar) -> RuleText:
    """The characters of a scalar as rule text, quotes left out."""
    quoted = node.style in ("single", "double")
    if node.style == "literal":
        return node.rule_text()
    return RuleText(node.text, node.span.source, ((0, node.span.start + (1 if quoted else 0)),))


def _word(expr: n.Expr) -> Scalar:
    return Scalar(expr.span, expr.span.text, "plain", expr.span.text, True)


class Literals(Statements):
    """Checks values that are written in YAML."""

    def literal_value(self, node: Node, wanted: Type, scope: Scope, called: str = "value") -> X:
        """A YAML value that must be one of `wanted`; `else:` in a map stands for all keys not named. `called` is what it is, in words."""
        base = wanted.base if isinstance(wanted, t.Optional) else wanted
        match node:
            case Scalar() if isinstance(base, t.Text) and wanted is not base and node.style == "plain" and node.text in ("none", ""):
                return X("const", t.NOTHING, node.span, (), None)
            case Scalar() if isinstance(base, t.Text):
                return X("const", t.TEXT, node.span, (), node.text)
            case Scalar():
                if node.value is None and node.text == "" and isinstance(wanted, t.Optional):
                    return X("const", t.NOTHING, node.span, (), None)
                if node.value is None and not node.text.strip():
                    return self.wrong("T030", node.span, problem=f"the {called} is missing: it is", wanted=wanted)
                expr = self.read(parse_expression, plain_text(node), None)
                if expr is None:
                    return X("unknown", t.UNKNOWN, node.span)
                if isinstance(base, (t.Map, t.Record)) and isinstance(expr, (n.MapLit, n.ListLit)):
                    return self.literal_value(self.as_yaml(expr), wanted, scope)
                return self.guard(self.check(expr, scope, wanted), wanted)
            case Sequence() if isinstance(base, t.Collection):
                items = tuple(self.literal_value(i, base.base, scope) for i in node.items)
                return self.guard(X("list", t.Collection(base.kind, base.base, bool(items)), node.span, items), wanted)
            case Mapping() if isinstance(base, t.Map):
                return self.literal_map(node, base, scope)
            case Sequence() if isinstance(base, t.Map):
                return self.literal_list(node, base, scope)
            case Mapping() if isinstance(base, t.Record):
                return self.literal_record(node, base, scope)
        return self.wrong("T030", node.span, problem="this cannot be a value", wanted=wanted, help=shape_of(base))

    def as_yaml(self, expr: n.Expr) -> Node:
        """What a map or a list in one piece of text, the cell of a table, is in YAML."""
        match expr:
            case n.MapLit():
                entries = {key.span.text: (_word(key), self.as_yaml(value)) for key, value in reversed(expr.entries)}
                for key, _ in expr.entries:
                    if entries[key.span.text][0].span != key.span:
                        self.wrong("Y301", key.span, name=key.span.text)
                return Mapping(expr.span, tuple(reversed(entries.values())), True)
            case n.ListLit():
                return Sequence(expr.span, tuple(self.as_yaml(item) for item in expr.items), True)
        return _word(expr)

    def literal_map(self, node: Mapping, wanted: t.Map, scope: Scope) -> X:
        args: list[X] = []
        other: X | None = None
        for key, value in node.entries:
            if key.text == "else":
                other = self.literal_value(value, wanted.value, scope)
                continue
            args.append(self.literal_value(key, wanted.key, scope))
            args.append(self.literal_value(value, wanted.value, scope))
        if other is None:
            other = self.filling(wanted.value, node.span)
        if other is None and isinstance(wanted.key, t.Enum):
            given = {key.text for key, _ in node.entries}
            missing = [v for v in self.program.enums[wanted.key.name].values if v not in given]
            if missing and not isinstance(wanted.value, (t.Optional, t.Unknown)) and all(a.op != "unknown" for a in args):
                return self.wrong("F005", node.span, missing=", ".join(f"`{m}`" for m in missing), help="name them, or write `else: …`")
        return X("map", wanted, node.span, tuple(args) if other is None else (*args, other))

    def literal_list(self, node: Sequence, wanted: t.Map, scope: Scope) -> X:
        """A map as a list: a value for every key, in order; of the cells of a board perhaps as a list of its rows."""
        rows = [i for i in node.items if isinstance(i, Sequence)] if isinstance(wanted.key, t.Cell) else []
        if not rows or len(rows) != len(node.items):
            return X("map_list", wanted, node.span, tuple(self.literal_value(i, wanted.value, scope) for i in node.items))
        cells = tuple(self.literal_value(i, wanted.value, scope) for row in rows for i in row.items)
        return X("map_list", wanted, node.span, cells, tuple(len(row.items) for row in rows))

    def filling(self, kind: Type, span: Span) -> X | None:
        """What the keys get that a map does not name: 0, false or nothing at all; of other types there is no such value."""
        match kind:
            case t.Int() if kind.low is None or kind.low <= 0:
                return X("const", t.Int(0, 0), span, (), 0)
            case t.Bool():
                return X("const", t.BOOL, span, (), False)
            case t.Collection():
                return X("list", t.Collection(kind.kind, t.NEVER), span)
        return None

    def literal_record(self, node: Mapping, wanted: t.Record, scope: Scope) -> X:
        fields = self.program.records[wanted.name].fields
        strange = [key for key, _ in node.entries if key.text not in fields]
        for key in strange:
            self.wrong("N002", key.span, name=key.text, type=wanted, **self.suggest(key.text, list(fields)))
        args = []
        for name, kind in fields.items():
            value = node.get(name)
            if value is None:
                missing = X("unknown", t.UNKNOWN, node.span)
                return missing if strange else self.wrong("T007", node.span, name=wanted.name, missing=f"`{name}`")
            args.append(self.literal_value(value, kind, scope))
        return X("record", wanted, node.span, tuple(args), wanted.name)


def fresh_program(name: str, title: str, doc: str, players: tuple[int, ...], limits: dict[str, int]) -> Program:
    """A program with nothing in it but the enumerations that every ruleset has."""
    from croupier.semantics.program import EnumDef

    program = Program(name, title, doc, players, limits)
    program.enums["Audience"] = EnumDef("Audience", t.AUDIENCES, None)
    program.enums["Direction"] = EnumDef("Direction", t.DIRECTIONS, None)
    return program


