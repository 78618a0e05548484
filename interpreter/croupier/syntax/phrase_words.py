"""The words of players for the built-in words of the rule language, in tables.

A row is a template: `{x}` stands for the value in front of the dot, `{0}` and `{1}` for the arguments.
`phrases.py` fills them in.
"""

from __future__ import annotations

from collections.abc import Mapping

# ---------------------------------------------------------------- operators
COMPARED: Mapping[str, str] = {
    "==": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than",
    ">=": "is at least",
    "in": "is in", "not in": "is not in",
}  # fmt: skip
OPPOSITES: Mapping[str, str] = {
    "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in",
    "and": "or", "or": "and",
}  # fmt: skip
CALCULATED: Mapping[str, str] = {"+": "+", "-": "-", "*": "×"}

# ---------------------------------------------------------------- behind a dot
ATTRIBUTES: Mapping[str, str] = {
    "size": "the number in {x}",
    "list": "{x}",
    "reversed": "{x} in reverse",
    "first": "the first of {x}",
    "last": "the last of {x}",
    "top": "the top of {x}",
    "bottom": "the bottom of {x}",
    "distinct": "the different ones of {x}",
    "counts": "how often each occurs in {x}",
    "room": "the room left in {x}",
    "next": "what comes after {x}",
    "previous": "what comes before {x}",
    "opposite": "the opposite of {x}",
    "cells": "the cells of {x}",
    "origin": "the first cell of {x}",
    "occupied": "the occupied cells of {x}",
    "frontier": "the empty cells next to those of {x}",
    "rows": "the rows of {x}",
    "columns": "the columns of {x}",
    "directions": "the directions of {x}",
    "row": "the row of {x}",
    "column": "the column of {x}",
    "edges": "the edges of {x}",
    "corners": "the corners of {x}",
    "links": "the ways of {x}",
    "adjacent": "the neighbours of {x}",
}
METHODS: Mapping[str, str] = {
    "take": "the first {0} of {x}",
    "drop": "all but the first {0} of {x}",
    "times": "how often {0} occurs in {x}",
    "position": "the place of {0} in {x}",
    "above": "what lies above the lowest {0} of {x}",
    "key": "the one whose {x} has {0}",
    "row": "{0} of {x}",
    "column": "{0} of {x}",
    "lines": "the lines of {0} cells of {x}",
    "at": "the cell in {0} and {1} of {x}",
    "turned": "the direction {1} further than {0}, clockwise",
    "between": "the cells between {0} and {1}",
    "step": "the cell next to {x} {0}",
    "offset": "the cell {0} down and {1} to the right of {x}",
    "ray": "the cells from {x} {0}",
    "linked": "the cells linked with {x} by {0}",
    "across": "the place across {x} from {0}",
}
KEY_OF_BOARD = "the cell of {x} with {0}"
OF_DIRECTION = ("step", "ray")  # their argument is a direction
# and these are numbers of such
OF_PLACE: Mapping[str, tuple[str, ...]] = {
    "at": ("row", "column"), "row": ("row",), "column": ("column",),
}  # fmt: skip
SHORT_NAME = 2  # letters of a name that stands behind a noun: “each cell c”
# one thing of many, called `{n}`: a player, a cell; none, too, where there may be none
ONE_OF_FUNCTION: Mapping[tuple[str, int], str] = {
    ("others", 1): "player {n} other than {0}",
    ("clockwise", 1): "player {n} clockwise from {0}",
}
ONE_OF_METHOD: Mapping[str, str] = {
    "row": "cell {n} of {x} in {0}",
    "column": "cell {n} of {x} in {0}",
    "at": "cell {n} in {0} and {1} of {x}",
    "between": "cell {n} between {0} and {1}",
    "step": "cell {n} next to {x} {0}",
    "offset": "cell {n} that is {0} down and {1} to the right of {x}",
    "ray": "cell {n} from {x} {0}",
    "linked": "cell {n} linked with {x} by {0}",
    "across": "place {n} across {x} from {0}",
    "lines": "line {n} of {0} cells of {x}",
}
ONE_OF_ATTRIBUTE: Mapping[str, str] = {
    "cells": "cell {n} of {x}",
    "adjacent": "neighbour {n} of {x}",
    "occupied": "occupied cell {n} of {x}",
    "rows": "row {n} of {x}",
    "columns": "column {n} of {x}",
    "directions": "direction {n} of {x}",
    "edges": "edge {n} of {x}",
    "corners": "corner {n} of {x}",
    "links": "way {n} of {x}",
}
NOUNS = (
    "player", "cell", "line", "neighbour", "row", "column", "direction", "edge", "corner", "way", "number",
    "place",
)  # fmt: skip
LINE = "line of {0} cells of {x}"
# names that read as a part of the sentence around them, and stand in quotes
PREPOSITIONS = ("at", "by", "for", "from", "in", "into", "of", "on", "onto", "over", "to", "via", "with")
# conditions, and their opposites
STATES: Mapping[str, tuple[str, str]] = {
    "empty": ("{x} is empty", "{x} is not empty"),
    "shuffled": ("{x} is shuffled", "{x} is not shuffled"),
    "all_equal": ("all of {x} are equal", "not all of {x} are equal"),
    "all_different": ("all of {x} are different", "not all of {x} are different"),
}
# how a name of a truth begins that reads as a verb, and the same where it does not hold
VERBS: Mapping[str, tuple[str, str]] = {
    "is": ("is", "is not"), "has": ("has", "does not have"), "may": ("may", "may not"),
    "can": ("can", "cannot"), "must": ("must", "need not"), "was": ("was", "was not"),
    "in": ("is in", "is not in"),
}  # fmt: skip

# ---------------------------------------------------------------- functions
FUNCTIONS: Mapping[tuple[str, int], str] = {
    ("next", 1): "the player after {0}",
    ("next", 2): "the player after {0} among {1}",
    ("previous", 1): "the player before {0}",
    ("clockwise", 1): "players clockwise from {0}",
    ("clockwise", 2): "players clockwise from {0} among {1}",
    ("others", 1): "the players other than {0}",
    ("abs", 1): "{0} without its sign",
    ("max", 1): "the largest of {0}",
    ("max", 2): "the larger of {0} and {1}",
    ("min", 1): "the smallest of {0}",
    ("min", 2): "the smaller of {0} and {1}",
    ("sum", 1): "the sum of {0}",
    ("only", 1): "the only one of {0}",
}
OTHERWISE = "{0}, or {1} if there is none"
DIFFERENCE = "the difference between {0} and {1}"

# ---------------------------------------------------------------- aggregates
WALKED: Mapping[str, str] = {
    "count": "the number of",
    "sum": "the sum of",
    "max": "the largest",
    "min": "the smallest",
    "first": "the first",
    "last": "the last",
    "only": "the only",
    "best": "the",
    "worst": "the",
    "ties": "all",
    "list": "each",
    "bag": "each",
    "set": "each different",
    "sorted": "each",
}
RANKED: Mapping[str, str] = {"best": "greatest", "worst": "smallest", "ties": "greatest"}
