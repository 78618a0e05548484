"""The words of a ruleset for expressions: what comes in is a checked ruleset, what goes out is a vocabulary
for `croupier.syntax.phrases`: that of the answers why something is not offered (`runtime/rule_words.py`), in
which a record gives its label.

While a book is written its vocabulary is in force (`speaking`), and `current` gives it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from croupier.runtime import rule_words
from croupier.schema import RecordType
from croupier.semantics.program import Program
from croupier.syntax.phrases import NO_VOCABULARY, CallWords, Vocabulary, spaced

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


def vocabulary_of(program: Program) -> Vocabulary:
    """The words of a ruleset: those of its rules, and of its records."""
    known = rule_words.vocabulary_of(program)
    records = {
        title.text: _of_record(title.text, form)
        for title, form in program.resolved.types
        if isinstance(form, RecordType)
    }
    return replace(known, values={**records, **known.values})


def _of_record(name: str, form: RecordType) -> CallWords:
    """The label of a record, if it shows nothing but fields; else its fields, one by one."""
    fields = tuple(field.text for field, _ in form.record)
    label = "" if form.label is None else form.label.template.text
    shown = _SHOWN.findall(label)
    if shown and set(shown) <= set(fields) and label.count("{") == len(shown):
        return CallWords(fields, _SHOWN.sub(r"`\1`", label))
    listed = ", ".join(f"{spaced(field)} `{field}`" for field in fields)
    return CallWords(fields, f"{spaced(name)} ({listed})")
