"""Decisions that depend on what the one who decides may not see: an information leak, since the options offered give it away.

Proves, of a ruleset without a report and without `leaks`: what the words of options show, and which options a decision has — the bounds and
conditions of what is chosen from, a `where`, `only if`, `such that`, a number of things to choose, the `if` of an option or a reaction, the
condition of a claim or of a look-ahead — is computed from nothing but what the chooser may see by the declared audiences, whatever the
parameters are; what he was told, shown or offered by a statement that certainly ran before in the same rule text, with no change since; and what
was chosen in public. In words, what a definition or a hook was given counts as known, too.
Values are followed through definitions, their hooks, arguments, results and locals. Whose something is counts only where the names show it: an
expression that may stand for somebody else is taken to do so.

Does not look at: whether a decision takes place at all; what a state that everybody sees was computed from (to write it there is to publish
it); what follows from seeing how often something happened. To be offered a component is to be shown it, so merely choosing from a
hidden zone is no leak.

`decisions.py` finds the decisions, `reads.py` what their options depend on (`entries.py` through parameters), `terms.py` whose that is, and
`disclosed.py` what was told or shown before.

`leaks "reason"` on the decision says that this is meant; where there is nothing of the kind, that is reported, so that it does not outlive its
reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.diagnostics import Diagnostic, Fix, Label, Span, diagnose
from croupier.semantics.lints.leaks.decisions import Decision, Decisions
from croupier.semantics.lints.leaks.disclosed import admits
from croupier.semantics.lints.leaks.terms import WHOLE, Read
from croupier.semantics.program import Program
from croupier.semantics.tree import X

__all__ = ["find"]

AUDIENCES = {"everybody": "everybody sees", "nobody": "nobody sees", "owner": "only its owner sees", "others": "everybody but its owner sees"}
WHAT = {
    "state": "`{}`",
    "zone": "what lies in `{}`",
    "count": "how much lies in `{}`",
    "place": "where a `{}` lies",
    "secret": "`{}`, chosen secretly",
}


NAMED = {
    "owner": "name what belongs to the chooser by the chooser: `{0}[p]` in a choice `by p`, `{0}[owner]` in a reaction",
    "others": "go through the others by name, so that it is never the chooser's own: `for q in others(p)`",
}  # by audience: how the names show that the chooser may see it


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """One report for each thing that one decision gives away; one for each `leaks` without a leak."""
    found: list[Diagnostic] = []
    leaking: set[Span] = set()
    for decision in Decisions(program):
        for read, place, how in _hidden(program, decision):
            leaking.add(decision.span)
            if decision.span not in program.leaks:
                found.append(_report(program, read, place, how))
    for span, clause in program.leaks.items():
        if span not in leaking:
            gone = Span(clause.source, clause.start - _blanks_before(clause), clause.end)
            found.append(diagnose("L031", clause, fix=Fix(gone, "", "leave it out")))
    return found


def _blanks_before(span: Span) -> int:
    before = span.source.text[: span.start]
    return len(before) - len(before.rstrip(" "))


def _hidden(program: Program, decision: Decision) -> Iterator[tuple[Read, Span, str]]:
    """What of it the chooser may not see: each thing once, in the order of the text, what decides about options before what their words show."""
    seen: set[tuple[str, str]] = set()
    for reads, how in ((decision.reads, "what may be chosen depends on"), (decision.words, "the words of what may be chosen show")):
        for read, place in sorted(reads, key=lambda pair: (pair[1].start, pair[0].span.start, pair[0].kind, str(pair[0].key))):
            if (read.kind, read.name) not in seen and not _visible(program, read, decision):
                seen.add((read.kind, read.name))
                yield read, place, how


def _visible(program: Program, read: Read, decision: Decision) -> bool:
    if decision.known.holds(read.kind, read.name, read.key):
        return True
    if read.kind == "state":
        return admits(program.vars[read.name].seen_by, read.key, decision.chooser)
    if read.kind == "secret":
        return read.key == decision.chooser
    if read.kind == "place":
        return all(admits(z.seen_by, None, decision.chooser) for z in program.zones.values() if read.name in z.kinds)
    zone = program.zones[read.name]
    if admits(zone.seen_by, read.key, decision.chooser):
        return True
    return read.kind == "count" and admits(zone.counted_by, read.key, decision.chooser)


def _report(program: Program, read: Read, place: Span, how: str) -> Diagnostic:
    thing = program.vars.get(read.name) if read.kind == "state" else program.zones.get(read.name)
    labels = [] if thing is None else [Label(thing.span, f"declared here: {_audience(thing.seen_by)} it")]
    if place != read.span:
        labels.insert(0, Label(read.span, "read here"))
    named = None if thing is None or read.key in (None, WHOLE) or thing.seen_by.op != "enum" else NAMED.get(thing.seen_by.data[1])
    usual = "declare who sees it, `show` it before, or say why this is meant: `leaks \"…\"`"
    help = None if named is None else f"{named.format(read.name)}; else {usual}"
    return diagnose("L030", place, how=how, what=WHAT[read.kind].format(read.name), name=read.name, labels=labels, help=help)


def _audience(x: X) -> str:
    return AUDIENCES[x.data[1]] if x.op == "enum" else "by a parameter, not everybody sees"
