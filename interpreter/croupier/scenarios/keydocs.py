"""What each key of a scenario file is for, in one line, for editors that read its JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from croupier.schema.keydocs import COMMON

_GIVEN = "where it begins: players, parameters, and a position or the steps that lead to one"

KEYS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "ScenarioFile": {
            "croupier": "the version of the language that the file is written in: 1",
            "ruleset": "the ruleset that is tested: the name of a shipped one, or a path; otherwise the one beside the folder `scenarios`",
            "given": "what every scenario of the file begins with",
            "chance": "`first`: chance that no step names takes its first outcome",
            "scenarios": "the scenarios",
        },
        "Scenario": {
            "id": "the scenario's name",
            "title": "one line for people",
            "example": "`true`: a worked example of a rulebook, which may cite more than 8 rules",
            "given": _GIVEN,
            "chance": "`first`: chance that no step names takes its first outcome",
            "do": "what happens, step by step",
            "then": "what must be true at the end",
        },
        "Given": {
            "players": "the number of players, or their names in the order of play",
            "parameters": "parameters of the ruleset and their values",
            "play": "steps from the set-up",
            "at": "the phase that the declared position stands before",
            "with": "the values of the variables of loops around that phase",
            "zones": "what lies in zones, bottom to top",
            "state": "values of state",
            "rest": "where the components lie that no zone names",
            "call": "the call of one definition that runs instead of a phase; facts may use its `result`",
            "after": "another scenario above in this file, whose end is the beginning of this one",
        },
        "Expectation": {
            "facts": "expressions of the rule language that must be true",
            "zones": "what lies in zones, or how many components",
            "state": "values of state",
            "acts": "who is to act: seats, `chance` or `nobody`",
            "legal": "the legal actions of a seat: all of them, or `exactly`, `includes`, `excludes`",
            "sees": "what a seat sees: faces, zones, state",
            "hidden": "what a seat does not see",
            "events": "texts that occur among the events, in this order; for everybody or by seat",
            "no events": "texts that do not occur among the events",
            "outcome": "how the game stands",
        },
        "Outcome": {
            "status": "running, finished, unfinished, stuck or faulted; or refused: it cannot be set up",
            "winners": "the seats that win",
            "scores": "a score for each seat",
            "returns": "a number for each seat, as programs get it",
            "grade": "the word that the result is given",
            "reason": "why the game could not go on or be set up, or a part of it",
        },
    }
)


def describe_key(model: str, key: str) -> str:
    """The line for a key of a model.  Raises KeyError for a key without one."""
    return COMMON[key] if key in COMMON else KEYS[model][key]
