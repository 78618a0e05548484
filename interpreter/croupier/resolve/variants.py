"""Merge a variant with what it extends, section by section: parameters are set, declarations replaced, added
and removed.

What does not exist cannot be replaced or removed, and what exists cannot be added: each has a diagnostic of
its own. A row or a value that is replaced keeps the cells that the variant does not name; rows written as
lists have the columns of the base. Phases are replaced by name wherever they stand; no two have the same name
(N004), and of a ruleset where two do, the first one is meant. Powers, the rule text of components, are named
by component and id; under no id they belong to every component.

A replacement keeps the type of what it replaces. Two types are compatible if they differ in bounds and
capacities only: most rules for `0..9` are right for `0..99`, and the checker finds the others. Texts that
cannot be parsed are compatible: their mistakes are reported elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TypeVar

from croupier.diagnostics import Diagnostic, Fix, Label, Span, diagnose, did_you_mean
from croupier.records import dataclass
from croupier.resolve.documents import Loaded, RuleEntry
from croupier.resolve.modules import use_modules
from croupier.resolve.resolved import Change, DefinitionsText, Kind, Layer, ResolvedRuleset
from croupier.resolve.revisions import revise
from croupier.schema import (
    AddedPhase,
    Additions,
    Alias,
    Board,
    Cells,
    Component,
    Dropped,
    Enumeration,
    Findings,
    Limits,
    Parameter,
    Phase,
    Players,
    RecordType,
    Removals,
    Row,
    StateVariable,
    Table,
    TableLook,
    Text,
    Value,
    VariantDoc,
    Zone,
)
from croupier.schema.declaration import is_added
from croupier.schema.shapes import clause_name
from croupier.schema.values import least_cells, read_row, with_rows
from croupier.source import YamlNode
from croupier.syntax import nodes as n
from croupier.syntax import parse_declaration

# ------------------------------------------------------------ does a replacement keep its type?
NUMBER = "number"


def check_compatible(name: Text, new: object, old: object) -> Diagnostic | None:
    """The diagnostic for a replacement of another type, at its type, with a label at the base's type."""
    mine, theirs = _kind(new), _kind(old)
    if mine is None or theirs is None or mine[0] == theirs[0]:
        return None
    labels = (Label(theirs[2], "the type to keep"),)
    return diagnose("V106", mine[2], labels=labels, name=name.text, wanted=theirs[1], given=mine[1])


def declared_names(thing: object) -> set[str]:
    """The names that a declaration gives to rules besides its own: values, fields, words, attributes, ids,
    cells.
    """
    match thing:
        case Enumeration():
            return {value.name.text for value in thing.values} | {name.text for name, _ in thing.attributes}
        case RecordType():
            return {name.text for name, _ in thing.record}
        case Parameter():
            return {word.text for word in thing.one_of or ()}
        case Component():
            rows = () if thing.table is None else thing.table.rows
            ids = {row.id.text for row in rows if row.id is not None} | {id.text for id in thing.ids or ()}
            return ids | {name.text for name, _ in (*thing.attributes, *thing.mutable)}
        case Board():
            return {cell.text for cell in thing.cells or ()}
    return set()


def _kind(thing: object) -> tuple[object, str, Span] | None:
    """A type to compare, in words, and where it stands."""
    match thing:
        case Zone():
            per = "" if thing.per is None else f" per {thing.per.text}"
            return (
                (frozenset(thing.holds.text.split(" or ")), per),
                f"a zone of {thing.holds.text}{per}",
                thing.holds.span,
            )
        case StateVariable():
            text = thing.declaration or thing.type
            return None if text is None else _written_type(text)
        case Parameter():
            if thing.one_of is not None:
                return "one_of", "one of some words", thing.one_of[0].span
            return None if thing.type is None else _written_type(thing.type)
        case Enumeration():
            return "values", "a choice of names", thing.span
        case RecordType():
            return "record", "a record", thing.span
        case Alias():
            return _written_type(thing.type)
    return None


def _written_type(text: Text) -> tuple[object, str, Span] | None:
    declared, _ = parse_declaration(text.rule)
    if declared is None:
        return None
    return shape(declared.type), f"`{declared.type.span.text}`", declared.type.span


