"""Cases beside the small programs of tests/language: a position, actions in words, and facts as expressions
of the rule language.

A file `name.cases.yaml` belongs to `name.yaml` and is a list. A case has a `name`, perhaps `cites`,
`players`, `parameters`, and

    before: a turn           the phase it stands before, `bound: {p: 1}` the variables of the loops around it
                             (default: the start of the game)
    zones: {field: {"(4,4)": [red-PROT, blue-VP]}, hand: {1: [bee-1]}}      by label, bottom to top; `rest: box` says where all others are
    state: {tokens: {1: 0, else: 3}}                                        players counted from 1

and `steps`, each with one key: `do` (one action or several, in words; chance too), `legal` (exactly these),
`offers`, `refuses`, `then` (expressions that must be true), `holds` (contents of zones, written like
`zones`), `seat` (who acts, from 1), `outcome` (parts of it, seats from 1).
"""  # noqa: E501 the text as it is read

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from croupier.diagnostics import Source
from croupier.kernel import types as t
from croupier.ruleset import Ruleset
from croupier.runtime.declared_positions import declare, enter_at_call, enter_before_phase, loop_names
from croupier.runtime.machine import Machine, RunnableRules
from croupier.runtime.parameters import convert
from croupier.runtime.state import begun_at
from croupier.semantics.check import check_call
from croupier.source.ruletext import whole

LANGUAGE = Path(__file__).parent.parent / "language"


def read_cases(name: str) -> list[dict[str, Any]]:
    """The cases of a program. Raises `AssertionError` if one of them states nothing."""
    cases: list[dict[str, Any]] = YAML(typ="safe", pure=True).load(
        (LANGUAGE / f"{name}.cases.yaml").read_text(encoding="utf-8")
    )
    for case in cases:
        unknown = case.keys() - {
            "name",
            "cites",
            "players",
            "parameters",
            "before",
            "bound",
            "zones",
            "rest",
            "state",
            "steps",
        }
        assert not unknown, unknown
        assert any(set(step) - {"do"} for step in case["steps"]), f"{case['name']} states nothing"
    return cases


class Table:
    """Lays components out by their labels, each once; a label that names a changeable attribute also sets
    it.
    """

    def __init__(self, rules: RunnableRules) -> None:
        self.game, self.trial = rules.game, Machine(rules)
        self.values = list(rules.game.start_vars)
        self.taken: set[int] = set()

    def component(self, label: str, kinds: frozenset[str]) -> int:
        game = self.game
        for p in game.components:
            if (
                p.kind in kinds
                and p.kind not in game.labels
                and p.number not in self.taken
                and p.label == label
            ):
                self.taken.add(p.number)
                return p.number
        for p in game.components:
            if p.kind in kinds and p.kind in game.labels and p.number not in self.taken:
                found = self.turned(p, label)
                if found is not None:
                    self.taken.add(p.number)
                    self.values = found
                    return p.number
        raise AssertionError(f"no component left that is called {label}")

    def turned(self, p: Any, label: str) -> list[Any] | None:
        variables = [v for v in self.game.program.vars.values() if v.of_class == p.kind]
        for values in product(*(self.game.values(v.type.value) for v in variables)):  # type: ignore[union-attr]
            trial = list(self.values)
            for v, value in zip(variables, values, strict=True):
                old = trial[v.index]
                trial[v.index] = (*old[: p.index], value, *old[p.index + 1 :])
            self.trial.vars = trial
            if self.game.labels[p.kind](self.trial, p) == label:
                return trial
        return None


def position(ruleset: Ruleset, case: dict[str, Any]) -> Any:
    """The state a case begins with."""
    players, parameters = case.get("players"), case.get("parameters")
    if not {"before", "zones", "state"} & case.keys():
        return ruleset.new_initial_state(players, parameters)
    engine = ruleset.engine(players, parameters)
    game = engine.game
    table, contents = Table(engine.rules), {}
    for name, given in case.get("zones", {}).items():
        zone = game.program.zones[name]
        first, _ = game.zone_ranges[name]
        rows = {None: given} if zone.key is None else given
        for key, labels in rows.items():
            at = (
                first
                if zone.key is None
                else first + convert(game, str(key), zone.key) - game.domain(zone.key)[0]
            )
            components = tuple(table.component(label, zone.kinds) for label in labels)
            contents[at] = components if zone.order in ("pile", "sequence") else tuple(sorted(components))
    for z in game.zones:
        if z.number not in contents:
            contents[z.number] = tuple(i for i in game.start_zones[z.number] if i not in table.taken)
    if "rest" in case:
        at, _ = game.zone_ranges[case["rest"]]
        laid = {i for items in contents.values() for i in items}
        kinds = game.program.zones[case["rest"]].kinds
        contents[at] = (
            *contents[at],
            *(p.number for p in game.components if p.kind in kinds and p.number not in laid),
        )
    variables = {v.index: table.values[v.index] for v in game.program.vars.values() if v.of_class is not None}
    for name, value in case.get("state", {}).items():
        v = game.program.vars[name]
        variables[v.index] = convert(game, worded(value, v.type), v.type)
    m = declare(engine.rules, contents, variables)
    main = game.program.main
    assert main is not None
    if "before" in case:
        phase = game.program.phases[case["before"]].index
        bound = {str(k): worded(v) for k, v in case.get("bound", {}).items()}
        slots = dict(loop_names(main, phase))
        enter_before_phase(
            m,
            phase,
            {
                name: convert(game, bound[name], main.slot_types[slots[name]])
                for name in slots
                if name in bound
            },
        )
        return begun_at(ruleset, engine, m)
    m2 = declare(engine.rules, contents, variables)
    first_phase = next(iter(game.program.phases.values())).index
    enter_before_phase(m2, first_phase, {})
    return begun_at(ruleset, engine, m2)


