"""From a path or a name to a ruleset that can be played: the one place that runs the whole pipeline.

source -> schema -> resolve -> syntax -> semantics -> set-up. Each stage gives a value and diagnostics; the next one runs as long as there is
something to run it on, so that all independent mistakes are reported at once. What plays is imported when somebody plays.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import lark
import pydantic
import ruamel.yaml

from croupier import resources
from croupier.diagnostics import Diagnostic, Label, RulesetError, diagnose
from croupier.limits import MAX_CHECKED_COMBINATIONS
from croupier.resolve import ResolvedRuleset, attribute, open_ruleset
from croupier.resolve.attribution import UNUSED_CODES
from croupier.resolve.loader import Switches, open_switches, with_variants
from croupier.runtime.doors import number, shown
from croupier.runtime.game import Game
from croupier.runtime.parameters import admitted, chosen_word, switched, usual_players
from croupier.runtime.setup import set_up
from croupier.runtime.trace import Trace
from croupier.semantics import Program
from croupier.semantics import check as check_program
from croupier.semantics import types as t
from croupier.semantics.canonical import canonical_form
from croupier.semantics.parameter_errors import PARAMETER_REFUSED as REFUSED
from croupier.semantics.parameter_errors import explain_parameter_errors

if TYPE_CHECKING:
    from croupier.runtime.state import State


__all__ = ["CheckResult", "Parameter", "Ruleset", "check", "dump", "load", "shipped_names"]


@dataclass(frozen=True)
class Parameter:
    """A parameter for programs: its type in words, its default as JSON, its values if they are few, what it is for, and the variants by value."""

    name: str
    type_text: str
    default: Any
    values: tuple[str, ...] | None
    doc: str
    variants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


Checker = Callable[[ResolvedRuleset], tuple[Program, Sequence[Diagnostic]]]


class Ruleset:
    """A checked ruleset; nobody changes it, so that a copy is the ruleset itself.

    `name`, `title`, `players` (the numbers of players that the defaults admit), `default_players`, `path`, `parameters`, `rule_ids`,
    `ruleset_hash`. Pickled, it is the path of its file and its hash: whoever unpickles it reads the file, once a process, and raises ValueError
    if the rules are others by now, `RulesetError` if they cannot be read.

    `program` are the rules as they are written. Where parameters switch variants on (`switchable`, by name), a game is played by `program_for` its
    parameters.
    """

    def __init__(
        self, program: Program, path: Path, texts: Sequence[str] = (), switches: Switches = MappingProxyType({}), check: Checker = check_program
    ) -> None:
        self.program, self.path, self._texts = program, path, texts
        self.name, self.title = program.name, program.title
        self.rule_ids = dict(program.rule_ids)
        self._file = str(path.absolute())
        self._games: dict[str, Game] = {}
        self._switches, self._check = switches, check
        self._programs: dict[tuple[str, ...], Program] = {(): program}

    @cached_property
    def players(self) -> tuple[int, ...]:
        """The numbers of players that the defaults admit, rising."""
        return admitted(self.program_for({}), {})[0]

    @cached_property
    def default_players(self) -> int:
        """How many play where nobody says a number."""
        return usual_players(self.program_for({}), self.players)

    @cached_property
    def switchable(self) -> tuple[str, ...]:
        """The names of the variants that parameters switch on, but for those that do not go with this ruleset, which is then a variant."""
        fine = []
        for name in self._switches:
            with suppress(RulesetError):
                self.program_with((name,))
                fine.append(name)
        return tuple(fine)

    def program_for(self, parameters: Mapping[str, Any]) -> Program:
        """The rules that hold with these parameters. Raises `RulesetError` if the variants that they switch on do not fit together."""
        return self.program_with(switched(self.program, parameters), parameters)

    def program_with(self, variants: tuple[str, ...], parameters: Mapping[str, Any] = MappingProxyType({})) -> Program:
        """The rules with some of the variants that parameters switch on. Raises `RulesetError` if they do not fit together."""
        if variants not in self._programs:
            if any(name not in self._switches for name in variants):
                raise ValueError(f"the variants of {self.name} were not opened")
            doc, found = with_variants(self.program.resolved, self._switches, variants)
            program, more = (None, ()) if doc is None else self._check(doc)
            errors = [d for d in (*found, *more) if d.is_error]
            if errors or program is None:
                raise RulesetError(errors)
            self._programs[variants] = program
        return self._programs[variants]

    @cached_property
    def ruleset_hash(self) -> str:
        """SHA-256 of the canonical typed form: the same for any layout and comments, another for any other rule, those of switched variants too."""
        if not self._switches:
            return hashlib.sha256(canonical_form(self.program).encode()).hexdigest()
        named = {p.name: p.switches for p in self.program.params.values() if p.switches}
        forms = {name: canonical_form(self.program_with((name,))) for name in self.switchable}
        return hashlib.sha256(json.dumps([named, canonical_form(self.program), forms]).encode()).hexdigest()

    @cached_property
    def texts_hash(self) -> str | None:
        """SHA-256 of the texts that this was read from, and of what read them: equal ones have equal rules. None where there is more to it."""
        readers = (lark.__version__, pydantic.VERSION, ruamel.yaml.__version__, sys.version)
        return hashlib.sha256(json.dumps([*readers, *self._texts]).encode()).hexdigest() if self._texts else None

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Every parameter in order of declaration; defaults are those of the usual number of players."""
        game = self.game(None, None)
        return tuple(
            Parameter(
                p.name,
                " or ".join(p.choices) if p.choices else str(p.type),
                game.to_json(game.parameters[p.name], p.type),
                p.choices,
                p.doc,
                MappingProxyType(dict(p.switches)),
            )
            for p in game.program.params.values()
        )

    def defaults(self, players: int, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The default of every parameter as JSON, with so many players if the defaults admit them, and the variants that `parameters` switch on."""
        switching = {name: value for name, value in (parameters or {}).items() if name in self.program.params and self.program.params[name].switches}
        game = self.game(players if players in self.players else None, switching)
        values = {p.name: game.to_json(game.parameters[p.name], p.type) for p in game.program.params.values()}
        usual = self.game(None, None)
        return values | {name: usual.to_json(usual.parameters[name], self.program.params[name].type) for name in switching}

    def __repr__(self) -> str:
        return f"<Ruleset {self.name}>"

    def __copy__(self) -> Ruleset:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Ruleset:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self._file, self.ruleset_hash)

    def game(self, players: int | None, parameters: Mapping[str, Any] | None) -> Game:
        """The set-up for these players and parameters, made once. Raises `RulesetError`, ValueError for what is no number and no parameters."""
        count = None if players is None else number(players)
        if count is None and players is not None:
            raise ValueError(f"the number of players is a whole number, not {shown(players)}")
        if parameters is not None and not (isinstance(parameters, Mapping) and all(isinstance(name, str) for name in parameters)):
            raise ValueError(f"parameters are given as a dict, by their names, not {shown(parameters)}")
        players = count
        key = json.dumps([players, sorted((parameters or {}).items())], default=str)
        if key not in self._games:
            if len(self._games) > 32:
                self._games.clear()
            try:
                self._games[key] = self.set_up(players, parameters or {})
            except RulesetError as error:
                program = self.program
                with suppress(RulesetError):
                    program = self.program_for(parameters or {})
                raise RulesetError(explain_parameter_errors(error.diagnostics, program, players, parameters or {})) from None
        return self._games[key]

    def set_up(self, players: int | None, parameters: Mapping[str, Any], trace: Trace | None = None, **options: bool) -> Game:
        """A set-up made anew, as `runtime.setup.set_up` makes it. Raises `RulesetError`, first for what the ruleset's own conditions refuse."""
        try:
            program = self.program_for(parameters)
        except RulesetError:
            set_up(self.program, players, parameters, compiled=False)
            raise
        return set_up(program, players, parameters, trace, **options)

    def new_initial_state(
        self, players: int | None = None, parameters: Mapping[str, Any] | None = None, *, backend: str = "reference", **named: Any
    ) -> State:
        """The state before the first decision or chance event, on a back end, which changes nothing but how fast it is.

        Parameters are given as a dict, or by their names: `new_initial_state(4, rounds=5)`.

        `reference` evaluates the rules as they are, at once. `python` compiles them to Python, in up to half a second. `native` compiles them to
        machine code, the fastest; it needs `croupier[native]`, up to two seconds, and milliseconds from the second time on. `auto` is `python`,
        or `reference` where that refuses the ruleset; never `native`. To play many games, `clone` a first state: that is cheaper than this.

        Raises `RulesetError` if players or parameters do not fit, or the back end is not there or does not compile the ruleset; ValueError for an
        unknown back end and for a parameter that is given twice.
        """
        from croupier.backends.choice import new_state

        if named and parameters is not None and not isinstance(parameters, Mapping):
            raise ValueError(f"parameters are given as a dict, by their names, not {shown(parameters)}")
        twice = sorted(set(parameters or {}) & set(named))
        if twice:
            raise ValueError(f"the parameter `{twice[0]}` is given twice")
        return new_state(self, self.game(players, {**parameters, **named} if parameters and named else named or parameters), backend)

    def deserialize(self, text: str, *, backend: str = "reference", replay: bool = True) -> State:
        """The state that `serialize` wrote, on a back end as in `new_initial_state`. Raises `ValueError` with words for anything else.

        The history is played again, to see that it leads to the position; that takes as long as the game took. Without `replay` the two are only
        tested each by itself: quick, and enough for a text that nobody had in his hands (`native` always plays it again).
        """
        from croupier.backends.choice import restored

        return restored(self, text, backend, replay)


@lru_cache(maxsize=32)
def _unpickled(path: str, ruleset_hash: str) -> Ruleset:
    """The ruleset of a file, which must be the one that was pickled. Raises `RulesetError`, ValueError if it is another one."""
    found = load(Path(path))
    if found.ruleset_hash != ruleset_hash:
        raise ValueError(f"the ruleset `{found.name}` in `{path}` has been changed since it was pickled")
    return found


@dataclass(frozen=True)
class CheckResult:
    """A ruleset, if it has no errors, and everything that was found."""

    ruleset: Ruleset | None
    diagnostics: tuple[Diagnostic, ...]


def check(path_or_name: str | Path) -> CheckResult:
    """Check a ruleset: every independent mistake in one run, and that it can be set up with its defaults.

    Of the variants that parameters switch on, each is checked alone, and every two together that can hold in one game, up to `MOST_TOGETHER` of them.
    """
    return _checked(path_or_name, switched_too=True)


def _checked(path_or_name: str | Path, *, switched_too: bool) -> CheckResult:
    doc, found = open_ruleset(path_or_name)
    if doc is None:
        return CheckResult(None, tuple(found))
    program, more = check_program(doc)
    found = [*found, *more]
    if any(d.severity == "error" for d in found):
        return CheckResult(None, tuple(found))
    ruleset, problems = _with_switches(program, doc)
    if any(d.is_error for d in problems):
        return CheckResult(None, (*found, *problems))
    found, wrong = _switched_problems(ruleset, found) if switched_too else (found, [])
    if not any(d.is_error for d in wrong):
        alone = lambda base: set_up_problems(_with_switches(check_program(base)[0], base)[0])  # noqa: E731
        wrong += attribute(set_up_problems(ruleset), doc, alone)
    return CheckResult(None if any(d.is_error for d in wrong) else ruleset, (*found, *problems, *wrong))


def _with_switches(program: Program, doc: ResolvedRuleset) -> tuple[Ruleset, list[Diagnostic]]:
    """A ruleset with the variants that its parameters switch on, and what is wrong with their files."""
    switches, problems = open_switches(doc) if any(p.switches for p in program.params.values()) else ({}, [])
    sources = dict.fromkeys(source for whole in (doc, *switches.values()) for source in whole.sources)
    texts = (doc.name, *(source.text for source in sources))
    return Ruleset(program, doc.path, texts, switches), problems


def _switched_problems(ruleset: Ruleset, found: list[Diagnostic]) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """What was found in the ruleset and is so in whatever variants hold, and what is wrong with the variants that its parameters switch on.

    What only a switched variant uses is not unused. What a ruleset's conditions refuse is not checked.
    """
    old = {(d.code, d.message, d.span) for d in found}
    everywhere = [d for d in found if d.code in UNUSED_CODES]
    wrong: dict[Diagnostic, None] = {}
    excluded: set[str] = set()
    for variants, settings in _combinations(ruleset):
        if excluded & set(variants) or _is_refused(ruleset, settings):
            continue
        doc, problems = with_variants(ruleset.program.resolved, ruleset._switches, variants)
        more = [] if doc is None else ruleset._check(doc)[1]
        theirs = [*problems, *more]
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


def _excluded(ruleset: Ruleset, settings: Mapping[str, Any], found: Sequence[Diagnostic]) -> Diagnostic:
    """The warning that a variant does not go with what a value of a parameter switches on."""
    first = next(d for d in found if d.is_error)
    labels = (*(() if first.span is None else (Label(first.span, first.message),)), *first.labels)
    words = " and ".join(f"`{name}` = {str(value).lower() if isinstance(value, bool) else value}" for name, value in settings.items())
    place = ruleset.program.resolved.extends
    names = ", ".join(settings)
    return diagnose("V114", place, setting=words, variant=ruleset.name, names=names, labels=labels, notes=(f"{first.code}: {first.message}",))


def _is_refused(ruleset: Ruleset, settings: Mapping[str, Any]) -> bool:
    """Do the ruleset's own conditions refuse these settings, at every number of players?"""
    for players in admitted(ruleset.program, settings)[0]:
        try:
            set_up(ruleset.program, players, settings, compiled=False)
        except RulesetError as error:
            if any(d.code != REFUSED for d in error.diagnostics):
                return False
            continue
        return False
    return True


def _combinations(ruleset: Ruleset) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """The variants that hold with one value of a parameter that is no default, or with two, and the settings that make it so."""
    single = [(p, word) for p in ruleset.program.params.values() for word in p.switches if word != chosen_word(p, {})]
    pairs = [(one, other) for one, other in combinations(single, 2) if one[0] is not other[0]]
    seen: set[tuple[str, ...]] = set()
    for chosen in [(), *((one,) for one in single), *pairs]:
        settings = {p.name: word == "true" if isinstance(p.type, t.Bool) else word for p, word in chosen}
        variants = switched(ruleset.program, settings)
        if variants and variants not in seen and len(seen) < MAX_CHECKED_COMBINATIONS:
            seen.add(variants)
            yield variants, settings


def set_up_problems(ruleset: Ruleset, settings: Mapping[str, Any] = MappingProxyType({})) -> tuple[Diagnostic, ...]:
    """Why a game cannot be set up with these settings and otherwise the defaults, at the first number of players where it cannot."""
    fine = []
    wrong: tuple[Diagnostic, ...] = ()
    program = ruleset.program_for(settings)
    for players in admitted(program, settings)[0]:
        try:
            ruleset.set_up(players, settings, compiled=False)
            fine.append(players)
        except RulesetError as e:
            wrong = wrong or explain_parameter_errors(e.diagnostics, program, players, settings)
    if not wrong or not fine:
        return wrong
    help = f"with {', '.join(map(str, fine))} players nothing is refused: say so with `players:`, or change what is set"
    return tuple(replace(d, help=help) if d.code == REFUSED else d for d in wrong)


def load(path_or_name: str | Path) -> Ruleset:
    """A ruleset ready to play. Raises `RulesetError` with the errors found; warnings do not keep a ruleset from loading.

    What is wrong with a variant that a parameter switches on is raised where it is switched on, and told by `check`.
    """
    result = _checked(path_or_name, switched_too=False)
    if result.ruleset is None:
        raise RulesetError(tuple(d for d in result.diagnostics if d.severity == "error") or result.diagnostics)
    return result.ruleset


def shipped_names() -> tuple[str, ...]:
    """The names of the shipped rulesets and variants, which `load` takes: NAME and NAME/VARIANT."""
    return tuple(resources.shipped())


def dump(path_or_name: str | Path, stage: str) -> str:
    """A stage of the pipeline as text: `ast`, `typed`, `core`, `ir` or `code` (compiled Python). Raises `RulesetError`."""
    from croupier.ir.dump import dump_stage

    doc, found = open_ruleset(path_or_name)
    if doc is None:
        raise RulesetError(tuple(found))
    program, more = check_program(doc)
    errors = tuple(d for d in (*found, *more) if d.severity == "error")
    if errors and stage != "ast":
        raise RulesetError(errors)
    if stage == "core":
        return _core_text(_with_switches(program, doc)[0].game(None, None))
    if stage == "code":
        from croupier.backends.choice import source_of

        return source_of(_with_switches(program, doc)[0].game(None, None))
    return dump_stage(program, stage, _with_switches(program, doc)[0].game(None, None) if stage == "ir" else None)


def _core_text(game: Game) -> str:
    """The core of a set-up as text. Raises `RulesetError` X601 for a construct that it has no code for."""
    from croupier.core.text import write
    from croupier.lowering import NotLowered, lower

    try:
        return write(lower(game).program)
    except NotLowered as refused:
        raise RulesetError((diagnose("X601", refused.span, backend="core", what=refused.what),)) from None
