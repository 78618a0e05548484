"""The ends of the game that no sentence of a rule tells, each under its conditions: those of phases,
definitions, hooks and powers, and what `end when` waits for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from croupier.authoring.rulebook.document import Line, ListItem, Telling, TextRun, line
from croupier.authoring.rulebook.steps import Known, finish_words, quoted, steps, thing
from croupier.authoring.rulebook.wording import capital, joined
from croupier.kernel.facts import Leaves
from croupier.semantics.narrowing import facts_of
from croupier.syntax import nodes as n


def ends_of_item(item: n.Item, known: Known) -> Iterator[ListItem]:
    """Yield the ends of the game in a definition, hook or watcher."""
    match item:
        case n.EndWhen():
            yield from _end_when(item, known)
        case n.AnyTime():
            yield from _of_options(item.options, known)
        case n.Def() | n.Hook() | n.Watch():
            yield from ends_of_block(item.body, NOTHING, known)


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


@dataclass(frozen=True, slots=True)
class _Under:
    """What is so where the game ends: the option that was taken, what holds and what does not."""

    option: Line = ()
    holding: tuple[Line, ...] = ()
    failing: tuple[Line, ...] = ()

    def and_if(self, *condition: str | TextRun) -> _Under:
        """The same, and a further condition holds."""
        words = line(*condition)
        return self if words in self.holding else replace(self, holding=(*self.holding, words))

    def and_unless(self, condition: n.Expr) -> _Under:
        """The same, and a condition does not hold."""
        if isinstance(condition, n.Unary) and condition.op == "not":
            return self.and_if(thing(replace(condition, value=condition)))
        return replace(self, failing=(*self.failing, line(thing(condition))))

    def words(self) -> Line:
        """All of it, as the beginning of a sentence; nothing if the game ends there at all events."""
        held = (*line("if "), *joined(self.holding, " and ")) if self.holding else ()
        failed = (*line("unless "), *joined(self.failing, " or ")) if self.failing else ()
        words = joined([self.option, held, failed], ", ")
        return (replace(words[0], text=capital(words[0].text)), *words[1:]) if words else ()


NOTHING = _Under()


def ends_of_block(block: n.Block, under: _Under, known: Known) -> Iterator[ListItem]:
    """Yield the ends of the game in a block and in the blocks within it, each under all its conditions."""
    behind = under  # what is so where nothing before has ended the game
    for s in block:
        if isinstance(s, n.Finish) and s.span not in known.covered:
            condition, words = behind.words(), finish_words(s)
            yield ListItem(
                (*condition, *line(": ", *words)) if condition else words, tells=(Telling(s.span, "step"),)
            )
        for inner, held in _blocks(s, under):
            yield from ends_of_block(inner, held, known)
        if isinstance(s, n.Menu):
            yield from _of_options(s.options, known)
        if isinstance(s, n.If) and s.then and leaves_procedure(s.then[-1]):
            behind = behind.and_unless(s.condition)


def _of_options(options: Iterable[n.Option | n.OptionGroup], known: Known) -> Iterator[ListItem]:
    """Yield the ends of the game in options."""
    for option in n.leaves(tuple(options)):
        yield from ends_of_block(option.body, _Under(line("after ", quoted(option.label))), known)


def _blocks(s: n.Stmt, under: _Under) -> Sequence[tuple[n.Block, _Under]]:
    """The blocks within a statement, but for options, each with what is so where it runs."""
    match s:
        case n.If():
            return (s.then, under.and_if(thing(s.condition))), (s.other, under.and_unless(s.condition))
        case n.Match():
            value = thing(s.value)
            cases = [
                (c.body, under.and_if(value, " is ", *joined([thing(x) for x in c.values], " or ")))
                for c in s.cases
            ]
            return [*cases, (s.other or (), under)]
        case n.Choose():
            nothing = "nothing is chosen" if s.optional else "there is nothing to choose"
            return (s.body, under), (s.other or (), under.and_if(nothing))
        case n.SoThat():
            return (s.body, under), (s.other or (), under.and_if("that cannot be"))
        case n.Menu():
            return ((s.other or (), under.and_if("there is nothing to choose")),)
    return [(block, under) for block in s.blocks()]


def leaves_procedure(s: n.Stmt) -> bool:
    """Tell whether a statement ends the game, or what it stands in."""
    facts = facts_of(s)
    return facts is not None and facts.leaves in (Leaves.PROCEDURE, Leaves.GAME)


def together(ends: Iterable[ListItem]) -> tuple[ListItem, ...]:
    """Ends in the same words once, each with all the places that it tells."""
    found: dict[ListItem, ListItem] = {}
    for end in ends:
        known = found.get(end)
        found[end] = end if known is None else replace(known, tells=(*known.tells, *end.tells))
    return tuple(found.values())
