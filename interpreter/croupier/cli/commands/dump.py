"""`croupier dump`: each stage of a ruleset."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from croupier.cli.console import data
from croupier.cli.options import Name, Players, Variants, with_variants

app = typer.Typer(add_completion=False)


class Stage(StrEnum):
    """What a ruleset becomes, in this order."""

    AST = "ast"
    TYPED = "typed"
    CORE = "core"
    CODE = "code"
    C = "c"


@app.command()
def dump(
    name: Name,
    variant: Variants = None,
    stage: Annotated[Stage, typer.Option("--stage", help="The syntax tree, typed tree, core, compiled Python, or C that plays games.")] = Stage.TYPED,
    players: Players = None,
) -> None:
    """Show what a ruleset becomes inside of croupier.

    `--stage c` is one file. Write it to `game.c`, compile it (`cc -O2 -o game game.c`) and play (`./game GAMES SEED`): it prints the digest that
    `croupier simulate --games GAMES --seed SEED` prints. Rules that look ahead (`so that`) have no such file.

    Exit code: 0 shown, 2 refused: it does not check.

    \b
    Examples:
      croupier dump my_game --stage ast
      croupier dump my_game --stage typed
      croupier dump my_game.yaml --stage core
      croupier dump my_game --stage code
      croupier dump my_game --stage c --players 3
    """
    name = with_variants(name, variant)
    from croupier.pipeline import dump as dump_stage

    data(dump_stage(name, stage.value, players))
