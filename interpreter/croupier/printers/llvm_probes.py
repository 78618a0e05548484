"""Probes of whole games: counts and measures while games are played (`CoreProgram.probes`).

Behind the random streams of a thread lies the *tally* of the game that is played, and behind that its
*samples*: the values of the measures at some points along the way, each behind the seat that decided last.
`run.draw` calls `watch.begin` before and `watch.decided` after an action is drawn; `game.row` calls
`watch.end`, which writes the tail of a row of results: the tally, the values at the end of the game, what
games are grouped by, and for each measure of several seats its *course*, who led and when it was decided
(`lab/course.py`, which says what these figures are). The samples themselves are forgotten.

A function of what is watched that fails, or a value of more than `MAX_BITS` bits, makes the game bail out.
"""

from __future__ import annotations

from croupier.core.operations import CHANCE, SEVERAL
from croupier.core.types import CoreProgram, Probes
from croupier.limits import MAX_SAMPLES
from croupier.lowering.probes import GROUP, MEASURE, PACE
from croupier.lowering.progress import PHASE, ROUND
from croupier.printers.llvm_builder import FunctionBuilder, Operand
from croupier.printers.llvm_calls import call_function
from croupier.printers.llvm_expressions import TranslationUnit
from croupier.printers.llvm_layout import Header, Layout, Status, begin_action
from croupier.printers.llvm_streams import DECISION_COUNT, STREAM, STREAMS

MAX_BITS = 52  # of a value: differences are exact as floating point
(
    STEPS,  # of the game: actions, those of several seats at once are one
    SAMPLE_COUNT,
    LAST_ROUND,  # of a simultaneous decision that may go on; -1: none
    LAST_PACE,  # the last value of the function `pace`
    IS_PACED,  # 1 if there is one
    LAST_SEAT,  # who decided last; -1: nobody
    LAST_MOMENT,  # the step of the last decision that took time
    LEGAL,  # options of the seat that is drawn for at a simultaneous decision
    FORCED,  # decisions with one option
    OFFERED,  # options of all decisions
    TURNS,  # decisions of one seat in a row are one
    MOMENTS,  # steps with a decision that was not forced
    ORDERED,  # seats that have decided
    TALLY_HEAD,
) = range(14)
"""Words of the tally; then come the seats that have decided, in the order of their first decisions, and for
each phase how many decisions it had and the number of the first.
"""
CHANGES, KINGS, LONGEST, COMEBACK, BEHIND, GAP_COUNT, GAP_SUM, COURSE_WORDS = range(8)
"""Words of a course: lead changes, and those brought about by somebody else; the most samples in a row with
the same values; 1 if the winner did not lead when half of the samples were over; how many samples there are
until the winner leads for good; samples in which the winner was behind, and the sum of the roots of how far,
as a part of the largest lead, as floating point.
"""


def tally_words(probes: Probes, players: int) -> int:
    """Words of the tally."""
    return TALLY_HEAD + players + 2 * probes.phases


def value_words(probes: Probes) -> int:
    """Words of the values of all measures."""
    return sum(probes.measures)


def memory_words(program: CoreProgram) -> int:
    """Return the number of words behind the random streams, for tally and samples; 0 for a program without
    probes.
    """
    probes = program.probes
    if probes is None:
        return 0
    samples = MAX_SAMPLES * (1 + value_words(probes)) if probes.samples else 0
    return tally_words(probes, program.players) + samples


def course_count(probes: Probes) -> int:
    """Return the number of courses in a row of results."""
    return sum(seats > 1 for seats in probes.measures) if probes.samples else 0


def tail_words(program: CoreProgram) -> int:
    """Return the number of words of the tail of a row of results; 0 for a program without probes."""
    probes = program.probes
    if probes is None:
        return 0
    groups = probes.grouping[0] * probes.grouping[1]
    return (
        tally_words(probes, program.players)
        + value_words(probes)
        + groups
        + course_count(probes) * COURSE_WORDS
    )


def probe_functions(unit: TranslationUnit) -> list[str]:
    """Return all functions of this module as text; an empty list for a program without probes."""
    probes = unit.program.probes
    if probes is None:
        return []
    printer = ProbePrinter(unit, probes)
    found = [
        "declare double @llvm.sqrt.f64(double)",
        printer.values(),
        printer.begin(),
        printer.decided(),
        printer.end(),
    ]
    return [*found, printer.sample(), printer.course()] if probes.samples else found


def tally_at(f: FunctionBuilder, players: int, streams: str) -> str:
    """The address of the tally, given that of the streams."""
    return f.gep(streams, STREAM * (players + 1))


