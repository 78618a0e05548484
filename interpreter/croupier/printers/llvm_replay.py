"""A history played anew in native code, and looked at by what a seat perceives of it; and a walk over
histories.

    game.replay(S, where, steps, plan, visible, checks, length, seat, is_first, weight)
                             play a history from the start of the game, which ends in `S`
    game.walk(S, where, steps, seen, free, plan, visible, checks, numbers, spare, counts)
                             let a Metropolis chain go so many steps from a history, which changes
    game.think(request)      a walk before each round of a search

`game.replay` returns `Status.OK` if each action is legal, each component lies where the table says, and the
seat perceives at each point what the numbers in `checks` stand for; with `is_first` it writes these numbers.
To `weight` it writes the logarithm of how many options others had at each step, and of how unlikely each
event of chance was.

`game.walk` proposes exchanges (`core/exchanges.py`), plays them in the `spare` arrays, and takes them or
not. `S` is the end of the last history. It returns how many were taken, and writes the new weight to the
first of the `counts`. `game.think` walks and searches (`llvm_search.py`) in turn, so that each round of a
search begins at another possible position; it writes how many proposals were taken to the second one.

The words of `plan` are for each zone 1 if it has an order, and behind them a number for each state in which a
frame may resume, which tells where in the rules the game waits. Those of `visible` are the number of
components, how many words of a position the seat sees, and where these lie.

`inference/replays.py` does the same by the evaluator.
"""

from __future__ import annotations

from croupier.core.exchanges import ACTOR, BASE, COMPONENT, KIND, NAMES, RANKS, STEP
from croupier.core.operations import CHANCE, NONE, SEVERAL
from croupier.lowering.telling import LISTEN, TOLD
from croupier.printers.llvm_builder import ENTRY_POINTS, FunctionBuilder, parameters
from croupier.printers.llvm_expressions import TranslationUnit
from croupier.printers.llvm_layout import ACTIONS, WEIGHTS, FrameHead, Header, Layout, Status

FACTOR = 6364136223846793005  # of a linear congruential generator (Knuth, MMIX): words are mixed by it
# the words of `numbers`: the number of components that may be exchanged, of those that are out of sight now,
# of steps of a history, of components, of steps of the chain, of exchanges of a proposal; the seed; the seat
FREE, HIDDEN, LENGTH, COMPONENTS, PROPOSALS, PICKS, SEED, SEAT, NUMBERS = range(9)


def replay_functions(unit: TranslationUnit) -> list[str]:
    """All functions of this module."""
    return [
        print_mix_offers(),
        print_lies_right(unit.layout),
        print_replay(unit),
        print_walk(),
        print_think(),
    ]


def print_walk() -> str:
    """`game.walk`."""
    f = FunctionBuilder.entry("game.walk")
    n, hidden, length, components = (f.load_at("%numbers", k) for k in (FREE, HIDDEN, LENGTH, COMPONENTS))
    picks, seat = f.load_at("%numbers", PICKS), f.load_at("%numbers", SEAT)
    points = f.mul(f.add(length, 1), components)
    step_words = f.mul(f.add(length, 1), STEP)
    where, steps = "%spare", f.gep("%spare", points)
    x, taken, is_there, weight = f.alloca(), f.alloca(), f.alloca(), f.alloca()
    f.store(f.load_at("%numbers", SEED), x)
    f.store(0, taken)
    f.store(1, is_there)  # does the position belong to the history?

    def replay(where: str, steps: str) -> str:
        looked_at = ("%plan", "%visible", "%checks")
        return f.call("game.replay", "%S", where, steps, *looked_at, length, seat, 0, weight)

    with f.for_range(0, f.load_at("%numbers", PROPOSALS)):
        f.memmove(where, "%where", points)
        f.memmove(steps, "%steps", step_words)
        numbers = (n, hidden, length, components, picks, f.load(x))
        f.store(f.call("f.exchange", "null", where, steps, "%seen", "%free", *numbers), x)
        f.store(0, is_there)
        with f.when(f.icmp("eq", replay(where, steps), Status.OK)):
            f.store(f.call("f.next", "null", f.load(x)), x)
            behind = f.sub(f.load(weight), f.load("%counts"))
            accepts = f.call("f.accepts", "null", behind, f.load(x))
            with f.when(f.icmp("ne", accepts, 0)):
                f.memmove("%where", where, points)
                f.memmove("%steps", steps, step_words)
                f.store(f.load(weight), "%counts")
                f.store(f.add(f.load(taken), 1), taken)
                f.store(1, is_there)
    with f.when(f.icmp("eq", f.load(is_there), 0)):
        replay("%where", "%steps")
    f.ret(f.load(taken))
    return f.text()


