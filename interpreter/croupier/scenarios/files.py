"""The files of scenarios: where they are, and which ruleset they are for."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from croupier import resources
from croupier.diagnostics import Diagnostic, RulesetError, diagnose
from croupier.records import dataclass
from croupier.resolve.documents import check_path
from croupier.resources import MAIN_FILE, SUFFIXES, RulesetPlace, find, shipped, unknown
from croupier.scenarios.document import Scenario, ScenarioFile
from croupier.schema import VERSIONS, Findings, Text, is_known_version
from croupier.schema.findings import describe, first_line
from croupier.schema.leaves import IDENTIFIER_PATTERN
from croupier.schema.shapes import refusals
from croupier.source import YamlMapping, YamlNode, YamlScalar, read, read_file

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset


FOLDER = "scenarios"
MOST_FILES = 1000
MOST_NAMED = 4


@dataclass(frozen=True)
class Opened:
    """A scenario file, as far as it can be read: its scenarios, the ruleset it names, and what is wrong with
    it.
    """

    path: Path
    document: ScenarioFile | None
    ruleset: RulesetPlace | None
    found: tuple[Diagnostic, ...]

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        return () if self.document is None else self.document.scenarios


def files_in(root: Path) -> tuple[list[Path], list[Diagnostic]]:
    """The scenario files of a ruleset's folder, in alphabetical order, and what cannot be read there."""
    files, problems = resources.files_in(root / FOLDER, below=True, root=root)
    return files[:MOST_FILES], problems


def is_scenario_file(path: Path) -> bool:
    """Tell whether a path means a scenario file, not a ruleset: by what it holds, else by its folder."""
    if path.suffix not in SUFFIXES or not os.path.isfile(path):
        return False
    source, _ = read_file(path, confined_to(path))
    node = read(source)[0] if source is not None else None
    if isinstance(node, YamlMapping):
        keys = {key.text for key, _ in node.entries}
        if keys & {"scenarios", "phases", "extends"}:
            return "scenarios" in keys
    return _folder(path) is not None


def _folder(path: Path) -> Path | None:
    """The folder `scenarios` that a file lies in, if no ruleset lies nearer."""
    for folder in path.absolute().parents:
        if os.path.isfile(folder / MAIN_FILE):
            return None
        if folder.name == FOLDER:
            return folder
    return None


def scenario_files(ruleset: Ruleset | str | Path) -> list[Path]:
    """The scenario files beside a ruleset (or of a path or name), or the file itself if it is one.

    Raises `RulesetError` for an unknown name, and for a folder that cannot be read.
    """
    if not isinstance(ruleset, str | Path):
        root = ruleset.program.resolved.root
    elif is_scenario_file(Path(ruleset)):
        return [Path(ruleset)]
    else:
        place, found = find(ruleset)
        if place is None:
            raise RulesetError(found)
        root = place.root
    files, found = files_in(root)
    if found:
        raise RulesetError(found)
    return files


def open_file(path: Path) -> Opened:
    """Read a scenario file; whatever the bytes are, the answer is diagnostics."""
    root = confined_to(path)
    source, found = read_file(path, root)
    if source is None:
        return Opened(path, None, None, tuple(found))
    node, found = read(source)
    if node is None:
        return Opened(path, None, None, tuple(found))
    document, findings = read_scenarios(node)
    found = [*found, *findings.diagnostics]
    place: RulesetPlace | None = None
    if document is not None:
        place, problem = _ruleset(document, path, root)
        found += [problem] if problem is not None else []
        found += _twice(document.scenarios)
    return Opened(
        path,
        document,
        place,
        tuple(sorted(found, key=lambda d: (d.span.start, d.code) if d.span is not None else (0, d.code))),
    )


