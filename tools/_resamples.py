"""Draws of states that a seat cannot tell from the real one, and what is wrong with them."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import croupier
from croupier.inference.resampling import Resampler
from croupier.runtime.state import State
from croupier.runtime.streams import Stream
from croupier.runtime.visibility import sees_component

MAX_PASSES, IDLE = 12, 2  # over all changes of a history; that find nothing, one after another


@dataclass
class Draws:
    """The findings for one ruleset: how many draws there were, how many were wrong, how many components are
    hidden from the seat, how many of these lay elsewhere in some draw, how many more could, which cannot, by
    why, and of which nothing is known.
    """

    name: str
    draws: int = 0
    wrong: int = 0
    hidden: int = 0
    moved: int = 0
    could: int = 0
    cannot: dict[str, list[str]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    seconds: float = 0.0
    is_exact: bool = True

    def line(self) -> str:
        """All of it in a line, and a line for each reason."""
        how = "exact" if self.is_exact else "chain"
        more = f", {self.could} more could" if self.could else ""
        found = (
            f"{self.draws:5,} draws ({how}), {self.wrong} wrong; {self.moved} of {self.hidden} hidden "
            f"components moved{more}"
        )
        reasons = [
            f"    {len(names)} cannot, {why}: {', '.join(names)}" for why, names in self.cannot.items()
        ]
        never = f"    {len(self.unknown)} never moved, and no single change of the history moves them: "
        open_ = [never + ", ".join(self.unknown)] if self.unknown else []
        return "\n".join([f"{self.name:24} {found}; {self.seconds:.1f} s", *reasons, *open_])


def every(
    names: Sequence[str], draws: int, steps: int, seconds: int | None, out: Path | None
) -> Iterator[Draws]:
    """Draw of one ruleset after another.

    With a file, what was found is added to it, a JSON object a line; what stands there is not drawn again.
    """
    done: dict[tuple[str, str, int, int], Draws] = {}
    if out is not None and out.exists():
        for line in out.read_text().splitlines():
            kept = json.loads(line)
            key = kept.pop("rules"), kept["name"], kept.pop("steps"), kept.pop("asked")
            done[key] = Draws(**kept)
    for name in names:
        rules = croupier.load(name).ruleset_hash[:16]
        found = done.get((rules, name, steps, draws)) or draw_many(name, draws, steps, seconds)
        if out is not None and (rules, name, steps, draws) not in done:
            with out.open("a") as file:
                file.write(
                    json.dumps({**asdict(found), "rules": rules, "steps": steps, "asked": draws}) + "\n"
                )
        yield found


def after(name: str, steps: int, seed: int) -> State:
    """A state after some random steps, at somebody's decision; earlier where the game is over."""
    state, chance = croupier.load(name).new_initial_state(), random.Random(seed)
    best = state.clone()
    while not state.is_terminal() and (len(state.history) < steps or state.is_chance_node()):
        if not state.is_chance_node():
            best = state.clone()
            seat = state.pending_seats()[0]
            state.apply_action(chance.choice(state.legal_actions(seat)), seat)
        else:
            state.apply_action(chance.choice(state.chance_outcomes())[0])
    return best if state.is_terminal() else state


def draw_many(name: str, draws: int, steps: int = 24, seconds: int | None = None, seed: int = 7) -> Draws:
    """Draw from one state of a ruleset, for at most so many seconds."""
    state, found, started = after(name, steps, seed), Draws(name), time.monotonic()
    seat = (state.pending_seats() or [0])[0]
    draws_of, stream = state.resampler(seat), Stream(3, 1, "seat 1")
    known, legal, pending = state.information_state(seat), state.legal_actions(seat), state.pending_seats()
    real = list(state._m.where)
    places: list[set[int]] = [{place} for place in real]
    for _ in range(draws):
        drawn = draws_of.draw(stream)
        found.draws += 1
        found.wrong += (
            drawn.information_state(seat) != known
            or drawn.legal_actions(seat) != legal
            or drawn.pending_seats() != pending
        )
        for component, place in enumerate(drawn._m.where):
            places[component].add(place)
        if seconds is not None and time.monotonic() - started > seconds:
            break
    game, hidden = state.game, hidden_from(state, seat)
    found.seconds, found.is_exact = time.monotonic() - started, draws_of.is_exact
    resampler = draws_of if isinstance(draws_of, Resampler) else Resampler(state, seat)
    resampler.is_exact = found.is_exact
    found.hidden, found.moved = len(hidden), sum(len(places[component]) > 1 for component in hidden)
    left = {component for component in hidden if len(places[component]) == 1}
    fixed = left - elsewhere(resampler, left, stream)
    found.could = len(left) - len(fixed)
    for component in sorted(fixed):
        why = reason_of(resampler, component) or ("it does in no possible state" if found.is_exact else None)
        (found.unknown if why is None else found.cannot.setdefault(why, [])).append(game.handle(component))
    return found


def elsewhere(resampler: Resampler, components: Collection[int], stream: Stream) -> set[int]:
    """Return those of some components that lie elsewhere in some possible state, of all where they are few;
    else after one change of the real history.

    What is asked for the first time after a change is drawn, so all changes are tried again while that finds
    more.
    """
    real, found, idle = resampler.state._m.where, set[int](), 0
    for _ in range(1 if resampler.is_exact else MAX_PASSES):
        before = len(found)
        others = (
            (one._m for one, _ in resampler.possible())
            if resampler.is_exact
            else resampler.neighbours(stream)
        )
        for machine in others if components else ():
            found |= {component for component in components if machine.where[component] != real[component]}
            if len(found) == len(components):
                return found
        idle = idle + 1 if len(found) == before else 0
        if idle == IDLE:
            break
    return found


def hidden_from(state: State, seat: int) -> list[int]:
    """The components that a seat does not see."""
    return [
        component
        for component, place in enumerate(state._m.where)
        if place >= 0 and not sees_component(state._m, component, seat)
    ]


def reason_of(resampler: Resampler, component: int) -> str | None:
    """Return why a component that a seat does not see cannot lie elsewhere, as far as the real history shows
    it; `None` if it does not.
    """
    machines, seat = [way.cache.machine for way in resampler._real], resampler.seat
    place = machines[-1].where[component]
    if all(machine.zones[place] == machines[0].zones[place] for machine in machines):
        return "since the beginning nothing has come to where they lie, or gone"
    for machine in reversed(machines):
        if machine.where[component] != place:
            if sees_component(machine, component, seat):
                return "the seat saw them go to where they lie"
            break
        if sees_component(machine, component, seat):
            return "the seat saw them come to where they lie"
    game = resampler.state.game
    alike = [
        p
        for p, info in enumerate(game.components)
        if info.kind == game.components[component].kind and machines[-1].where[p] >= 0
    ]
    if all(machines[-1].where[p] == place or sees_component(machines[-1], p, seat) for p in alike):
        return "all others of their kind lie there or are seen"
    return None
