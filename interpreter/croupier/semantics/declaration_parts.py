"""The parts of declarations: names that must be free, written types, values and expressions that are worked
out at set-up, labels.

A label may use everything that a position holds, and some names of its own: `key` for a zone or variable with
a key, `value` for what a variable is now, `self` for the component whose attribute it is. Labels are checked
after all declarations, because they may name any of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from croupier.diagnostics import Fix, Span, did_you_mean
from croupier.kernel import types as t
from croupier.kernel.tree import (
    ConstExpr,
    LocalExpr,
    MapRowsExpr,
    OperationExpr,
    RecordExpr,
    TypedExpr,
)
from croupier.kernel.types import INT, UNKNOWN, Type
from croupier.resolve import ResolvedRuleset
from croupier.schema import Audience, Text
from croupier.schema.values import Cells
from croupier.semantics.builder import TreeBuilder, values_of
from croupier.semantics.builtins import AGGREGATES, FUNCTIONS
from croupier.semantics.context import LocalName, Scope, here
from croupier.semantics.expressions import CheckerPart
from croupier.semantics.members import arguments
from croupier.semantics.names import finite_help, is_reserved, shape_help
from croupier.semantics.procedures import Heading, Proc
from croupier.semantics.program import EventWords, VarDef, ZoneDef
from croupier.source import RuleText, YamlMapping, YamlNode, YamlScalar, YamlSequence
from croupier.syntax import nodes as n
from croupier.syntax import parse_audience, parse_declaration, parse_expression, parse_template

# ------------------------------------------------------------ written types
PLAIN = {
    "bool": t.BOOL,
    "int": t.INT,
    "Player": t.PLAYER,
    "text": t.TEXT,
    "Direction": t.DIRECTION,
    "Audience": t.AUDIENCE,
}
MEANT_TYPES = {
    "integer": "int",
    "number": "int",
    "boolean": "bool",
    "string": "text",
    "str": "text",
    "player": "Player",
    "cell": "Cell",
}
SETUP_ONLY = {"state", "zone", "zone_at", "mutable"}  # what does not exist yet when the game is set up


class TypeExpressions(CheckerPart):
    """Checks written types."""

    def type(self, node: n.TypeExpr, scope: Scope) -> Type:
        match node:
            case n.TypeName():
                return self.type_name(node)
            case n.KindsType():
                missing = [k for k in node.kinds if isinstance(k, n.TypeName) and k.name == "none"]
                if missing:  # `Colour or none`
                    return self.may_be_missing(missing[0], [k for k in node.kinds if k not in missing])
                kinds = [self.type(k, scope) for k in node.kinds]
                for k, written in zip(kinds, node.kinds, strict=True):
                    if not isinstance(k, (t.Component, t.Unknown)):
                        self.ctx.report("T062", written.span, given=k)
                known = [k.kinds for k in kinds if isinstance(k, t.Component)]
                return t.Component(frozenset().union(*known)) if len(known) == len(kinds) else UNKNOWN
            case n.RangeType():
                low, high = self.limit(node.low, scope), self.limit(node.high, scope)
                a, b = (x.type if isinstance(x.type, t.Int) else INT for x in (low, high))
                if a.low is not None and b.high is not None and a.low > b.high:
                    self.ctx.report("T029", node.span)
                    return UNKNOWN
                constant = isinstance(low, ConstExpr) and isinstance(high, ConstExpr)
                return t.Int(
                    a.low,
                    b.high,
                    None if isinstance(low, ConstExpr) or constant else low,
                    None if isinstance(high, ConstExpr) else high,
                )
            case n.OptionalType():
                base = self.type(node.base, scope)
                return base if isinstance(base, t.Optional) else t.Optional(base)
            case n.CollectionType():
                base = self.type(node.base, scope)
                if node.kind == "zone":
                    if not isinstance(base, t.Component):
                        return UNKNOWN if isinstance(base, t.Unknown) else self.bad_type(node, "zone")
                    return t.Zone(base.kinds)
                capacity: TypedExpr | None = (
                    None if node.capacity is None else self.limit(node.capacity, scope)
                )
                return t.Collection(node.kind, base, False, capacity)
            case n.PerType():
                key, value = self.type(node.key, scope), self.type(node.value, scope)
                if not isinstance(key, t.Unknown) and not self.finite(key):
                    self.ctx.report("T031", node.key.span, given=key, instead=finite_help(key))
                    key = UNKNOWN
                return t.Map(key, value)
        raise AssertionError(node)

    def may_be_missing(self, none: n.TypeName, others: list[n.TypeExpr]) -> Type:
        """Report `none` among kinds of components: a value that may be missing has another type."""
        given = others[0].span.text if len(others) == 1 else "T"
        self.ctx.report(
            "T062",
            none.span,
            given="none",
            help=f"what may be missing has a type with a question mark: `{given}?`",
        )
        return UNKNOWN

    def named_type(self, name: str) -> Type:
        """Return the type that a name stands for, which is worked out when it is first needed."""
        if name in self.ctx.known_types:
            known = self.ctx.known_types[name]
            if known is None:
                self.ctx.report("G009", self.ctx.named_types[name].span, name=name)
            return known or UNKNOWN
        self.ctx.known_types[name] = None
        decl = self.ctx.read(parse_declaration, self.ctx.named_types[name].rule, None)
        kind: Type = UNKNOWN
        if decl is not None:
            self.only_type(decl)
            assert self.program.static is not None
            before = len(self.ctx.found)
            kind = self.type(decl.type, Scope(self.program.static))
            if any(d.code == "G009" for d in self.ctx.found[before:]):
                kind = UNKNOWN
        self.ctx.known_types[name] = kind
        return kind

    def only_type(self, decl: n.Declaration, *, may_start: bool = False) -> None:
        """A type and nothing else was to be written, but perhaps a start value."""
        start = None if may_start else decl.start
        for extra, what in ((start, "start value"), (decl.seen_by, "audience"), (decl.label, "label")):
            if extra is not None:
                self.ctx.report("T057", extra.span, what=what)

    def limit(self, node: n.Expr, scope: Scope) -> TypedExpr:
        """A limit of a written type: known once the game is set up, so that nothing of a position may stand
        in it.
        """
        x = self.expressions.check(node, scope, INT)
        own = {slot for y in x.walk() for slot in y.binds()}
        bad = next(
            (y for y in x.walk() if y.op in SETUP_ONLY or (isinstance(y, LocalExpr) and y.slot not in own)),
            None,
        )
        return x if bad is None else self.ctx.report("T058", bad.span)

    def bad_type(self, node: n.TypeExpr, what: str) -> Type:
        self.ctx.report("T032", node.span, what=what)
        return UNKNOWN

    def finite(self, key: Type) -> bool:
        if isinstance(key, t.Int):
            return key.low is not None and key.high is not None
        return isinstance(key, (t.Bool, t.Enum, t.Player, t.Cell, t.Component))

    def type_name(self, node: n.TypeName) -> Type:
        kind = self.named(node)
        self.ctx.observer.type_name(node, kind)
        return kind

    def named(self, node: n.TypeName) -> Type:
        p, name = self.program, node.name
        if name in self.ctx.ambiguous:
            return UNKNOWN
        if name in PLAIN:
            return PLAIN[name]
        if name in p.enums:
            self.ctx.used.add(("type", name))
            return t.Enum(name)
        if name in p.records:
            self.ctx.used.add(("type", name))
            return t.Record(name)
        if name in p.classes:
            self.ctx.used.add(("component", name))
            return t.Component(frozenset([name]))
        for b in p.boards.values():
            if b.cell == name:
                self.ctx.used.add(("board", b.name))
                return t.Cell(b.name, b.cell)
        if name in self.ctx.named_types:
            self.ctx.used.add(("type", name))
            return self.named_type(name)
        candidates = [
            *PLAIN,
            *p.enums,
            *p.records,
            *self.ctx.named_types,
            *p.classes,
            *(b.cell for b in p.boards.values()),
        ]
        meant = MEANT_TYPES.get(name)
        help = (
            {"help": f"did you mean `{meant}`?", "near": meant}
            if meant in candidates
            else self.ctx.suggest(name, candidates)
        )
        self.ctx.report("N003", node.span, name=name, **help)
        return UNKNOWN


# ------------------------------------------------------------ parts of declarations
def plain_text(node: YamlScalar) -> RuleText:
    """The characters of a scalar as rule text, quotes left out."""
    quoted = node.style in ("single", "double")
    if node.style == "literal":
        return node.rule_text()
    return RuleText(node.text, node.span.source, ((0, node.span.start + (1 if quoted else 0)),))


KEY_SLOT = 0  # the local that is called `key` in what is worked out for each of the keys


def names_key(x: TypedExpr) -> bool:
    """Tell whether an expression in a `keyed_scope` depends on the key."""
    return any(isinstance(y, LocalExpr) and y.slot == KEY_SLOT for y in x.walk())


def _word(expr: n.Expr) -> YamlScalar:
    return YamlScalar(expr.span, expr.span.text, "plain", expr.span.text, True)


MOST_VALUES = 6  # so many words of an enumeration are named


class DeclarationParts(CheckerPart):
    """Reads the parts of declarations, and gathers labels until everything is declared."""

    def __init__(self, types: TypeExpressions) -> None:
        super().__init__(types.expressions)
        self.types = types
        self.labels: list[tuple[ZoneDef | VarDef, n.Template]] = []
        # that more than a word says; is it of the number?
        self.audiences: list[tuple[ZoneDef | VarDef, n.Audience, bool]] = []

    def literal(self, node: YamlNode, wanted: Type, scope: Scope, called: str = "value") -> TypedExpr:
        """A YAML value that must be one of `wanted`; `else:` in a map stands for all keys not named.

        `called` is what it is, in words.
        """
        if t.is_lost(wanted):  # nobody knows how a value of an unknown type is written
            return OperationExpr("unknown", t.UNKNOWN, node.span)
        base = wanted.base if isinstance(wanted, t.Optional) else wanted
        match node:
            case YamlScalar() if (
                isinstance(base, t.Text)
                and wanted is not base
                and node.style == "plain"
                and node.text in ("none", "")
            ):
                return ConstExpr(t.NOTHING, node.span, value=None)
            case YamlScalar() if isinstance(base, t.Text):
                return ConstExpr(t.TEXT, node.span, value=node.text)
            case YamlScalar():
                if node.value is None and node.text == "" and isinstance(wanted, t.Optional):
                    return ConstExpr(t.NOTHING, node.span, value=None)
                if not plain_text(node).text.strip():
                    return self.ctx.report(
                        "T030",
                        node.span,
                        problem=f"the {called} is missing",
                        wanted=wanted,
                        help=self.help_for_word(base),
                    )
                before = len(self.ctx.found)
                expr = self.ctx.read(parse_expression, plain_text(node), None)
                if expr is None:
                    if node.style == "plain" and {d.code for d in self.ctx.found[before:]} == {"P038"}:
                        # that it is no whole number was told when the file was read
                        del self.ctx.found[before:]
                        return OperationExpr("unknown", t.UNKNOWN, node.span)
                    is_plain = node.style == "plain" and all(
                        d.code in ("P001", "P009") and d.fix is None for d in self.ctx.found[before:]
                    )
                    if is_plain and t.is_scalar(base):
                        del self.ctx.found[before:]  # a cell of a table is no rule text to whoever wrote it
                        problem = f"`{node.text}` cannot be a value"
                        return self.ctx.report(
                            "T030",
                            node.span,
                            problem=problem,
                            wanted=wanted,
                            help=self.help_for_number(base, node.text),
                        )
                    return OperationExpr("unknown", t.UNKNOWN, node.span)
                if isinstance(base, (t.Map, t.Record)) and isinstance(expr, (n.MapLit, n.ListLit)):
                    return self.literal(self.as_yaml(expr), wanted, scope)
                return self.expressions.guard(self.expressions.check(expr, scope, wanted), wanted)
            case YamlSequence() if isinstance(base, t.Collection):
                items = tuple(self.literal(i, base.base, scope) for i in node.items)
                return self.expressions.guard(
                    OperationExpr("list", t.Collection(base.kind, base.base, bool(items)), node.span, items),
                    wanted,
                )
            case YamlMapping() if isinstance(base, t.Map):
                return self.literal_map(node, base, scope)
            case YamlSequence() if isinstance(base, t.Map):
                return self.literal_list(node, base, scope)
            case YamlMapping() if isinstance(base, t.Record):
                return self.literal_record(node, base, scope)
            case YamlSequence() if isinstance(base, t.Record):
                return self.literal_fields(node, base, scope)
        return self.ctx.report(
            "T030", node.span, problem="this cannot be a value", wanted=wanted, help=self.help_for_shape(base)
        )

    def help_for_word(self, kind: Type) -> str | None:
        """Say what may be written for a value of this type; `None` unless that is one word or number."""
        if isinstance(kind, t.Enum):
            values = self.program.enums[kind.name].values
            return (
                "write " + " or ".join(f"`{value}`" for value in values)
                if len(values) <= MOST_VALUES
                else f"write one word of `{kind.name}`"
            )
        return "write the number alone" if isinstance(kind, t.Int) else None

    def help_for_number(self, kind: Type, written: str) -> str | None:
        """The same for what is written there: the number in it alone."""
        number = re.search(r"-?\d+", written) if isinstance(kind, t.Int) else None
        return self.help_for_word(kind) if number is None else f"write the number alone: `{number.group()}`"

    def help_for_shape(self, kind: Type) -> str | None:
        """Say how a value of this type is written in YAML; for a record, with the names of its fields."""
        record = self.program.records.get(kind.name) if isinstance(kind, t.Record) else None
        if record is None:
            return shape_help(kind)
        fields = ", ".join(f"{name}: …" for name in record.fields)
        return f"write its fields: `{{{fields}}}`, or their values in this order"

    def as_yaml(self, expr: n.Expr) -> YamlNode:
        """Return the YAML node for a map or a list that is written in one piece of text, the cell of a
        table.
        """
        match expr:
            case n.MapLit():
                entries = {
                    key.span.text: (_word(key), self.as_yaml(value)) for key, value in reversed(expr.entries)
                }
                for key, _ in expr.entries:
                    if entries[key.span.text][0].span != key.span:
                        self.ctx.report("Y301", key.span, name=key.span.text)
                return YamlMapping(expr.span, tuple(reversed(entries.values())), True)
            case n.ListLit():
                return YamlSequence(expr.span, tuple(self.as_yaml(item) for item in expr.items), True)
        return _word(expr)

    def columns(
        self,
        cells: Cells,
        known: Collection[str],
        strange: dict[Span, Text],
        help: Callable[[str], dict[str, str]],
        owner: object,
    ) -> Iterator[tuple[str, YamlNode]]:
        """The cells of a row, each by its attribute.

        A column that is none is taken as the one that was probably meant, if the row has no other.

        `strange` keeps the columns that are none; each is reported once, however many rows it has.
        """
        own = {column.text for column, _ in cells}
        for column, node in cells:
            if column.text in known:
                yield column.text, node
                continue
            if column.span not in strange:
                strange[column.span] = column
                words: dict[str, Any] = help(column.text)
                fix = heading_fix(column, own, known)
                if fix is not None and words.pop("near", None) is not None:
                    words["fix"] = fix
                self.ctx.report("N002", column.span, name=column.text, type=f"`{owner}`", **words)
            meant = did_you_mean(column.text, known)
            if meant is not None and meant not in own:
                yield meant, node

    def literal_map(self, node: YamlMapping, wanted: t.Map, scope: Scope) -> TypedExpr:
        args: list[TypedExpr] = []
        other: TypedExpr | None = None
        for key, value in node.entries:
            if key.text == "else":
                other = self.literal(value, wanted.value, scope)
                continue
            args.append(self.literal(key, wanted.key, scope))
            args.append(self.literal(value, wanted.value, scope))
        if other is None:
            other = self.filling(wanted.value, node.span)
        if other is None and isinstance(wanted.key, t.Enum):
            given = {key.text for key, _ in node.entries}
            missing = [v for v in self.program.enums[wanted.key.name].values if v not in given]
            if (
                missing
                and not isinstance(wanted.value, (t.Optional, t.Unknown))
                and all(a.op != "unknown" for a in args)
            ):
                return self.ctx.report(
                    "F005",
                    node.span,
                    missing=", ".join(f"`{m}`" for m in missing),
                    help="name them, or write `else: …`",
                )
        return OperationExpr("map", wanted, node.span, tuple(args) if other is None else (*args, other))

    def literal_list(self, node: YamlSequence, wanted: t.Map, scope: Scope) -> TypedExpr:
        """A map as a list: a value for every key, in order; of the cells of a board perhaps as a list of its
        rows.
        """
        rows = (
            [i for i in node.items if isinstance(i, YamlSequence)] if isinstance(wanted.key, t.Cell) else []
        )
        if not rows or len(rows) != len(node.items):
            return MapRowsExpr(
                wanted, node.span, tuple(self.literal(i, wanted.value, scope) for i in node.items)
            )
        cells = tuple(self.literal(i, wanted.value, scope) for row in rows for i in row.items)
        return MapRowsExpr(wanted, node.span, cells, rows=tuple(len(row.items) for row in rows))

    def filling(self, kind: Type, span: Span) -> TypedExpr | None:
        """Return the value of the keys that a map does not name: 0, false or an empty collection; `None` for
        types without such a value.
        """
        match kind:
            case t.Int() if kind.low is None or kind.low <= 0:
                return ConstExpr(t.Int(0, 0), span, value=0)
            case t.Bool():
                return ConstExpr(t.BOOL, span, value=False)
            case t.Collection():
                return OperationExpr("list", t.Collection(kind.kind, t.NEVER), span)
        return None

    def literal_record(self, node: YamlMapping, wanted: t.Record, scope: Scope) -> TypedExpr:
        fields = self.program.records[wanted.name].fields
        strange = [key for key, _ in node.entries if key.text not in fields]
        for key in strange:
            self.ctx.report_unknown("N002", key.span, key.text, fields, type=wanted)
        args = []
        for name, kind in fields.items():
            value = node.get(name)
            if value is None:
                missing = OperationExpr("unknown", t.UNKNOWN, node.span)
                return (
                    missing
                    if strange
                    else self.ctx.report("T007", node.span, name=wanted.name, missing=f"`{name}`")
                )
            args.append(self.literal(value, kind, scope))
        return RecordExpr(wanted, node.span, tuple(args), name=wanted.name)

    def literal_fields(self, node: YamlSequence, wanted: t.Record, scope: Scope) -> TypedExpr:
        """A record as a list of the values of its fields, in their order."""
        fields = self.program.records[wanted.name].fields
        if len(node.items) != len(fields):
            given = arguments(len(node.items)) if node.items else "0 values"
            problem = f"{given} for {arguments(len(fields), 'field')} cannot be a value"
            return self.ctx.report(
                "T030", node.span, problem=problem, wanted=wanted, help=self.help_for_shape(wanted)
            )
        values = tuple(
            self.literal(item, kind, scope) for item, kind in zip(node.items, fields.values(), strict=True)
        )
        return RecordExpr(wanted, node.span, values, name=wanted.name)

    def static_scope(self) -> Scope:
        assert self.program.static is not None
        return Scope(self.program.static)

    def keyed_scope(self, name: str, span: Span, key: Type | None, always: bool = False) -> Scope | None:
        """Return the scope of an expression that is worked out for each key, which it names `key`; without
        the name if the ruleset uses it for something else.
        """
        if key is None:
            return None
        scope, p = Scope.of_its_own(f"each of {name}", "static", span, [("key", key)]), self.program
        values = (
            *(v for e in p.enums.values() for v in e.values),
            *(c for b in p.boards.values() for c in b.cells),
        )
        ids = (i for k in p.classes.values() for i, _, _ in k.rows)
        if not always and (self.names.describe("key") is not None or "key" in values or "key" in ids):
            del scope.names["key"]
        return scope

    def is_taken(self, name: str, span: Span, kind: str) -> bool:
        called = kind in ("definition", "window") and (
            name in AGGREGATES or name in FUNCTIONS or name == "original"
        )
        if called or is_reserved(name, kind, span):
            self.reserved(name, span)
            return True
        params = self.program.params
        for word, table in self.ctx.declared():
            if name in table and not (word == "type" and name in params and kind == "parameter"):
                self.ctx.report("N004", span, name=name, kind=word, labels=here(table[name]))
                self.ctx.ambiguous.add(name)
                self.ctx.lacks_names = True  # one of the two may have another name where it is used
                return True
        return False

    def reserved(self, name: str, span: Span) -> None:
        """Report a name that could not be used; where it is tried all the same, it is not called unknown."""
        self.ctx.report("N014", span, name=name)
        if not is_reserved(name, "value", span):
            self.ctx.dropped.add(name)
        self.ctx.lacks_names = True  # nobody knows what it is called where it is used

    def check_not_direction(self, name: Text, kind: Type) -> None:
        """Report a direction that is called like another: where a direction is wanted, the name is read as
        that one.
        """
        if t.DIRECTION in (kind, getattr(kind, "base", None)) and name.text in t.DIRECTIONS:
            help = f"where a direction is wanted, `{name.text}` is that direction: choose another name"
            self.ctx.report("N014", name.span, name=name.text, help=help)

    def check_value_names(self, names: Iterable[Text]) -> None:
        """Report the words among these that are no names: ids, cells, values of an enumeration."""
        for name in names:
            if is_reserved(name.text, "value", name.span):
                self.reserved(name.text, name.span)

    def storable_type(self, kind: Type, span: Span) -> Type:
        """A type whose values are kept; zones are places and cannot be."""
        inner = kind
        while isinstance(inner, (t.Optional, t.Collection, t.Map)):
            inner = inner.value if isinstance(inner, t.Map) else inner.base
        if isinstance(inner, t.Zone):
            self.ctx.report("T067", span, given=inner)
            return UNKNOWN
        return kind

    def has_default(self, kind: Type) -> bool:
        """Tell whether this type has a value that state begins with unless another is written."""
        if isinstance(kind, t.Map):
            return self.has_default(kind.value)
        if isinstance(kind, t.Int):
            return (kind.low or 0) <= 0 and (kind.high is None or kind.high >= 0)
        return isinstance(kind, (t.Optional, t.Collection, t.Bool, t.Unknown))

    def parse_type(self, leaf: Text) -> Type:
        return self.attribute(leaf, may_start=False)[0]

    def attribute(self, leaf: Text, *, may_start: bool = True) -> tuple[Type, n.Expr | None]:
        """The type of an attribute, and what a row without a value for it has."""
        decl = self.ctx.read(parse_declaration, leaf.rule, None)
        if decl is None:
            return UNKNOWN, None
        self.types.only_type(decl, may_start=may_start)
        return self.storable_type(self.types.type(decl.type, self.static_scope()), decl.type.span), decl.start

    def parse_static(self, leaf: Text, wanted: Type | None, scope: Scope | None = None) -> TypedExpr | None:
        """An expression that is worked out at set-up; what is not known then is reported once."""
        expr = self.ctx.read(parse_expression, leaf.rule, None)
        if expr is None:
            return None
        before = len(self.ctx.found)
        x = self.expressions.check(expr, scope or self.static_scope(), wanted)
        unknown_yet = [d for d in self.ctx.found[before:] if d.code == "T058"]
        self.ctx.found[before:] = [d for d in self.ctx.found[before:] if d.code != "T058"] + unknown_yet[:1]
        return x if unknown_yet else self.static_only(x)

    def static_value(self, node: n.Expr, kind: Type) -> TypedExpr:
        """A value of a declared type that is worked out at set-up."""
        return self.expressions.guard(
            self.static_only(self.expressions.check(node, self.static_scope(), kind)), kind
        )

    def static_only(self, x: TypedExpr) -> TypedExpr:
        bad = next((y for y in x.walk() if y.op in SETUP_ONLY), None)
        if bad is not None:
            self.ctx.report("T058", bad.span)
        return x

    # ------------------------------------------------------------ start values
    def start_value(self, node: n.Expr, kind: Type, *, by_key: bool = True) -> TypedExpr:
        """What begins with this value: of the declared type, or of the value of a map (then for every key,
        which it may name `key` where that counts `by_key`).
        """
        parameter = self.program.params.get(node.name) if isinstance(node, n.Name) else None
        whole = (
            isinstance(node, (n.MapLit, n.MapComp))
            or parameter is not None
            and self.is_as_deep(parameter.type, kind)
        )
        if not isinstance(kind, t.Map) or whole:
            return self.as_start(self.expressions.check(node, self.static_scope(), kind), kind)
        keyed = self.keyed_scope("a map", node.span, kind.key) if by_key else self.static_scope()
        assert keyed is not None
        x = self.expressions.check(node, keyed, self.inner(kind))
        if by_key and names_key(x) and not isinstance(x.type, t.Unknown):
            each = self.filled(self.expressions.guard(x, self.inner(kind)), kind.value)
            build = TreeBuilder(keyed.proc, node.span)
            x = build.map_over(kind, values_of(kind.key, node.span), build.local(KEY_SLOT), each)
        return self.as_start(x, kind)

    def is_as_deep(self, given: Type, kind: Type) -> bool:
        """Tell whether a parameter is a map with as many levels of keys as the state that begins with it, and
        so the whole of it.
        """
        while isinstance(given, t.Map) and isinstance(kind, t.Map):
            given, kind = given.value, kind.value
        return not isinstance(given, t.Map) and not isinstance(kind, t.Map)

    def inner(self, kind: Type) -> Type:
        while isinstance(kind, t.Map):
            kind = kind.value
        return kind

    def as_start(self, x: TypedExpr, kind: Type) -> TypedExpr:
        """What is known at set-up as a value of a type, of a map for every key."""
        x = self.static_only(self.expressions.zones_as_list(x))
        if isinstance(kind, t.Map) and not isinstance(x.type, (t.Map, t.Unknown)):
            return self.filled(self.expressions.guard(x, self.inner(kind)), kind)
        return self.expressions.guard(x, kind)

    def filled(self, x: TypedExpr, kind: Type) -> TypedExpr:
        """A map with one value for every key: an operand without a key of its own is the value of all keys
        not named.
        """
        return (
            OperationExpr("map", kind, x.span, (self.filled(x, kind.value),))
            if isinstance(kind, t.Map)
            else x
        )

    def document_start(self, doc: ResolvedRuleset) -> Span:
        source = doc.sources[0]
        return Span(source, 0, 0)

    def template(self, leaf: Text) -> n.Template:
        """Words of YAML with parts in braces."""
        return self.ctx.read(parse_template, plain_text(leaf.node), n.Template(leaf.span, (), ""))

    def parse_label(self, leaf: Text | None) -> n.Template | None:
        """The text of a `label:` of YAML."""
        return None if leaf is None else self.template(leaf)

    def add_label(self, thing: ZoneDef | VarDef, label: n.Template | None) -> None:
        if label is not None:
            self.labels.append((thing, label))

    def parse_audience(self, audience: Audience | None) -> n.Audience | None:
        """The rule of a `seen_by:` or `counted_by:` of YAML, if it is one."""
        return (
            None
            if audience is None or audience.rule is None
            else self.ctx.read(parse_audience, audience.rule.rule, None)
        )

    def add_audience(
        self, thing: ZoneDef | VarDef, audience: n.Audience | None, counts: bool = False
    ) -> None:
        if audience is not None:
            self.audiences.append((thing, audience, counts))

    def check_labels(self) -> None:
        """Check the texts gathered."""
        for thing, label in self.labels:
            own = self.own_names(thing)
            scope = Scope.of_its_own(f"label of {thing.name}", "label", label.span, own)
            thing.words = EventWords(self.expressions.check(label, scope), scope.proc)

    def heading(self, title: Text, outer: Sequence[LocalName]) -> Heading | None:
        """The title of a phase with parts in braces; `None` if it is just words."""
        if "{" not in title.text:
            return None
        proc = Proc(-1, f"title of {title.text}", "label", title.span)
        scope = Scope(proc)
        for o in outer:
            scope.declare(o.name, o.type, o.span)
        text = self.expressions.check(self.template(title), scope)
        return Heading(text, len(proc.slots))

    def own_names(self, thing: ZoneDef | VarDef) -> list[tuple[str, Type]]:
        if isinstance(thing, ZoneDef):
            return [] if thing.key is None else [("key", thing.key)]
        if isinstance(thing.type, t.Map):
            return [
                ("self" if thing.of_class is not None else "key", thing.type.key),
                ("value", thing.type.value),
            ]
        return [("value", thing.type)]


def heading_fix(column: Text, own: Collection[str], known: Collection[str]) -> Fix | None:
    """The fix of a misspelt heading of a CSV table, if it is the only one that means nothing, and only one
    attribute has no column.

    Quotes around the heading stay.
    """
    lacking, strange = set(known) - set(own), set(own) - set(known)
    meant = did_you_mean(column.text, known)
    span = column.span
    if not span.source.name.endswith(".csv") or lacking != {meant} or len(strange) > 1 or meant is None:
        return None
    inside = Span(span.source, span.start + 1, span.end - 1) if span.text.startswith('"') else span
    return Fix(inside, meant, f"write `{meant}`")
