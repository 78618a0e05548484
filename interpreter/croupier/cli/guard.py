"""Errors outside of a command: each becomes a message and an exit code.

A bug of croupier is one line that asks for a report; `CROUPIER_DEBUG=1` shows its traceback.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType

FINDINGS, REFUSED, BUG, INTERRUPTED, CLOSED_PIPE, TERMINATED = 1, 2, 70, 130, 141, 143
_KINDS = {
    FINDINGS: "problems",
    REFUSED: "refused",
    BUG: "bug",
    INTERRUPTED: "interrupted",
    TERMINATED: "interrupted",
}
"""The meanings of exit codes in errors for programs; after a broken pipe nobody reads them."""
DEBUG = "CROUPIER_DEBUG"
_WRITE_ERRORS = {
    number
    for name in ("ENOSPC", "EDQUOT", "EFBIG", "EIO", "EBADF")
    if (number := getattr(errno, name, None)) is not None
}
# seconds in which a second SIGTERM means the same as the first: `timeout` sends it to the process and to its
# group
_TWICE = 1.0
_LAST_WORDS = 1.0  # seconds that a slow reader has for what was written before an interruption
_AGAIN = 0.05  # seconds until an interruption that somebody else's code has swallowed is raised again


def guarded(arguments: Sequence[str] | None = None) -> int:
    """Run the app; return the exit code of every outcome.

    Signals that come afterwards end the process if `arguments` are those of the process.
    """
    from croupier.cli import failures

    _prepare_streams()
    with _termination_heard(is_last=arguments is None):
        try:
            failures.begin(arguments)
            code = _outcome(arguments)
            if code == INTERRUPTED:
                code = _by_signal()
            failures.report(code, _KINDS.get(code), _command_of(arguments))
        except KeyboardInterrupt:
            code = _interrupted(arguments)
        _abandon_compilers(code if code in (INTERRUPTED, TERMINATED) else None)
    return code


def _command_of(arguments: Sequence[str] | None) -> str | None:
    """The command that is called; `None` if it is unknown."""
    from croupier.cli.app import COMMANDS

    return next(
        (word for word in (sys.argv[1:] if arguments is None else arguments) if word in COMMANDS), None
    )


def _outcome(arguments: Sequence[str] | None) -> int:
    """Run the app; return the exit code.

    Raises `KeyboardInterrupt` for Ctrl-C and SIGTERM that no command expects.
    """
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        code = _closed_pipe()
    except OSError as error:
        if _is_closed_pipe(error):
            code = _closed_pipe()
        elif _is_write_error(error):
            code = _write_error(error)
        else:
            code = _unexpected(error)
    except Exception as error:  # noqa: BLE001 - the outermost boundary: whatever is left is a mistake of ours, told in words
        code = _unexpected(error)
    return code


def _unexpected(error: Exception) -> int:
    """Tell of an error that no command expects.

    Raises `KeyboardInterrupt` if an interruption came before: it is what failed.
    """
    if _Interruption.is_swallowed or _Interruption.terminated_at is not None:
        raise KeyboardInterrupt from error
    return _bug(error)


# ---------------------------------------------------------------- signals
class _Interruption:
    """What is known of a Ctrl-C, or a SIGTERM, that came where no command expects it."""

    terminated_at: float | None = None  # when SIGTERM came, by the monotonic clock
    is_swallowed = False  # whether its `KeyboardInterrupt` was raised where no caller hears it
    is_again = False  # whether the signal that is under way stands for one that was swallowed
    is_told = False  # whether the command is given up already


@contextmanager
def _termination_heard(*, is_last: bool) -> Iterator[None]:
    """A context in which SIGTERM raises `KeyboardInterrupt`.

    Behind it a signal ends the process at once if it is the last that the process does.
    """
    _Interruption.terminated_at = None
    _Interruption.is_swallowed = _Interruption.is_again = _Interruption.is_told = False
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _terminate)
    hook = sys.unraisablehook
    sys.unraisablehook = partial(_hear_swallowed, hook)
    try:
        yield
    finally:
        sys.unraisablehook = hook
        if is_last:
            signal.signal(signal.SIGTERM, lambda *_: os._exit(TERMINATED))
            signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
        else:
            _Interruption.is_told = True  # one that was swallowed last does not reach who called
            signal.signal(signal.SIGTERM, before)


def _hear_swallowed(
    before: Callable[[sys.UnraisableHookArgs], object], ignored: sys.UnraisableHookArgs
) -> None:
    """Raise an interruption again that came in a callback of machine code, or in a finalizer, where no caller
    hears it; leave every other error to the hook that was there before.

    What called it may fail then in its own words, as pydantic does with a pattern that it was compiling.
    """
    if not issubclass(ignored.exc_type, KeyboardInterrupt):
        before(ignored)
        return
    _Interruption.is_swallowed = True
    again = threading.Timer(_AGAIN, _interrupt_again)
    again.daemon = True
    again.start()


def _interrupt_again() -> None:
    if not _Interruption.is_told:
        _Interruption.is_again = True
        is_termination = _Interruption.terminated_at is not None
        os.kill(os.getpid(), signal.SIGTERM if is_termination else signal.SIGINT)


def ignore_signals() -> None:
    """Ignore Ctrl-C and SIGTERM while the interpreter ends, when nothing of ours runs any more."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)


