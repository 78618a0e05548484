"""Recording events while a game runs: what happened, for the referee or as one seat perceived it.

A state does not hold events: they follow from its actions, by applying them again with a recorder. What a
seat perceives is derived, by the rules of `visibility.py`:

- A decision is told with the words of its option, a chance event with those of its outcome, and each with
  the author's sentence, where there is one (`told "…"`). What the words
  say about anything that the seat cannot see is redacted: "a Card" for a component, "…" for any other part of
  a text. Choices made at once are told when all are made. Whoever decided reads their own words in full. Some
  decisions are nobody else's business (`telling.py`). A decision that says nothing but which component was
  picked is bookkeeping if the next thing that is perceived is where this component goes, and if that says at
  least as much: the decision reads "a Card", or the component leaves or reaches a zone of whoever chose it. A
  use is, if words of the move name both.
- Contents that are exchanged with those of another zone are shown to those who see the one or the other.
- A move shows which component it is to those who see the zone that it leaves or the zone that it reaches; a
  zone whose contents a seat may not even count is not named to it; who may count neither perceives nothing.
- A change of state is told to those who may see the variable, or the entry of it that changed; one of an
  attribute to those who see the component.
- `show`, `tell`, `announce`, a claim and the end of the game say what their authors wanted to be known, not
  redacted.
- What happens `secretly` reaches some seats only.

Recording never changes what happens: texts have fuel of their own, and words of options and labels that fault
show the code of the fault. What `show`, `tell` and `announce` say is worked out before (`statements.py`): a
fault in it ends the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from croupier.diagnostics import JsonObject
from croupier.kernel import types as t
from croupier.runtime.disclosure import AnswerWords, Disclosure, Pick
from croupier.runtime.disclosure import Words as Wording
from croupier.runtime.event_log import EventLog, component_data, display_name, move_data
from croupier.runtime.events import Change, Deed, Listing, MadeClaim, Outcome, Shape, Silent, Transfer
from croupier.runtime.game import Value, unseen
from croupier.runtime.machine import Machine, Reaches
from croupier.runtime.visibility import (
    components_in,
    counts_zone,
    knows_component,
    sees_component,
    sees_zone,
    variable_audience,
)
from croupier.runtime.zone_contents import Items, flat, size
from croupier.semantics.procedures import PhaseGroup
from croupier.semantics.program import VarDef
from croupier.text import Number, Seat, Text, Thing, join, listed


def _is_another(seat: int, reader: int | None) -> bool:
    """Return whether a reader is a seat, or somebody at none, but not this seat."""
    return reader is not None and reader != seat


class Recorder(EventLog):
    """The recorder of one reader, with a method for each kind of event that words it."""

    def __init__(self, players: int, who: int | None = None) -> None:
        super().__init__(players, who)
        # by titled group the variables of its loops, its title; never changed in place
        self._groups: dict[int, tuple[tuple[Value, ...], str]] = {}
        self.rolling = -1  # the attribute that a roll is writing
        self._known = frozenset[int]()  # of those that are about to move
        # the last decision without words: event, component, seat, veiled? a use?
        self._bare: tuple[int, int, int, bool, bool] | None = None

    @property
    def each(self) -> tuple[Recorder, ...]:
        """The recorders that read this machine: here, one."""
        return (self,)

    # ------------------------------------------------------------ decisions and chance
    def decided(self, m: Machine, seat: int, told: Disclosure, said: AnswerWords, reaches: Reaches) -> None:
        """A seat chose; another one perceives it if it `reaches` that one."""
        before, bare = len(self.events), told.component
        self._deed(m, seat, said, lambda p: p is None or p == seat or reaches(p), told.is_refusal)
        if len(self.events) == before:
            return  # the reader does not know of it: what they read before stands as it stood
        veiled = bare is not None and self.who not in (None, seat) and not sees_component(m, bare, self.who)
        self._bare = (before, bare, seat, veiled, told.is_used and not veiled) if bare is not None else None

    def _deed(
        self,
        m: Machine,
        seat: int,
        said: AnswerWords,
        reaches: Callable[[int | None], bool],
        is_refusal: bool = False,
    ) -> None:
        """Record a decision, for a reader whom it `reaches`: the words of the option, and the author's
        sentence.
        """

        def words(p: int | None) -> Deed | None:
            if not reaches(p):
                return None
            label = self.text_for(m, p, seat, said.words)
            return Deed(seat, label, said.sentence(), is_refusal)  # by the observer that `text_for` set

        self.add(m, "decision", words, lambda: {"seat": seat}, seat)

    def revealed(self, m: Machine, picks: Sequence[Pick]) -> None:
        """Record the choices that were made in secret, when all are made.

        A seat reads those of the others; the referee has read each already.
        """
        for seat, said in picks:
            self._deed(m, seat, said, partial(_is_another, seat))

    def decided_nothing(self, m: Machine, seat: int, said: AnswerWords, reaches: Reaches) -> None:
        """A seat had nothing to choose, and was not asked; another one that this `reaches` reads what it
        reads of a seat that refuses.
        """
        self._deed(m, seat, said, lambda p: p is not None and p != seat and reaches(p))

    def chance_drawn(self, m: Machine, said: AnswerWords, reaches: Callable[[int | None], bool]) -> None:
        """Chance chose; those read it whom it `reaches`."""

        def words(p: int | None) -> Outcome | None:
            if not reaches(p):
                return None
            label = self.text_for(m, p, None, said.words)
            return Outcome(label, said.sentence())  # by the observer that `text_for` set

        self.add(m, "chance", words)

    # ------------------------------------------------------------ components
    def before(self, m: Machine, *components: int) -> None:
        """Remember which of these components the reader knows, before they move."""
        self._known = frozenset(c for c in components if knows_component(m, c, self.who))

    def moved(self, m: Machine, component: int, source: int, z: int, place: str = "top") -> None:
        known = component in self._known

        def words(p: int | None) -> Shape | None:
            way = self.transfer(m, p, source, z, place)
            if way is None:
                return None
            if p is None or known or sees_component(m, component, p):
                is_open = self.all_see(m, (component,))
                return replace(way, what=m.game.thing(component, m), is_open=is_open)
            kinds = m.rules.holds[z] & (m.rules.holds[source] if source >= 0 else m.rules.holds[z])
            unseen = m.game.unseen(component, str(t.Component(kinds)), lambda _: True)
            return replace(way, what=Text.of(Thing("unseen", unseen)))

        before, statement = len(self.events), self.current_statement(m)
        if statement is not None:
            statement.moved += (component,)
            if self.who is None or known or sees_component(m, component, self.who):
                statement.named |= {component}
        self.add(
            m, "move", words, lambda: {**component_data(m.game, component), **move_data(m.game, source, z)}
        )
        if self._bare is not None and self._bare[1] == component and len(self.events) > before:
            chosen, _, seat, veiled, used = self._bare
            tells = (veiled or seat in self._owners(m, source, z)) and all(
                e.quiet for e in self.events[chosen + 1 : before]
            )
            if tells and statement is not None:
                statement.picked = chosen
                deed = self.events[chosen].shape
                assert isinstance(deed, Deed)
                statement.needed = (str(Seat(deed.seat)), str(deed.label)) if used else ()
            elif tells and not used:
                decision, move = self.events[chosen], self.events[before]
                self.events[chosen] = replace(decision, quiet=True)
                rules = tuple(dict.fromkeys((*decision.rules, *move.rules)))
                shape = move.shape
                if isinstance(shape, Transfer) and self.is_played(m, seat, source, z):
                    shape = replace(shape, player=seat)
                self.events[before] = replace(move, rules=rules, is_choice=True, shape=shape)
            self._bare = None

    def _owners(self, m: Machine, *zones: int) -> set[int | None]:
        """The owners of these zones, of those zones that the reader hears named."""
        return {
            m.game.zones[z].owner
            for z in zones
            if z >= 0 and (self.who is None or counts_zone(m, z, self.who))
        }

    def moved_all(
        self, m: Machine, source: int, z: int, items: Items, place: str = "top", *, exchanged: bool = False
    ) -> None:
        """The contents of a zone went to another.

        Of what is `exchanged` everybody is told what they see, before or after.
        """
        statement = self.current_statement(m)
        if statement is not None:
            statement.moved += tuple(flat(items))
        given = items if exchanged else ()
        # which they were; which they are is known to who sees where they are
        known = not any(type(i) is tuple for i in given)

        def words(p: int | None) -> Shape | None:
            way, what = self.transfer(m, p, source, z, place), Text.of(Number(size(items)))
            if way is None:
                return None
            if given and (p is None or sees_zone(m, z, p) or (known and sees_zone(m, source, p))):
                what = join(", ", [m.game.thing(i, m) for i in flat(given)])
            return replace(way, what=what, several=len(given) != 1 or not known, taker=None, player=None)

        self.add(m, "move", words, lambda: {"count": size(items), **move_data(m.game, source, z)})

    def shuffled(self, m: Machine, z: int) -> None:
        def words(p: int | None) -> Shape | None:
            if p is None or counts_zone(m, z, p):
                return Listing(Text(), self.zone_text(m, z), " is shuffled", " are shuffled")
            return None

        self.add(m, "chance", words, lambda: dict(zip(("to", "to_of"), m.game.zone_key(z), strict=True)))

    def shown(
        self,
        m: Machine,
        components: Callable[[], tuple[int, ...]],
        to: tuple[int, ...],
        zone: Callable[[], int] | None = None,
    ) -> None:
        """Record that components are shown, or the contents of a `zone`, which may be empty."""

        def words(p: int | None) -> Text | Shape | None:
            if not self.reaches(p, to):
                return None
            places = [m.where[i] for i in components()] if zone is None else [zone()]
            where = join(", ", dict.fromkeys(self.zone_text(m, z) for z in places))
            shown = [m.game.thing(i, m) for i in components()]
            what = join(", ", shown) or Text.of("nothing")
            if where.startswith("("):
                what = Text.of(what, " at ", where)
            elif where:
                what = Text.of(what, " (", where, ")")
            readers = Text.of(self.receivers(p, to, "sees", "see"), " ")
            return Listing(readers, what) if shown else Text.of(readers, what)  # no list has "nothing" in it

        before = len(self.events)
        self.add(
            m,
            "show",
            words,
            lambda: {"components": [m.game.component_key(i) for i in components()], "readers": list(to)},
        )
        self._mark_private(m, before, to)

    def newly_seen(self, m: Machine, thing: tuple[str, int], seats: tuple[int, ...], ones: list[int]) -> None:
        where, number = thing
        if where == "zone":
            self.shown(m, lambda: tuple(ones), seats)
            return
        for i in ones:
            if where == "count":
                words = partial(self._counted_now, m, seats, number)
            else:
                words = partial(self._known_now, m, seats, m.game.variables[number], i)
            self.add(m, "show", words, lambda: {"readers": list(seats)})

    def _counted_now(self, m: Machine, seats: tuple[int, ...], z: int, p: int | None) -> Text | None:
        if not self.reaches(p, seats):
            return None
        who = self.receivers(p, seats, "counts", "count")
        return Text.of(who, " ", Number(size(m.zones[z])), " in ", self.zone_text(m, z))

    def _known_now(self, m: Machine, seats: tuple[int, ...], v: VarDef, i: int, p: int | None) -> Text | None:
        if not self.reaches(p, seats):
            return None
        value, kind, name = m.vars[v.index], v.type, Text.of(display_name(v.name))
        known: tuple[Value, ...] = (value,)
        if isinstance(kind, t.Map):
            at, value = m.game.domain(kind.key)[0] + i, value[i]
            name, kind, known = Text.of(name, " of ", m.game.show(at, kind.key, m)), kind.value, (at, value)
        label = m.rules.words(v, known)
        named = frozenset(components_in(value, kind))
        if label is None:
            text = Text.of(name, " is ", m.game.show(value, kind, m))
        else:
            text = self.text_for(m, p, None, lambda: label(m), named)
        m.observer = None
        who = self.receivers(p, seats, "sees", "see")
        return Text.of(who, ": ", text) if text else None

    # ------------------------------------------------------------ words and values
    def told(self, m: Machine, text: Wording, to: tuple[int, ...]) -> None:
        def words(p: int | None) -> Text | None:
            if not self.reaches(p, to):
                return None
            if p is not None or self.everybody(to):
                return Text.of(text())
            return Text.of(self.receivers(p, to, "reads", "read"), ": ", text())

        before = len(self.events)
        self.add(m, "tell", words, lambda: {"readers": list(to)})
        self._mark_private(m, before, to)

    def _mark_private(self, m: Machine, event: int, to: tuple[int, ...]) -> None:
        """Mark an event of a seat, if it was recorded, unless everybody was shown or told the same."""
        is_for_all = self.everybody(to) and m.event_audience is None
        if len(self.events) > event and self.who is not None and not is_for_all:
            self.events[event] = replace(self.events[event], is_private=True)

    def reaches(self, reader: int | None, to: tuple[int, ...]) -> bool:
        """Return whether a reader perceives what these seats are shown or told.

        A spectator does if all seats do.
        """
        return reader is None or reader in to or (reader == self.players and self.everybody(to))

    def everybody(self, to: tuple[int, ...]) -> bool:
        return len(set(to)) == self.players

    def receivers(self, reader: int | None, to: tuple[int, ...], one: str, several: str) -> Text:
        """Return the seats that were told or shown something, with a verb: `everybody`, `you`, or for the
        referee who it was.
        """
        if self.everybody(to):
            return Text.of(f"everybody {one}")
        if reader is not None:
            return Text.of(f"you {several}")
        names = [Seat(p) for p in dict.fromkeys(to)]
        if not names:
            return Text.of(f"nobody {one}")
        return Text.of(listed(names), f" {several if len(names) > 1 else one}")

    def announced(self, m: Machine, text: Wording) -> None:
        """Announced to everybody: an author who says it means everybody to know."""
        self.add(m, "say", lambda p: Text.of(text()))

    def claimed(self, m: Machine, seat: int, text: Wording, claim: MadeClaim) -> None:
        """A seat made a claim, in these words."""
        self.add(m, "say", lambda p: Deed(seat, Text.of(text()), claim=claim), lambda: {"seat": seat}, seat)

    def value_at(self, m: Machine, v: VarDef, i: int | None, value: Value, old: Value = None) -> None:
        """Record that state, or one entry of a map, was written for those who may see it, even if the value
        is the old one (a die that shows the same face again).

        A component whose label changes with it is called as it was with the `old` values.
        """
        kind = v.type
        if i is None:
            self.entry(m, v, lambda: Text.of(display_name(v.name)), value, kind, None, (value,))
            return
        assert isinstance(kind, t.Map)
        key = m.game.domain(kind.key)[0] + i

        def called(words: str) -> Text:
            now = m.vars[v.index]
            m.vars[v.index] = now if old is None else old
            try:
                return Text.of(words, self._bearer(m, v, key, kind.key))
            finally:
                m.vars[v.index] = now

        name = partial(
            called,
            f"{display_name(v.name.rpartition('.')[2])} {'at' if isinstance(kind.key, t.Cell) else 'of'} ",
        )
        rolled = partial(called, "") if v.index == self.rolling else None
        self.entry(m, v, name, value, kind.value, i, (key, value), rolled)

    def _bearer(self, m: Machine, v: VarDef, key: Value, kind: t.Type) -> Text:
        """Return the words for the owner of a value.

        A die that differs from the others only in what it shows is just `a Die` when it is rolled.
        """
        plain = (
            v.index == self.rolling and v.of_class in m.game.labels and not m.game.components[key].attributes
        )
        if plain:
            return Text.of(Thing("unseen", unseen(str(v.of_class))))
        return m.game.show(key, kind, m)

    def entry(
        self,
        m: Machine,
        v: VarDef,
        name: Callable[[], Text],
        value: Value,
        kind: t.Type,
        at: int | None,
        known: tuple[Value, ...],
        rolled: Callable[[], Text] | None = None,
    ) -> None:
        """A variable or an entry of it; `known` are the values of the names that its label may use, `rolled`
        is what was rolled.
        """
        may = variable_audience(m, v.index, at)
        label = m.rules.words(v, known)
        key = components_in(known[0], v.type.key) if isinstance(v.type, t.Map) else ()
        named = frozenset([*components_in(value, kind), *key])

        def data() -> JsonObject:
            of = m.game.to_json(known[0], v.type.key, keyed=True) if isinstance(v.type, t.Map) else None
            return {"variable": v.name, "of": of, "value": m.game.to_json(value, kind, keyed=True)}

        def words(p: int | None) -> Shape | Silent | None:
            if p is not None and not may(p):
                return None
            statement = self.current_statement(m)
            if statement is not None:
                statement.named |= named
            text = None if label is None else self.text_for(m, p, None, lambda: label(m), named)
            m.observer = None
            if rolled is not None and label is None:
                return Listing(Text.of(rolled(), " shows "), m.game.show(value, kind, m))
            if text:
                return Change(text, (v.index, at), is_said=True)
            if rolled is not None:
                told = Text.of(rolled(), " shows ", m.game.show(value, kind, m))
            elif value is None:
                told = Text.of("no ", name(), " any more")
            else:
                told = Text.of(name(), " is now ", m.game.show(value, kind, m))
            return Change(told, (v.index, at)) if label is None else Silent(told)

        self.add(m, "state", words, data)

    def entered(self, m: Machine, target: int, outer: Sequence[Value]) -> None:
        """Record that a phase begins, with the variables of the loops around it, and groups of phases with
        it.
        """
        proc = m.game.program.procs[target]
        if proc.kind == "phase":
            self.phase = proc.name
            for depth, group in enumerate(proc.groups):
                self._begins(m, group, depth, target, outer[: group.variables])
            m.cites = proc.cites
            quiet = any(group.is_its_phase for group in proc.groups)
            name: Callable[[], str] = partial(Text.of, proc.name)
            if proc.heading is not None:
                name = partial(m.rules.heading(proc.heading, outer), m)

            def words(p: int | None) -> Text | Silent | None:
                if m.event_audience is not None:
                    return None
                title = self.text_for(m, p, None, name)
                return Silent(title) if quiet else title

            self.add(m, "phase", words)

    def _begins(self, m: Machine, group: PhaseGroup, depth: int, target: int, loops: Sequence[Value]) -> None:
        """Record that a group begins with a phase of it, if it does.

        A group that begins with a loop begins anew if its title changes.
        """
        known, before = self._groups.get(group.number, (None, None))
        anew = known != tuple(loops) or (group.first == target and not group.is_looped)
        if not anew and group.first != target:
            return
        m.cites, title = group.cites, partial(m.rules.heading(group.heading, loops), m)

        def words(p: int | None) -> Text | None:
            text = self.text_for(m, p, None, title)
            self._groups = {**self._groups, group.number: (tuple(loops), text)}
            return text if m.event_audience is None and (anew or text != before) else None

        self.add(m, "group", words, depth=depth)

    def finished(self, m: Machine) -> None:
        r = m.result
        assert r is not None  # this is told when the game has ended
        if r.winners:
            text = Text.of("won by ", listed([Seat(p) for p in r.winners]))
            if r.is_tie_broken:
                text += " on the tie-break"
        else:
            text = Text.of({"draw": "a draw", "lose": "lost by everybody"}.get(r.kind, "won by nobody"))
        if r.scores is not None:
            scores = [Text.of(Seat(p), ": ", str(score)) for p, score in enumerate(r.scores)]
            text = Text.of(text, " (", join(", ", scores), ")")
        if r.grade:
            text = Text.of(text, ": ", r.grade)
        m.event_audience = None
        self.add(m, "end", lambda p: text)
