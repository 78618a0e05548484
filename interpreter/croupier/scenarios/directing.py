"""A whole scenario: where it begins, its steps, and what must then be true."""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.diagnostics import Diagnostic, RulesetError, diagnose
from croupier.load import Ruleset
from croupier.runtime.state import State
from croupier.scenarios import position
from croupier.scenarios.games import Games, SetUpRefused
from croupier.scenarios.running import Player, Stopped
from croupier.scenarios.setting import Setting, over
from croupier.scenarios.shape import Given, Scenario
from croupier.source import Mapping, Node, Scalar

WITHOUT_GAME = ("id", "title", "doc", "cites", "example", "given", "chance", "then")  # keys of a scenario whose game cannot be set up


@dataclass
class Director:
    """Runs the scenarios of one file, with what the file gives to all of them."""

    ruleset: Ruleset
    games: Games
    given: Given | None
    first_chance: bool
    earlier: dict[str, Scenario] = field(default_factory=dict)
    _stopped: Player | None = None  # who was on the way when `reach` stopped

    def run(self, scenario: Scenario) -> list[Diagnostic]:
        """What is wrong with a scenario or with the rules; nothing if it passes."""
        player: Player | None = None
        self._stopped = None
        try:
            player = self.reach(scenario)
            player.play(scenario.do)
            player.settle(scenario.id.span)
            if scenario.then is not None:
                player.expect(scenario.then)
        except Stopped:
            pass
        except SetUpRefused as error:
            return _refused(scenario, error)
        except RulesetError as error:
            return [*(player.found if player is not None else ()), *error.diagnostics]
        player = player or self._stopped
        assert player is not None
        player.unexpected_fault(scenario)
        return player.found

    def reach(self, scenario: Scenario) -> Player:
        """A player at the point where the scenario's own steps begin. Raises `RulesetError` and `Stopped`."""
        setting = over(self.given, scenario.given, scenario.id.span)
        chance = self.first_chance or scenario.chance is not None
        if setting.after is not None:
            before = self.earlier.get(setting.after.text)
            if before is None:
                raise RulesetError([diagnose("K020", setting.after.span, id=setting.after.text)])
            player = self.reach(before)
            self._stopped = player
            player.first_chance = player.first_chance or before.chance is not None
            player.play(before.do, checking=False)
            player.settle(setting.after.span)
            player.first_chance = chance
            return player
        player = self._sit_down(setting, chance)
        self._stopped = player
        player.begin(setting.span)
        player.play(setting.play)
        return player

    def _sit_down(self, setting: Setting, chance: bool) -> Player:
        table = self.games.table(setting)
        if setting.declared:
            begun = position.begin(self.ruleset, table, setting)
            return Player(table, begun.state, chance, begun.end, begun.result)
        return Player(table, State(self.ruleset, table.game), chance)


def _refused(scenario: Scenario, error: SetUpRefused) -> list[Diagnostic]:
    """What is wrong where the game cannot be set up: nothing if the scenario says so, with the reason if it names one."""
    wanted = scenario.then.refusal if scenario.then is not None else None
    if scenario.then is None or wanted is None:
        return list(error.diagnostics)
    idle = [*_other_keys(scenario.then.node, "outcome"), *_other_keys(wanted.node, "status", "reason"), *_other_keys(scenario.node, *WITHOUT_GAME)]
    found = [diagnose("K025", key.span, key=key.text) for key in idle]
    if wanted.reason is not None and not any(wanted.reason.text in d.message for d in error.diagnostics):
        shown = "; ".join(f"`{d.message}`" for d in error.diagnostics)
        found.append(diagnose("K120", wanted.reason.span, what="reason", found=shown, wanted=f"`{wanted.reason.text}`"))
    return found


def _other_keys(node: Node, *names: str) -> list[Scalar]:
    return [key for key, _ in node.entries if key.text not in names] if isinstance(node, Mapping) else []
