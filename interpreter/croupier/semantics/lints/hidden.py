"""Players who choose among things of their own that they do not see.

Proves: a player chooses from a zone that is his own by its key, nobody or only the others see that zone, and no statement of the ruleset shows
anything of it to anybody.
"""

from __future__ import annotations

from croupier.diagnostics import Diagnostic, Label, diagnose
from croupier.semantics.flow import operands
from croupier.semantics.lints.walk import bodies
from croupier.semantics.program import Program
from croupier.semantics.tree import Choice, X

UNSEEN = {"nobody": "nobody", "others": "only the others"}  # by audience: who can see it
WHOLE = ("zone_list", "zone_all", "zone.list")


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """One report for each such choice."""
    audiences = {z.name: z.seen_by.data[1] for z in program.zones.values() if z.seen_by.op == "enum"}
    shown = {y.data for _, s in bodies(program) if s.op == "show" for x in operands(s) for y in x.walk() if y.op in ("zone", "zone_at")}
    found: list[Diagnostic] = []
    for _, s in bodies(program):
        if s.op != "choose" or s.data[0].chooser == "chance":
            continue
        c: Choice = s.data[0]
        zone = _origin(c.source)
        who = None if zone is None or zone.data in shown else UNSEEN.get(audiences.get(zone.data, ""))
        if zone is None or who is None:
            continue
        if c.by is not None and c.by.op == "local" and zone.args[0].op == "local" and zone.args[0].data == c.by.data:
            label = Label(program.zones[zone.data].span, "declared here")
            found.append(diagnose("L032", c.source.span, zone=zone.data, who=who, labels=(label,)))
    return found


def _origin(x: X) -> X | None:
    """The zone of somebody's whose components a collection holds."""
    while x.op in WHOLE:
        x = x.args[0]
    if x.op == "comp" and x.data[0] == "list" and len(x.data[1]) == 1:
        return _origin(x.args[0])
    return x if x.op == "zone_at" else None
