"""Random programs for tests: as a strategy of Hypothesis, checked, and played on two back ends at once."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import croupier
from croupier.diagnostics import RulesetError
from croupier.play.digest import DigestedGame, digest
from croupier.play.match import MatchConfig
from croupier.play.simulate import simulate
from generated.covered import constructs, table
from generated.world import Program, program
from lockstep import Differs, lock_step

FEATURES = frozenset({"hook", "window", "watcher", "so that"})


@st.composite
def small(draw: st.DrawFn) -> Program:
    """A program each of whose choices can be made simpler."""
    return program(lambda n: draw(st.integers(0, n - 1)))


def programs() -> st.SearchStrategy[Program]:
    """Any program of the grammar: by its choices, or by a number, which makes longer ones."""
    return st.one_of(small(), *[st.integers(0, 2**32).map(lambda k: program(random.Random(k).randrange))] * 3)


@dataclass
class Tally:
    """Programs that check, and how many wait and use features; those that do not check; those that a back end
    refuses; steps played.
    """

    sound: int = 0
    waiting: int = 0
    rich: int = 0
    unsound: int = 0
    games: int = 0
    steps: int = 0
    constructs: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        words = (
            f"{self.sound} programs the same ({self.waiting} wait, {self.rich} with hooks, windows, "
            f"watchers or look-ahead), "
        )
        words += f"{self.games} games, {self.steps} steps"
        words += f"; {self.unsound} did not check"
        return words + "".join(f"\n  refused {n}: {what}" for what, n in self.refused.most_common())

    def covered(self) -> str:
        """How many programs hold each construct of the language, and how the games ended."""
        ends = ", ".join(f"{n} {how}" for how, n in self.ends.most_common())
        return f"programs that hold each construct:\n{table(self.constructs)}\nends of games: {ends}"


def checked(made: Program) -> croupier.Ruleset | None:
    """The ruleset of a program, if it has no errors."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "generated.yaml"
        path.write_text(made.text, encoding="utf-8")
        return croupier.check(path).ruleset


def whole(ruleset: croupier.Ruleset, backend: str) -> list[DigestedGame]:
    """Some whole games, which a back end may play alone, with their final positions."""
    setup = MatchConfig(players=ruleset.players[0], seed=1, backend=backend, verify=True)
    return sorted(simulate(ruleset, ruleset.path, setup, 2, load=croupier.load), key=lambda game: game.game)


def digest_of(ruleset: croupier.Ruleset, backend: str) -> str:
    """Of the same games."""
    return digest(whole(ruleset, backend))


def agree(made: Program, backend: str, games: int, tally: Tally) -> None:
    """Play a program on both. Raises `Differs`, with the program."""
    ruleset = checked(made)
    if ruleset is None:
        tally.unsound += 1
        return
    try:
        steps = [steps for _, steps in lock_step(ruleset, backend, games)]
        played = whole(ruleset, "reference")
        if digest_of(ruleset, backend) != digest(played):
            raise Differs("the digest of whole games")
    except RulesetError as e:
        tally.refused[e.diagnostics[0].message] += 1
        return
    except Differs as e:
        raise Differs(f"{made.text}\n{e}") from None
    tally.sound += 1
    tally.games += len(steps) + len(played)
    tally.steps += sum(steps)
    tally.constructs.update(constructs(ruleset.program))
    tally.ends.update(game.status for game in played)
    tally.waiting += "waits" in made.used
    tally.rich += bool(made.used & FEATURES)


def many(number: int, backend: str, games: int = 1, first: int | None = None) -> Tally:
    """Play so many programs; the same ones each time, or those of the seed `first`.

    Raises `Differs` with the smallest that was found.
    """
    tally = Tally()

    @settings(
        max_examples=number, derandomize=first is None, database=None, deadline=None,
        suppress_health_check=list(HealthCheck), phases=(Phase.generate, Phase.shrink),
    )  # fmt: skip
    @given(programs())
    def test(made: Program) -> None:
        agree(made, backend, games, tally)

    (test if first is None else seed(first)(test))()
    return tally
