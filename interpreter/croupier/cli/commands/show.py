"""`croupier list`: what is shipped; `croupier dump`: each stage of a ruleset."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import data, document, draw, say
from croupier.cli.options import Format, Human, Name, Players, Variants
from croupier.cli.variants import with_variants
from croupier.diagnostics import JsonObject

if TYPE_CHECKING:
    from rich.table import Table

    from croupier.authoring.listing import Facts
    from croupier.resources import RulesetPlace


# ------------------------------------------------------------ list
@dataclass(frozen=True)
class ListedRuleset:
    """One ruleset; `facts` is None if it does not check, `lines` is the length of its file."""

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


# ------------------------------------------------------------ dump
class Stage(StrEnum):
    """A stage of the pipeline, in its order."""

    AST = "ast"
    TYPED = "typed"
    CORE = "core"
    CODE = "code"
    C = "c"


def dump(
    name: Name,
    variant: Variants = None,
    stage: Annotated[
        Stage,
        typer.Option(
            "--stage",
            help="Print the syntax tree, the typed tree, the core program, compiled Python, or a C program "
            "that plays games.",
        ),
    ] = Stage.TYPED,
    players: Players = None,
) -> None:
    """Print what a ruleset becomes inside croupier at one stage of the pipeline.

    `--stage c` prints one C file. Write it to `game.c`, compile it (`cc -O2 -o game game.c`) and play
    (`./game GAMES SEED`): it prints the same digest as `croupier simulate --games GAMES --seed SEED`. There
    is no such file for rules that look ahead (`so that`).

    Exit code: 0 shown, 2 refused: it does not check.

    \b
    Examples:
      croupier dump my_game --stage ast
      croupier dump my_game --stage typed
      croupier dump my_game --stage core
      croupier dump my_game --stage code
      croupier dump my_game --stage c --players 3
    """
    name = with_variants(name, variant)
    from croupier.pipeline import dump as dump_stage

    data(dump_stage(name, stage.value, players))
