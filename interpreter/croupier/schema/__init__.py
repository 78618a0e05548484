"""The shape of a ruleset: its keys, and the kind of value of each. `semantics` decides what the values mean.

What comes in is a tree; what goes out is a document of frozen pydantic models, whose leaves are `Text` (a
text with its span), and a diagnostic for each mistake of shape in the file.  pydantic validates, the
catalogue has the messages. An unknown key, a missing key, a wrong kind of value and rule text in quotes are
each reported at the narrowest span.  The rest is kept, so that later stages can report their mistakes in the
same run.

    parse(node)            -> (RulesetDoc | VariantDoc | None, diagnostics)
    read_document(node)    the same, with the names of declarations that had to be dropped
    export.json_schema()   the JSON Schema (draft 7) for editors

    document.py      whole rulesets and variants, and how they are read   sections.py   what the sections hold
    values.py        players, rows, types, parameters                     leaves.py     kinds of text
    declaration.py   what declarations have in common, citations,         shapes.py     groups, lists,
                     alternatives
                     what each key is for                                 export.py     the JSON Schema
    findings.py      diagnostics, and how a value is refused
"""

from croupier.schema.document import (
    VERSIONS,
    AddedPhase,
    Additions,
    AnyDoc,
    Document,
    Limits,
    ModuleDoc,
    ModuleUse,
    Parsed,
    Removals,
    RulesetDoc,
    VariantDoc,
    is_known_version,
    parse,
    read_document,
)
from croupier.schema.findings import Dropped, Findings
from croupier.schema.leaves import Text
from croupier.schema.sections import (
    COLOURS,
    Audience,
    Board,
    CellLabels,
    Claim,
    Component,
    Phase,
    StackOptions,
    StateVariable,
    TableLook,
    ValueLook,
    Zone,
)
from croupier.schema.shapes import Named
from croupier.schema.values import (
    Alias,
    Cells,
    Enumeration,
    Parameter,
    Players,
    RecordType,
    Row,
    Table,
    Value,
)

__all__ = [
    "VERSIONS",
    "is_known_version",
    "AddedPhase",
    "Additions",
    "Alias",
    "AnyDoc",
    "Audience",
    "Board",
    "COLOURS",
    "CellLabels",
    "Cells",
    "Claim",
    "Component",
    "Document",
    "Dropped",
    "Enumeration",
    "Findings",
    "Limits",
    "ModuleDoc",
    "ModuleUse",
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
    "TableLook",
    "Table",
    "Text",
    "Value",
    "ValueLook",
    "VariantDoc",
    "Zone",
    "parse",
    "read_document",
]
