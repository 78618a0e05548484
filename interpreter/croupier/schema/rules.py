"""Where rule text stands: phases, definitions, claims."""

from __future__ import annotations

from typing import Annotated, ClassVar, Self, TypeAlias

from pydantic import Field

from croupier.schema.declaration import Declaration
from croupier.schema.findings import Findings, refuse
from croupier.schema.leaves import NAME, RULES, Expression, LongExpression, Prose, Rules, Switch, Template, TypeText
from croupier.schema.shapes import KeyedTexts, Named, Titled, keyed_texts
from croupier.source import Mapping


class Phase(Declaration):
    """A part of the game: rule `text`, or `phases` in order, once, `for` each of some values, or again and again."""

    SHORT: ClassVar[str | None] = "text"
    WANTED: ClassVar[str] = "rule text, or a group with `phases`"
    HABITS: ClassVar[dict[str, str]] = {"until": "repeat until", "while": "repeat until", "loop": "repeat", "steps": "phases"}

    text: Rules | None = None
    for_each: Expression | None = Field(None, alias="for")
    repeat: Switch | None = None
    repeat_until: LongExpression | None = Field(None, alias="repeat until")
    phases: Titled[Phase] = ()

    def examine(self, findings: Findings) -> Self:
        node = self.node
        if not isinstance(node, Mapping):
            return self
        loops = [key for key, _ in node.entries if key.text in ("for", "repeat", "repeat until")]
        for key in loops[1:]:
            findings.excludes(key, loops[0])
        if node.get("phases") is None:
            findings.refuse("D002", findings.head(node), place=findings.place(node), key="phases")
        if not self.phases:
            refuse()
        return self


class Claim(Declaration):
    """Something a player may say: without effect, seen by all, with fields of declared types."""

    says: Template
    fields: Named[TypeText] = ()
    only_if: Expression | None = Field(None, alias="only if")
    leaks: Prose | None = None


Definitions: TypeAlias = Annotated[KeyedTexts, keyed_texts(NAME, RULES)]
"""Rule text by section title, or under None where there are no sections."""
