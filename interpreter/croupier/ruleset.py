"""A ruleset that was checked: a value, which games are set up from."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import lark
import pydantic
import ruamel.yaml

from croupier.diagnostics import Diagnostic, RulesetError
from croupier.records import dataclass
from croupier.resolve import ResolvedRuleset
from croupier.resolve.loader import Switches, with_variants
from croupier.runtime.arguments import number, shown
from croupier.runtime.engine import Engine
from croupier.runtime.game import Game
from croupier.runtime.parameters import admitted, explain_parameter_errors, switched, usual_players
from croupier.runtime.setup import set_up
from croupier.runtime.trace import Trace
from croupier.semantics import Program
from croupier.semantics import check as check_program
from croupier.semantics.canonical import canonical_form
from croupier.semantics.meaning import meaning_form

# What makes and draws states is imported inside the methods that do: checking a ruleset does not load it.
if TYPE_CHECKING:
    from croupier.runtime.state import State, StateSampler


@dataclass(frozen=True)
class Parameter:
    """A parameter for programs: its type in words, its default as JSON, its values if they are few, what it
    is for, and the variants by value.
    """

    name: str
    type_text: str
    default: object
    values: tuple[str, ...] | None
    doc: str
    variants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


Check = Callable[[ResolvedRuleset], tuple[Program, Sequence[Diagnostic]]]


class Ruleset:
    """A checked ruleset. It never changes: a copy is the ruleset itself.

    `name`, `title`, `players` (the numbers of players that the defaults admit), `default_players`, `path`,
    `parameters`, `rule_ids`, `ruleset_hash`, `meaning_hash`. It is pickled as the path of its file and its
    hash. Unpickling reads the file, once in each process; it raises ValueError if the rules have changed,
    `RulesetError` if they cannot be read.

    `program` are the rules as they are written. Where parameters switch variants on (`switchable`, by name),
    a game is played by `program_for` its parameters.
    """

    def __init__(
        self,
        program: Program,
        path: Path,
        texts: Sequence[str] = (),
        switches: Switches = MappingProxyType({}),
        check: Check = check_program,
    ) -> None:
        self.program, self.path, self._texts = program, path, texts
        self.name, self.title = program.name, program.title
        self.rule_ids = dict(program.rule_ids)
        self.file = str(path.absolute())
        self._engines: dict[str, Engine] = {}
        self.switches, self._check = switches, check
        self._checked: dict[tuple[str, ...], tuple[Program | None, tuple[Diagnostic, ...]]] = {
            (): (program, ())
        }

    @cached_property
    def players(self) -> tuple[int, ...]:
        """The numbers of players that the defaults admit, rising."""
        return admitted(self.program_for({}), {})[0]

    @cached_property
    def default_players(self) -> int:
        """The number of players where none is given."""
        return usual_players(self.program_for({}), self.players)

    @cached_property
    def switchable(self) -> tuple[str, ...]:
        """The names of the variants that parameters switch on, but for those that do not go with this
        ruleset, which is then a variant.
        """
        fine = []
        for name in self.switches:
            with suppress(RulesetError):
                self.program_with((name,))
                fine.append(name)
        return tuple(fine)

    def program_for(self, parameters: Mapping[str, object]) -> Program:
        """The rules that hold with these parameters.

        Raises `RulesetError` if the variants that they switch on do not fit together.
        """
        return self.program_with(switched(self.program, parameters), parameters)

    def program_with(
        self, variants: tuple[str, ...], parameters: Mapping[str, object] = MappingProxyType({})
    ) -> Program:
        """The rules with some of the variants that parameters switch on.

        Raises `RulesetError` if they do not fit together.
        """
        program, found = self.check(variants)
        errors = [d for d in found if d.is_error]
        if errors or program is None:
            raise RulesetError(errors)
        return program

    def check(self, variants: tuple[str, ...]) -> tuple[Program | None, tuple[Diagnostic, ...]]:
        """Return the rules with some of the variants that parameters switch on, and the diagnostics in them;
        `None` if they cannot be put together.
        """
        if variants not in self._checked:
            if any(name not in self.switches for name in variants):
                raise ValueError(f"the variants of {self.name} were not opened")
            doc, found = with_variants(self.program.resolved, self.switches, variants)
            program, more = (None, ()) if doc is None else self._check(doc)
            self._checked[variants] = program, (*found, *more)
        return self._checked[variants]

    @cached_property
    def ruleset_hash(self) -> str:
        """SHA-256 of the canonical typed form: the same for any layout and comments, another for any other
        rule, those of switched variants too.
        """
        return self._hash_of(canonical_form)

    @cached_property
    def meaning_hash(self) -> str:
        """SHA-256 of the rules without their words: games that were begun go on while it is the same,
        whatever titles and labels say now.
        """
        return self._hash_of(meaning_form)

    def _hash_of(self, form: Callable[[Program], str]) -> str:
        """SHA-256 of a form of the rules, and of those with each variant that parameters switch on."""
        if not self.switches:
            return hashlib.sha256(form(self.program).encode()).hexdigest()
        named = {p.name: p.switches for p in self.program.params.values() if p.switches}
        forms = {name: form(self.program_with((name,))) for name in self.switchable}
        return hashlib.sha256(json.dumps([named, form(self.program), forms]).encode()).hexdigest()

    def goes_on(self, ruleset_hash: str, meaning_hash: str | None) -> bool:
        """Tell whether a game may go on that was begun with a ruleset of these hashes. Games of earlier
        versions have no hash of the meaning.
        """
        return ruleset_hash == self.ruleset_hash or meaning_hash == self.meaning_hash

    @cached_property
    def texts_hash(self) -> str | None:
        """SHA-256 of the texts that this was read from, and of what read them: equal ones have equal rules.

        `None` where there is more to it.
        """
        readers = (lark.__version__, pydantic.VERSION, ruamel.yaml.__version__, sys.version)
        return (
            hashlib.sha256(json.dumps([*readers, *self._texts]).encode()).hexdigest() if self._texts else None
        )

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Every parameter in order of declaration; defaults are those of the usual number of players."""
        game = self.game(None, None)
        found = []
        for p in game.program.params.values():
            kind = " or ".join(p.choices) if p.choices else str(p.type)
            usual = game.to_json(game.parameters[p.name], p.type)
            found.append(Parameter(p.name, kind, usual, p.choices, p.doc, MappingProxyType(dict(p.switches))))
        return tuple(found)

    def defaults(self, players: int, parameters: Mapping[str, object] | None = None) -> dict[str, object]:
        """The default of every parameter as JSON, with so many players if the defaults admit them, and the
        variants that `parameters` switch on.
        """
        switching = {
            name: value
            for name, value in (parameters or {}).items()
            if name in self.program.params and self.program.params[name].switches
        }
        game = self.game(players if players in self.players else None, switching)
        values = {p.name: game.to_json(game.parameters[p.name], p.type) for p in game.program.params.values()}
        usual = self.game(None, None)
        return values | {
            name: usual.to_json(usual.parameters[name], self.program.params[name].type) for name in switching
        }

    def __repr__(self) -> str:
        return f"<Ruleset {self.name}>"

    def __copy__(self) -> Ruleset:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Ruleset:
        return self

    def game(self, players: int | None, parameters: Mapping[str, object] | None) -> Game:
        """The set-up for these players and parameters, made once.

        Raises `RulesetError`, ValueError for what is no number and no parameters.
        """
        return self.engine(players, parameters).game

    def engine(self, players: int | None, parameters: Mapping[str, object] | None) -> Engine:
        """What plays that set-up, made once. Raises what `game` does."""
        count = None if players is None else number(players)
        if count is None and players is not None:
            raise ValueError(f"the number of players is a whole number, not {shown(players)}")
        if parameters is not None and not (
            isinstance(parameters, Mapping) and all(isinstance(name, str) for name in parameters)
        ):
            raise ValueError(f"parameters are given as a dict, by their names, not {shown(parameters)}")
        players = count
        key = json.dumps([players, sorted((parameters or {}).items())], default=str)
        if key not in self._engines:
            if len(self._engines) > 32:
                self._engines.clear()
            try:
                self._engines[key] = self.set_up(players, parameters or {})
            except RulesetError as error:
                program = self.program
                with suppress(RulesetError):
                    program = self.program_for(parameters or {})
                raise RulesetError(
                    explain_parameter_errors(error.diagnostics, program, players, parameters or {})
                ) from None
        return self._engines[key]

    def set_up(
        self,
        players: int | None,
        parameters: Mapping[str, object],
        trace: Trace | None = None,
        **options: bool,
    ) -> Engine:
        """What plays a set-up that is made anew, as `runtime.setup.set_up` makes it.

        Raises `RulesetError`, first for what the ruleset's own conditions refuse.
        """
        try:
            program = self.program_for(parameters)
        except RulesetError:
            set_up(self.program, players, parameters, compiled=False)
            raise
        return set_up(program, players, parameters, trace, **options)

    def new_initial_state(
        self,
        players: int | None = None,
        parameters: Mapping[str, object] | None = None,
        *,
        backend: str = "reference",
        **named: object,
    ) -> State:
        """The state before the first decision or chance event, on a back end, which changes nothing but how
        fast it is.

        Parameters are given as a dict, or by their names: `new_initial_state(4, rounds=5)`.

        `reference` evaluates the rules as they are, at once. `python` compiles them to Python, in up to half
        a second. `native` compiles them to machine code, the fastest; it needs `croupier[native]`, up to two
        seconds, and milliseconds from the second time on. `auto` is `python`, or `reference` where that
        refuses the ruleset; never `native`. To play many games, `clone` a first state: that is cheaper than
        this.

        Raises `RulesetError` if players or parameters do not fit, or the back end is not there or does not
        compile the ruleset; ValueError for an unknown back end and for a parameter that is given twice.
        """
        from croupier.execution.backends import new_state

        if named and parameters is not None and not isinstance(parameters, Mapping):
            raise ValueError(f"parameters are given as a dict, by their names, not {shown(parameters)}")
        twice = sorted(set(parameters or {}) & set(named))
        if twice:
            raise ValueError(f"the parameter `{twice[0]}` is given twice")
        return new_state(
            self,
            self.engine(players, {**parameters, **named} if parameters and named else named or parameters),
            backend,
        )

    def deserialize(self, text: str, *, backend: str = "reference", replay: bool = True) -> State:
        """The state that `serialize` wrote, on a back end as in `new_initial_state`.

        Raises `ValueError` with words for anything else.

        The history is played again, to see that it leads to the position; that takes as long as the game
        took. Without `replay` the two are only tested each by itself: quick, and enough for a text that
        nobody could change (`native` always plays it again).
        """
        from croupier.execution.backends import load_state

        return load_state(self, text, backend, replay)

    def resampler(self, state: State, seat: int, previous: StateSampler | None = None) -> StateSampler:
        """Return a sampler that draws states of this ruleset that a seat, from 0, cannot tell from a state
        (`State.resampler`).
        """
        from croupier.inference import sampler

        return sampler(state, seat, previous)
