"""The things of a game that a text names: components, cells, players and values of enumerations; and the
decisions of the rules that take them, or why this one does not.

A component is called by its label where the seat sees it, elsewhere by each that it can have: which of these
it is now may be hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.tree import ChooseStmt, MenuStmt, TypedExpr, text_parts, text_template
from croupier.records import dataclass
from croupier.runtime.asking import AskOp
from croupier.runtime.candidates import OptionSource
from croupier.runtime.clauses import Clause, WhyNot
from croupier.runtime.game import Value
from croupier.runtime.label_matching import LabelMatcher
from croupier.runtime.machine import Machine
from croupier.runtime.option_matching import folded, forms, meant
from croupier.runtime.visibility import sees_component
from croupier.semantics.procedures import Proc
from croupier.semantics.walk import bodies
from croupier.text import Text, listed

MOST_DECISIONS = 3  # that a clause names
NEVER_TAKEN = "no decision of the rules takes it"


@dataclass(frozen=True)
class NamedThing:
    """A thing: its type, its value, and what it is called."""

    kind: t.Type
    value: Value
    label: Text


def spoken(m: Machine, seat: int, words: LabelMatcher, kind: t.Type) -> Iterator[tuple[Value, str]]:
    """Yield the values of a type, each with what it may be called, folded; components that the seat sees come
    first.
    """
    game = m.game
    if isinstance(kind, t.Component):
        found = [c for c in game.values(kind) if c is not None]
        for component in sorted(found, key=lambda c: not sees_component(m, c, seat)):
            yield from ((component, name) for name in words.names(m, component, seat))
    elif isinstance(kind, (t.Cell, t.Player, t.Enum, t.Bool)):
        for value in game.values(kind):
            shown = game.show(value, kind, labelled=True)
            for name in forms(shown, words.rename) | forms(shown.in_names, words.rename):
                yield value, name


def named_things(m: Machine, seat: int, text: str, words: LabelMatcher) -> list[NamedThing]:
    """Return the things that a text names, which is folded: components that are seen; one that is not, if no
    other is called so; cells, players, and values of enumerations.
    """
    game = m.game
    found: list[NamedThing] = []
    unseen: list[NamedThing] = []
    for kind in game.program.classes:
        of_kind = t.Component(frozenset((kind,)))
        for component, name in spoken(m, seat, words, of_kind):
            if name == text and sees_component(m, component, seat):
                found.append(NamedThing(of_kind, component, game.thing(component, m)))
            elif name == text and not unseen:
                unseen.append(NamedThing(of_kind, component, Text.of(game.components[component].label)))
    others = (
        *(t.Cell(board) for board in game.program.boards),
        t.Player(),
        *(t.Enum(name) for name in game.program.enums),
    )
    for other in others:
        for value in {v for v, name in spoken(m, seat, words, other) if name == text}:
            unseen = []
            found.append(NamedThing(other, value, game.show(value, other, labelled=True)))
    return found or unseen


def takes(kind: t.Type, thing: t.Type) -> bool:
    """Return whether a value of a type may be this thing, or one of several of its kind."""
    if isinstance(kind, t.Component) and isinstance(thing, t.Component):
        return bool(kind.kinds & thing.kinds)
    if isinstance(kind, (t.Optional, t.Collection)):
        return takes(kind.base, thing)
    return kind == thing


# ---------------------------------------------------------------- other decisions
@dataclass(frozen=True)
class Offer:
    """An option of the rules: its words, what it is chosen among, its place and the rules that it cites."""

    words: str
    kinds: tuple[t.Type, ...]
    clause: Clause
    label: TypedExpr | None
    proc: Proc | None = None
    base: t.Type | None = None  # of a choice: the type of what is chosen

    def reads(self, text: str, words: LabelMatcher) -> bool:
        """Return whether it could read like this. `text` is folded."""
        if text in forms(self.words):
            return True
        if self.base is None or self.label is None or None in text_parts(self.label):
            return self.label is not None and words.label(self.label, text)
        prefix = f"{folded(self.words)}:"
        return text.startswith(prefix) and words.value(self.base, text.removeprefix(prefix))


def offers(m: Machine) -> Iterator[Offer]:
    """Yield every option that the rules may offer to a player, decision by decision."""
    program = m.game.program
    for proc, s in bodies(program):
        cites = s.cites or proc.cites
        if isinstance(s, ChooseStmt) and s.choice.chooser != "chance":
            c = s.choice
            words = f"choose {c.name}" if c.label is None else text_template(c.label, "…")
            yield Offer(words, _parts(m, c.base), Clause("", words, cites, s.span), c.label, proc, c.base)
            if c.decline:
                yield Offer(c.decline, (), Clause("", c.decline, cites, s.span), None, proc)
        elif isinstance(s, MenuStmt):
            for o in s.menu.options:
                words = text_template(o.label, "…")
                kinds = tuple(x.type.base for x in o.sources if isinstance(x.type, t.Collection))
                yield Offer(words, kinds, Clause("", words, o.cites or cites, o.span), o.label, proc)
    for hook in program.hooks:
        if hook.kind == "reaction" and hook.label is not None:
            words = text_template(hook.label, "…")
            own = () if hook.component is None else (t.Component(frozenset((hook.component[0],))),)
            yield Offer(words, own, Clause("reaction", words, hook.cites, hook.proc.span), hook.label)


def _parts(m: Machine, kind: t.Type) -> tuple[t.Type, ...]:
    """The types of what is chosen with a value: its fields, if it is a record."""
    return tuple(m.game.program.records[kind.name].fields.values()) if isinstance(kind, t.Record) else (kind,)


def elsewhere(
    m: Machine, text: str, things: list[NamedThing], words: LabelMatcher, own: frozenset[Span]
) -> Clause | None:
    """The clause for what another decision takes: an option that is called so, or those that take a thing.

    `None` if no decision of the rules does. `own` are the places of the options of this decision.
    """
    of_text: list[Offer] = []
    of_things: dict[str, Offer] = {}
    for offer in offers(m):
        if offer.clause.span in own:
            continue
        if offer.reads(text, words):
            of_text.append(offer)
        elif any(takes(kind, thing.kind) for kind in offer.kinds for thing in things):
            of_things.setdefault(offer.words, offer)
    if of_text:
        first = of_text[0]
        told = _of_another(m, first)
        return Clause("elsewhere", told, first.clause.rules, first.clause.span)
    if not of_things:
        return None
    named = list(of_things.values())[:MOST_DECISIONS]
    rules = tuple(dict.fromkeys(rule for offer in named for rule in offer.clause.rules))
    quoted = listed(Text.of("“", offer.words, "”") for offer in named)
    verb = " does" if len(of_things) == 1 else " do"
    more = ", among others" if len(of_things) > MOST_DECISIONS else ""
    told = Text.of("this decision does not take it; ", quoted, verb, more)
    return Clause("elsewhere", told, rules, named[0].clause.span)


def _of_another(m: Machine, offer: Offer) -> Text:
    """An option of another decision in words."""
    if offer.clause.kind == "reaction":
        return Text.of("that is a reaction to something that does not happen now")
    proc, program = offer.proc, m.game.program
    powers = [hook.component for hook in program.hooks if hook.proc is proc and hook.component]
    if powers:
        component = next(iter(m.game.components_of(*powers[0])), None)
        whose = f"the power of {powers[0][0] if component is None else m.game.components[component].label}"
    elif proc is None or proc.kind not in ("phase", "def"):
        whose = "another decision"
    else:
        whose = f"the phase “{proc.name}”" if proc.kind == "phase" else f"`{proc.name}`"
    return Text.of(f"that is an option of {whose}, which is not asked now")


# ---------------------------------------------------------------- things
# Why a thing of the game is in no option, where a text names it and nothing more.
def of_thing(
    m: Machine,
    seat: int,
    text: str,
    words: LabelMatcher,
    here: Callable[[NamedThing], tuple[bool, Clause | None]],
) -> WhyNot | None:
    """Return why a decision does not take the things that a text names, or whose option it is; `None` if the
    rules know nothing of it.

    `here` tells whether the decision is about such a thing, and what stops it.
    """
    things = named_things(m, seat, text, words)
    stopped: list[tuple[NamedThing, Clause]] = []
    for thing in things:
        is_taken, clause = here(thing)
        if is_taken and clause is None:
            return WhyNot(False)  # it is in an option: the options say which
        if clause is not None:
            stopped.append((thing, clause))
    if stopped:
        later = [one for one in stopped if one[1].kind != "source"]
        thing, clause = (later or stopped)[0]
        return WhyNot(True, (clause,), thing.label, reads=False)
    op, frame = m.asking()
    labels = [Text.of(op.describe(m, frame, seat, a)) for a in op.actions(m, frame, seat)]
    is_begun = bool(meant(text, labels, words.rename).options)  # by the beginnings of the words of an option
    other = None if is_begun and things else elsewhere(m, text, things, words, _own(m))
    if other is None and is_begun:
        return WhyNot(False)
    if other is None and things:
        other = Clause("elsewhere", NEVER_TAKEN, _cited_where_it_lies(m, seat, things[0]))
    if other is None:
        return None
    return WhyNot(True, (other,), things[0].label if things else None, reads=False)


def _own(m: Machine) -> frozenset[Span]:
    """The places of the options of the decision that is asked."""
    op = m.waiting
    sources = op.sources if isinstance(op, AskOp) else ()
    return frozenset(s.tree.span if isinstance(s, OptionSource) else s.span for s in sources)


def _cited_where_it_lies(m: Machine, seat: int, thing: NamedThing) -> tuple[str, ...]:
    """What the declaration of the zone cites in which the seat sees a component."""
    is_seen = isinstance(thing.kind, t.Component) and sees_component(m, thing.value, seat)
    return m.game.program.zones[m.game.zones[m.where[thing.value]].family].cites if is_seen else ()
