"""Object cache: a folder on disk that keeps compiled objects between runs, as bytes by name.

It belongs to the user alone: `croupier/native` below the system's cache folder, or `native` below `CROUPIER_CACHE` (a path, relative to the
working folder if it is not absolute; `off` disables the cache). It is never placed beside a ruleset unless the user asks for that. Cached
objects are executed, so an entry is valid only if this user wrote it here:

    the folder, the key file and the entry are the user's own and nobody else's (mode 0700 and 0600, no symbolic links);
    an entry carries the HMAC-SHA256 of its name and contents, by a key made at random once and kept in the folder.

Anything else counts as a cache miss: the caller compiles again and reports nothing. Objects are bytes for the compiler's loader; nothing is
unpickled.
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
MAGIC = b"croupier native 1\n"  # every entry begins with it, then its HMAC, then the contents
MAC_BYTES = 32  # bytes of an HMAC-SHA256, and of the key
MAX_ENTRY_BYTES = 64 << 20
MAX_ENTRIES, ENTRIES_AFTER_PRUNING = 256, 192  # above the first number of entries, only so many of the youngest stay
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def cache_folder(environment: Mapping[str, str] | None = None) -> Path | None:
    """The path of the cache folder; None if the cache is disabled or the system names no such folder."""
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


def is_private(found: os.stat_result) -> bool:
    """Does this user own a file or folder, without permissions for anybody else? On systems without owners it is trusted."""
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o077)


class Unsafe(OSError):
    """Another user might have written a folder or file."""


class Cache:
    """An open cache folder. Raises OSError if it cannot be created, `Unsafe` if another user might write there."""

    def __init__(self, folder: Path) -> None:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        self._folder, self._fd = folder, -1
        if os.open in os.supports_dir_fd:
            self._fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | _NOFOLLOW)
        try:
            found = os.lstat(folder) if self._fd < 0 else os.fstat(self._fd)
            if not stat.S_ISDIR(found.st_mode) or not is_private(found):
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
        """The contents of an entry; None if there is none or its HMAC is wrong. `name` consists of letters and digits."""
        try:
            found = self._read(name)
        except OSError:
            return None
        start = len(MAGIC) + MAC_BYTES
        mac, body = found[len(MAGIC) : start], found[start:]
        return body if found.startswith(MAGIC) and hmac.compare_digest(mac, self._mac(name, body)) else None

    def put(self, name: str, body: bytes) -> None:
        """Write an entry, and remove the oldest if there are too many. A failure is ignored: the entry is then missing."""
        with suppress(OSError):
            self._write(name, MAGIC + self._mac(name, body) + body)
            self._prune()

    def _mac(self, name: str, body: bytes) -> bytes:
        return hmac.digest(self._secret, name.encode("ascii") + b"\n" + body, "sha256")

    def _key(self) -> bytes:
        """The key of the HMACs; a missing or damaged one is replaced."""
        try:
            found = self._read("key")
        except FileNotFoundError:
            found = b""
        if len(found) == MAC_BYTES:
            return found
        self._write("key", secrets.token_bytes(MAC_BYTES))
        found = self._read("key")
        if len(found) != MAC_BYTES:
            raise Unsafe("the key is damaged")
        return found

    # ------------------------------------------------------------ files
    def _path(self, name: str) -> tuple[Any, dict[str, int]]:
        """The path of an entry and the keyword arguments for functions of `os`: relative to the open folder where the system supports it."""
        return (self._folder / name, {}) if self._fd < 0 else (name, {"dir_fd": self._fd})

    def _read(self, name: str) -> bytes:
        path, options = self._path(name)
        with os.fdopen(os.open(path, os.O_RDONLY | _NOFOLLOW, **options), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or not is_private(found) or found.st_size > MAX_ENTRY_BYTES:
                raise Unsafe(f"{name} is not the user's own")
            return file.read(MAX_ENTRY_BYTES)

    def _write(self, name: str, contents: bytes) -> None:
        """Write a file atomically, so that concurrent processes see the old or the new one."""
        temporary = f"{name}.{secrets.token_hex(8)}.new"
        path, options = self._path(temporary)
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW, 0o600, **options), "wb") as file:
                file.write(contents)
            os.replace(path, self._path(name)[0], **({} if self._fd < 0 else {"src_dir_fd": self._fd, "dst_dir_fd": self._fd}))
        except OSError:
            with suppress(OSError):
                os.unlink(path, **options)
            raise

    def _prune(self) -> None:
        """Remove the oldest entries if there are more than `MAX_ENTRIES`."""
        names = [n for n in os.listdir(self._folder if self._fd < 0 else self._fd) if n != "key"]
        if len(names) <= MAX_ENTRIES:
            return
        written: list[tuple[float, str]] = []
        for name in names:
            path, options = self._path(name)
            with suppress(OSError):
                written.append((os.stat(path, follow_symlinks=False, **options).st_mtime, name))
        for _, name in sorted(written)[:-ENTRIES_AFTER_PRUNING]:
            path, options = self._path(name)
            with suppress(OSError):
                os.unlink(path, **options)


def open_cache() -> Cache | None:
    """The user's cache, open; None if it is disabled or not safe."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        return Cache(folder)
    except OSError:
        return None