def shape(kind: n.TypeExpr) -> object:
    """Return what two types must have in common."""
    match kind:
        case n.TypeName(name=name):
            return NUMBER if name == "int" else name
        case n.RangeType():
            return NUMBER
        case n.KindsType(kinds=kinds):
            return frozenset(k.name for k in kinds)
        case n.OptionalType(base=base):
            return "optional", shape(base)
        case n.CollectionType(kind=word, base=base):
            return word, shape(base)
        case n.PerType(value=value, key=key):
            return "per", shape(value), shape(key)
    return kind


# ------------------------------------------------------------ a variant over its base
# ---------------------------------------------------------------- one section
T = TypeVar("T")
S = TypeVar("S", Players, Text | None)
Named = tuple[tuple[Text, T], ...]


@dataclass
class Overlay:
    """The changes of one variant, and what is wrong.

    `lost`: names whose declarations could not be read; `unread`: those that a variant would replace;
    `refused`: those that replace nothing.
    """

    lost: set[tuple[str, str]]
    unread: tuple[Dropped, ...] = ()
    changes: list[Change] = field(default_factory=list)
    refused: list[Dropped] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)

    def section(
        self,
        section: str,
        old: Named[T],
        new: Named[T],
        added: Named[T] = (),
        removed: Iterable[Text] | None = (),
    ) -> Named[T]:
        """The entries of a section after a variant's changes, in the base's order, what is added at the
        end.
        """
        kept = self.without(section, old, removed)
        known = {name.text: (name, thing) for name, thing in kept}
        self.misspelt(section, [name.text for name, _ in old])
        mine = {}
        for name, thing in new:
            if name.text not in known:
                self.missing(section, name, known)
                continue
            problem = check_compatible(name, thing, known[name.text][1])
            if problem is not None:
                self.problems.append(problem)
                continue
            gone = tuple(sorted(declared_names(known[name.text][1]) - declared_names(thing)))
            self.changes.append(
                Change("replaces", section, name.text, name.span, known[name.text][0].span, gone=gone)
            )
            mine[name.text] = (name, thing)
        fresh = [
            (name, thing)
            for name, thing in added
            if self.is_new(section, name, {n.text: n.span for n, _ in kept})
        ]
        return (*(mine.get(name.text, (name, thing)) for name, thing in kept), *fresh)

    def without(self, section: str, old: Named[T], removed: Iterable[Text] | None) -> Named[T]:
        """The entries of a section without those that are removed."""
        gone = self.removed(section, {name.text: name.span for name, _ in old}, removed or ())
        return tuple((name, thing) for name, thing in old if name.text not in gone)

    def removed(
        self, section: str, known: Mapping[str, Span], names: Iterable[Text], of: Text | None = None
    ) -> set[str]:
        """The names among some that are there to be removed; the others are reported."""
        gone = set()
        for name in names:
            if name.text not in known:
                self.missing(section, name, known, "removes", of)
            else:
                self.note("removes", section, of or name, known[name.text], None if of is None else name)
                gone.add(name.text)
        return gone

    def is_new(self, section: str, name: Text, known: dict[str, Span], of: Text | None = None) -> bool:
        """Tell whether a name can be added; a name that is there is reported."""
        if name.text in known:
            where = _describe_section(section, of)
            help = f"to replace it, write it under `{section}:` of the file, not under `add:`"
            label = Label(known[name.text], "it stands here")
            self.problems.append(
                diagnose("V105", name.span, name=name.text, section=where, help=help, labels=(label,))
            )
            return False
        self.note("adds", section, of or name, None, name if of is not None else None)
        return True

    def misspelt(self, section: str, known: Sequence[str]) -> None:
        """Report declarations that could not be read if their names are nearly those of the base: with the
        right name they may lack nothing else.
        """
        for drop in self.unread:
            nearest = (
                did_you_mean(drop.name, known) if drop.section == section and drop.name not in known else None
            )
            if nearest is not None:
                fix = Fix(drop.span, nearest, f"write `{nearest}`", safe=False)
                help = f"did you mean `{nearest}`?"
                self.problems.append(
                    diagnose(
                        "V104",
                        drop.span,
                        name=drop.name,
                        section=_describe_section(section, None),
                        help=help,
                        fix=fix,
                    )
                )

    def missing(
        self, section: str, name: Text, known: Iterable[str], kind: Kind = "replaces", of: Text | None = None
    ) -> None:
        """Report a name that should be there and is not, unless its declaration could not be read."""
        if (section, name.text) in self.lost:
            return
        names = sorted(known)
        nearest = did_you_mean(name.text, names)
        fix = None if nearest is None else Fix(name.span, nearest, f"write `{nearest}`", safe=False)
        listed = ", ".join(f"`{other}`" for other in names)
        if nearest is not None:
            help = f"did you mean `{nearest}`?"
        else:
            help = f"there are {listed}" if names else "the ruleset has none"
            if kind == "replaces":
                help += f"; to add something, write it under `add: {{{section}: …}}`"
        self.problems.append(
            diagnose(
                "V104", name.span, name=name.text, section=_describe_section(section, of), help=help, fix=fix
            )
        )
        if kind == "replaces" and of is None:
            self.refused.append(Dropped(section, name.text, name.span))

    def note(self, kind: Kind, section: str, name: Text, base: Span | None, part: Text | None = None) -> None:
        """Remember a change."""
        self.changes.append(
            Change(kind, section, name.text, (part or name).span, base, None if part is None else part.text)
        )

    def note_part(
        self, kind: Kind, section: str, name: str, span: Span, base: Span | None, part: str
    ) -> None:
        """Remember a change of a part of a definition or a phase."""
        self.changes.append(Change(kind, section, name, span, base, part))

    def whole(self, section: str, old: S, new: S | None) -> S:
        """The variant's section if it has one, else the base's."""
        if new is None:
            return old
        base = None if old is None else old.span
        self.changes.append(Change("adds" if base is None else "replaces", section, section, new.span, base))
        return new


