"""The words of an end (`finish … as`): what compiled code writes, and how the text is made of it afterwards.

Words with few values are a number of `Texts`. Others are a *template*: `result` names it, the array `grade`
has the values that stand in it, and whoever reads the result makes the text. So numbers without bounds take
no text apart in compiled code, and no room for one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from croupier.kernel import types as t
from croupier.lowering.shapes import Shape, decoded, width
from croupier.runtime.game import Game

GRADE_MEMORY = "grade"  # the array of the values of a template
FIRST_TEMPLATE = -2  # the word of template 0; template k is k below; a number of `Texts` is 0 or more


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


def grade_text(
    game: Game, texts: Sequence[str], templates: Sequence[GradeTemplate], grade: int, words: Sequence[int]
) -> str:
    """The words of an end.

    `grade`: the word of `result` that says which, not `NONE`; `words`: those of the array `grade`.
    """
    return texts[grade] if grade >= 0 else templates[FIRST_TEMPLATE - grade].text(game, words)
