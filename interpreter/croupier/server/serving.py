"""Listening: the application behind uvicorn, in one process or several."""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import uvicorn

from croupier.server.access import LOOPBACK
from croupier.server.app import application
from croupier.server.store import Store
from croupier.server.tables import Tables

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset

MAX_CONNECTIONS = 4_000
COLLECTED = (20_000, 20, 20)  # pages are many small things that live for a moment: looked through less often, they take a tenth less time
TURN = 0.001  # seconds that a thread works out a page before the one that answers requests may go on; with Python's own 5 ms that one waits longer
IDLE = 75  # seconds that a connection may be open without a request


def listen(tables: Tables, host: str, port: int, called: Sequence[str]) -> None:
    """Serve until Ctrl-C. Browsers may call the server by the names of this machine for itself, by `host`, and by those in `called`."""
    gc.set_threshold(*COLLECTED)
    sys.setswitchinterval(TURN)
    hosts = (*LOOPBACK, f"[{host}]" if ":" in host else host, *called)
    uvicorn.run(
        application(tables, hosts), host=host, port=port, log_level="warning", access_log=False, server_header=False, timeout_keep_alive=IDLE,
        limit_concurrency=MAX_CONNECTIONS, timeout_graceful_shutdown=1,
    )  # fmt: skip


Load = Callable[[str], "Ruleset"]


def start_others(processes: int, store: str, offered: Sequence[str], load: Load, host: str, port: int, called: Sequence[str]) -> None:
    """Start the processes but the first, which is this one: each listens on a port of its own, behind that of the one before. They end with it."""
    spawn = multiprocessing.get_context("spawn")
    for number in range(1, processes):
        arguments = (number, processes, store, tuple(offered), load, host, port + number, tuple(called))
        spawn.Process(target=_other, args=arguments, daemon=True).start()


def _other(number: int, processes: int, store: str, offered: Sequence[str], load: Load, host: str, port: int, called: Sequence[str]) -> None:
    threading.Thread(target=_end_with_the_first, daemon=True).start()
    listen(Tables(Store(store, is_shared=True), offered, load, number, processes), host, port, called)


def _end_with_the_first() -> None:
    first = multiprocessing.parent_process()
    if first is not None:
        first.join()
        os._exit(0)
