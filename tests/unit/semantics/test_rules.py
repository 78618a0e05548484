"""Every class of nodes has a rule of the checker, and no class of the front half stands in a long chain."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path

import pytest

import croupier
from croupier.kernel import tree
from croupier.kernel.tree import STATEMENTS
from croupier.lowering import operands, statements
from croupier.runtime.compiled_rules import ROWS
from croupier.runtime.resumable import OPERATIONS
from croupier.runtime.statements import STATEMENTS as STATEMENT_ROWS
from croupier.semantics import liveness
from croupier.semantics.check import RuleCheckers
from croupier.semantics.context import CheckContext
from croupier.semantics.infoflow import statements as flow
from croupier.semantics.program import Program
from croupier.syntax import nodes as n

ROOT = Path(croupier.__file__).parent
CHECKED = ("source", "syntax", "schema", "resolve", "semantics")
MAX_CHAIN = 3


def below(base: type) -> set[type]:
    """The classes of nodes that are of this kind."""
    return {
        kind
        for kind in vars(n).values()
        if inspect.isclass(kind) and issubclass(kind, base) and kind is not base
    }


def test_every_class_of_nodes_has_a_rule() -> None:
    rules = RuleCheckers(CheckContext(Program("", "", "", (), {})))
    assert below(n.Expr) == set(rules.expressions.rules)
    assert below(n.Stmt) - {n.Option} == set(rules.statements.rules), "options are checked with their menu"


def test_every_form_of_statements_has_a_row() -> None:
    kinds = {
        kind for kind in vars(tree).values() if inspect.isclass(kind) and issubclass(kind, tree.TypedStmt)
    }
    assert kinds - {tree.TypedStmt, tree.PlaceStmt, tree.AskStmt} == set(tree.FORMS)
    assert len(STATEMENTS) == len(tree.FORMS), "two forms have one name"
    assert set(liveness.RULES) == set(flow.STATEMENTS) == set(statements.STATEMENTS.rules) == STATEMENTS
    assert set(STATEMENT_ROWS) | set(OPERATIONS) == STATEMENTS


def test_every_form_of_expressions_has_a_row() -> None:
    """Whatever only has operands is an `OperationExpr`; the evaluator alone makes a `StateEntryExpr`."""
    forms = {
        kind for kind in vars(tree).values() if inspect.isclass(kind) and issubclass(kind, tree.TypedExpr)
    }
    forms -= {tree.TypedExpr, tree.OperationExpr, tree.StateEntryExpr}
    words = [word for kind in forms for word in kind.WORDS or (kind.OP,)]
    names = set(words)
    assert len(names) == len(words)
    assert names <= set(ROWS.expressions)
    assert names - set(operands.EXPRESSIONS.rules) == {"board", "map_list"}, (
        "boards are known beforehand, maps as lists are read at set-up"
    )


@pytest.mark.parametrize("package", CHECKED)
def test_chains_of_classes_are_short(package: str) -> None:
    long = []
    for path in sorted((ROOT / package).rglob("*.py")):
        module = import_module(
            ".".join(("croupier", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
        )
        for name, kind in vars(module).items():
            if inspect.isclass(kind) and kind.__module__ == module.__name__:
                chain = [base.__name__ for base in kind.__mro__ if base.__module__.startswith("croupier.")]
                long += [f"{module.__name__}.{name}: {' < '.join(chain)}"] if len(chain) > MAX_CHAIN else []
    assert not long, "\n".join(long)
