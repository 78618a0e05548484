"""Lints: what is declared and never used, read, reached or cited; hooks that do nothing; what is shown
outside of a secret; what the native back end does not take.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from croupier.diagnostics import Diagnostic, Label, Span, diagnose
from croupier.kernel import types as t
from croupier.kernel.facts import Leaves
from croupier.kernel.tree import (
    AskStmt,
    BoardExpr,
    CallExpr,
    ChooseStmt,
    ConstExpr,
    DoStmt,
    FinishStmt,
    ForEachStmt,
    LetStmt,
    LocalExpr,
    MenuStmt,
    OriginalExpr,
    RepeatStmt,
    StateExpr,
    TypedExpr,
    TypedStmt,
    ZoneExpr,
    root_of,
)
from croupier.limits import MAX_TABLED_LINES
from croupier.resolve import ResolvedRuleset
from croupier.schema import Phase, Text
from croupier.semantics.infoflow import analyse
from croupier.semantics.lints.loops import is_in_vain, waited_for
from croupier.semantics.procedures import Hook, Proc
from croupier.semantics.program import PartDef, Program, VarDef, is_nobody
from croupier.semantics.ranges import Ranges
from croupier.semantics.walk import (
    bodies,
    exits,
    expressions,
    finishes,
    fixed_number,
    locals_in,
    may_be_written,
    meanwhile,
    parts,
    phase_of,
    reached,
    state_in,
    statement_call,
    statements,
)


def find_unused(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Declared and never used: parameters, types, components, boards, zones, state, definitions, windows,
    claims.

    Proves: no expression, statement or declaration that the checker read names it, and no power of it is in
    force wherever it lies.

    One report for each declaration that nothing names.
    """
    used = used | {
        ("board", b.of)
        for b in program.boards.values()
        if isinstance(b, PartDef) and ("board", b.name) in used
    }
    for kind, name, span in _declarations(program):
        if (kind, name) not in used:
            yield diagnose("L001", span, kind=kind, name=name, help=_use(program, kind, name))
    offered = {o.claim for _, s in bodies(program) if isinstance(s, MenuStmt) for o in s.menu.options}
    for c in program.claims:
        if c.name not in offered:
            yield diagnose("L001", c.span, kind="claim", name=c.name, help=_use(program, "claim", c.name))


def _use(program: Program, kind: str, name: str) -> str:
    """Say what to write so that a declaration is used."""
    match kind:
        case "parameter" if isinstance(program.params[name].type, t.Int):
            return f"write `{name}` in a rule, in place of a number, or remove the parameter"
        case "parameter":
            return f"ask for `{name}` in a rule, or remove the parameter"
        case "type":
            return f"say `{name}` where something is one of these (`x: {name}`), or remove the type"
        case "component":
            return f"let a zone hold it (`holds: {name}`), or remove the component"
        case "zone":
            return f"let a rule move something to `{name}` or take something from it, or remove the zone"
        case "state":
            return f"give `{name}` a value in a rule and ask for it, or remove it"
        case "definition":
            parameters = ", ".join(parameter.name for parameter in program.defs[name].params)
            return f"call it in a rule, `{name}({parameters})`, or remove the definition"
        case "claim":
            return f"let players say it in a rule (`claim …`), or remove `{name}`"
        case "window":
            return f"open it in a rule (`open {name}(…) to …`), or remove the window"
    return f"let a rule ask for `{name}`, or remove the {kind}"