def _describe_section(section: str, of: Text | None) -> str:
    return f"`{section}`" if of is None else f"`{section}: {of.text}`"


# ---------------------------------------------------------------- parameters
def _change_parameters(
    over: Overlay, parameters: Named[Parameter], settings: Named[YamlNode]
) -> Named[Parameter]:
    """The parameters with the defaults that the variant sets."""
    values = {name.text: node for name, node in settings}
    known = {name.text: name for name, _ in parameters}
    for name, _ in settings:
        if name.text in known:
            over.note("sets", "parameters", name, known[name.text].span)
        elif ("parameters", name.text) not in over.lost:
            nearest = did_you_mean(name.text, sorted(known))
            fix = None if nearest is None else Fix(name.span, nearest, f"write `{nearest}`", safe=False)
            listed = (
                "the parameters are " + ", ".join(f"`{other}`" for other in sorted(known))
                if known
                else "the ruleset has none"
            )
            help = listed if nearest is None else f"did you mean `{nearest}`?"
            over.problems.append(diagnose("V103", name.span, help=help, fix=fix, name=name.text))
    changed = []
    for name, parameter in parameters:
        if name.text in values:
            parameter = parameter.model_copy(update={"default": values[name.text]})
        changed.append((name, parameter))
    return tuple(changed)


# ---------------------------------------------------------------- attributes
Types = Named[Enumeration | RecordType | Alias]
Attributes = tuple[tuple[Text, Text], ...]
ATTRIBUTES = (
    ("components", "attributes"),
    ("components", "mutable"),
    ("types", "attributes"),
    ("types", "record"),
)


def _change_attributes(
    over: Overlay, types: Types, components: Named[Component], changed: Named[Attributes]
) -> tuple[Types, Named[Component]]:
    """The types and components with other types of some attributes; each keeps what it is, but for its
    bounds.
    """
    for name, attributes in changed:
        section = "types" if any(known.text == name.text for known, _ in types) else "components"
        entries: Sequence[tuple[Text, object]] = types if section == "types" else components
        owner = next((thing for known, thing in entries if known.text == name.text), None)
        if owner is None:
            over.missing("attributes", name, {known.text for known, _ in (*types, *components)}, "removes")
            continue
        for attribute, written in attributes:
            new = _with_attribute(over, section, name, owner, attribute, written)
            owner = owner if new is None else new
        if isinstance(owner, Component):
            components = tuple(
                (known, owner if known.text == name.text else thing) for known, thing in components
            )
        else:
            assert isinstance(owner, Enumeration | RecordType | Alias)
            types = tuple((known, owner if known.text == name.text else thing) for known, thing in types)
    return types, components


