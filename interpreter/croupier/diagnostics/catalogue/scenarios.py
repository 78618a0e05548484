"""Codes K: scenarios that are wrong, fail or check nothing."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = ()
