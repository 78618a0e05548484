"""Codes X6: back ends that are not there, and rules that they do not compile."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "X601", "not compiled", "the back end `{backend}` does not compile {what}",
        "A back end plays a ruleset by its rules or not at all: what it does not know yet is never left out and never guessed. `reference` plays"
        " everything. `python` refuses only definitions that stand so deep in each other that Python cannot, a loop that is gone on with at several"
        " places, and drawing from a bag or a pile, whichever it is. `native` refuses more."
        " Components and lists: a component by its label (`c == \"sun 1\"`, `\"sun 1\" in hand`, `hand.key(…)`); a hook on one list or record"
        " (`after f([a])`); comparing lists of other things than numbers, switches and words; sorting by other things than those; merging by a list,"
        " merging by so much of what is called alike, and an option for so many components that are called alike."
        " Texts: texts in the state, comparing texts, a watcher of texts."
        " Values: a record that has no fields; a value that may be missing and begins with one that may be missing or with a map; a map that begins"
        " empty; a map without a key; a list longer than its type allows; a value so wide that it does not fit, and merging by values so wide."
        " Boards: lines of a length that is not known before (`board.lines(k)`); the cells between two of so large a board."
        " The course: looking ahead where that is nested in another question; an offer outside of a question; so many decisions in one definition;"
        " so many definitions that call themselves; definitions that stand so deep in each other; a loop that is gone on with at several places."
        " Results: `finish` with a map of other things than one number for each player, `finish rank` by other things than numbers and lists of them."
        " And whatever else its message names. `check` warns of those that can be seen in the rules alone (L050); `simulate`, and `auto` in programs,"
        " say in one line what plays and why. Single games that may use up their fuel or memory are handed over to `python` or `reference`, which"
        " play them to the same end.",
        help="take `--backend python` or `reference`, which play it, or `--backend auto`",
    ),
    Entry(
        "X602", "no such back end", "the back end `{backend}` is not part of this installation",
        "Rules are played by the reference evaluator, or compiled to Python, or to native code where the optional package `llvmlite` is installed.",
        help="take `--backend auto`, or install it: `pip install croupier[native]`",
    ),
)  # fmt: skip
