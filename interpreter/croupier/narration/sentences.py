"""Sentences from the words of options: "draw a card" as "draws a card".

In: the words that a seat chose, which are an order ("discard BAT"), or not ("power of the sea"). Out: what
somebody did, without who. Words that begin with no verb of the list are quoted: rulesets may be in any
language. An author who wants other words writes them (`told "…"`).
"""

from __future__ import annotations

import re
from pathlib import Path

from croupier.text import Seat, Text, Thing

VERBS = frozenset(Path(__file__).with_name("verbs.txt").read_text(encoding="utf-8").split())
"""Infinitives with which the words of an option may begin."""

_DONE = {"no": "declines", "done": "is done"}
_THIRD = {"have": "has", "be": "is", "do": "does", "go": "goes", "undo": "undoes"}
_PLURALS = {"has": "have", "is": "are", "does": "do", "was": "were", "goes": "go"}
_PLURALS |= {modal: modal for modal in ("can", "may", "must", "will")}
_ADVERBS = frozenset(("always", "perhaps", "besides", "sometimes", "this", "its", "as", "us", "thus", "plus"))
_PREPOSITION = re.compile(r"\b(at|by|for|from|in|into|on|onto|over|to|under|with|of)$")
_WORD = re.compile(r"[^\W\d_]+")


def third_person(verb: str) -> str:
    """What one player does: `draw` as `draws`, `carry` as `carries`, `pass` as `passes`."""
    if verb in _THIRD:
        return _THIRD[verb]
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if re.search(r"(s|x|z|ch|sh)$", verb) else f"{verb}s"


def plural_verb(verb: str) -> str:
    """What several players do: `draws` as `draw`; empty if the word is no verb of one player."""
    if verb in _PLURALS:
        return _PLURALS[verb]
    if not verb.endswith("s") or verb.endswith("ss") or verb in _ADVERBS:
        return ""
    ways = [way for way in (verb[:-1], verb[:-2], f"{verb[:-3]}y") if third_person(way) == verb]
    known = [way for way in ways if way in VERBS]
    return next(iter([*known, *ways]), "")


def predicate(label: Text) -> Text:
    """What the seat did that chose these words, without the seat: `draws a card`, `chooses “red sea”`."""
    first = label.parts[0] if label.parts else ""
    if isinstance(first, Thing) and first.kind == "value" and len(label.parts) == 1:
        return Text.of(third_person(first.words)) if first.words in VERBS else _chosen(label)
    if not isinstance(first, str):
        return _chosen(label)
    found = _WORD.match(first)
    word = "" if found is None else found[0]
    rest = first[len(word) :]
    whole = len(label.parts) == 1
    if word in _DONE and whole and not rest:
        return Text.of(_DONE[word])
    is_order = word in VERBS and (not rest or rest[0] in " :")
    if is_order and rest.endswith(": ") and not whole:
        # the words of a choice stand before what is chosen: `discard: BAT`, `look at: BAT`, `take one: BAT`
        said = rest[:-2]
        if not said or _PREPOSITION.search(said):
            return Text.of(third_person(word), f"{said} ", *label.parts[1:])
        return Text.of(third_person(word), f"{said} (", *label.parts[1:], ")")
    if is_order:
        return Text.of(third_person(word), rest, *label.parts[1:])
    if first.endswith(": ") and not whole:
        return Text.of("chooses ", *label.parts[1:], f" ({first[:-2]})")
    return _chosen(label)


def article(noun: str) -> str:
    """`a` or `an`."""
    return "an" if noun[:1] in "AEIOUaeiou" else "a"


def outcome(label: Text) -> Text:
    """That chance chose something: the author's sentence, or `chance picks BAT`."""
    first = label.parts[0] if label.parts else ""
    if not any(isinstance(part, str) and part.strip(" ,") for part in label.parts):
        return Text.of("chance picks ", label)
    if isinstance(first, str) and first.endswith(": ") and len(label.parts) > 1:
        return Text.of("chance picks ", *label.parts[1:], f" ({first[:-2]})")
    return label


def several(said: Text) -> Text | None:
    """What several players do, from what one does (`draws a card`); `None` if it begins with no verb."""
    first = said.parts[0] if said.parts else ""
    if not isinstance(first, str):
        return None
    word, space, rest = first.partition(" ")
    verb = plural_verb(word)
    return Text.of(f"{verb}{space}{rest}", *said.parts[1:]) if verb else None


def split_subject(text: Text) -> tuple[Seat, Text] | None:
    """The player with whom a sentence begins, and what follows; `None` if it begins otherwise."""
    if len(text.parts) < 2 or not isinstance(text.parts[0], Seat):
        return None
    second = text.parts[1]
    if not isinstance(second, str) or not second.startswith(" "):
        return None
    return text.parts[0], Text.of(second[1:], *text.parts[2:])


def _chosen(label: Text) -> Text:
    """That words were chosen which are no order."""
    is_name = not any(isinstance(part, str) and part.strip(" ,") for part in label.parts)
    return Text.of("chooses ", label) if is_name else Text.of("chooses “", label, "”")
