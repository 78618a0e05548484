"""The rulesets that one run of a command plays scenarios with: each is loaded once, and its games are set up
once.

In comes the path of a ruleset, out come the ruleset and its games. A command makes one `LoadedRulesets` and
passes it on, so that scenario files for the same ruleset share it, and variants of one folder share the texts
that they are made of. Nothing here looks at a file a second time: whoever waits for files to change makes a
new one.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from croupier.diagnostics import RulesetError
from croupier.pipeline import CheckResult, Shared, check, load
from croupier.reads import Reads, note, recorded
from croupier.ruleset import Ruleset
from croupier.scenarios.settings import Games


@dataclass(frozen=True)
class LoadedRuleset:
    """A ruleset, and the games that were set up for its scenarios."""

    ruleset: Ruleset
    games: Games


@dataclass
class LoadedRulesets:
    """Loads rulesets to play their scenarios, each once, with no lint; or checks them before.

    `traced`: their games note what is executed.
    """

    traced: bool = True
    _shared: Shared = field(default_factory=Shared)
    _found: dict[tuple[str, str], tuple[LoadedRuleset | RulesetError, Reads]] = field(default_factory=dict)

    def check(self, path_or_name: str | Path) -> CheckResult:
        """Check a ruleset, as `pipeline.check` does. If it has no errors, `load` gives it, too."""
        with recorded() as reads:
            result = check(path_or_name, self._shared)
        if result.ruleset is not None:
            self._found[_key(result.ruleset.path)] = self._with_games(result.ruleset), reads
        return result

    def keep(self, ruleset: Ruleset) -> None:
        """Take a ruleset that was loaded already, by its path or name alone: `load` gives it for its file.
        What it was read from is not noted.
        """
        self._found[_key(ruleset.path)] = self._with_games(ruleset), Reads()

    def load(self, path: Path) -> LoadedRuleset:
        """The ruleset of a file, with its games.

        Raises `RulesetError` with the errors found in it, each time that it is asked for.

        A file that is named in another way is loaded again, because places name it as it was named. What was
        read is noted (`reads.py`) each time.
        """
        key = _key(path)
        if key in self._found:
            note(self._found[key][1])
        else:
            with recorded() as reads:
                found = self._load(path)
            self._found[key] = found, reads
        found = self._found[key][0]
        if isinstance(found, RulesetError):
            raise found
        return found

    def load_named(self, path_or_name: str | Path) -> LoadedRuleset:
        """The ruleset of that name or path, with its games.

        Raises `RulesetError` with the errors found in it.
        """
        return self._with_games(load(path_or_name, self._shared))

    def _load(self, path: Path) -> LoadedRuleset | RulesetError:
        try:
            ruleset = load(path, self._shared)
        except RulesetError as error:
            return error
        return self._with_games(ruleset)

    def _with_games(self, ruleset: Ruleset) -> LoadedRuleset:
        return LoadedRuleset(ruleset, Games(ruleset, self.traced))


def _key(path: Path) -> tuple[str, str]:
    return os.path.realpath(path), str(path)
