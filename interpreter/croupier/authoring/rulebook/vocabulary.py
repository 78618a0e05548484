"""The words for operators, members, functions and aggregates; `{}` is what they are said of, `{a}` are arguments, `{e}` what is looked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

COMPARED = {
    "==": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than", ">=": "is at least", "in": "is among",
    "not in": "is not among",
}  # fmt: skip
NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in"}
REACHED = {"+": "plus", "-": "minus", "*": "times", "//": "divided by", "mod": "modulo", "and": "and", "or": "or", "..": "to"}
ROUNDED = ", rounded down"
MEMBERS = {
    "size": "the number of {}", "first": "the first of {}", "last": "the last of {}", "top": "the top of {}", "bottom": "the bottom of {}",
    "reversed": "{} in reverse", "distinct": "the different ones of {}", "list": "{}", "seat": "the seat of {}", "owner": "the owner of {}",
    "room": "the room in {}", "rank": "the rank of {}", "adjacent": "the neighbours of {}", "cells": "all cells of {}",
}  # fmt: skip
WORDS = {"players": "the players", "self": "this one", "owner": "its owner", "_": "any"}
STATES = {"empty": "is empty", "all_equal": "are all equal", "all_different": "are all different"}
OPPOSITE = {"empty": "is not empty", "all_equal": "are not all equal", "all_different": "are not all different"}
FUNCTIONS = {
    "clockwise": "the players clockwise from {}", "turns": "the players in turn", "others": "everybody but {0} clockwise from the player after {0}",
    "next": "the player after {}",
    "previous": "the player before {}", "abs": "the size of {} without its sign", "only": "the only one of {}", "first": "the first of {}",
    "last": "the last of {}", "sum": "the sum of {}", "sorted": "{} in order",
}  # fmt: skip
AMONG = {  # FUNCTIONS with the list of those that they are about
    "clockwise": "those of {1} clockwise from {0}", "next": "the next of {1} after {0}",
}  # fmt: skip
EXTREMES = {"min": "the smallest of {}", "max": "the largest of {}"}
METHODS = {
    "key": "the one whose {} holds {a}", "take": "the first {a} of {}", "drop": "{} without the first {a}", "times": "how often {a} is in {}",
    "position": "the place of {a} in {}", "at": "the cell {a} of {}", "step": "the neighbour of {} in direction {a}", "row": "row {a} of {}",
    "ray": "the cells from {} in direction {a}", "between": "the cells of {} between {a}", "column": "column {a} of {}",
    "lines": "the lines of {a} cells of {}", "above": "what lies above the lowest {a} of {}",
}  # fmt: skip
LITTLE = frozenset("and or not is are of to for from in by than if no none with where all each plus minus let becomes".split())  # words of sentences
WORDS_OF_TWO = frozenset("a an as at be by do go if in is it no of on or to we".split())  # words of sentences of one or two letters
FIRST = {"take": "the first of {}", "drop": "{} without the first", "above": "what lies above the lowest of {}"}  # METHODS whose argument is 1
COUNTED = ("take", "drop", "row", "column", "lines", "above")  # METHODS whose argument is a number that stands before a name
AGGREGATES = {
    "sum": "the sum of {e}", "max": "the largest {e}", "min": "the smallest {e}", "first": "the first {e}", "last": "the last {e}",
    "only": "the only {e}", "set": "the different {e}", "bag": "all {e}", "list": "all {e}", "best": "the best {e}", "worst": "the worst {e}",
    "ties": "all best {e}", "sorted": "all {e} in order",
}  # fmt: skip


def name(text: str) -> str:
    """A name as words."""
    return text.replace("_", " ").strip() or text


def quoted(text: str, least: int = 2) -> str:
    """A name as words within a sentence: in quotes if a word of it, of at least so many, could be one of the sentence (`hand_or_thing`)."""
    words = name(text)
    return f"‘{words}’" if len(words.split()) >= least and LITTLE.intersection(words.lower().split()) else words


def listed(parts: Sequence[str], word: str = "and") -> str:
    """Some texts as a list in a sentence."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}" if parts else ""


def article(words: str) -> str:
    """Words with “a” or “an” before them."""
    return f"{'an' if words[:1].lower() in 'aeiou' else 'a'} {words}"


def capital(text: str) -> str:
    """A text at the beginning of a sentence; the name of one or two letters of a player or of cards stays small."""
    first = re.match(r"[a-z]{1,2}\b", text)
    return text if first and first.group() not in WORDS_OF_TWO else text[:1].upper() + text[1:]


def gaps(text: str) -> str:
    """A text of the game that is not rule text, its parts in angle quotes: `{role}` is ‹role›."""
    return re.sub(r"\{([^{}]*)\}", lambda m: f"‹{_said(m.group(1))}›", text)


def _said(part: str) -> str:
    """What stands in a part of such a text: a name, or an attribute of one."""
    thing, dot, attribute = part.strip().partition(".")
    return f"{name(attribute)} of {name(thing)}" if dot and attribute.isidentifier() else name(part)
