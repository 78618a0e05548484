"""The meaning of a ruleset, apart from its words: the text whose hash says whether a game that was begun may
go on.

What actions, states and results depend on counts. Left out are titles, the words of options, conditions,
refusals, claims, reactions, announcements, zones and changes of state, the texts on components that no rule
reads, citations, and the titles of phases. Some words do decide, and count:

- the label of a component, where a rule names a component by it (`"ace"`) or where it is the value of a
  parameter;
- what a label shows, where components without ids are one option if they are called alike
  (`runtime/equal_components.py`);
- a text that is kept in a variable or given with a result.

Next to read: `canonical.py`, the form with all words.
"""

from __future__ import annotations

from croupier.kernel import types as t
from croupier.kernel.facts import Facts, Tells
from croupier.kernel.tree import (
    AttributeExpr,
    Choice,
    ColumnExpr,
    EmitStmt,
    LabelledExpr,
    LocalExpr,
    MenuOption,
    Named,
    TextExpr,
    TypedExpr,
    TypedStmt,
)
from croupier.semantics.canonical import FormWriter, spelling
from croupier.semantics.procedures import Hook, Proc
from croupier.semantics.program import (
    BoardDef,
    ClaimDef,
    ClassDef,
    EnumDef,
    ParamDef,
    PartDef,
    Program,
    RecordDef,
    VarDef,
    ZoneDef,
)
from croupier.semantics.walk import types_in

_WORDS: dict[type, frozenset[str]] = {
    # the last four are written in forms of their own
    Program: frozenset({"title", "row_cites", "classes", "enums", "invariants", "phases"}),
    ParamDef: frozenset({"valid"}),  # its conditions are written without their words
    ZoneDef: frozenset({"words"}),
    VarDef: frozenset({"words"}),
    RecordDef: frozenset({"shown_as", "sign"}),
    BoardDef: frozenset({"cell_labels"}),
    PartDef: frozenset({"cell_labels"}),
    ClaimDef: frozenset({"says"}),
    Named: frozenset({"text"}),
    Choice: frozenset({"label", "decline", "told", "told_decline"}),
    MenuOption: frozenset({"label", "told"}),
    Hook: frozenset({"label", "told"}),
    Proc: frozenset({"reads", "calls", "writes", "opens", "effect"}),  # its body says them
}
"""By class the fields that hold words, or that are worked out of others."""


def meaning_form(program: Program) -> str:
    """One text per meaning, whatever the words: equal texts play the same games with the same actions, states
    and results.
    """
    form = _MeaningWriter()
    form.program(program)
    return "".join(form.out)


class _MeaningWriter(FormWriter):
    """Writes the meaning of a program.

    What rules read by name is noted on the way, and decides which texts count at the end.
    """

    def __init__(self) -> None:
        super().__init__()
        self.read: set[str] = set()  # attributes and columns that rules read
        # classes of which a rule, or a value of a parameter, names a component by its label
        self.named: set[str] = set()

    def program(self, program: Program) -> None:
        """Write the rules, then the components and enumerations, of which the rules say what counts."""
        self.fields(program, (*_WORDS[Program], "cites"))
        for _, condition, proc, _ in program.invariants:
            self.write([condition, proc])
        self.write(list(program.phases.values()))
        for parameter in program.params.values():
            for kind in types_in(parameter.type, program):
                self.named |= kind.kinds if isinstance(kind, t.Component) else set()
        for of in program.classes.values():
            self.component(of)
        for enum in program.enums.values():
            self.enumeration(enum)

    def write(self, value: object) -> None:
        if isinstance(value, (str, int, tuple, list)) or value is None:
            super().write(value)
            return
        match value:
            case AttributeExpr() | ColumnExpr():
                self.read.add(value.name)
            case LabelledExpr():
                self.named |= value.type.kinds if isinstance(value.type, t.Component) else set()
            case Choice():
                self.read.update(value.merging)
        match value:
            case ParamDef():
                self.fields(value, (*_WORDS[ParamDef], "cites"))
                self.write([condition for _, condition in value.valid])
            case Proc(kind="phase"):
                self.fields(value, (*_WORDS[Proc], "cites", "name"))
            case EmitStmt(facts=Facts(tells=Tells.WORDS)):
                self.told(value)
            case TypedStmt():
                self.fields(value, ("cites",))
            case _ if type(value) in _WORDS or hasattr(value, "cites"):
                self.fields(value, (*_WORDS.get(type(value), ()), "cites"))
            case _:
                super().write(value)

    def told(self, statement: TypedStmt) -> None:
        """A statement that only tells something: to whom, not what."""
        self.out.append(f"S({spelling(statement)}")
        self.write([x for x in statement.args if not isinstance(x.type, t.Text)])
        self.out.append(")")

    # ------------------------------------------------------------ texts on components
    def component(self, kind: ClassDef) -> None:
        """A class of components, with its label where that decides what is named or what is alike."""
        has_copies = not kind.rows or any(id is None for id, _, _ in kind.rows)
        shown = set[str]()
        self.fields(kind, ("label", "rows"))
        if kind.name in self.named:
            self.write(kind.label)
        elif has_copies:
            self.label(kind.label)
        if (kind.name in self.named or has_copies) and kind.label is not None and kind.frame is not None:
            shown = {kind.frame.slots[x.slot] for x in kind.label.walk() if isinstance(x, LocalExpr)}
        for id, values, _ in kind.rows:
            self.write(id)
            self.write(
                {
                    name: x
                    for name, x in values.items()
                    if name in shown or self.is_read(name, kind.attributes)
                }
            )

    def label(self, label: TypedExpr | None) -> None:
        """Write what a label shows, and where words stand in it."""
        if not isinstance(label, TextExpr):
            self.write(label)
            return
        self.write([None if part is None else bool(part) for part in label.parts])
        self.write(label.args)

    def enumeration(self, enum: EnumDef) -> None:
        """An enumeration with what stands in its columns."""
        self.fields(enum, ("rows",))
        for value, columns in enum.rows.items():
            self.write(value)
            self.write({name: x for name, x in columns.items() if self.is_read(name, enum.columns)})

    def is_read(self, name: str, kinds: dict[str, t.Type]) -> bool:
        """Tell whether the values of an attribute or a column count; they do not if they are a text that no
        rule reads.
        """
        return name in self.read or not isinstance(kinds.get(name), t.Text)
