"""The shape of a ruleset: which keys there are, what kind of value each takes, and nothing about what the values mean.

A located tree comes in; a document of frozen pydantic models goes out, whose leaves are `Text` (what it says, where it stands),
together with every mistake of shape in the file.  pydantic decides, the catalogue words: an unknown key, a missing key, a wrong
kind of value and rule text in quotes are each reported at the narrowest place, and whatever is fine is kept, so that later
stages can report their mistakes in the same run.

    parse(node)            -> (RulesetDoc | VariantDoc | None, diagnostics)
    read_document(node)    the same, with the names of declarations that had to be dropped
    export.json_schema()   the JSON Schema (draft 7) for editors

    document.py    the sections; variants.py those of variants        kinds.py     types and parameters
    things.py      components, zones, boards, state                   rules.py     phases, definitions, claims
    tables.py      rows                                               players.py   numbers of players
    leaves.py      kinds of text; cites.py citations                  shapes.py    groups, lists, alternatives
    declaration.py what declarations have in common                   findings.py  what is reported, and how a value is refused
    parse.py       runs it all                                        keydocs.py   what each key is for
"""

from croupier.schema.document import VERSION, Document, Limits, RulesetDoc
from croupier.schema.findings import Dropped, Findings
from croupier.schema.kinds import Alias, Enumeration, Parameter, RecordType, Value
from croupier.schema.leaves import Text
from croupier.schema.parse import Parsed, parse, read_document
from croupier.schema.players import Players
from croupier.schema.rules import Claim, Phase
from croupier.schema.shapes import Named
from croupier.schema.tables import Cells, Row, Table
from croupier.schema.things import Audience, Board, Component, StackOptions, StateVariable, Zone
from croupier.schema.variants import AddedPhase, Additions, Removals, VariantDoc

__all__ = [
    "Alias",
    "VERSION",
    "AddedPhase",
    "Additions",
    "Audience",
    "Board",
    "Cells",
    "Claim",
    "Component",
    "Document",
    "Dropped",
    "Enumeration",
    "Findings",
    "Limits",
    "Named",
    "Parameter",
    "Parsed",
    "Phase",
    "Players",
    "RecordType",
    "Removals",
    "Row",
    "RulesetDoc",
    "StackOptions",
    "StateVariable",
    "Table",
    "Text",
    "Value",
    "VariantDoc",
    "Zone",
    "parse",
    "read_document",
]
