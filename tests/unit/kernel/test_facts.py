"""Facts say what the tables do: the forms that a fact is declared for are those that need it."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import croupier
from croupier.diagnostics import Source, Span
from croupier.kernel.facts import Facts, Leaves, Waits, Writes
from croupier.kernel.folds import FOLDS, FoldKind, Key
from croupier.runtime.aggregates import FOLDED
from croupier.runtime.compiled_rules import ROWS
from croupier.semantics import tree
from croupier.semantics.builtins import AGGREGATES
from croupier.semantics.tree import FORMS, PlaceStmt, TypedStmt
from croupier.syntax import nodes as n

ROOT = Path(croupier.__file__).parent
SEPARATE = ("core", "passes", "printers")  # their statements are those of the core, which has other ones


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.OP)
def test_a_form_says_what_it_is(form: type[TypedStmt]) -> None:
    facts = form.FACTS
    assert form.__doc__ and not form.__doc__.startswith(form.__name__), "a docstring is its meaning"
    assert (facts.writes is Writes.PLACE) == issubclass(form, PlaceStmt)
    assert bool(facts.zones) == (facts.writes is Writes.ZONES) and set(facts.into) <= set(facts.zones)
    assert not facts.ahead or facts.noun, "what is refused in a look-ahead may not be supposed either"
    assert bool(facts.noun) or not (facts.suspends or facts.leaves is Leaves.GAME)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.OP)
def test_what_waits_has_no_row_that_runs_through(form: type[TypedStmt]) -> None:
    """The evaluator runs a statement through, or stops in it: what asks can only stop."""
    assert form.FACTS.suspends == (form.OP not in ROWS.statements)
    if form.FACTS.suspends or form.FACTS.calls:
        assert form.OP in ROWS.operations


def test_every_aggregate_is_a_fold_and_every_kind_of_fold_has_a_row() -> None:
    assert set(FOLDS) == set(AGGREGATES)
    assert set(FOLDED) == {fold.kind for fold in FOLDS.values()} == set(FoldKind)
    needs_key = {name for name, (signature, _) in AGGREGATES.items() if " by key" in signature}
    assert needs_key == {name for name, fold in FOLDS.items() if fold.key is not Key.NEVER}


def test_facts_of_one_statement_are_those_of_its_form_but_for_who_is_asked() -> None:
    own = {
        kind.__name__: {name for name in ("waits", "hides", "not_ahead") if name in vars(kind)}
        for kind in FORMS
    }
    assert {name: found for name, found in own.items() if found} == {
        "ChooseStmt": {"waits", "hides", "not_ahead"},
        "OpenStmt": {"not_ahead"},
    }
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
        assert node.form in tree.STATEMENTS, kind
    assert n.Broken(span, ()).form is None


def operations(node: ast.expr) -> set[str]:
    """The names of forms in a list, a set or a tuple of texts, or in a text that is split into words."""
    words: set[str] = set()
    if isinstance(node, (ast.List, ast.Set, ast.Tuple)):
        words = {part.value for part in node.elts if isinstance(part, ast.Constant) and part.value}
    return {word for word in words if isinstance(word, str)} & tree.STATEMENTS


def test_no_list_of_forms_is_kept_by_hand() -> None:
    """A list of four forms or more repeats a fact. Words of the language are no forms: `syntax` and the names
    that are reserved are left out.
    """
    left_out = {
        "syntax",
        "diagnostics",
        "source",
        "schema",
        "authoring",
        "narration",
        "cli",
        "lsp",
        *SEPARATE,
    }
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        if path.relative_to(ROOT).parts[0] in left_out:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.List, ast.Set, ast.Tuple)) and len(operations(node)) >= 4:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not found, inspect.cleandoc("a fact says this: " + ", ".join(found))
