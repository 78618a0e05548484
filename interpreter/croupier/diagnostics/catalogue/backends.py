"""Codes X6: back ends that are not there, and rules that they do not compile."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "X601", "not compiled", "the back end `{backend}` does not compile {what}",
        "A back end plays a ruleset by its rules or not at all: what it does not know yet is never left out and never guessed.",
        help="take `--backend reference`, which plays everything, or `--backend auto`",
    ),
    Entry(
        "X602", "no such back end", "the back end `{backend}` is not part of this installation",
        "Rules are played by the reference evaluator, or compiled to Python, or to native code where the optional package `llvmlite` is installed.",
        help="take `--backend auto`, or install it: `pip install croupier[native]`",
    ),
)  # fmt: skip
