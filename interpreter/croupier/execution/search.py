"""Monte-Carlo tree search of a state, on every back end with the same result.

The tree and all of its arithmetic are the functions of `core/search_tree.py`. Native code plays the
rounds itself (`printers/llvm_search.py`); elsewhere, and where a round meets what native code does not play,
`play_rounds` here does the same, step by step, with the same random numbers.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from math import gcd
from typing import TYPE_CHECKING, Any

from croupier.core.search_tree import (
    BRANCH,
    CHANCE_STEP,
    HEAD,
    MASK,
    NOT_TRIED,
    ROOT_FIRST,
    ROOT_KEYS,
    ROOT_SECOND,
    RULE,
    TRIED_FIRST,
    UCB1,
    URGENCY,
    VISITS,
    search_tree,
    tree_words,
)
from croupier.execution.search_start import SearchStart
from croupier.printers.python import functions_source
from croupier.records import dataclass
from croupier.runtime.streams import CHANCE as CHANCE_PURPOSE
from croupier.runtime.streams import Stream, seat_purpose

if TYPE_CHECKING:
    from croupier.runtime.state import State, StateSampler

Words = Any  # a list or a memory view of integers: the printed functions only read and write words
Functions = dict[str, Callable[..., int]]


@dataclass(frozen=True, slots=True)
class OptionFigures:
    """What a search found of one option: how many rounds went into it, and what it is worth to the seat, from
    0 to 1; `None` without a round.
    """

    action: int
    visits: int
    worth: float | None


@cache
def tree_functions() -> Functions:
    """The functions of a tree, by name, as Python."""
    namespace: dict[str, Any] = {}
    exec(functions_source(search_tree()), namespace)  # noqa: S102 - printed here from a constant text
    return {name.removeprefix("f_"): found for name, found in namespace.items() if name.startswith("f_")}


def new_tree(rounds: int, rule: int = UCB1, urgency: int = TRIED_FIRST) -> memoryview[int]:
    """An empty tree for so many rounds, with how options are selected, and the worth in units of 1/65,536 of
    one that was not tried yet (`core/search_tree.py`).
    """
    size, mask = tree_words(rounds)
    tree = memoryview(array("q", bytes(8 * size)))
    tree[MASK] = mask
    tree[ROOT_FIRST], tree[ROOT_SECOND] = ROOT_KEYS
    tree[RULE], tree[URGENCY] = rule, urgency
    return tree


def grown_tree(state: State, tree: memoryview[int], rounds: int) -> memoryview[int]:
    """The same tree, with room for so many rounds in all; the old one is of no use after that."""
    if tree_words(rounds)[1] <= tree[MASK]:
        return tree
    to = new_tree(rounds)
    keep_branches(state, tree, to, 0)
    return to


def keep_branches(state: State, tree: memoryview[int], to: memoryview[int], below: int) -> int:
    """Copy the branches below one (0: all) to a tree that has room for them, and spoil the first tree; return
    how many they are. `state`: any of the game.
    """
    native = getattr(state, "keep_branches", None)
    if native is not None:
        return int(native(tree, to, below))
    return tree_functions()["keep"](None, tree, to, below)


def root_keys(tree: Words) -> tuple[int, int]:
    """The keys of the point where a search begins."""
    return tree[ROOT_FIRST], tree[ROOT_SECOND]


def next_keys(keys: tuple[int, int], by: int) -> tuple[int, int]:
    """The keys of the point behind an option, or an outcome of chance plus `CHANCE_STEP`."""
    functions = tree_functions()
    return functions["first_key"](None, keys[0], by), functions["second_key"](None, keys[1], by)


def find_branch(tree: Words, keys: tuple[int, int]) -> int:
    """The branch with these keys; 0 if there is none."""
    first, second = keys
    at, mask = (first + 7 * second) & tree[MASK], tree[MASK]
    while True:
        branch: int = HEAD + at * BRANCH
        if not tree[branch]:
            return 0
        if tree[branch] == first and tree[branch + 1] == second:
            return branch
        at = (at + 1) & mask


def figures(tree: Words, actions: Sequence[int], seat: int, players: int) -> list[OptionFigures]:
    """What a search found of the options at its root."""
    functions = tree_functions()
    branches = [0] * len(actions)
    functions["look"](None, tree, *root_keys(tree), list(actions), len(actions), branches)
    found = []
    for action, branch in zip(actions, branches, strict=True):
        visits = tree[branch + VISITS] if branch else 0
        worth = functions["worth"](None, tree, branch, seat, players) / (1 << 16) if visits else None
        found.append(OptionFigures(action, visits, worth))
    return found


Standing = Callable[["State"], Sequence[int] | None]
"""Tells the score of every seat if the game ended now; `None` if that cannot be told."""


def play_rounds(
    state: State, tree: memoryview[int], start: SearchStart, rounds: int, standing: Standing | None = None
) -> memoryview[int]:
    """Play rounds of a search from a state, which stays as it is, and add them to a tree; return the tree, or
    its copy where native code does not play them: then the state is stepped, to the same end.

    `standing` is there where play-outs are cut.
    """
    native = getattr(state, "search_rounds", None)
    if native is not None:
        before = tree.tobytes()
        if native(tree, start, rounds):
            return tree
        tree = memoryview(bytearray(before)).cast("q")
    for number in range(start.first, start.first + rounds):
        for tried in start.each or (None,):
            _Round(state.clone(), tree, start, number, standing).play(tried)
    return tree


def play_drawn_rounds(
    draws: StateSampler,
    stream: Stream,
    tree: memoryview[int],
    start: SearchStart,
    rounds: int,
    standing: Standing | None = None,
) -> memoryview[int]:
    """`play_rounds`, each round in another state that a seat cannot tell from the true one."""
    native = getattr(draws, "search_rounds", None)
    if native is not None:
        before = tree.tobytes()
        if native(tree, start, rounds, stream):
            return tree
        tree = memoryview(bytearray(before)).cast("q")
    for number in range(start.first, start.first + rounds):
        tree = play_rounds(draws.draw_next(stream), tree, replace(start, first=number), 1, standing)
    return tree


class _Round:
    """One round of a search."""

    def __init__(
        self, state: State, tree: Words, start: SearchStart, number: int, standing: Standing | None
    ) -> None:
        self.state, self.tree, self.start, self.number = state, tree, start, number
        self.standing = standing
        self.functions = tree_functions()
        in_tree, self.playouts = start.seeds
        self.chance, self.streams = _streams(in_tree, number, state.players)
        self.keys = root_keys(tree)
        self.way: list[int] = []

    def play(self, tried: int | None = None) -> None:
        """Down the tree, one new branch, a play-out, and back up; or the action that is tried at the root, a
        play-out behind it, and back up.
        """
        state, is_first = self.state, True
        while not state.is_terminal():
            if state.is_chance_node():
                self._roll()
                continue
            pending = state.pending_seats()
            chooser = self.start.seat if is_first else pending[0]
            is_first = False
            options = state.legal_actions(chooser)
            if not options:
                break
            action, is_new = self._choose(options, chooser, None if self.way else tried)
            self._go_on(action)
            state.apply_action(action, chooser)
            if is_new:
                break
        self._back_up()

    def _roll(self) -> None:
        action = _roll(self.state, self.chance)
        self._go_on(action + CHANCE_STEP)
        self.state.apply_action(action)

    def _go_on(self, by: int) -> None:
        self.keys = next_keys(self.keys, by)

    def _choose(self, options: list[int], chooser: int, tried: int | None) -> tuple[int, bool]:
        """An option, and whether a play-out begins behind it."""
        if len(options) == 1:
            return options[0], False
        functions, tree, count = self.functions, self.tree, len(options)
        branches = [0] * count
        absent = functions["look"](None, tree, *self.keys, options, count, branches)
        if tried is not None:
            at = options.index(tried)
        else:
            at = functions["best"](None, tree, branches, count, chooser, self.state.players)
        if at == NOT_TRIED:
            at = functions["fresh"](None, branches, count, self.streams[chooser].uniform(absent))
        is_new = not branches[at] or tried is not None
        branch = branches[at] or self._put(options[at])
        self.way += (branch, chooser)
        return options[at], is_new

    def _put(self, action: int) -> int:
        """A new branch behind the point where the round stands."""
        above = self.way[-2] if self.way else 0
        return self.functions["put"](None, self.tree, *next_keys(self.keys, action), above)

    def _back_up(self) -> None:
        values, scored = self._play_out()
        players, functions = self.state.players, self.functions
        values += [0] * players
        scored = functions["learn"](None, self.tree, values, players, scored)
        way = self.way
        functions["back_up"](None, self.tree, way, len(way) // 2, values, players, scored)

    def _play_out(self) -> tuple[list[int], int]:
        """Play the state on at random: what it pays to each seat, the scores, and how they count."""
        state, players = self.state, self.state.players
        if self.standing is not None and not state.is_terminal():
            _play_on(state, self.playouts, self.number, self.start.horizon)
            scores = None if state.is_terminal() else self.standing(state)
            if scores is not None:
                return [*[0] * players, *scores], 2
        over = state.is_terminal()
        outcome = state.outcome() if over else state.roll_out(self.playouts, self.number).outcome
        paid, scores = outcome["returns"] or [0] * players, outcome["scores"]
        return [*paid, *(scores or [0] * players)], int(bool(scores))


def _streams(seed: int, game: int, players: int) -> tuple[Stream, list[Stream]]:
    """The streams of chance and of the seats."""
    return Stream(seed, game, CHANCE_PURPOSE), [Stream(seed, game, seat_purpose(s)) for s in range(players)]


def _roll(state: State, stream: Stream) -> int:
    """Draw an outcome of chance."""
    outcomes = state._weights()
    share = gcd(*(weight for _, weight in outcomes))
    return outcomes[stream.weighted([weight // share for _, weight in outcomes])][0]


def _play_on(state: State, seed: int, game: int, horizon: int) -> None:
    """Play a state on at random, which changes it, until so many decisions are made and the next is due."""
    chance, seats = _streams(seed, game, state.players)
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(_roll(state, chance))
            continue
        if decisions >= horizon:
            return
        seat = state.pending_seats()[0]
        options = state.legal_actions(seat)
        if not options:
            return
        state.apply_action(options[seats[seat].uniform(len(options))], seat)
        decisions += 1