def _with_attribute(
    over: Overlay, section: str, name: Text, owner: object, attribute: Text, written: Text
) -> object | None:
    """The type or component class with another type of one attribute; None, and a report, where it has no
    such one or one of another kind.
    """
    known: dict[str, tuple[str, Text]] = {}
    for place, key in ATTRIBUTES:
        for each, text in getattr(owner, key, None) or () if place == section else ():
            known[each.text] = key, text
    if attribute.text not in known:
        over.missing("attributes", attribute, known, "removes", name)
        return None
    key, old = known[attribute.text]
    mine, theirs = _written_type(written), _written_type(old)
    if mine is not None and theirs is not None and mine[0] != theirs[0]:
        labels = (Label(theirs[2], "the type to keep"),)
        over.problems.append(
            diagnose("V106", mine[2], labels=labels, name=attribute.text, wanted=theirs[1], given=mine[1])
        )
        return None
    over.note_part("replaces", section, name.text, attribute.span, old.span, attribute.text)
    entries = getattr(owner, key)
    assert isinstance(owner, Component | Enumeration | RecordType)
    return owner.model_copy(
        update={
            key: tuple((each, written if each.text == attribute.text else text) for each, text in entries)
        }
    )


# ---------------------------------------------------------------- rows of component tables, values of
# enumerations
Parts = tuple[tuple[Text, tuple[Text, ...]], ...]


# ---------------------------------------------------------------- rows
def _change_rows(
    over: Overlay, old: Named[Component], new: Named[Table], added: Named[Table], removed: Parts
) -> Named[Component]:
    """The components with other rows in their tables."""
    components = {name.text: (name, component) for name, component in old}
    for name, ids in removed:
        table = _table_of(over, components, name, "removes")
        if table is not None:
            _with_table(
                components,
                name,
                replace(table, rows=_rows_without(over, name, table.rows, ids)),
                without={id.text for id in ids},
            )
    for name, changed in new:
        table = _table_of(over, components, name, "replaces")
        if table is not None:
            _with_table(
                components,
                name,
                replace(table, rows=_rows_replaced(over, name, table.rows, _read_rows(over, changed, table))),
            )
    for name, changed in added:
        table = _table_of(over, components, name, "adds")
        if table is not None:
            _with_table(
                components,
                name,
                replace(table, rows=_rows_added(over, name, table.rows, _read_rows(over, changed, table))),
            )
    return tuple(components.values())


def _table_of(
    over: Overlay, components: dict[str, tuple[Text, Component]], name: Text, kind: str
) -> Table | None:
    """The table of a component; says so if there is none."""
    if name.text not in components:
        over.missing("components", name, components, "removes")
        return None
    table = components[name.text][1].table
    if table is None:
        over.problems.append(
            diagnose("V110", name.span, name=name.text, what="table", part="rows", section="components")
        )
    return table


def _with_table(
    components: dict[str, tuple[Text, Component]], name: Text, table: Table, without: Collection[str] = ()
) -> None:
    """Give a component class its table; the powers of removed components are removed."""
    own, component = components[name.text]
    powers = tuple((id, text) for id, text in component.powers if id is None or id.text not in without)
    components[name.text] = (own, component.model_copy(update={"table": table, "powers": powers}))


def _read_rows(over: Overlay, changed: Table, base: Table) -> tuple[Row, ...]:
    """The rows as written, with the base's columns; those of a CSV file have been read."""
    if changed.file is not None:
        return changed.rows
    findings = Findings()
    table = with_rows(changed, base.columns, findings)
    over.problems += findings.diagnostics
    return table.rows


def _rows_without(over: Overlay, name: Text, rows: Sequence[Row], ids: Sequence[Text]) -> tuple[Row, ...]:
    gone = over.removed("rows", {row.id.text: row.id.span for row in rows if row.id is not None}, ids, name)
    return tuple(row for row in rows if row.id is None or row.id.text not in gone)


def _rows_replaced(over: Overlay, name: Text, rows: Sequence[Row], new: Sequence[Row]) -> tuple[Row, ...]:
    known = {row.id.text: row for row in rows if row.id is not None}
    mine = {}
    for row in new:
        if row.id is None:
            over.problems.append(diagnose("V111", row.span))
        elif row.id.text not in known:
            over.missing("rows", row.id, known, "replaces", name)
        else:
            old = known[row.id.text]
            over.note("replaces", "rows", name, old.span, row.id)
            cells = _merge_cells(old.cells, row.cells)
            mine[row.id.text] = replace(
                row,
                cells=cells,
                powers=row.powers or old.powers,
                doc=row.doc or old.doc,
                cites=row.cites or old.cites,
            )
    return tuple(row if row.id is None else mine.get(row.id.text, row) for row in rows)


