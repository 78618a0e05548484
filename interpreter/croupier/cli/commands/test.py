"""`croupier test`: scenarios."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from croupier.cli.completion import complete_variants
from croupier.cli.console import data, document, finish, progress, say, show, usage
from croupier.cli.guard import FINDINGS, INTERRUPTED
from croupier.cli.options import Force, Format, Human, Names, Quiet, Variants, check_output
from croupier.cli.variants import with_variants

if TYPE_CHECKING:
    from croupier.scenarios import ScenarioResult

_PAUSE = 0.5


def test(
    names: Names = None,
    variant: Variants = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Run again whenever a file is saved, until Ctrl-C.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Also show the scenarios that pass.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="FILE",
            help="Write a page that shows the first failed scenario step by step.",
            show_default=False,
        ),
    ] = None,
    under: Annotated[
        list[str] | None,
        typer.Option(
            "--under",
            metavar="VARIANT",
            help="Play the scenarios of the game by the rules of this variant (a name, ONE+OTHER or a path; "
            "repeat the option to combine several).",
            autocompletion=complete_variants,
            show_default=False,
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="With --under: exit with 1 if a scenario does not hold.")
    ] = False,
    force: Force = False,
    quiet: Quiet = False,
    format: Human = Format.HUMAN,
) -> None:
    """Run the scenarios in the folders of rulesets and show what differs; without a name, those of all
    shipped rulesets and modules.

    It also runs the scenarios of the modules in a ruleset's folder. NAME may also be a scenario file, or a
    folder `modules`. A ruleset without scenarios is mentioned, but does not fail. There is no --backend:
    scenarios need the reference evaluator.

    With --under, it tells which of the game's own scenarios hold under a variant. Of each that does not it
    says what is otherwise, which clauses act and which do not act any more, grouped by the change that most
    likely makes the difference. That is no failure: a variant is there to change something.

    Exit code: 0 all passed (with --under: told), 1 some failed (with --under and --strict: some do not hold),
    2 refused.

    \b
    Examples:
      croupier test
      croupier test my_game --verbose
      croupier test my_game --watch
      croupier test my_game --html failed.html
      croupier test my_game --under short_game
    """
    if under:
        _under(names or [], variant, under, verbose, format, watch=watch, html=html, strict=strict)
    if strict:
        usage("goes with --under", "--strict")
    names = [with_variants(name, variant) for name in names or ()]
    from croupier.resources import shipped, shipped_modules
    from croupier.resources import with_modules as expanded

    wanted = expanded(
        names or [*(name for name in shipped() if "/" not in name), *shipped_modules()], beside=True
    )
    if watch and format is not Format.HUMAN:
        usage("does not go with --format json", "--watch")
    if watch and html is not None:
        usage("does not go with --html", "--watch")
    if watch:
        _watch(wanted, verbose)
    if html is not None:
        check_output(html, *wanted, force=force)
    failed, interrupted = _run(wanted, verbose, format, html, force=force)
    if interrupted:
        finish(INTERRUPTED)
    finish(FINDINGS if failed else 0)


def _under(
    names: Sequence[str],
    variant: list[str] | None,
    under: list[str],
    verbose: bool,
    format: Format,
    *,
    watch: bool,
    html: Path | None,
    strict: bool,
) -> NoReturn:
    """Tell which scenarios of a game hold under a variant of it."""
    if len(names) != 1:
        usage("goes with the name of one ruleset", "--under")
    if watch or html is not None:
        usage(f"does not go with {'--watch' if watch else '--html'}", "--under")
    from croupier.authoring.variant_scenarios import scenarios_under
    from croupier.cli.views.variant_scenarios import show_under, summary, under_json

    game = with_variants(names[0], variant)
    changed = with_variants(game, under)
    with progress("scenarios") as bar:
        found = scenarios_under(game, changed, bar.set)
    if found.problems:
        show(found.problems)
    if format is Format.JSON:
        document("test-under", under_json(found, game, changed))
        say(summary(found, game, changed))
    else:
        show_under(found, game, changed, verbose=verbose)
    all_hold = all(result.outcome == "holds" for result in found.results)
    finish(FINDINGS if strict and not all_hold else 0)


def _run(
    names: Sequence[str], verbose: bool, format: Format, html: Path | None = None, *, force: bool = False
) -> tuple[bool, bool]:
    """Run the scenarios and print the results; whether any failed, and whether Ctrl-C ended it.

    `html`: a page of the first that failed.
    """
    from croupier.play.interrupt import Interrupt
    from croupier.scenarios import LoadedRulesets, each_scenario
    from croupier.scenarios.api import rulesets_of_others

    results: list[ScenarioResult] = []
    rulesets = LoadedRulesets(traced=False)
    interrupted = False
    try:
        with Interrupt() as interrupt, progress("scenarios") as bar:
            for name in names:
                if interrupt.requested:
                    raise KeyboardInterrupt
                before = len(results)

                def shown(done: int, of: int, before: int = before) -> None:
                    bar.set(before + done, before + of)

                results.extend(each_scenario(name, progress=shown, keep=html is not None, rulesets=rulesets))
                if len(results) == before:
                    others = ", ".join(rulesets_of_others(name))
                    with bar.hidden():
                        say(f"{name}: no scenarios{others and f'; those in its folder are for {others}'}")
    except KeyboardInterrupt:
        interrupted = True
    failed = [result for result in results if not result.passed]
    if format is Format.JSON:
        counts = {"passed": len(results) - len(failed), "failed": len(failed)}
        times = {
            "seconds": round(sum(result.seconds for result in results), 3),
            "scenarios": [round(result.seconds, 3) for result in results],
        }
        outcomes = [_as_json(result) for result in results]
        document(
            "test",
            {
                "tested": list(map(str, names)),
                "interrupted": interrupted,
                **counts,
                "scenarios": outcomes,
                "timing": times,
            },
        )
    else:
        for result in results if verbose else failed:
            _show(result)
        seconds = sum(result.seconds for result in results)
        played = next((result for result in failed if result.moments), None)
        if html is not None and played is not None:
            _write(html, played, force=force)
        say(
            f"{len(results) - len(failed)} of {len(results)} scenarios passed in {seconds:.1f} "
            f"seconds{', then interrupted' * interrupted}"
        )
    return bool(failed), interrupted


def _show(result: ScenarioResult) -> None:
    """Print the result of a scenario. The message of a failed one has several lines and is sanitised."""
    from croupier.diagnostics import sanitise

    mark = "passed" if result.passed else "FAILED"
    data(
        f"{mark}  {sanitise(str(result.file))}  {sanitise(result.id)}  "
        f"{sanitise(result.title or '')}".rstrip()
    )
    if not result.passed:
        for line in (result.message or "").splitlines():
            data(f"        {line}".rstrip())
        if result.story:
            data("    what happened:")
        for line in result.story:
            data(f"        {sanitise(line)}")


def _write(html: Path, result: ScenarioResult, *, force: bool) -> None:
    from croupier.play.atomic_write import write_whole
    from croupier.server.replay_page import ReplayPage

    watched = ReplayPage(None)
    for state in result.moments:
        watched.add(state)
    write_whole(
        html, watched.html(f"{result.id}: {result.title or result.moments[0].ruleset.title}"), force=force
    )
    say(f"saved as {html}: {result.id}")


def _as_json(result: ScenarioResult) -> dict[str, object]:
    return {
        "file": str(result.file),
        "id": result.id,
        "title": result.title,
        "passed": result.passed,
        "message": result.message,
        "story": list(result.story),
    }


def _watch(names: Sequence[str], verbose: bool) -> None:
    from croupier.diagnostics import RulesetError

    seen: dict[Path, int] | None = None
    while True:
        now = _times(names)
        if now != seen:
            seen = now
            try:
                if _run(names, verbose, Format.HUMAN)[1]:
                    raise KeyboardInterrupt
            except RulesetError as error:
                show(error.diagnostics)
            say("waiting for a file to be saved; Ctrl-C ends")
        time.sleep(_PAUSE)


def _times(names: Sequence[str]) -> dict[Path, int]:
    """Return the time of the last change of each YAML file and table in the rulesets' folders, in
    nanoseconds.
    """
    from croupier.resources import SUFFIXES, find

    times: dict[Path, int] = {}
    for name in names:
        place, _ = find(name)
        if place is None:
            continue
        for folder, _, names_in in os.walk(place.root):
            for path in (Path(folder, file) for file in names_in if file.endswith((*SUFFIXES, ".csv"))):
                with suppress(OSError):
                    times[path] = path.stat().st_mtime_ns
    return times
