"""Object cache: folders on disk that keep what was worked out between runs, as bytes by name.

It belongs to the user alone: `croupier` below the system's cache folder, or `CROUPIER_CACHE` (a path,
relative to the working folder if it is not absolute; `off` disables the cache). It is never placed beside a
ruleset unless the user asks for that. There is a folder for each kind of entry: `native` holds compiled
objects, `verdicts` what `check` found. Compiled objects are executed, so an entry is valid only if this user
wrote it here:

    the folder, the key file and the entry are the user's own and nobody else's (mode 0700 and 0600, no
    symbolic links); an entry carries the HMAC-SHA256 of its name and contents, by a key made at random once
    and kept in the folder.

Anything else counts as a cache miss: the caller compiles again and reports nothing. Objects are bytes for the
compiler's loader; nothing is unpickled.
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
NATIVE, VERDICTS = "native", "verdicts"
MAX_ENTRIES = {NATIVE: 256, VERDICTS: 2048}  # by kind
KEPT_PART = 0.75  # of the entries, the youngest, where there are more than that
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def cache_folder(environment: Mapping[str, str] | None = None, kind: str = NATIVE) -> Path | None:
    """The path of the folder of a kind of entries; None if the cache is disabled or the system names no such
    folder.
    """
    given = os.environ if environment is None else environment
    asked = given.get(VARIABLE, "")
    if asked:
        return None if asked == "off" else Path(os.path.abspath(os.path.expanduser(asked))) / kind
    if sys.platform == "win32":
        base = given.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        base = os.path.join(given.get("HOME", ""), "Library", "Caches")
    else:
        base = given.get("XDG_CACHE_HOME", "") or os.path.join(given.get("HOME", ""), ".cache")
    return Path(base) / "croupier" / kind if Path(base).is_absolute() else None


def is_private(found: os.stat_result) -> bool:
    """Return whether this user owns a file or folder, without permissions for anybody else.

    On systems without owners it is trusted.
    """
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o077)


class Unsafe(OSError):
    """Another user might have written a folder or file."""


class Cache:
    """An open cache folder.

    Raises OSError if it cannot be created, `Unsafe` if another user might write there.
    """

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
        """Return the contents of an entry; `None` if there is no entry or its HMAC is wrong.

        `name` consists of letters and digits.
        """
        try:
            found = self._read(name)
        except OSError:
            return None
        start = len(MAGIC) + MAC_BYTES
        mac, body = found[len(MAGIC) : start], found[start:]
        return body if found.startswith(MAGIC) and hmac.compare_digest(mac, self._mac(name, body)) else None

    def put(self, name: str, body: bytes) -> None:
        """Write an entry, and remove the oldest if there are too many.

        A failure is ignored: the entry is then missing.
        """
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
        """The path of an entry and the keyword arguments for functions of `os`: relative to the open folder
        where the system supports it.
        """
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
            with os.fdopen(
                os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW, 0o600, **options), "wb"
            ) as file:
                file.write(contents)
            os.replace(
                path,
                self._path(name)[0],
                **({} if self._fd < 0 else {"src_dir_fd": self._fd, "dst_dir_fd": self._fd}),
            )
        except OSError:
            with suppress(OSError):
                os.unlink(path, **options)
            raise

    def _prune(self) -> None:
        """Remove the oldest entries if there are more than `MAX_ENTRIES` of this kind."""
        names = [n for n in os.listdir(self._folder if self._fd < 0 else self._fd) if n != "key"]
        most = MAX_ENTRIES.get(self._folder.name, min(MAX_ENTRIES.values()))
        if len(names) <= most:
            return
        written: list[tuple[float, str]] = []
        for name in names:
            path, options = self._path(name)
            with suppress(OSError):
                written.append((os.stat(path, follow_symlinks=False, **options).st_mtime, name))
        for _, name in sorted(written)[: -int(most * KEPT_PART)]:
            path, options = self._path(name)
            with suppress(OSError):
                os.unlink(path, **options)


def open_cache(kind: str = NATIVE) -> Cache | None:
    """The user's cache of a kind of entries, open; None if it is disabled or not safe."""
    folder = cache_folder(kind=kind)
    if folder is None:
        return None
    try:
        return Cache(folder)
    except OSError:
        return None


def entries_of(kind: str) -> tuple[int, int]:
    """Return the number of entries of a kind, and their size in bytes."""
    sizes = [found.stat(follow_symlinks=False).st_size for found in _files_of(kind) if found.name != "key"]
    return len(sizes), sum(sizes)


def remove_all() -> tuple[int, int]:
    """Remove every entry of every kind, and say how many there were, and of how many bytes.

    Raises OSError where the system does not allow that.
    """
    entries = size = 0
    for kind in MAX_ENTRIES:
        count, bytes_ = entries_of(kind)
        entries, size = entries + count, size + bytes_
        for found in _files_of(kind):
            os.unlink(found.path)
    return entries, size


def _files_of(kind: str) -> list[os.DirEntry[str]]:
    """Return the files in the folder of a kind; an empty list if that is a link, or not there."""
    folder = cache_folder(kind=kind)
    if folder is None or folder.is_symlink() or not folder.is_dir():
        return []
    with os.scandir(folder) as found:
        return [entry for entry in found if entry.is_file(follow_symlinks=False)]
