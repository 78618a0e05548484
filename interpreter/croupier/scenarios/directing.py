"""A whole scenario: where it begins, its steps, and what must then be true."""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.diagnostics import Diagnostic, RulesetError, diagnose
from croupier.load import Ruleset
from croupier.runtime.state import State
from croupier.scenarios import position
from croupier.scenarios.games import Games
from croupier.scenarios.running import Player, Stopped
from croupier.scenarios.setting import Setting, over
from croupier.scenarios.shape import Given, Scenario


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