def called(ruleset: Ruleset, state: Any, text: str) -> Any:
    """Where a declared position stands, this call instead."""
    m = state._start.copy()
    statement, proc, found = check_call(state.game.program, whole(Source("call", text)), {})
    assert statement is not None, found
    enter_at_call(m, statement, proc, [])
    return begun_at(ruleset, state.engine, m)


def worded(value: Any, kind: t.Type = t.UNKNOWN) -> Any:
    """A value as somebody would type it: players count from 1."""
    if isinstance(value, dict):
        inner = kind.value if isinstance(kind, t.Map) else t.UNKNOWN
        seat = "seat " if isinstance(kind, t.Map) and isinstance(kind.key, t.Player) else ""
        return {k if k == "else" else f"{seat}{k}": worded(v, inner) for k, v in value.items()}
    return value if isinstance(value, (list, bool)) or value is None else str(value)


def words(state: Any) -> list[str]:
    """All legal actions, in words."""
    seat = state.current_player()
    return [state.action_to_string(seat, a) for a in state.legal_actions()]


def act(state: Any, text: str) -> None:
    """One action in words, by whoever acts; at a simultaneous decision `seat: words`."""
    if state.is_simultaneous_node():
        seat, _, text = text.partition(": ")
        state.apply_action(state.string_to_action(int(seat) - 1, text), int(seat) - 1)
        return
    state.apply_action(state.string_to_action(state.current_player(), text))


def run_case(ruleset: Ruleset, case: dict[str, Any]) -> None:
    """Run a case. Raises `AssertionError` where it does not hold."""
    state = position(ruleset, case)
    for number, step in enumerate(case["steps"], 1):
        ((verb, given),) = step.items()
        where = f"{case['name']}, step {number}"
        loaded_again(ruleset, state, where)
        several = given if isinstance(given, list) else [given]
        match verb:
            case "do":
                for text in several:
                    before = (
                        None
                        if state.is_terminal()
                        else words(state)
                        if not state.is_simultaneous_node()
                        else ["…"]
                    )
                    assert before is not None, f"{where}: the game is over: {state.outcome()}"
                    assert state.is_simultaneous_node() or str(text) in before, (
                        f"{where}: {text!r} is not among {before}"
                    )
                    act(state, str(text))
                    assert not state.check_invariants(), f"{where}: {state.check_invariants()}"
            case "legal":
                assert sorted(words(state)) == sorted(map(str, given)), f"{where}: legal are {words(state)}"
            case "offers":
                assert set(map(str, several)) <= set(words(state)), f"{where}: legal are {words(state)}"
            case "refuses":
                assert not set(map(str, several)) & set(words(state)), f"{where}: legal are {words(state)}"
            case "then":
                for text in several:
                    assert state.evaluate(text) is True, (
                        f"{where}: {text} is {state.evaluate(text)}; {state.outcome()}"
                    )
            case "holds":
                seen = state.observation(None)["zones"]
                for zone, rows in given.items():
                    for key, labels in rows.items() if isinstance(rows, dict) else [(None, rows)]:
                        found = (
                            seen[zone]
                            if key is None
                            else seen[zone][f"player {key}" if isinstance(key, int) else key]
                        )
                        assert found == labels, f"{where}: {zone} {key or ''} holds {found}"
            case "seat":
                assert state.current_player() + 1 == given, f"{where}: seat {state.current_player() + 1} acts"
            case "outcome":
                out = state.outcome()
                out["winners"] = [p + 1 for p in out["winners"]]
                assert {k: out[k] for k in given} == given, f"{where}: {out}"
            case _:
                raise AssertionError(f"{where}: {verb}?")
    loaded_again(ruleset, state, case["name"])


def loaded_again(ruleset: Ruleset, state: Any, where: str) -> None:
    """A state that is saved and loaded is the same and offers the same."""
    if state.fault is not None:
        return
    copy = ruleset.deserialize(state.serialize())
    assert copy == state and copy.hash() == state.hash(), where
    assert copy.outcome() == state.outcome(), where
    if not state.is_terminal() and not state.is_simultaneous_node():
        assert words(copy) == words(state), (
            f"{where}: loaded again it offers {words(copy)}, not {words(state)}"
        )