def _terminate(number: int, frame: FrameType | None) -> None:
    loaded = sys.modules.get("croupier.play.interrupt")
    by_command = None if loaded is None else loaded.Interrupt.terminated_at
    now = time.monotonic()
    for heard in (by_command, _Interruption.terminated_at):
        if heard is not None and now - heard < _TWICE and not _Interruption.is_again:
            return
    _Interruption.terminated_at, _Interruption.is_again = now, False
    if not _Interruption.is_told:
        raise KeyboardInterrupt


def _interrupted(arguments: Sequence[str] | None) -> int:
    """Say that the command was interrupted, and give a reader some time for what was written before."""
    _Interruption.is_told = True
    from croupier.cli import failures

    code = _by_signal()
    _forget_interrupted_text()
    last = threading.Timer(_LAST_WORDS, os._exit, (code,))
    last.daemon = True
    last.start()
    with suppress(OSError, ValueError):
        sys.stderr.write(failures.last_words(code, _KINDS[code], _command_of(arguments)))
    _leave_streams()
    last.cancel()
    return code


def _forget_interrupted_text() -> None:
    """Make Python end with the exit code that it is given.

    CPython remembers a Ctrl-C that came while a text was executed, as dataclasses do when their module is
    loaded, and at its end kills itself by SIGINT (`unhandled_keyboard_interrupt` in `Python/pythonrun.c`).
    The next text that is executed makes it forget.
    """
    exec("")


def _abandon_compilers(code: int | None) -> None:
    """Let the end of the process, with this exit code, wait for no thread inside the compiler; `None`: let it
    wait.
    """
    loaded = sys.modules.get("croupier.execution.compiler_threads")
    if loaded is not None:
        loaded.end_at_once(code)


def _by_signal() -> int:
    """The exit code after an interruption: one for Ctrl-C, another for SIGTERM."""
    loaded = sys.modules.get("croupier.play.interrupt")
    if _Interruption.terminated_at is not None:
        return TERMINATED
    return INTERRUPTED if loaded is None else int(loaded.Interrupt.exit_code)


def _run(arguments: Sequence[str] | None) -> int:
    """Run the app; the diagnostics of a `RulesetError` are shown, and the exit code is that of a refusal."""
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
    """Replace closed streams by the null device; write a plain stand-in for a character that the encoding of
    a stream lacks.
    """
    from croupier.cli import stand_ins

    stand_ins.register()
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - it stays open as long as the process
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=stand_ins.ERRORS)


def _is_closed_pipe(error: OSError) -> bool:
    """Windows reports EINVAL when the reader of a pipe has gone."""
    return os.name == "nt" and error.errno == 22 and error.filename is None


def _closed_pipe() -> int:
    """The exit code of a broken pipe; Python's flush at exit is made silent."""
    _leave_streams()
    return CLOSED_PIPE


def _leave_streams() -> None:
    """Redirect streams that cannot be flushed to the null device."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            empty = os.open(os.devnull, os.O_WRONLY)
            os.dup2(empty, stream.fileno())
            os.close(empty)


def _is_write_error(error: OSError) -> bool:
    """Tell whether this is an error of writing to a stream. (Errors with a file name are reported where the
    file is written.)
    """
    return error.errno in _WRITE_ERRORS and error.filename is None


def _write_error(error: OSError) -> int:
    from croupier.cli.console import Held, say

    Held.kind = "output"
    with suppress(OSError):
        say(f"croupier: the output cannot be written: {(error.strerror or 'no reason is given').lower()}")
    _leave_streams()
    return REFUSED


def _bug(error: Exception) -> int:
    from croupier.cli.console import say
    from croupier.diagnostics import sanitise

    if os.environ.get(DEBUG) == "1":
        traceback.print_exception(error)
    where = "".join(f" {note}" for note in getattr(error, "__notes__", ()))
    words = sanitise(f"{type(error).__name__}: {error}{where}")[:300]
    hint = "" if os.environ.get(DEBUG) == "1" else f"; {DEBUG}=1 shows where"
    say(
        f"croupier: this is a mistake of croupier itself, please report it with the command and the "
        f"ruleset ({words}{hint})"
    )
    return BUG
