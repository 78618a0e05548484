"""Mistakes that authors make, as data: each is made in a copy of a ruleset, and what `check` says of it is
held against what it should say.

In come the rows of `tests/data/mistakes/AREA.yaml`, out come `Outcome`s and, by area, `Figures`. A row says
which file is changed and how (`old` is a text that stands there once, `new` what is written instead), and
what a good checker says: where (`at`; otherwise the first line that differs), and in which words (`says`, a
regular expression that the first message matches with its labels, notes, help or fix). What a safe fix has to
give is the file as it was, or what `fix` says.

The file that is changed alone is checked, not its whole folder: a ruleset's file and its tables as
`check FILE` does, a variant, a file of scenarios. What `croupier test` alone would say does not count.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

import _mistake_operators
import _setup
from croupier.authoring.folder_check import FolderCheck
from croupier.authoring.verdicts import Verdicts
from croupier.diagnostics import Diagnostic, apply_fixes
from croupier.scenarios import check_scenarios
from croupier.scenarios.loaded import LoadedRulesets

RULESETS = _setup.ROOT / "rulesets"
DATA = _setup.ROOT / "tests" / "data" / "mistakes"
OWN = DATA / "rulesets"
"""Small rulesets for mistakes that no shipped one has a place for."""
FIGURES = DATA / "figures.yaml"
AREAS = (
    # by theme
    *(
        "yaml",
        "words",
        "signs",
        "names",
        "types",
        "declarations",
        "variants",
        "scenarios",
        "tables",
        "statements",
        "semantics",
    ),
    *("reported", "drawn"),  # by where they come from
)
MOST_LISTED = 3
"""A note that lists more things than these that could stand in a place names none of them."""
MOST_ROUNDS = 5
"""The number of rounds of safe fixes from which on applying them counts as endless."""


@dataclass(frozen=True)
class Mistake:
    """A change of one file, and what is expected of the checker."""

    area: str
    number: int  # in its area, from 1
    what: str  # the mistake in words
    ruleset: str  # the folder of a shipped ruleset, or of one of `OWN`
    file: str  # in that folder
    old: str
    new: str
    says: str  # a regular expression: the first message, its labels, notes, help or fix must match
    # a text that stands once in the changed file, where the message should stand; None: where the texts first
    # differ
    at: str | None = None
    at_file: str | None = None  # another file in which `at` stands
    also: tuple[str, ...] = ()  # texts on other lines where the message may stand as well
    encoding: str = "utf-8"
    # what a safe fix may make of `new`; None: `old`; empty: there must be no safe fix
    fix: tuple[str, ...] | None = None

    @property
    def id(self) -> str:
        return f"{self.area}-{self.number}"

    @property
    def folder(self) -> Path:
        shipped = RULESETS / self.ruleset
        return shipped if shipped.is_dir() else OWN / self.ruleset


@dataclass(frozen=True)
class Outcome:
    """The findings of `check` for a mistake, and how good they are."""

    mistake: Mistake
    said: tuple[str, ...]  # each finding as `file:line:column: severity[code name]: message`
    shown: str  # the first finding in all its words
    true_lines: tuple[str, ...]  # `file:line`
    found: bool
    line: bool  # the first message stands on a true line
    cause: bool  # the first message names the cause
    fixed: bool  # there is a safe fix
    fix_wrong: str | None  # the text that the safe fixes lead to, where it is not what is meant
    seconds: float

    @property
    def further(self) -> int:
        """Return the number of messages after the first one."""
        return max(0, len(self.said) - 1)

    @property
    def good(self) -> bool:
        return self.line and self.cause and self.further == 0 and self.fix_wrong is None


@dataclass
class Figures:
    """The figures of an area."""

    mistakes: int = 0
    found: int = 0
    line: int = 0
    cause: int = 0
    further: int = 0
    fixes: int = 0
    wrong_fixes: int = 0

    def add(self, outcome: Outcome) -> None:
        self.mistakes += 1
        self.found += outcome.found
        self.line += outcome.line
        self.cause += outcome.cause
        self.further += outcome.further
        self.fixes += outcome.fixed
        self.wrong_fixes += outcome.fix_wrong is not None


# ---------------------------------------------------------------- data
def read(area: str) -> list[Mistake]:
    """The mistakes of an area. Raises `ValueError` for a row with a key that is none."""
    rows = YAML(typ="safe", pure=True).load((DATA / f"{area}.yaml").read_text(encoding="utf-8"))
    return [mistake_of(area, number, dict(row)) for number, row in enumerate(rows, 1)]


def read_all(areas: Iterable[str] = AREAS) -> list[Mistake]:
    """The mistakes of several areas."""
    return [mistake for area in areas if (DATA / f"{area}.yaml").exists() for mistake in read(area)]


def mistake_of(area: str, number: int, row: dict[str, Any]) -> Mistake:
    """A row of an area. Raises `ValueError` for a key that is none."""
    ruleset, file = row.pop("in"), row.pop("file", "ruleset.yaml")
    fix = _texts(row.pop("fix")) if "fix" in row else None
    also = _texts(row.pop("also", None))
    try:
        return Mistake(area=area, number=number, ruleset=ruleset, file=file, fix=fix, also=also, **row)
    except TypeError as wrong:
        raise ValueError(f"{area}.yaml, row {number}: {wrong}") from None


def _texts(value: Any) -> tuple[str, ...]:
    """A text, several, or none at all."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


