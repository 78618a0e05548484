"""`croupier dump`: each stage of a ruleset."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from croupier.cli.console import data
from croupier.cli.options import Name, Players, Variants
from croupier.cli.variants import with_variants


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
