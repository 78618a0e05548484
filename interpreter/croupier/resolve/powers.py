"""Powers of a variant: the rule text of pieces, by component and id; under no id it belongs to every piece."""

from __future__ import annotations

from dataclasses import replace

from croupier.diagnostics import Span
from croupier.resolve.overlay import Named, Overlay
from croupier.resolve.parts import Parts
from croupier.schema import Component, Text

Powers = tuple[tuple[Text | None, Text], ...]


def change_powers(over: Overlay, old: Named[Component], new: Named[Powers], added: Named[Powers], removed: Parts) -> Named[Component]:
    """The components with other powers of their pieces."""
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
        keep(name, None if component is None else _removed(over, name, component, ids))
    for name, powers in new:
        component = find(name)
        keep(name, None if component is None else _replaced(over, name, component, powers))
    for name, powers in added:
        component = find(name)
        keep(name, None if component is None else _added(over, name, component, powers))
    return tuple(components.values())


def _removed(over: Overlay, name: Text, component: Component, ids: tuple[Text, ...]) -> Component:
    for id in ids:
        known = _places(component)
        if id.text not in known:
            over.missing("powers", id, [k for k in known if k], "removes", name)
        else:
            over.note("removes", "powers", name, known[id.text], id)
            component = _with(component, id.text, None)
    return component


def _replaced(over: Overlay, name: Text, component: Component, powers: Powers) -> Component:
    for id, text in powers:
        known, key = _places(component), _key(id)
        if key not in known:
            over.missing("powers", id or name, [k for k in known if k], "replaces", name)
        else:
            over.note("replaces", "powers", name, known[key], id)
            component = _with(component, key, (id, text))
    return component


def _added(over: Overlay, name: Text, component: Component, powers: Powers) -> Component:
    for id, text in powers:
        known = _places(component)
        everybody = {name.text: known[""]} if "" in known else {}
        fresh = over.is_new("powers", id, known, name) if id is not None else over.is_new("powers", name, everybody)
        if fresh:
            component = component.model_copy(update={"powers": (*component.powers, (id, text))})
    return component


def _key(id: Text | None) -> str:
    return "" if id is None else id.text


def _places(component: Component) -> dict[str, Span]:
    """Where the powers of each piece stand; those of all pieces under an empty name."""
    return {_key(id): text.span for id, text in component.all_powers}


def _with(component: Component, key: str, powers: tuple[Text | None, Text] | None) -> Component:
    """The component with other powers of a piece, or without them: they stand under `powers` or in a row of the table."""
    own = [entry for entry in component.powers if _key(entry[0]) != key]
    table = component.table
    if table is not None:
        rows = tuple(replace(row, powers=None) if row.id is not None and row.id.text == key else row for row in table.rows)
        table = replace(table, rows=rows)
    return component.model_copy(update={"powers": (*own, *([powers] if powers is not None else [])), "table": table})