def _rows_added(over: Overlay, name: Text, rows: Sequence[Row], new: Sequence[Row]) -> tuple[Row, ...]:
    known = {row.id.text: row.id.span for row in rows if row.id is not None}
    fresh = []
    for row in new:
        if row.id is None:
            over.note("adds", "rows", name, None)
        if row.id is None or over.is_new("rows", row.id, known, name):
            fresh.append(row)
    return (*rows, *fresh)


def _merge_cells(old: Cells, new: Cells) -> Cells:
    named = {column.text: (column, cell) for column, cell in new}
    kept = tuple(named.pop(column.text, (column, cell)) for column, cell in old)
    return (*kept, *named.values())


# ---------------------------------------------------------------- values
def _change_values(
    over: Overlay, old: Types, new: Named[tuple[Value, ...]], added: Named[tuple[Value, ...]], removed: Parts
) -> Types:
    """The types with other values."""
    types = {name.text: (name, form) for name, form in old}
    for name, ids in removed:
        form = _enumeration(over, types, name)
        if form is not None:
            gone = over.removed(
                "values", {value.name.text: value.name.span for value in form.values}, ids, name
            )
            _with_values(types, name, form, tuple(v for v in form.values if v.name.text not in gone))
    for name, values in new:
        form = _enumeration(over, types, name)
        if form is not None:
            by_name = {value.name.text: value for value in form.values}
            mine = {}
            for value in _read_values(over, form, values):
                if value.name.text not in by_name:
                    over.missing("values", value.name, by_name, "replaces", name)
                else:
                    base = by_name[value.name.text]
                    over.note("replaces", "values", name, base.span, value.name)
                    mine[value.name.text] = replace(value, cells=_merge_cells(base.cells, value.cells))
            _with_values(types, name, form, tuple(mine.get(v.name.text, v) for v in form.values))
    for name, values in added:
        form = _enumeration(over, types, name)
        if form is not None:
            known = {value.name.text: value.name.span for value in form.values}
            fresh = [
                v for v in _read_values(over, form, values) if over.is_new("values", v.name, known, name)
            ]
            _with_values(types, name, form, (*form.values, *fresh))
    return tuple(types.values())


def _enumeration(
    over: Overlay, types: dict[str, tuple[Text, Enumeration | RecordType | Alias]], name: Text
) -> Enumeration | None:
    if name.text not in types:
        over.missing("types", name, types, "removes")
        return None
    form = types[name.text][1]
    if not isinstance(form, Enumeration):
        over.problems.append(
            diagnose("V110", name.span, name=name.text, what="list of values", part="values", section="types")
        )
        return None
    return form


def _read_values(over: Overlay, form: Enumeration, values: Sequence[Value]) -> list[Value]:
    """The values with their columns read."""
    columns, findings, read = tuple(name for name, _ in form.attributes), Findings(), []
    least = least_cells(columns, form.attributes)
    for value in values:
        row = None
        if value.written is not None:
            row = findings.attempt(
                lambda node, findings: read_row(node, columns, findings, ("doc", "cites"), least),
                value.written,
            )
        if row is not None:
            value = replace(value, cells=row.cells, doc=row.doc, cites=row.cites)
        read.append(replace(value, written=None))
    over.problems += findings.diagnostics
    return read


def _with_values(
    types: dict[str, tuple[Text, Enumeration | RecordType | Alias]],
    name: Text,
    form: Enumeration,
    values: tuple[Value, ...],
) -> None:
    types[name.text] = (types[name.text][0], form.model_copy(update={"values": values}))


# ---------------------------------------------------------------- powers
Powers = tuple[tuple[Text | None, Text], ...]


def _change_powers(
    over: Overlay, old: Named[Component], new: Named[Powers], added: Named[Powers], removed: Parts
) -> Named[Component]:
    """The component classes with changed powers."""
    components = {name.text: (name, component) for name, component in old}

    def keep(name: Text, component: Component | None) -> None:
        if component is not None:
            components[name.text] = (components[name.text][0], component)

    def find(name: Text) -> Component | None:
        if name.text in components:
            return components[name.text][1]
        over.missing("components", name, components, "removes")
        return None

    for name, ids in removed:
        component = find(name)
        keep(name, None if component is None else _powers_removed(over, name, component, ids))
    for name, powers in new:
        component = find(name)
        keep(name, None if component is None else _powers_replaced(over, name, component, powers))
    for name, powers in added:
        component = find(name)
        keep(name, None if component is None else _powers_added(over, name, component, powers))
    return tuple(components.values())


