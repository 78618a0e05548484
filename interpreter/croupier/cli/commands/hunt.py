"""`croupier hunt`: games by players who play as nobody does, to find faults."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import data, document, finish, progress, say, usage
from croupier.cli.forecast import Cost
from croupier.cli.guard import FINDINGS
from croupier.cli.lab import Jobs, interrupted_after, stop
from croupier.cli.options import (
    MAX_GAMES,
    Force,
    Format,
    Human,
    Name,
    Quiet,
    Seed,
    Settings,
    SomePlayers,
    Variants,
    new_seed,
    settings,
)
from croupier.cli.variants import with_variants
from croupier.cli.views.game import plural
from croupier.diagnostics import JsonObject, sanitise

if TYPE_CHECKING:
    from croupier.authoring.hunt import Finding, Hunter

MAX_ACTIONS = 200_000  # of a game: twice what a ruleset may allow it of either
_GAMES = 500  # that are played where nobody says how many


def hunt(
    name: Name,
    variant: Variants = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", "-n", metavar="N", min=1, max=MAX_GAMES, help="Play N games.", show_default=f"{_GAMES}"
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            metavar="S",
            min=0,
            help="Play for so long, instead of a number of games.",
            show_default=False,
        ),
    ] = None,
    players: SomePlayers = None,
    seed: Seed = None,
    set: Settings = None,
    vary: Annotated[
        bool,
        typer.Option(
            "--vary/--no-vary",
            help="Also play with other values of the parameters that are not set, one parameter at a time.",
        ),
    ] = True,
    actions: Annotated[
        int,
        typer.Option(
            "--actions",
            metavar="N",
            min=1,
            max=MAX_ACTIONS,
            help="End a game after N decisions and chance events.",
        ),
    ] = 2_000,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if a game did not end within --actions, too.")
    ] = False,
    jobs: Jobs = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "--output",
            "-o",
            metavar="FOLDER",
            help="Write a scenario for each fault into this folder.",
            show_default="print them",
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume",
            metavar="FILE",
            help="Go on from this file, if it is there, and keep the hunt in it.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
    format: Human = Format.HUMAN,
) -> None:
    """Look for faults: play games by players who play as nobody does, and turn each fault into a scenario.

    Players always take the first, the last or the third option, decline whenever they can or never, take one
    option whenever possible or never, play for as long as possible, drive a number up or down, or prefer what
    ran least. Random games of `croupier simulate` do none of that. What is found is shortened: the scenario
    plays a few actions that lead to the fault, and fails until the rules are mended.

    A fault is what ends a game as faulted or stuck, an invariant that does not hold, a limit of the ruleset
    that is reached, and a mistake of croupier. A game that goes on for longer than --actions is told apart:
    players who want to can keep many a game from its end.

    Exit code: 0 nothing found, 1 a fault was found, 2 refused, 130 interrupted: what was found by then is
    shown.

    \b
    Examples:
      croupier hunt my_game --games 100
      croupier hunt my_game --games 50 --players 3 --set hand_size=5 --seed 1
      croupier hunt my_game --seconds 2 --out found --resume hunt.json
      croupier hunt my_game --games 50 --seed 1 --format json
    """
    name = with_variants(name, variant)
    from croupier.authoring.hunt import BadHunt, HuntConfig, Hunter
    from croupier.lab.page_frame import half
    from croupier.play.atomic_write import make_folder
    from croupier.play.interrupt import Interrupt

    if games is not None and seconds is not None:
        usage("does not go with --games", "--seconds")
    config = HuntConfig(players, tuple(settings(set).items()), _seed(seed, resume), vary, actions)
    hunter = Hunter(name, config)
    try:
        kept = _kept(resume)
        if kept is not None:
            hunter.resume(kept)
    except BadHunt as error:
        usage(str(error), "--resume")
    wanted = None if seconds is not None else games or _GAMES
    if out is not None:
        make_folder(out)
    with Interrupt() as interrupt, progress("games", wanted, Cost()) as bar:
        hunter.run(
            wanted,
            seconds,
            jobs=jobs,
            should_stop=interrupt.is_requested,
            progress=lambda done, of: bar.set(done, of or done),
        )
    _keep(hunter, resume)
    found = list(hunter.hunt.findings.values())
    texts = [_scenario(hunter, finding) for finding in found]
    if format is Format.JSON:
        document("hunt", _as_json(hunter, found, texts, wanted, interrupt.requested))
    else:
        if interrupt.requested:
            data(
                half(hunter.hunt.games, wanted or hunter.hunt.games)
                or "half: interrupted before its time was over"
            )
        _show(hunter, found, texts, is_printed=out is None, is_whole=not interrupt.requested)
    if out is not None:
        _write(out, found, texts, force=force)
    if interrupt.requested:
        stop(
            _interrupted(hunter.hunt.games, wanted)
            + ("" if resume is None else f"; `--resume {resume}` goes on")
        )
    finish(FINDINGS if found or (strict and hunter.hunt.endless is not None) else 0)


def _interrupted(played: int, wanted: int | None) -> str:
    """Return the words for a hunt that was interrupted; `wanted`: the number of games, if it is one."""
    return (
        f"interrupted after {plural(played, 'game')}" if wanted is None else interrupted_after(played, wanted)
    )


def _seed(seed: int | None, resume: Path | None) -> int:
    """The seed that was given, that of the hunt that goes on, or a new one."""
    import json

    text = _kept(resume) if seed is None else None
    if text is not None:
        try:
            kept = json.loads(text)["config"]["seed"]
        except (ValueError, KeyError, TypeError):
            usage("it does not hold a hunt", "--resume")
        if isinstance(kept, int):
            return new_seed(kept)
    return new_seed(seed)


def _kept(resume: Path | None) -> str | None:
    """Return the stored text of a hunt; `None` if there is none yet."""
    if resume is None or not resume.exists():
        return None
    try:
        return resume.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        usage(f"{resume} cannot be read", "--resume")


def _keep(hunter: Hunter, resume: Path | None) -> None:
    import json

    from croupier.play.atomic_write import write_whole

    if resume is not None:
        write_whole(resume, json.dumps(hunter.hunt.to_json(), ensure_ascii=True) + "\n", force=True)


def _scenario(hunter: Hunter, finding: Finding) -> str | None:
    from croupier.authoring.hunt.shorten import scenario_of

    return scenario_of(finding, hunter.ruleset, hunter.config.seed)


# ------------------------------------------------------------ what is printed
def _show(
    hunter: Hunter, found: list[Finding], texts: list[str | None], *, is_printed: bool, is_whole: bool
) -> None:
    """Print what was found; that nothing was, only of a hunt that is over."""
    hunted = hunter.hunt
    statuses = hunted.knowledge.statuses
    counted = ", ".join(
        f"{count:,} {_STATUS_WORDS.get(status, status)}"
        for status, count in sorted(statuses.items())
        if status != "refused"
    )
    data(f"{sanitise(hunter.ruleset.title)}")
    data(
        f"{plural(hunted.games, 'game')}{f': {counted}' if counted else ''} · seed {hunted.config.seed} · "
        f"rules {hunted.ruleset_hash[:12]}"
    )
    if statuses["refused"]:
        data(f"{plural(statuses['refused'], 'set-up')} refused by the ruleset")
    for finding, text in zip(found, texts, strict=True):
        data("")
        data(_headline(finding))
        data(f"  {_game_words(finding)}")
        if text is None:
            data("  it makes no scenario; `--format json` lists its actions")
        elif is_printed:
            data(f"\n{text.rstrip()}")
    endless = hunted.endless
    if endless is not None:
        count = plural(statuses["endless"], "game")
        data(
            f"\n{count} did not end within {plural(hunted.config.most_actions, 'action')}; the first: "
            f"{_plan_words(endless)}"
        )
    if not found and is_whole:
        data("\nno fault found")
    elif not found and hunted.games:
        data("\nno fault found so far")


_STATUS_WORDS = {"endless": "without an end", "crashed": "ended by a mistake of croupier"}


def _headline(finding: Finding) -> str:
    trouble = finding.trouble
    place = f" ({trouble.file}:{trouble.line})" if trouble.line else ""
    return sanitise(f"{trouble.code or trouble.status}: {trouble.message}{place}")


def _plan_words(finding: Finding) -> str:
    return sanitise(f"game {finding.game} of {finding.setup.words}, where {finding.plan.words}")


def _game_words(finding: Finding) -> str:
    return (
        f"{_plan_words(finding)}; {plural(finding.games, 'game')}, {plural(len(finding.moves), 'action')} "
        f"are enough"
    )


def _as_json(
    hunter: Hunter, found: list[Finding], texts: list[str | None], wanted: int | None, interrupted: bool
) -> JsonObject:
    from croupier.cli.headers import rules_of

    hunted, config = hunter.hunt, hunter.config
    return {
        **rules_of(hunter.ruleset, config.players, dict(config.parameters)),
        "players": config.players,
        "seed": config.seed,
        "games": {"wanted": wanted, "played": hunted.games},
        "interrupted": interrupted,
        "vary": config.vary,
        "most_actions": config.most_actions,
        "statuses": dict(sorted(hunted.knowledge.statuses.items())),
        "found": [
            _finding_as_json(hunter, finding, text) for finding, text in zip(found, texts, strict=True)
        ],
        "endless": None if hunted.endless is None else _finding_as_json(hunter, hunted.endless, None),
    }


def _finding_as_json(hunter: Hunter, finding: Finding, text: str | None) -> JsonObject:
    from croupier.cli.headers import given_parameters

    parameters = given_parameters(hunter.ruleset, finding.setup.players, dict(finding.setup.parameters))
    return {**finding.to_json(), "parameters": parameters, "scenario": text}


# ------------------------------------------------------------ the scenarios
def _write(out: Path, found: list[Finding], texts: list[str | None], *, force: bool) -> None:
    """A file for each fault."""
    from croupier.authoring.hunt.shorten import name_of
    from croupier.play.atomic_write import write_whole

    names = Counter[str]()
    for finding, text in zip(found, texts, strict=True):
        if text is None:
            continue
        name = name_of(finding)
        names[name] += 1
        path = out / (f"{name}.yaml" if names[name] == 1 else f"{name}-{names[name]}.yaml")
        if path.exists() and not force:
            say(f"{path} is there already: --force replaces it")
        else:
            write_whole(path, text, force=force)
            say(f"written to {path}")