def _declarations(program: Program) -> Iterator[tuple[str, str, Span]]:
    yield from (("parameter", name, p.span) for name, p in program.params.items() if not p.labels_only)
    yield from (("type", name, e.span) for name, e in program.enums.items() if e.span is not None)
    yield from (("type", name, r.span) for name, r in program.records.items())
    powered = {h.component[0] for h in program.hooks if h.component is not None}
    yield from (
        ("component", name, k.span)
        for name, k in program.classes.items()
        if not (k.live_anywhere and name in powered)
    )
    yield from (("board", name, b.span) for name, b in program.boards.items() if not isinstance(b, PartDef))
    boards = set(program.boards)
    zones = {
        name: z
        for name, z in program.zones.items()
        if not (z.live and z.start is not None and z.kinds & powered)
    }
    yield from (
        ("zone", name, z.span) for name, z in zones.items() if z.start != "all" and name not in boards
    )
    yield from (("state", name, v.span) for name, v in program.vars.items() if v.of_class is None)
    yield from (("definition", name, d.span) for name, d in program.defs.items())
    yield from (("window", name, w.span) for name, w in program.windows.items())


# ---------------------------------------------------------------- unread values
_NAMED = re.compile(r"(?:let|var)\s+(\w+)")


def find_unread(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """State that is only ever set, and locals that nobody reads.

    Proves: no expression reads the variable except to give it its own next value, and no player sees it; no
    expression of the procedure reads the local. What is chosen or drawn is known to the players, read or not.

    State and locals that are set and never read.
    """
    for name in _unread_state(program):
        if ("state", name) in used:
            yield diagnose("L002", program.vars[name].span, name=name)
    for proc in program.procs:
        yield from _unread_locals(program, proc)


def _unread_state(program: Program) -> Iterator[str]:
    hidden = [
        name
        for name, v in program.vars.items()
        if v.of_class is None and v.sight is None and is_nobody(v.seen_by)
    ]
    if not hidden:
        return
    writes = _written(s for _, s in bodies(program))
    read = state_in(x for whole in expressions(program) for x in _walk(whole, writes))
    yield from (name for name in hidden if name not in read)


def _written(whole: Iterable[TypedStmt]) -> set[int]:
    """The ids of the variables that statements write, which they may read only to write them again
    (`n += 1`).
    """
    return {id(root_of(s.target)) for s in whole if s.target is not None}


def _walk(x: TypedExpr, but: set[int]) -> Iterator[TypedExpr]:
    if id(x) not in but:
        yield x
        for a in x.args:
            yield from _walk(a, but)


def _after_sign(text: str) -> str:
    """Return the text behind the first `=` of a statement, on one line."""
    return " ".join(text.partition("=")[2].split())


def _unread_locals(program: Program, proc: Proc) -> Iterator[Diagnostic]:
    whole = list(statements(proc.body))
    writes = _written(whole)
    read = locals_in(x for s in whole for o in s.reads() for x in _walk(o, writes))
    for s in whole:
        if not isinstance(s, LetStmt) or s.slot in read:
            continue
        name = _NAMED.match(s.span.text)
        if name is not None and name.group(1) == proc.slots[s.slot] != "_":
            call = statement_call(s)
            acts = call is not None and (
                isinstance(call, OriginalExpr) or program.procs[call.proc].effect != "pure"
            )
            help = f"use the answer, or call it without `let`: `{_after_sign(s.span.text)}`" if acts else None
            place = Span(s.span.source, s.span.start + name.start(1), s.span.start + name.end(1))
            yield diagnose("L003", place, name=name.group(1), help=help)


# ---------------------------------------------------------------- state that never changes
def find_unchanging(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """State that conditions ask for and that keeps its first value.

    Proves: no statement writes the variable and no call gets it as a `var` argument; a condition reads it;
    and it begins with no value that an author wrote down, or is a `bool` that begins with a constant. Other
    values that are written down may be meant as names of constants. What only the condition of a loop reads
    is reported there.

    One report for each variable.
    """
    roots = (root_of(x) for _, s in bodies(program) for x in may_be_written(program, s))
    changed = state_in(roots)
    asked = state_in(x for whole in _conditions(program) for x in whole.walk())
    for name, v in program.vars.items():
        if v.of_class is None and name in asked and name not in changed and _has_no_choice(v):
            yield diagnose("L004", v.span, name=name)


def _conditions(program: Program) -> Iterator[TypedExpr]:
    """Yield the conditions of what happens, is chosen or is offered; those of loops left out."""
    for _, s in bodies(program):
        if not s.FACTS.loops:
            yield from s.conditions()
    yield from (h.guard for h in program.hooks if h.guard is not None)
    yield from (w.value for w in program.watchers if w.kind == "end")


def _has_no_choice(v: VarDef) -> bool:
    """Tell whether a variable begins with what nobody wrote down, or with a constant `bool`."""
    return v.start is None or (isinstance(v.type, t.Bool) and isinstance(v.start, ConstExpr))


# ---------------------------------------------------------------- definitions that are not reached
def find_unreached(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Definitions and windows that no game reaches.

    Proves: the definition or window is named somewhere, but only where nothing leads to from a phase, a
    watcher or a declaration: in definitions that are never called themselves, or by hooks that listen to it.

    One report for each; what nothing names at all is reported as unused.
    """
    alive = reached(program)
    for kind, table, verb in (("definition", program.defs, "called"), ("window", program.windows, "opened")):
        for name, proc in table.items():
            if proc.index not in alive and (kind, name) in used:
                hooks = [h for h in program.hooks if h.target == proc.index]
                labels = [Label(h.proc.span, "so this never happens") for h in hooks[:4]]
                yield diagnose("L011", proc.span, kind=kind, name=name, verb=verb, labels=labels)


# ---------------------------------------------------------------- phases that are not reached
def find_unreachable(program: Program, used: set[tuple[str, str]]) -> Iterable[Diagnostic]:
    """Phases that no game reaches.

    Proves: a phase before it never comes to its end, because every way through it ends the game, or because
    it is a loop without end that nothing leaves.

    The first phase after each one that never ends.
    """
    return [] if program.main is None else _Phases(program).walk(program.main.body)


class _Phases:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.hooked = {h.target for h in program.hooks}

    def walk(self, block: list[TypedStmt]) -> Iterator[Diagnostic]:
        for i, s in enumerate(block):
            for inner in s.blocks:
                yield from self.walk(inner)
            if i + 1 < len(block) and self.never_ends(s, frozenset()):
                last, following = self.phase(s), block[i + 1]
                label = Label(last.span, "this never comes to its end")
                yield diagnose("L010", self.phase(following).span, name=self.name(following), labels=(label,))
                break

    def phase(self, s: TypedStmt) -> TypedStmt:
        """The first phase of a group."""
        return next((x for x in s.walk() if isinstance(x, DoStmt)), s)

    def name(self, s: TypedStmt) -> str:
        phase = phase_of(self.program, self.phase(s))
        return "this" if phase is None else phase.name

    def never_ends(self, s: TypedStmt, calling: frozenset[int]) -> bool:
        """Tell whether control surely does not come out behind this statement."""
        match s:
            case FinishStmt():
                return True
            case DoStmt() if isinstance(s.args[0], CallExpr) and not isinstance(s.args[0], OriginalExpr):
                return self.never_returns(s.args[0].proc, calling)
            case AskStmt():
                ways = [o.block for o in s.sources()]
                ways += [] if s.otherwise is None else [s.otherwise]
                is_open = s.opens is not None or not ways
                return not is_open and all(self.block_never_ends(b, calling) for b in ways)
            case _ if s.FACTS.loops:
                return is_endless(s) and not is_left(s)
        return bool(s.blocks) and all(self.block_never_ends(b, calling) for b in s.blocks)

    def block_never_ends(self, block: list[TypedStmt], calling: frozenset[int]) -> bool:
        return any(self.never_ends(s, calling) for s in block)

    def never_returns(self, index: int, calling: frozenset[int]) -> bool:
        proc = self.program.procs[index]
        if (
            index in calling
            or index in self.hooked
            or any(s.facts.leaves is Leaves.PROCEDURE for s in statements(proc.body))
        ):
            return False
        return self.block_never_ends(proc.body, calling | {index})


def is_endless(s: TypedStmt) -> bool:
    """Tell whether a loop runs until a statement ends it."""
    if isinstance(s, ForEachStmt):
        return s.endless and not s.conditions()
    return isinstance(s, RepeatStmt) and not s.args


def is_left(loop: TypedStmt) -> bool:
    """Tell whether a `break` or `return` leaves a loop."""
    return any(s.facts.leaves is not Leaves.ROUND for s in exits(loop.blocks[0]))


# ---------------------------------------------------------------- loops without end
def find_endless(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Games that cannot end, and loops that nothing can leave.

    Proves: no `finish` stands in anything that a game can reach; or a loop without end has no `break`, no
    `return` and no `finish` in it, in what it calls and in the hooks, windows and watchers that may act
    meanwhile; or the condition of a `repeat until` reads nothing that may change while the loop runs
    (`loops.py`). That a `finish` ends the game from within makes the condition no better; one that `break`
    leaves is left alone.

    One report for a game without end, otherwise one for each loop.
    """
    alive = reached(program)
    if not finishes(s for i in alive for s in statements(program.procs[i].body)):
        whole = statements([] if program.main is None else program.main.body)
        phases = [s for s in whole if isinstance(s, DoStmt)]
        yield from (diagnose("L012", s.span) for s in phases[-1:])
        return
    ranges = Ranges(program)
    watchers_finish = finishes(s for w in program.watchers for s in statements(w.proc.body))
    for proc, s in bodies(program):
        if isinstance(s, RepeatStmt) and s.args:
            if (
                not watchers_finish
                and ranges.truth(s.args[0]) is None
                and not is_left(s)
                and is_in_vain(program, s)
            ):
                yield diagnose("L014", s.args[0].span, what=waited_for(proc, s.args[0]))
        elif is_endless(s) and proc.index in alive and not watchers_finish:
            if not is_left(s) and not finishes(meanwhile(program, s)):
                yield diagnose("L013", s.span)


# ---------------------------------------------------------------- rules that are not cited
def find_uncited(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Rule texts that cite no rule, where the ruleset names a rule list.

    Proves: no citation stands in the text, none in the `cites` of what it belongs to or of the groups around
    that. The rule texts are phases, sections of definitions, powers and scoring; a section whose definitions
    only give values may help several rules, and needs none. Of variants only what the first one extends is
    looked at, because a house rule stands in no rulebook.

    One report for each such text.
    """
    doc = program.resolved
    if not program.rule_ids or doc is None:
        return
    own = set(_of_variants(doc))
    help = _help(program)
    places = [span for spans in program.cited.values() for span in spans]
    for what, span, cited in _texts(doc):
        if cited or span.source.name in own or any(_inside(place, span) for place in places):
            continue
        if not _gives_values(program, span):
            yield diagnose("L040", _head(span), what=what, help=help)


def _gives_values(program: Program, text: Span) -> bool:
    """Tell whether a text has definitions only, none of which acts."""
    inside = [proc for proc in program.procs if _inside(proc.span, text)]
    return bool(inside) and all(proc.kind == "def" and proc.effect == "pure" for proc in inside)


def _of_variants(doc: ResolvedRuleset) -> Iterator[str]:
    """The names of the files of a variant, and of all variants that it extends."""
    while doc is not None and doc.base is not None:
        yield from (source.name for source in doc.own_sources)
        doc = doc.base


def _help(program: Program) -> str:
    """Say how to cite.

    No id is proposed: which rule a text states, only its author knows.
    """
    listed = program.resolved.rule_list.values() if program.resolved is not None else ()
    place = next((f"`{entry.span.source.name.rsplit('/', 1)[-1]}`" for entry in listed), "the rule list")
    return f"cite the rule that it states at the end of a line: `@` and its id in {place}"


def _texts(doc: ResolvedRuleset) -> Iterator[tuple[str, Span, bool]]:
    """Every rule text: what it is, where it stands, whether something around it cites."""
    yield from _phase_texts(doc.phases, False)
    for d in doc.definitions:
        yield "these definitions" if d.title is None else f"the definitions `{d.title.text}`", d.span, False
    for name, component in doc.components:
        rows = {
            row.id.text: bool(row.cites)
            for row in (component.table.rows if component.table is not None else ())
            if row.id is not None
        }
        for id, text in component.all_powers:
            cited = bool(component.cites) or (id is not None and rows.get(id.text, False))
            yield f"the powers of `{name.text if id is None else id.text}`", text.span, cited
    if doc.scoring is not None:
        yield "the scoring", doc.scoring.span, False


def _phase_texts(phases: Iterable[tuple[Text, Phase]], cited: bool) -> Iterator[tuple[str, Span, bool]]:
    for name, phase in phases:
        here = cited or bool(phase.cites)
        if phase.text is not None:
            yield f"phase `{name.text}`", phase.text.span, here
        yield from _phase_texts(phase.phases, here)


def _inside(place: Span, text: Span) -> bool:
    return place.source is text.source and text.start <= place.start < text.end


def _head(span: Span) -> Span:
    """The first line of a text that is more than the sign of a block."""
    text = span.text
    start = 0
    while start < len(text) and (text[start] in "|>+-0123456789 \n\r" or text[start] == "#"):
        start = text.find("\n", start) if text[start] == "#" and "\n" in text[start:] else start + 1
    end = text.find("\n", start)
    return Span(span.source, span.start + start, span.start + (len(text) if end < 0 else end))


# ------------------------------------------------------------ hooks and effects
def find_idle(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Cards and other components whose effect can never trigger.

    Proves: the powers of a component are in force only in live zones (it is not `live: anywhere`), and there
    is none that can hold it, or none that anything ever comes to: nothing starts there and no statement moves
    anything there; or the condition of the effect is always false; or it is an `at any time` by the owner,
    and no such zone has an owner.

    One report for a component, or for each effect whose condition never holds.
    """
    ranges, entered = Ranges(program), _entered(program)
    dead: set[str] = set()
    for hook in program.hooks:
        if (
            hook.guard is not None
            and not isinstance(hook.guard, ConstExpr)
            and ranges.truth(hook.guard) is False
        ):
            yield diagnose(
                "L025",
                hook.guard.span,
                what=_called(hook),
                why="its condition is always false",
                help="correct the condition",
            )
        if (
            hook.component is None
            or hook.component[0] in dead
            or program.classes[hook.component[0]].live_anywhere
        ):
            continue
        kind = hook.component[0]
        live = [z for z in program.zones.values() if z.live and kind in z.kinds]
        if any(z.name in entered or z.start is not None for z in live):
            continue
        dead.add(kind)
        lying = [z for z in program.zones.values() if kind in z.kinds]
        labels = [Label(z.span, "nothing ever comes here") for z in live] or [
            Label(z.span, "this is not live") for z in lying
        ]
        why = "nothing ever comes to a live zone that holds it" if live else "no zone that holds it is live"
        yield diagnose("L025", hook.proc.span, what=f"the effects of `{kind}`", why=why, labels=labels)
    for span, kind in program.silent.items():
        lying = [z for z in program.zones.values() if kind in z.kinds and kind not in dead]
        owned = any(z.live for z in lying) or program.classes[kind].live_anywhere
        why = (
            "it is the owner's, and no live zone per player holds the component"
            if owned
            else "no zone that holds the component is live"
        )
        help = "write `live: true` in a zone `per: Player`" if owned else None
        labels = [Label(z.span, "this has no owner" if z.live else "this is not live") for z in lying]
        if lying:
            what = f"the `at any time` of `{kind}`"
            yield diagnose("L025", span, what=what, why=why, labels=labels, help=help)


def _called(hook: Hook) -> str:
    return "this" if hook.component is None else f"this effect of `{hook.component[1] or hook.component[0]}`"


def _entered(program: Program) -> set[str]:
    """The zones that something may come to: targets of moves, and those handed to a definition."""
    entered: set[str] = set()
    for _, s in bodies(program):
        calls = (x for x in parts((s,)) if isinstance(x, CallExpr))
        places = [*(s.args[i] for i in s.FACTS.into if i < len(s.args)), *(a for x in calls for a in x.args)]
        entered |= {x.name for place in places for x in place.walk() if isinstance(x, ZoneExpr)}
    return entered


# ---------------------------------------------------------------- secrets
def find_unheard(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Find what is shown or told in a `secretly` to somebody who may be outside of it.

    Proves of a ruleset without a report: where the players of a `secretly` are named one by one, or are all
    but one, whoever something is shown or told to in its block is certainly one of them. Nothing is said
    where they are worked out in another way, nor of what the block calls.

    One report for each `show` or `tell`.
    """
    receivers = (r for of in analyse(program).found for _, r in sorted(of.excluded_receivers.items()))
    for receiver in receivers:
        label = Label(receiver.block, "only they perceive what happens in this block")
        yield diagnose("L033", receiver.span, word=receiver.word, labels=(label,))


# ---------------------------------------------------------------- native code
def find_not_native(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Find what the native back end certainly does not compile, so that games are played at a fraction of its
    speed: `explain X601` lists everything.

    Told are those constructs that can be seen in the rules alone; what depends on the size of a set-up
    (values that are too wide, boards that are too large) is told by whoever plays.

    One report for each kind of construct, at the first place where it stands.
    """
    what = "lines of a large board whose length a choice or the state decides"
    yield from (diagnose("L050", x.span, what=what) for x in islice(_undecided_lines(program), 1))


def _undecided_lines(program: Program) -> Iterator[TypedExpr]:
    """`board.lines(n)` where a choice or the state says what n is, on a board with more lines than compiled
    code has a table for.
    """
    for proc in program.procs:
        choices = (s for s in statements(proc.body) if isinstance(s, ChooseStmt))
        chosen = {slot for s in choices for slot, _ in s.bound()}
        for x in parts(statements(proc.body)):
            if x.op != "board.lines" or not _has_many_lines(program, x):
                continue
            if any(
                isinstance(y, StateExpr) or (isinstance(y, LocalExpr) and y.slot in chosen)
                for a in x.args
                for y in a.walk()
            ):
                yield x


def _has_many_lines(program: Program, x: TypedExpr) -> bool:
    """Tell whether a board has too many lines for a table, of all lengths together that its argument may
    have.

    Only rectangles of a fixed size are counted.
    """
    board, length = x.args[0], x.args[1].type
    known = program.boards.get(board.name) if isinstance(board, BoardExpr) else None
    if known is None or known.shape != "rectangle":
        return False
    rows, columns = fixed_number(known.rows), fixed_number(known.columns)
    if rows is None or columns is None:
        return False
    low, high = (length.low, length.high) if isinstance(length, t.Int) else (None, None)
    first = 1 if low is None else max(low, 1)
    last = max(rows, columns) if high is None else min(high, max(rows, columns))
    counts = [_count_lines(rows, columns, n) for n in range(first, last + 1)]
    return (len(counts) + 1) * max(counts, default=0) * (1 + last) > MAX_TABLED_LINES


def _count_lines(rows: int, columns: int, n: int) -> int:
    """Return the number of straight runs of n cells in a rectangle."""
    if n == 1:
        return rows * columns
    across, down = max(columns - n + 1, 0), max(rows - n + 1, 0)
    return rows * across + columns * down + 2 * across * down
