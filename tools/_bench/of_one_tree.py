"""What one tree of the project takes for one thing: `against` starts this in a process of its own.

Only public names are used, since the tree may be an older one, and of native code the call that optimises it:
else it would depend on the age of a cache which code is measured. Arguments: what is measured,
the folder of a ruleset, its players, how often it runs in a repetition, repetitions. Writes one line of JSON:
`seconds` of the processor for each repetition, after one that is not measured; a `digest` of what came out.
"""

from __future__ import annotations

import gc
import hashlib
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import croupier

CHECK = "check"
COLLECT_EVERY = 100_000  # objects, as the command line has it


def checked(folder: str) -> Callable[[int], str]:
    """Check a ruleset; what comes out are its diagnostics."""

    def run(times: int) -> str:
        for _ in range(times):
            found = croupier.check(folder)
            if found.ruleset is None:
                raise croupier.RulesetError(found.diagnostics)
        return "\n".join(map(str, found.diagnostics))

    return run


def played(folder: str, players: int, backend: str) -> Callable[[int], str]:
    """Play the first random games of a seed; what comes out are decisions, chance events and returns."""
    initial: Any = croupier.load(folder).new_initial_state(players, backend=backend)
    if backend == "native":
        for code in (initial.native.step_code, initial.native.playout_code):
            code.optimize()

    def run(times: int) -> str:
        found = initial.roll_outs(times, 1)
        return repr([column.tolist() for column in (found.decisions, found.chance_events, found.returns)])

    return run


def main(what: str, folder: str, players: int, times: int, repetitions: int) -> None:
    gc.set_threshold(COLLECT_EVERY, *gc.get_threshold()[1:])
    run = checked(folder) if what == CHECK else played(folder, players, what)
    outcome, seconds = run(times), []
    gc.collect()
    gc.freeze()  # what is made once is not looked through again
    for _ in range(repetitions):
        gc.collect()
        started = time.process_time()
        run(times)
        seconds.append(time.process_time() - started)
    print(json.dumps({"seconds": seconds, "digest": hashlib.sha256(outcome.encode()).hexdigest()}))


if __name__ == "__main__":
    try:
        main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6]))
    except croupier.RulesetError as refused:
        sys.exit("; ".join(problem.message for problem in refused.diagnostics))
