"""The figures of `tools/house` count what they say, and its rules hold."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import _house  # noqa: E402

FILES = {
    "__init__.py": "from croupier.a.base import Base\n",
    "a/__init__.py": "from croupier.a.base import Base\n",
    "a/base.py": (
        "from typing import TYPE_CHECKING, Any\nif TYPE_CHECKING:\n    from croupier.a.inner import Inner\n"
        "class Outer: ...\nclass Base(Outer):\n    x: Any\n    def f(self) -> Any:\n        from croupier "
        "import b\n"
    ),
    "a/inner.py": "from croupier.a import Base\nfrom croupier.a import base\nclass Inner(Base): ...\nclass "
    "Same: ...\n",
    "b.py": "import croupier.a.inner\nclass Leaf(croupier.a.inner.Inner): ...\nclass Same: ...\n",
    "c.py": (
        "\nif TYPE_CHECKING:\n    import a\n\nif TYPE_CHECKING:\n    import b\n\ndef f():\n"
        '    """What is it?"""\n    return 1 if a else 2 if b else 3\n'
    ),
}


TOP_LEVEL = {"LICENSE", "README.md", "grammar", "interpreter", "pyproject.toml", "rulesets", "tests", "tools"}


def test_nothing_else_lies_at_the_top() -> None:
    """Of what git keeps; commands such as `croupier play` save games in the folder in which they are
    called.
    """
    kept = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert {path.partition("/")[0] for path in kept if not path.startswith(".")} == TOP_LEVEL


def test_the_rules_hold() -> None:
    """Sizes are a report; circles, chains, two conditions a line and glued modules are rules."""
    modules = _house.read_modules(ROOT)
    assert _house.circles(modules) == []
    assert len(_house.longest_chain(modules)) <= _house.RULES["longest chain"]
    assert _house.two_conditions(modules) == []
    assert _house.glued(modules) == []


def test_the_trend_is_kept(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    _house.record(tmp_path, "0.1", {"lines": 5, "Any": 2})
    _house.record(tmp_path, "0.2", {"lines": 7, "Any": 1, "circles": 0})
    _house.record(tmp_path, "0.2", {"lines": 8, "Any": 1, "circles": 0})
    assert _house.trend(tmp_path) == {
        "0.1": {"lines": 5, "Any": 2},
        "0.2": {"lines": 8, "Any": 1, "circles": 0},
    }


def test_what_the_figures_count(tmp_path: Path) -> None:
    for name, text in FILES.items():
        file = tmp_path / "interpreter" / "croupier" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (tmp_path / "README.md").write_text(
        "# A title\n\nThree plain words.\n\n| no | table |\n\n```sh\nno code\n```\n<!-- generated: x "
        "-->\nnothing\n<!-- end -->\n",
        encoding="utf-8",
    )
    modules = _house.read_modules(tmp_path)
    assert _house.packages(modules) == {"croupier": (3, 14), "a": (3, 13)}
    # `b` by an import inside a function
    assert _house.circles(modules) == [["croupier.a", "croupier.a.base", "croupier.a.inner", "croupier.b"]]
    assert [name.rsplit(".")[-1] for name in _house.longest_chain(modules)] == [
        "Outer",
        "Base",
        "Inner",
        "Leaf",
    ]
    assert _house.names_twice(modules) == {"Same": 2}
    assert _house.figures(tmp_path) == {
        "modules": 6, "lines": 27, "longest chain": 4, "class names twice": 1, "Any": 2, "circles": 1,
        "modules in circles": 4, "small modules": 6, "long lines": 0, "two conditions a line": 1,
        "glued modules": 1, "questions": 1,
        "words of README": 6, "words of guide": 0, "words of reference": 0,
    }  # fmt: skip
