"""The words of a ruleset for expressions: what comes in is a resolved ruleset, what goes out is a vocabulary
for `croupier.syntax.phrases`.

A definition gives the words for its calls if the first clause of its `doc`, up to a comma, names every
parameter in back-ticks: of a value a noun (`the row of `c``), of yes or no a clause behind “whether”. A
record gives its label.

While a book is written its vocabulary is in force (`speaking`), and `current` gives it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from croupier.authoring.diff import in_force
from croupier.resolve.resolved import ResolvedRuleset
from croupier.schema import Enumeration, RecordType
from croupier.syntax import nodes as n
from croupier.syntax import parse_declaration
from croupier.syntax.phrases import NO_VOCABULARY, CallWords, Vocabulary, call_words, spaced

_SHOWN = re.compile(r"\{(\w+)\}")
_current: ContextVar[Vocabulary] = ContextVar("vocabulary", default=NO_VOCABULARY)


@contextmanager
def speaking(vocabulary: Vocabulary) -> Iterator[None]:
    """Put a vocabulary in force."""
    token = _current.set(vocabulary)
    try:
        yield
    finally:
        _current.reset(token)


def current() -> Vocabulary:
    """Return the vocabulary in force; an empty one if there is none."""
    return _current.get()


def vocabulary_of(doc: ResolvedRuleset) -> Vocabulary:
    """The words of a ruleset."""
    values: dict[str, CallWords | None] = {}
    truths: dict[str, CallWords | None] = {}
    for title, form in doc.types:
        if isinstance(form, RecordType):
            values[title.text] = _of_record(title.text, form)
    for item in (item for items in in_force(doc.definitions) for item in items if isinstance(item, n.Def)):
        if isinstance(item.returns, n.TypeName) and item.returns.name == "bool":
            truths[item.name] = _of_definition(item, is_truth=True)
        else:
            values[item.name] = _of_definition(item, is_truth=False)
    return Vocabulary(
        values,
        truths,
        boards=frozenset(title.text for title, _ in doc.boards),
        flags=dict(_flags(doc)),
        traits=frozenset(_traits(doc)),
        names={},
    )


def _of_record(name: str, form: RecordType) -> CallWords:
    """The label of a record, if it shows nothing but fields; else its fields, one by one."""
    fields = tuple(field.text for field, _ in form.record)
    label = "" if form.label is None else form.label.template.text
    shown = _SHOWN.findall(label)
    if shown and set(shown) <= set(fields) and label.count("{") == len(shown):
        return CallWords(fields, _SHOWN.sub(r"`\1`", label))
    listed = ", ".join(f"{spaced(field)} `{field}`" for field in fields)
    return CallWords(fields, f"{spaced(name)} ({listed})")


def _of_definition(item: n.Def, *, is_truth: bool) -> CallWords | None:
    """The words for a call of a definition, if its `doc` gives any."""
    params = tuple(param.name for param in item.params)
    return call_words(item.doc or "", params, is_truth=is_truth, acts=item.returns is None)


def _flags(doc: ResolvedRuleset) -> Iterator[tuple[str, int]]:
    """Yield the names of the state that is yes or no, each with the number of its keys."""
    for title, variable in doc.state:
        if variable.declaration is not None:
            declared, _ = parse_declaration(variable.declaration.rule)
            kind = "" if declared is None else declared.type.span.text
        else:
            kind = "" if variable.type is None else variable.type.text
        if _is_yes_or_no(kind):
            yield title.text, len(re.findall(r"\bper\b", kind))


def _traits(doc: ResolvedRuleset) -> Iterator[str]:
    """Yield the names of attributes and fields that are yes or no, wherever they have that type."""
    components = (a for _, c in doc.components for a in (*c.attributes, *c.mutable))
    records = (f for _, form in doc.types if isinstance(form, RecordType) for f in form.record)
    enums = (a for _, form in doc.types if isinstance(form, Enumeration) for a in form.attributes)
    cells = (a for _, board in doc.boards for a in board.attributes or ())
    kinds: dict[str, set[bool]] = {}
    for name, kind in (*components, *records, *enums, *cells):
        kinds.setdefault(name.text, set()).add(_is_yes_or_no(kind.text))
    yield from (name for name, found in kinds.items() if found == {True})


def _is_yes_or_no(kind: str) -> bool:
    return re.match(r"bool\b", kind.strip()) is not None
