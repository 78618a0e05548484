"""A folder in which compiled objects wait for the next run.

It belongs to the user alone: `croupier/native` below the system's folder for such things, or `native` below `CROUPIER_CACHE` (a path, from the
working folder if it is not absolute; `off` keeps nothing). Nothing is ever read from where a ruleset lies unless the user asks for that. What is
loaded is run, so that an entry counts only if it was written here, by this user:

    the folder, the key file and the entry are the user's own and nobody else's (mode 0700 and 0600, no symbolic links);
    an entry carries the HMAC-SHA256 of its name and contents, by a key made at random once and kept in the folder.

Whatever else is found there, cannot be read or does not fit is as good as nothing: it is compiled again, without a word. Objects are bytes that
the compiler's loader takes; nothing is unpickled.
"""

from __future__ import annotations

import hmac
import os
import secrets
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

VARIABLE = "CROUPIER_CACHE"
HEAD = b"croupier native 1\n"
MAC = 32  # bytes of an HMAC-SHA256, and of the key
LARGEST = 64 << 20  # bytes of an entry
MOST, KEPT = 256, 192  # entries: when there are more than the first, the youngest are kept
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def place(environment: Mapping[str, str] | None = None) -> Path | None:
    """Where objects are kept; none if they are not."""
    given = os.environ if environment is None else environment
    asked = given.get(VARIABLE, "")
    if asked:
        return None if asked == "off" else Path(os.path.abspath(os.path.expanduser(asked))) / "native"
    if sys.platform == "win32":
        base = given.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        base = os.path.join(given.get("HOME", ""), "Library", "Caches")
    else:
        base = given.get("XDG_CACHE_HOME", "") or os.path.join(given.get("HOME", ""), ".cache")
    return Path(base) / "croupier" / "native" if Path(base).is_absolute() else None


def is_ours(found: os.stat_result) -> bool:
    """Does a file or folder belong to this user, with nothing granted to others? Where systems keep no owners the user's own folder is trusted."""
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o077)


class Unsafe(OSError):
    """A folder or file that somebody else might have written."""


class Cache:
    """An open folder. Raises OSError where it cannot be made or is not safe."""

    def __init__(self, folder: Path) -> None:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        self._folder, self._fd = folder, -1
        if os.open in os.supports_dir_fd:
            self._fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | _NOFOLLOW)
        try:
            found = os.lstat(folder) if self._fd < 0 else os.fstat(self._fd)
            if not stat.S_ISDIR(found.st_mode) or not is_ours(found):
                raise Unsafe(f"{folder} is not the user's own")
            self._secret = self._key()
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    # ------------------------------------------------------------ entries
    def get(self, name: str) -> bytes | None:
        """What was kept under a name of letters and digits; none unless it is just what was written."""
        try:
            found = self._read(name)
        except OSError:
            return None
        start = len(HEAD) + MAC
        mac, body = found[len(HEAD) : start], found[start:]
        return body if found.startswith(HEAD) and hmac.compare_digest(mac, self._mac(name, body)) else None

    def put(self, name: str, body: bytes) -> None:
        """Keep something, if there is room for it."""
        with suppress(OSError):
            self._write(name, HEAD + self._mac(name, body) + body)
            self._prune()

    def _mac(self, name: str, body: bytes) -> bytes:
        return hmac.digest(self._secret, name.encode("ascii") + b"\n" + body, "sha256")

    def _key(self) -> bytes:
        """The key, made where there is none or a damaged one."""
        try:
            found = self._read("key")
        except FileNotFoundError:
            found = b""
        if len(found) == MAC:
            return found
        self._write("key", secrets.token_bytes(MAC))
        found = self._read("key")
        if len(found) != MAC:
            raise Unsafe("the key is damaged")
        return found

    # ------------------------------------------------------------ files
    def _at(self, name: str) -> tuple[Any, dict[str, int]]:
        """A file of the folder, for functions of `os`: relative to the open folder, where systems can do that."""
        return (self._folder / name, {}) if self._fd < 0 else (name, {"dir_fd": self._fd})

    def _read(self, name: str) -> bytes:
        path, options = self._at(name)
        with os.fdopen(os.open(path, os.O_RDONLY | _NOFOLLOW, **options), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or not is_ours(found) or found.st_size > LARGEST:
                raise Unsafe(f"{name} is not the user's own")
            return file.read(LARGEST)

    def _write(self, name: str, contents: bytes) -> None:
        """In one piece, whoever else writes the same."""
        fresh = f"{name}.{secrets.token_hex(8)}.new"
        path, options = self._at(fresh)
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW, 0o600, **options), "wb") as file:
                file.write(contents)
            os.replace(path, self._at(name)[0], **({} if self._fd < 0 else {"src_dir_fd": self._fd, "dst_dir_fd": self._fd}))
        except OSError:
            with suppress(OSError):
                os.unlink(path, **options)
            raise

    def _prune(self) -> None:
        """Remove the oldest entries if there are many."""
        names = [n for n in os.listdir(self._folder if self._fd < 0 else self._fd) if n != "key"]
        if len(names) <= MOST:
            return
        written: list[tuple[float, str]] = []
        for name in names:
            path, options = self._at(name)
            with suppress(OSError):
                written.append((os.stat(path, follow_symlinks=False, **options).st_mtime, name))
        for _, name in sorted(written)[:-KEPT]:
            path, options = self._at(name)
            with suppress(OSError):
                os.unlink(path, **options)


def opened() -> Cache | None:
    """The user's folder; none if nothing is to be kept, or it is not safe."""
    folder = place()
    if folder is None:
        return None
    try:
        return Cache(folder)
    except OSError:
        return None
