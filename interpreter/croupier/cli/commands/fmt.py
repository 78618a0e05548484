"""`croupier fmt`: the canonical layout, or the newest version of the language."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import finish, progress, say, show, usage
from croupier.cli.guard import FINDINGS, REFUSED
from croupier.cli.options import MISSING, Names, change_file

if TYPE_CHECKING:
    from croupier.authoring.verdicts import Verdicts
    from croupier.diagnostics import Diagnostic


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
    change_file(path.resolve(), source, formatted.text, shows=diff, writes=not dry)
    say(f"{source.name}: {'would change' if dry else 'changed'}")
    return "changed"


def _upgrade(files: dict[Path, Path], dry: bool, diff: bool) -> int:
    """Rewrite files for the newest version of the language; the exit code."""
    from croupier.authoring.fmt import upgraded
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
        change_file(path.resolve(), sources[path], one.text, shows=diff, writes=not dry)
    return code
