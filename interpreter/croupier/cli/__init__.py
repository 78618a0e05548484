"""The command line.

A command is a function in a module under `commands/`: its parameters are the options, its docstring is the
help; it calls the library, shows the result and names the exit code. `app.py` holds the table of commands and
imports a command's module only when that command is used, so that `croupier --help` stays fast. `options.py`
holds what several commands share, the rules of saved games too; `lab.py` is what the commands of the lab
share; `variants.py` reads `--variant`; `completion.py` is what a shell offers. `console.py` is the only
module that writes: data to stdout, all else to stderr (progress, too, and before it how long a run will take:
`forecast.py`); `stand_ins.py` has plain characters for what an encoding lacks. `guard.py` turns errors
outside of a command into a message and an exit code, `failures.py` into JSON where that is asked for;
`headers.py` says what JSON outputs are of. `interactive.py` is `croupier play` line by line,
`event_printer.py` prints its events, `screen.py` is `croupier play` in a full screen; `views/` draws results,
positions and options.

    0   done      1  problems found: errors, a game that did not finish, a scenario that failed, a difference
    2   refused: wrong usage, no such ruleset or file, refused parameters, a file that cannot be written
    70  a bug in croupier      130  interrupted by Ctrl-C      141  broken pipe      143  ended by SIGTERM
"""

from __future__ import annotations

import atexit
import gc
from collections.abc import Sequence

# new objects before a garbage collection: a ruleset lives until the end, and frequent collections take an
# eighth of the time
COLLECT_EVERY = 100_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (that of the process by default) and return the exit code.

    It never shows a traceback.
    """
    from croupier.cli.guard import guarded, ignore_signals

    if arguments is None:
        atexit.register(ignore_signals)
    gc.set_threshold(COLLECT_EVERY, *gc.get_threshold()[1:])
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)  # no collection at exit: it took a tenth of the time of a check
    return guarded(arguments)
