"""The files that a ruleset was read from, kept together: the rules of a table as they were when it was made.

In comes what a ruleset is called and what was read for it, out come its files as bytes; the other way round,
`opened` gives the ruleset that these files are. Files of the ruleset itself are written to a folder for that,
with the paths that they have among each other. Files of shipped rulesets and modules that it uses are read in
the places where these lie now, with the text of then.
"""

from __future__ import annotations

import json
import os
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.reads import Now, Reads
from croupier.resources import MAIN_FILE, SUFFIXES, RulesetPlace, find, is_inside, rulesets_folder
from croupier.source.files import buffers

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset


@dataclass(frozen=True)
class RuleSources:
    """The files of a ruleset, by their paths.

    `names` are its own file, or what `find` takes for a variant of it; several are a combination. `own` are
    its files and `links` those of its files that are links, with where they lead, all from one folder;
    `shipped` are files of other shipped rulesets and of shipped modules, from the folder of these.
    """

    names: tuple[str, ...]
    own: Mapping[str, bytes]
    links: Mapping[str, str]
    shipped: Mapping[str, bytes]

    def packed(self) -> bytes:
        """Return all of it as bytes."""
        parts = {
            "names": self.names,
            "own": _as_text(self.own),
            "links": dict(self.links),
            "shipped": _as_text(self.shipped),
        }
        return zlib.compress(json.dumps(parts).encode())

    @staticmethod
    def unpacked(data: bytes) -> RuleSources:
        """Return what `packed` made of it. Raises ValueError for other bytes."""
        try:
            parts = json.loads(zlib.decompress(data))
            return RuleSources(
                tuple(parts["names"]), _as_bytes(parts["own"]), parts["links"], _as_bytes(parts["shipped"])
            )
        except (zlib.error, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"these are no files of a ruleset: {error}") from error


def _as_text(files: Mapping[str, bytes]) -> dict[str, str]:
    return {path: b64encode(data).decode("ascii") for path, data in files.items()}


def _as_bytes(files: Mapping[str, str]) -> dict[str, bytes]:
    return {path: b64decode(text) for path, text in files.items()}


# ---------------------------------------------------------------- gathering
def gathered(name: str, reads: Reads) -> RuleSources | None:
    """Return the files of the ruleset of a name, for which `reads` were made; `None` if they have changed
    since, or it was not read from files.
    """
    place, _ = find(name)
    files = sorted(path for path in reads.files if os.path.isfile(path))
    if place is None or not files:
        return None
    own = [path for path in files if not _is_shipped(path) or _is_of(place, path)]
    named = [os.path.abspath(path) for path in _named(name, place)]
    links = [path for path in named if os.path.islink(path)]
    own = [path for path in own if path not in links]
    own += [real for path in links if (real := os.path.realpath(path)) not in own]
    # they say how far a ruleset reaches, also where it does not name them
    mains = [os.path.join(folder, MAIN_FILE) for folder in reads.folders if not _is_shipped(folder)]
    own += [path for path in mains if path not in own and os.path.isfile(path)]
    base = os.path.dirname(os.path.commonpath([os.path.dirname(path) for path in (*own, *named)]))
    shipped = [path for path in files if path not in own and path not in links]
    try:
        found = RuleSources(
            tuple(_relative(path, base) for path in named),
            {_relative(path, base): Path(path).read_bytes() for path in own},
            {_relative(path, base): _relative(os.path.realpath(path), base) for path in links},
            {_relative(path, rulesets_folder()): Path(path).read_bytes() for path in shipped},
        )
    except OSError:
        return None
    return found if Now().is_current(reads) else None


def _is_shipped(path: str) -> bool:
    return is_inside(Path(path), rulesets_folder())


def _is_of(place: RulesetPlace, path: str) -> bool:
    """Tell whether a file lies in the folder of a ruleset, or of one of several that are combined."""
    return any(is_inside(Path(path), part.root) for part in (place, *place.parts))


def _named(name: str, place: RulesetPlace) -> Iterable[Path]:
    """The paths by which a place is found again: files, or a file or folder and the names of variants."""
    if place.parts and place.path.suffix in SUFFIXES:
        return [part.path for part in place.parts]
    return [Path(name) if os.path.islink(name) else place.path]


def _relative(path: str | Path, folder: str | Path) -> str:
    return Path(os.path.relpath(path, folder)).as_posix()


# ---------------------------------------------------------------- opening
def opened(sources: RuleSources, folder: Path, load: Callable[[str], Ruleset]) -> Ruleset:
    """Return the ruleset of these files, which are written to an empty folder; it need not stay.

    Raises `RulesetError` if they are no ruleset for this version, OSError if they cannot be written,
    ValueError for a path that leads out of the folder.
    """
    for path, data in sources.own.items():
        file = _inside(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    for path, leads in sources.links.items():
        link = _inside(folder, path)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(os.path.relpath(_inside(folder, leads), link.parent))
    then = {rulesets_folder() / path: data.decode("utf-8-sig") for path, data in sources.shipped.items()}
    with buffers(then):
        return load("+".join((folder / name).as_posix() for name in sources.names))


def _inside(folder: Path, path: str) -> Path:
    if Path(path).is_absolute() or ".." in Path(path).parts:
        raise ValueError(f"`{path}` leads out of the folder of the ruleset")
    return folder / path
