"""The labels of decisions: what their options depend on and show, and who comes to know what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.facts import Waits
from croupier.kernel.tree import (
    AskStmt,
    ChooseStmt,
    CompExpr,
    LocalExpr,
    SoThatStmt,
    StateExpr,
    TypedExpr,
    TypedStmt,
    ZoneExpr,
)
from croupier.semantics.infoflow.effects import kinds_of
from croupier.semantics.infoflow.expressions import COUNTS, PARTS, ExpressionLabels
from croupier.semantics.infoflow.interfaces import (
    DecisionFlow,
    ExcludedReceiver,
    ProcedureFlow,
    SecretTurn,
)
from croupier.semantics.infoflow.store import (
    EVERYBODY,
    NOBODY,
    PUBLIC,
    WHOLE,
    AbstractStore,
    AbstractValue,
    Label,
    Observer,
    Policy,
    restrict,
)
from croupier.semantics.procedures import Hook


# ---------------------------------------------------------------- decisions
# What the options of each decision depend on, and what their words show: policies, each with the span of the
# rule text that a reader looks at.
def decisions_of(flow: ProcedureFlow, s: AskStmt | SoThatStmt, store: AbstractStore) -> list[DecisionFlow]:
    """The decisions of a statement: one, several in a look-ahead of several players, or one for each place
    where what is offered is declared.

    They are recorded for the lint, but for those of chance.
    """
    found = map(_plain, _asked(flow, s, store) if isinstance(s, AskStmt) else _look_ahead(flow, s, store))
    decisions = list(found)
    if not flow.in_lookahead and s.facts.waits is not Waits.CHANCE:
        known = flow.found.decisions.setdefault(flow.site(s), [])
        known += [d for d in decisions if d not in known]
    return decisions


def _plain(d: DecisionFlow) -> DecisionFlow:
    """A decision without the values that its policies came through: what is offered is not what is chosen,
    though both have one number.
    """
    reads, words, said = (
        tuple((p._replace(via=NOBODY), place) for p, place in placed) for placed in (d.reads, d.words, d.said)
    )
    return DecisionFlow(d.span, d.chooser, reads, words, said, d.kind, d.asked, d.chooser_name)


# ---------------------------------------------------------------- kinds of decisions
def _asked(flow: ProcedureFlow, s: AskStmt, store: AbstractStore) -> Iterator[DecisionFlow]:
    """What somebody, or chance, is asked: whatever decides about an option, and what its words show."""
    here = flow.at(s, store).with_values()
    chooser, kind, asked, name = _chooser(flow, s, here)
    here.chooser = chooser
    found: dict[Span, tuple[list[tuple[Policy, Span]], ...]] = {s.span: ([], [], [])}
    claims = set[Span | None]()
    for source in s.sources():
        # what stands open, and what is claimed, is reported once, where it is written
        reads, words, said = found.setdefault(source.item or s.span, ([], [], []))
        inner = here.with_values()
        for slots, walked in source.bindings:
            reads += _expanded(flow, inner, _placed(walked, inner, inner.selection(walked)))
            for slot in slots:
                inner.bind(slot, walked)
        reads += _condition_policies(flow, inner, source.tests)
        for text in source.words:
            words += _expanded(flow, here, _words(here, text, source.slots))
            said += _said(flow, here, text, source.slots)
        if source.claim:
            claims.add(source.item)
    for span, (reads, words, said) in found.items():
        sort = ("claim", None, "claimant") if span in claims else (kind, asked, name)
        yield DecisionFlow(span, chooser, tuple(reads), tuple(words), tuple(said), *sort)


def _chooser(
    flow: ProcedureFlow, s: AskStmt, here: ExpressionLabels
) -> tuple[Observer, str, str | None, str]:
    """Return who chooses, the sort of the decision, and the texts that name whoever chooses: in general and
    in conditions.
    """
    by = s.asked
    if by is None:
        return ("chance",), s.op, None, ""
    every = s.choice.every if isinstance(s, ChooseStmt) else None
    if every is None:
        number = here.number(by) or flow.point(s, "by")
        return number, s.op, by.span.text, by.span.text
    one = flow.point(s, every)
    here.store.values[every] = AbstractValue(one, PUBLIC)
    return one, "every", by.span.text, flow.proc.slots[every]


def _look_ahead(flow: ProcedureFlow, s: SoThatStmt, store: AbstractStore) -> Iterator[DecisionFlow]:
    here = flow.at(s, store)
    label = flow.lookahead_label(s, store)
    for chooser, asked in _choosers(s, here).items():
        known = ExpressionLabels(here.analysis, here.proc, store, here.site, False, chooser)
        placed = dict(_condition_policies(flow, known, (s.args[0],)))
        own = known.label(s.args[0])
        reads = [(p, placed.get(p, s.args[0].span)) for p in label | own]
        yield DecisionFlow(s.span, chooser, tuple(reads), (), (), "so_that", asked, asked)


def _choosers(s: TypedStmt, here: ExpressionLabels) -> dict[Observer, str]:
    """The players who decide in the block of a look-ahead, as far as they are named there, with the text that
    names them.
    """
    found: dict[Observer, str] = {}
    for inner in s.blocks[0]:
        for x in inner.walk():
            by = x.decider
            if by is not None:
                found.setdefault(here.number(by) or here.point("by"), by.span.text)
    return found


def reaction(read: ExpressionLabels, hook: Hook) -> DecisionFlow | None:
    """The decision to react in a window."""
    if hook.owner_slot is None:
        return None
    read.chooser = ("param", hook.proc.index, hook.owner_slot)
    guard = () if hook.guard is None else tuple(_placed(hook.guard, read, read.label(hook.guard)))
    words = tuple(
        found for text in (hook.label, hook.told) if text is not None for found in _words(read, text, ())
    )
    return DecisionFlow(hook.proc.span, read.chooser, guard, words, (), "reaction", None, "owner")


# ---------------------------------------------------------------- what is asked, selected, shown
def _condition_policies(
    flow: ProcedureFlow, read: ExpressionLabels, asked: Iterable[TypedExpr]
) -> Iterator[tuple[Policy, Span]]:
    for x in asked:
        yield from _expanded(flow, read, _placed(x, read, read.label(x)))


def _said(
    flow: ProcedureFlow, read: ExpressionLabels, label: TypedExpr, offered: Sequence[int]
) -> Iterator[tuple[Policy, Span]]:
    """Yield what the words of an option tell whoever reads them, with places: each local as it is, except for
    a component, which is masked.

    Nothing of what is decided secretly: others do not read it.
    """
    if flow.audience is not None:
        return
    masked = {id(a) for x in label.walk() if _is_component(x.type) for a in (x, *x.args)}
    for y in label.walk():
        if isinstance(y, LocalExpr) and y.slot not in offered and id(y) not in masked:
            told = read.selection(y) if read.analysis.holds_components(y.type) else read.label(y)
            yield from _expanded(flow, read, [(p, y.span) for p in told if p.kind != "param"])


def _is_component(kind: t.Type) -> bool:
    return isinstance(kind.base if isinstance(kind, t.Optional) else kind, t.Component)


def _words(read: ExpressionLabels, label: TypedExpr, offered: Sequence[int]) -> Iterator[tuple[Policy, Span]]:
    """The policies of words, without those of what is offered: an option is shown to whoever is offered it.

    Arguments of a definition or a hook are not counted: it may show them.
    """
    if not label.args:
        return
    inner = read.with_values()
    for slot in offered:
        inner.store.values[slot] = AbstractValue(("offered", slot), PUBLIC)
    yield from _placed(label, inner, frozenset(p for p in inner.label(label) if p.kind != "param"))


LEADING = ("mutable", "call", "local")


def _placed(x: TypedExpr, read: ExpressionLabels, label: Label) -> Iterator[tuple[Policy, Span]]:
    """The policies of an expression, each with the span that it comes from: within the expression, or the
    call, the local or the changeable attribute that leads there.
    """
    if not label:
        return
    parts = [(y, read.label(y) if y.op in LEADING else PUBLIC) for y in x.walk()]
    for p in label:
        leading = [y for y, of in parts if y.span == p.span or p in of]
        yield p, leading[-1].span if leading else x.span


def _expanded(
    flow: ProcedureFlow, read: ExpressionLabels, placed: Iterable[tuple[Policy, Span]]
) -> Iterator[tuple[Policy, Span]]:
    for p, place in placed:
        for q in flow.expand(frozenset({p}), read.store):
            yield q, place


# ---------------------------------------------------------------- other things that are noted on the way
def note_excluded_receivers(flow: ProcedureFlow, s: TypedStmt, store: AbstractStore) -> None:
    """Note the receivers of a `show` or `tell` who may not perceive it, because it stands in the `secretly`
    of others.
    """
    block = flow.secret
    if block is None or flow.in_lookahead:
        return
    read, players, to = flow.at(s, store), block.args[0], s.args[-1]
    if _may_be_excluded(to, players, read, flow.secret_numbers):
        flow.found.excluded_receivers[flow.site(s)] = ExcludedReceiver(to.span, s.op, players.span)


def note_secret_turn(flow: ProcedureFlow, s: TypedStmt, store: AbstractStore) -> None:
    """Note a `secretly`, with what decides whether control comes there, unless its time is kept."""
    if not (flow.in_lookahead or flow.is_timed):
        flow.found.secret_turns[flow.site(s)] = SecretTurn(s, flow.expand(store.pc, store))


def _may_be_excluded(
    to: TypedExpr, players: TypedExpr, read: ExpressionLabels, numbers: tuple[Observer | None, ...]
) -> bool:
    """Tell whether a list of players may hold somebody who is not in another one.

    False where that is not known.
    """
    if players.op == "others":
        return to.op == "players" or (
            to.op == "list" and any(read.number(a) == numbers[0] and numbers[0] is not None for a in to.args)
        )
    if players.op != "list":
        return False
    if to.op == "list":
        return any(read.number(a) not in numbers or read.number(a) is None for a in to.args)
    return not isinstance(to, CompExpr) or not players.args


# ---------------------------------------------------------------- disclosure
# Declassification: who comes to know what `show`, `tell`, `announce`, a move to where somebody sees it, and
# calls that do so disclose.
AS_A_LIST = frozenset(
    "zone_list zone_all zone.list family_list family.list certain bound narrow list join optional_list "
    "text".split()
)


def named(flow: ProcedureFlow, s: TypedStmt, store: AbstractStore, to: TypedExpr) -> frozenset[Observer]:
    """The players whom a list of players certainly holds."""
    read = flow.at(s, store)
    if to.op == "players":
        return frozenset({EVERYBODY})
    if to.op == "list":
        return frozenset(n for n in (read.number(a) for a in to.args) if n is not None)
    number = read.number(to.args[0]) if to.op == "others" else None
    return NOBODY if number is None else frozenset({("others", number)})


def learn(
    flow: ProcedureFlow,
    s: TypedStmt,
    store: AbstractStore,
    x: TypedExpr,
    readers: frozenset[Observer],
    facts: bool = True,
) -> None:
    """Declassify the value of an expression to these players, as far as they perceive what happens here."""
    readers = NOBODY if flow.in_lookahead else restrict(readers, flow.audience)
    if not readers:
        return
    read = flow.at(s, store)
    if x.op in AS_A_LIST:
        for a in x.args:
            learn(flow, s, store, a, readers, facts)
        return
    if not (facts or isinstance(x, LocalExpr)):
        return
    number = read.number(x)
    if number is not None:
        store.learn(number, readers)
        for k in kinds_of(x.type) if facts else ():
            store.add_fact(("face", k, number), readers)
        if x.op in PARTS:
            store.add_fact(("value", "", number), readers)
    kind, of, at = _thing_in(x)
    if of is None or of.name in flow.analysis.effects.watched:
        return
    keys = (None, WHOLE) if at is None else (read.player(at),)
    for key in keys:
        if at is None or key is not None:
            store.add_fact((kind, of.name, key), readers)


def _thing_in(x: TypedExpr) -> tuple[str, ZoneExpr | StateExpr | None, TypedExpr | None]:
    """The declared thing that an expression reads, if that is all: what of it, itself, and at which key."""
    kind = "count" if x.op in COUNTS else "zone"
    of = x.args[0] if kind == "count" else x
    if isinstance(of, ZoneExpr):
        return kind, of, of.args[0] if of.args else None
    of, at = (x.args[0], x.args[1]) if x.op == "index" else (x, None)
    return "state", of if isinstance(of, StateExpr) else None, at
