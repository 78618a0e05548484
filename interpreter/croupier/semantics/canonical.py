"""Forms of a checked ruleset: the text that its hash is made of, shapes to be compared, and the typed tree as
text for people.

The canonical form is the same for any layout and comments, another for any other rule. The shape of a
ruleset, or of a part of one, is what it is but for spans: parts of equal shape mean the same, wherever they
are.

For people the typed tree is procedures with their slots, statements a line each with the author's line in
front, expressions in brackets. A local is written `name.slot`, a suspension point `#point`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Sequence
from dataclasses import is_dataclass
from typing import Any, TypeAlias

from croupier.diagnostics import Source, Span
from croupier.kernel import types as t
from croupier.kernel.tree import (
    DETAILS,
    AssignStmt,
    CallExpr,
    CellExpr,
    Choice,
    ChooseStmt,
    CompExpr,
    ComponentExpr,
    ConstExpr,
    DrawStmt,
    EmitStmt,
    EnumExpr,
    FinishStmt,
    ForEachStmt,
    ForSecondsStmt,
    IfStmt,
    LetStmt,
    LocalExpr,
    MapCompExpr,
    MatchStmt,
    MenuData,
    MenuStmt,
    MoveStmt,
    OpenStmt,
    RepeatStmt,
    RollStmt,
    SecretlyStmt,
    SoThatStmt,
    SupposeStmt,
    TextExpr,
    TypedExpr,
    TypedStmt,
    text_template,
)
from croupier.semantics.procedures import Hook, Proc
from croupier.semantics.program import Program
from croupier.semantics.walk import given

# ---------------------------------------------------------------- the canonical form
# names of fields in the text: hashes that were recorded stay
_SPELLED = {"effect": "colour", "suspension_point": "point"}
_NOT_HASHED = {
    "leaks",
    "span",
    "doc",
    "resolved",
    "cited",
    "rule_ids",
    "node",
    "node_",
    "tried",
    "static",
    "text",
    "players_default",
    "switches",
}


# fields that are no part of the form where they say nothing
_IF_GIVEN = {
    "back",
    "cell_attributes",
    "cell_labels",
    "cell_values",
    "count_sight",
    "shown_as",
    "sign",
    "told",
    "told_decline",
}


def canonical_form(program: Program) -> str:
    """One text per meaning and wording: field by field in the order of declaration; sets sorted."""
    form = FormWriter()
    form.write(program)
    return "".join(form.out)


def expression_form(x: TypedExpr) -> str:
    """One text per meaning of an expression that no rule reads, which the form of its program leaves out."""
    form = FormWriter()
    form.write(x)
    return "".join(form.out)


def spelling(s: TypedStmt) -> str:
    """What the hash and dumps call a statement: hashes that were recorded know some sugar by its word."""
    if isinstance(s, ForEachStmt) and s.endless:
        return "turns"
    return "announce" if isinstance(s, EmitStmt) and s.readers is None else s.op


_OF_STATEMENTS = ("cites", "cites="), ("suspension_point", "point="), ("suspends", "suspends=")


class _FormParts(dict[type, tuple[tuple[str, str], ...] | None]):
    """A map from a type to the fields of a dataclass that count, each with its text; `None` for other
    types.
    """

    def __missing__(self, kind: type) -> tuple[tuple[str, str], ...] | None:
        if issubclass(kind, TypedExpr):
            return ("op", "op="), ("type", "type="), ("args", "args="), ("details", "data=")
        if issubclass(kind, TypedStmt):
            return (
                ("op", "op="),
                ("args", "args="),
                ("blocks", "blocks="),
                ("details", "data="),
                *_OF_STATEMENTS,
            )
        fields = dataclasses.fields(kind) if is_dataclass(kind) else ()
        meant = (
            [f.name for f in fields if f.name not in _NOT_HASHED and "derived" not in f.metadata]
            if is_dataclass(kind)
            else None
        )
        self[kind] = (
            None if meant is None else tuple((name, _SPELLED.get(name, name) + "=") for name in meant)
        )
        return self[kind]


_PARTS = _FormParts()


class FormWriter:
    """Writes values as text, of each class the fields that count; `out` is what was written."""

    def __init__(self) -> None:
        self.out: list[str] = []

    def write(self, value: object) -> None:
        """Write a value with all that is in it."""
        out = self.out
        kind = type(value)
        if kind is str or kind is int or kind is bool or value is None:
            out.append(repr(value))
            return
        if kind is Span:
            return
        if _PARTS[kind] is not None:
            self.fields(value, ())
        elif isinstance(value, (list, tuple)):
            out.append("[")
            for v in value:
                self.write(v)
                out.append(",")
            out.append("]")
        elif isinstance(value, dict):
            out.append("{")
            for k, v in value.items():
                self.write(k)
                out.append(":")
                self.write(v)
                out.append(";")
            out.append("}")
        elif isinstance(value, (set, frozenset)):
            out.append("{" + ",".join(sorted(map(repr, value))) + "}")
        else:
            out.append(repr(value))

    def fields(self, value: object, without: Collection[str]) -> None:
        """Write the fields of a value of a class, `without` some."""
        if isinstance(value, Proc) and value.origin is not None:
            value = value.origin
        kind, out = type(value), self.out
        if issubclass(kind, TypedExpr):
            name = "X"
        elif issubclass(kind, TypedStmt):
            name = "S"
        else:
            name = kind.__name__
        out.append(f"{name}(")
        for name, text in _PARTS[kind] or ():
            part = getattr(value, name)
            if name == "op" and isinstance(value, TypedStmt):
                part = spelling(value)
            if name not in without and (part or name not in _IF_GIVEN):
                out.append(text)
                self.write(part)
                out.append(";")
        out.append(")")


# ---------------------------------------------------------------- shapes
_PLAIN = frozenset({str, int, bool, float, type(None), type})
# what no set-up and no analysis of rules reads
_LEFT_OUT = {"doc", "node", "tried", "cites", "heading", "groups", "live", "origin"}
_DECLARED = (
    "players",
    "players_by",
    "players_default",
    "limits",
    "enums",
    "records",
    "classes",
    "boards",
    "params",
    "zones",
    "vars",
    "claims",
)


class _Fields(dict[type, tuple[str, ...] | None]):
    """A map from a class of data to the names of the fields that count; `None` for other classes."""

    def __missing__(self, kind: type) -> tuple[str, ...] | None:
        self[kind] = (
            tuple(f.name for f in dataclasses.fields(kind) if f.name not in _LEFT_OUT)
            if is_dataclass(kind)
            else None
        )
        return self[kind]


_FIELDS = _Fields()


class Shapes:
    """Shapes of values, to be compared with others; with or without the `bounds` of numbers."""

    def __init__(self, *, bounds: bool) -> None:
        self.bounds = bounds
        # shapes of types by their identity, with the types themselves so that they stay alive
        self._types: dict[int, tuple[object, object]] = {}

    def of(self, value: Any, spans: list[Span] | None = None) -> Any:  # noqa: ANN401 - values of all classes
        """The shape of a value.

        `spans` takes in the spans that are left out, in an order that values of one shape share.
        """
        kind = value.__class__
        if kind in _PLAIN:
            return value
        if issubclass(kind, TypedExpr):
            return self._expression(value, spans)
        if kind is Span:
            if spans is not None:
                spans.append(value)
            return Span
        if kind is Source:
            return Source
        if isinstance(value, (tuple, list)):
            return (kind, *[v if v.__class__ in _PLAIN else self.of(v, spans) for v in value])
        if isinstance(value, dict):
            return tuple([(self.of(k, spans), self.of(v, spans)) for k, v in value.items()])
        if isinstance(value, (set, frozenset)):
            return frozenset([self.of(v) for v in value])
        if kind is t.Int and not self.bounds:
            return kind
        names = _FIELDS[kind]
        if names is None:
            return repr(value)
        parts = [getattr(value, name) for name in names]
        return (kind, *[part if part.__class__ in _PLAIN else self.of(part, spans) for part in parts])

    def _expression(self, value: TypedExpr, spans: list[Span] | None) -> tuple[object, ...]:
        """The shape of an expression: what each part of it is, how many operands it has, its type and its
        details.
        """
        found: list[object] = []
        left = [value]
        while left:
            x = left.pop()
            if spans is not None:
                spans.append(x.span)
            args = x.args
            known = self._types.get(id(x.type))
            found += (x.op, len(args), self._type(x.type) if known is None else known[1])
            names = DETAILS[x.__class__]
            if names:
                parts = [getattr(x, name) for name in names]
                found += [part if part.__class__ in _PLAIN else self.of(part, spans) for part in parts]
            left += args
        return tuple(found)

    def _type(self, kind: object) -> object:
        """The shape of a type, which never changes; the spans of its bounds do not count."""
        if len(self._types) >= _MOST_TYPES:
            self._types.clear()
        shape = self.of(kind)
        self._types[id(kind)] = kind, shape
        return shape


_MOST_TYPES = 10_000
shape = Shapes(bounds=True).of
outline = Shapes(bounds=False).of
"""The shape without the bounds of numbers."""


def declared(program: Program) -> Any:  # noqa: ANN401 - values of all classes
    """The shape of what a program declares, with the types of all locals: whatever a set-up reads."""
    slots = [(proc.slots, shape(proc.slot_types)) for proc in program.procs]
    return (*[shape(getattr(program, name)) for name in _DECLARED], slots)


_SEEN = {
    "zones": ("kinds", "key", "order", "seen_by", "counted_by", "live", "words", "sight", "count_sight"),
    "vars": ("type", "seen_by", "of_class", "words", "sight"),
    "claims": ("says", "slots", "fields", "condition", "frame"),
    "classes": ("attributes", "mutable", "live_anywhere", "back", "frame"),
    "records": ("fields",),
}


def visibility_of(program: Program) -> object:
    """The outline of what an analysis of information flow reads of declarations: who sees what, what holds
    components, what backs show.

    How many there are of a thing, where it begins and which values a parameter has is no part of it.
    """
    found = []
    for section, names in _SEEN.items():
        things = getattr(program, section)
        named = (
            [(thing.name, thing) for thing in things] if isinstance(things, list) else list(things.items())
        )
        found.append(
            (section, [(name, [outline(getattr(thing, field)) for field in names]) for name, thing in named])
        )
    return found


def signature(proc: Proc) -> object:
    """The outline of what others see of a procedure."""
    return (
        proc.name,
        proc.kind,
        outline(proc.params),
        outline(proc.returns),
        proc.nested,
        frozenset(proc.calls),
        frozenset(proc.opens),
    )


def listeners(program: Program) -> object:
    """The outline of hooks and watchers without their bodies."""
    hooks = [
        outline([getattr(h, name) for name in _FIELDS[h.__class__] or () if name != "proc"]) + (h.proc.index,)
        for h in program.hooks
    ]
    return hooks, [(outline(w.value), w.kind, w.slot, w.proc.index) for w in program.watchers]


# ------------------------------------------------------------ the typed tree for people
WIDE = 110  # longer expressions are spread over lines


class Printer:
    """Prints the parts of one procedure."""

    def __init__(self, program: Program, proc: Proc) -> None:
        self.program, self.proc = program, proc

    def slot(self, number: int) -> str:
        return f"{self.proc.slots[number]}.{number}" if 0 <= number < len(self.proc.slots) else "-"

    # ------------------------------------------------------------ expressions
    def head(self, x: TypedExpr) -> str:
        """The operation and its data."""
        match x:
            case LocalExpr():
                return self.slot(x.slot)
            case ConstExpr():
                return _constant(x.value)
            case EnumExpr():
                return f"{x.enum}.{x.name}"
            case ComponentExpr():
                return f"{x.kind}.{x.name}"
            case CellExpr():
                return f"{x.board}.{x.name}"
            case TextExpr():
                return "text " + repr(text_template(x))
            case CallExpr():
                return f"{x.op} {self.program.procs[x.proc].name}"
            case CompExpr():
                return (
                    f"{x.name} for {' '.join(map(self.slot, x.slots))}"
                    + (" if" if x.has_condition else "")
                    + (" by" if x.has_key else "")
                )
            case MapCompExpr():
                return f"map_comp for {' '.join(map(self.slot, x.slots))}" + (
                    " if" if x.has_condition else ""
                )
        details = x.details
        if details is None:
            return x.op
        data = " ".join(map(str, details)) if isinstance(details, tuple) else details
        return f"{x.op} {data}"

    def inline(self, x: TypedExpr) -> str:
        head = self.head(x)
        if isinstance(x, (LocalExpr, ConstExpr, EnumExpr, ComponentExpr, CellExpr)):
            return head
        return f"({' '.join([head, *(self.inline(a) for a in x.args)])})"

    def expression(self, x: TypedExpr, indent: int, label: str, typed: bool = True) -> Iterator[str]:
        text = self.inline(x)
        kind = f" : {x.type}" if typed else ""
        lead = f"{x.span.line:>5}  {'  ' * indent}{label + ' ' if label else ''}"
        if len(text) <= WIDE or not x.args:
            yield lead + text + kind
            return
        yield lead + "(" + self.head(x) + kind
        for i, a in enumerate(x.args):
            lines = list(self.expression(a, indent + 1, "", False))
            if i == len(x.args) - 1:
                lines[-1] += ")"
            yield from lines

    # ------------------------------------------------------------ statements
    def block(self, block: list[TypedStmt], indent: int) -> Iterator[str]:
        for s in block:
            yield from self.statement(s, indent)

    def statement(self, s: TypedStmt, indent: int) -> Iterator[str]:
        words, xs, blocks = parts(self, s)
        point = "" if s.suspension_point is None else f" #{s.suspension_point}"
        cites = " @" + ",".join(s.cites) if s.cites else ""
        said = " ".join(word for word in (spelling(s) + point, *words) if word)
        yield f"{s.span.line:>5}  {'  ' * indent}{said}{cites}"
        for label, x in xs:
            if x is not None:
                yield from self.expression(x, indent + 1, label)
        for label, block in blocks:
            if block:
                if label:
                    yield f"{'':>5}  {'  ' * (indent + 1)}{label}:"
                yield from self.block(block, indent + (2 if label else 1))

    def procedure(self) -> Iterator[str]:
        p = self.proc
        facts = [
            p.kind,
            p.effect,
            *([f"nested {p.nested}"] if p.nested is not None else []),
            f"returns {p.returns}",
        ]
        yield f"procedure {p.index} {p.name}: {', '.join(facts)}"
        for i, kind in enumerate(p.slot_types):
            param = next((q for q in p.params if q.slot == i), None)
            note = ""
            if param is not None:
                note = " (var parameter)" if param.var else " (parameter)"
            yield f"         slot {self.slot(i)}: {kind}{note}"
        for point, live in p.live.items():
            yield f"         live at #{point}: {' '.join(map(self.slot, live)) or '-'}"
        yield from self.block(p.body, 1)


Parts: TypeAlias = (
    "tuple[list[str], Sequence[tuple[str, TypedExpr | None]], list[tuple[str, list[TypedStmt]]]]"
)


def _constant(value: object) -> str:
    """A constant as the dump writes it."""
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else repr(value)


def parts(p: Printer, s: TypedStmt) -> Parts:
    """The words, expressions and blocks of a statement."""
    words, xs, blocks = _parts(p, s)
    return words, xs if s.words is None else [*xs, ("told as", s.words)], blocks


def _parts(p: Printer, s: TypedStmt) -> Parts:
    plain = [("", x) for x in s.args]
    match s:
        case LetStmt():
            return [p.slot(s.slot)], plain, []
        case AssignStmt():
            return [], [("to", s.args[0]), ("value", s.args[1])], []
        case IfStmt():
            return [], plain, [("then", s.blocks[0]), ("else", s.blocks[1])]
        case MatchStmt():
            rows = [(f"case {i}", x) for i, row in enumerate(s.rows) for x in row]
            names = [f"case {i}" for i in range(len(s.rows))] + ["else"]
            return [], [*plain, *rows], list(zip(names, s.blocks, strict=False))
        case ForEachStmt():
            xs = list(zip(("in", "if"), s.args, strict=False))
            return [p.slot(s.slot), "items", p.slot(s.items), "at", p.slot(s.cursor)], xs, [("", s.blocks[0])]
        case RepeatStmt():
            return [], [("until", x) for x in s.args], [("", s.blocks[0])]
        case SoThatStmt():
            within = [] if s.within is None else ["within", str(s.within)]
            return [p.slot(s.slot), *within], plain, [("", s.blocks[0]), ("else", s.blocks[1])]
        case SupposeStmt():
            return [p.slot(s.slot)], [("gives", s.args[0])], [("", s.blocks[0])]
        case ForSecondsStmt():
            return [s.otherwise], plain, [("", s.blocks[0])]
        case SecretlyStmt():
            return [p.slot(s.slot)], plain, [("", s.blocks[0])]
        case DrawStmt():
            return (
                ["left", p.slot(s.left), "as", p.slot(s.drawn)],
                list(zip(("count", "from", "to", "at bottom"), s.args, strict=False)),
                [],
            )
        case RollStmt():
            return [s.attribute, "left", p.slot(s.left)], plain, []
        case MoveStmt():
            return ["at", s.place], list(zip(("what", "to"), s.args, strict=True)), []
        case OpenStmt():
            return (
                [p.program.procs[s.window].name],
                [("to", s.args[0]), *(("with", x) for x in s.args[1:])],
                [],
            )
        case FinishStmt():
            return [s.result], plain, []
        case ChooseStmt():
            return choice(p, s.choice, s)
        case MenuStmt():
            return menu(p, s.menu, s)
    return [], plain, [("", b) for b in s.blocks]


def choice(p: Printer, c: Choice, s: TypedStmt) -> Parts:
    """A `choose` in words, with its expressions and blocks."""
    slots = [("item", c.item), ("every", c.every), ("picked", c.picked), ("whole", c.cursor)]
    may = "may" if c.optional else ""
    several = "several" if c.many else ""
    words = [may, several, p.slot(c.slot), "by", c.chooser]
    words += [f"{name} {p.slot(i)}" for name, i in slots if i is not None and i >= 0]
    words += ["merging " + " ".join(c.merging)] if c.merging else []
    words += [f"or {c.decline!r}"] if c.decline is not None else []
    xs: list[tuple[str, TypedExpr | None]] = [
        ("weighing" if c.chooser == "chance" else "by", c.by), ("from", c.source), ("where", c.where),
        ("at least", c.low), ("at most", c.high),
        ("such that", c.such_that), ("as", c.label), ("told", c.told), ("or told", c.told_decline),
        *((f"only if {q.text!r}", q.value) for q in c.conditions),
    ]  # fmt: skip
    return words, xs, [("then", s.blocks[0]), ("else", s.blocks[1])]


def menu(p: Printer, d: MenuData, s: TypedStmt) -> Parts:
    """A menu in words, with its expressions and blocks."""
    xs: list[tuple[str, TypedExpr | None]] = [("by", s.args[0])]
    for i, o in enumerate(d.options):
        xs += [(f"option {i}", o.label), ("  told", o.told)]
        xs += [(f"  for {p.slot(slot)} in", source) for slot, source in zip(o.slots, o.sources, strict=True)]
        xs += [("  if", o.condition), *((f"  only if {q.text!r}", q.value) for q in o.conditions)]
    window = [] if d.window is None else ["with", p.program.procs[d.window].name]
    xs += [("with", x) for x in d.window_args]
    names = [f"option {i}" for i in range(len(d.options))] + ["else"]
    return window, xs, list(zip(names, s.blocks, strict=True))


def hook_lines(program: Program, h: Hook) -> Iterator[str]:
    """A hook and what it listens to, a line each."""
    p = Printer(program, h.proc)
    whose = "the rules" if h.component is None else f"{h.component[0]} {h.component[1] or ''}".strip()
    yield f"hook {h.index} of {whose}: {h.kind} {program.procs[h.target].name}, runs {h.proc.index}"
    for a in h.args:
        name = program.procs[h.target].params[a.param].name
        if a.slot is not None:
            yield f"         {name} as {p.slot(a.slot)}"
        elif a.fixed is not None:
            yield from p.expression(a.fixed, 1, f"{name} is")
    for label, x in (("if", h.guard), ("as", h.label), ("told", h.told)):
        if x is not None:
            yield from p.expression(x, 1, label)


def dump_typed(program: Program) -> str:
    """The typed tree of a program."""
    out: list[str] = []
    for proc in program.procs:
        out += [*Printer(program, proc).procedure(), ""]
    for h in program.hooks:
        out += [*hook_lines(program, h), ""]
    for w in program.watchers:
        at = "" if w.slot is None else f" as {Printer(program, w.proc).slot(w.slot)}"
        out += [
            f"watcher {w.index}: {w.kind}{at}, runs {w.proc.index}",
            *Printer(program, w.proc).expression(w.value, 1, ""),
            "",
        ]
    for title, frame, xs in _standing(program):
        p = Printer(program, frame)
        out += [title, *(line for x in xs for line in p.expression(x, 1, "")), ""]
    return "\n".join(out)


def _standing(program: Program) -> Iterator[tuple[str, Proc, list[TypedExpr]]]:
    """What stands in no procedure: its title, its frame, its expressions."""
    for name, x, proc, _ in program.invariants:
        yield f"invariant {name}", proc, [x]
    for policy in program.policies.values():
        for weight in policy.weights:
            yield f"policy {policy.name}, {weight.key}", weight.frame, [weight.value]
    for measure in program.measures.values():
        yield f"measure {measure.name}", measure.frame, [measure.value]
    for c in program.claims:
        yield f"claim {c.name}", c.frame or Proc(-1, c.name, "claim", c.span), given(c.says, c.condition)
