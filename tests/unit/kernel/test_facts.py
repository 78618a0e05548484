"""Facts say what the tables do: the forms that a fact is declared for are those that need it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

import croupier
from croupier.diagnostics import Source, Span
from croupier.kernel import tree
from croupier.kernel.facts import Facts, Leaves, Waits, Writes
from croupier.kernel.folds import FOLDS, FoldKind, Key
from croupier.kernel.tree import FORMS, PlaceStmt, TypedStmt
from croupier.runtime.aggregates import FOLDED
from croupier.runtime.compiled_rules import ROWS
from croupier.runtime.resumable import OPERATIONS
from croupier.runtime.statements import STATEMENTS
from croupier.semantics.builtins import AGGREGATES
from croupier.syntax import nodes as n

ROOT = Path(croupier.__file__).parent
LEFT_OUT = {
    "core", "passes", "printers",  # their statements are those of the core, which has other ones
    "source", "syntax", "schema", "diagnostics", "authoring", "narration", "cli", "lsp",  # words, no forms
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.OP)
def test_a_form_says_what_it_is(form: type[TypedStmt]) -> None:
    facts = form.FACTS
    assert form.__doc__ and not form.__doc__.startswith(form.__name__), "a docstring is its meaning"
    assert (facts.writes is Writes.PLACE) == issubclass(form, PlaceStmt)
    assert bool(facts.zones) == (facts.writes is Writes.ZONES) and set(facts.into) <= set(facts.zones)
    assert not facts.ahead or facts.noun, "what is refused in a look-ahead may not be supposed either"
    assert bool(facts.noun) or not (facts.suspends or facts.leaves is Leaves.GAME)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.OP)
def test_what_stops_has_no_row_that_runs_through(form: type[TypedStmt]) -> None:
    """The evaluator runs a statement through, or stops in it: what asks or pauses can only stop."""
    assert form.FACTS.stops == (form.OP not in STATEMENTS)
    if form.FACTS.stops or form.FACTS.calls:
        assert form.OP in OPERATIONS


def test_every_aggregate_is_a_fold_and_every_kind_of_fold_has_a_row() -> None:
    assert set(FOLDS) == set(AGGREGATES)
    assert set(FOLDED) == {fold.kind for fold in FOLDS.values()} == set(FoldKind)
    needs_key = {name for name, (signature, _) in AGGREGATES.items() if " by key" in signature}
    assert needs_key == {name for name, fold in FOLDS.items() if fold.key is not Key.NEVER}


def test_facts_of_one_statement_are_those_of_its_form_but_for_its_word_and_who_is_asked() -> None:
    own = {kind.__name__ for kind in FORMS if "facts" in vars(kind) or kind.WORDS}
    assert own == {"ChooseStmt", "EmitStmt", "LeaveStmt", "OpenStmt"}
    assert Facts().is_quiet and not Facts(waits=Waits.CHANCE).is_quiet


def test_each_statement_of_the_language_has_a_form() -> None:
    span = Span(Source("", ""), 0, 0)
    kinds = {kind for kind in vars(n).values() if inspect.isclass(kind) and issubclass(kind, n.Stmt)}
    kinds -= {n.Stmt, n.Option, n.Broken}  # an option is a part of a menu; the last could not be parsed
    some = {"verb": "reveal", "word": "pass"}
    for kind in kinds:
        node = kind.__new__(kind)
        for name, value in some.items():
            if name in kind.__match_args__:
                object.__setattr__(node, name, value)
        assert node.form in tree.FACTS, kind
    assert n.Broken(span, ()).form is None


def sources() -> Iterator[tuple[str, ast.Module]]:
    """Each module that may know forms."""
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.split("/")[0] not in LEFT_OUT:
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def texts(node: ast.expr) -> set[str]:
    """The texts that an expression is, or is a list, a set or a tuple of."""
    parts = node.elts if isinstance(node, (ast.List, ast.Set, ast.Tuple)) else [node]
    return {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def test_no_list_of_forms_is_kept_by_hand() -> None:
    """A list of four forms or more repeats a fact."""
    found = [
        f"{name}:{node.lineno}"
        for name, module in sources()
        for node in ast.walk(module)
        if isinstance(node, (ast.List, ast.Set, ast.Tuple)) and len(texts(node) & tree.FACTS.keys()) >= 4
    ]
    assert not found, "a fact says this: " + ", ".join(found)


def listed(node: ast.AST) -> list[ast.AST]:
    """The parts of a tuple, a list, a set, a union, or of alternative patterns."""
    match node:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return [*parts]
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return [*(listed(left) or [left]), right]
        case ast.MatchOr(patterns=patterns):
            return [part.cls for part in patterns if isinstance(part, ast.MatchClass)]
    return []


def test_no_classes_of_statements_are_listed() -> None:
    """A list of two classes repeats a fact, too; two lists say what no fact does."""
    names = {kind.__name__ for kind in FORMS}
    nodes = {name for name, kind in vars(n).items() if inspect.isclass(kind) and issubclass(kind, n.Stmt)}
    names |= {f"n.{name}" for name in nodes - {"Stmt", "Verb"}}
    found = {
        path.relative_to(ROOT).as_posix()
        for path in sorted(ROOT.rglob("*.py"))
        if path.relative_to(ROOT).parts[0] not in ("core", "passes", "printers", "syntax")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if len({ast.unparse(part) for part in listed(node)} & names) > 1
    }
    assert found - {"kernel/tree.py"} == {
        "authoring/rulebook/clauses.py",  # what opens a window
        "inference/exchangeable.py",  # what runs whatever a player holds
    }


def test_forms_are_told_by_their_class_or_by_a_fact() -> None:
    """Their names are keys of tables, and no more."""
    of_statements = tree.FACTS.keys() - ROWS.expressions.keys()
    found = [
        f"{name}:{node.lineno}"
        for name, module in sources()
        for node in ast.walk(module)
        if isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Attribute)
        and node.left.attr == "op"
        and any(texts(part) & of_statements for part in node.comparators)
    ]
    assert not found, "ask for the class, or for a fact: " + ", ".join(found)
