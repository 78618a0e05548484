"""Listening: the application behind uvicorn."""

from __future__ import annotations

from collections.abc import Sequence

import uvicorn

from croupier.server.access import LOOPBACK
from croupier.server.app import application
from croupier.server.tables import Tables

MAX_CONNECTIONS = 4_000
IDLE = 75  # seconds that a connection may be open without a request


def listen(tables: Tables, host: str, port: int, called: Sequence[str]) -> None:
    """Serve until Ctrl-C. Browsers may call the server by the names of this machine for itself, by `host`, and by those in `called`."""
    hosts = (*LOOPBACK, f"[{host}]" if ":" in host else host, *called)
    uvicorn.run(
        application(tables, hosts), host=host, port=port, log_level="warning", access_log=False, server_header=False, timeout_keep_alive=IDLE,
        limit_concurrency=MAX_CONNECTIONS, timeout_graceful_shutdown=1,
    )  # fmt: skip
