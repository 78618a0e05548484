"""Scenarios: tests of rules, written as data beside the rules.

What comes in: the files `scenarios/*.yaml` of a ruleset. Each scenario says where it begins (*given*: the
set-up and what was played, or a declared position at a named phase), what happens (*do*: decisions, chance
outcomes, actions that must be refused) and what must then be true (*then*: facts in the rule language,
contents, legal actions, what seats see, events, the outcome). What goes out: for each a result with a
readable difference, the rules it cites and the rules that it executed.

    document.py   what may be written, and its JSON Schema
    files.py      where the files are, which ruleset they are for
    context.py    the game and its seats by name
    settings.py   players, parameters, set-up
    values.py     values as an author writes them; actions.py actions
    positions.py  declared positions: zones, state, the place in the rules
    checks.py     what must be true; sight.py what a seat sees, and what is hidden from it
    running.py    one scenario, step by step
    loaded.py     the rulesets of one run of a command, each loaded once
    api.py        all scenarios of a ruleset, and their results

The names below are imported on first use: who only wants to know which files there are loads nothing that
plays.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.scenarios.api import (
        WHOLE_FILE,
        ScenarioResult,
        check_scenarios,
        each_scenario,
        run_scenarios,
    )
    from croupier.scenarios.files import is_scenario_file, scenario_files
    from croupier.scenarios.loaded import LoadedRulesets

_HOMES = {
    "WHOLE_FILE": "api",
    "LoadedRulesets": "loaded",
    "ScenarioResult": "api",
    "check_scenarios": "api",
    "each_scenario": "api",
    "is_scenario_file": "files",
    "run_scenarios": "api",
    "scenario_files": "files",
}

__all__ = [
    "WHOLE_FILE",
    "LoadedRulesets",
    "ScenarioResult",
    "check_scenarios",
    "each_scenario",
    "is_scenario_file",
    "run_scenarios",
    "scenario_files",
]


def __getattr__(name: str) -> object:
    """Import a public name from its module; raises `AttributeError` for any other."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module `croupier.scenarios` has no attribute `{name}`")
    value = getattr(import_module(f"croupier.scenarios.{home}"), name)
    globals()[name] = value
    return value