def emit_reset(f: FunctionBuilder, program: CoreProgram, streams: str) -> None:
    """Emit the start of a new game: an empty tally."""
    if program.probes is None:
        return
    tally = tally_at(f, program.players, streams)
    f.clear(tally, 8 * tally_words(program.probes, program.players))
    for word in (LAST_ROUND, LAST_SEAT):
        f.store_at(-1, tally, word)


class ProbePrinter:
    """Writes the functions of one program."""

    def __init__(self, unit: TranslationUnit, probes: Probes) -> None:
        self.unit, self.probes, self.players = unit, probes, unit.program.players
        self.layout: Layout = unit.layout

    def _tally(self, f: FunctionBuilder) -> str:
        return tally_at(f, self.players, f.load(f.gep("%R", STREAMS), "ptr"))

    def _call(self, f: FunctionBuilder, name: str, seat: int, *more: str) -> str:
        """Emit a call of a function of what is watched, and a return of `FAILED` where it fails; give its
        value, if it has one.
        """
        begin_action(f, self.layout, f.load("@fuel"))
        f.store_at(0, "%S", Header.CALL_STACK)
        words = call_function(self.unit, f, name, ["ptr %S", f"i64 {seat}", *more])
        if self.unit.effects[name].fails:
            f.ret_if(f.icmp("ne", words.pop(0), Status.OK), Status.FAILED)
        return words[0] if words else ""

    def values(self) -> str:
        """`watch.values(S, out)`: write the values of all measures; return a status."""
        f = FunctionBuilder("watch.values", "*S *out", noinline=True)
        place = 0
        for k, seats in enumerate(self.probes.measures):
            for seat in range(seats):
                found = self._call(f, f"{MEASURE}{k}", seat)
                shifted = f.add(found, 1 << MAX_BITS)
                f.ret_if(f.emit_value(f"icmp ugt i64 {shifted}, {1 << MAX_BITS + 1}"), Status.FAILED)
                f.store_at(found, "%out", place)
                place += 1
        f.ret(Status.OK)
        return f.text()

    def sample(self) -> str:
        """`watch.sample(S, R)`: take a sample if it is time and there is room; return a status."""
        f = FunctionBuilder("watch.sample", "*S *R", noinline=True)
        tally = self._tally(f)
        count = f.load_at(tally, SAMPLE_COUNT)
        f.ret_if(f.icmp("ge", count, MAX_SAMPLES), Status.OK)
        if self.probes.is_paced:
            now = self._call(f, PACE, 0)
            same = f.icmp("eq", now, f.load_at(tally, LAST_PACE))
            f.ret_if(f.and_bool(same, f.icmp("eq", f.load_at(tally, IS_PACED), 1)), Status.OK)
            f.store_at(now, tally, LAST_PACE)
            f.store_at(1, tally, IS_PACED)
        row = self._sample_at(f, tally, count)
        f.store(f.load_at(tally, LAST_SEAT), row)
        status = f.call("watch.values", "%S", f.gep(row, 1))
        f.store_at(f.add(count, 1), tally, SAMPLE_COUNT)
        f.ret(status)
        return f.text()

    def _sample_at(self, f: FunctionBuilder, tally: str, index: Operand) -> str:
        """The address of a sample."""
        return f.gep(
            f.gep(tally, tally_words(self.probes, self.players)), f.mul(index, 1 + value_words(self.probes))
        )

    def begin(self) -> str:
        """`watch.begin(S, R, is_last)`: a seat or chance has to act, or, if `is_last`, would have to if there
        were no limit; return a status.
        """
        f = FunctionBuilder("watch.begin", "*S *R i1:is_last")
        tally = self._tally(f)
        seat = f.load_at("%S", Header.SEAT)
        now = f.load_at("%S", self.layout.at[ROUND])
        several = f.icmp("eq", seat, SEVERAL)
        f.ret_if(f.and_bool(several, f.icmp("eq", now, f.load_at(tally, LAST_ROUND))), Status.OK)
        f.store_at(f.select(several, now, -1), tally, LAST_ROUND)
        if self.probes.samples:
            due = f.icmp("gt", f.load_at(tally, STEPS), 0)
            if not self.probes.is_paced:
                due = f.and_bool(due, f.or_bool("%is_last", f.icmp("ne", seat, CHANCE)))
            with f.when(due):
                status = f.call("watch.sample", "%S", "%R")
                f.ret_if(f.icmp("ne", status, Status.OK), status)
        f.store_at(f.add(f.load_at(tally, STEPS), 1), tally, STEPS)
        f.ret(Status.OK)
        return f.text()

    def decided(self) -> str:
        """`watch.decided(S, R)`: an action was drawn; count it if a seat chose it."""
        f = FunctionBuilder("watch.decided", "*S *R", "void")
        tally, acting = self._tally(f), f.load_at("%S", Header.SEAT)

        def more(word: Operand, by: Operand) -> None:
            f.store_at(f.add(f.load_at(tally, word), by), tally, word)

        with f.when(f.icmp("ne", acting, CHANCE)):
            several = f.icmp("eq", acting, SEVERAL)
            seat = f.select(several, f.load_at("%S", Header.CHOSEN_SEAT), acting)
            legal = f.select(several, f.load_at(tally, LEGAL), f.load_at("%S", Header.OFFER_COUNT))
            more(OFFERED, legal)
            more(FORCED, f.zext(f.icmp("eq", legal, 1)))
            more(TURNS, f.zext(f.icmp("ne", seat, f.load_at(tally, LAST_SEAT))))
            f.store_at(seat, tally, LAST_SEAT)
            step = f.load_at(tally, STEPS)
            with f.when(
                f.and_bool(f.icmp("ne", legal, 1), f.icmp("ne", step, f.load_at(tally, LAST_MOMENT)))
            ):
                f.store_at(step, tally, LAST_MOMENT)
                more(MOMENTS, 1)
            self._note_order(f, tally, seat)
            if self.probes.phases:
                self._count_phase(f, tally)
        f.terminate("ret void")
        return f.text()

    def _note_order(self, f: FunctionBuilder, tally: str, seat: str) -> None:
        """Emit a note of the first decision of a seat."""
        known, ordered = f.alloca(), f.load_at(tally, ORDERED)
        f.store(0, known)
        order = f.gep(tally, TALLY_HEAD)
        with f.for_range(0, ordered) as k, f.when(f.icmp("eq", f.load_at(order, k), seat)):
            f.store(1, known)
        with f.when(f.icmp("eq", f.load(known), 0)):
            f.store_at(seat, order, ordered)
            f.store_at(f.add(ordered, 1), tally, ORDERED)

    def _count_phase(self, f: FunctionBuilder, tally: str) -> None:
        """Emit a count of a decision for the phase that the game is in."""
        phase = f.load_at("%S", self.layout.at[PHASE])
        with f.when(f.icmp("ge", phase, 0)):
            at = f.gep(tally, f.add(f.mul(phase, 2), TALLY_HEAD + self.players))
            with f.when(f.icmp("eq", f.load(at), 0)):
                f.store_at(f.load_at("%R", DECISION_COUNT), at, 1)
            f.store(f.add(f.load(at), 1), at)

    def end(self) -> str:
        """`watch.end(S, R, status, winners, tail)`: the game ended with a status; write the tail of its row.

        Return a status.
        """
        f = FunctionBuilder("watch.end", "*S *R status winners *tail", noinline=True)
        probes, tally = self.probes, self._tally(f)
        if probes.samples:
            with f.when(
                f.and_bool(f.icmp("eq", "%status", Status.OVER), f.icmp("gt", f.load_at(tally, STEPS), 0))
            ):
                status = f.call("watch.sample", "%S", "%R")
                f.ret_if(f.icmp("ne", status, Status.OK), status)
        size = tally_words(probes, self.players)
        f.memmove("%tail", tally, size)
        to = f.gep("%tail", size)
        status = f.call("watch.values", "%S", to)
        f.ret_if(f.icmp("ne", status, Status.OK), status)
        to = f.gep(to, value_words(probes))
        seats, words = probes.grouping
        for seat in range(seats):
            self._call(f, GROUP, seat, f"ptr {f.gep(to, seat * words)}")
        to = f.gep(to, seats * words)
        if probes.samples:
            place = 1
            for number in probes.measures:
                if number > 1:
                    f.run("watch.course", tally, place, "%winners", to)
                    to = f.gep(to, COURSE_WORDS)
                place += number
        f.ret(Status.OK)
        return f.text()

    def course(self) -> str:
        """`watch.course(tally, place, winners, out)`: write the course of a measure, whose values lie from
        word `place` on in each sample.
        """
        f = FunctionBuilder("watch.course", "*tally place winners *out", "void", noinline=True)
        count = f.load_at("%tally", SAMPLE_COUNT)
        is_single = f.icmp("eq", f.emit_value("call i64 @llvm.ctpop.i64(i64 %winners)"), 1)
        winner = f.select(is_single, f.emit_value("call i64 @llvm.cttz.i64(i64 %winners, i1 false)"), 0)
        half = f.binary("ashr", f.sub(count, 1), 1)
        alone, run, widest = f.alloca(), f.alloca(), f.alloca()
        for at, value in ((alone, -1), (run, 0), (widest, 0)):
            f.store(value, at)
        for word in range(COURSE_WORDS):
            f.store_at(0, "%out", word)
        with f.for_range(0, count) as i:
            sample = self._sample_at(f, "%tally", i)
            values = f.gep(sample, "%place")
            best, least, leaders, leader = self._standing(f, values)
            with f.when(f.icmp("eq", leaders, 1)):
                self._count_change(f, f.load(sample), leader, f.load(alone))
                f.store(leader, alone)
            self._count_run(f, values, i, run)
            lead = f.sub(best, least)
            f.store(f.select(f.icmp("lt", f.load(widest), lead), lead, f.load(widest)), widest)
            leads = f.and_bool(f.icmp("eq", leaders, 1), f.icmp("eq", leader, winner))
            with f.when(f.not_bool(leads)):
                f.store_at(f.add(i, 1), "%out", BEHIND)
            with f.when(f.icmp("eq", i, half)):
                f.store_at(f.zext(f.icmp("ne", f.load_at(values, winner), best)), "%out", COMEBACK)
        total = f.alloca(1, "double")
        f.store("0.0", total, "double")
        with f.for_range(0, count) as i:
            values = f.gep(self._sample_at(f, "%tally", i), "%place")
            best, *_ = self._standing(f, values)
            gap = f.sub(best, f.load_at(values, winner))
            with f.when(f.icmp("gt", gap, 0)):
                a, b = (f.emit_value(f"sitofp i64 {n} to double") for n in (gap, f.load(widest)))
                root = f.emit_value(f"call double @llvm.sqrt.f64(double {f.binary('fdiv', a, b, 'double')})")
                f.store(f.binary("fadd", f.load(total, "double"), root, "double"), total, "double")
                f.store_at(f.add(f.load_at("%out", GAP_COUNT), 1), "%out", GAP_COUNT)
        f.store_at(f.load(total, "double"), "%out", GAP_SUM, "double")
        f.terminate("ret void")
        return f.text()

    def _standing(self, f: FunctionBuilder, values: str) -> tuple[str, str, str, str]:
        """Emit a look at the values of all seats: the best, the least, how many have the best, and the first
        of these.
        """
        best, least, leaders, leader = (f.alloca() for _ in range(4))
        first = f.load(values)
        for at, value in ((best, first), (least, first), (leaders, 1), (leader, 0)):
            f.store(value, at)
        for seat in range(1, self.players):
            value = f.load_at(values, seat)
            f.store(f.select(f.icmp("lt", value, f.load(least)), value, f.load(least)), least)
            with f.when(f.icmp("eq", value, f.load(best))):
                f.store(f.add(f.load(leaders), 1), leaders)
            with f.when(f.icmp("gt", value, f.load(best))):
                for at, now in ((best, value), (leaders, 1), (leader, seat)):
                    f.store(now, at)
        return f.load(best), f.load(least), f.load(leaders), f.load(leader)

    def _count_change(self, f: FunctionBuilder, decider: str, leader: str, before: str) -> None:
        """Emit a count of a lead change, if somebody led alone before and somebody else does now."""
        with f.when(f.and_bool(f.icmp("ge", before, 0), f.icmp("ne", before, leader))):
            f.store_at(f.add(f.load_at("%out", CHANGES), 1), "%out", CHANGES)
            other = f.and_bool(f.icmp("ne", decider, before), f.icmp("ne", decider, leader))
            f.store_at(f.add(f.load_at("%out", KINGS), f.zext(other)), "%out", KINGS)

    def _count_run(self, f: FunctionBuilder, values: str, i: str, run: str) -> None:
        """Emit a count of samples in a row that are equal."""
        same, size = f.alloca(), 1 + value_words(self.probes)
        f.store(f.zext(f.icmp("gt", i, 0)), same)
        with f.when(f.icmp("gt", i, 0)):
            for seat in range(self.players):
                equal = f.icmp("eq", f.load_at(values, seat), f.load_at(values, seat - size))
                f.store(f.binary("and", f.load(same), f.zext(equal)), same)
        f.store(f.add(f.select(f.icmp("eq", f.load(same), 1), f.load(run), 0), 1), run)
        longest = f.load_at("%out", LONGEST)
        f.store_at(f.select(f.icmp("lt", longest, f.load(run)), f.load(run), longest), "%out", LONGEST)
