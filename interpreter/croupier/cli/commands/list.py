"""`croupier list`: the rulesets that come with croupier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.cli.console import document, draw, say
from croupier.cli.options import Format, Human
from croupier.diagnostics import JsonObject

if TYPE_CHECKING:
    from rich.table import Table

    from croupier.authoring.listing import Facts
    from croupier.resources import RulesetPlace


@dataclass(frozen=True)
class ListedRuleset:
    """One ruleset; `facts` is `None` if it does not check, `lines` is the length of its file."""

    name: str
    facts: Facts | None
    lines: int

    @property
    def variant_of(self) -> str | None:
        """The ruleset that a variant belongs to."""
        return self.name.split("/")[0] if "/" in self.name else None

    def to_json(self) -> JsonObject:
        whose = {"name": self.name, "variant_of": self.variant_of}
        facts = self.facts
        if facts is None:
            unknown: JsonObject = {"title": None, "players": [], "default_players": None, "parameters": []}
            return {**whose, **unknown, "lines": self.lines, "clean": False}
        return {
            **whose,
            "title": facts.title,
            "players": list(facts.players),
            "default_players": facts.default_players,
            "parameters": [{"variants": {}, **parameter} for parameter in facts.parameters],
            "lines": self.lines,
            "clean": True,
        }


def list_rulesets(format: Human = Format.HUMAN) -> None:
    """Show the rulesets that come with croupier: name, title, players, parameters and size in lines.

    Exit code: 0.

    \b
    Examples:
      croupier list
      croupier list --format json
    """
    from croupier.resources import MODULES, module_names, rulesets_folder, shipped

    rows = [_listed(name, place) for name, place in shipped().items()]
    if format is Format.JSON:
        document(
            "list",
            {"rulesets": [row.to_json() for row in rows], "modules": list(module_names(rulesets_folder()))},
        )
        return
    draw(_listing(rows))
    say(
        f"modules for `uses`: {', '.join(module_names(rulesets_folder()))}; `croupier rulebook "
        f"{MODULES}/NAME` shows one"
    )


def _listed(name: str, place: RulesetPlace) -> ListedRuleset:
    import croupier
    from croupier.authoring.listing import facts
    from croupier.diagnostics import RulesetError

    lines = place.path.read_bytes().count(b"\n")
    try:
        return ListedRuleset(name, facts(name, lambda given: croupier.load(given)), lines)
    except RulesetError:
        return ListedRuleset(name, None, lines)


def _listing(rows: list[ListedRuleset]) -> Table:
    from rich.table import Table
    from rich.text import Text

    from croupier.cli.views.game import numbers
    from croupier.diagnostics import sanitise

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, side in (
        ("name", "left"),
        ("title", "left"),
        ("players", "right"),
        ("parameters", "right"),
        ("lines", "right"),
    ):
        table.add_column(heading, justify=side, no_wrap=heading == "name", overflow="fold")  # type: ignore[arg-type]
    for row in rows:
        facts = row.facts
        cells = (
            ["(does not check)", "", ""]
            if facts is None
            else [facts.title, numbers(facts.players), str(len(facts.parameters))]
        )
        table.add_row(*(Text(sanitise(cell)) for cell in (row.name, *cells, str(row.lines))))
    return table
