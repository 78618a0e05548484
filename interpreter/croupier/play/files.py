"""Writing files whole or not at all.

The text goes to a new file in the same folder, which then takes the place of the old one in a single step.  A name that is
already taken is refused unless `force` says otherwise; without it, no window exists in which another file could be lost.
"""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from croupier.diagnostics import RulesetError, diagnose


def write_whole(path: Path, text: str, *, force: bool = False) -> None:
    """Write `text` in UTF-8 with `\\n` line ends.  Raises RulesetError if the file exists (without `force`) or cannot be written."""
    try:
        if not force and os.path.lexists(path):
            raise RulesetError([diagnose("X530", None, name=path)])
        descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=".croupier-", suffix=".tmp")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(draft, _mode(path))
            if force:
                os.replace(draft, path)
            else:
                _link(draft, path)
        finally:
            if os.path.exists(draft):
                os.unlink(draft)
    except FileExistsError:
        raise RulesetError([diagnose("X530", None, name=path)]) from None
    except (OSError, ValueError) as error:
        reason = error.strerror.lower() if isinstance(error, OSError) and error.strerror else "the name is not possible"
        raise RulesetError([diagnose("X531", None, name=path, reason=reason)]) from None


def check_free(path: Path, *, force: bool = False) -> None:
    """Refuse early, before a long run, what `write_whole` would refuse at its end."""
    if not force and os.path.lexists(path):
        raise RulesetError([diagnose("X530", None, name=path)])
    if path.is_dir():
        raise RulesetError([diagnose("X531", None, name=path, reason="it is a folder")])
    if not path.parent.is_dir():
        raise RulesetError([diagnose("X531", None, name=path, reason="there is no such folder")])


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
        return 0o666 & ~_mask()


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
