"""Ctrl-C: who hears it while games are played, while processes are started, and afterwards."""

from __future__ import annotations

import signal
from collections.abc import Callable
from threading import Thread

import pytest

from croupier.play.interrupt import Interrupt, interrupts_blocked
from needs import posix

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def heard_by() -> list[object]:
    return [signal.getsignal(number) for number in SIGNALS]


def are_blocked() -> bool:
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def in_a_thread(act: Callable[[], None]) -> None:
    """Does something in a thread of its own; what is raised there is raised here."""
    raised = list[BaseException]()

    def caught() -> None:
        try:
            act()
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            raised.append(error)

    thread = Thread(target=caught)
    thread.start()
    thread.join()
    for error in raised:
        raise error


def test_whoever_heard_it_before_hears_it_afterwards() -> None:
    before = heard_by()
    with Interrupt():
        inside = heard_by()
    assert heard_by() == before and not set(inside) & set(before)


def test_a_thread_leaves_it_to_whom_it_goes() -> None:
    before, found = heard_by(), list[object]()

    def act() -> None:
        with Interrupt() as interrupt:
            found.extend([*heard_by(), interrupt.is_requested()])

    in_a_thread(act)
    assert found == [*before, False]


@posix
@pytest.mark.parametrize(("place", "inside"), [("main", True), ("thread", False)])
def test_processes_are_started_without_it_by_the_main_thread(place: str, inside: bool) -> None:
    """Only the main thread is told of it: others have nothing to hold back."""
    found = list[bool]()

    def act() -> None:
        with interrupts_blocked():
            found.append(are_blocked())
        found.append(are_blocked())

    act() if place == "main" else in_a_thread(act)
    assert found == [inside, False]
