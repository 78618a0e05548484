"""`croupier dump`: each stage of a ruleset."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from croupier.cli.console import data
from croupier.cli.options import Name, Variants, with_variants

app = typer.Typer(add_completion=False)


class Stage(StrEnum):
    """What a ruleset becomes, in this order."""

    AST = "ast"
    TYPED = "typed"
    CORE = "core"
    CODE = "code"


@app.command()
def dump(
    name: Name,
    variant: Variants = None,
    stage: Annotated[Stage, typer.Option("--stage", help="The syntax tree, typed tree, core or compiled Python.")] = Stage.TYPED,
) -> None:
    """Show what a ruleset becomes inside of croupier.

    Exit code: 0 shown, 2 refused: it does not check.

    \b
    Examples:
      croupier dump my_game --stage ast
      croupier dump my_game --stage typed
      croupier dump my_game.yaml --stage core
      croupier dump my_game --stage code
    """
    name = with_variants(name, variant)
    from croupier.pipeline import dump as dump_stage

    data(dump_stage(name, stage.value))
