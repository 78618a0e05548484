"""Ctrl-C while games are played: who heeds it, and that all is as before afterwards."""

from __future__ import annotations

import signal
import threading

from croupier.play.interrupt import Interrupt, interrupts_blocked

NUMBERS = (signal.SIGINT, signal.SIGTERM)


def test_the_handlers_from_before_are_back_in_the_end() -> None:
    before = [signal.getsignal(number) for number in NUMBERS]
    with Interrupt():
        assert all(
            signal.getsignal(number) != handler for number, handler in zip(NUMBERS, before, strict=True)
        )
    assert [signal.getsignal(number) for number in NUMBERS] == before


def test_processes_may_be_started_beside_the_main_thread() -> None:
    started = []

    def start() -> None:
        with interrupts_blocked():
            started.append(True)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert started == [True]
