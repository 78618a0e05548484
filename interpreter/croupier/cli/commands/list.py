"""`croupier list`: what is shipped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from croupier.cli.console import document, draw, say
from croupier.cli.options import Format, Human
from croupier.diagnostics import JsonObject

if TYPE_CHECKING:
    from croupier.resources import RulesetPlace
    from croupier.ruleset import Ruleset

app = typer.Typer(add_completion=False)


@dataclass(frozen=True)
class ListedRuleset:
    """One ruleset; `ruleset` is None if it does not check, `lines` is the length of its file."""

    name: str
    ruleset: Ruleset | None
    lines: int

    @property
    def variant_of(self) -> str | None:
        """The ruleset that a variant belongs to."""
        return self.name.split("/")[0] if "/" in self.name else None

    def to_json(self) -> JsonObject:
        from croupier.play.record import plain

        rules = self.ruleset
        whose = {"name": self.name, "variant_of": self.variant_of}
        if rules is None:
            return {**whose, "title": None, "players": None, "parameters": [], "lines": self.lines, "clean": False}
        parameters = [
            {"name": parameter.name, "type": parameter.type_text, "default": plain(parameter.default), "doc": parameter.doc}
            | ({"variants": {value: list(names) for value, names in parameter.variants.items()}} if parameter.variants else {})
            for parameter in rules.parameters
        ]
        players = list(rules.players)
        usual = {"default_players": rules.default_players}
        return {**whose, "title": rules.title, "players": players, **usual, "parameters": parameters, "lines": self.lines, "clean": True}


@app.command("list")
def list_rulesets(format: Human = Format.HUMAN) -> None:
    """Show the rulesets that come with croupier: name, title, players, parameters and size in lines.

    Exit code: 0.

    \b
    Examples:
      croupier list
      croupier list --format json
    """
    from croupier.resources import MODULES, module_names, rulesets_folder, shipped

    rows = [_row(name, place) for name, place in shipped().items()]
    if format is Format.JSON:
        document([row.to_json() for row in rows])
        return
    draw(_table(rows))
    say(f"modules for `uses`: {', '.join(module_names(rulesets_folder()))}; `croupier rulebook {MODULES}/NAME` shows one")


def _row(name: str, place: RulesetPlace) -> ListedRuleset:
    import croupier
    from croupier.diagnostics import RulesetError

    lines = place.path.read_bytes().count(b"\n")
    try:
        return ListedRuleset(name, croupier.load(name), lines)
    except RulesetError:
        return ListedRuleset(name, None, lines)


def _table(rows: list[ListedRuleset]) -> Any:
    from rich.table import Table
    from rich.text import Text

    from croupier.cli.views.words import numbers
    from croupier.diagnostics import sanitise

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, side in (("name", "left"), ("title", "left"), ("players", "right"), ("parameters", "right"), ("lines", "right")):
        table.add_column(heading, justify=side, no_wrap=heading == "name")  # type: ignore[arg-type]
    for row in rows:
        rules = row.ruleset
        cells = [rules.title, numbers(rules.players), str(len(rules.parameters))] if rules else ["(does not check)", "", ""]
        table.add_row(*(Text(sanitise(cell)) for cell in (row.name, *cells, str(row.lines))))
    return table
