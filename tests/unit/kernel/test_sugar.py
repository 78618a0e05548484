"""Sugar ends with elaboration: nothing behind it names a statement that is another one's form."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import croupier
from croupier import kernel
from croupier.kernel.tree import FORMS
from croupier.runtime.compiled_rules import ROWS
from croupier.semantics import any_time, claims, elaborate, expansions, rewrites
from croupier.source.statement_words import WRITTEN

ROOT = Path(croupier.__file__).parent
KNOW_SUGAR = {"source", "syntax", "semantics", "authoring", "lsp"}
OTHER_MEANINGS = {
    "server/page.py": {"at_once"},  # a key of the page: several seats decide at once
    "lowering/prelude.py": {"deal"},  # a function of the core, which core text names
    "lowering/asks.py": {"deal"},
    "printers/llvm_steps.py": {"claim"},  # a thread takes a workspace for itself
    "execution/native_workspace.py": {"claim"},
    # an option that says something: its key in JSON, and the kind of a clause
    "runtime/candidates.py": {"claim"},
}
EXPANDING = (any_time, claims, elaborate, expansions, rewrites)


def of_rows() -> set[str]:
    """The statements that are checked to the form of another one."""
    return {row.rule.rstrip("_") for row in WRITTEN if row.form}


def of_the_head() -> set[str]:
    """What the heads of the kernel and of the expansions say of sugar: the words at the left."""
    sugar = (kernel.__doc__ or "").partition("*Sugar*")[2].partition("The span")[0]
    left = " ".join(re.findall(r"^ {4}(\S.*?)(?: {2}|$)", sugar + (expansions.__doc__ or ""), re.MULTILINE))
    words = ["turns", "at once", "any time", *(row.words[0] for row in WRITTEN if row.form)]
    return {"_".join(found.split()) for found in re.findall(rf"\b(?:{'|'.join(words)})\b", left)}


def named(module: ast.Module) -> Iterator[str]:
    """The texts of a module that are no docstrings, and what it imports."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(module)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Each module that may not know sugar."""
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.split("/")[0] not in KNOW_SUGAR:
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def test_the_heads_name_the_sugar_of_the_rows() -> None:
    """Handing on is a kind of exchange that the kernel has."""
    assert of_rows() - {"pass_on"} <= of_the_head()
    assert {rewrites.AtOnceStmt.OP, "any_time", "turns"} <= of_the_head()
    assert rewrites.AtOnceStmt not in FORMS


def test_nothing_behind_the_checker_names_sugar() -> None:
    sugar = (of_rows() | of_the_head()) - ROWS.expressions.keys()  # `turns` is a value that a `for` walks
    assert {"at_once", "any_time", "announce", "deal", "reveal"} <= sugar
    found = {name: set(named(module)) & sugar for name, module in modules()}
    assert {name: words for name, words in found.items() if words} == OTHER_MEANINGS


def test_only_the_checker_asks_for_expansions() -> None:
    homes = {module.__name__ for module in EXPANDING}
    found = {
        name
        for name, module in modules()
        if any(word in homes or word.rpartition(".")[0] in homes for word in named(module))
    }
    assert not found
