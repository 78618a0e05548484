"""Lints: what no value allows.

Conditions that the bounds of numbers, the names of an enumeration or other conditions settle; places that no
board has; numbers of components that a game does not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from croupier.diagnostics import Diagnostic, Label, Span, diagnose
from croupier.kernel import types as t
from croupier.kernel.tree import (
    AskStmt,
    AssignStmt,
    BoardExpr,
    CallExpr,
    ChooseStmt,
    CompExpr,
    ConstExpr,
    DrawStmt,
    EnumExpr,
    ForEachStmt,
    IfStmt,
    LocalExpr,
    MapCompExpr,
    ShuffleStmt,
    TypedExpr,
    TypedStmt,
    ZoneExpr,
    root_of,
)
from croupier.semantics.lints.reasons import settled
from croupier.semantics.procedures import Proc
from croupier.semantics.program import BoardDef, PartDef, Program, VarDef, ZoneDef, key_type
from croupier.semantics.ranges import Facts, Ranges, form, keeps_its_value, largest_size, plain
from croupier.semantics.walk import (
    bodies,
    bounds,
    expressions,
    fixed_number,
    may_be_written,
    phase_of,
    standing,
    statements,
)

CONDITIONS = ("and", "or", "not", "is_none", "is_some", "==", "!=", "<", "<=", ">", ">=")
READ = ("state", "attr", "mutable", "field", "zone.size", "index", "param", "local")
"""What has the bounds of its declaration, unlike what is worked out."""
WRITTEN = re.compile(r"[<>=!]=?|\b(?:and|or|not|is)\b")
"""A condition that an author has written holds a sign or a word of comparison; others come from short forms
of the language.
"""


# ---------------------------------------------------------------- conditions that nothing leaves open
def find_settled(program: Program, used: set[tuple[str, str]]) -> Iterable[Diagnostic]:
    """Conditions, and parts of conditions, that have one value wherever they are asked; arguments that a
    parameter does not take all.

    Proves: by the bounds of numbers, by the names of an enumeration, by whether there is a value, and by the
    conditions that are asked before in the same condition. That it is false is also proved by the conditions
    around it and before it, of what keeps its value in the whole procedure; that it is true is not: the last
    `elif` of a chain may say what is left.

    An argument is a number as it was declared, with bounds, and some value between them is none of the type
    of the parameter.

    One report for each condition, or argument. A condition that control never reaches has none: what keeps
    control away from it has been reported.
    """
    found = _Settled(program)
    for proc in program.procs:
        found.of_procedure(proc)
    for hook in program.hooks:
        if hook.guard is not None:
            found.visit(hook.guard, {})
    invariants = {id(x) for _, x, _, _ in program.invariants}
    for x in standing(program):
        # an invariant is meant to hold always: only that it can never hold is worth a report
        found.reported = (False,) if id(x) in invariants else (True, False)
        found.visit(x, {})
    return {(d.code, d.span): d for d in found.reports}.values()


class _Settled:
    """Walks procedures and collects reports."""

    def __init__(self, program: Program) -> None:
        self.program, self.ranges = program, Ranges(program)
        self.reports: list[Diagnostic] = []
        self.fixed: frozenset[int] = frozenset()
        self.own: set[int] = set()  # the conditions of statements, as wholes
        self.reported: tuple[bool, ...] = (True, False)  # the values of conditions that are worth a report
        self.standing_open = _of_any_time(program)
        # parameters of which was reported that some argument does not fit
        self.too_narrow: set[tuple[int, str]] = set()
        self.around: Facts = {}  # what the statements around and before this one show

    # ------------------------------------------------------------ statements
    def of_procedure(self, proc: Proc) -> None:
        """Look through a procedure."""
        whole = list(statements(proc.body))
        changed = {root.slot for s in whole for root in _given_values(self.program, s)}
        self.fixed = frozenset(slot for slot in range(len(proc.slots)) if slot not in changed)
        self.own = {id(x) for s in whole for x in s.conditions()}
        self.block(proc.body, {})

    def block(self, block: list[TypedStmt], facts: Facts) -> Facts | None:
        """The facts behind a block; `None` if nothing goes on behind it."""
        here: Facts | None = facts
        for s in block:
            if here is None:
                return None
            here = self.statement(s, here)
        return here

    def statement(self, s: TypedStmt, facts: Facts, now: Facts | None = None) -> Facts | None:
        """Look through a statement, and give the facts behind it.

        Its own operands are worked out where all of `now` is still known: of an `elif`, what the conditions
        before it have shown.
        """
        here = facts if now is None else now
        self.around = here
        for x in s.reads():
            self.visit(x, here)
        self.around = {}
        if isinstance(s, IfStmt):
            return self.branches(s, facts, here)
        for inner in s.blocks:
            self.block(inner, facts)
        return None if s.FACTS.exits else facts

    def branches(self, s: TypedStmt, facts: Facts, now: Facts) -> Facts | None:
        """An `if`: what is known in both ways, and behind it if one of them leaves."""
        ways: list[Facts | None] = []
        for value, block in ((True, s.blocks[0]), (False, s.blocks[1] if len(s.blocks) > 1 else [])):
            known = self.lasting(s.args[0], value, facts)
            if known is None:
                ways.append(None)
            elif (
                not value
                and len(block) == 1
                and isinstance(block[0], IfStmt)
                and not self.ranges.acts(s.args[0])
            ):
                ways.append(self.statement(block[0], known, self.ranges.assume(s.args[0], False, now)))
            else:
                ways.append(self.block(block, known))
        going_on = [way for way in ways if way is not None]
        if not going_on:
            return None
        return going_on[0] if len(going_on) == 1 else facts

    def lasting(self, condition: TypedExpr, value: bool, facts: Facts) -> Facts | None:
        """Return the facts that a condition shows of what keeps its value; `None` if it cannot have this
        value.
        """
        known = self.ranges.assume(condition, value, facts)
        if known is None:
            return None
        lasting = {form(x) for x in condition.walk() if keeps_its_value(x, self.fixed)}
        return facts | {key: what for key, what in known.items() if key in lasting}

    # ------------------------------------------------------------ expressions
    def visit(self, x: TypedExpr, facts: Facts) -> None:
        """Report every condition in an expression that these facts settle."""
        if x.op == CallExpr.OP and isinstance(x, CallExpr):
            self.arguments(x, facts)
        if x.op in CONDITIONS:
            self.condition(x, facts)
        elif isinstance(x.type, t.Bool) and self.ranges.truth(x, facts) is False and form(x) in facts:
            self.report(x, False, facts)
        elif isinstance(x, (CompExpr, MapCompExpr)):
            self.comprehension(x, facts)
        elif x.op == "if" and len(x.args) == 3:
            self.visit(x.args[0], facts)
            for value, way in ((True, x.args[1]), (False, x.args[2])):
                known = self.ranges.assume(x.args[0], value, facts)
                if known is not None:
                    self.visit(way, known)
        else:
            for a in x.args:
                self.visit(a, facts)

    def arguments(self, x: CallExpr, facts: Facts) -> None:
        """Numbers that a call gives as they were declared, and that its parameter does not take all."""
        proc = self.program.procs[x.proc]
        for given, parameter in zip(x.args, proc.params, strict=False):
            wanted, kind = parameter.type, given.type
            if (
                parameter.var
                or not isinstance(wanted, t.Int)
                or not isinstance(kind, t.Int)
                or plain(given).op not in READ
            ):
                continue
            bounds = self.ranges.interval(given, facts)
            if (
                bounds.low is None
                or bounds.high is None
                or kind.low_exact is not None
                or kind.high_exact is not None
            ):
                continue
            takes_all = (wanted.low is None or bounds.low >= wanted.low) and (
                wanted.high is None or bounds.high <= wanted.high
            )
            if takes_all or (x.proc, parameter.name) in self.too_narrow:
                continue
            self.too_narrow.add((x.proc, parameter.name))
            label = Label(proc.span, "declared here")
            may_be = (
                f"write `{parameter.name}: {t.Int(bounds.low, bounds.high)}` in the head of "
                f"`{proc.name}` if it may be so"
            )
            greatest = wanted.high is not None and bounds.high > wanted.high
            limit = (
                f"`min({given.span.text}, {wanted.high})`"
                if greatest
                else f"`max({given.span.text}, {wanted.low})`"
            )
            help = f"{may_be}; otherwise {limit} here"
            found = diagnose(
                "L018",
                given.span,
                name=parameter.name,
                of=proc.name,
                wanted=wanted,
                given=bounds,
                labels=[label],
                help=help,
            )
            self.reports.append(found)

    def condition(self, x: TypedExpr, facts: Facts) -> None:
        """A condition: itself, or else its parts."""
        value = self.ranges.truth(x, {} if x.span in self.standing_open else facts)
        if value is True:
            value = self.ranges.truth(
                x, {key: known for key, known in facts.items() if self.around.get(key) != known}
            )
        if value is not None and self.is_written(x):
            self.report(x, value, facts)
            return
        known: Facts | None = facts
        for part in x.args:
            self.visit(part, known if known is not None else facts)
            if x.op in ("and", "or") and known is not None:
                known = self.ranges.assume(part, x.op == "and", known)

    def report(self, x: TypedExpr, value: bool, facts: Facts) -> None:
        """Report a condition with its one value."""
        if value in self.reported:
            known = {} if self.ranges.truth(x) is value else facts
            self.reports.append(settled(self.ranges, x, value, known))

    def comprehension(self, x: CompExpr | MapCompExpr, facts: Facts) -> None:
        """Visit a comprehension, whose condition holds of each element."""
        count = len(x.slots)
        for source in x.args[:count]:
            self.visit(source, facts)
        known: Facts | None = facts
        rest = x.args[count:]
        if x.has_condition:
            self.visit(rest[0], facts)
            known, rest = self.ranges.assume(rest[0], True, facts), rest[1:]
        for part in rest:
            self.visit(part, facts if known is None else known)

    def is_written(self, x: TypedExpr) -> bool:
        """Tell whether the author has written an expression as a condition.

        Short forms of the language become conditions that nobody wrote. What is settled as the condition of a
        statement, whatever is known before it, counts in any case.
        """
        if id(x) in self.own and self.ranges.truth(x) is not None:
            return True
        whole, end, between = x.span, x.span.start, ""
        for part in sorted((a.span for a in x.args), key=lambda span: span.start):
            if part.start < whole.start or part.end > whole.end:
                return False
            between += whole.source.text[end : part.start]
            end = max(end, part.end)
        between += whole.source.text[end : whole.end]
        return WRITTEN.search(between) is not None and not any(
            isinstance(a, ConstExpr) and isinstance(a.value, bool) for a in x.args
        )


def _of_any_time(program: Program) -> frozenset[Span]:
    """The places of conditions in options that stand open at any time: they are written once, and asked
    wherever somebody decides.
    """
    asking = (s for _, s in bodies(program) if isinstance(s, AskStmt))
    options = (o for s in asking for o in s.sources() if o.item is not None)
    parts = (x for o in options for x in (*o.tests, *(source for _, source in o.bindings)))
    return frozenset(y.span for x in parts for y in x.walk())


def _given_values(program: Program, s: TypedStmt) -> Iterator[LocalExpr]:
    """The locals that a statement gives another value: assigned to, added to, given as a `var` argument."""
    roots = (root_of(place) for place in may_be_written(program, s))
    return (root for root in roots if isinstance(root, LocalExpr))


# ---------------------------------------------------------------- places that no board has
PLACES = {"board.at": ("row", "column"), "board.row": ("row",), "board.column": ("column",)}
"""By an operation what it counts on a board."""


def find_off_board(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Cells and straight runs that a board of this size cannot have.

    Proves: the board is a rectangle whose sizes are constants, and the number of the row or column, or the
    length, is above all of them or below 1. Invariants may say so on purpose.

    One report for each such number.
    """
    ranges = Ranges(program)
    invariants = {id(x) for _, x, _, _ in program.invariants}
    for x in (y for whole in expressions(program) if id(whole) not in invariants for y in whole.walk()):
        if x.op in ("index", "item") and x.args[0].op == "players":
            lowest, most_players = ranges.interval(x.args[1], {}).low, max(program.players)
            if lowest is not None and lowest > most_players:
                size = (
                    f"{most_players} players at most"
                    if len(program.players) > 1
                    else f"{most_players} players"
                )
                yield diagnose(
                    "L039",
                    x.args[1].span,
                    board="players",
                    what=f"entry {x.args[1].span.text}",
                    size=size,
                )
        is_on_board = x.op in (*PLACES, "board.lines") and x.args
        board = _board(program, x.args[0]) if is_on_board else None
        if board is None:
            continue
        rows, columns = _extent(board)
        if rows is None or columns is None:
            continue
        for number, word, greatest in _measured(x, rows, columns):
            bounds = ranges.interval(number, {})
            beyond = (bounds.low is not None and bounds.low > greatest) or (
                bounds.high is not None and bounds.high < 1
            )
            if beyond:
                size = f"{rows} row{'s' * (rows != 1)} and {columns} column{'s' * (columns != 1)}"
                labels = [Label(board.span, "declared here")]
                help = None if x.op == "board.lines" else f"write a number from 1 to {greatest}"
                yield diagnose(
                    "L039", number.span, board=board.name, what=word, size=size, labels=labels, help=help
                )


