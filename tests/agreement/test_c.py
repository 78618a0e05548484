"""`dump --stage c`: one file of C that plays the games of `simulate`; skipped, in words, where no compiler is
installed.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import croupier
from croupier.diagnostics import RulesetError
from croupier.pipeline import dump
from croupier.play.digest import digest
from croupier.play.match import MatchConfig
from croupier.play.simulate import simulate
from needs import c_compiler

PROGRAMS = Path(__file__).parents[1] / "data" / "programs"
FLAGS = [
    "-std=gnu99",
    "-O0",
    "-Wall",
    "-Werror",
    "-Wno-unused",
    "-Wno-parentheses",
    "-fsanitize=undefined",
    "-fno-sanitize-recover",
]
GAMES = 12
NO_PLANS = ("values", "windows", "maps_of_none", "turned_tiles", "several_of_each", "left_early")


def played_in_c(name: str, players: int, folder: Path) -> subprocess.CompletedProcess[str]:
    source = folder / "game.c"
    source.write_text(dump(name, "c", players), encoding="ascii")
    subprocess.run(["cc", *FLAGS, "-o", folder / "game", source], check=True, capture_output=True, text=True)
    return subprocess.run([folder / "game", str(GAMES), "7"], check=False, capture_output=True, text=True)


@c_compiler
@pytest.mark.parametrize(
    "name",
    [
        *(
            "tic_tac_toe",
            "connect_four",
            "kuhn_poker",
            "liars_dice",
            "goofspiel",
            "witches_of_blackmore",
            "una_notte_da_lupi",
        ),
        *(str(PROGRAMS / f"{name}.yaml") for name in NO_PLANS),
    ],
)
def test_the_same_digest(name: str, tmp_path: Path) -> None:
    ruleset = croupier.load(name)
    players = ruleset.players[-1]
    played = simulate(
        ruleset,
        ruleset.path,
        MatchConfig(players=players, seed=7, backend="python"),
        GAMES,
        load=croupier.load,
    )
    assert played_in_c(name, players, tmp_path).stdout.strip() == digest(played)


@c_compiler
def test_a_game_that_faults_is_told(tmp_path: Path) -> None:
    ran = played_in_c(str(PROGRAMS / "watch_settles.yaml"), 2, tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", "game 1 needs the interpreter\n")


def test_rules_that_look_ahead_are_refused() -> None:
    with pytest.raises(RulesetError) as caught:
        dump("baron_voodoo", "c")
    assert [d.code for d in caught.value.diagnostics] == ["X601"]
