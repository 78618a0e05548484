"""What each key is for, in one line: shown by editors that read the JSON Schema, and by whoever explains a ruleset's shape."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

COMMON: Mapping[str, str] = MappingProxyType(
    {
        "doc": "an explanation for readers",
        "cites": "the rules that this implements: `[AB-1, AB-4..6]`",
    }
)

BY = "the parameter that decides; the other keys are its values"
PLAYERS_RANGE = "the numbers of players: `2`, `2..6` or `[2, 4]`"
PLAYERS_DEFAULT = "how many play where nobody says a number; the fewest unless said"

_DOCUMENT = {
    "croupier": "the version of the language that the file is written in: 1",
    "ruleset": "the ruleset's name in programs: letters, digits and `_`",
    "title": "the game's name for people",
    "players": "the numbers of players: `2`, `2..6` or `[2, 4]`, perhaps with how many play unless said",
    "rule_list": "a CSV file `id,tag,text` with the rules that may be cited",
    "limits": "what one game may use before it ends as unfinished",
    "uses": "modules, each with what it is given: `{drafting: {hand: hand}}`",
    "types": "enumerations and records",
    "parameters": "values that are chosen when a game is set up",
    "components": "the kinds of cards, dice, tokens and other pieces",
    "zones": "the places where components lie",
    "boards": "cells and their neighbourhood",
    "state": "values that change during the game",
    "definitions": "functions, hooks and watchers in the rule language, in one text or by section",
    "claims": "what players may say",
    "phases": "the course of the game, in order",
    "scoring": "who wins, in the rule language",
    "invariants": "conditions that hold at every decision, every chance event and the end",
    "policies": "how bots weigh options, by name: what is chosen, and its weight",
    "measures": "numbers that the lab takes of games, by name",
    "table": "how the game looks on a screen, on a page and in the rulebook",
}
_SECTIONS = ("types", "parameters", "components", "zones", "boards", "state", "claims", "phases", "invariants", "policies", "measures")
_OF_MODULES = ("types", "components", "zones", "boards", "state", "definitions")
_PHASE = {
    "for": "once for each: `p in players`",
    "repeat": "again and again until the game is finished",
    "repeat until": "again and again until this holds",
    "phases": "the parts, in order",
}
_PARTS = {
    "rows": "rows of component tables by id: the cells that change",
    "values": "values of enumerations: the columns that change",
    "powers": "rule text of pieces, by component and id",
}
_STACK = {
    "holds": "the kind of component that lies here",
    "order": "`pile` (top and bottom), `sequence`, `set` or `bag` (alike pieces are not told apart)",
    "capacity": "how many fit",
    "seen_by": "who sees what lies here: everybody, nobody, owner, others, players, or by a condition or the value of a parameter",
    "counted_by": "who knows how many lie here; everybody unless said otherwise",
    "live": "whether the powers of what lies here are in force",
    "label": "what the story calls it: `\"the hand of {key}\"`",
    "start": "what lies here at the start: `all`, or an expression",
}

KEYS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "RulesetDoc": _DOCUMENT,
        "VariantDoc": {
            **_DOCUMENT,
            **_PARTS,
            "add": "what is new, section by section",
            "remove": "the names of what goes, section by section",
            "extends": "what this is a variant of: a file in the ruleset's folder, the name of a shipped ruleset, or a list of variants",
            "set": "parameters and the defaults that the variant gives them",
        },
        "ModuleDoc": {
            **{section: _DOCUMENT[section] for section in ("croupier", "title", *_OF_MODULES, "parameters", "invariants")},
            "module": "the module's name: what its file is called",
            "needs": "what the ruleset has to have, with what stands for it while the module is looked at alone",
            "example": "a small game that tries the module",
        },
        "Needs": {section: _DOCUMENT[section] for section in _OF_MODULES},
        "ModuleExample": {key: _DOCUMENT[key] for key in ("players", "zones", "state", "definitions", "phases", "scoring")},
        "Additions": {
            **{section: _DOCUMENT[section] for section in _SECTIONS},
            "phases": "phases, each `after` or `before` another one",
            "rows": "rows of component tables",
            "values": "values of enumerations",
            "powers": "rule text of pieces without any, by component and id",
        },
        "Removals": {
            **{section: f"names of {section}" for section in _SECTIONS},
            "rows": "ids of rows by component",
            "values": "values by enumeration",
            "powers": "ids of pieces by component",
        },
        "AddedPhase": {
            **_PHASE,
            "rules": "the rule text of a phase that has a place",
            "after": "the phase that comes before it",
            "before": "the phase that comes after it",
        },
        "Limits": {
            "decisions": "the most decisions in one game, up to 100,000",
            "chance": "the most chance events in one game, up to 100,000",
            "fuel": "the most steps between two decisions or chance events, up to 10,000,000",
        },
        "Enumeration": {
            "attributes": "the columns of the values, each with its type",
            "values": "the names, in order; with columns, `name: [cells]` or `name: {column: cell}`",
            "labels": "what players read instead of a name: `hearts: ♥`",
        },
        "RecordType": {"record": "the fields, each with its type"},
        "Alias": {"type": "the type that the name stands for"},
        "Parameter": {
            "type": "the type of the value",
            "one_of": "the words to choose from; the first is the default",
            "default": "the value unless another is chosen",
            "valid": "a condition that has to hold, or conditions by the words that say them",
            "tried": "values that are tried when the ruleset is checked",
            "variants": "the variants that hold with a value: `{true: short_game}`",
        },
        "Component": {
            "attributes": "what every piece has for good, each with its type",
            "mutable": "what can change on a piece, each with type and start value: `face: 1..6 = 1`",
            "each": "one piece for every combination of these attributes",
            "ids": "one piece of each name",
            "columns": "the columns of the rows in `table`",
            "table": "rows of attributes, or the CSV or YAML file that holds them",
            "copies": "how many there are of each piece",
            "count": "how many there are, all alike",
            "label": "how a piece is called: `\"{colour}-{number}\"`",
            "rolls": "the mutable attribute that rolling sets",
            "live": "where its powers are in force: `anywhere`, or in `zones` that are live",
            "powers": "rule text of all pieces, or by id",
        },
        "StackOptions": _STACK,
        "Zone": {
            **_STACK,
            "per": "one zone for each value: Player, Team, a board's cell",
        },
        "Board": {
            "shape": "rectangle, hex, ring, hub or graph",
            "rows": "the number of rows",
            "columns": "the number of columns",
            "size": "the number of cells along an edge of a hexagon, of a ring, or around a hub",
            "adjacency": "which cells are neighbours: orthogonal, diagonal or all",
            "cell": "the name of the type of the cells",
            "cells": "the names of the cells",
            "edge": "the name of the type of the edges of cells, if they are places",
            "corner": "the name of the type of the corners of cells, if they are places",
            "links": "pairs of cells that are neighbours, perhaps by their kind",
            "link": "the name of the type of the links, if they are places",
            "kind": "the name of the type of the kinds of links",
            "stack": "what may lie on a cell, written like a zone",
        },
        "StateVariable": {
            "type": "the type of the value",
            "start": "the value at the start",
            "seen_by": "who sees it",
            "label": "how the story tells a change: `\"{key} has {value}\"`; an empty text is not told, and the table leaves the value out",
        },
        "Phase": _PHASE,
        "TableLook": {
            "values": "values of enumerations: a colour, or `colour` and `symbol`",
            "large": "by component, the attributes that are written large",
            "together": "zones that are shown side by side, by a title",
            "details": "state that is left out unless somebody asks",
        },
        "ValueLook": {"colour": "a word (`blue`) or `#2f6fc4`", "symbol": "at most 4 characters"},
        "Claim": {
            "says": "the sentence, with fields in braces",
            "fields": "the fields, each with its type",
            "only if": "when it may be said",
            "leaks": "why that may depend on what the claimant does not see",
        },
    }
)


def describe_key(model: str, key: str) -> str:
    """The line for a key of a model.  Raises KeyError for a key without one."""
    return COMMON[key] if key in COMMON else KEYS[model][key]
