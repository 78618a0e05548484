"""Scenarios: tests of rules, written as data beside the rules.

What comes in: the files `scenarios/*.yaml` of a ruleset. Each scenario says where it begins (*given*: the set-up and what was played, or a
declared position at a named phase), what happens (*do*: decisions, chance outcomes, actions that must be refused) and what must then be
true (*then*: facts in the rule language, contents, legal actions, what seats see, events, the outcome). What goes out: for each a result with a
readable difference, the rules it cites and the rules that it executed.

    shape.py, steps.py        what may be written            files.py      where the files are, which ruleset they are for
    setting.py, games.py      players, parameters, set-up    table.py      the seats and their names
    values.py, contents.py    values and zones as written    position.py   declared positions
    actions.py                actions as written             running.py    the steps, one by one
    directing.py, api.py      one scenario, all of them      results.py    what they came to
    checks.py, facts.py, sight.py, outcomes.py               what must be true
    export.py, keydocs.py                                    the JSON Schema for editors
"""

from croupier.scenarios.api import check_scenarios, each_scenario, run_scenarios
from croupier.scenarios.files import is_scenario_file, scenario_files
from croupier.scenarios.results import WHOLE_FILE, ScenarioResult

__all__ = ["WHOLE_FILE", "ScenarioResult", "check_scenarios", "each_scenario", "is_scenario_file", "run_scenarios", "scenario_files"]
