"""Rules in words for people who play: conditions and values of the typed tree, with what their locals hold.

In: an expression, and the words for the values of some of its locals. Out: a text with players as parts of
their own; the rule text itself where it has no plain words (`syntax/phrases.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.semantics.program import Program
from croupier.syntax.phrases import CallWords, Vocabulary, call_words, denial_of, phrase_of
from croupier.text import Part, Text

MAX_CODE = 120  # characters of a rule that are quoted
_FOR = re.compile(r"for\s+\w+\s+in\s+")
_VALUE = re.compile("\ue000(\\d+)\ue001")  # stands for a value until the phrase is made
_NAME = re.compile(r"`(\w+)`")


def code(span: Span) -> str:
    """A rule in a sentence: in one line, cut if it is long."""
    text = _text(span)
    return f"`{text if len(text) <= MAX_CODE else text[: MAX_CODE - 1] + '…'}`"


def _text(span: Span) -> str:
    """The text of an expression in one line; of a `for` what it walks."""
    text = " ".join(span.text.split())
    return _FOR.sub("", text, count=1) if text.startswith("for ") else text


def vocabulary_of(program: Program) -> Vocabulary:
    """What the names of a program mean in words.

    A definition gives the words for its calls if the first clause of its `doc`, up to a comma, names every
    parameter in back-ticks: of a value a noun (`the row of `c``), of yes or no a clause behind “whether”.
    """
    truths: dict[str, CallWords | None] = {}
    values: dict[str, CallWords | None] = {}
    for name, proc in program.defs.items():
        is_truth = isinstance(proc.returns, t.Bool)
        params = tuple(param.name for param in proc.params)
        (truths if is_truth else values)[name] = call_words(
            proc.doc, params, is_truth=is_truth, acts=proc.returns == t.NOTHING
        )
    return Vocabulary(
        values,
        truths,
        boards=frozenset(program.boards),
        flags={name: _keys(v.type) for name, v in program.vars.items() if _is_flag(v.type)},
        traits=frozenset(_traits(program)),
        names={},
    )


def _is_flag(kind: t.Type) -> bool:
    return _is_flag(kind.value) if isinstance(kind, t.Map) else isinstance(kind, t.Bool)


def _keys(kind: t.Type) -> int:
    return 1 + _keys(kind.value) if isinstance(kind, t.Map) else 0


def _traits(program: Program) -> Iterator[str]:
    """Yield the names of attributes and fields that are yes or no, wherever they have that type."""
    kinds: dict[str, set[bool]] = {}
    for declared in (
        *(c.attributes for c in program.classes.values()),
        *(r.fields for r in program.records.values()),
        *(b.cell_attributes for b in program.boards.values()),
        *(e.columns for e in program.enums.values()),
    ):
        for name, kind in declared.items():
            kinds.setdefault(name, set()).add(isinstance(kind, t.Bool))
    for variable in program.vars.values():
        if variable.of_class is not None:
            kinds.setdefault(variable.name.rpartition(".")[2], set()).add(_is_flag(variable.type))
    yield from (name for name, found in kinds.items() if found == {True})


class RuleWords:
    """The words of the rules of a program."""

    def __init__(self, program: Program) -> None:
        self._vocabulary = vocabulary_of(program)

    def value(self, span: Span, values: Mapping[str, Text]) -> Text:
        """An expression in words, with the words for some of its names."""
        return self._told(phrase_of, span, values) or Text.of(code(span))

    def denial(self, span: Span, values: Mapping[str, Text]) -> Text:
        """What is so where a condition does not hold."""
        return self._told(denial_of, span, values) or Text.of(code(span), " does not hold")

    def _told(
        self, say: Callable[[str, Vocabulary], str | None], span: Span, values: Mapping[str, Text]
    ) -> Text | None:
        marks = {name: f"\ue000{i}\ue001" for i, name in enumerate(values)}
        words = say(_text(span), replace(self._vocabulary, names=marks))
        if words is None:
            return None
        told = list(values.values())
        parts: list[Part] = list(_VALUE.split(words))
        parts[1::2] = [told[int(str(i))] for i in parts[1::2]]
        return Text.of(*parts)


def of_doc(doc: str, values: Mapping[str, Text]) -> Text:
    """The `doc` of a definition, with its parameters in back-ticks replaced by what is given for them."""
    parts: list[Part] = list(_NAME.split(doc))
    parts[1::2] = [values.get(str(name), Text.of(str(name))) for name in parts[1::2]]
    return Text.of(*parts)
