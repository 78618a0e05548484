"""Agents that somebody wrote in Python: `my_bots.py:Greedy` is the class `Greedy` of the file `my_bots.py`, made without arguments.

The file runs as a part of this program. So it is named on a command line by whoever runs it; a saved game that names one does not start it.
"""

from __future__ import annotations

import importlib.util
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from croupier.play.agents.agent import Agent

METHODS = ("name", "begin", "choose", "end")


def is_file(specification: str) -> bool:
    """Does a specification name a class of a Python file?"""
    return specification.rpartition(":")[0].endswith(".py")


def file_agent(specification: str) -> Agent:
    """An agent of a file. Raises ValueError with words where the file, the class or one of its methods is missing, or the file does not run."""
    path, _, name = specification.rpartition(":")
    module = _module(str(Path(path).absolute()))
    made = getattr(module, name, None)
    if not isinstance(made, type):
        raise ValueError(f"there is no class `{name}` in {path}")
    missing = [method for method in METHODS if not callable(getattr(made, method, None))]
    if missing:
        raise ValueError(f"`{name}` in {path} has no method {', '.join(f'`{method}`' for method in missing)}; a bot has {', '.join(METHODS)}")
    return cast("Agent", made())


@lru_cache(maxsize=32)
def _module(path: str) -> ModuleType:
    if not Path(path).is_file():
        raise ValueError(f"there is no file {path}")
    name = f"croupier_bots_{abs(hash(path)):x}"
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module  # so that what it defines can be copied
    try:
        found.loader.exec_module(module)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with the file is told to whoever named it
        raise ValueError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    return module
