"""Agents, which pick one of the legal actions of their seat, and those that somebody wrote in Python.

`my_bots.py:Greedy` is the class `Greedy` of the file `my_bots.py`, made without arguments. The file runs as a
part of this program. So it is named on a command line by whoever runs it; a saved game that names one does
not start it. An error in it is reported with its line.
"""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import lru_cache
from operator import index
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Protocol, cast

from croupier.diagnostics import RulesetError, diagnose

if TYPE_CHECKING:
    from croupier.runtime.state import State
    from croupier.runtime.streams import Stream


class Agent(Protocol):
    """A bot at one seat in one game: four methods.

    An agent of a file is handed copies of states and options, and what it prints goes to the error output.

    One that plays fairly reads no more of a state than `state.observation(seat)` and
    `state.information_state(seat)`, and thinks about what it does not see by `state.resample(seat, stream)`.
    Whatever it does at random it draws from the stream that it is given: then the same seed gives the same
    game. It is copied (`copy.deepcopy`) where a person may take a decision back.
    """

    def name(self) -> str:
        """The specification that makes it again: what stands in `--bots`, in records and in summaries."""
        ...

    def begin(self, seat: int, players: int, stream: Stream) -> None:
        """A game begins; the seat counts from 0."""
        ...

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """One of the options, which are the seat's legal actions in canonical order and never empty."""
        ...

    def end(self, state: State, seat: int) -> None:
        """The game is over; `state.outcome()` says how."""
        ...


AgentFactory = Callable[[str], Agent]
"""Makes an agent from what follows its name in a specification: `50` in `flat:50`. Raises ValueError with
words for what it cannot be made of.
"""

METHODS = ("name", "begin", "choose", "end")


def is_file(specification: str) -> bool:
    """Tell whether a specification names a class of a Python file."""
    return specification.rpartition(":")[0].endswith(".py")


def file_agent(specification: str) -> Agent:
    """An agent of a file.

    Raises ValueError with words where the file, the class or one of its methods is missing, or the file does
    not run.
    """
    path, _, name = specification.rpartition(":")
    module = _module(str(Path(path).absolute()))
    made = getattr(module, name, None)
    if not isinstance(made, type):
        raise ValueError(f"there is no class `{name}` in {path}")
    missing = [method for method in METHODS if not callable(getattr(made, method, None))]
    if missing:
        raise ValueError(
            f"`{name}` in {path} has no method {', '.join(f'`{method}`' for method in missing)}; a bot has "
            f"{', '.join(METHODS)}"
        )
    try:
        with redirect_stdout(sys.stderr):
            agent = made()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever is wrong with the class is told to whoever named it
        raise ValueError(f"`{name}` in {path} cannot be made: {_words(error)}") from error
    return FileAgent(specification, cast("Agent", agent))


class FileAgent:
    """An agent that somebody wrote.

    Its mistakes, and choices that are no option, are RulesetErrors which say where they were made.
    """

    def __init__(self, specification: str, agent: Agent) -> None:
        self._specification, self._agent = specification, agent

    def name(self) -> str:
        """The name that the class gives itself."""
        with self._worded("name"):
            return str(self._agent.name())

    def begin(self, seat: int, players: int, stream: Stream) -> None:
        """Call the class's own `begin`."""
        with self._worded("begin"):
            self._agent.begin(seat, players, stream)

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """The option that the class chooses. Raises RulesetError for one that is not offered."""
        with self._worded("choose"):
            given: object = self._agent.choose(state.clone(), seat, list(options))
            chosen = None if isinstance(given, bool) or not hasattr(given, "__index__") else index(given)
            words = "" if chosen in options else f"{given!r:.60}"
        if chosen is None or words:
            some = ", ".join(map(str, options[:8])) + (", …" if len(options) > 8 else "")
            raise RulesetError(
                [
                    diagnose(
                        "X550",
                        None,
                        name=self._specification,
                        what=f"`choose` gave {words}, which is none of {some}",
                    )
                ]
            )
        return chosen

    def end(self, state: State, seat: int) -> None:
        """Call the class's own `end`."""
        with self._worded("end"):
            self._agent.end(state.clone(), seat)

    @contextmanager
    def _worded(self, method: str) -> Iterator[None]:
        try:
            with redirect_stdout(sys.stderr):
                yield
        except RulesetError:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever is wrong with the class is told to whoever named it
            what = f"`{method}` ended with {_words(error)}"
            raise RulesetError([diagnose("X550", None, name=self._specification, what=what)]) from error


def _words(error: BaseException) -> str:
    """The error, with the line of a file of bots that is nearest to it."""
    lines = [
        f"{Path(frame.filename).name}, line {frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename in _PATHS
    ]
    return f"{type(error).__name__}: {error}" + (f" ({lines[-1]})" if lines else "")


_PATHS: set[str] = set()


@lru_cache(maxsize=32)
def _module(path: str) -> ModuleType:
    if not Path(path).is_file():
        raise ValueError(f"there is no file {path}")
    name = f"croupier_bots_{abs(hash(path)):x}"
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module  # so that what it defines can be copied
    _PATHS.add(path)
    try:
        with redirect_stdout(sys.stderr):
            found.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever is wrong with the file is told to whoever named it
        raise ValueError(f"{path} cannot be run: {_words(error)}") from error
    return module
