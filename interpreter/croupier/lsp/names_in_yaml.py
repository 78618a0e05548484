"""The names that could stand at a place of the YAML itself: what a variant sets, replaces, removes and adds to, rows and columns of tables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from croupier.diagnostics import Source
from croupier.lsp.analysis import real
from croupier.lsp.places import Place
from croupier.lsp.symbols import OWN_COLUMNS
from croupier.lsp.workspace import Workspace
from croupier.resolve.resolved import ResolvedRuleset
from croupier.source import Mapping, Scalar, Sequence, read

SECTIONS = {
    "types": "type", "parameters": "parameter", "components": "component", "zones": "zone", "boards": "board", "state": "state", "claims": "claim",
    "phases": "phase", "invariants": "invariant",
}  # fmt: skip
PARTS = ("values", "rows", "powers")
Name = tuple[str, str]
"""A name, and the kind of what it names."""


def names_at(workspace: Workspace, path: str, source: Source, place: Place) -> Iterator[Name]:
    """Each name that could stand at a place of a document whose text, with a hole at the cursor, is `source`."""
    keys = place.path
    here = _document(workspace, path)
    if keys[:1] == ("components",) and len(keys) > 2:
        yield from _of_component(here, place)
    if not place.variant:
        return
    for base in _bases(workspace, path, source):
        if place.on_key:
            yield from _changed(base, keys)
        else:
            yield from _named(base, keys, place)


def _of_component(doc: ResolvedRuleset | None, place: Place) -> Iterator[Name]:
    """Names in the declaration of a component: its attributes where they are listed, its ids where they have powers."""
    keys = place.path
    component = _find(doc.components, keys[1]) if doc is not None else None
    if component is None:
        return
    if keys[2:] in (("each", None), ("columns", None), ("rolls",)) and not place.on_key or keys[2:] == ("table", None) and place.on_key:
        yield from _columns(component, keys[2] == "table")
    elif keys[2:] == ("powers",) and place.on_key:
        yield from _ids(component)


def _changed(base: ResolvedRuleset, keys: tuple[str | None, ...]) -> Iterator[Name]:
    """Names as keys: of what a variant sets or replaces, and of that to which it adds or from which it removes parts."""
    if keys == ("set",):
        yield from _names(base.parameters, "parameter")
        return
    if len(keys) == 1 and keys[0] in SECTIONS:
        yield from _section(base, keys[0])
        return
    keys = keys[1:] if keys[:1] in (("add",), ("remove",)) else keys
    if keys in (("rows",), ("powers",)):
        yield from _names(base.components, "component")
    elif keys == ("values",):
        yield from _names(((name, form) for name, form in base.types if getattr(form, "values", ())), "type")
    elif keys[:1] in (("rows",), ("powers",)) and len(keys) in (2, 3):
        component = _find(base.components, keys[1])
        if component is not None and keys == ("powers", keys[1]):
            yield from _ids(component)
        elif component is not None and keys == ("rows", keys[1], None):
            yield from _columns(component, True)
    elif keys[:1] == ("values",) and keys[2:] == (None,):
        form = _find(base.types, keys[1])
        yield from _names(getattr(form, "attributes", ()), "attribute")


def _named(base: ResolvedRuleset, keys: tuple[str | None, ...], place: Place) -> Iterator[Name]:
    """Names as values: of what goes, of the phase beside which one comes in, of rows, and what a parameter may be set to."""
    match keys:
        case ("set", name):
            parameter = _find(base.parameters, name)
            yield from ((choice.text, "value") for choice in getattr(parameter, "one_of", None) or ())
            declared = getattr(parameter, "type", None)
            if declared is not None and declared.text == "bool":
                yield from (("true", "value"), ("false", "value"))
        case ("remove", str() as section, None) if section in SECTIONS:
            yield from _section(base, section)
        case ("remove", str() as part, owner, None) if part in PARTS:
            thing = _find(base.types if part == "values" else base.components, owner)
            if part == "values":
                yield from ((value.name.text, "value") for value in getattr(thing, "values", ()))
            elif thing is not None:
                yield from _ids(thing)
        case ("add", "phases", *_, "after" | "before"):
            yield from _section(base, "phases")
        case ("rows", owner, None, "id"):
            thing = _find(base.components, owner)
            if thing is not None:
                yield from _ids(thing)


# ---------------------------------------------------------------- what is declared
def _document(workspace: Workspace, path: str) -> ResolvedRuleset | None:
    analysis = workspace.last_good(path)
    return analysis.doc if analysis is not None else None


def _bases(workspace: Workspace, path: str, source: Source) -> Iterator[ResolvedRuleset]:
    """What a variant extends."""
    root, _ = read(source)
    extends = root.get("extends") if isinstance(root, Mapping) else None
    files = extends.items if isinstance(extends, Sequence) else (extends,)
    for file in files:
        if isinstance(file, Scalar) and file.text:
            doc = _document(workspace, real(os.path.join(os.path.dirname(path), file.text)))
            if doc is not None:
                yield doc


def _names(pairs: Iterable[tuple[Any, Any]], kind: str) -> Iterator[Name]:
    return ((name.text, kind) for name, _ in pairs)


def _section(base: ResolvedRuleset, section: str) -> Iterator[Name]:
    if section == "phases":
        yield from _phases(base.phases)
    else:
        yield from _names(getattr(base, section), SECTIONS[section])


def _phases(phases: Iterable[tuple[Any, Any]]) -> Iterator[Name]:
    for name, phase in phases:
        yield name.text, "phase"
        yield from _phases(phase.phases)


def _find(pairs: Iterable[tuple[Any, Any]], name: str | None) -> Any:
    return next((thing for key, thing in pairs if key.text == name), None)


def _columns(component: Any, table: bool) -> Iterator[Name]:
    yield from _names(component.attributes, "attribute")
    yield from ((name, "key") for name in OWN_COLUMNS if table)


def _ids(component: Any) -> Iterator[Name]:
    rows = component.table.rows if component.table is not None else ()
    for one in (*(component.ids or ()), *(row.id for row in rows if row.id is not None)):
        yield one.text, "id"
