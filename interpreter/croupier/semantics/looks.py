"""Checking the section `table`: what it names has to be there. Of a base's section a variant may have removed parts; those are passed over."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.diagnostics import Label, Span
from croupier.resolve import ResolvedRuleset
from croupier.schema import COLOURS, TableLook, Text
from croupier.semantics.context import Context
from croupier.semantics.program import Looks


class LookChecker:
    """Checks how a game looks, of a program whose declarations are known."""

    def __init__(self, ctx: Context) -> None:
        self.ctx, self.program = ctx, ctx.program
        self.is_inherited = False

    def check(self, doc: ResolvedRuleset) -> None:
        """Fill in `Program.looks`; what is wrong is reported."""
        if doc.table is None:
            return
        self.is_inherited = doc.table.span.source not in doc.own_sources and doc.base is not None
        self.program.looks = self.looks(doc.table)

    def looks(self, table: TableLook) -> Looks:
        found = Looks()
        for name, values in table.values:
            enum = self.program.enums.get(name.text)
            if enum is None:
                self.unknown(name, "enumeration", self.program.enums)
                continue
            for value, look in values:
                if value.text not in enum.values:
                    self.unknown(value, f"value of `{name.text}`", enum.values)
                    continue
                colour = "" if look.colour is None else COLOURS.get(look.colour.text, look.colour.text)
                found.values[name.text, value.text] = (colour, "" if look.symbol is None else look.symbol.text)
        for name, attributes in table.large:
            kind = self.program.classes.get(name.text)
            if kind is None:
                self.unknown(name, "component", self.program.classes)
                continue
            changing = {v.name.rpartition(".")[2] for v in self.program.vars.values() if v.of_class == name.text}
            known = [a for a in attributes if self.is_known(a, f"attribute of `{name.text}`", (*kind.attributes, *changing))]
            found.large[name.text] = tuple(a.text for a in known)
        self.together(table, found)
        state = [name for name, v in self.program.vars.items() if v.of_class is None]
        found.details = frozenset(d.text for d in table.details or () if self.is_known(d, "state", state))
        return found

    def together(self, table: TableLook, found: Looks) -> None:
        """Groups of zones; a zone belongs to one."""
        first: dict[str, Span] = {}
        for title, zones in table.together:
            for zone in zones:
                if not self.is_known(zone, "zone", self.program.zones):
                    continue
                if zone.text in first:
                    self.ctx.report("N025", zone.span, name=zone.text, labels=(Label(first[zone.text], "here first"),))
                    continue
                first[zone.text] = zone.span
                found.together[zone.text] = title.text

    def is_known(self, name: Text, what: str, known: Iterable[str]) -> bool:
        """Is there such a thing? Reported if not."""
        names = tuple(known)
        if name.text not in names:
            self.unknown(name, what, names)
        return name.text in names

    def unknown(self, name: Text, what: str, known: Iterable[str]) -> None:
        if not self.is_inherited:
            self.ctx.report("N024", name.span, name=name.text, what=what, **self.ctx.suggest(name.text, list(known)))
