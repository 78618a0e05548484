"""`croupier new`: a ruleset to begin with; `croupier fmt`: the canonical layout; `croupier rulebook`: the
rules for players.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.completion import complete_names
from croupier.cli.console import data, finish, progress, say, show, usage
from croupier.cli.guard import FINDINGS, REFUSED
from croupier.cli.options import MISSING, Force, Name, Names, Out, Variants, check_output
from croupier.cli.variants import with_variants

if TYPE_CHECKING:
    from croupier.authoring.verdicts import Verdicts
    from croupier.diagnostics import Diagnostic


# ------------------------------------------------------------ new
_NEW_NAME = "The name of the new ruleset and of its folder; with --variant the folder of a ruleset."
NewName = Annotated[str, typer.Argument(metavar="NAME", help=_NEW_NAME, show_default=False)]
Counts = Annotated[
    str | None,
    typer.Option(
        "--players", "-p", metavar="N-M", help="Make a game for N to M players.", show_default="2-4"
    ),
]
Like = Annotated[
    str | None,
    typer.Option(
        "--like",
        metavar="GAME",
        help="Copy this ruleset with its tables, variants and scenarios.",
        autocompletion=complete_names,
    ),
]
NewVariant = Annotated[
    str | None,
    typer.Option(
        "--variant",
        metavar="V",
        help="Make a variant of this name in the folder of a ruleset.",
        show_default=False,
    ),
]
Folder = Annotated[Path, typer.Option("--in", metavar="FOLDER", help="Make the new folder in this folder.")]


def new(
    name: NewName,
    players: Counts = None,
    like: Like = None,
    variant: NewVariant = None,
    folder: Folder = Path("."),
) -> None:
    """Make a folder with a ruleset that checks, runs and has a scenario.

    It overwrites nothing. With --like the new ruleset is a copy of another, for the same numbers of players.
    With --variant the folder NAME of a ruleset gets a variant: a file with comments that say what it may
    change, and a scenario for it that passes.

    Exit code: 0 made, 2 refused.

    \b
    Examples:
      croupier new my_game
      croupier new another_game --players 3-5
      croupier new house_rules --like my_game
      croupier new my_game --variant thirteen
    """
    if variant is not None:
        _new_variant(name, variant, players, like, folder)
        return
    import croupier
    from croupier.authoring.listing import facts
    from croupier.authoring.new import Unfit, copied, player_counts, started, write_folder
    from croupier.diagnostics import RulesetError, sanitise
    from croupier.resolve.documents import display_path

    try:
        if like is not None:
            files, _ = copied(name, like)
            if players is not None:
                low, high = player_counts(players)
                counts = facts(like, lambda given: croupier.load(given)).players
                if counts != tuple(range(low, high + 1)):
                    usage(
                        f"`{like}` is for {', '.join(map(str, counts))} players: leave --players out, change "
                        f"`players:` later",
                        "--players",
                    )
        else:
            files = started(name, *player_counts("2-4" if players is None else players))
    except Unfit as reason:
        usage(str(reason))

    def approve(draft: Path) -> None:
        found = croupier.check(draft).diagnostics
        if any(d.is_error for d in found):
            raise RulesetError(found)

    made = write_folder(folder / name, files, approve)
    data("\n".join(sanitise(display_path(path.absolute()).as_posix()) for path in made))
    path = display_path((folder / name).absolute()).as_posix()
    say(
        f"next: `croupier check {path}`, `croupier test {path}`, `croupier run {path}`, `croupier play "
        f"{path}`"
    )


def _new_variant(game: str, name: str, players: str | None, like: str | None, folder: Path) -> None:
    """Make a variant of a ruleset that is there."""
    from croupier.authoring.new import Unfit
    from croupier.authoring.new_variant import write_variant
    from croupier.diagnostics import sanitise
    from croupier.resolve.documents import display_path

    for option, is_given in (
        ("--players", players is not None),
        ("--like", like is not None),
        ("--in", folder != Path(".")),
    ):
        if is_given:
            usage("does not go with --variant", option)
    try:
        made = write_variant(game, name)
    except Unfit as reason:
        usage(str(reason))
    data("\n".join(sanitise(display_path(path.absolute()).as_posix()) for path in made))
    path = game.rstrip("/")
    say(
        f"next: `croupier check {path}`, `croupier test {path}/{name}`, `croupier diff {path} "
        f"{path}/{name}`, `croupier test {path} --under {name}`"
    )


# ------------------------------------------------------------ fmt
def fmt(
    names: Names = None,
    all: Annotated[
        bool, typer.Option("--all", help="Format every shipped ruleset with its variants and scenarios.")
    ] = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; exit with 1 if a file is not in the canonical layout."),
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what would change, and write nothing.")] = False,
    upgrade: Annotated[
        bool,
        typer.Option(
            "--upgrade", help="Rewrite files for the newest version of the language, and leave the layout."
        ),
    ] = False,
) -> None:
    """Bring rulesets, variants and scenario files into the canonical layout.

    It sets indentation, spaces, blank lines and the column of citations. It keeps line breaks, quotes, order,
    comments and the meaning. The name of a ruleset or of a folder stands for the ruleset, its variants and
    its scenarios. A file with a syntax error stays as it is. With --upgrade, a name that is a word of the
    newest version gets another name: the same one in all files of one call.

    Exit code: 0 fine, 1 a file could not be read (with --check also: or would change), 2 refused: no such
    ruleset or file.

    \b
    Examples:
      croupier fmt my_game
      croupier fmt my_game/ruleset.yaml my_game/scenarios/rounds.yaml
      croupier fmt --check --all
      croupier fmt --diff my_game
      croupier fmt --upgrade --diff my_game
    """
    from croupier.authoring.fmt import yaml_files
    from croupier.authoring.verdicts import user_verdicts
    from croupier.resources import shipped

    wanted = [*(names or ()), *((name for name in shipped() if "/" not in name) if all else ())]
    if not wanted:
        usage("name at least one file or ruleset, or say `--all`", "NAME")
    files: dict[Path, Path] = {}
    problems: list[Diagnostic] = []
    for name in wanted:
        found, wrong = yaml_files(name)
        files |= {path: root for path, root in found.items() if path not in files}
        problems += wrong
    show(problems)
    if upgrade:
        finish(max(_upgrade(files, check or diff, diff), FINDINGS if problems else 0))
    counts = {"changed": 0, "fine": 0, "left": 0, "not read": len(problems)}
    verdicts = user_verdicts()
    with progress("files") as bar:
        for number, (path, root) in enumerate(files.items()):
            counts[_one(path, root, check or diff, diff, verdicts)] += 1
            bar.set(number + 1, len(files))
    verb = "would change" if check or diff else "changed"
    left = "left as it is because of errors" if counts["left"] == 1 else "left as they are because of errors"
    words = {"changed": verb, "fine": "already laid out", "left": left, "not read": "could not be read"}
    say(", ".join(f"{count} {words[kind]}" for kind, count in counts.items() if count))
    if any(d.code in MISSING for d in problems):
        finish(REFUSED)
    finish(FINDINGS if counts["left"] or counts["not read"] or (check and counts["changed"]) else 0)


def _one(path: Path, root: Path, dry: bool, diff: bool, verdicts: Verdicts) -> str:
    """Format one file; return what was done.

    A file that was laid out the last time and has not changed since is not read as a ruleset again.
    """
    if verdicts.find("layout", str(path), str(root)) is not None:
        return "fine"
    from croupier.authoring.fmt import format_source
    from croupier.cli.views.game import difference
    from croupier.play.atomic_write import write_whole
    from croupier.reads import recorded
    from croupier.resolve.documents import display_path
    from croupier.source import read_file

    with recorded() as reads:
        source, problems = read_file(display_path(path), root)
    if source is None:
        show(problems)
        return "not read"
    formatted = format_source(source)
    if formatted.text is None:
        show(formatted.diagnostics)
        say(f"{source.name}: left as it is, because of what is wrong with it")
        return "left"
    if formatted.text == source.text:
        verdicts.keep(reads, (), "layout", str(path), str(root))
        return "fine"
    if diff:
        data(difference(source.name, source.text, formatted.text))
    if not dry:
        write_whole(path.resolve(), formatted.text, force=True)
    say(f"{source.name}: {'would change' if dry else 'changed'}")
    return "changed"


def _upgrade(files: dict[Path, Path], dry: bool, diff: bool) -> int:
    """Rewrite files for the newest version of the language; the exit code."""
    from croupier.authoring.fmt import upgraded
    from croupier.cli.views.game import difference
    from croupier.play.atomic_write import write_whole
    from croupier.resolve.documents import display_path
    from croupier.source import read_file

    sources, code = {}, 0
    for path, root in files.items():
        source, problems = read_file(display_path(path), root)
        show(problems)
        code = FINDINGS if source is None else code
        if source is not None:
            sources[path] = source
    tables = sorted({table for path in files for table in path.parent.glob("*.csv")})
    for path, one in upgraded(sources, tables).items():
        show(list(one.diagnostics))
        say(f"{sources[path].name}: {one.words}")
        if one.text is None:
            code = FINDINGS if one.words.startswith("left") else code
            continue
        if diff:
            data(difference(sources[path].name, sources[path].text, one.text))
        if not dry:
            write_whole(path.resolve(), one.text, force=True)
    return code


# ------------------------------------------------------------ rulebook
class RulebookFormat(StrEnum):
    """The format of the rulebook: Markdown, or an HTML page."""

    MD = "md"
    HTML = "html"


def rulebook(
    name: Name,
    variant: Variants = None,
    format: Annotated[
        RulebookFormat, typer.Option("--format", "-f", help="Write Markdown, or an HTML page.")
    ] = RulebookFormat.MD,
    out: Out = None,
    force: Force = False,
) -> None:
    """Write a rulebook for players, made from the ruleset: the aim, components, set-up, play, powers and
    options, with tested examples.

    That of a variant is whole, too: what differs is marked in the margin, and sentences that do not hold are
    struck.

    Exit code: 0 written, 2 refused.

    \b
    Examples:
      croupier rulebook my_game
      croupier rulebook my_game --format html -o rules.html
      croupier rulebook my_game --variant short_game
    """
    name = with_variants(name, variant)
    import croupier
    from croupier.authoring.rulebook import render_html, render_markdown
    from croupier.authoring.rulebook import rulebook as write
    from croupier.play.atomic_write import write_whole

    if out is not None:
        check_output(out, name, force=force)
    with progress("sections") as bar:
        document = write(croupier.load(name), bar.set)
    text = render_html(document) if format is RulebookFormat.HTML else render_markdown(document)
    if out is None:
        data(text)
    else:
        write_whole(out, text, force=force)
        say(f"written to {out}")
