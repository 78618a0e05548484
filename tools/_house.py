"""How large and how tangled the code is, and how long the documents are: figures from the texts alone,
nothing is imported.

    modules, lines     Python files and their lines, by package
    longest chain      classes of which each is the base of the next
    class names twice  names that classes of several modules share
    Any                how often it stands in annotations and elsewhere
    circles            groups of modules that import each other; imports for types only, and those inside
                       functions, count too
    small modules      modules of fewer than 80 lines
    words of prose     of the documents: what stands outside of code, tables and generated parts

Ceilings stand in `house.json`; `tools/house --lower` puts today's figures there where they are lower.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "croupier"
SMALL = 80
CEILINGS = "tools/house.json"
DOCUMENTS = {
    "README": ("README.md",),
    "guide": ("grammar/guide/*.md",),
    "reference": ("grammar/LANGUAGE.md", "grammar/reference/*.md"),
}
GENERATED = re.compile(r"<!-- generated:.*?<!-- end -->", re.DOTALL)
FENCED = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)
LEFT_OUT = re.compile(r"^(?:\||<!--|!\[|\[!\[).*$", re.MULTILINE)


@dataclass(frozen=True)
class Module:
    """A Python file: its dotted name, its lines, its tree."""

    name: str
    is_package: bool
    lines: int
    tree: ast.Module

    @property
    def package(self) -> str:
        """The part of the interpreter that it belongs to; nothing for what stands at the top."""
        parts = self.name.split(".")
        return parts[1] if len(parts) > 2 or (len(parts) == 2 and self.is_package) else ""


def read_modules(root: Path) -> list[Module]:
    """Every module of the interpreter, by name, but for data that a package brings along."""
    folder = root / "interpreter"
    modules = []
    for file in sorted((folder / PACKAGE).rglob("*.py")):
        if file.relative_to(folder).parts[1] == "_data":
            continue
        parts = file.relative_to(folder).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        text = file.read_text(encoding="utf-8")
        modules.append(
            Module(
                ".".join(parts[:-1] if is_package else parts), is_package, text.count("\n"), ast.parse(text)
            )
        )
    return modules


# ---------------------------------------------------------------- imports
def outer(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a module outside of functions and classes, those below `if` and `try` too."""
    for node in statements:
        yield node
        for part in ("body", "orelse", "finalbody", "handlers"):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                for inner in getattr(node, part, []):
                    yield from outer(inner.body) if isinstance(inner, ast.ExceptHandler) else outer([inner])


def imported(module: Module, known: set[str], *, everywhere: bool = False) -> dict[str, tuple[str, str]]:
    """Return the names that a module imports: by local name the module it comes from, and its name there
    (empty: the module itself); `everywhere`: with those inside functions.
    """
    names: dict[str, tuple[str, str]] = {}
    for node in ast.walk(module.tree) if everywhere else outer(module.tree.body):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in known:
                    names[alias.asname or alias.name] = (alias.name, "")
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                if inner in known:
                    names[alias.asname or alias.name] = (inner, "")
                elif node.module in known:
                    names[alias.asname or alias.name] = (node.module, alias.name)
    return names


def circles(modules: list[Module]) -> list[list[str]]:
    """Groups of modules that import each other, by Tarjan's algorithm."""
    known = {module.name for module in modules}
    edges = {
        module.name: sorted(
            {target for target, _ in imported(module, known, everywhere=True).values()} - {module.name}
        )
        for module in modules
    }
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for target in edges[name]:
            if target not in index:
                visit(target)
                low[name] = min(low[name], low[target])
            elif target in stack:
                low[name] = min(low[name], index[target])
        if low[name] == index[name]:
            at = stack.index(name)
            group = stack[at:]
            del stack[at:]
            if len(group) > 1:
                found.append(sorted(group))

    for name in edges:
        if name not in index:
            visit(name)
    return sorted(found, key=lambda group: (-len(group), group))


# ---------------------------------------------------------------- classes
def longest_chain(modules: list[Module]) -> list[str]:
    """The longest row of classes of which each is a base of the next, first the base."""
    known = {module.name for module in modules}
    bases: dict[str, list[str]] = {}
    exported = {module.name: imported(module, known) for module in modules}

    def home(module: str, name: str) -> str:
        """Return the module that defines a name that a module knows; packages hand names on."""
        seen = set()
        while f"{module}.{name}" not in seen and name in exported.get(module, {}):
            seen.add(f"{module}.{name}")
            source, inner = exported[module][name]
            if not inner:
                return source
            module, name = source, inner
        return f"{module}.{name}"

    for module in modules:
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef):
                written = [
                    ast.unparse(base.value if isinstance(base, ast.Subscript) else base).rpartition(".")
                    for base in node.bases
                ]
                bases[f"{module.name}.{node.name}"] = [
                    f"{home(module.name, where)}.{name}" if where else home(module.name, name)
                    for where, _, name in written
                ]

    def chain(name: str) -> list[str]:
        above = [chain(base) for base in bases[name] if base in bases]
        return [*max(above, key=len, default=[]), name]

    return max((chain(name) for name in bases), key=len, default=[])


def names_twice(modules: list[Module]) -> dict[str, int]:
    """Class names that several modules have, with how many."""
    found = Counter(
        node.name for module in modules for node in module.tree.body if isinstance(node, ast.ClassDef)
    )
    return {name: times for name, times in sorted(found.items()) if times > 1}


def any_count(modules: list[Module]) -> int:
    """Return the number of uses of `Any`, imports not counted."""
    return sum(
        isinstance(node, ast.Name) and node.id == "Any"
        for module in modules
        for node in ast.walk(module.tree)
    )


# ---------------------------------------------------------------- documents
def prose(text: str) -> int:
    """The words of a document outside of code, tables and generated parts."""
    return len(LEFT_OUT.sub("", FENCED.sub("", GENERATED.sub("", text))).split())


def words(root: Path) -> dict[str, int]:
    """The words of prose of each group of documents."""
    return {
        group: sum(
            prose(file.read_text(encoding="utf-8")) for place in places for file in sorted(root.glob(place))
        )
        for group, places in DOCUMENTS.items()
    }


# ---------------------------------------------------------------- all of it
def figures(root: Path) -> dict[str, int]:
    """Every figure that has a ceiling."""
    modules = read_modules(root)
    tangled = circles(modules)
    return {
        "modules": len(modules),
        "lines": sum(module.lines for module in modules),
        "longest chain": len(longest_chain(modules)),
        "class names twice": len(names_twice(modules)),
        "Any": any_count(modules),
        "circles": len(tangled),
        "modules in circles": sum(map(len, tangled)),
        "small modules": sum(module.lines < SMALL for module in modules),
        **{f"words of {group}": number for group, number in words(root).items()},
    }


def packages(modules: list[Module]) -> dict[str, tuple[int, int]]:
    """Modules and lines of each package."""
    names = sorted({module.package for module in modules})
    found = {}
    for name in names:
        lines = [module.lines for module in modules if module.package == name]
        found[name or PACKAGE] = (len(lines), sum(lines))
    return found


def ceilings(root: Path) -> dict[str, int]:
    """Return the ceilings of the figures."""
    found: dict[str, int] = json.loads((root / CEILINGS).read_text(encoding="utf-8"))
    return found
