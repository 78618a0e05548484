"""What each pass makes of the programs of its table, `tests/unit/passes/MODULE.txt` (`core_tables`).

`pass: NAME WORD=VALUE…` says which function of the module is asked; without it the first one in `MADE` is.
Behind `=>` stands what the pass changes, or what an analysis finds. Each program that a pass changes is
verified, and must play as before: `plays_alike`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from types import ModuleType

from core_interpreter import Interpreter
from core_tables import TableCase, Tables, difference
from croupier.core import operations as op
from croupier.core import text
from croupier.core.operations import Statement
from croupier.core.types import CoreProgram
from croupier.core.verify import verify
from croupier.core.walk import statements
from lowering_tables import BASE, game, sections

Given = Mapping[str, str]
Made = CoreProgram | list[str]  # a program, or what an analysis finds as lines
DECISIONS = 6  # that are taken to see whether a program plays as before
ACTION_FUEL = 10_000


def the(module: str) -> ModuleType:
    """A module of `passes`, as it is now: it may be one with a planted mistake."""
    return import_module(f"croupier.passes.{module}")


def plain(module: str, name: str) -> Callable[[CoreProgram, Given], Made]:
    """A pass that needs nothing but a program, and whole numbers by name; `stay=Memo,Rank` are the operations
    that the target has.
    """

    def made(program: CoreProgram, given: Given) -> Made:
        words: dict[str, object] = {}
        for key, value in given.items():
            is_stay = key == "stay"
            words[key] = tuple(getattr(op, kind) for kind in value.split(",")) if is_stay else int(value)
        found: CoreProgram = getattr(the(module), name)(program, **words)
        return found

    return made


def on_bodies(module: str, name: str) -> Callable[[CoreProgram, Given], Made]:
    """A pass over bodies."""

    def made(program: CoreProgram, given: Given) -> Made:
        change = getattr(the(module), name)
        functions = {n: replace(f, body=change(f.body)) for n, f in program.functions.items()}
        return replace(program, functions=functions)

    return made


def prepaid(module: str, name: str) -> Callable[[CoreProgram, Given], Made]:
    """A pass that also says how much fuel is left; the program keeps it in an array for the table."""

    def made(program: CoreProgram, given: Given) -> Made:
        after, rest = getattr(the(module), name)(program, int(given.get("fuel", ACTION_FUEL)))
        return replace(after, name=f"{after.name} {rest}")

    return made


def add_bitsets(program: CoreProgram, given: Given) -> Made:
    """With bitsets beside maps; `v0=1..4` says which values a map has."""
    domains = {}
    for name, span in given.items():
        low, high = map(int, span.split(".."))
        domains[name] = low, high - low + 1
    found: CoreProgram = the("bitsets").add_bitsets(program, domains)
    return found


def rebuild_bitsets(program: CoreProgram, given: Given) -> Made:
    """Bitsets of a position whose maps are the arrays of the program; `v0=1..4` says which values one has."""
    memories = {m.name: list(m.initial) for m in program.memories.values()}
    for name, span in given.items():
        low, high = map(int, span.split(".."))
        memories[f"bits.{low}.{name}"] = [0] * (high - low + 2)
    the("bitsets").rebuild_bitsets(memories)
    return [f"{name}: {' '.join(map(str, words))}" for name, words in memories.items() if "bits." in name]


# ---------------------------------------------------------------- analyses
def each_statement(program: CoreProgram, said: Callable[[Statement], str]) -> list[str]:
    """The statements of `main`, each with what is said of it."""
    out = []
    for s in statements(program.functions["main"].body):
        words = said(s)
        if words and not isinstance(s, op.Finish):
            out.append(f"{text.lines((s,), 0)[0]}: {words}")
    return out


def names(found: object) -> str:
    """Names in order; `nothing` if there are none."""
    return " ".join(sorted(map(str, found))) or "nothing"  # type: ignore[call-overload]


def effects_of(program: CoreProgram, given: Given) -> Made:
    """What each statement of `main` changes."""
    return each_statement(program, lambda s: names(the("effects").effects((s,)).changes))


def reads_of(program: CoreProgram, given: Given) -> Made:
    """What the value of each local of `main` reads."""

    def said(s: Statement) -> str:
        return names(the("effects").reads(s.value)) if isinstance(s, op.Set) else ""

    return each_statement(program, said)


def touch(program: CoreProgram, given: Given) -> Made:
    """May the value of the first local of `main` be computed after each statement that follows it?"""
    first, *rest = program.functions["main"].body
    assert isinstance(first, op.Set)
    own = frozenset(given.get("own", "").split(","))
    out = []
    for s in rest:
        found = the("effects").effects((s,)).touch(the("effects").reads(first.value), own)
        out.append(f"{text.lines((s,), 0)[0]}: {'before' if found else 'before or after'}")
    return out


def live_in_states(program: CoreProgram, given: Given) -> Made:
    """The locals that are live at the beginning of each state."""
    found = the("liveness").live_at_start(program)
    return [f"state {number}: {names(live)}" for number, live in found.items()]


def live(program: CoreProgram, given: Given) -> Made:
    """The locals that are live before the body of `main`; `out`: those that are read behind it."""
    body = program.functions["main"].body[:-1]
    behind, leave, again = (frozenset(filter(None, given.get(k, "").split(","))) for k in WAYS)
    return [names(the("liveness").live(body, behind, {}, leave, again))]


WAYS = ("out", "leave", "again")


def ranges_of_locals(program: CoreProgram, given: Given) -> Made:
    """The intervals of the locals of `main` that are set once."""
    f = program.functions["main"]
    found = the("ranges").ranges_of_locals(f.body, program.memories, tuple(given))
    return [f"{name}: {low}..{high}" for name, (low, high) in found.known.items()] or ["nothing is known"]


def comparisons(program: CoreProgram, given: Given) -> Made:
    """What the intervals of locals decide of the values of others."""
    f = program.functions["main"]
    ranges = the("ranges").ranges_of_locals(f.body, program.memories)

    def said(s: Statement) -> str:
        if not isinstance(s, op.Set) or not isinstance(s.value, (op.Lt, op.Le, op.Eq)):
            return ""
        return text.expression(ranges.fold_comparison(s.value))

    return each_statement(program, said)


def small(program: CoreProgram, given: Given) -> Made:
    """Whether the values of the locals of `main` certainly fit in 64 bits."""
    f = program.functions["main"]
    ranges = the("ranges").ranges_of_locals(f.body, program.memories)

    def said(s: Statement) -> str:
        if not isinstance(s, op.Set):
            return ""
        return "fits" if ranges.is_small(s.value) else "may not fit"

    return each_statement(program, said)


def offer_orders(program: CoreProgram, given: Given) -> Made:
    """The order of what is on offer at each wait of `main`."""
    found = the("offers").offer_orders(program.functions["main"].body)
    return each_statement(program, lambda s: found.get(id(s), ""))


def waits_on_other_offers(program: CoreProgram, given: Given) -> Made:
    """The waits of `main` whose offers other functions made."""
    found = the("offers").waits_on_other_offers(program.functions["main"].body)
    return each_statement(program, lambda s: "of others" if id(s) in found else "")


def weighted_statements(program: CoreProgram, given: Given) -> Made:
    """The statements of `main` that belong to weighted offers."""
    found = the("offers").weighted_statements(program.functions["main"].body)
    return each_statement(program, lambda s: "weighted" if id(s) in found else "") or ["nothing"]


def growing_lists(program: CoreProgram, given: Given) -> Made:
    """The arrays of `main` that are growing lists, with the words of an element."""
    f = program.functions["main"]
    found = the("lists").growing_lists(program, f.body, f.memories)
    return [f"{name}: {words} a row" for name, words in sorted(found.items())] or ["no list"]


def list_parameters(program: CoreProgram, given: Given) -> Made:
    """The parameters that are growing lists, with the words of an element."""
    found = the("lists").list_parameters(program)
    out = [f"{f}({name}): {n} a row" for f, lists in sorted(found.items()) for name, n in lists.items()]
    return out or ["no list"]


def branches_of_arrays(program: CoreProgram, given: Given) -> Made:
    """The innermost branches that hold all uses of the arrays of `main`."""
    f = program.functions["main"]
    found = the("lists").branches_of_arrays(f.body, [m.name for m in f.memories])
    called: dict[object, str] = {None: "body"}
    for s in statements(f.body):
        if isinstance(s, op.If):
            for taken, word in ((True, "then"), (False, "else")):
                called[id(s), taken] = f"{word} of {text.expression(s.test)}"
    return sorted(f"{called[branch]}: {names(arrays)}" for branch, arrays in found.items() if arrays)


def index_forms(program: CoreProgram, given: Given) -> Made:
    """The values of the locals of `main`, as indices of list elements and as linear in `i`."""
    lists = the("lists")
    out = []
    for s in statements(program.functions["main"].body):
        if isinstance(s, op.Set):
            before, linear = lists.index_before(s.value), lists.linear_form(s.value, "i")
            element = "no element" if before is None else f"element {text.expression(before)}"
            form = "not linear in i"
            if linear is not None:
                at_two = lists.index_at_round(op.Const(2), *linear)
                form = (
                    f"{linear[0]} a round, then {text.expression(linear[1])}; {text.expression(at_two)} at 2"
                )
            out.append(f"{text.expression(s.value)}: {element}; {form}")
    return out


def loose_zones(program: CoreProgram, given: Given) -> Made:
    """The zones that may have an unordered part."""
    return [f"zones {names(the('zones').loose_zones(program))}"]


def cut_points(program: CoreProgram, given: Given) -> Made:
    """Of each statement of `main` itself whether it waits, or leaves a loop."""
    states = the("states")
    out = []
    for s in program.functions["main"].body:
        said = [word for word, test in (("waits", states.contains_wait), ("jumps", states.contains_jump))
                if test(s)]  # fmt: skip
        out.append(f"{text.lines((s,), 0)[0]}: {' and '.join(said) or 'neither'}")
    return out


def loops(program: CoreProgram, given: Given) -> Made:
    """Of each loop of `main` whether every iteration waits, and how many iterations there are at most."""
    bounds = the("fuel_bounds")
    values = {k: int(v) for k, v in given.items()}

    def said(s: Statement) -> str:
        if not isinstance(s, op.Loop):
            return ""
        waits = "always waits" if bounds.always_waits(s.body) else "may not wait"
        most = bounds.iteration_bound(s.body, values)
        return f"{waits}; {'no bound' if most is None else f'at most {most} rounds'}"

    return each_statement(program, said)


def may_be_memoized(program: CoreProgram, given: Given) -> Made:
    """Whether there may be expensive offers in each function."""
    found = the("memoization").may_be_memoized
    return [f"{f.name}: {'maybe' if found(f.body) else 'no'}" for f in program.functions.values()]


def map_domains(case: TableCase) -> list[str]:
    """The maps of a small ruleset that get bitsets, by their names."""
    of = game("".join((BASE | sections(f"{case.before}\n")).values()))
    names = {f"v{v.index}": v.name for v in of.program.vars.values()}
    found = the("native").map_domains(of)
    return [f"{names[name]}: {count} from {low} on" for name, (low, count) in found.items()] or ["none"]


def native(name: str) -> Callable[[CoreProgram, Given], Made]:
    """A pipeline of native code for a game whose only maps are `v0=1..4`."""

    def made(program: CoreProgram, given: Given) -> Made:
        domains = {}
        for memory, span in given.items():
            low, high = map(int, span.split(".."))
            domains[memory] = low, high - low + 1
        module = the("native")
        before = module.map_domains
        module.map_domains = lambda game: domains
        try:
            found: CoreProgram = getattr(module, name)(program, None)
        finally:
            module.map_domains = before
        return found

    return made


MADE: dict[str, dict[str, Callable[[CoreProgram, Given], Made]]] = {
    "arrays": {"scalarize_arrays": plain("arrays", "scalarize_arrays")},
    "bitsets": {"add_bitsets": add_bitsets, "rebuild_bitsets": rebuild_bitsets},
    "constant_functions": {
        "tabulate_constant_functions": plain("constant_functions", "tabulate_constant_functions")
    },
    "constants": {"propagate_constants": plain("constants", "propagate_constants")},
    "effects": {"effects": effects_of, "reads": reads_of, "touch": touch},
    "fuel": {"merge_payments": plain("fuel", "merge_payments")},
    "fuel_bounds": {"prepay_fuel": prepaid("fuel_bounds", "prepay_fuel"), "loops": loops},
    "inlining": {"inline_calls": plain("inlining", "inline_calls")},
    "legalization": {
        "legalize": plain("legalization", "legalize"),
        "recompute_recalls": plain("legalization", "recompute_recalls"),
        "share_recalls": plain("legalization", "share_recalls"),
    },
    "lists": {
        "growing_lists": growing_lists,
        "list_parameters": list_parameters,
        "branches_of_arrays": branches_of_arrays,
        "index_forms": index_forms,
    },
    "liveness": {"live": live, "live_at_start": live_in_states},
    "locals": {
        "eliminate_locals": plain("locals", "eliminate_locals"),
        "exit_searches_early": plain("locals", "exit_searches_early"),
    },
    "loop_tables": {
        "tabulate_loops": plain("loop_tables", "tabulate_loops"),
        "fuse_search_and_use": plain("loop_tables", "fuse_search_and_use"),
    },
    "memoization": {
        "memoize_offers": plain("memoization", "memoize_offers"),
        "may_be_memoized": may_be_memoized,
    },
    "native": {
        "offer_unordered_tops": plain("native", "offer_unordered_tops"),
        "ask_one_by_one": plain("native", "ask_one_by_one"),
        "memoize_functions": plain("native", "memoize_functions"),
        "prepare_native_steps": native("prepare_native_steps"),
        "prepare_native_games": native("prepare_native_games"),
        "map_domains": plain("native", "map_domains"),
    },
    "offers": {
        "offer_orders": offer_orders,
        "ask_first_seat_only": on_bodies("offers", "ask_first_seat_only"),
        "remove_offer_flags": plain("offers", "remove_offer_flags"),
        "waits_on_other_offers": waits_on_other_offers,
        "weighted_statements": weighted_statements,
    },
    "pipeline": {
        "prepare_steps": plain("pipeline", "prepare_steps"),
        "prepare_games": plain("pipeline", "prepare_games"),
        "prepare_python_steps": plain("pipeline", "prepare_python_steps"),
        "optimize": plain("pipeline", "optimize"),
        "optimize_prepaid": prepaid("pipeline", "optimize_prepaid"),
        "strip_frame_maps": plain("pipeline", "strip_frame_maps"),
    },
    "ranges": {"ranges_of_locals": ranges_of_locals, "comparisons": comparisons, "small": small},
    "states": {
        "cut_at_waits": plain("states", "cut_at_waits"),
        "merge_states": plain("states", "merge_states"),
        "cut_points": cut_points,
    },
    "zones": {"loose_zones": loose_zones, "fold_loose_tests": plain("zones", "fold_loose_tests")},
}
PARTS = (
    "live",
    "touch",
    "cut_points",
)  # of these the program may read locals that it is given, and leave a loop around
OTHER_OFFERS = ("ask_first_seat_only", "ask_one_by_one", "strip_frame_maps", "prepare_native_games")


def asked(module: str, case: TableCase) -> tuple[str, dict[str, str]]:
    """What a case asks for: a row of `MADE`, and words by name."""
    name, *words = case.options.get("pass", next(iter(MADE[module]))).split()
    return name, dict(word.split("=") for word in words)


def made(module: str, case: TableCase) -> str:
    """What becomes of the program of a case. Raises ValueError if it would play another game."""
    name, given = asked(module, case)
    if name == "map_domains":
        return "\n".join(map_domains(case))
    program = case.program(is_verified=name not in PARTS)
    found = MADE[module][name](program, given)
    if isinstance(found, list):
        return "\n".join(found)
    if name != "add_bitsets" and not name.startswith("prepare_native"):
        verify(found)
        is_playable = name not in OTHER_OFFERS and not (found.states and "stay" in given)
        if is_playable and not plays_alike(program, found):
            raise ValueError(f"`{case.rule}` plays another game afterwards")
    rest = found.name.removeprefix(program.name).strip()
    after = [f"fuel {rest}"] if rest else []
    return "\n".join([*after, difference(case, program, found)])


TABLES = Tables("passes", made)


def plays_alike(before: CoreProgram, after: CoreProgram) -> bool:
    """Do two programs play the same game, if the first action on offer is always taken?

    True where nothing is played: there is no `main`, or states were given.
    """
    if "main" not in before.functions or before.states:
        return True
    return _played(before) == _played(after)


def _played(program: CoreProgram) -> list[object]:
    cut = program if program.states else the("pipeline").prepare_steps(program)
    game = Interpreter(cut)
    seen: list[object] = []
    state = [m.name for m in program.memories.values() if not m.constant]
    own = [name for name in state if name not in ("passed", "returned")]
    for _ in range(DECISIONS):
        words = {name: game.memories[name][:] for name in own}
        seen.append((game.failed, words, [z[:] for z in game.zones], game.loose[:], sorted(game.offers)))
        if game.failed or not game.frames or not game.offers:
            break
        game.apply(sorted(game.offers)[0][0], game.seat)
    return seen


__all__ = ["MADE", "TABLES", "asked", "made"]
