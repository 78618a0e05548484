"""Rows of many games in a folder, which a run adds to and takes up again after whatever ended it.

    manifest.json              what is played: ruleset and its hash, set-up, what is taken down, how many
                               games a shard has
    1001-1500.jsonl            a shard: a row a line, in game order, and at the end a line with its SHA-256
    1001-1500.decisions.jsonl  the decisions of its games, if these are taken down (`lab/logs.py`), and so for
                               events

A shard is written beside its place, brought to the disk, and takes its name in one step; so a shard that is
there is whole. What is there is never played again. A game depends on its number alone, so it does not matter
who played which shard, or when: the digest of all rows in game order is the same. Folders of the same run,
with other shards, are merged by reading them together.

A shard is played here, or on the machines of a Ray cluster (`lab/ray_cluster.py`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from croupier.diagnostics import JsonObject
from croupier.lab.logs import LOGS, log_path, read_sealed, rows_of_files, sealed, text_of_rows
from croupier.lab.rows import Row, Watch, row_from
from croupier.lab.workers import RunConfig, load_ruleset, players_of, rows, side_of
from croupier.play.atomic_write import draft_beside
from croupier.play.decisions import Row as Cells
from croupier.play.match import never
from croupier.play.plain import plain
from croupier.play.processes import with_shared_pool

FORMAT = 2
MANIFEST = "manifest.json"
SIZE = 500  # games of a shard
DRAFT = ".draft-"  # how the names of files begin that are being written


class BadShards(ValueError):
    """A folder that is of another run, or damaged; the message is for the user."""


@dataclass(frozen=True)
class Manifest:
    """The file that says what the rows of a folder are of."""

    ruleset: str
    ruleset_hash: str
    players: int
    parameters: Mapping[str, object]
    seed: int
    bots: tuple[str, ...]
    watch: Mapping[str, object]
    size: int
    policies: str = ""  # the digest of the weights that bots go by: the hash of the rules is without them
    # the number of the last game that was wanted; 0 in folders of earlier versions, which do not say it
    games: int = 0
    # what tables of these rows say they are of; nothing in folders of earlier versions
    header: Mapping[str, object] = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        return {"croupier": FORMAT, **asdict(self), "bots": list(self.bots)}


_NOT_COMPARED = ("games", "header")
"""Keys of the manifest that folders of one run may have different values of: folders of earlier versions have
none.
"""


def manifest_of(run: RunConfig, size: int = SIZE) -> Manifest:
    """The manifest of a run. Raises what `players_of` does."""
    ruleset, players = load_ruleset(run.source), players_of(run)
    parameters = plain({name: str(value) for name, value in run.setup.parameters.items()})
    watch = {
        name: value
        for name, value in json.loads(json.dumps(asdict(run.watch))).items()
        if name not in LOGS or value
    }
    return Manifest(
        ruleset=ruleset.name,
        ruleset_hash=ruleset.ruleset_hash,
        players=players,
        parameters=parameters,
        seed=run.setup.seed,
        bots=run.setup.bots,
        watch=watch,
        size=size,
        policies=_policies(run),
        header=side_of(run),
    )


def _policies(run: RunConfig) -> str:
    declared = load_ruleset(run.source).program.resolved.policies
    if not any("policy:" in bot for bot in run.setup.bots):
        return ""
    return sha256(
        "\n".join(
            f"{name.text}/{key.text}: {text.text}" for name, weights in declared for key, text in weights
        ).encode()
    ).hexdigest()


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a folder. Raises BadShards."""
    try:
        data = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if data.pop("croupier") != FORMAT:
            raise BadShards(f"{folder} was written by another version")
        return Manifest(**{**data, "bots": tuple(data["bots"])})
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise (
            error if isinstance(error, BadShards) else BadShards(f"{folder} has no manifest that can be read")
        ) from None


def shards_of(numbers: range, size: int, part: tuple[int, int] = (1, 1)) -> list[range]:
    """The shards that games fall into, whole or cut at the ends; of part k of n every n-th one."""
    k, n = part
    first = (numbers.start - 1) // size
    last = (numbers.stop - 2) // size
    whole = [range(at * size + 1, (at + 1) * size + 1) for at in range(first, last + 1) if at % n == k - 1]
    return [range(max(one.start, numbers.start), min(one.stop, numbers.stop)) for one in whole]


def is_of_part(game: int, size: int, part: tuple[int, int]) -> bool:
    """Return whether a game falls into a shard of part k of n."""
    k, n = part
    return (game - 1) // size % n == k - 1


ShardPlayer = Callable[[RunConfig, Sequence[range], Callable[[], bool]], Iterator[tuple[range, list[Row]]]]
"""Plays shards, and yields each with its rows, in any order; one that was told to stop before its end with
fewer, or not at all.
"""


def play_here(jobs: int | None) -> ShardPlayer:
    """Plays them on this machine, one after another."""

    def player(
        run: RunConfig, wanted: Sequence[range], should_stop: Callable[[], bool]
    ) -> Iterator[tuple[range, list[Row]]]:
        for shard in wanted:
            if should_stop():
                return
            yield shard, list(rows(run, shard, jobs=jobs, should_stop=should_stop))

    return player


