"""Attribute diagnostics to the variant or the module use that causes them; they are shown at its line and at
the base's.

A diagnostic in the base that the base alone does not have is caused by a change of the variant: the changes
whose names the diagnostic mentions, in its message or in the text at its span; if there is none, the line
with `extends`. If variants are combined, a diagnostic that none of them has alone keeps its span, and gets
labels at the changes of the others. If nothing uses a declaration of the base any more, that is no mistake of
the variant and is not reported, unless powers of components listen to it: these would never run. A diagnostic
in a module that its arguments cause is shown at the arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from croupier.diagnostics import Diagnostic, Label, Span
from croupier.resolve.modules import alone as module_alone
from croupier.resolve.resolved import Change, ResolvedRuleset, UsedModule
from croupier.schema import ModuleDoc, Phase, Text

# never used, read, called; cited only in removed text
UNUSED_CODES = ("L001", "L002", "L003", "L011", "L040")
LEAK_CODES = ("L030", "L033", "L034")
MAX_LABELS = 3
MAX_PLACES = 12
WORD = re.compile(r"\w+")


FindAlone = Callable[[ResolvedRuleset], Iterable[Diagnostic]]


def attribute_modules(
    found: Iterable[Diagnostic], ruleset: ResolvedRuleset, alone: FindAlone
) -> list[Diagnostic]:
    """The diagnostics of a ruleset; those that the use of a module causes are shown at the use.

    `alone` gives the diagnostics of a module by itself.

    Unused declarations of a module are no mistake of the ruleset, and none of the module, whose example need
    not use all of them.
    """
    found = list(found)
    if ruleset.is_module:
        return [d for d in found if d.code not in UNUSED_CODES]
    if not ruleset.modules:
        return found
    kept: list[Diagnostic] = []
    by_file = {source.name: used for used in ruleset.modules for source in used.loaded.sources}
    right: dict[str, set[tuple[str, int]]] = {}
    for d in found:
        used = None if d.span is None else by_file.get(d.span.source.name)
        if used is None or d.span is None:
            kept.append(d)
            continue
        if used.name not in right and isinstance(used.loaded.document, ModuleDoc):
            theirs = alone(module_alone(used.loaded, used.loaded.document))
            right[used.name] = {(t.code, t.span.start) for t in theirs if t.span is not None}
        if (d.code, d.span.start) in right[used.name]:
            _add_to(kept, d)
        elif d.is_error or d.code in LEAK_CODES:
            _add_to(
                kept, _at_use(d, [use for use in ruleset.modules if use.loaded.place == used.loaded.place])
            )
    return kept


def _at_use(diagnostic: Diagnostic, uses: Sequence[UsedModule]) -> Diagnostic:
    """A diagnostic in a module, moved to the argument of the module that causes it."""
    assert diagnostic.span is not None
    here = {use.names.get(word, word) for use in uses for word in WORD.findall(diagnostic.span.text)}
    told = set(re.findall(r"`(\w[\w ]*)`", diagnostic.message)) | set(WORD.findall(diagnostic.help or ""))
    span = next(
        (span for words in (here, told) for use in uses for name, span in use.given.items() if name in words),
        uses[0].span,
    )
    note = f"the module `{uses[0].name}` is right by itself; what it is given here does not fit it"
    return replace(
        diagnostic,
        span=span,
        labels=(Label(diagnostic.span, "in the module"), *diagnostic.labels),
        notes=(*diagnostic.notes, note),
        fix=None,
    )


def attribute(found: Iterable[Diagnostic], ruleset: ResolvedRuleset, alone: FindAlone) -> list[Diagnostic]:
    """The diagnostics of a ruleset, those in a variant's base with a label at both; `alone` gives the
    diagnostics of a ruleset by itself, lazily.
    """
    found = list(found)
    own = {source.name for source in ruleset.own_sources}
    if ruleset.base is None or not found:
        return found
    if not ruleset.parts and all(d.span is None or d.span.source.name in own for d in found):
        return found
    here = {_identity(d) for d in found}
    attributed: list[Diagnostic] = []
    old: set[tuple[object, ...]] = set()
    for below in ruleset.parts or (ruleset.base,):
        theirs = [d for d in alone(below) if _identity(d) in here and _identity(d) not in old]
        old |= {_identity(d) for d in theirs}
        attributed += attribute(theirs, below, alone)
    for d in found:
        if _identity(d) in old:
            continue
        if d.span is None or d.span.source.name in own and not ruleset.parts:
            attributed.append(d)
        elif d.code not in UNUSED_CODES or d.code == "L011" and _awaited(d, ruleset):
            _add_to(
                attributed,
                _with_other_changes(d, ruleset) if d.span.source.name in own else _both_sides(d, ruleset),
            )
    return attributed


def _with_other_changes(diagnostic: Diagnostic, ruleset: ResolvedRuleset) -> Diagnostic:
    """A diagnostic in one of some combined variants, with what the others change."""
    assert diagnostic.span is not None
    mine = [
        layer
        for layer in ruleset.layers
        if any(source.name == diagnostic.span.source.name for source in layer.loaded.sources)
    ]
    others = tuple(change for layer in ruleset.layers if layer not in mine for change in layer.changes)
    found = list(_responsible(diagnostic, others))[:MAX_LABELS]
    labels = tuple(Label(other.span, f"{other.kind} `{other.names[0]}`") for other in found)
    note = (
        f"`{mine[0].name}` is right by itself; what it is combined with does not fit it"
        if mine
        else "it comes of what is combined here"
    )
    return replace(
        diagnostic, labels=(*diagnostic.labels, *labels), notes=(*diagnostic.notes, note), fix=None
    )


def _add_to(attributed: list[Diagnostic], diagnostic: Diagnostic) -> None:
    """Add a diagnostic; several with the same message about the same change become one, with a label for each
    span that the change breaks.
    """
    for k, other in enumerate(attributed):
        if (other.code, other.message, other.span) == (
            diagnostic.code,
            diagnostic.message,
            diagnostic.span,
        ) and other.notes == diagnostic.notes:
            new = tuple(label for label in diagnostic.labels if label not in other.labels)
            attributed[k] = replace(other, labels=(*other.labels, *new)[:MAX_PLACES])
            return
    attributed.append(diagnostic)


def _identity(diagnostic: Diagnostic) -> tuple[object, ...]:
    return (
        (diagnostic.code, diagnostic.message)
        if diagnostic.span is None
        else (diagnostic.code, diagnostic.message, diagnostic.span.source.name, diagnostic.span.start)
    )


def _both_sides(diagnostic: Diagnostic, ruleset: ResolvedRuleset) -> Diagnostic:
    assert diagnostic.span is not None
    changes = list(_responsible(diagnostic, ruleset.changes)) or _replaced(diagnostic, ruleset)
    if not changes and len(ruleset.changes) == 1:
        changes = list(ruleset.changes)
    note = f"it is right in `{ruleset.variant_of}`; what this variant changes does not fit it"
    note = (
        f"`{ruleset.variant_of}` meets the condition with its own values"
        if diagnostic.code == "G013"
        else note
    )
    here = (Label(diagnostic.span, "this was written for the ruleset as it was"),)
    if not changes:
        assert ruleset.extends is not None
        return replace(
            diagnostic,
            span=ruleset.extends,
            labels=(*here, *diagnostic.labels),
            notes=(*diagnostic.notes, note),
            fix=None,
        )
    first, *others = changes[:MAX_LABELS]
    more = tuple(Label(other.span, f"{other.kind} `{other.names[0]}`") for other in others)
    labels = tuple(label for label in diagnostic.labels if label.span != first.span)
    if first.kind == "removes" and (diagnostic.help or "").startswith(("did you mean", "correct the name")):
        diagnostic = replace(diagnostic, help=f"change, or remove, what still names `{first.names[0]}`, too")
    return replace(
        diagnostic, span=first.span, labels=(*here, *more, *labels), notes=(*diagnostic.notes, note), fix=None
    )


def _responsible(diagnostic: Diagnostic, changes: tuple[Change, ...]) -> Iterable[Change]:
    """The changes that a diagnostic mentions: by its labels first, then by its words, then by the text that
    it points at.
    """
    assert diagnostic.span is not None
    text = diagnostic.span.text.split("\n", 1)[0]
    labels = [label.span for label in diagnostic.labels]
    found = [c for c in changes if any(_holds(c.span, span) for span in labels)]
    if found:
        return found
    for words in (
        set(re.findall(r"`(\w[\w ]*)`", diagnostic.message)),
        set(WORD.findall(text)),
        _words(diagnostic),
    ):
        found = [c for c in changes if words & set(c.names)]
        if found:
            return found
    return []


def _holds(outer: Span, inner: Span) -> bool:
    """Tell whether a span begins inside of another one."""
    return outer.source is inner.source and outer.start <= inner.start < outer.end


def _awaited(diagnostic: Diagnostic, ruleset: ResolvedRuleset) -> bool:
    """Tell whether a label of a diagnostic points into the powers of a component."""
    powers = [text.span for _, component in ruleset.components for _, text in component.all_powers]
    return any(
        p.source is label.span.source and p.start <= label.span.start < p.end
        for label in diagnostic.labels
        for p in powers
    )


def _replaced(diagnostic: Diagnostic, ruleset: ResolvedRuleset) -> list[Change]:
    """The changes of phases whose text in the base mentions a name that a diagnostic gives."""
    names = set(re.findall(r"`(\w+)`", diagnostic.message))
    base = ruleset.base
    old = {name: set(WORD.findall(text)) for name, text in _phases(base.phases if base is not None else ())}
    return [c for c in ruleset.changes if c.section == "phases" and names & old.get(c.name, set())]


def _phases(phases: Iterable[tuple[Text, Phase]]) -> Iterator[tuple[str, str]]:
    """The rule text of each phase by its name, that of a group with its phases' in it."""
    for name, phase in phases:
        inner = list(_phases(phase.phases))
        yield (
            name.text,
            " ".join([phase.text.text if phase.text is not None else "", *(text for _, text in inner)]),
        )
        yield from inner


def _words(diagnostic: Diagnostic) -> set[str]:
    """The words of the line that a diagnostic points at, and of its help."""
    assert diagnostic.span is not None
    return set(WORD.findall(diagnostic.span.source.line(diagnostic.span.line))) | set(
        WORD.findall(diagnostic.help or "")
    )