def _powers_removed(over: Overlay, name: Text, component: Component, ids: tuple[Text, ...]) -> Component:
    for id in ids:
        known = _power_spans(component)
        if id.text not in known:
            over.missing("powers", id, [k for k in known if k], "removes", name)
        else:
            over.note("removes", "powers", name, known[id.text], id)
            component = _with_powers(component, id.text, None)
    return component


def _powers_replaced(over: Overlay, name: Text, component: Component, powers: Powers) -> Component:
    for id, text in powers:
        known, key = _power_spans(component), _power_key(id)
        if key not in known:
            over.missing("powers", id or name, [k for k in known if k], "replaces", name)
        else:
            over.note("replaces", "powers", name, known[key], id)
            component = _with_powers(component, key, (id, text))
    return component


def _powers_added(over: Overlay, name: Text, component: Component, powers: Powers) -> Component:
    for id, text in powers:
        known = _power_spans(component)
        everybody = {name.text: known[""]} if "" in known else {}
        fresh = (
            over.is_new("powers", id, known, name)
            if id is not None
            else over.is_new("powers", name, everybody)
        )
        if fresh:
            component = component.model_copy(update={"powers": (*component.powers, (id, text))})
    return component


def _power_key(id: Text | None) -> str:
    return "" if id is None else id.text


def _power_spans(component: Component) -> dict[str, Span]:
    """The spans of the powers by id; those of all components of the class under an empty name."""
    return {_power_key(id): text.span for id, text in component.all_powers}


def _with_powers(component: Component, key: str, powers: tuple[Text | None, Text] | None) -> Component:
    """The component class with the powers of an id replaced, or removed (None): they stand under `powers` or
    in a row of the table.
    """
    own = [entry for entry in component.powers if _power_key(entry[0]) != key]
    table = component.table
    if table is not None:
        rows = tuple(
            replace(row, powers=None) if row.id is not None and row.id.text == key else row
            for row in table.rows
        )
        table = replace(table, rows=rows)
    return component.model_copy(
        update={"powers": (*own, *([powers] if powers is not None else [])), "table": table}
    )


# ---------------------------------------------------------------- phases
Phases = tuple[tuple[Text, Phase], ...]
PhasePath = tuple[int, ...]


def _change_phases(
    over: Overlay,
    old: Phases,
    new: Phases,
    added: tuple[tuple[Text, AddedPhase], ...],
    removed: Iterable[Text] | None,
) -> Phases:
    """The phases after a variant's changes: removals first, then replacements, then additions."""
    emptied: dict[str, str | None] = {}  # what was removed as the last phase of a group, or of all
    for name in removed or ():
        at = _find_phase(over, old, name, "removes")
        if at is not None:
            over.note("removes", "phases", name, _phase_at(old, at)[0].span)
            if len(_phase_at(old, at[:-1])[1].phases if at[1:] else old) == 1:
                emptied[name.text] = _phase_at(old, at[:-1])[0].text if at[1:] else None
            old = _with_phases(old, at, ())
    for name, phase in new:
        at = _find_phase(over, old, name, "replaces")
        if at is not None:
            over.note("replaces", "phases", name, _phase_at(old, at)[0].span)
            old = _with_phases(old, at, ((name, phase),))
    for name, phase in added:
        known: dict[str, Span] = {other.text: other.span for _, other in _walk_phases(old)}
        if not over.is_new("phases", name, known):
            continue
        near = phase.after or phase.before
        at = None if near is None else _find_phase(over, old, near, "removes")
        if near is None:
            old = (*old, (name, phase))
        elif at is not None:
            old = _put(old, at, name, phase)
    for name in removed or ():
        if name.text in emptied and (
            not old if emptied[name.text] is None else _is_empty_group(old, emptied[name.text])
        ):
            group = emptied[name.text]
            place, help = (
                ("`phases`", "replace it by another phase")
                if group is None
                else (f"the group `{group}`", f"remove `{group}` as a whole")
            )
            over.problems.append(
                diagnose(
                    "D004", name.span, place=place, help=f"{help}, or write another one under `add: phases:`"
                )
            )
    return old