# ---------------------------------------------------------------- the changed text
def changed(mistake: Mistake, new: str | None = None) -> str:
    """The text of the file with the mistake in it, or with something else in its place.

    Raises `ValueError` where `old` does not stand there once.
    """
    text = (mistake.folder / mistake.file).read_text(encoding="utf-8")
    if text.count(mistake.old) != 1:
        raise ValueError(
            f"{mistake.id}: {mistake.old!r} stands {text.count(mistake.old)} times in "
            f"{mistake.ruleset}/{mistake.file}"
        )
    return text.replace(mistake.old, mistake.new if new is None else new)


def true_lines(mistake: Mistake) -> tuple[tuple[str, int], ...]:
    """The files and lines where a message may stand."""
    text = changed(mistake)
    if mistake.at is None:
        first = [
            (
                mistake.file,
                first_difference((mistake.folder / mistake.file).read_text(encoding="utf-8"), text),
            )
        ]
    else:
        other = mistake.at_file is not None and mistake.at_file != mistake.file
        searched = (mistake.folder / str(mistake.at_file)).read_text(encoding="utf-8") if other else text
        first = [(mistake.at_file or mistake.file, _line_of(mistake, mistake.at, searched))]
    return (*first, *((mistake.file, _line_of(mistake, place, text)) for place in mistake.also))


def first_difference(before: str, after: str) -> int:
    """The first line, from 1, that is another one."""
    old, new = before.splitlines(), after.splitlines()
    same = 0
    while same < len(old) and same < len(new) and old[same] == new[same]:
        same += 1
    return min(same + 1, len(new))


def _line_of(mistake: Mistake, place: str, text: str) -> int:
    if text.count(place) != 1:
        raise ValueError(
            f"{mistake.id}: {place!r} stands {text.count(place)} times in what is searched for it"
        )
    return text.count("\n", 0, text.index(place)) + 1


