"""Definitions, windows, hooks and watchers in words: one item of a list each, with its steps below it.

A definition with an explanation (`doc`) is told by it, and where it does something by its steps as well; one
that only works out a value has no steps beside its explanation. An `end when` is told in the section on the
end (`ends.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from croupier.authoring.rulebook.document import Line, ListItem, Telling, TextRun, line
from croupier.authoring.rulebook.steps import Known, at_any_time, quoted, steps, thing, window_words
from croupier.authoring.rulebook.wording import name, sentence
from croupier.diagnostics import Span
from croupier.syntax import nodes as n

MOMENTS = {"before": "Before ", "after": "After ", "instead": "Instead of ", "adjust": "The value of "}


def told_item(item: n.Item, known: Known) -> Iterator[ListItem]:
    """Yield the words for what no sentence of a rule tells of a definition, window, hook or watcher; nothing
    if there is no such thing.
    """
    own = (Telling(item.span, "step"),)
    match item:
        case n.Def():
            yield from _definition(item, known)
        case n.Window() if item.span not in known.covered:
            yield ListItem(_window(item), tells=own)
        case n.Hook() | n.Watch():
            inside = tuple(steps(item.body, known))
            if inside or not any(span in known.covered for span in _spans(item)):
                yield ListItem((*_head(item), TextRun(":")), inside, tells=own)
        case n.AnyTime():
            told = at_any_time(item, known)
            if told.items:
                yield ListItem(told.line, told.items, tells=own)


def _definition(item: n.Def, known: Known) -> Iterator[ListItem]:
    """Yield the explanation of a definition, and its steps where it does something or has none."""
    called = TextRun(name(item.name), "strong")
    inside = tuple(steps(item.body, replace(known, is_procedure=item.name in known.acting)))
    if item.doc:
        inside = inside if item.name in known.acting else ()
        spans = (item.span,) if item.name in known.acting else tuple(_spans(item))
        tells = tuple(Telling(span, "doc") for span in spans if span not in known.covered)
        yield ListItem(line(called, f": {sentence(item.doc)}"), inside, tells=tells)
        return
    own = (Telling(item.span, "step"),)
    if inside:
        yield ListItem(line(called, _parameters(item), ":"), inside, tells=own)
    elif not any(span in known.covered for span in _spans(item)):
        yield ListItem(line(called, _parameters(item), ": nothing, unless another rule says so."), tells=own)


def _spans(node: n.Node) -> Iterator[Span]:
    """The places of a definition, hook or watcher and of every statement and option in it."""
    return (part.span for part in n.walk(node) if isinstance(part, n.Item | n.Stmt))


def _parameters(item: n.Def | n.Window) -> str:
    """The parameters of a definition or window, in brackets; empty if it has none."""
    names = ", ".join(name(param.name) for param in item.params)
    return f" ({names})" if names else ""


def _window(item: n.Window) -> Line:
    """The words for a window: when it is open, others may react."""
    order = "; all reactions happen, in any order" if item.in_any_order else ""
    depth = f"; to reactions one may react {item.nested} deep" if item.nested is not None else ""
    return line(
        TextRun(name(item.name), "strong"), f"{_parameters(item)}: a moment for reactions{order}{depth}."
    )


def _head(item: n.Hook | n.Watch) -> Line:
    """The words for when a hook, a reaction or a watcher acts."""
    if isinstance(item, n.Watch):
        now = f" to {name(item.name)}" if item.name is not None else ""
        each = f", for any {name(item.key)}" if item.key is not None else ""
        return line("Whenever ", thing(item.value), f" changes{now}{each}")
    where = () if item.guard is None else (", if ", thing(item.guard))
    called = window_words(item.pattern.name, item.pattern.args)
    if item.kind == "reaction":
        reaction = () if item.label is None else (", one may choose ", quoted(item.label))
        return line("As a reaction to ", *called, *where, *reaction)
    was = f" is no longer {name(item.result)}" if item.result is not None else ""
    return line(MOMENTS[item.kind], *called, was, *where)
