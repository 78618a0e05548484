"""Codes D: a section of a ruleset has the wrong shape."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = ()
