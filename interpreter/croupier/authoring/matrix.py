"""The values of parameters that are worth trying, and whether the game can be set up with each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from croupier.diagnostics import Diagnostic, Label, RulesetError, Span, diagnose
from croupier.kernel import types as t
from croupier.kernel.tree import ParamExpr
from croupier.ruleset import Ruleset


# ---------------------------------------------------------------- tried
# The values of parameters that are worth trying.
#
# Every value of an enumeration or switch; of a number its default, both ends and one between; of a player the
# second; whatever the ruleset lists under `tried:`.
def tried_values(ruleset: Ruleset, players: int | None = None) -> dict[str, list[object]]:
    """The values to try of each parameter as JSON, the default first: those that there are for so many
    players, or for the usual number.

    Raises `RulesetError` if the ruleset cannot be set up.
    """
    game = ruleset.game(players, None)
    found: dict[str, list[object]] = {}
    for p in game.program.params.values():
        values: list[object] = [
            game.to_json(game.parameters[p.name], p.type),
            *(game.to_json(game.evaluate(x), p.type) for x in p.tried),
        ]
        if p.choices is not None:
            values += list(p.choices)
        elif isinstance(p.type, t.Enum):
            values += list(game.program.enums[p.type.name].values)
        elif isinstance(p.type, t.Bool):
            values += [False, True]
        elif isinstance(p.type, t.Int) and game.is_finite(p.type):
            low, high = game.int_bounds(p.type)
            assert low is not None and high is not None
            values += [low, (low + high) // 2, high]
        elif isinstance(p.type, t.Player):
            values += [1]
        elif isinstance(p.type, t.Optional) and isinstance(p.type.base, t.Enum):
            values += list(game.program.enums[p.type.base.name].values)
        found[p.name] = [v for i, v in enumerate(values) if v not in values[:i]]
    return found


def allowed_counts(ruleset: Ruleset, parameters: Mapping[str, object]) -> tuple[int, ...]:
    """The numbers of players at which the ruleset does not refuse some parameters."""
    return tuple(n for n in ruleset.players if not _is_refused(ruleset, MatrixSetup(n, dict(parameters))))


def is_never_allowed(ruleset: Ruleset, name: str, value: object) -> bool:
    """Tell whether the ruleset refuses a value of a parameter at every number of players, whatever the
    parameters are that its conditions name beside it.

    Of the others the values that are worth trying are tried, one at a time.
    """
    for players in ruleset.players:
        tried = tried_values(ruleset, players)
        others = [
            {other: x} for other in _named_beside(ruleset, name) if other in tried for x in tried[other]
        ]
        for beside in ({}, *others):
            if not _is_refused(ruleset, MatrixSetup(players, {**beside, name: value})):
                return False
    return True


def _named_beside(ruleset: Ruleset, name: str) -> list[str]:
    """The parameters that a condition of parameters names together with this one."""
    found: dict[str, None] = {}
    for p in ruleset.program.params.values():
        for _, condition in p.valid:
            named = {p.name, *(x.name for x in condition.walk() if isinstance(x, ParamExpr))}
            if name in named:
                found.update(dict.fromkeys(sorted(named - {name})))
    return list(found)


def _is_refused(ruleset: Ruleset, setup: MatrixSetup) -> bool:
    """Tell whether a condition of the ruleset itself refuses a set-up."""
    try:
        ruleset.set_up(setup.players, setup.settings, compiled=False)
    except RulesetError as refusal:
        return refusal.diagnostics[0].code in REFUSED
    return False


# ---------------------------------------------------------------- matrix
# Can the game be set up with every value of every parameter at every number of players?
#
# Each set-up is made and played to its first decision: chance events on the way take their first outcome. A
# combination that the ruleset refuses by a condition of its own (`valid`) is counted as refused; any other
# mistake, and a game that stops before its first decision, is reported at the parameter.
REFUSED = {"G012", "G013", "V115"}  # a variant that a value switches on may be for fewer numbers of players
MOST_EVENTS = 2_000  # chance events before the first decision
SHOWN = 60  # characters of a value


@dataclass(frozen=True)
class MatrixSetup:
    """A number of players, and the parameters that are not the defaults."""

    players: int
    settings: dict[str, object]


@dataclass(frozen=True)
class Matrix:
    """The outcome of all set-ups.

    `never` are parameters with a value that is refused at every number of players.
    """

    tried: int
    refused: int
    never: tuple[tuple[str, object], ...]
    diagnostics: tuple[Diagnostic, ...]


def single_setups(ruleset: Ruleset) -> Iterator[MatrixSetup]:
    """For every number of players the defaults, and each value of each parameter alone."""
    for players in ruleset.players:
        yield MatrixSetup(players, {})
        for name, (_, *others) in tried_values(ruleset, players).items():
            for value in others:
                yield MatrixSetup(players, {name: value})


def check_matrix(
    ruleset: Ruleset, progress: Callable[[int, int], None] | None = None, told: Sequence[Diagnostic] = ()
) -> Matrix:
    """Try every set-up; of each value that goes wrong one report, with all numbers of players for which it
    does.

    What goes wrong with the defaults, too, is not reported of values; nor is what is `told` already.
    `progress` is told how many of how many were tried.
    """
    setups = list(single_setups(ruleset))
    tried = refused = 0
    wrong: dict[tuple[str, str], tuple[object, Diagnostic, list[int]]] = {}
    refusals: dict[tuple[str, str], tuple[object, int]] = {}
    of_defaults: set[tuple[object, ...]] = set()
    known = {(d.code, span) for d in told for span in (d.span, *(label.span for label in d.labels))}
    for setup in setups:
        if progress is not None:
            progress(tried, len(setups))
        tried += 1
        name, value = next(iter(setup.settings.items()), ("", None))
        problem = try_setup(ruleset, setup)
        if problem is None:
            continue
        if problem.code in REFUSED:
            refused += 1
            refusals[name, repr(value)] = (value, refusals.get((name, repr(value)), (value, 0))[1] + 1)
            continue
        cause = (problem.code, problem.span)
        if not name:
            of_defaults.add((*cause, setup.players))
        if cause not in known and not (name and (*cause, setup.players) in of_defaults):
            wrong.setdefault((name, repr(value)), (value, problem, []))[2].append(setup.players)
    never = tuple(
        (name, value) for (name, _), (value, count) in refusals.items() if count == len(ruleset.players)
    )
    found = tuple(
        _report(ruleset, name, value, problem, players)
        for (name, _), (value, problem, players) in wrong.items()
    )
    return Matrix(tried, refused, never, found)


def try_setup(ruleset: Ruleset, setup: MatrixSetup) -> Diagnostic | None:
    """Return why a game of this set-up does not reach its first decision, or its end; `None` if it does."""
    try:
        state = ruleset.new_initial_state(setup.players, setup.settings)
    except RulesetError as refusal:
        return refusal.diagnostics[0]
    for _ in range(MOST_EVENTS):
        if not state.is_chance_node():
            break
        state.apply_action(state.legal_actions()[0])
    return state.fault


def _report(
    ruleset: Ruleset, name: str, value: object, problem: Diagnostic, players: list[int]
) -> Diagnostic:
    """The diagnostic at the value if the author wrote it down, otherwise at the parameter."""
    setting = f"`{name}` = {_short(value)}" if name else "the defaults"
    row = len(players) > 2 and players == list(range(players[0], players[-1] + 1))
    counts = f"{players[0]} to {players[-1]}" if row else " or ".join(map(str, players))
    counts += " players" if players != [1] else " player"
    label = () if problem.span is None else (Label(problem.span, problem.message),)
    note = f"{problem.code}: {problem.message}"
    return diagnose(
        "G030",
        _place(ruleset, name) or problem.span,
        labels=label,
        notes=(note,),
        setting=setting,
        players=counts,
    )


def _place(ruleset: Ruleset, name: str) -> Span | None:
    param = ruleset.program.params.get(name)
    return None if param is None else param.span


def _short(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
