"""From a path or a name to a ruleset that can be played: the one place that runs the whole pipeline.

source -> schema -> resolve -> syntax -> semantics -> set-up. Each stage gives a value and diagnostics; the
next one runs as long as there is something to run it on, so that all independent mistakes are reported at
once. What plays is imported when somebody plays.
"""

from __future__ import annotations

import copyreg
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache, partial
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any

from croupier import resources
from croupier.diagnostics import Diagnostic, Label, RulesetError, diagnose, did_you_mean
from croupier.kernel import types as t
from croupier.kernel.tree import ConstExpr, LabelledExpr
from croupier.limits import MAX_CHECKED_COMBINATIONS
from croupier.records import dataclass
from croupier.resolve import ResolvedRuleset, attribute, open_ruleset
from croupier.resolve.attribution import UNUSED_CODES
from croupier.resolve.loader import open_switches
from croupier.ruleset import Check, Parameter, Ruleset
from croupier.runtime.game import Game
from croupier.runtime.parameters import (
    CONTRADICTION,
    admitted,
    chosen_word,
    explain_parameter_errors,
    switched,
)
from croupier.runtime.parameters import PARAMETER_REFUSED as REFUSED
from croupier.runtime.setup import set_up
from croupier.semantics import Program
from croupier.semantics import check as check_program
from croupier.semantics.canonical import dump_typed
from croupier.semantics.context import TextReader
from croupier.semantics.infoflow.incremental import AnalysisPool
from croupier.semantics.texts import dump_ast
from croupier.semantics.walk import expressions

__all__ = ["CheckResult", "Parameter", "Ruleset", "check", "dump", "load", "shipped_names"]


def _reduced(ruleset: Ruleset) -> tuple[Any, ...]:
    """Return what a ruleset is pickled as: the path of its file, and its hash."""
    return _unpickled, (ruleset.file, ruleset.ruleset_hash)


@lru_cache(maxsize=32)
def _unpickled(path: str, ruleset_hash: str) -> Ruleset:
    """The ruleset of a file, which must be the one that was pickled.

    Raises `RulesetError`, ValueError if it is another one.
    """
    found = load(Path(path))
    if found.ruleset_hash != ruleset_hash:
        raise ValueError(f"the ruleset `{found.name}` in `{path}` has been changed since it was pickled")
    return found


@dataclass(frozen=True)
class Shared:
    """The memory of rulesets that are checked one after the other, like the variants of a folder: texts are
    parsed once, and the information flow of one that differs little from another is not analysed as a whole.
    """

    reader: TextReader = field(default_factory=TextReader)
    memory: AnalysisPool = field(default_factory=AnalysisPool)


@dataclass(frozen=True)
class CheckResult:
    """A ruleset, if it has no errors, and everything that was found."""

    ruleset: Ruleset | None
    diagnostics: tuple[Diagnostic, ...]


def check(path_or_name: str | Path, shared: Shared | None = None) -> CheckResult:
    """Check a ruleset: every independent mistake in one run, and that it can be set up with its defaults.

    Of the variants that parameters switch on, each is checked alone, and every two together that can hold in
    one game, as far as `MAX_CHECKED_COMBINATIONS` goes; a variant of the ruleset is one of the two. `shared`
    is what was found out about rulesets that were checked or loaded before.
    """
    ruleset, found, problems = _played(path_or_name, shared or Shared(), lints=True)
    if ruleset is None:
        return CheckResult(None, (*found, *problems))
    try:
        usual = set_up_problems(ruleset)
    except RulesetError:
        usual = ()  # a default switches a variant on that is wrong by itself: that is told of the variant
    found, wrong = _switched_problems(ruleset, found, usual)
    if not any(d.is_error for d in wrong):
        wrong = [*_attributed(ruleset, usual), *wrong]
    return CheckResult(None if any(d.is_error for d in wrong) else ruleset, (*found, *problems, *wrong))


def _played(
    path_or_name: str | Path, shared: Shared, *, lints: bool
) -> tuple[Ruleset | None, list[Diagnostic], list[Diagnostic]]:
    """The ruleset of a path or name, if it has no errors; what is found in it; and what is wrong with the
    variants that it switches on.
    """
    doc, found = open_ruleset(path_or_name)
    if doc is None:
        return None, found, []
    check = partial(check_program, reader=shared.reader, lints=lints, memory=shared.memory)
    program, more = check(doc)
    found = [*found, *more]
    if any(d.is_error for d in found):
        return None, found, []
    ruleset, problems = with_switches(program, doc, check)
    return None if any(d.is_error for d in problems) else ruleset, found, problems


def with_switches(
    program: Program, doc: ResolvedRuleset, check: Check = check_program
) -> tuple[Ruleset, list[Diagnostic]]:
    """A ruleset with the variants that its parameters switch on, and what is wrong with their files.

    `check` is how those are checked.
    """
    switches, problems = open_switches(doc) if any(p.switches for p in program.params.values()) else ({}, [])
    sources = dict.fromkeys(source for whole in (doc, *switches.values()) for source in whole.sources)
    texts = (doc.name, *(source.text for source in sources))
    return Ruleset(program, doc.path, texts, switches, check), problems