def _put(phases: Phases, at: PhasePath, name: Text, phase: AddedPhase) -> Phases:
    """The phases with one more before or behind the one at a path; of several that are put behind the same
    one, an earlier one comes first.
    """
    near = phase.after
    if near is not None:
        beside = phases if len(at) == 1 else _phase_at(phases, at[:-1])[1].phases
        while at[-1] + 1 < len(beside) and _is_put_behind(beside[at[-1] + 1][1], near):
            at = (*at[:-1], at[-1] + 1)
    here = _phase_at(phases, at)
    return _with_phases(phases, at, ((name, phase), here) if near is None else (here, (name, phase)))


def _is_put_behind(phase: Phase, near: Text) -> bool:
    return isinstance(phase, AddedPhase) and phase.after is not None and phase.after.text == near.text


def _is_empty_group(phases: Phases, name: str | None) -> bool:
    """Tell whether there is a group of that name with no phase left in it."""
    return any(
        group.text == name and not (at := _phase_at(phases, path)[1]).phases and at.text is None
        for path, group in _walk_phases(phases)
    )


def _find_phase(over: Overlay, phases: Phases, name: Text, kind: str) -> PhasePath | None:
    found = [(path, other) for path, other in _walk_phases(phases) if other.text == name.text]
    if not found:
        over.missing(
            "phases",
            name,
            {other.text for _, other in _walk_phases(phases)},
            "replaces" if kind == "replaces" else "removes",
        )
        return None
    return found[0][0]


def _walk_phases(phases: Phases, path: PhasePath = ()) -> Iterator[tuple[PhasePath, Text]]:
    for i, (name, phase) in enumerate(phases):
        yield (*path, i), name
        yield from _walk_phases(phase.phases, (*path, i))


def _phase_at(phases: Phases, path: PhasePath) -> tuple[Text, Phase]:
    name, phase = phases[path[0]]
    return (name, phase) if len(path) == 1 else _phase_at(phase.phases, path[1:])


def _with_phases(phases: Phases, path: PhasePath, instead: Phases) -> Phases:
    """The phases with those at a path replaced."""
    i = path[0]
    name, phase = phases[i]
    if len(path) > 1:
        instead = (
            (name, phase.model_copy(update={"phases": _with_phases(phase.phases, path[1:], instead)})),
        )
    return (*phases[:i], *instead, *phases[i + 1 :])


# ---------------------------------------------------------------- the whole
def merge(
    base: ResolvedRuleset, variant: Loaded, document: VariantDoc
) -> tuple[ResolvedRuleset, list[Diagnostic]]:
    """The merged ruleset, and the diagnostics of changes to what the base does not have."""
    dropped = (*base.dropped, *variant.dropped)
    unread = tuple(drop for drop in variant.dropped if not is_added(drop.span, variant.node))
    over = Overlay({(drop.section, drop.name) for drop in dropped}, unread)
    add, remove = document.add or Additions.model_construct(), document.remove or Removals.model_construct()
    types = over.section("types", base.types, document.types, add.types, remove.types)
    components = over.section(
        "components", base.components, variant.components, variant.added_components, remove.components
    )
    types, components = _change_attributes(over, types, components, document.attributes)
    components = _change_rows(over, components, variant.rows, variant.added_rows, remove.rows)
    parameters = over.section(
        "parameters", base.parameters, document.parameters, add.parameters, remove.parameters
    )
    invariants = over.without(
        "invariants", base.invariants, _each_clause(base.invariants, remove.invariants or ())
    )
    policies = over.without("policies", base.policies, remove.policies)
    measures = over.without("measures", base.measures, remove.measures)
    phases = _change_phases(over, base.phases, document.phases, add.phases, remove.phases)
    definitions, phases = revise(
        over, base.definitions, phases, remove.definitions or (), [text for _, text in document.definitions]
    )
    sentences, removed_rules = _change_rule_list(over, base, variant, remove.rule_list)
    merged = replace(
        base,
        name=document.ruleset.text if document.ruleset is not None else variant.place.path.stem,
        path=variant.place.path,
        root=variant.place.root,
        variant_of=base.name,
        doc=document.doc or base.doc,
        title=document.title.text if document.title is not None else base.title,
        players=over.whole("players", base.players, document.players),
        limits=_change_limits(base.limits, document.limits),
        types=_change_values(over, types, document.values, add.values, remove.values),
        parameters=_change_parameters(over, parameters, document.set),
        components=_change_powers(over, components, document.powers, add.powers, remove.powers),
        zones=over.section("zones", base.zones, document.zones, add.zones, remove.zones),
        boards=over.section("boards", base.boards, document.boards, add.boards, remove.boards),
        state=over.section("state", base.state, document.state, add.state, remove.state),
        definitions=definitions
        + tuple(DefinitionsText(title, text, True) for title, text in document.definitions),
        claims=over.section("claims", base.claims, document.claims, add.claims, remove.claims),
        phases=phases,
        scoring=over.whole("scoring", base.scoring, document.scoring),
        invariants=_new_or_replaced(over, "invariants", invariants, document.invariants, add.invariants),
        policies=_new_or_replaced(over, "policies", policies, document.policies, add.policies),
        measures=_new_or_replaced(over, "measures", measures, document.measures, add.measures),
        table=_with_looks(base.table, document.table),
        rule_list=sentences,
        removed_rules=removed_rules,
        settings=document.set,
        sources=(*variant.sources, *(source for source in base.sources if source not in variant.sources)),
        dropped=(*dropped, *over.refused),
        cites=(*base.cites, *document.cites),
        base=base,
        extends=extends_span(document),
        changes=tuple(over.changes),
        own_sources=tuple(variant.sources),
        parts=(),
    )
    below = frozenset(layer.key for layer in base.layers)
    merged, more = use_modules(merged, document.uses, variant, len(base.definitions))
    layer = Layer(variant, document, tuple(over.changes), (*over.problems, *more), below)
    return replace(merged, layers=(*base.layers, layer)), [*over.problems, *more]