def _measured(x: TypedExpr, rows: int, columns: int) -> Iterator[tuple[TypedExpr, str, int]]:
    """The numbers that an expression takes as places on a board or as a length: what each is called, and the
    greatest that there is.
    """
    if x.op == "board.lines":
        yield x.args[1], f"straight run of {x.args[1].span.text} cells", max(rows, columns)
    greatest = {"row": rows, "column": columns}
    for number, word in zip(x.args[1:], PLACES.get(x.op, ()), strict=False):
        yield number, f"{word} {number.span.text}", greatest[word]


def _board(program: Program, x: TypedExpr) -> BoardDef | None:
    found = program.boards.get(x.name) if isinstance(x, BoardExpr) else None
    plain_rectangle = (
        found is not None
        and found.shape == "rectangle"
        and not found.is_growing
        and not isinstance(found, PartDef)
    )
    return found if plain_rectangle else None


def _extent(board: BoardDef) -> tuple[int | None, int | None]:
    """The most rows and columns that a board can have."""
    return bounds(board.rows or board.size).high, bounds(board.columns or board.size).high


# ---------------------------------------------------------------- declarations that hold nothing
def find_nothing_held(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Zones for nothing, components that are nowhere, and owners of what belongs to nobody.

    Proves: the capacity of a zone is 0; or no zone begins with components of a class and no expression of the
    ruleset names its components; or `owner` says who sees a zone, its number or a variable of the state that
    is declared once for all, so that nobody owns it.

    One report for each declaration.
    """
    for zone in program.zones.values():
        if zone.capacity is not None and bounds(zone.capacity).high == 0:
            yield diagnose("L041", zone.capacity.span, zone=zone.name)
    yield from _nowhere(program)
    yield from _without_owner(program)


def _nowhere(program: Program) -> Iterator[Diagnostic]:
    """Classes none of whose components lie anywhere when a game begins, or come from a rule."""
    begin = {kind for zone in program.zones.values() if zone.start == "all" for kind in zone.kinds}
    named = {kind for x in expressions(program) for y in x.walk() for kind in _classes_of(y)}
    for name, of in program.classes.items():
        holding = [zone for zone in program.zones.values() if name in zone.kinds]
        if name not in begin | named and holding and not of.live_anywhere:
            yield diagnose("L038", of.span, kind=name, zone=holding[0].name)


def _classes_of(x: TypedExpr) -> frozenset[str]:
    """The classes whose components an expression names itself, wherever they lie: all of a class, one by its
    id or label.
    """
    if x.op in ("class", "component", "labelled") and isinstance(x.type, (t.Component, t.Collection)):
        base = x.type.base if isinstance(x.type, t.Collection) else x.type
        return base.kinds if isinstance(base, t.Component) else frozenset()
    return frozenset()


def _without_owner(program: Program) -> Iterator[Diagnostic]:
    zones = [z for z in program.zones.values() if z.name not in program.boards]
    variables = [v for v in program.vars.values() if v.of_class is None]
    audiences: list[tuple[ZoneDef | VarDef, str, TypedExpr]] = [
        *((z, key, x) for z in zones for key, x in (("seen_by", z.seen_by), ("counted_by", z.counted_by))),
        *((v, "seen by", v.seen_by) for v in variables),
    ]
    for thing, key, audience in audiences:
        is_owner = isinstance(audience, EnumExpr) and audience.name in ("owner", "others")
        if is_owner and not isinstance(key_type(thing), t.Player):
            kind = "zone" if isinstance(thing, ZoneDef) else "state"
            labels = [Label(thing.span, "declared here")]
            yield diagnose("L037", audience.span, kind=kind, name=thing.name, key=key, labels=labels)


# ---------------------------------------------------------------- statements that do nothing
def find_nothing_done(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Loops that never run, draws and choices of no component, assignments that change nothing.

    Proves: there is nothing in what the loop goes through, or the greatest number that is drawn or chosen is
    0, in every position; or an assignment gives a variable what it holds.

    One report for each statement, and for each class without components.
    """
    ranges = Ranges(program)
    for _, s in bodies(program):
        if isinstance(s, ForEachStmt) and not s.endless and ranges.most(s.args[0]) == 0:
            yield _endless_nothing(s.args[0])
        if isinstance(s, AssignStmt) and _keeps(s):
            help = "write the value that it is to get, or remove the line"
            what = "this changes nothing: it gives the value that is there"
            yield diagnose("L043", s.span, what=what, help=help)
        number = _how_many(s)
        greatest = bounds(number).high
        if number is not None and greatest is not None and greatest < 1:
            what = "drawn" if isinstance(s, DrawStmt) else "chosen"
            help = f"write how many are {what}, 1 or more, or remove the line"
            what = f"nothing is {what}: the number is {t.in_words(bounds(number))}"
            yield diagnose("L043", number.span, what=what, help=help)
    for name, of in program.classes.items():
        if of.copies is not None and bounds(of.copies).high == 0:
            help = f"write how many there are, 1 or more, or remove `{name}`"
            what = f"there is no `{name}` in any game: the number is 0"
            yield diagnose("L043", of.copies.span, what=what, help=help)


def _endless_nothing(through: TypedExpr) -> Diagnostic:
    """The report of a loop that never runs: most often the numbers of a range stand in the wrong order."""
    numbers = re.fullmatch(r"(\d+)\s*\.\.\s*(\d+)", through.span.text)
    if numbers is None:
        what = "this loop never runs: there is nothing to go through"
        help = "write what the loop is to go through, or remove it with the rules below it"
    else:
        what = f"this loop never runs: `{through.span.text}` holds no number, because two dots count upwards"
        upwards = f"{numbers[2]}..{numbers[1]}"
        help = f"write `{upwards}`; to count down, `({upwards}).reversed`"
    return diagnose("L043", through.span, what=what, help=help)


def _how_many(s: TypedStmt) -> TypedExpr | None:
    """The greatest number of components that a statement draws or lets choose."""
    if isinstance(s, DrawStmt):
        return s.args[0]
    return s.choice.high if isinstance(s, ChooseStmt) else None


def _keeps(s: TypedStmt) -> bool:
    """Tell whether an assignment gives a variable the value that it has: itself, or itself and nothing
    more.
    """
    target, value = form(s.args[0]), plain(s.args[-1])
    if form(value) == target:
        return True
    adds = value.op in ("+", "-") and len(value.args) == 2 and form(value.args[0]) == target
    return adds and isinstance(value.args[1], ConstExpr) and value.args[1].value == 0


# ---------------------------------------------------------------- more than there is
def find_short_deals(program: Program, used: set[tuple[str, str]]) -> Iterable[Diagnostic]:
    """Draws of more than there is: at the beginning of a game, or at once; and into zones that have less
    room.

    Proves: the game begins with these statements, one after another, and nothing else has happened; the zone
    began with all components of its classes, whose number is the same in every game; and the numbers that are
    drawn are constants. Or more is drawn at once than such classes have components, or than the capacity of
    the zone where it goes.

    One report for each draw, with the smallest number of players for which there is too little.
    """
    found: dict[int, Diagnostic] = {}  # by the place of the draw
    for _, s in bodies(program):
        if isinstance(s, DrawStmt):
            found.update((s.span.start, d) for d in _at_once(program, s))
    for players in sorted(program.players):
        for draw, needed, there in _deals(program, players):
            zone = draw.args[1]
            if needed > there and draw.span.start not in found and isinstance(zone, ZoneExpr):
                label = Label(program.zones[zone.name].span, f"{there} at the beginning")
                drawn = f"with {players} players {needed} components are drawn from `{zone.name}` up to here"
                found[draw.span.start] = diagnose(
                    "L042", draw.span, drawn=drawn, there=f"it has {there}", labels=[label]
                )
    return found.values()


def _at_once(program: Program, draw: DrawStmt) -> Iterator[Diagnostic]:
    """One draw that takes more than can be there, or more than the zone where it goes has room for."""
    count, source, target = bounds(draw.args[0]).low, draw.args[1], draw.args[2]
    if count is None:
        return
    most_there = largest_size(program, source)
    if most_there is not None and count > most_there and isinstance(source, ZoneExpr):
        drawn = f"{_drawn(count)} drawn from `{source.name}`"
        yield diagnose("L042", draw.args[0].span, drawn=drawn, there=f"it has {most_there} at most")
    room = program.zones[target.name].capacity if isinstance(target, ZoneExpr) else None
    places = bounds(room).high
    if isinstance(target, ZoneExpr) and room is not None and places is not None and count > places > 0:
        drawn, there = f"{_drawn(count)} drawn to `{target.name}`", f"it has room for {places}"
        labels = [Label(room.span, "declared here")]
        help = f"draw {places} at most, or raise the `capacity`"
        yield diagnose("L042", draw.args[0].span, drawn=drawn, there=there, labels=labels, help=help)


def _drawn(count: int) -> str:
    return "1 component is" if count == 1 else f"{count} components are"


def _deals(program: Program, players: int) -> Iterator[tuple[DrawStmt, int, int]]:
    """The draws with which a game begins: each with how much is drawn from its zone up to then, and how much
    lay there.
    """
    needed: dict[str, int] = {}
    for draw, times in _repeated(_first_statements(program), players, 1):
        zone = draw.args[1] if draw is not None else None
        if draw is None or not isinstance(zone, ZoneExpr):
            return
        there, count = _at_the_beginning(program, zone), fixed_number(draw.args[0])
        if there is None or count is None:
            return
        needed[zone.name] = needed.get(zone.name, 0) + count * times
        yield draw, needed[zone.name], there


def _repeated(block: Iterable[TypedStmt], players: int, times: int) -> Iterator[tuple[DrawStmt | None, int]]:
    """The draws of a block, in loops over all players or a range of constants too, with how often each runs;
    `None` at what is something else.
    """
    for s in block:
        if isinstance(s, DrawStmt):
            yield s, times
        elif (
            isinstance(s, ForEachStmt)
            and not s.endless
            and len(s.args) == 1
            and (count := _rounds(s.args[0], players)) is not None
        ):
            yield from _repeated(s.blocks[0], players, times * count)
        elif not isinstance(s, ShuffleStmt):
            yield None, times
            return


def _rounds(source: TypedExpr, players: int) -> int | None:
    """Return the number of rounds of a loop; `None` where it is not certain."""
    if source.op == "players":
        return players
    first, last = map(fixed_number, source.args) if source.op == "range" else (None, None)
    return None if first is None or last is None else max(0, last - first + 1)


def _first_statements(program: Program) -> Iterator[TypedStmt]:
    """The statements of the phases that a game begins with."""
    for s in program.main.body if program.main is not None else ():
        phase = phase_of(program, s)
        if phase is None:
            return
        yield from phase.body


def _at_the_beginning(program: Program, zone: ZoneExpr) -> int | None:
    """Return the number of components that a zone begins with; `None` unless it begins with all of its
    classes and their number is the same in every game.
    """
    found = program.zones[zone.name]
    return (
        largest_size(program, zone)
        if found.start == "all" and found.key is None and found.capacity is None
        else None
    )