WALKED = tuple(parameters(ENTRY_POINTS["game.walk"]))
SEARCHED = ("search", "streams", "tree", "room")
COUNTED = ("seat", "first", "rounds", "decided", "rolled", "horizon", "each")
REQUEST = (*WALKED, *SEARCHED, "seeds", *COUNTED)
"""The words of a request: addresses as of `game.walk`; that of another position, in which the search goes
on, and others as of `game.search`; that of a seed for each walk; numbers as of `game.search`.
"""


def print_think() -> str:
    """`game.think`: `Status.OK` if all rounds were played."""
    f = FunctionBuilder.entry("game.think")
    words = {name: f.load_at("%request", at) for at, name in enumerate(REQUEST)}
    pointers = {name: f.inttoptr(words[name]) for name in (*WALKED, *SEARCHED, "seeds")}
    walk = [pointers[name] for name in WALKED]
    counts = pointers["counts"]
    with f.for_range(0, words["rounds"]) as k:
        f.store_at(f.load_at(pointers["seeds"], k), pointers["numbers"], SEED)
        f.store_at(f.add(f.load_at(counts, 1), f.call("game.walk", *walk)), counts, 1)
        f.ret_if(f.icmp("ne", f.call("step.prepare", walk[0]), Status.OK), Status.FAILED)
        numbers = [words["seat"], f.add(words["first"], k), "1"]
        numbers += [words[name] for name in ("decided", "rolled", "horizon", "each")]
        played = f.call("game.search", walk[0], *(pointers[name] for name in SEARCHED), *numbers)
        f.ret_if(f.icmp("ne", played, Status.OK), Status.FAILED)
    f.ret(Status.OK)
    return f.text()


def mix(f: FunctionBuilder, digest: str, word: str) -> None:
    """Emit that a word goes into a digest."""
    f.store(f.add(f.mul(f.load(digest), FACTOR), f.add(word, 1)), digest)


def print_mix_offers() -> str:
    """`replay.own(S, seat)`: a digest of what a seat may choose from; 0 if that cannot be told."""
    f = FunctionBuilder("replay.own", "*S seat")
    f.ret_if(f.icmp("ne", f.call("step.prepare", "%S"), Status.OK), 0)
    digest = f.variable(1)
    several = f.icmp("eq", f.load_at("%S", Header.SEAT), SEVERAL)
    with f.for_range(0, f.load_at("%S", Header.OFFER_COUNT)) as i:
        who = f.load_at(f.gep("%S", WEIGHTS), i)
        with f.when(f.or_bool(f.not_bool(several), f.icmp("eq", who, "%seat"))):
            mix(f, digest, f.load_at(f.gep("%S", ACTIONS), i))
    f.ret(f.load(digest))
    return f.text()


def print_lies_right(layout: Layout) -> str:
    """`replay.lies(S, row, plan, components)`: 1 if each component lies where a row of the table says."""
    f = FunctionBuilder("replay.lies", "*S *row *plan components")
    width = f.add("%components", 2)
    below = f.alloca()
    for z, at in enumerate(layout.zone_at):
        count = f.load_at("%S", layout.lengths + z)
        ordered = f.load_at("%plan", z)
        first = f.mul(width, z)
        f.store(1, below)
        with f.for_range(0, count) as i:
            place = f.add(i, at)
            items = f.gep("%S", layout.contents)
            component = f.emit_value(f"zext i16 {f.load_at(items, place, 'i16')} to i64")
            told = f.add(first, f.select(f.icmp("ne", ordered, 0), f.load(below), 0))
            f.ret_if(f.icmp("ne", f.load_at("%row", component), told), 0)
            if layout.has_unordered:
                bits = f.gep("%S", layout.unordered_bytes)
                is_loose = f.emit_value(f"zext i8 {f.load_at(bits, place, 'i8')} to i64")
                f.store(f.select(f.icmp("ne", is_loose, 0), f.load(below), f.add(i, 2)), below)
            else:
                f.store(f.add(i, 2), below)
    f.ret(1)
    return f.text()


