"""Each key of a ruleset, a variant and a module is obeyed: as data in `keys.cases.yaml`.

A key without a row there is a mistake.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.diagnostics import Source, Span
from croupier.schema.declaration import Declaration
from croupier.schema.document import Document
from croupier.source import YamlNode

ROOT = Path(__file__).parents[3]
DATA = YAML(typ="safe").load(Path(__file__).with_name("keys.cases.yaml").read_text(encoding="utf-8"))
_OUT = ("flow", "settled", "answers", "plain_rows", "static")  # what is worked out later


def classes(base: type[Declaration] = Declaration) -> Iterator[type[Declaration]]:
    """The classes of things that have keys."""
    for kind in base.__subclasses__():
        if kind is not Document and kind.__module__.startswith("croupier.schema"):
            yield kind
        yield from classes(kind)


KEYS = sorted(
    {
        f"{kind.__name__}.{field.alias or name}"
        for kind in classes()
        for name, field in kind.model_fields.items()
    }
)


def told(value: object, seen: tuple[int, ...] = ()) -> object:
    """All that a value holds, without places in files."""
    if isinstance(value, (Span, Source)) or id(value) in seen:
        return None
    seen = (*seen, id(value))
    if isinstance(value, YamlNode):
        return value.span.text
    if isinstance(value, dict):
        return tuple((told(key, seen), told(item, seen)) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(told(item, seen) for item in value)
    if isinstance(value, (set, frozenset)):
        return tuple(sorted(map(repr, value)))
    if is_dataclass(value) and not isinstance(value, type):
        return (
            type(value).__name__,
            *(told(getattr(value, field.name), seen) for field in fields(value) if field.name not in _OUT),
        )
    return repr(value) if type(value) in (str, int, bool, type(None)) else type(value).__name__


def outcome(file: Path) -> tuple[object, ...]:
    """What is found in a ruleset, and what it becomes: everything but places in files."""
    result = croupier.check(file)
    found = [(d.code, d.message) for d in result.diagnostics]
    if result.ruleset is None:
        return found, None
    program = result.ruleset.program
    whole = {
        field.name: getattr(program, field.name)
        for field in fields(program)
        if field.name not in (*_OUT, "resolved")
    }
    return found, told(whole)


def opened(file: str, folder: Path) -> Path:
    """A copy of a file of the checkout, with what lies beside it."""
    source = ROOT / file
    home = (
        source.parent.parent
        if source.parent.name == "variants" and (source.parent.parent / "ruleset.yaml").exists()
        else source.parent
    )
    copy = folder / home.name
    if not copy.exists():
        shutil.copytree(home, copy)
    return copy / source.relative_to(home)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Any:
    @cache
    def find(file: str) -> tuple[object, ...]:
        return outcome(opened(file, tmp_path_factory.mktemp("before")))

    return find


def test_every_key_has_a_row() -> None:
    rows = {*DATA["rows"], *DATA["without"]}
    assert sorted(set(KEYS) - rows) == [], "each key needs a row in keys.cases.yaml"
    assert sorted(rows - set(KEYS)) == [], "there are no such keys"
    assert not set(DATA["rows"]) & set(DATA["without"])


@pytest.mark.parametrize("key", DATA["rows"])
def test_a_key_is_obeyed(key: str, before: Any, tmp_path: Path) -> None:
    """Without it the ruleset is refused, or becomes another one."""
    file, *path = DATA["rows"][key]
    copy = opened(file, tmp_path)
    yaml = YAML()
    yaml.width = 1_000_000
    document = yaml.load(copy.read_text(encoding="utf-8"))
    inner = document
    for name in path[:-1]:
        inner = inner[name]
    del inner[path[-1]]
    with copy.open("w", encoding="utf-8") as out:
        yaml.dump(document, out)
    assert outcome(copy) != before(file)
