"""What an expression may read: state variables and zones, through calls too. `owner` and `key` depend on where components are: on every zone."""

from __future__ import annotations

from croupier.semantics.program import Program
from croupier.semantics.tree import X
from croupier.semantics.walk import operands, statements


def reads_of(program: Program, x: X) -> tuple[set[str], set[str], bool]:
    """Names of state variables and zones read, and whether anything at all may be."""
    names: set[str] = set()
    zones: set[str] = set()
    seen: set[int] = set()
    todo = [x]
    everything = False
    while todo:
        top = todo.pop()
        for y in top.walk():
            if y.op in ("state", "mutable"):
                names.add(y.data)
            elif y.op in ("zone", "zone_at"):
                zones.add(y.data)
            elif y.op in ("component.owner", "family.key"):
                everything = True
            elif y.op in ("call", "original") and y.data not in seen:
                seen.add(y.data)
                procs = [program.procs[y.data], *(h.proc for h in program.hooks if h.target == y.data)]
                everything = everything or len(procs) > 1
                for proc in procs:
                    for s in statements(proc.body):
                        todo.extend(operands(s))
    return names, zones, everything


def is_state(x: X) -> bool:
    """Is it a variable of the state, or an entry of one, and nothing more?"""
    while x.op in ("certain", "index"):
        x = x.args[0]
    return x.op in ("state", "state_entry")