def read_scenarios(node: YamlNode) -> tuple[ScenarioFile | None, Findings]:
    """The document of a located tree, and what was found on the way: what is wrong, and as what each scalar
    was read.
    """
    findings = Findings(node)
    if not isinstance(node, YamlMapping):
        findings.add(
            "D003", first_line(node), place="the file", wanted=ScenarioFile.WANTED, found=describe(node)
        )
        return None, findings
    version = node.get("croupier")
    if isinstance(version, YamlScalar) and version.value is not None and not is_known_version(version.text):
        findings.add("D009", version.span, version=version.text, known=VERSIONS[-1])
        return None, findings
    try:
        return ScenarioFile.model_validate(node, context=findings), findings
    except ValidationError as error:
        refusals(error)
    return None, findings


def _twice(scenarios: tuple[Scenario, ...]) -> list[Diagnostic]:
    seen: set[str] = set()
    found = []
    for s in scenarios:
        if s.id.text in seen:
            found.append(diagnose("K002", s.id.span, id=s.id.text))
        seen.add(s.id.text)
    return found


def confined_to(path: Path) -> Path:
    """The folder that a scenario file's paths are confined to: that of the ruleset it lies beside, or its
    own.
    """
    folder = _folder(path)
    if folder is not None:
        return folder.parent
    return next(
        (parent for parent in path.absolute().parents if os.path.isfile(parent / MAIN_FILE)), path.parent
    )


def rulesets_beside(root: Path) -> list[Path]:
    """The rulesets that a folder `scenarios` in this folder may belong to: `ruleset.yaml`, or else each that
    is neither variant nor module.
    """
    main = root / MAIN_FILE
    if os.path.isfile(main):
        return [main]
    return [
        path
        for path, keys in _keys_of_files(root)
        if "ruleset" in keys and not keys & {"extends", "module", FOLDER}
    ]


def _variants_beside(root: Path) -> list[Path]:
    """The variants in a folder, to be named where no ruleset lies there."""
    return [path for path, keys in _keys_of_files(root) if "extends" in keys]


def _keys_of_files(root: Path) -> Iterator[tuple[Path, set[str]]]:
    """The files in a folder, each with its keys of the top level."""
    for path in resources.files_in(root)[0][:MOST_FILES]:
        source, _ = read_file(path, root)
        yield path, set(_TOP_KEY.findall(source.text)) if source is not None else set()


_TOP_KEY = re.compile(r"^([a-z]+)[ \t]*:", re.MULTILINE)


def _naming(files: list[Path], path: Path) -> str | None:
    """The help that names files as a file of scenarios can: relative to its own folder."""
    names = [Path(os.path.relpath(file, path.parent)).as_posix() for file in files[:MOST_NAMED]]
    return "add " + " or ".join(f"`ruleset: {name}`" for name in names) if names else None


def _ruleset(document: ScenarioFile, path: Path, root: Path) -> tuple[RulesetPlace | None, Diagnostic | None]:
    named = document.ruleset
    if named is None:
        beside = rulesets_beside(root)
        if len(beside) == 1:
            return find(beside[0])[0], None
        start = document.span.source.span(0, 0)
        why = f"{len(beside)} rulesets lie beside it" if beside else "no ruleset lies beside it"
        return None, diagnose("K005", start, why=why, help=_naming(beside or _variants_beside(root), path))
    return _named(named, path, root)


def _named(named: Text, path: Path, root: Path) -> tuple[RulesetPlace | None, Diagnostic | None]:
    text = named.text.strip()
    if not text.endswith(SUFFIXES) and not text.startswith("."):
        place: RulesetPlace | None = None
        # variants of the ruleset that the file lies beside
        if all(IDENTIFIER_PATTERN.match(name) for name in text.split("+")):
            place = find(root / text)[0]
        place = (
            shipped().get(text) if place is None or not (place.parts or os.path.isfile(place.path)) else place
        )
        return place, None if place is not None else unknown(text, named.span)
    target, problem = check_path(named, path.parent, root)
    if target is None:
        return None, problem
    if os.path.islink(target) and not resources.is_inside(target, root):
        return None, diagnose("X007", named.span, name=text)
    place, found = find(Path(os.path.normpath(target)))
    return place, found[0] if found else None
