"""Decisions that depend on what the one who decides may not see: an information leak, since the options
offered give it away.

Proves, of a ruleset without a report and without `leaks`: what the words of options show, and which options a
decision has — the bounds and conditions of what is chosen from, a `where`, `only if`, `such that`, a number
of things to choose, the `if` of an option or a reaction, the condition of a claim or of a look-ahead — is
worked out from nothing but what the chooser may know, by the declared audiences or since it was disclosed to
them. `infoflow/` works out what that is, and says what it does not look at. Others read the words, too: what
a local tells them is reported if not everybody may know it.

`leaks "reason"` on the decision says that this is meant; where there is nothing of the kind, that is
reported, so that it does not outlive its reason.

A pause gives something away, too: at a table a question takes a while, and where nobody else perceives it,
the wait still tells them that there was one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from croupier.diagnostics import Diagnostic, Fix, Label, Span, diagnose
from croupier.kernel.tree import EnumExpr, TypedExpr
from croupier.semantics.infoflow import DecisionFlow, FlowAnalysis, Policy, analyse
from croupier.semantics.infoflow.expressions import ExpressionLabels
from croupier.semantics.infoflow.store import EVERYBODY, PUBLIC, AbstractStore, AbstractValue, Observer
from croupier.semantics.lints.ways_out import declared, ways_out, ways_out_for_readers
from croupier.semantics.procedures import Proc
from croupier.semantics.program import (
    ITSELF,
    KEY,
    READER,
    Program,
    Sight,
    VarDef,
    WeightDef,
    ZoneDef,
    is_nobody,
)
from croupier.semantics.timed_blocks import asks_within
from croupier.semantics.walk import bodies, reached_from, run_by, sights

AUDIENCES = {
    "everybody": "everybody sees",
    "nobody": "nobody sees",
    "owner": "only its owner sees",
    "others": "everybody but its owner sees",
}
WHAT = {
    "state": "`{}`",
    "zone": "what lies in `{}`",
    "count": "how much lies in `{}`",
    "place": "where a `{}` lies",
    "secret": "`{}`, chosen secretly",
}
LONGEST_WORDS = 50  # characters of an option that a message repeats
SHOWN_BY_WORDS = "the words of what may be chosen show"


def _in_words(read: Policy) -> str:
    """What messages call that which is read."""
    return WHAT[read.kind].format(read.name)


def find(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """One report for each thing that one decision gives away; one for each `leaks` without a leak."""
    leaking: set[Span] = set()
    reported: set[tuple[Span, str, str]] = set()
    analysis = analyse(program)
    for decision in analysis.decisions():
        for policy, place, how in (*_hidden(analysis, decision), *_said(analysis, decision)):
            leaking.add(decision.span)
            one = (decision.span, policy.kind, policy.name)
            if decision.span in program.leaks or one in reported:
                continue
            reported.add(one)
            if how is None:
                yield _report_said(program, policy, place)
            else:
                yield _report(program, decision, policy, place, how)
    for span, clause in program.leaks.items():
        if span not in leaking:
            gone = Span(clause.source, clause.start - _blanks_before(clause), clause.end)
            yield diagnose("L031", clause, fix=Fix(gone, "", "leave it out"))


def _blanks_before(span: Span) -> int:
    before = span.source.text[: span.start]
    return len(before) - len(before.rstrip(" "))


def _hidden_in(analysis: FlowAnalysis, label: Iterable[Policy], who: Observer) -> list[Policy]:
    """The things that a label holds and somebody may not know, in the order of the text."""
    hidden = (p for p in analysis.resolved(frozenset(label)) if not analysis.may_know(p, who))
    return sorted(hidden, key=lambda p: (p.span.start, p.kind, p.name))


def _in_order_of_the_text(read: tuple[Policy, Span]) -> tuple[int, int, str, str, str]:
    """Return the sort key of a thing that is read at a place: first the place, then the thing."""
    policy, place = read
    return place.start, policy.span.start, policy.kind, policy.name, str(policy.key)


def _hidden(analysis: FlowAnalysis, decision: DecisionFlow) -> Iterator[tuple[Policy, Span, str]]:
    """Yield what a decision depends on and its chooser may not see: each thing once, in the order of the
    text, what decides about options before what their words show.
    """
    seen: set[tuple[str, str]] = set()
    for placed, how in ((decision.reads, "what may be chosen depends on"), (decision.words, SHOWN_BY_WORDS)):
        hidden = [
            (policy, place) for p, place in placed for policy in _hidden_in(analysis, {p}, decision.chooser)
        ]
        # how much lies there is read with it
        whole = {("count", policy.name, policy.span) for policy, _ in hidden if policy.kind == "zone"}
        for policy, place in sorted(hidden, key=_in_order_of_the_text):
            thing = policy.kind, policy.name
            if thing not in seen and (*thing, policy.span) not in whole:
                seen.add(thing)
                yield policy, place, how


def _said(analysis: FlowAnalysis, decision: DecisionFlow) -> Iterator[tuple[Policy, Span, None]]:
    """Yield what the words of a decision tell whoever reads them, and not everybody may see."""
    for p, place in sorted(decision.said, key=_in_order_of_the_text):
        yield from ((q, place, None) for q in _hidden_in(analysis, {p}, EVERYBODY))


def _report_said(program: Program, read: Policy, place: Span) -> Diagnostic:
    labels = _read_elsewhere(program, read, place)
    return diagnose("L036", place, what=_in_words(read), labels=labels, help=ways_out_for_readers(place))


def _report(program: Program, decision: DecisionFlow, read: Policy, place: Span, how: str) -> Diagnostic:
    thing = declared(program, read)
    labels = _read_elsewhere(program, read, place)
    if thing is not None:
        labels.append(Label(thing.span, f"declared here: {audience_in_words(thing, read.kind)} it"))
    help = ways_out(program, decision, read, place, how == SHOWN_BY_WORDS)
    if how == SHOWN_BY_WORDS:
        how = _words_around(place) or how
    hidden = thing is not None and read.kind in ("state", "zone") and is_nobody(thing.seen_by)
    who = "nobody may" if hidden else "the chooser may not"
    return diagnose(
        "L030",
        place,
        how=how,
        who=who,
        what=_in_words(read),
        name=read.name,
        labels=labels,
        help=help,
    )


def _words_around(place: Span) -> str | None:
    """The words of the option that a place stands in, in a clause; `None` if they are too long to be
    repeated.
    """
    line = place.source.text
    first, last = line.rfind('"', 0, place.start), line.find('"', place.end)
    words = line[first : last + 1]
    if first < 0 or last < 0 or "\n" in words or len(words) > LONGEST_WORDS:
        return None
    return f"the words {words} show"


def _read_elsewhere(program: Program, read: Policy, place: Span) -> list[Label]:
    """The label of where something is read, if that is another place, and known: of what was written unseen
    it is not.
    """
    if place == read.span or read.span == program.procs[0].span:
        return []
    return [Label(read.span, "read here")]


def audience_in_words(thing: ZoneDef | VarDef, read: str = "") -> str:
    """Say who sees a declared thing, of which something is read."""
    x = thing.seen_by
    if thing.sight is not None or (
        read == "count" and isinstance(thing, ZoneDef) and thing.count_sight is not None
    ):
        return "by the position, not everybody sees"
    return AUDIENCES[x.name] if isinstance(x, EnumExpr) else "by a parameter, not everybody sees"


# ---------------------------------------------------------------- what a policy may read
def find_hidden_reads(program: Program, used: set[tuple[str, str]]) -> Iterable[Diagnostic]:
    """Find what a policy reads and the player whom it plays may not see.

    Proves of a policy without a report: its weights are worked out from nothing but what is declared to be
    seen by whoever decides, and what is offered. What was shown or told to somebody does not count: a policy
    is asked at any moment.

    One report for each thing that one weight reads.
    """
    found: dict[tuple[Span, str, str], Diagnostic] = {}
    for policy in program.policies.values():
        for weight in policy.weights:
            for read, place in _hidden_reads(program, weight):
                key = (weight.value.span, read.kind, read.name)
                found.setdefault(key, _report_read(program, policy.name, read, place))
    return found.values()


def _hidden_reads(program: Program, weight: WeightDef) -> Iterator[tuple[Policy, Span]]:
    me: Observer = ("param", weight.frame.index, 0)
    slots = range(1, 1 + len(weight.given) + len(weight.heard))  # what is offered, and what was claimed
    offered = {slot: AbstractValue(("offered", slot), PUBLIC, zones=PUBLIC) for slot in slots}
    values = {0: AbstractValue(me, PUBLIC)} | offered
    return _unknown_to(program, me, weight.frame, values, weight.value)


def _unknown_to(
    program: Program, me: Observer, frame: Proc, values: dict[int, AbstractValue], x: TypedExpr
) -> Iterator[tuple[Policy, Span]]:
    """Yield what an expression of a frame reads and a player may not know, in the order of the text, with the
    places where it is read.
    """
    analysis = analyse(program)
    reading = ExpressionLabels(analysis, frame, AbstractStore(values), 0, False, me)
    for p in _hidden_in(analysis, reading.label(x), me):
        yield p, _place(p, x, [reading.label(y) for y in x.walk()])


def _place(read: Policy, whole: TypedExpr, labels: Sequence[frozenset[Policy]]) -> Span:
    """Return the place where an expression reads something: the smallest part of it that does."""
    parts = [
        x
        for x, label in zip(whole.walk(), labels, strict=True)
        if any((p.kind, p.name) == (read.kind, read.name) for p in label)
    ]
    return min((x.span for x in parts), key=lambda span: span.end - span.start, default=whole.span)


def _report_read(program: Program, name: str, read: Policy, place: Span) -> Diagnostic:
    thing = declared(program, read)
    labels = [] if thing is None else [Label(thing.span, f"declared here: {audience_in_words(thing)} it")]
    return diagnose("L034", place, name=name, what=_in_words(read), labels=labels)


# ---------------------------------------------------------------- what an audience may read
def find_hidden_audiences(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Find what decides who sees a thing and is not known to whoever looks: that they see it or not would
    give it away.

    Proves of an audience without a report: whether a player belongs to it is worked out from nothing but what
    is declared to be seen by that player, and the component itself, whose face they see or see to be hidden.
    """
    for _, thing, sight in sights(program):
        for read, place in _unknown_to_readers(program, sight):
            other = declared(program, read)
            note = [] if other is None else [f"{audience_in_words(other)} `{read.name}`"]
            yield diagnose("L035", place, name=thing.name, what=_in_words(read), notes=note)


