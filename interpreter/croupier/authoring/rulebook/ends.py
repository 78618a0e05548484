"""The ends of the game that no sentence of a rule tells, each under the condition nearest to it: those of
phases, definitions, hooks and powers, and what `end when` waits for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from croupier.authoring.rulebook.document import Line, ListItem, Telling, line
from croupier.authoring.rulebook.steps import Known, finish_words, quoted, steps, thing
from croupier.authoring.rulebook.wording import joined
from croupier.syntax import nodes as n


def ends_of_item(item: n.Item, known: Known) -> Iterator[ListItem]:
    """Yield the ends of the game in a definition, hook or watcher."""
    match item:
        case n.EndWhen():
            yield from _end_when(item, known)
        case n.AnyTime():
            yield from _of_options(item.options, known)
        case n.Def() | n.Hook() | n.Watch():
            yield from ends_of_block(item.body, (), known)


def _end_when(item: n.EndWhen, known: Known) -> Iterator[ListItem]:
    """Yield when the game is over at once, and what is done then."""
    inside = tuple(steps(item.body, replace(known, is_end=True)))
    if not inside:
        return
    own = (Telling(item.span, "step"),)
    head = line("As soon as ", thing(item.condition), ":")
    if len(inside) == 1 and not inside[0].items:
        yield ListItem((*head, *line(" ", *inside[0].line)), tells=(*own, *inside[0].tells))
    else:
        yield ListItem(head, inside, tells=own)


def ends_of_block(block: Iterable[n.Stmt], condition: Line, known: Known) -> Iterator[ListItem]:
    """Yield the ends of the game in a block and in the blocks within it; `condition` is the nearest around
    the block.
    """
    for s in block:
        if isinstance(s, n.Finish) and s.span not in known.covered:
            words = finish_words(s)
            yield ListItem(
                (*condition, *line(": ", *words)) if condition else words, tells=(Telling(s.span, "step"),)
            )
        for inner, held in _blocks(s, condition):
            yield from ends_of_block(inner, held, known)
        if isinstance(s, n.Menu):
            yield from _of_options(s.options, known)


def _of_options(options: Iterable[n.Option | n.OptionGroup], known: Known) -> Iterator[ListItem]:
    """Yield the ends of the game in options."""
    for option in n.leaves(tuple(options)):
        yield from ends_of_block(option.body, line("After ", quoted(option.label)), known)


def _blocks(s: n.Stmt, condition: Line) -> Sequence[tuple[n.Block, Line]]:
    """The blocks within a statement, but for options, each with the nearest condition under which it runs."""
    match s:
        case n.If():
            return (s.then, line("If ", thing(s.condition))), (s.other, line("Unless ", thing(s.condition)))
        case n.Match():
            value = thing(s.value)
            cases = [
                (c.body, line("If ", value, " is ", *joined([thing(x) for x in c.values], " or ")))
                for c in s.cases
            ]
            return [*cases, (s.other or (), condition)]
        case n.ForStmt() | n.Repeat() | n.Secretly():
            return ((s.body, condition),)
        case n.Choose() | n.SoThat():
            return (s.body, condition), (s.other or (), condition)
        case n.Menu():
            return ((s.other or (), condition),)
    return ()


def together(ends: Iterable[ListItem]) -> tuple[ListItem, ...]:
    """Ends in the same words once, each with all the places that it tells."""
    found: dict[ListItem, ListItem] = {}
    for end in ends:
        known = found.get(end)
        found[end] = end if known is None else replace(known, tells=(*known.tells, *end.tells))
    return tuple(found.values())