# ---------------------------------------------------------------- checking
@dataclass
class Bench:
    """Copies of rulesets in a temporary folder, in which one file at a time is changed, checked and put
    back.
    """

    root: Path
    _loaded: dict[str, LoadedRulesets] = field(default_factory=dict)

    def outcome(self, mistake: Mistake) -> Outcome:
        """Make the mistake, check, and judge what is said."""
        begun = time.process_time()
        path = self._copy(mistake) / mistake.file
        whole = path.read_bytes()
        try:
            path.write_bytes(changed(mistake).encode(mistake.encoding))
            found = self._check(mistake, path)
            mended = self._mended(mistake, path, found) if _safe(found) else None
        finally:
            path.write_bytes(whole)
        return _judge(mistake, found, mended, time.process_time() - begun)

    @contextmanager
    def made(self, mistake: Mistake) -> Iterator[Callable[[], list[Diagnostic]]]:
        """The mistake, made until the context ends: a function that checks the file.

        Raises `ValueError` as `changed` does.
        """
        path = self._copy(mistake) / mistake.file
        whole = path.read_bytes()
        try:
            path.write_bytes(changed(mistake).encode(mistake.encoding))
            yield lambda: self._check(mistake, path)
        finally:
            path.write_bytes(whole)

    def clean(self, ruleset: str, file: str = "ruleset.yaml") -> list[Diagnostic]:
        """Return the findings in a file without any mistake."""
        mistake = Mistake("", 0, "", ruleset, file, "", "", "")
        return self._check(mistake, self._copy(mistake) / file)

    def _copy(self, mistake: Mistake) -> Path:
        folder = self.root / mistake.ruleset
        if not folder.exists():
            shutil.copytree(mistake.folder, folder)
        return folder

    def _check(self, mistake: Mistake, path: Path) -> list[Diagnostic]:
        if mistake.file.startswith("scenarios/"):
            loaded = self._loaded.setdefault(mistake.ruleset, LoadedRulesets(traced=False))
            return check_scenarios(path, loaded)
        if mistake.file.endswith(".csv"):
            path = path.with_name("ruleset.yaml")
        return list(FolderCheck(Verdicts(None)).ruleset(str(path)))

    def _mended(self, mistake: Mistake, path: Path, found: list[Diagnostic]) -> str:
        """The text after all safe fixes, checked again as long as there are any."""
        text = changed(mistake)
        for _ in range(MOST_ROUNDS):
            sources = {d.fix.span.source for d in _safe(found) if d.fix is not None}
            source = next((source for source in sources if source.text == text), None)
            if source is None:
                break
            text, _ = apply_fixes(source, found)
            path.write_text(text, encoding="utf-8")
            found = self._check(mistake, path)
            if not _safe(found):
                break
        return text


def _safe(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    return [d for d in found if d.fix is not None and d.fix.safe]


def _judge(mistake: Mistake, found: Sequence[Diagnostic], mended: str | None, seconds: float) -> Outcome:
    lines = tuple(f"{file}:{line}" for file, line in true_lines(mistake))
    first = found[0] if found else None
    shown = "" if first is None else words(first)
    place = "" if first is None else _place(mistake, first)
    meant = [changed(mistake, new) for new in ((mistake.old,) if mistake.fix is None else mistake.fix)]
    return Outcome(
        mistake=mistake,
        said=tuple(f"{_place(mistake, d)}: {d.severity}[{d.code} {d.name}]: {d.message}" for d in found),
        shown=shown,
        true_lines=lines,
        found=bool(found),
        line=place in lines,
        cause=first is not None
        and re.search(mistake.says, words(first, listed=MOST_LISTED), re.DOTALL) is not None,
        fixed=mended is not None,
        fix_wrong=mended if mended is not None and mended not in meant else None,
        seconds=seconds,
    )


def _place(mistake: Mistake, diagnostic: Diagnostic) -> str:
    """`file:line`, the file as seen from the ruleset's folder."""
    if diagnostic.span is None:
        return ""
    name = diagnostic.span.source.name
    inside = name.rpartition(f"/{mistake.ruleset}/")[2]
    return f"{inside}:{diagnostic.span.line}"


def words(diagnostic: Diagnostic, listed: int | None = None) -> str:
    """All that is said in a finding, a line each; without notes that list more than so many things that could
    stand there.
    """
    notes = [
        note
        for note in diagnostic.notes
        if listed is None or not note.startswith("here could stand") or note.count(", ") < listed
    ]
    parts = [diagnostic.message, *(label.text for label in diagnostic.labels), *notes]
    if diagnostic.help is not None:
        parts.append(f"help: {diagnostic.help}")
    fix = diagnostic.fix
    if fix is not None:
        parts.append(f"fix{'' if fix.safe else ' by hand'}: {fix.title} → `{fix.replacement}`")
    return "\n".join(parts)


# ---------------------------------------------------------------- running
def run(mistakes: Sequence[Mistake], jobs: int = 1) -> Iterator[Outcome]:
    """Outcomes in the order of the mistakes.

    Those of one ruleset are checked in one process: what its scenarios are played with is set up once.
    """
    if jobs == 1:
        outcomes = dict(_run_some(mistakes))
    else:
        by_ruleset: dict[str, list[Mistake]] = {}
        for mistake in mistakes:
            by_ruleset.setdefault(mistake.ruleset, []).append(mistake)
        with ProcessPoolExecutor(jobs) as pool:
            parts = sorted(by_ruleset.values(), key=len, reverse=True)
            outcomes = {id: outcome for part in pool.map(_run_some, parts) for id, outcome in part}
    for mistake in mistakes:
        yield outcomes[mistake.id]


def _run_some(mistakes: Sequence[Mistake]) -> list[tuple[str, Outcome]]:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder).resolve())
        return [(mistake.id, bench.outcome(mistake)) for mistake in mistakes]


