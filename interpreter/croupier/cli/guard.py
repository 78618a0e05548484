"""Everything that can go wrong outside of a command: each ends in words and an exit code.

A mistake of croupier itself is one line that asks for a report; `CROUPIER_DEBUG=1` shows its traceback.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress

FINDINGS, REFUSED, BUG, INTERRUPTED, CLOSED_PIPE, TERMINATED = 1, 2, 70, 130, 141, 143
DEBUG = "CROUPIER_DEBUG"
_NO_ROOM = {number for name in ("ENOSPC", "EDQUOT", "EFBIG", "EIO", "EBADF") if (number := getattr(errno, name, None)) is not None}


def guarded(arguments: Sequence[str] | None = None) -> int:
    """Run the app and turn every outcome into an exit code."""
    _prepare_streams()
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        code = _closed_pipe()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except OSError as error:
        code = _closed_pipe() if _is_closed_pipe(error) else _no_room(error) if _is_no_room(error) else _bug(error)
    except Exception as error:  # noqa: BLE001 - the outermost boundary: whatever is left is a mistake of ours, told in words
        code = _bug(error)
    return _by_signal() if code == INTERRUPTED else code


def _by_signal() -> int:
    """The exit code of what was interrupted: Ctrl-C has another than SIGTERM."""
    from croupier.play.interrupt import Interrupt

    return Interrupt.exit_code


def _run(arguments: Sequence[str] | None) -> int:
    """Run the app; what a command says with `RulesetError` is shown, and the command is refused."""
    from croupier.cli.app import invoke

    try:
        return invoke(arguments)
    except Exception as error:
        from croupier.cli.console import show
        from croupier.diagnostics import RulesetError

        if not isinstance(error, RulesetError):
            raise
        show(error.diagnostics)
        return REFUSED


def _prepare_streams() -> None:
    """A stream that was closed is empty, or nobody's; a terminal that cannot show a sign gets its escape, not an exception."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - it stays open as long as the process
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _is_closed_pipe(error: OSError) -> bool:
    """Windows reports EINVAL when the reader of a pipe has gone."""
    return os.name == "nt" and error.errno == 22 and error.filename is None


def _closed_pipe() -> int:
    """Say nothing, and let nothing be said when Python flushes its streams at the end."""
    _leave_streams()
    return CLOSED_PIPE


def _leave_streams() -> None:
    """What a stream does not take goes nowhere."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            empty = os.open(os.devnull, os.O_WRONLY)
            os.dup2(empty, stream.fileno())
            os.close(empty)


def _is_no_room(error: OSError) -> bool:
    """Could something not be written to a stream? A file has a name, and whoever writes it says so."""
    return error.errno in _NO_ROOM and error.filename is None


def _no_room(error: OSError) -> int:
    with suppress(OSError):
        print(f"croupier: the output cannot be written: {(error.strerror or 'no reason is given').lower()}", file=sys.stderr)
    _leave_streams()
    return REFUSED


def _bug(error: Exception) -> int:
    from croupier.diagnostics import sanitise

    if os.environ.get(DEBUG) == "1":
        traceback.print_exception(error)
    where = "".join(f" {note}" for note in getattr(error, "__notes__", ()))
    words = sanitise(f"{type(error).__name__}: {error}{where}")[:300]
    hint = "" if os.environ.get(DEBUG) == "1" else f"; {DEBUG}=1 shows where"
    print(f"croupier: this is a mistake of croupier itself, please report it with the command and the ruleset ({words}{hint})", file=sys.stderr)
    return BUG
