"""The size and the tangles of the code, and the length of the documents.

All figures are of the texts alone: nothing is imported.

    modules, lines         Python files and their lines, by package
    longest chain          classes of which each is the base of the next
    class names twice      names that classes of several modules share
    Any                    how often it stands in annotations and elsewhere
    circles                groups of modules that import each other; imports for types only, and those inside
                           functions, count too
    small modules          modules of fewer than 80 lines
    long lines             lines of more than 110 columns; each has a reason, `noqa: E501`
    two conditions a line  lines on which two conditional expressions begin
    glued modules          modules with two headers `if TYPE_CHECKING:`
    questions              docstrings whose first sentence is a question or begins as one
    words of prose         of the documents: what stands outside of code, tables and generated parts

Circles, chains of classes, two conditions a line and glued modules are rules, which a test holds (`RULES`).
The others are a report: `house.csv` keeps them by version, and nothing fails when one grows.
"""

from __future__ import annotations

import ast
import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "croupier"
SMALL = 80
WIDTH = 110
TREND = "tools/house.csv"
RULES = {
    "longest chain": 3,
    "circles": 0,
    "modules in circles": 0,
    "two conditions a line": 0,
    "glued modules": 0,
}
QUESTION = re.compile(r"(?:What|Who|Where|Which|Whether|How|Why)\b|[^.?]*\?")
DOCUMENTS = {
    "README": ("README.md",),
    "guide": ("grammar/guide/*.md",),
    "reference": ("grammar/LANGUAGE.md", "grammar/reference/**/*.md"),
}
GENERATED = re.compile(r"<!-- generated:.*?<!-- end -->", re.DOTALL)
FENCED = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)
LEFT_OUT = re.compile(r"^(?:\||<!--|!\[|\[!\[).*$", re.MULTILINE)


@dataclass(frozen=True)
class Module:
    """A Python file: its dotted name, its text, its tree."""

    name: str
    is_package: bool
    text: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        """The number of its lines."""
        return self.text.count("\n")

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
        name = ".".join(parts[:-1] if is_package else parts)
        modules.append(Module(name, is_package, text, ast.parse(text)))
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


# ---------------------------------------------------------------- lines and docstrings
def long_lines(modules: list[Module]) -> int:
    """The number of lines of more than 110 columns."""
    return sum(len(line) > WIDTH for module in modules for line in module.text.splitlines())


def two_conditions(modules: list[Module]) -> list[str]:
    """The lines on which two conditional expressions begin, as `module:line`."""
    found = []
    for module in modules:
        begin = Counter(node.lineno for node in ast.walk(module.tree) if isinstance(node, ast.IfExp))
        found += [f"{module.name}:{line}" for line, times in sorted(begin.items()) if times > 1]
    return found


def glued(modules: list[Module]) -> list[str]:
    """The modules with two headers `if TYPE_CHECKING:`."""
    return [module.name for module in modules if module.text.count("\nif TYPE_CHECKING:") > 1]


def questions(modules: list[Module]) -> int:
    """The number of docstrings whose first sentence is a question or begins as one."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    documented = (node for module in modules for node in ast.walk(module.tree) if isinstance(node, kinds))
    return sum(QUESTION.match(ast.get_docstring(node) or "") is not None for node in documented)


# ---------------------------------------------------------------- all of it
def figures(root: Path) -> dict[str, int]:
    """Every figure by its name."""
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
        "long lines": long_lines(modules),
        "two conditions a line": len(two_conditions(modules)),
        "glued modules": len(glued(modules)),
        "questions": questions(modules),
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


def trend(root: Path) -> dict[str, dict[str, int]]:
    """The figures that were recorded, by the version and day that they are of, oldest first."""
    with (root / TREND).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {row.pop("of"): {name: int(value) for name, value in row.items() if value} for row in rows}


def record(root: Path, name: str, found: dict[str, int]) -> None:
    """Write figures into the trend, in the place of those of the same name."""
    kept = trend(root) if (root / TREND).exists() else {}
    kept[name] = found
    with (root / TREND).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["of", *found], lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows({"of": of, **row} for of, row in kept.items())