def print_replay(unit: TranslationUnit) -> str:
    """`game.replay`."""
    layout = unit.layout
    f = FunctionBuilder.entry("game.replay")
    zones = len(layout.zone_at)
    components = f.load_at("%visible", 0)
    visible = f.load_at("%visible", 1)
    status, weight, digest = f.alloca(), f.alloca(), f.alloca()
    owner = f.load_at("%S", Header.OWNER_THREAD)
    f.store(f.call("game.start", "%S"), status)
    f.store_at(owner, "%S", Header.OWNER_THREAD)
    listens = LISTEN in unit.program.functions
    if listens:
        f.run(f"f.{LISTEN}", "%S", "%seat")
    f.store(0, weight)
    with f.for_range(1, f.add("%length", 1)) as k:
        f.ret_if(f.icmp("ne", f.load(status), Status.WAITS), Status.FAILED)
        f.ret_if(f.icmp("ne", f.call("step.prepare", "%S"), Status.OK), Status.FAILED)
        step = f.gep("%steps", f.mul(k, STEP))
        actor = f.load_at(step, ACTOR)
        action = step_action(f, step, k, components)
        share = step_share(f, actor, action)
        f.store(f.add(f.load(weight), f.select(f.icmp("eq", actor, "%seat"), 0, share)), weight)
        f.store_at(0, "%S", Header.OFFERS_PREPARED)
        f.store(f.call("game.apply", "%S", action, actor), status)
        row = f.gep("%where", f.mul(k, components))
        f.store(0, digest)
        waits = f.icmp("eq", f.load(status), Status.WAITS)
        f.ret_if(f.and_bool(f.not_bool(waits), f.icmp("ne", f.load(status), Status.OVER)), Status.FAILED)
        with f.when(waits):
            emit_digest(f, layout, digest, zones, visible)
        lies = f.call("replay.lies", "%S", row, "%plan", components)
        f.ret_if(f.icmp("eq", lies, 0), Status.FAILED)
        with f.when(f.icmp("ne", "%is_first", 0)):
            f.store_at(f.load(digest), "%checks", k)
        f.ret_if(f.icmp("ne", f.load_at("%checks", k), f.load(digest)), Status.FAILED)
    if listens:
        f.run(f"f.{LISTEN}", "%S", NONE)
    f.store(f.load(weight), "%weight")
    f.ret(Status.OK)
    return f.text()


def step_action(f: FunctionBuilder, step: str, k: str, components: str) -> str:
    """Emit the action of a step."""
    kind, base, component = f.load_at(step, KIND), f.load_at(step, BASE), f.load_at(step, COMPONENT)
    action = f.alloca()
    f.store(f.add(base, f.select(f.icmp("eq", kind, NAMES), component, 0)), action)
    with f.when(f.icmp("eq", kind, RANKS)):
        place = f.call("f.rank", "null", "%where", f.sub(k, 1), components, component)
        f.store(f.add(base, place), action)
    return f.load(action)


def step_share(f: FunctionBuilder, actor: str, action: str) -> str:
    """Emit the logarithm of how unlikely an action is among those on offer; the function ends if it is none
    of them.
    """
    seat = f.load_at("%S", Header.SEAT)
    several = f.icmp("eq", seat, SEVERAL)
    f.ret_if(f.and_bool(f.icmp("ne", seat, actor), f.not_bool(several)), Status.FAILED)
    whole, own = f.variable(0), f.variable(0)
    weighted = f.icmp("eq", actor, CHANCE)
    has_weights = f.and_bool(weighted, f.icmp("ne", f.load_at("%S", Header.WEIGHTED), 0))
    actions, weights = f.gep("%S", ACTIONS), f.gep("%S", WEIGHTS)
    with f.for_range(0, f.load_at("%S", Header.OFFER_COUNT)) as i:
        is_mine = f.icmp("eq", f.load_at(weights, i), actor)
        with f.when(f.or_bool(f.not_bool(several), is_mine)):
            share = f.select(has_weights, f.load_at(weights, i), 1)
            f.store(f.add(f.load(whole), share), whole)
            with f.when(f.icmp("eq", f.load_at(actions, i), action)):
                f.store(share, own)
    f.ret_if(f.icmp("eq", f.load(own), 0), Status.FAILED)
    logs = [f.call("f.logarithm", "null", f.load(n)) for n in (whole, own)]
    return f.sub(logs[0], logs[1])


def emit_digest(f: FunctionBuilder, layout: Layout, digest: str, zones: int, visible: str) -> None:
    """Emit the digest of what the seat perceives where the game waits."""
    seat = f.load_at("%S", Header.SEAT)
    mix(f, digest, seat)
    state = f.load_at("%S", f.add(f.load_at("%S", Header.TOP_FRAME), FrameHead.STATE))
    mix(f, digest, f.load_at("%plan", f.add(state, zones)))
    with f.for_range(0, visible) as i:
        mix(f, digest, f.load_at("%S", f.load_at("%visible", f.add(i, 2))))
    with f.when(f.or_bool(f.icmp("eq", seat, "%seat"), f.icmp("eq", seat, SEVERAL))):
        mix(f, digest, f.call("replay.own", "%S", "%seat"))
    if TOLD in layout.at:
        mix(f, digest, f.load_at("%S", layout.at[TOLD]))


__all__ = ["REQUEST", "replay_functions"]