@with_shared_pool
def fill(
    run: RunConfig,
    folder: Path,
    numbers: range,
    *,
    part: tuple[int, int] = (1, 1),
    size: int = SIZE,
    jobs: int | None = None,
    player: ShardPlayer | None = None,
    should_stop: Callable[[], bool] = never,
) -> Iterator[int]:
    """Play the shards that are not there yet, here or by a `player`; yield after each the number of its
    games.

    Half a shard is not kept when it is told to stop.

    Raises BadShards if the folder is of another run, OSError if it cannot be written, and what `rows` does.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for draft in folder.glob(f"{DRAFT}*"):
        draft.unlink(missing_ok=True)  # what a run left that was killed
    wanted = replace(manifest_of(run, size), games=numbers.stop - 1)
    is_new = not (folder / MANIFEST).exists()
    found = wanted if is_new else read_manifest(folder)
    different = [
        name
        for name, value in wanted.to_json().items()
        if name not in _NOT_COMPARED and found.to_json()[name] != value
    ]
    if different:
        raise BadShards(f"{folder} holds games of another run: {', '.join(different)} differ")
    if is_new or found.games < wanted.games:
        _write(folder / MANIFEST, json.dumps(wanted.to_json(), indent=2) + "\n")
    there = {(shard.start, shard.stop) for shard, _ in _files(folder)}
    missing = []
    for shard in shards_of(numbers, size, part):
        if (shard.start, shard.stop) in there:
            yield len(shard)
        else:
            missing.append(shard)
    for shard, played in (player or play_here(jobs))(run, missing, should_stop):
        if len(played) < len(shard):
            return
        for what in logs_of(run.watch):
            _write(
                log_path(folder, shard, what),
                text_of_rows(cells for row in played for cells in row.log.rows(what)),
            )
        _write(folder / f"{shard.start}-{shard.stop - 1}.jsonl", sealed(text_of(played)))
        yield len(shard)


def text_of(played: Sequence[Row]) -> str:
    """Return the text of a shard without its last line."""
    return "".join(json.dumps(row.to_json(), ensure_ascii=True) + "\n" for row in played)


def logs_of(watch: Watch) -> list[str]:
    """Return those of `LOGS` that are recorded."""
    return [what for what in LOGS if getattr(watch, what)]


def read_log(folders: Sequence[Path], what: str) -> Iterator[Cells]:
    """The rows of decisions or of events of folders of one run, in game order.

    Raises BadShards for a file that is missing or damaged.
    """
    shards = sorted((shard.start, shard.stop, folder) for folder in folders for shard, _ in _files(folder))
    paths = [log_path(folder, range(start, stop), what) for start, stop, folder in shards]
    try:
        yield from rows_of_files(paths)
    except OSError as error:
        raise BadShards(
            f"{error.filename} cannot be read: {(error.strerror or 'no reason is given').lower()}"
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise BadShards(
            f"rows of {what} are damaged: remove their shard, and its games are played again ({error})"
        ) from None


def read(folders: Sequence[Path]) -> tuple[Manifest, list[Row]]:
    """The rows of folders of one run, in game order; a game that several have counts once.

    Raises BadShards for a damaged shard, folders of different runs, and a game that is not the same in two of
    them.
    """
    manifests = [read_manifest(folder) for folder in folders]
    alike = [replace(manifest, size=0, games=0, header={}) for manifest in manifests]
    if any(manifest != alike[0] for manifest in alike):
        raise BadShards("these folders hold games of different runs")
    found: dict[int, Row] = {}
    for folder in folders:
        for _, path in _files(folder):
            for row in _shard(path):
                if found.setdefault(row.game, row) != row:
                    raise BadShards(f"game {row.game} is not the same in two of these folders")
    whole = replace(manifests[0], games=max(manifest.games for manifest in manifests))
    return whole, [found[number] for number in sorted(found)]


def gaps(played: Sequence[Row], games: int, first: int = 1) -> list[tuple[int, int]]:
    """The games that are missing of those that are there and of those from `first` to `games`, as first and
    last numbers.
    """
    found, expected = [], first
    for row in played:
        if row.game > expected:
            found.append((expected, row.game - 1))
        expected = row.game + 1
    if expected <= games:
        found.append((expected, games))
    return found


def digest(played: Iterable[Row]) -> str:
    """The digest of rows in game order: that of `simulate`, where these are its games."""
    whole = sha256()
    for row in played:
        whole.update(row.line.encode("ascii"))
    return whole.hexdigest()


def _files(folder: Path) -> list[tuple[range, Path]]:
    found = []
    for path in folder.glob("*.jsonl"):
        first, _, last = path.stem.partition("-")
        if first.isdecimal() and last.isdecimal():
            found.append((range(int(first), int(last) + 1), path))
    return sorted(found, key=lambda one: one[0].start)


def _shard(path: Path) -> list[Row]:
    try:
        return [row_from(json.loads(line)) for line in read_sealed(path)]
    except OSError as error:
        raise BadShards(
            f"{path} cannot be read: {(error.strerror or 'no reason is given').lower()}"
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadShards(f"{path} is damaged: remove it, and its games are played again") from None


def _write(path: Path, text: str) -> None:
    """A file, whole, on the disk, in one step."""
    with draft_beside(path, prefix=DRAFT) as file:
        file.write(text.encode())
    if os.name == "posix":
        place = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)
