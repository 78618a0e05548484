"""The head of a package says what each of its modules is for, and names none that is not there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import croupier

ROOT = Path(croupier.__file__).parent
PACKAGES = sorted(file.parent for file in ROOT.rglob("__init__.py") if "_data" not in file.parts)
ONE_A_FILE = {  # of each of these the head says what one file holds, whatever its name
    "cli/commands", "cli/views", "diagnostics/catalogue", "diagnostics/render", "ir/checks", "play/agents",
    "semantics/lints",
    "authoring", "authoring/new", "authoring/rulebook/render",
}  # fmt: skip


def head(package: Path) -> str:
    return ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))) or ""


def name(package: Path) -> str:
    return package.relative_to(ROOT).as_posix()


def test_every_folder_with_modules_is_a_package() -> None:
    folders = {file.parent for file in ROOT.rglob("*.py") if "_data" not in file.parts}
    assert not folders - set(PACKAGES)


@pytest.mark.parametrize(
    "package", [p for p in PACKAGES if p != ROOT and name(p) not in ONE_A_FILE], ids=name
)
def test_the_head_of_a_package_names_its_modules(package: Path) -> None:
    text = head(package) + head(package.parent)
    unnamed = [
        file.name
        for file in sorted(package.glob("*.py"))
        if file.stem != "__init__" and not re.search(rf"\b{file.stem}\b", text)
    ]
    assert not unnamed, f"the head of `{name(package)}` does not say what these are for: {', '.join(unnamed)}"


@pytest.mark.parametrize("package", PACKAGES, ids=name)
def test_what_the_head_of_a_package_names_is_there(package: Path) -> None:
    named = set(re.findall(r"(?:\w+/)*\w+\.py\b", head(package)))
    lost = [
        path
        for path in sorted(named)
        if not any(
            (folder / path).is_file() for folder in (package, package.parent, ROOT, *package.iterdir())
        )
    ]
    assert not lost, f"the head of `{name(package)}` names {', '.join(lost)}"
