"""A package imports only those above it: the table of layers against the real imports.

Imports inside of functions count, too; so do imports for type checking alone.  `ruleset` stands after
`execution`, because a ruleset makes states; a state knows its ruleset by a protocol.  That no module imports
itself by way of others is for `tools/house`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import croupier

ROOT = Path(croupier.__file__).parent

LAYERS = (
    "limits", "records", "text", "higher", "diagnostics", "kernel", "resources", "reads", "source", "syntax",
    "schema", "resolve", "semantics", "runtime",
    "core", "lowering", "passes", "printers", "inference", "execution", "ruleset", "pipeline", "narration",
    "table",
    "play", "lab",
    "scenarios", "authoring", "server", "lsp", "outputs", "cli",
)  # fmt: skip
RANK = {name: rank for rank, name in enumerate(LAYERS)}
OUTERMOST = {"__init__", "__main__"}  # the package's own face: it belongs to no layer
FACE_USERS = {"cli", "lsp"}  # who may import the face, `import croupier`


@dataclass(frozen=True)
class Import:
    """One import: where, the part of `croupier` it stands in, the part that it names."""

    place: str
    user: str
    used: str


def part(path: Path) -> str:
    """The layer a module belongs to: the first name below the package."""
    return path.relative_to(ROOT).with_suffix("").parts[0]


def imports(path: Path) -> Iterator[Import]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            names = [node.module or ""]
            if node.module == "croupier":
                names = [
                    f"croupier.{alias.name}" if alias.name in RANK else "croupier" for alias in node.names
                ]
        for name in names:
            if name.split(".")[0] == "croupier":
                used = name.split(".")[1] if "." in name else "__init__"
                yield Import(f"{path.relative_to(ROOT)}:{node.lineno}", part(path), used)


def allowed(found: Import) -> bool:
    if found.user in OUTERMOST or found.user == found.used:
        return True
    if found.used in OUTERMOST:
        return found.user in FACE_USERS
    return RANK[found.used] < RANK[found.user]


MODULES = sorted(ROOT.rglob("*.py"))


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if "_data" not in path.parts],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_a_module_imports_only_layers_above_its_own(path: Path) -> None:
    assert part(path) in RANK or part(path) in OUTERMOST, f"`{part(path)}` has no row in the table of layers"
    wrong = [
        f"{found.place}: `{found.user}` imports `{found.used}`"
        for found in imports(path)
        if not allowed(found)
    ]
    assert not wrong, "\n".join(wrong)


def test_every_row_is_a_part_of_the_package() -> None:
    assert {part(path) for path in MODULES if "_data" not in path.parts} == RANK.keys() | OUTERMOST


def test_the_test_would_notice() -> None:
    assert not allowed(Import("x", "source", "schema"))
    assert not allowed(Import("x", "runtime", "cli"))
    assert not allowed(Import("x", "lsp", "cli"))
    assert not allowed(Import("x", "play", "__init__"))
    assert not allowed(Import("x", "runtime", "ruleset"))
    assert allowed(Import("x", "cli", "source"))


def test_nothing_that_executes_bytes_is_imported() -> None:
    """Nothing is ever unpickled, no shell is ever started; one module calls code that was compiled here, one
    asks Linux to end workers with us.
    """
    refused = {"pickle", "marshal", "shelve", "dill", "subprocess", "ctypes"}
    allowed_here = {"execution/llvm_compiler.py: ctypes", "play/interrupt.py: ctypes"}
    wrong = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            wrong += [
                f"{path.relative_to(ROOT).as_posix()}: {name}"
                for name in names
                if name.split(".")[0] in refused
            ]
    wrong = [w for w in wrong if w not in allowed_here]
    assert not wrong, "\n".join(wrong)
