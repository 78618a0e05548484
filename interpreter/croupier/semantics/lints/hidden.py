"""Choices that depend on what nobody can see.

Proves: a player chooses among the components of a zone that is seen by nobody, what is offered or how it is called depends on attributes of
those components, and no statement of the ruleset shows anything of that zone to anybody; or the zone is the chooser's own, by its key.
"""

from __future__ import annotations

from croupier.diagnostics import Diagnostic, Label, diagnose
from croupier.semantics.flow import operands
from croupier.semantics.lints.walk import bodies
from croupier.semantics.program import Program
from croupier.semantics.tree import Choice, X

READS = ("attr", "mutable")
WHOLE = ("zone_list", "family_list", "zone_all", "zone.list", "family.list")


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """One report for each such choice."""
    unseen = {z.name for z in program.zones.values() if z.seen_by.op == "enum" and z.seen_by.data[1] == "nobody"}
    shown = {zone for _, s in bodies(program) if s.op == "show" for x in operands(s) for zone in _zones(x)}
    found: list[Diagnostic] = []
    for _, s in bodies(program):
        if s.op != "choose" or s.data[0].chooser == "chance":
            continue
        c: Choice = s.data[0]
        zone, filtered = _origin(c.source)
        if zone is None or zone.data not in unseen - shown:
            continue
        asked = (c.where, c.label, c.such_that, *(q.value for q in c.conditions))
        reads = filtered or any(_reads(x, {c.item, c.slot}) for x in asked if x is not None)
        own = zone.op == "zone_at" and c.by is not None and c.by.op == "local" and zone.args[0].op == "local" and zone.args[0].data == c.by.data
        if reads or own:
            label = Label(program.zones[zone.data].span, "declared here")
            found.append(diagnose("L030", c.source.span, zone=zone.data, labels=(label,)))
    return found


def _zones(x: X) -> set[str]:
    return {y.data for y in x.walk() if y.op in ("zone", "zone_at")}


def _origin(x: X) -> tuple[X | None, bool]:
    """The zone whose components a collection holds, and whether their attributes decide which."""
    while x.op in WHOLE:
        x = x.args[0]
    if x.op in ("zone", "zone_at"):
        return x, False
    if x.op == "comp" and x.data[0] == "list" and x.data[2] and len(x.data[1]) == 1:
        source, condition, element = x.args
        zone, filtered = _origin(source)
        slot = x.data[1][0]
        if element.op == "local" and element.data == slot:
            return zone, filtered or _reads(condition, {slot})
    return None, False


def _reads(x: X, slots: set[int]) -> bool:
    return any(y.op in READS and y.args and y.args[0].op == "local" and y.args[0].data in slots for y in x.walk())
