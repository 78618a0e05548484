"""Mistakes planted in the lowering, one a construct: each must be noticed by playing test programs on the
evaluator and on the core at once.

They stand in `tests/data/lowering_mistakes.csv`: the construct, the module of `lowering/`, what stands there,
what is put in its place, and a program that notices. The package and what is built on it are imported anew
for each, from the changed text, and put back afterwards.
"""

from __future__ import annotations

import csv
import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

import croupier
from programs import ROOT, rulesets

LIST = ROOT / "tests" / "data" / "lowering_mistakes.csv"
PACKAGE = Path(croupier.__file__).parent / "lowering"
ANEW = ("croupier.lowering", "croupier.execution", "core_interpreter", "core_lockstep")
ROUNDS = 50_000  # of loops in one action: past them a loop has no end


@dataclass(frozen=True)
class Mistake:
    """What is wrong in which module."""

    construct: str
    module: str
    was: str
    now: str
    program: str  # a file with a ruleset that plays otherwise then


def mistakes() -> list[Mistake]:
    """All of them."""
    with LIST.open(encoding="utf-8", newline="") as f:
        return [
            Mistake(row["construct"], row["file"], row["was"], row["now"], row["program"])
            for row in csv.DictReader(f)
        ]


def changed(m: Mistake) -> str:
    """The text of the module with the mistake in it.

    Raises ValueError unless what is replaced stands there once.
    """
    text = (PACKAGE / f"{m.module}.py").read_text(encoding="utf-8")
    if text.count(m.was) != 1:
        raise ValueError(f"{m.construct}: what is replaced stands {text.count(m.was)} times in {m.module}.py")
    return text.replace(m.was, m.now)


class _Loader(SourceFileLoader):
    """Loads a module from another text."""

    text = ""

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.text, self.path, "exec")


class _Finder:
    """Finds the module with the mistake."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: Any = None
    ) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        spec = PathFinder.find_spec(fullname, path)
        assert spec is not None and spec.origin is not None
        spec.loader = _Loader(fullname, spec.origin)
        spec.loader.text = self.text
        return spec


@contextmanager
def in_place(m: Mistake) -> Iterator[None]:
    """A context in which whoever imports the lowering imports the one with the mistake."""
    text = changed(m)
    held = {name: module for name, module in sys.modules.items() if name.startswith(ANEW)}
    finder = _Finder(f"croupier.lowering.{m.module}", text)
    for name in held:
        del sys.modules[name]
    sys.meta_path.insert(0, finder)  # type: ignore[arg-type]
    try:
        yield
    finally:
        sys.meta_path.remove(finder)  # type: ignore[arg-type]
        for name in [name for name in sys.modules if name.startswith(ANEW)]:
            del sys.modules[name]
        sys.modules.update(held)
        for name in ("lowering", "execution"):
            if f"croupier.{name}" in held:
                setattr(croupier, name, held[f"croupier.{name}"])


@contextmanager
def planted(m: Mistake) -> Iterator[Any]:
    """The lock step of the core with a mistake in its lowering."""
    with in_place(m):
        importlib.import_module("core_interpreter").MAX_ROUNDS = ROUNDS  # type: ignore[attr-defined]
        yield importlib.import_module("core_lockstep")


def noticed(m: Mistake, names: Sequence[str], games: int = 6, most: int = 60) -> str | None:
    """The first of some files whose rulesets play otherwise, or not at all; none if none does."""
    with planted(m) as lockstep:
        for name in names:
            for ruleset in rulesets(name).values():
                try:
                    for _ in lockstep.lock_step(ruleset, games, ruleset.players[:1], most=most):
                        pass
                except Exception:  # noqa: BLE001 - a difference, a program that is none, a word that is missing: all of them are noticed
                    return name
    return None