def _attributed(ruleset: Ruleset, problems: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the reasons why a game cannot be set up with the defaults, at the change of the variant that
    causes them.
    """

    def alone(base: ResolvedRuleset) -> tuple[Diagnostic, ...]:
        return set_up_problems(with_switches(check_program(base, lints=False)[0], base)[0])

    return attribute(problems, ruleset.program.resolved, alone)


def _switched_problems(
    ruleset: Ruleset, found: list[Diagnostic], usual: Sequence[Diagnostic]
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Return the diagnostics of the ruleset that hold whatever variants are on, and those of the variants
    that its parameters switch on.

    What only a switched variant uses is not unused. What a ruleset's conditions refuse is not checked.
    `usual` are the problems of the set-up with the defaults: they are no fault of what is switched on.
    """
    old = {(d.code, d.message, d.span) for d in (*found, *usual)}
    everywhere = [d for d in found if d.code in UNUSED_CODES]
    wrong: dict[Diagnostic, None] = {}
    excluded: set[str] = set()
    for variants, settings in _combinations(ruleset):
        if excluded & set(variants) or _is_refused(ruleset, settings):
            continue
        theirs = list(ruleset.check(variants)[1])
        if not any(d.is_error for d in theirs):
            used = {(d.code, d.message, d.span) for d in theirs}
            everywhere = [d for d in everywhere if (d.code, d.message, d.span) in used]
            theirs += set_up_problems(ruleset, settings)
        fresh = [d for d in theirs if (d.code, d.message, d.span) not in old]
        if ruleset.program.resolved.base is not None and any(d.is_error for d in fresh):
            excluded |= set(variants) if len(settings) == 1 else set()
            fresh = [_excluded(ruleset, settings, fresh)]
        wrong.update(dict.fromkeys(fresh))
    return [d for d in found if d.code not in UNUSED_CODES or d in everywhere], list(wrong)


def _excluded(ruleset: Ruleset, settings: Mapping[str, object], found: Sequence[Diagnostic]) -> Diagnostic:
    """The warning that a variant does not go with what a value of a parameter switches on."""
    first = next(d for d in found if d.is_error)
    labels = (*(() if first.span is None else (Label(first.span, first.message),)), *first.labels)
    words = " and ".join(
        f"`{name}` = {str(value).lower() if isinstance(value, bool) else value}"
        for name, value in settings.items()
    )
    place = ruleset.program.resolved.extends
    names = ", ".join(settings)
    return diagnose(
        "V114",
        place,
        setting=words,
        variant=ruleset.name,
        names=names,
        labels=labels,
        notes=(f"{first.code}: {first.message}",),
    )


def _is_refused(ruleset: Ruleset, settings: Mapping[str, object]) -> bool:
    """Tell whether the ruleset's own conditions refuse these settings, at every number of players."""
    for players in admitted(ruleset.program, settings)[0]:
        try:
            set_up(ruleset.program, players, settings, compiled=False)
        except RulesetError as error:
            if any(d.code not in (REFUSED, CONTRADICTION) for d in error.diagnostics):
                return False
            continue
        return False
    return True


def _combinations(ruleset: Ruleset) -> Iterator[tuple[tuple[str, ...], dict[str, bool | str]]]:
    """The variants that hold with one value of a parameter that is no default, or with two, and the settings
    that make it so.
    """
    single = [
        (p, word)
        for p in ruleset.program.params.values()
        for word in p.switches
        if word != chosen_word(p, {})
    ]
    is_variant = ruleset.program.resolved.base is not None  # and with each of them, two are together
    pairs = (
        []
        if is_variant
        else [(one, other) for one, other in combinations(single, 2) if one[0] is not other[0]]
    )
    seen: set[tuple[str, ...]] = set()
    for chosen in [(), *((one,) for one in single), *pairs]:
        settings = {p.name: word == "true" if isinstance(p.type, t.Bool) else word for p, word in chosen}
        variants = switched(ruleset.program, settings)
        if variants and variants not in seen and len(seen) < MAX_CHECKED_COMBINATIONS:
            seen.add(variants)
            yield variants, settings


def set_up_problems(
    ruleset: Ruleset, settings: Mapping[str, object] = MappingProxyType({})
) -> tuple[Diagnostic, ...]:
    """Return the reasons why a game cannot be set up with these settings and otherwise the defaults, at the
    first number of players where it cannot.
    """
    fine = []
    wrong: tuple[Diagnostic, ...] = ()
    program = ruleset.program_for(settings)
    named, labels = _named_by_label(program), dict[str, None]()
    for players in admitted(program, settings)[0]:
        try:
            game = ruleset.set_up(players, settings, compiled=False).game
        except RulesetError as e:
            wrong = wrong or explain_parameter_errors(e.diagnostics, program, players, settings)
            continue
        fine.append(players)
        labels.update(dict.fromkeys(game.by_label))
        named = [x for x in named if not _is_labelled(game, x)]
    if not wrong and fine:
        return tuple(_no_label(x, list(labels), _fitting(game, x)) for x in named)
    if not wrong or not fine:
        return wrong
    help = (
        f"with {', '.join(map(str, fine))} players nothing is refused: say so with `players:`, or change "
        f"what is set"
    )
    return tuple(replace(d, help=help) if d.code == REFUSED else d for d in wrong)


def _named_by_label(program: Program) -> list[LabelledExpr]:
    """The texts that name components whose number no parameter changes: which labels there are does not
    depend on how the game is played.
    """
    varying = {
        name
        for name, of in program.classes.items()
        if of.copies is not None and not isinstance(of.copies, ConstExpr)
    }
    found = (x for whole in expressions(program) for x in whole.walk() if isinstance(x, LabelledExpr))
    certain = (x for x in found if isinstance(x.type, t.Component) and not x.type.kinds & varying)
    return list({x.span: x for x in certain}.values())


def _is_labelled(game: Game, x: LabelledExpr) -> bool:
    """Tell whether the game has a component with this label, of a class that is asked for."""
    kinds = x.type.kinds if isinstance(x.type, t.Component) else frozenset()
    return any(game.components[i].kind in kinds for i in game.by_label.get(x.label, ()))


MOST_LABELS = 4  # labels of components that help names


def _fitting(game: Game, x: LabelledExpr) -> list[str]:
    """The labels of components of a class that is asked for, in their order."""
    kinds = x.type.kinds if isinstance(x.type, t.Component) else frozenset()
    return [label for label, of in game.by_label.items() if any(game.components[i].kind in kinds for i in of)]


def _no_label(x: LabelledExpr, labels: list[str], fitting: list[str]) -> Diagnostic:
    near = did_you_mean(x.label, labels)
    if near is not None:
        return diagnose("R022", x.span, label=x.label, help=f"did you mean `{near}`?")
    if not fitting:
        return diagnose("R022", x.span, label=x.label)
    shown = ", ".join(f"`{label}`" for label in fitting[:MOST_LABELS]) + (
        " …" if len(fitting) > MOST_LABELS else ""
    )
    return diagnose("R022", x.span, label=x.label, help=f"write one that there is: {shown}")


def load(path_or_name: str | Path, shared: Shared | None = None) -> Ruleset:
    """A ruleset ready to play. Raises `RulesetError` with the errors found; no lint looks at it.

    What is wrong with a variant that a parameter switches on is raised where it is switched on, and told by
    `check`, and so is a leak of information. `shared` is what was found out about rulesets that were checked
    or loaded before.
    """
    ruleset, found, problems = _played(path_or_name, shared or Shared(), lints=False)
    if ruleset is not None:
        problems += _attributed(ruleset, set_up_problems(ruleset))
    errors = tuple(d for d in (*found, *problems) if d.is_error)
    if ruleset is None or errors:
        raise RulesetError(errors)
    return ruleset


def shipped_names() -> tuple[str, ...]:
    """The names of the shipped rulesets and variants, which `load` takes: NAME and NAME/VARIANT."""
    return tuple(resources.shipped())


def dump(path_or_name: str | Path, stage: str, players: int | None = None) -> str:
    """A stage of the pipeline as text: `ast`, `typed`; for so many players `core`, `code` (compiled Python)
    or `c`. Raises `RulesetError`.
    """
    doc, found = open_ruleset(path_or_name)
    if doc is None:
        raise RulesetError(tuple(found))
    program, more = check_program(doc, lints=False)
    errors = tuple(d for d in (*found, *more) if d.severity == "error")
    if errors and stage != "ast":
        raise RulesetError(errors)
    if stage == "ast":
        return dump_ast(program.resolved)
    return stage_of(with_switches(program, doc)[0], stage, program, players)


def stage_of(ruleset: Ruleset, stage: str, program: Program | None = None, players: int | None = None) -> str:
    """A stage of a ruleset without errors, of which `program` is another form."""
    program = program or ruleset.program
    match stage:
        case "ast":
            return dump_ast(program.resolved)
        case "typed":
            return dump_typed(program)
        case "core":
            return _core_text(ruleset.game(players, None))
    from croupier.execution.backends import c_source_of, python_source_of

    engine = ruleset.engine(players, None)
    return c_source_of(engine.game) if stage == "c" else python_source_of(engine)


def _core_text(game: Game) -> str:
    """The core of a set-up as text. Raises `RulesetError` X601 for a construct that it has no code for."""
    from croupier.core.text import write
    from croupier.lowering import NotLowered, lower

    try:
        return write(lower(game).program)
    except NotLowered as refused:
        raise RulesetError((diagnose("X601", refused.span, backend="core", what=refused.what),)) from None


copyreg.pickle(Ruleset, _reduced)
