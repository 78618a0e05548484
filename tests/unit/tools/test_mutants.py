"""`tools/engine-mutants`: what is planted is planted, which tests reach it is known, and whether one fails is
told.
"""

from __future__ import annotations

import ast
import csv
import gc
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

from _mutants import live, operators, plugin, report  # noqa: E402

SOURCE = '''
def smaller(a, b):
    """A docstring is no statement."""
    if a < b and a:
        return [x + 1 for x in b if not x]
    note(a)
    raise ValueError(1 + 1)


class Shelf:
    def room(self):
        def inner():
            return any(self)
        return inner() or True
'''

CHANGES = [
    ("smaller", 4, "and/or", "a < b and a", "a < b or a"),
    ("smaller", 4, "operand dropped", "a < b and a", "a"),
    ("smaller", 4, "operand dropped", "a < b and a", "a < b"),
    ("smaller", 4, "comparison", "a < b", "a <= b"),
    ("smaller", 5, "arithmetic", "x + 1", "x - 1"),
    ("smaller", 5, "constant", "1", "2"),
    ("smaller", 5, "filter dropped", "for x in b if not x", "for x in b"),
    ("smaller", 5, "negation dropped", "not x", "x"),
    ("smaller", 6, "statement dropped", "note(a)", "pass"),
    ("Shelf.room", 13, "call", "any(self)", "all(self)"),
    ("Shelf.room", 14, "and/or", "inner() or True", "inner() and True"),
    ("Shelf.room", 14, "operand dropped", "inner() or True", "True"),
    ("Shelf.room", 14, "operand dropped", "inner() or True", "inner()"),
    ("Shelf.room", 14, "constant", "True", "False"),
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "shelf.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_what_is_planted(source: Path) -> None:
    found = operators.sites(source.parent, source)
    assert [(s.function, s.line, s.operator, s.before, s.after) for s in found] == CHANGES
    whole = ast.unparse(ast.parse(SOURCE))
    texts = [ast.unparse(operators.mutated(source, s.number)) for s in found]
    assert len({whole, *texts}) == len(CHANGES) + 1
    with pytest.raises(IndexError):
        operators.mutated(source, len(CHANGES))


def test_a_living_function_is_changed_and_its_places_are_marked(source: Path) -> None:
    reached: list[int] = []
    names: dict[str, object] = {"note": lambda a: None, "mark": reached.append}
    exec(compile(SOURCE, str(source), "exec"), names)
    functions = live.functions_by_file()[str(source)]
    room = names["Shelf"].room  # type: ignore[attr-defined]
    nothing_is_true = [number for number, change in enumerate(CHANGES) if change[2] == "call"][0]
    assert (
        live.install(source, operators.with_marks(source, {nothing_is_true: 7, 0: 8}, "mark"), functions) == 2
    )
    assert room([]) is True and reached == [7]
    assert live.install(source, operators.mutated(source, nothing_is_true), functions) == 2
    assert room([0]) is True and reached == [7]
    last = len(CHANGES) - 1
    assert live.install(source, operators.mutated(source, last), functions) == 1
    assert room([]) is False


def test_lambdas_of_one_line_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "pair.py"
    path.write_text("def pair(): return [lambda: 1, lambda: 2, lambda: 3]\n", encoding="utf-8")
    names: dict[str, Any] = {}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
    given = names["pair"]()
    gc.freeze()  # as after the tests were collected
    assert live.install(path, operators.mutated(path, 1), live.functions_by_file()[str(path)]) == 2
    assert [f() for f in given] == [f() for f in names["pair"]()] == [1, 3, 3]


def test_a_fork_gives_a_code_and_a_word(tmp_path: Path) -> None:
    (tmp_path / "sample.json").write_text("[]", encoding="utf-8")
    judge = plugin.Judge(tmp_path, ROOT, "1/1", 1.0)
    items: list[Any] = [SimpleNamespace(nodeid="sound"), SimpleNamespace(nodeid="broken")]
    judge.first_failure = lambda some: (int(some[0] is items[1]), "")  # type: ignore[method-assign,assignment]
    assert [judge.is_sound(name, items) for name in ("", "sound", "broken", "broken")] == [
        True,
        True,
        False,
        False,
    ]
    assert judge.passes == {"sound": True, "broken": False}
    assert plugin.in_a_fork(lambda: (4, "seven"), 60) == (4, "seven")
    assert plugin.in_a_fork(lambda: (1 // 0, "never"), 60) == (1, "")


def test_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = tmp_path / "equivalent.csv"
    known.write_text(
        "path,function,before,after,reason\ninterpreter/croupier/play/b.py,f,x,y,nobody asks\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(report, "EQUIVALENT", known)
    site = {"number": 0, "function": "f", "line": 3, "operator": "call", "before": "x"}
    places = [
        ("runtime/a.py", "y"),
        ("play/b.py", "y"),
        ("play/b.py", "z"),
        ("play/b.py", "same"),
        ("play/b.py", "far"),
    ]
    sample = [{**site, "path": f"interpreter/croupier/{path}", "after": after} for path, after in places]
    (tmp_path / "sample.json").write_text(json.dumps(sample), encoding="utf-8")
    verdicts = ["noticed", "survived", "survived", "the same code"]
    judged = [json.dumps({"k": k, "verdict": verdict}) for k, verdict in enumerate(verdicts)]
    (tmp_path / "judged-1.jsonl").write_text("\n".join(judged), encoding="utf-8")
    assert report.show(tmp_path) == 1
    assert capsys.readouterr().out.splitlines() == [
        "play           50.0 %  1 equivalent, 1 survived, 1 not run",
        "runtime       100.0 %  1 noticed",
        "all            66.7 %  1 noticed, 1 equivalent, 1 survived, 1 not run",
        "survived: interpreter/croupier/play/b.py:3 (f) call: x → z",
    ]


def test_equivalents_are_places_that_there_are() -> None:
    with report.EQUIVALENT.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            found = operators.sites(ROOT, ROOT / row["path"])
            assert any(
                (s.function, s.before, s.after) == (row["function"], row["before"], row["after"])
                for s in found
            ), row
            assert row["reason"]
