"""A ruleset together with what lies beside it, checked."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.authoring.verdicts import Verdicts, user_verdicts
from croupier.diagnostics import Diagnostic
from croupier.resolve.attribution import UNUSED_CODES
from croupier.resolve.documents import load_source, read_source
from croupier.resolve.loader import variant_files
from croupier.resources import MAIN_FILE, MODULES, SUFFIXES, RulesetPlace, find
from croupier.resources import files_in as yaml_files_in

if TYPE_CHECKING:
    from croupier.pipeline import CheckResult
    from croupier.scenarios.loaded import LoadedRulesets


# What lies beside a ruleset: its variants, modules and scenario files, checked with it.
#
# A folder that somebody works on has its variants checked whole, and its scenarios played for what is written
# wrong in them: seats, zones, names, values, steps that nobody can take. Whether their facts hold is for
# `croupier test`. With the name of a shipped ruleset nothing but the ruleset is checked, so that asking for
# one name stays quick: its variants are rulesets with names of their own, and its scenarios are the business
# of `croupier test`. A ruleset that is no `ruleset.yaml` has no folder to be named by: the scenarios that are
# for it are checked with its file.
def check_whole(
    name: str, verdicts: Verdicts, progress: Callable[[int, int], None] = lambda done, of: None
) -> list[Diagnostic]:
    """Return the diagnostics of the ruleset of a name, path or folder, and of what belongs to it; or of a
    scenario file.

    `progress` is told how many of how many files are checked.
    """
    from croupier.scenarios.files import is_scenario_file

    folder = FolderCheck(verdicts, progress)
    if is_scenario_file(Path(name)):
        return list(folder.scenarios(Path(name)))
    found = folder.ruleset(name)
    return [*found, *folder.beside(name, found)]


def check_beside(name: str, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics of what belongs to the ruleset of a name or folder; nothing for other names.

    `found`: what is wrong with the ruleset.
    """
    return FolderCheck(user_verdicts()).beside(name, found)


class FolderCheck:
    """Checks a ruleset and what lies beside it, with the verdicts of former checks."""

    def __init__(
        self, verdicts: Verdicts, progress: Callable[[int, int], None] = lambda done, of: None
    ) -> None:
        self._verdicts, self._progress = verdicts, progress

    @cached_property
    def _rulesets(self) -> LoadedRulesets:
        # here: a ruleset alone is checked without loading what plays scenarios
        from croupier.scenarios.loaded import LoadedRulesets

        return LoadedRulesets(traced=False)

    def ruleset(self, name: str | Path) -> Sequence[Diagnostic]:
        """Return the diagnostics of a ruleset, variant or module; if they are only about unused things, those
        of a few games, too.
        """

        def found() -> Sequence[Diagnostic]:
            checked = self._checked(name)
            # the games would tell of the same once more
            told = any(d.code not in UNUSED_CODES for d in checked.diagnostics)
            if told or checked.ruleset is None or checked.ruleset.program.resolved.is_module:
                return checked.diagnostics
            from croupier.authoring.trial import trial_problems

            return [*checked.diagnostics, *trial_problems(checked.ruleset)]

        return self._verdicts.get(found, "ruleset", type(name).__name__, str(name))

    def _checked(self, name: str | Path) -> CheckResult:
        if isinstance(name, Path) or os.path.isdir(name):  # its scenarios are played next
            return self._rulesets.check(name)
        from croupier.pipeline import check

        return check(name)

    def scenarios(self, path: Path) -> Sequence[Diagnostic]:
        """Return the diagnostics of a scenario file, whose scenarios are played."""
        from croupier.scenarios import check_scenarios

        return self._verdicts.get(lambda: check_scenarios(path, self._rulesets), "scenarios", str(path))

    def beside(self, name: str, found: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Return the diagnostics of what belongs to the ruleset of a name or folder; nothing for other names.

        `found`: what is wrong with the ruleset.
        """
        place, _ = find(name)
        if place is not None and place.path.parent.name == MODULES:
            return self._of_module(place.path, found)
        if place is None or not os.path.isfile(place.path):
            return []
        known = {_identity(d) for d in found}
        whole = not any(d.is_error for d in found)
        if place.path.name != MAIN_FILE:
            return self._for_file(place, whole, known)
        if name.endswith(SUFFIXES) or place.shown == name:
            return []
        from croupier.scenarios.files import files_in, open_file

        beside: list[Diagnostic] = []
        variants, problems = variant_files(place.root)
        modules, lost = yaml_files_in(place.root / MODULES, root=place.root)
        scenarios, more = files_in(place.root)
        files = count(1)  # the ruleset itself is checked
        total = 1 + len(variants) + len(modules) + len(scenarios)
        for path in variants:
            self._progress(next(files), total)
            _tell(self.ruleset(path) if whole else _form(path, place), known, beside)
        for path in modules:
            self._progress(next(files), total)
            _tell((own := self.ruleset(path)), known, beside)
            _tell(self._of_module(path, own), known, beside)
        for path in scenarios:
            self._progress(next(files), total)
            _tell(
                self.scenarios(path) if whole and os.path.isfile(path) else open_file(path).found,
                known,
                beside,
            )
        return [*beside, *problems, *lost, *more]

    def _for_file(
        self, place: RulesetPlace, whole: bool, known: set[tuple[str, str, int]]
    ) -> list[Diagnostic]:
        """Return the diagnostics of the scenario files for a ruleset that is no `ruleset.yaml`."""
        from croupier.scenarios.api import scenarios_of
        from croupier.scenarios.files import rulesets_beside

        beside: list[Diagnostic] = []
        if any(place.is_file_of(RulesetPlace(path, place.root, "")) for path in rulesets_beside(place.root)):
            for o in scenarios_of(place.path):
                _tell(self.scenarios(o.path) if whole and o.ruleset is not None else o.found, known, beside)
        return beside

    def _of_module(self, path: Path, found: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Return the diagnostics of the scenario files of a module, which are played if nothing `found` is
        wrong with it.
        """
        from croupier.scenarios.files import files_in, open_file

        opened = [open_file(file) for file in files_in(path.parent)[0]]
        own = [o for o in opened if o.ruleset is not None and o.ruleset.path.resolve() == path.resolve()]
        whole = not any(d.is_error for d in found)
        return [d for o in own for d in (self.scenarios(o.path) if whole else o.found)]


def _tell(found: Iterable[Diagnostic], known: set[tuple[str, str, int]], beside: list[Diagnostic]) -> None:
    """Add what is not known yet."""
    for d in found:
        if _identity(d) not in known:
            known.add(_identity(d))
            beside.append(d)


def _form(path: Path, base: RulesetPlace) -> list[Diagnostic]:
    """Return the diagnostics of a variant's file by itself."""
    place = RulesetPlace(path, base.root, path.as_posix())
    source, problems = read_source(place)
    return problems if source is None else load_source(source, place).diagnostics


def _identity(d: Diagnostic) -> tuple[str, str, int]:
    """The same finding in the same text, by whichever path that was reached."""
    return (d.code, d.span.source.text, d.span.start) if d.span is not None else (d.code, d.message, 0)
