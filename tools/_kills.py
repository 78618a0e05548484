"""Runs of shards that are killed again and again, and what is left of them."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from secrets import token_hex

PAUSE = (0.5, 1.5)  # seconds from the start of a run until it is killed
# on a cluster: seconds from where a worker plays, and until it does, at most
RAY_PAUSE, RAY_PATIENCE = (0.0, 2.0), 120.0
SEED = 1


def why_no_ray() -> str | None:
    """Return why nothing can be killed on a cluster here; `None` if it can."""
    if find_spec("ray") is None:
        return "Ray is not installed: pip install croupier[ray]"
    return (
        None
        if Path("/proc/self/stat").exists()
        else "there is no /proc here, in which the workers of a cluster are found"
    )


def killed(
    name: str, games: int, kills: int, bots: str = "random", *, on_ray: bool = False, seed: int = 1
) -> tuple[str, bool]:
    """Kills a run up to so many times, lets it end, and compares it with one that was not killed: words, and
    whether nothing is lost.
    """
    from croupier.lab.shards import digest, read
    from croupier.lab.workers import RunConfig, rows
    from croupier.play.match import MatchConfig

    chance, count = random.Random(seed), {"driver": 0, "worker": 0}
    if on_ray and (why := why_no_ray()):
        return why, True
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "games"
        command = [
            sys.executable,
            "-m",
            "croupier",
            "collect",
            name,
            "--games",
            str(games),
            "--out",
            str(folder),
        ]
        command += ["--bots", bots, "--seed", str(SEED)]
        if on_ray:
            with cluster(place) as (address, head):
                code = _killed_on_ray([*command, "--ray", address], head, kills, chance, count)
        else:
            code = _killed([*command, "--jobs", "1"], kills, chance, count)
        played = read([folder])[1]
    alone = digest(
        rows(
            RunConfig(name, MatchConfig(seed=SEED, bots=tuple(bots.split(",")), backend="auto")),
            range(1, games + 1),
            jobs=1,
        )
    )
    is_whole = code == 0 and len(played) == games and digest(played) == alone
    who = " and ".join(f"{who} {n} times" for who, n in count.items() if n)
    return (
        f"killed {who or 'nobody'}; {len(played):,} games; digest "
        f"{'that of one process' if is_whole else 'DIFFERS'}: {digest(played)}",
        is_whole,
    )


def _killed(command: list[str], kills: int, chance: random.Random, count: dict[str, int]) -> int:
    while count["driver"] < kills:
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(*PAUSE))
        if run.poll() is not None:
            return run.returncode
        run.kill()
        run.wait()
        count["driver"] += 1
    return subprocess.run(command, stdout=subprocess.DEVNULL).returncode


def _killed_on_ray(
    command: list[str], head: int, kills: int, chance: random.Random, count: dict[str, int]
) -> int:
    """Kills a worker, then the driver, and so on; a worker is a process below the cluster's head that is
    playing.
    """
    while sum(count.values()) < kills:
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + RAY_PATIENCE
        while run.poll() is None and time.monotonic() < until and not playing(head):
            time.sleep(0.2)
        time.sleep(chance.uniform(*RAY_PAUSE))
        workers = playing(head)
        if run.poll() is None and workers:
            os.kill(chance.choice(workers), signal.SIGKILL)
            count["worker"] += 1
            time.sleep(1)
        if run.poll() is not None:
            return run.returncode
        if sum(count.values()) < kills:
            run.kill()
            count["driver"] += 1
        elif run.wait() == 0:
            return 0
        run.wait()
    return subprocess.run(command, stdout=subprocess.DEVNULL).returncode


def playing(head: int) -> list[int]:
    """The workers below the head of a cluster that play games."""
    return [pid for pid, line in below(head) if line.startswith("ray::_played")]


@contextmanager
def cluster(place: str) -> Iterator[tuple[str, int]]:
    """A Ray cluster of this machine with two processors; its address, and the process that all of its
    processes are below.
    """
    from ray.util import get_node_ip_address

    here = get_node_ip_address()
    with socket.socket() as free:
        free.bind((here, 0))
        port = free.getsockname()[1]
    start = [
        "start",
        "--head",
        "--block",
        f"--port={port}",
        "--num-cpus=2",
        "--include-dashboard=false",
        "--disable-usage-stats",
    ]
    # of this cluster, for the drivers too
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": token_hex(32)}
    command = [sys.executable, "-m", "ray.scripts.scripts", *start]
    head = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=place, start_new_session=True
    )
    try:
        for _ in range(300):
            time.sleep(0.2)
            with socket.socket() as tried:
                if tried.connect_ex((here, port)) == 0:
                    break
        time.sleep(3)
        yield f"{here}:{port}", head.pid
    finally:
        started = [pid for pid, _ in below(head.pid)]
        head.terminate()
        try:
            head.wait(20)
        except subprocess.TimeoutExpired:
            head.kill()
        for pid in started:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue


def below(root: int) -> list[tuple[int, str]]:
    """The processes that a process started, and those that these did, with their command lines."""
    parents, lines = {}, {}
    for path in Path("/proc").iterdir():
        if path.name.isdecimal():
            try:
                parents[int(path.name)] = int((path / "stat").read_text().rpartition(")")[2].split()[1])
                lines[int(path.name)] = (
                    (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                )
            except OSError:
                continue
    found, more = set[int](), {root}
    while more:
        found |= more
        more = {pid for pid, parent in parents.items() if parent in found} - found
    return [(pid, lines[pid]) for pid in sorted(found - {root})]