def figures(outcomes: Iterable[Outcome]) -> dict[str, Figures]:
    """The figures by area, in the order in which areas come."""
    found: dict[str, Figures] = {}
    for outcome in outcomes:
        found.setdefault(outcome.mistake.area, Figures()).add(outcome)
    return found


def total(by_area: Iterable[Figures]) -> Figures:
    """The figures of all areas together."""
    whole = Figures()
    for one in by_area:
        for name in vars(whole):
            setattr(whole, name, getattr(whole, name) + getattr(one, name))
    return whole


# ---------------------------------------------------------------- showing
HEAD = (
    "area",
    "mistakes",
    "found",
    "on its line",
    "names the cause",
    "further a mistake",
    "safe fixes",
    "wrong",
)


def table(by_area: dict[str, Figures]) -> str:
    """The figures as a table, with a last line for all areas."""
    rows = [_row(area, one) for area, one in by_area.items()]
    rows.append(_row("all", total(by_area.values())))
    widths = [max(len(head), *(len(row[k]) for row in rows)) for k, head in enumerate(HEAD)]
    lines = [
        " | ".join(cell.ljust(widths[k]) if k == 0 else cell.rjust(widths[k]) for k, cell in enumerate(row))
        for row in [HEAD, *rows]
    ]
    return "\n".join(lines)


def _row(area: str, one: Figures) -> tuple[str, ...]:
    def share(number: int) -> str:
        return f"{number} ({100 * number / one.mistakes:.1f} %)"

    further = f"{one.further / one.mistakes:.2f}"
    return (
        area,
        str(one.mistakes),
        share(one.found),
        share(one.line),
        share(one.cause),
        further,
        str(one.fixes),
        str(one.wrong_fixes),
    )


def listing(outcomes: Iterable[Outcome], *, all: bool = False) -> str:
    """Each mistake that is not told well, with what was said."""
    return "\n".join(_listed(outcome) for outcome in outcomes if all or not outcome.good)


