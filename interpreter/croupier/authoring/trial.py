"""A few games of a ruleset, played by random players, to find what no reading of its text finds.

Every number of players is tried, and every variant that a value of a parameter switches on, with the other
parameters at their defaults. Of each set-up the invariants are tested where the first player decides; then a
game is played to its end, of the usual set-up some more, with the invariants tested after every step. What is
played is bounded by the steps of the evaluator, not by time: the same text is always told the same.

A mistake that several games meet is one diagnostic. It says at which numbers of players it comes and how to
see it; in a variant it stands at the change that causes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from croupier.diagnostics import Diagnostic, RulesetError, Span
from croupier.kernel import types as t
from croupier.pipeline import with_switches
from croupier.play.match import GameMatch, MatchConfig
from croupier.resolve import ResolvedRuleset, attribute
from croupier.ruleset import Ruleset
from croupier.runtime.parameters import admitted, chosen_word
from croupier.runtime.state import State
from croupier.semantics import check as check_program

MOST_SETUPS = 24
MORE_GAMES = 3  # of the usual set-up
MOST_WORK = 500_000  # steps of the evaluator in all games together
MOST_WORK_OF_VARIANT = 200_000  # the same: a folder may have many variants
MOST_WORK_OF_GAME = 150_000
MOST_WORK_OF_BEGINNING = 10_000
SEED = 1
"""The seed of all trial games: the first of a set-up is what `croupier run --seed 1 --game 1` plays."""


@dataclass(frozen=True)
class Trial:
    """A game that is tried: so many players, the parameters that are not the defaults, its number."""

    players: int
    settings: Mapping[str, object]
    game: int = 1

    @property
    def options(self) -> str:
        """The options with which `croupier run` shows it."""
        settings = "".join(f" --set {name}={_word(value)}" for name, value in self.settings.items())
        return f"--players {self.players}{settings} --seed {SEED} --game {self.game}"


def trial_problems(ruleset: Ruleset) -> list[Diagnostic]:
    """Return the problems in trial games of a ruleset that has no errors, a diagnostic for each cause, at the
    change of a variant that causes it.
    """

    def alone(base: ResolvedRuleset) -> list[Diagnostic]:
        return _Trials(with_switches(check_program(base, lints=False)[0], base)[0]).play()

    return attribute(_Trials(ruleset).play(), ruleset.program.resolved, alone)


Cause = tuple[str, Span | None]
"""The code of what went wrong, and the place in the rules."""


@dataclass
class _Trials:
    """The trial games of a ruleset, and what they came to."""

    ruleset: Ruleset
    work_left: int = field(init=False)
    found: dict[Cause, tuple[Diagnostic, list[Trial]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.work_left = MOST_WORK if self.ruleset.program.resolved.base is None else MOST_WORK_OF_VARIANT

    def play(self) -> list[Diagnostic]:
        """Play the beginning of a game of every set-up, then whole games as far as the work goes, and say
        what went wrong.
        """
        setups = _setups(self.ruleset)
        for trial in setups:
            self._try(trial, MOST_WORK_OF_BEGINNING)
        usual = setups[0]
        for trial in (*setups, *(replace(usual, game=number) for number in range(2, 2 + MORE_GAMES))):
            if self.work_left > 0 and not any(trial in trials for _, trials in self.found.values()):
                self._try(trial, MOST_WORK_OF_GAME)
        return [self._told(problem, trials) for problem, trials in self.found.values()]

    def _try(self, trial: Trial, work: int) -> None:
        """Play a game for so many steps of the evaluator, and note what goes wrong."""
        for problem in self._played(trial, work):
            self.found.setdefault((problem.code, problem.span), (problem, []))[1].append(trial)

    def _played(self, trial: Trial, work: int) -> list[Diagnostic]:
        """Return the problems of a game: none if it ends, or if it is left because it takes long."""
        try:
            match = GameMatch(
                self.ruleset, MatchConfig(trial.players, trial.settings, SEED), trial.game, light=True
            )
        except RulesetError:
            return []  # this set-up is refused, or it is told without any game
        enough = self.work_left - work
        goes_on = True
        while goes_on and self.work_left > enough:
            if not match.state.is_chance_node():
                broken = self._broken(match.state)
                if broken:
                    return broken
                self._look_ahead(match.state)
            goes_on = match.step()
            self._count(match.state)
        return [] if match.state.fault is None else [match.state.fault]

    def _broken(self, state: State) -> list[Diagnostic]:
        """The invariants that do not hold."""
        broken = state.check_invariants()
        self._count(state)
        return broken

    def _look_ahead(self, state: State) -> None:
        """Let the state find out what may be chosen: that examines positions where the rules look ahead."""
        for seat in state.pending_seats():
            state.legal_actions(seat)
        self._count(state)

    def _count(self, state: State) -> None:
        """Take what the last action or question has cost, and the look-aheads in it, from what is left."""
        allowed, (_, left_to_look_ahead) = self.ruleset.program.limits["fuel"], state._m.examined
        self.work_left -= 2 * allowed - state._m.fuel - left_to_look_ahead

    def _told(self, problem: Diagnostic, trials: list[Trial]) -> Diagnostic:
        """A problem with the games in which it comes."""
        counts = sorted({trial.players for trial in trials})
        where = (
            ""
            if counts == list(self.ruleset.players)
            else f" with {_listed(counts)} {'player' if counts == [1] else 'players'}"
        )
        note = (
            f"that happens in a game{where}: `croupier run {self.ruleset.path} {trials[0].options}` shows it"
        )
        return replace(problem, notes=(*problem.notes, note))


def _setups(ruleset: Ruleset) -> list[Trial]:
    """A game of each number of players, the usual one first, and of each variant that is switched on."""
    usual = ruleset.default_players
    return [Trial(usual, {}), *(Trial(n, {}) for n in ruleset.players if n != usual), *_switched(ruleset)][
        :MOST_SETUPS
    ]


def _switched(ruleset: Ruleset) -> Iterator[Trial]:
    """A game of each value of a parameter that switches a variant on, at the first number of players that
    admits it.
    """
    for parameter in ruleset.program.params.values():
        for word in parameter.switches:
            if word == chosen_word(parameter, {}):
                continue
            settings = {parameter.name: word == "true" if isinstance(parameter.type, t.Bool) else word}
            try:
                counts = admitted(ruleset.program_for(settings), settings)[0]
            except RulesetError:
                continue
            if counts:
                players = ruleset.default_players if ruleset.default_players in counts else counts[0]
                yield Trial(players, settings)


def _listed(numbers: list[int]) -> str:
    """Numbers in words: `2, 3 or 5`."""
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last}" if others else last


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
