"""From a path or a name to a ruleset that can be played: the one place that runs the whole pipeline.

source -> schema -> resolve -> syntax -> semantics -> set-up. Each stage gives a value and diagnostics; the next one runs as long as there is
something to run it on, so that all independent mistakes are reported at once. What plays is imported when somebody plays.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lark
import pydantic
import ruamel.yaml

from croupier import resources
from croupier.diagnostics import Diagnostic, RulesetError
from croupier.resolve import attribute, open_ruleset
from croupier.runtime.doors import number, shown
from croupier.runtime.game import Game
from croupier.runtime.parameters import admitted
from croupier.runtime.setup import set_up
from croupier.semantics import Program
from croupier.semantics import check as check_program
from croupier.semantics.canonical import canonical_form
from croupier.semantics.refused import CODE as REFUSED
from croupier.semantics.refused import explained

if TYPE_CHECKING:
    from croupier.runtime.state import State

__all__ = ["CheckResult", "Parameter", "Ruleset", "check", "dump", "load", "shipped_names"]


@dataclass(frozen=True)
class Parameter:
    """A parameter for programs: its type in words, its default as JSON, its values if they are few, and what it is for."""

    name: str
    type_text: str
    default: Any
    values: tuple[str, ...] | None
    doc: str


class Ruleset:
    """A checked ruleset; nobody changes it, so that a copy is the ruleset itself.

    `name`, `title`, `players` (the numbers of players that the defaults admit), `path`, `parameters`, `rule_ids`, `ruleset_hash`. Pickled, it is
    the path of its file and its hash: whoever unpickles it reads the file, once a process, and raises ValueError if the rules are others by now,
    `RulesetError` if they cannot be read.
    """

    def __init__(self, program: Program, path: Path, texts: Sequence[str] = ()) -> None:
        self.program, self.path, self._texts = program, path, texts
        self.name, self.title, self.players = program.name, program.title, admitted(program, {})[0]
        self.rule_ids = dict(program.rule_ids)
        self._file = str(path.absolute())
        self._games: dict[str, Game] = {}

    @cached_property
    def ruleset_hash(self) -> str:
        """SHA-256 of the canonical typed form: the same for any layout and comments, another for any other rule."""
        return hashlib.sha256(canonical_form(self.program).encode()).hexdigest()

    @cached_property
    def texts_hash(self) -> str | None:
        """SHA-256 of the texts that this was read from, and of what read them: equal ones have equal rules. None where there is more to it."""
        readers = (lark.__version__, pydantic.VERSION, ruamel.yaml.__version__, sys.version)
        return hashlib.sha256(json.dumps([*readers, *self._texts]).encode()).hexdigest() if self._texts else None

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Every parameter in order of declaration; defaults are those of the smallest number of players."""
        game = self.game(None, None)
        return tuple(
            Parameter(p.name, " or ".join(p.choices) if p.choices else str(p.type), game.to_json(game.parameters[p.name], p.type), p.choices, p.doc)
            for p in self.program.params.values()
        )

    def defaults(self, players: int) -> dict[str, Any]:
        """The default of every parameter as JSON, with so many players if the defaults admit them."""
        game = self.game(players if players in self.players else None, None)
        return {p.name: game.to_json(game.parameters[p.name], p.type) for p in self.program.params.values()}

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
                self._games[key] = set_up(self.program, players, parameters)
            except RulesetError as error:
                raise RulesetError(explained(error.diagnostics, self.program, players, parameters or {})) from None
        return self._games[key]

    def new_initial_state(self, players: int | None = None, parameters: Mapping[str, Any] | None = None, *, backend: str = "reference") -> State:
        """The state before the first decision or chance event, on a back end, which changes nothing but how fast it is.

        `reference` evaluates the rules as they are, at once. `python` compiles them to Python, in up to half a second. `native` compiles them to
        machine code, the fastest; it needs `croupier[native]`, up to two seconds, and milliseconds from the second time on. `auto` is `python`,
        or `reference` where that refuses the ruleset; never `native`. To play many games, `clone` a first state: that is cheaper than this.

        Raises `RulesetError` if players or parameters do not fit, or the back end is not there or does not compile the ruleset; ValueError for an
        unknown back end.
        """
        from croupier.backends.choice import new_state

        return new_state(self, self.game(players, parameters), backend)

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
    """Check a ruleset: every independent mistake in one run, and that it can be set up with its defaults."""
    doc, found = open_ruleset(str(path_or_name))
    if doc is None:
        return CheckResult(None, tuple(found))
    program, more = check_program(doc)
    found = [*found, *more]
    if any(d.severity == "error" for d in found):
        return CheckResult(None, tuple(found))
    ruleset = Ruleset(program, doc.path, (doc.name, *(source.text for source in doc.sources)))
    wrong = attribute(_set_up_problems(ruleset), doc, lambda base: _set_up_problems(Ruleset(check_program(base)[0], base.path)))
    return CheckResult(None if wrong else ruleset, (*found, *wrong))


def _set_up_problems(ruleset: Ruleset) -> tuple[Diagnostic, ...]:
    """Why a game cannot be set up with the defaults, at the first number of players where it cannot."""
    fine = []
    wrong: tuple[Diagnostic, ...] = ()
    for players in ruleset.players:
        try:
            set_up(ruleset.program, players, None, compiled=False)
            fine.append(players)
        except RulesetError as e:
            wrong = wrong or explained(e.diagnostics, ruleset.program, players, {})
    if not wrong or not fine:
        return wrong
    help = f"with {', '.join(map(str, fine))} players nothing is refused: say so with `players:`, or change what is set"
    return tuple(replace(d, help=help) if d.code == REFUSED else d for d in wrong)


def load(path_or_name: str | Path) -> Ruleset:
    """A ruleset ready to play. Raises `RulesetError` with the errors found; warnings do not keep a ruleset from loading."""
    result = check(path_or_name)
    if result.ruleset is None:
        raise RulesetError(tuple(d for d in result.diagnostics if d.severity == "error") or result.diagnostics)
    return result.ruleset


def shipped_names() -> tuple[str, ...]:
    """The names of the shipped rulesets and variants, which `load` takes: NAME and NAME/VARIANT."""
    return tuple(resources.shipped())


def dump(path_or_name: str | Path, stage: str) -> str:
    """A stage of the pipeline as text: `ast`, `typed`, `ir` or `code` (compiled Python). Raises `RulesetError`."""
    from croupier.ir.dump import dump_stage

    doc, found = open_ruleset(str(path_or_name))
    if doc is None:
        raise RulesetError(tuple(found))
    program, more = check_program(doc)
    errors = tuple(d for d in (*found, *more) if d.severity == "error")
    if errors and stage != "ast":
        raise RulesetError(errors)
    if stage == "code":
        from croupier.backends.choice import source_of

        return source_of(Ruleset(program, doc.path).game(None, None))
    return dump_stage(program, stage, Ruleset(program, doc.path).game(None, None) if stage == "ir" else None)
