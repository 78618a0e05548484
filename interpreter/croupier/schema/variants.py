"""What a variant may say besides the sections of a ruleset: `add`, `remove`, and parts of what the ruleset declares.

The sections of a ruleset, and `rows`, `values` and `powers`, name what is replaced. Under `add` the same sections name what is new, under
`remove` what goes.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Self, TypeAlias

from pydantic import ConfigDict
from pydantic.json_schema import JsonSchemaValue

from croupier.schema.declaration import Declaration
from croupier.schema.document import Document
from croupier.schema.findings import Findings
from croupier.schema.kinds import Parameter, TypeForm, Value, read_values, values_schema
from croupier.schema.leaves import FILE, NAME, LongExpression, Rules, Text
from croupier.schema.rules import Claim, Phase
from croupier.schema.shapes import Group, Items, Located, Names, Shape
from croupier.schema.tables import Table, read_table, table_schema
from croupier.schema.things import Board, Component, Powers, StateVariable, Zone
from croupier.source import Mapping, Node, Sequence

RowChanges: TypeAlias = Annotated[tuple[tuple[Text, Annotated[Table, Shape(read_table, table_schema)]], ...], Group(section="rows")]
ValueChanges: TypeAlias = Annotated[tuple[tuple[Text, Annotated[tuple[Value, ...], Shape(read_values, values_schema)]], ...], Group(section="values")]
PowerChanges: TypeAlias = Annotated[tuple[tuple[Text, Powers], ...], Group(section="powers")]
Parts: TypeAlias = Annotated[tuple[tuple[Text, Names], ...], Group()]
Titles: TypeAlias = Annotated[tuple[Annotated[Text, NAME], ...], Items("a list of names", least=1, distinct=True)]
OptionalNames: TypeAlias = Names | None
WHEN_USED = ConfigDict(defer_build=True)  # most files are no variants, and building these models takes a sixth of the time of all


class AddedPhase(Phase):
    """A phase with a place: `after` or `before` another one; without, it is the last. `rules` is its rule text."""

    model_config = WHEN_USED

    rules: Rules | None = None
    after: Annotated[Text, NAME] | None = None
    before: Annotated[Text, NAME] | None = None

    def examine(self, findings: Findings) -> Self:
        node = self.node
        if not isinstance(node, Mapping):
            return self
        after, before, rules = node.key("after"), node.key("before"), node.key("rules")
        if after is not None and before is not None:
            findings.excludes(before, after)
        if rules is None:
            return super().examine(findings) if node.get("phases") is not None else self._neither(node, findings)
        for name in ("for", "repeat", "repeat until", "phases"):
            other = node.key(name)
            if other is not None:
                findings.excludes(other, rules)
        return self.model_copy(update={"text": self.rules, "phases": ()})

    def _neither(self, node: Mapping, findings: Findings) -> Self:
        findings.refuse("D006", findings.head(node), place=findings.place(node), keys="`rules` (for rule text) or `phases`")


class Additions(Declaration):
    """What a variant adds to the sections of the ruleset: names that are not there yet."""

    model_config = WHEN_USED

    WANTED: ClassVar[str] = "a group of sections"
    ELSEWHERE: ClassVar[dict[str, str]] = {
        "definitions": "write them under `definitions:` of the file: `def` adds one there, `replace def` replaces one",
        "scoring": "write it in the file itself, not under `add`",
        "set": "write it in the file itself, not under `add`",
    }

    types: Annotated[tuple[tuple[Text, TypeForm], ...], Group(section="types")] = ()
    values: ValueChanges = ()
    parameters: Annotated[tuple[tuple[Text, Parameter], ...], Group(section="parameters")] = ()
    components: Annotated[tuple[tuple[Text, Component], ...], Group(section="components")] = ()
    rows: RowChanges = ()
    powers: PowerChanges = ()
    zones: Annotated[tuple[tuple[Text, Zone], ...], Group(section="zones")] = ()
    boards: Annotated[tuple[tuple[Text, Board], ...], Group(section="boards")] = ()
    state: Annotated[tuple[tuple[Text, StateVariable], ...], Group(section="state")] = ()
    claims: Annotated[tuple[tuple[Text, Claim], ...], Group(section="claims")] = ()
    phases: Annotated[tuple[tuple[Text, AddedPhase], ...], Group(NAME, section="phases")] = ()
    invariants: Annotated[tuple[tuple[Text, LongExpression], ...], Group(NAME, section="invariants")] = ()


class Removals(Declaration):
    """What a variant takes out of the sections of the ruleset, by name."""

    model_config = WHEN_USED

    WANTED: ClassVar[str] = "a group of sections with names"
    ELSEWHERE: ClassVar[dict[str, str]] = {"definitions": "a definition is replaced (`replace def`), not removed"}

    types: OptionalNames = None
    values: Parts = ()
    parameters: OptionalNames = None
    components: OptionalNames = None
    rows: Parts = ()
    powers: Parts = ()
    zones: OptionalNames = None
    boards: OptionalNames = None
    state: OptionalNames = None
    claims: OptionalNames = None
    phases: Titles | None = None
    invariants: Titles | None = None


def _read_bases(node: Node, findings: Findings) -> tuple[Text, ...]:
    """One file, or a list of variants that are combined."""
    if not isinstance(node, Sequence):
        return (FILE.read(node, findings),)
    first: dict[str, Node] = {}
    names = []
    for item in node.items:
        name = FILE.read(item, findings)
        if name.text in first:
            findings.twice(item, first[name.text])
            continue
        first[name.text] = item
        names.append(name)
    if not names:
        findings.refuse("D004", node.span, place=findings.place(node))
    return tuple(names)


def _bases_schema() -> JsonSchemaValue:
    file = dict(FILE.schema)
    return {"anyOf": [file, {"type": "array", "items": file, "minItems": 1, "uniqueItems": True}]}


class VariantDoc(Document):
    """A variant: what it `extends`, the parameters it `set`s, and what it replaces, adds and removes."""

    model_config = WHEN_USED

    extends: Annotated[tuple[Text, ...], Shape(_read_bases, _bases_schema)]
    set: Annotated[tuple[tuple[Text, Located], ...], Group(section="set")] = ()
    rows: RowChanges = ()
    values: ValueChanges = ()
    powers: PowerChanges = ()
    add: Additions | None = None
    remove: Removals | None = None
