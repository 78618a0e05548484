"""Codes N: names that are unknown, taken, unused or not allowed."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = ()
