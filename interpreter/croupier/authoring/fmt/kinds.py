"""Which scalars of a file are rule text, and of which kind: the models that read the file know."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from croupier.diagnostics import Diagnostic
from croupier.scenarios.document import FACT
from croupier.scenarios.files import read_scenarios
from croupier.schema import Findings, Text, read_document
from croupier.schema.leaves import DECLARATION, EXPRESSION, LONG_EXPRESSION, RULES, TYPE, Leaf
from croupier.schema.tables import read_table, understand
from croupier.source import Mapping as Keys
from croupier.source import Node, Scalar, Sequence
from croupier.syntax.recovery import ITEMS

STARTS: dict[Leaf, tuple[str, ...]] = {
    RULES: ("module", "block"),
    EXPRESSION: ("expression", "binding"),
    LONG_EXPRESSION: ("expression",),
    TYPE: ("declaration",),
    DECLARATION: ("declaration",),
    FACT: ("expression",),
}


_FIRST = re.compile(r"(?:\s|#[^\n]*\n)*(\w+)")


@dataclass(frozen=True)
class Kinds:
    """What was found out about the scalars of a file, and what is wrong with its shape."""

    leaves: Mapping[int, Leaf]
    diagnostics: tuple[Diagnostic, ...]

    def starts(self, node: Scalar) -> tuple[str, ...]:
        """The kinds of rule text that a scalar may be; none for other texts."""
        leaf = self.leaves.get(node.span.start)
        starts = STARTS.get(leaf, ()) if leaf is not None else ()
        return starts if leaf is not RULES or first_word(node.text) in ITEMS else starts[::-1]  # the likelier one first


def first_word(text: str) -> str:
    """The first word of a rule text that is no comment."""
    found = _FIRST.match(text)
    return found.group(1) if found else ""


def is_scenarios(root: Node) -> bool:
    """Whether a file holds scenarios and not a ruleset."""
    return isinstance(root, Keys) and root.get("scenarios") is not None and root.get("phases") is None


def _columns(root: Sequence) -> tuple[Text, ...]:
    """Stand-ins for the columns of rows that are lists: the ruleset names them, and their number is all that counts here."""
    lists = [item for item in root.items if isinstance(item, Sequence)]
    first = lists[0].items if lists else ()
    return tuple(Text(replace(item, text=f"c{k}", value=f"c{k}")) for k, item in enumerate(first) if isinstance(item, Scalar))


def kinds_of(root: Node) -> Kinds:
    """The kinds of a file's scalars."""
    if isinstance(root, Sequence):  # the rows of a table in a file of its own
        rows = Findings(root)
        table = rows.attempt(read_table, root)
        if table is not None:
            understand(table, _columns(root), rows)
        return Kinds(rows.leaves, tuple(rows.diagnostics))
    if is_scenarios(root):
        _, findings = read_scenarios(root)
        return Kinds(findings.leaves, tuple(findings.diagnostics))
    parsed = read_document(root)
    return Kinds(parsed.leaves, parsed.diagnostics)