def _change_rule_list(
    over: Overlay, base: ResolvedRuleset, variant: Loaded, removed: Iterable[Text] | None
) -> tuple[dict[str, RuleEntry], frozenset[str]]:
    """The sentences of the rules after a variant's changes, and the ids of those that are removed.

    Its own stand instead of those of their ids.
    """
    here = {id: entry.span for id, entry in base.rule_list.items()}
    # another variant may remove the same sentence
    names = (name for name in removed or () if name.text not in base.removed_rules)
    gone = over.removed("rule_list", here, names)
    kept = {id: entry for id, entry in base.rule_list.items() if id not in gone}
    return {**kept, **variant.rules}, (base.removed_rules | gone) - variant.rules.keys()


def extends_span(document: VariantDoc) -> Span:
    """Return the span of what a variant extends."""
    first, last = document.extends[0], document.extends[-1]
    return first.span if first is last else first.span.to(last.span)


def _new_or_replaced(over: Overlay, section: str, old: Named[T], new: Named[T], added: Named[T]) -> Named[T]:
    """Invariants, policies and measures may be added like this as well as under `add`: they change no
    game.
    """
    known = {name.text for name, _ in old}
    replaced = tuple((name, thing) for name, thing in new if name.text in known)
    extra = tuple((name, thing) for name, thing in new if name.text not in known)
    return over.section(section, old, replaced, (*extra, *added))


def _each_clause(known: Named[Text], removed: Iterable[Text]) -> Iterator[Text]:
    """The names of conditions: that under which several stand means all of them."""
    names = [name.text for name, _ in known]
    for name in removed:
        clauses = [each for each in names if each.startswith(clause_name(name.text, ""))]
        if name.text in names or not clauses:
            yield name
        else:
            yield from (Text(replace(name.node, text=clause)) for clause in clauses)


def _with_looks(old: TableLook | None, new: TableLook | None) -> TableLook | None:
    """Return the look of the base on a table, with that of a variant laid over it: value by value, zone by
    zone.
    """
    if old is None or new is None:
        return new or old
    looks = {kind.text: dict(values) for kind, values in old.values}
    names = {kind.text: kind for kind, _ in (*old.values, *new.values)}
    for kind, values in new.values:
        mine = {value.text for value, _ in values}
        kept = {value: look for value, look in looks.get(kind.text, {}).items() if value.text not in mine}
        looks[kind.text] = {**kept, **dict(values)}
    return old.model_copy(
        update={
            "values": tuple((names[kind], tuple(values.items())) for kind, values in looks.items()),
            "large": _laid_over(old.large, new.large),
            "together": _laid_over(old.together, new.together),
            "details": new.details or old.details,
        }
    )


def _laid_over(old: Named[T], new: Named[T]) -> Named[T]:
    mine = {name.text for name, _ in new}
    return (*((name, thing) for name, thing in old if name.text not in mine), *new)


def _change_limits(old: Limits | None, new: Limits | None) -> Limits | None:
    if old is None or new is None:
        return new or old
    return old.model_copy(
        update={name: value for name in Limits.model_fields if (value := getattr(new, name))}
    )