def _listed(outcome: Outcome) -> str:
    mistake = outcome.mistake
    lacks = [
        *(["not found"] if not outcome.found else []),
        *(["line"] if outcome.found and not outcome.line else []),
        *(["cause"] if outcome.found and not outcome.cause else []),
        *([f"{outcome.further} further"] if outcome.further else []),
        *(["wrong fix"] if outcome.fix_wrong is not None else []),
    ]
    lines = [f"{mistake.id} {mistake.ruleset}/{mistake.file}: {mistake.what} [{', '.join(lacks) or 'good'}]"]
    lines += [f"    - {line}" for line in mistake.old.splitlines()[:6]]
    lines += [f"    + {line}" for line in mistake.new.splitlines()[:6]]
    lines.append(f"    expected at {' or '.join(outcome.true_lines)}: /{mistake.says}/")
    lines += [f"    said {said}" for said in outcome.said[:3]]
    lines += [f"         {line}" for line in outcome.shown.splitlines()[1:]]
    if outcome.fix_wrong is not None:
        old, new = changed(mistake).splitlines(), outcome.fix_wrong.splitlines()
        lines += [f"    fixed to {line}" for line in new if line not in old][:4]
    return "\n".join(lines) + "\n"


def as_json(outcomes: Sequence[Outcome]) -> str:
    """Every outcome, and the figures by area."""
    rows = [{**asdict(o), "id": o.mistake.id, "further": o.further, "good": o.good} for o in outcomes]
    return json.dumps(
        {"figures": {area: asdict(one) for area, one in figures(outcomes).items()}, "mistakes": rows},
        ensure_ascii=False,
        indent=1,
    )


def proposed(rulesets: Iterable[str], seed: int) -> str:
    """Rows that operators make of shipped rulesets, as they stand in the files of an area.

    Raises `FileNotFoundError` for a ruleset that is none.
    """
    rows = []
    for ruleset in rulesets:
        text = (RULESETS / ruleset / "ruleset.yaml").read_text(encoding="utf-8")
        rows += _mistake_operators.propose(text, ruleset, seed)
    return "".join(_written(row) for row in rows)


def _written(row: dict[str, str]) -> str:
    """A row in YAML. JSON's texts are texts of YAML, too."""
    lines = [
        f"{key}: {json.dumps(value, ensure_ascii=True) if key != 'in' else value}"
        for key, value in row.items()
    ]
    return "- " + "\n  ".join(lines) + "\n"


# ---------------------------------------------------------------- the figures that are kept
AT_LEAST, AT_MOST = ("found", "line", "cause"), ("further", "wrong_fixes")
RECORD_HEAD = """\
# How well the mistakes beside this file are told, by area: of so many `mistakes`, at least so many are `found`, have their first message on the true
# `line` and in words that name the `cause`; at most so many messages come `further`, and so many safe fixes are `wrong`. The first three may only
# rise, the last two only fall: `tools/mistakes --record` writes what holds now, and a change for the worse is a mistake of whoever made it.
"""  # noqa: E501 the text as it is read


def record(by_area: dict[str, Figures]) -> None:
    """Write the figures of these areas down; those of others stay."""
    kept = {**recorded(), **{area: asdict(one) for area, one in by_area.items()}}
    names = ("mistakes", *AT_LEAST, *AT_MOST)
    lines = [
        f"{area}: {{{', '.join(f'{name}: {kept[area][name]}' for name in names)}}}\n"
        for area in AREAS
        if area in kept
    ]
    FIGURES.write_text(RECORD_HEAD + "".join(lines), encoding="utf-8")


def worse(by_area: dict[str, Figures]) -> list[str]:
    """Return what is worse than recorded, a line each."""
    found = []
    for area, kept in recorded().items():
        now = asdict(by_area[area]) if area in by_area else {}
        for name in (*AT_LEAST, *AT_MOST) if now else ():
            if (now[name] < kept[name]) if name in AT_LEAST else (now[name] > kept[name]):
                found.append(f"{area}: {name.replace('_', ' ')} {now[name]}, and {kept[name]} before")
    return found


def recorded() -> dict[str, dict[str, int]]:
    """The figures that are written down, by area."""
    if not FIGURES.exists():
        return {}
    figures: dict[str, dict[str, int]] = YAML(typ="safe", pure=True).load(FIGURES.read_text(encoding="utf-8"))
    return figures
