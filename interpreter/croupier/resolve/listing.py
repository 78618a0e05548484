"""The rule list of a ruleset: a CSV file `id,tag,text` with the rules that it implements, which citations are checked against."""

from __future__ import annotations

import re
from dataclasses import dataclass

from croupier.diagnostics import Diagnostic, Label, Source, Span, diagnose
from croupier.resolve.tables import located
from croupier.schema import Text
from croupier.source import read_csv

COLUMNS = ("id", "tag", "text")
ID = re.compile(r"[A-Z]{1,8}-[A-Z]*[0-9]+[a-z]?\Z")


@dataclass(frozen=True)
class RuleEntry:
    """A rule of the game: the id that is cited, a tag, and one line that says it."""

    id: Text
    tag: Text
    text: Text

    @property
    def span(self) -> Span:
        """The place of the id."""
        return self.id.span


def read_rule_list(source: Source) -> tuple[dict[str, RuleEntry], list[Diagnostic]]:
    """The rules by id, in the order of the file, and everything that is wrong with the list."""
    table, diagnostics = read_csv(source)
    if table is None:
        return {}, diagnostics
    found = tuple(cell.text for cell in table.columns)
    if found != COLUMNS:
        words = ", ".join(f"`{name}`" for name in found)
        return {}, [*diagnostics, diagnose("V202", table.columns[0].span.to(table.columns[-1].span), found=words)]
    rules: dict[str, RuleEntry] = {}
    for row in table.rows:
        id, tag, text = (Text(located(cell)) for cell in row)
        if not ID.match(id.text):
            diagnostics.append(diagnose("V204", id.span, name=id.text))
        elif id.text in rules:
            labels = [Label(rules[id.text].span, "it stands here already")]
            diagnostics.append(diagnose("V203", id.span, name=id.text, labels=labels))
        else:
            rules[id.text] = RuleEntry(id, tag, text)
    return rules, diagnostics
