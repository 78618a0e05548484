"""The native back end: the lowered form as LLVM assembly, compiled by `llvmlite` (`pip install croupier[native]`). See the head of `backends/`.

    words.py       how values are kept; plan.py where everything lies: one array of words a game, which a copy of memory clones
    emit.py        assembly as text; constants.py its globals
    places.py      slots, memory and lists of a function; body.py its blocks; finish.py how games end
    keeping.py     values in the state and in frames; shapes.py (typed.py) those that hold lists, likeness.py which comes first, and do they fit
    operations.py  instructions; finding.py, ordering.py, lists.py, texts.py, conversion.py, tables.py, zones.py more of them; moving.py,
                   swapping.py the functions that move components (zonekinds.py what zones are like, copying.py short copies); watching.py watchers
    sayings.py     what may be said, kept; whole.py what is on offer without being written down; reading.py all of it as Python sees it
    cells.py       cells by what they hold, as bits; searches.py walks that look for cells; fixed.py lists that never change
    plain.py       routines that never wait, and questions; runs.py those that may wait
    hooks.py       which hooks fit a call (fitting.py one of them), and calls with hooks (steps.py); those that wait: around.py
    calling.py     calls that wait; windows.py windows and reactions
    ahead.py       looking ahead at what waits, attempts.py at what does not; foreseeing.py the search, trying.py copies
    frames.py      what they keep; offers.py what is on offer; offered.py functions over that, called_alike.py over alike components
    chance.py, every.py, several.py (sets.py searches), claims.py    how they wait for what; again.py for values with lists
    paying.py      what routines cost; printer.py which functions there are
    encode.py      the canonical bytes of a position; streams.py random numbers and SHA-256
    invariants.py  what must always hold
    program.py     the whole module, and in it rollouts; engine.py, the only module that knows the compiler
    code.py        what is kept of a compilation; cache.py the folder of the user where it is kept
    lines.py       digests; playouts.py whole games; rows.py those from Python
    methods.py     functions that Python calls as its own; stepping.py those that take steps
    batch.py       a compiled game, from Python; desk.py where a thread takes steps in it; state.py is the public state over it, residence.py
                   where its words lie, machine.py gives it to the evaluator

A construct that is not compiled is refused, with its name. Whatever is unusual ends a game with `DEVIATES`: the evaluator plays that game again.
"""

from __future__ import annotations

from croupier.backends.native.batch import Native, compile_game
from croupier.backends.native.desk import Room
from croupier.backends.native.engine import installed
from croupier.backends.native.state import NativeState

__all__ = ["Native", "NativeState", "Room", "compile_game", "installed"]
