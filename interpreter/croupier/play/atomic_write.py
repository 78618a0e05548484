"""Writing files whole or not at all.

The text goes to a new file in the same folder, which then takes the place of the old one in a single step.  A
name that is already taken is refused unless `force` says otherwise; without it, no window exists in which
another file could be lost.

A link stays a link: what it leads to is written.  A file with several names keeps them all, so it is written
in place.  A terminal, a pipe or a device like `/dev/null` holds nothing that could be lost: it is written to,
and never replaced.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from croupier.diagnostics import RulesetError, diagnose


def write_whole(path: Path, text: str | bytes, *, force: bool = False) -> None:
    """Write bytes, or `text` in UTF-8 with `\\n` line ends.

    Raises RulesetError if the file exists (without `force`) or cannot be written.
    """
    try:
        data = text if isinstance(text, bytes) else text.encode()
        is_stream, names = _kind(path)
        if not (is_stream or force) and os.path.lexists(path):
            raise FileExistsError(str(path))
        if is_stream or names > 1:
            with open(path, "wb") as file:
                file.write(data)
        else:
            _write_beside(Path(os.path.realpath(path)) if force else path, data, force)
    except FileExistsError:
        raise RulesetError([diagnose("X530", None, name=path)]) from None
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def make_folder(path: Path) -> None:
    """Make a folder that may be there already. Raises RulesetError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from None


def cannot_write(path: Path | None, error: OSError | ValueError) -> RulesetError:
    """Return the error of a file or folder that cannot be written, with the reason of the system."""
    words = error.strerror if isinstance(error, OSError) else None
    reason = words.lower() if words else "the name is not possible"
    return RulesetError([diagnose("X531", None, name=path, reason=reason)])


def _kind(path: Path) -> tuple[bool, int]:
    """Return whether a file only passes on what is written to it (a device, a pipe), and how many names it
    has; 0 if there is none.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return False, 0
    return stat.S_ISCHR(found.st_mode) or stat.S_ISFIFO(found.st_mode), found.st_nlink if stat.S_ISREG(
        found.st_mode
    ) else 1


def _write_beside(path: Path, data: bytes, force: bool) -> None:
    """Write to a draft beside the file, which then takes its name."""
    if path.exists() and not path.is_file():
        raise OSError(0, "it is a folder" if path.is_dir() else "it is not an ordinary file")
    with draft_beside(path, os.replace if force else _link) as file:
        file.write(data)


@contextmanager
def draft_beside(
    path: Path, put: Callable[[str, Path], None] = os.replace, *, prefix: str = ".croupier-"
) -> Iterator[IO[bytes]]:
    """A context that gives a new file beside another one. Where no exception ends it, the file is brought to
    the disk and `put` in the place of the other one, with its permissions. Its name begins with `prefix`.
    """
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=prefix, suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(draft, _mode(path))
        put(draft, path)
    finally:
        Path(draft).unlink(missing_ok=True)


def check_free(path: Path, *, force: bool = False) -> None:
    """Refuse early, before a long run, what `write_whole` would refuse at its end."""
    try:
        is_stream, _ = _kind(path)
    except PermissionError as error:
        raise cannot_write(path, error) from None
    except (OSError, ValueError):
        is_stream = False
    if not (is_stream or force) and os.path.lexists(path):
        raise RulesetError([diagnose("X530", None, name=path)])
    if os.path.isdir(path):
        raise RulesetError([diagnose("X531", None, name=path, reason="it is a folder")])
    if not os.path.isdir(path.parent):
        raise RulesetError([diagnose("X531", None, name=path, reason="there is no such folder")])
    try:
        if not is_stream:
            tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        raise cannot_write(path, error) from None


def _link(draft: str, path: Path) -> None:
    """Give the draft its name; raises FileExistsError if somebody took the name in the meantime."""
    if os.name == "nt":
        os.rename(draft, path)  # refuses an existing name on Windows
        return
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(path):
            raise FileExistsError(str(path)) from None
        os.rename(draft, path)


def _mode(path: Path) -> int:
    """The permissions of the file that is replaced, or those of a new one."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
