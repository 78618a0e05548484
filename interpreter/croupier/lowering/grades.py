"""The words of an end (`finish … as`): what compiled code writes, and how the text is made of it afterwards.

Words with few values are a number of `Texts`. Others are a *template*: `result` names it, the array `grade` has the values that stand in it, and
whoever reads the result makes the text. So numbers without bounds take no text apart in compiled code, and no room for one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from croupier.core.builder import const
from croupier.core.operations import Expression
from croupier.core.types import Memory
from croupier.lowering.context import Context, Operand, Ref
from croupier.lowering.operands import value
from croupier.lowering.shapes import Shape, decoded, width
from croupier.lowering.texts import has_few_values
from croupier.runtime.game import Game
from croupier.semantics import types as t
from croupier.semantics.tree import TextExpr, TypedExpr

GRADE_MEMORY = "grade"  # the array of the values of a template
FIRST_TEMPLATE = -2  # the word of template 0; template k is k below; a number of `Texts` is 0 or more
MAX_TEMPLATE_WORDS = 1_024  # of the values of a template: results of many games have room for one each


@dataclass(frozen=True, slots=True)
class GradeTemplate:
    """A text in parts, None where a value stands, with type and shape of each value."""

    parts: tuple[str | None, ...]
    values: tuple[tuple[t.Type, Shape], ...]

    def text(self, game: Game, words: Sequence[int]) -> str:
        """The text; `words`: those of the array `grade`."""
        shown: list[str] = []
        at = 0
        for kind, shape in self.values:
            found = decoded(words, at, shape)
            shown.append(str(found) if isinstance(kind, t.Text) else game.show(found, kind, labelled=True))
            at += width(shape)
        following = iter(shown)
        return "".join(next(following) if part is None else part for part in self.parts)


def grade_text(game: Game, texts: Sequence[str], templates: Sequence[GradeTemplate], grade: int, words: Sequence[int]) -> str:
    """The words of an end. `grade`: the word of `result` that says which, not `NONE`; `words`: those of the array `grade`."""
    return texts[grade] if grade >= 0 else templates[FIRST_TEMPLATE - grade].text(game, words)


def write_grade(c: Context, x: TypedExpr) -> Expression:
    """Lower the words of an end; the word that says which they are. Raises `TextWithoutEnd` if they can only be made as characters."""
    assert isinstance(x, TextExpr), x
    if not x.args:
        return const(c.texts.number("".join(part for part in x.parts if part is not None)))
    if (c.texts.long or not has_few_values(c, x)) and _fits_template(c, x):
        return _write_template(c, x.parts, [(a.type, value(c, a)) for a in x.args])
    found = value(c, x)
    return _write_template(c, (None,), [(x.type, found)]) if isinstance(found, Ref) else found


def _fits_template(c: Context, x: TextExpr) -> bool:
    """Can the text be made afterwards, of its values alone?"""
    if not all(_has_fixed_words(c.game, a.type) for a in x.args):
        return False
    return sum(width(c.shape(a.type)) for a in x.args) <= MAX_TEMPLATE_WORDS


def _has_fixed_words(game: Game, kind: t.Type) -> bool:
    """Do the words of a value depend on nothing but the value? The label of a component may depend on the position."""
    match kind:
        case t.Bool() | t.Int() | t.Enum() | t.Player() | t.Cell() | t.Text() | t.Nothing():
            return True
        case t.Component(kinds):
            return not any(name in game.labels for name in kinds)
        case t.Optional(base) | t.Collection(base=base):
            return _has_fixed_words(game, base)
        case t.Record(name):
            return all(_has_fixed_words(game, field) for field in game.program.records[name].fields.values())
        case t.Map(key, value_type):
            return _has_fixed_words(game, key) and _has_fixed_words(game, value_type)
    return False


def _write_template(c: Context, parts: tuple[str | None, ...], values: Sequence[tuple[t.Type, Operand]]) -> Expression:
    """Write the values of a template; the word that names it. Equal templates are one."""
    template = GradeTemplate(parts, tuple((kind, c.shape(kind)) for kind, _ in values))
    if template not in c.grades:
        c.grades.append(template)
    at = 0
    for (_, found), (_, shape) in zip(values, template.values, strict=True):
        c.put(found, Ref(GRADE_MEMORY, const(at), shape))
        at += width(shape)
    declared = c.core.memories.get(GRADE_MEMORY)
    size = max(1, at, 0 if declared is None else declared.size)
    c.core.memories[GRADE_MEMORY] = Memory(GRADE_MEMORY, size, (0,) * size)
    return const(FIRST_TEMPLATE - c.grades.index(template))