def _unknown_to_readers(program: Program, sight: Sight) -> Iterator[tuple[Policy, Span]]:
    me: Observer = ("param", sight.frame.index, READER)
    values = {
        slot: AbstractValue(("param", sight.frame.index, slot), PUBLIC, zones=PUBLIC)
        for slot in (READER, KEY, ITSELF)
    }
    seen = set[tuple[str, str]]()
    for p, place in _unknown_to(program, me, sight.frame, values, sight.condition):
        if (p.kind, p.name) not in seen:
            seen.add((p.kind, p.name))
            yield p, place


# ---------------------------------------------------------------- what a pause tells
def find_telling_pauses(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Find each `secretly` in which somebody is asked or not as hidden things have it, outside of a block
    that takes its time (`for 10 seconds`).

    Proves of a ruleset without a report: what decides whether control comes to a `secretly` with a decision,
    in the procedure in which it stands, is known to everybody. Nothing is said of what decides whether that
    procedure is called, of reactions, and of decisions that are no secret.

    One report for each `secretly`, of the first thing that is hidden.
    """
    analysis = analyse(program)
    within = (s.walk() for _, s in bodies(program) if s.FACTS.pauses)
    timed = {index for inside in within for index in reached_from(program, run_by(inside))}
    untimed = (of for proc, of in enumerate(analysis.found) if proc not in timed)
    for turn in (turn for of in untimed for _, turn in sorted(of.secret_turns.items())):
        hidden = next(iter(_hidden_in(analysis, turn.label, EVERYBODY)), None)
        if hidden is not None and asks_within(program, turn.block.blocks[0]):
            is_read_elsewhere = hidden.span != program.procs[0].span
            labels = [Label(hidden.span, "it is read here")] if is_read_elsewhere else []
            yield diagnose("L045", turn.block.span, what=_in_words(hidden), labels=labels)
