"""Shards that the machines of a Ray cluster play.

The driver hands shards out, writes each as it comes back, and needs nothing else of what it knew. A shard is
a task. Ray gives one whose worker died to another worker. If the driver dies, whoever starts it again finds
the shards that were written, and hands out the rest. A game depends on its number alone, so the digest is
that of one process. Every machine needs croupier, of the same version, and the ruleset under the same name or
path: a worker that reads other rules says so, and nothing of it is kept.

Ray: P. Moritz and others, "Ray: a distributed framework for emerging AI applications", OSDI 2018;
`pip install 'croupier[ray]'`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module, metadata
from types import ModuleType

from croupier.lab.rows import Row
from croupier.lab.shards import BadShards, ShardPlayer
from croupier.lab.workers import RunConfig, load_ruleset, rows

INSTALL = "a cluster needs Ray: pip install 'croupier[ray]'"
# addresses: a cluster of this machine alone, that ends with the driver; one that runs here already
LOCAL, AUTO = "local", "auto"
_PATIENCE = 0.2  # seconds until a request to stop is seen
_AHEAD = 2  # shards a processor, running and waiting


class NoCluster(ValueError):
    """Ray is not installed, or there is no cluster; the message is for the user."""


def play_on(address: str, jobs: int | None = None) -> ShardPlayer:
    """Plays shards on the cluster at an address, as Ray writes them, or `local`, or `auto`; `local` with so
    many processors.

    What it gives raises NoCluster, and BadShards where a worker has other rules.
    """

    def player(
        run: RunConfig, wanted: Sequence[range], should_stop: Callable[[], bool]
    ) -> Iterator[tuple[range, list[Row]]]:
        ray = _connected(address, jobs)
        try:
            yield from _handed_out(ray, run, wanted, should_stop)
        finally:
            ray.shutdown()

    return player


def _connected(address: str, jobs: int | None) -> ModuleType:
    try:
        ray: ModuleType = import_module("ray")
    except ImportError:
        raise NoCluster(INSTALL) from None
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    quiet = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": True}
    try:
        if address == LOCAL:
            ray.init(address="local", num_cpus=jobs or os.cpu_count() or 1, include_dashboard=False, **quiet)
        else:
            ray.init(address=address, **quiet)
    except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
        why = str(error).strip().partition("\n")[0] or "no answer"
        raise NoCluster(f"there is no Ray cluster at `{address}`: {why}") from None
    return ray


def _handed_out(
    ray: ModuleType, run: RunConfig, wanted: Sequence[range], should_stop: Callable[[], bool]
) -> Iterator[tuple[range, list[Row]]]:
    """A few shards a processor at a time, so that a cluster that grows is used and little waits in memory."""
    task = ray.remote(max_retries=-1, retry_exceptions=False, num_cpus=1)(_played)
    rules, left = (load_ruleset(run.source).ruleset_hash, installed()), list(reversed(wanted))
    running: dict[object, range] = {}
    while left or running:
        if should_stop():
            for reference in running:
                ray.cancel(reference, force=True)
            return
        room = max(1, int(ray.cluster_resources().get("CPU", 1))) * _AHEAD
        while left and len(running) < room:
            shard = left.pop()
            running[task.remote(run, shard, rules)] = shard
        done, _ = ray.wait(list(running), num_returns=1, timeout=_PATIENCE)
        for reference in done:
            shard = running.pop(reference)
            try:
                yield shard, ray.get(reference)
            except ray.exceptions.RayTaskError as error:
                raise error.cause if isinstance(error.cause, Exception) else error from None


def installed() -> str:
    """The version of croupier that is installed here."""
    try:
        return metadata.version("croupier")
    except metadata.PackageNotFoundError:
        return "of a checkout"


def _played(run: RunConfig, shard: range, rules: tuple[str, str]) -> list[Row]:
    """The rows of a shard, on some machine.

    Raises BadShards for other rules, or another version, than the driver has.
    """
    here = load_ruleset(run.source).ruleset_hash, installed()
    if here[1] != rules[1]:
        raise BadShards(f"a worker has croupier {here[1]}, this machine {rules[1]}")
    if here != rules:
        raise BadShards(f"`{run.source}` has other rules on a worker than on this machine")
    return list(rows(run, shard, jobs=1))
