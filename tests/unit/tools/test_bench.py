"""`tools/bench`: what it can measure it measures; the parts of documents that it writes have their shape.

No test looks at a time.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import croupier

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

from _bench import against, aims, commands, editor, latency, of_one_tree, readme, run, systems, tables  # noqa: E402
from _bench.measuring import Row, Subject, measure  # noqa: E402
from croupier.resources import shipped  # noqa: E402
from needs import compiler  # noqa: E402

TIC = Subject("tic_tac_toe", 2)
CELL = re.compile(r"–|[\d,.]+( [kM]| m?s| B)?( \([\d.]+ ×( ref\.)?\))?")


def tables_of(text: str) -> list[list[list[str]]]:
    """Markdown tables as cells, without the line under the heading."""
    found, rows = [], list[list[str]]()
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            found.append([rows[0], *rows[2:]])
            rows = []
    return found


def test_every_system_of_this_machine_plays(tmp_path: Path) -> None:
    rows = list(systems.rows_of(TIC, croupier.load(TIC.name), tmp_path))
    assert {systems.BY_HAND, systems.REFERENCE, systems.PYTHON} <= {row.system for row in rows}
    measure(rows, 1, 0.001)
    assert all(row.rate > 0 for row in rows)
    assert tables.playouts(rows).text().splitlines()[1].startswith("hand-written Python")
    assert CELL.fullmatch(tables.playouts(rows).lines[0][1])


@compiler
def test_a_process_that_compiles_tells_its_times_and_the_size_of_a_position(tmp_path: Path) -> None:
    found = latency.compiled(TIC, "native", tmp_path)
    assert isinstance(found["bytes"], int) and found["bytes"] > 0 and {"load", "compile"} <= found.keys()
    assert isinstance(found["clone"], float) and found["clone"] > found["bytes"]


@pytest.mark.parametrize(
    ("name", "players"), [("kuhn_poker", 3), ("leduc_poker", 2), ("tic_tac_toe", 2), ("hex", 2)]
)
def test_openspiel_plays_the_same_number_of_players_or_not_at_all(name: str, players: int) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: an optional group, croupier[peers]")
    initial = systems.spiel(Subject(name, players))
    assert (initial is None) == (name not in systems.IN_SPIEL)
    assert initial is None or initial.num_players() == players


def test_what_is_not_there_is_a_dash() -> None:
    def never(seconds: float) -> tuple[float, float]:
        raise AssertionError

    rows = [
        Row(TIC, systems.BY_HAND, "games", never, [50_000.0]),
        Row(Subject("hex", 2), systems.PYTHON, "games", never, [9.0, 7.0, 1.0]),
    ]
    assert tables.playouts(rows).lines == (
        (systems.BY_HAND, "50.0 k (1.0 ×)", "–"),
        (systems.PYTHON, "–", "7.0"),
    )


def test_getting_ready_is_measured_in_a_process_of_its_own(tmp_path: Path) -> None:
    seen = latency.compiled(TIC, "python", tmp_path)
    assert {"load", "compile", "bytes", "clone"} == seen.keys()
    with pytest.raises(croupier.RulesetError):
        run.subjects_of(run.Wanted(["no_such_game"]), run.YARDED)


def test_the_tables_of_the_page_have_their_shape() -> None:
    """The headings are those that would be written, and every cell is a number or a dash."""
    text = (ROOT / readme.PAGE).read_text(encoding="utf-8")
    part = readme.PART.search(text)
    assert part is not None and readme.filled(text, part.group()) == text
    assert CELL.fullmatch("1.05 M (15 ×)") and not CELL.fullmatch("fast")
    games, steps, prepared, whole, aimed = tables_of(part.group())
    assert games[0] == ["games a second", *(tables.titled(Subject(*one)) for one in run.YARDED.items())]
    assert [line[0] for line in games[1:]] == list(systems.SYSTEMS)
    assert steps[0][0] == "steps a second" and [line[0] for line in steps[1:4]] == list(systems.SYSTEMS[:3])
    assert {line[0].split(",")[0] for line in prepared[1:]} == {*run.YARDED, *run.FIVE}
    assert len(whole) == 1 + 3 + 2 * len(run.MANY)
    assert all(
        CELL.fullmatch(cell)
        for table in (games, steps, prepared, whole)
        for line in table[1:]
        for cell in line[1:]
    )
    assert aimed[0] == ["aim", "wanted", "measured", "met"] and {line[3] for line in aimed[1:]} <= {
        "yes",
        "no",
    }
    assert len(aimed) > len(run.YARDED)
    assert f"`{readme.COMMAND}`" in part.group() and re.search(
        r"\d+ cores?, \S+, CPython 3\.\d+", part.group()
    )


def test_the_readme_has_some_lines_of_the_page() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    part, page = (
        readme.PART.search(text),
        readme.PART.search((ROOT / readme.PAGE).read_text(encoding="utf-8")),
    )
    assert part is not None and page is not None and readme.filled(text, part.group()) == text
    head, *lines = tables_of(page.group())[0]
    shown = readme.small(tables.Table(tuple(head), tuple(map(tuple, lines))))
    assert tables_of(part.group()) == [[list(shown.head), *map(list, shown.lines)]]
    assert [line[0] for line in shown.lines] == list(readme.IN_README)


def test_both_pages_are_written_or_none(tmp_path: Path) -> None:
    rates = {systems.BY_HAND: 10.0, systems.NATIVE: 20.0}
    found = run.Found(
        [Row(TIC, system, "games", lambda seconds: (1, 1), [rate]) for system, rate in rates.items()]
    )
    page, small = tmp_path / readme.PAGE, tmp_path / "README.md"
    page.parent.mkdir(parents=True)
    page.write_text(f"# Performance\n\n{readme.BEGIN}\nold\n{readme.END}\n", encoding="utf-8")
    small.write_text("# Croupier\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no part between"):
        run.write_pages(run.Wanted(), found, tmp_path)
    assert "\nold\n" in page.read_text(encoding="utf-8")
    small.write_text(f"# Croupier\n\n{readme.BEGIN}\nold\n{readme.END}\n", encoding="utf-8")
    run.write_pages(run.Wanted(), found, tmp_path)
    assert "| hand-written Python | 10 (1.0 ×) |" in page.read_text(encoding="utf-8")
    assert "| native | 2 × |" in small.read_text(encoding="utf-8")


def test_aims_are_held_against_what_was_measured() -> None:
    def row(system: str, rate: float) -> Row:
        return Row(TIC, system, "games", lambda seconds: (1, 1), [rate])

    rows = [
        row(systems.BY_HAND, 10),
        row(systems.PYTHON, 9),
        row(systems.NATIVE, 900),
        row(systems.PLAIN_C, 900),
    ]
    ready = [
        latency.Compiling(Subject("large", 2), cold=800.0, cached=30.0),
        latency.Compiling(Subject("small", 2), cold=60.0, cached=5.0),
    ]
    whole = [
        latency.Times("a program that does nothing", (), [0.1], [0.1]),
        latency.Times("`croupier --help`", (), [0.4], [0.12]),
    ]
    assert [line[2:] for line in aims.aims(rows, ready, whole, "large").lines] == [
        ("90 ×", "yes"), ("0.90 ×", "no"), ("1.0 ×", "yes"), ("800 ms", "yes"), ("60 ms", "no"),
        ("30 ms", "no"), ("1.2 ×", "yes")
    ]  # fmt: skip


def test_what_a_call_and_a_clone_cost_is_held_against_the_aims() -> None:
    def row(what: str, rates: list[float]) -> Row:
        return Row(TIC, systems.NATIVE, what, lambda seconds: (1, 1), rates)

    rows = [row("roll_out", [50_000.0, 40_000.0]), row("roll_outs", [1_000_000.0, 500_000.0])]
    ready = [latency.Compiling(Subject(aims.CLONES_OF, 2), clone=4_600.0)]
    assert [line[2:] for line in aims.aims(rows, ready, [], "large").lines] == [
        ("21 µs", "no"),
        ("4.6 GB", "no"),
    ]


def test_every_ruleset_is_held_against_the_reference_evaluator(tmp_path: Path) -> None:
    wanted = run.Wanted(["kuhn_poker", "tic_tac_toe"], None, 1, 0.001)
    games, aimed = run.of_every_ruleset(wanted, tmp_path)
    assert [line[0] for line in games.lines] == ["kuhn_poker, 2", "tic_tac_toe, 2"] and games.head[1:3] == (
        systems.REFERENCE,
        systems.PYTHON,
    )
    rows = [
        Row(TIC, system, "games", lambda seconds: (1, 1), [rate])
        for system, rate in ((systems.REFERENCE, 10), (systems.PYTHON, 70))
    ]
    assert [line[1:] for line in aims.of_every(rows).lines] == [("8 ×", "7.0 ×", "no: 1 below")]
    assert any(f"the least of 2: {name}" in aimed.lines[-1][0] for name in wanted.names)


def test_a_page_without_the_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="no part between"):
        readme.filled("# Croupier\n", "x")


def test_the_lab_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    from _bench import lab

    pytest.importorskip("llvmlite")
    for name, value in {
        "NAME": "kuhn_poker",
        "BOTS": ("random", "mcts!:2"),
        "LONG": (("kuhn_poker", 500),),
    }.items():
        monkeypatch.setattr(lab, name, value)
    assert [line[0] for line in lab.by_bots(0.01).lines] == ["random", "mcts!:2"]
    [line] = lab.scaled(lab.scaling(1)).lines
    assert line[0] == "kuhn_poker, 500 games" and line[3].endswith("×")
    plan = lab.planned(0.01)
    assert len(plan.lines) == len(lab.MACHINES) and "GB" in plan.head[2] and lab.hours(7200) == "2.0 h"


# ---------------------------------------------------------------- whole commands
def test_a_command_on_a_copy_has_its_seconds_and_those_of_before(tmp_path: Path) -> None:
    author = commands.Author(tmp_path, "tic_tac_toe")
    wanted = [one for one in commands.COMMANDS if one.edit or one.words[0] == "fmt"]
    first, *others, formatted = commands.timed(author, wanted, 2, {"check": 1.3})
    assert first.command.edit == commands.SCENARIOS and len(first.seconds) == 2 and min(first.seconds) > 0
    assert re.fullmatch(r"1\.3 → \d+\.\d\d", first.cell()) and re.fullmatch(r"\d+\.\d\d", formatted.cell())
    without_variants, edited = others
    assert without_variants.cell() == "–" and len(edited.seconds) == 2
    assert (author.folder / "ruleset.yaml").read_text(encoding="utf-8").count("# edit ") == 2
    assert "# edit" not in (shipped()["tic_tac_toe"].root / "ruleset.yaml").read_text(encoding="utf-8")


def test_an_empty_cache_is_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    author = commands.Author(tmp_path, "tic_tac_toe")
    seen = []

    class Ended:
        returncode, stderr = 0, ""

    def note(line: list[str], **options: object) -> type[Ended]:
        seen.append((line[3], author.cache.is_dir()))
        author.cache.mkdir(exist_ok=True)
        return Ended

    monkeypatch.setattr("_bench.commands.subprocess.run", note)
    commands.timed(author, commands.COMMANDS[:2], 2, {})
    assert seen == [("check", False), ("check", True)] * 2


def test_a_refused_command_is_said_in_words(tmp_path: Path) -> None:
    author = commands.Author(tmp_path, "tic_tac_toe")
    with pytest.raises(RuntimeError, match="ended with 2: "):
        author.seconds(commands.Command("", ("run",), ("--players", "9")))
    with pytest.raises(croupier.RulesetError, match="no_such"):
        commands.measured(["no_such"], 1, tmp_path)


def test_the_figures_of_before_belong_to_commands_and_folders() -> None:
    assert set(commands.BEFORE) <= set(commands.FOLDERS) <= set(shipped())
    known = {one.before for one in commands.COMMANDS}
    assert all(set(figures) <= known for figures in commands.BEFORE.values())
    assert set(commands.QUICK) <= set(commands.FOLDERS)


def test_the_page_has_a_place_for_commands() -> None:
    shown = [tables.Table(("seconds of the processor", "hex"), (("`check`", "1.3 → 0.40"),))]
    text = (ROOT / readme.PAGE).read_text(encoding="utf-8")
    page = readme.filled(text, commands.part(shown, 3))
    assert "| `check` | 1.3 → 0.40 |" in page and commands.COMMAND in page
    assert page.partition(commands.BEGIN)[0] == text.partition(commands.BEGIN)[0]
    assert page.partition(commands.END)[2] == text.partition(commands.END)[2]


def test_keystrokes_are_typed_in_a_ruleset_and_names_are_found_in_its_folder() -> None:
    place = shipped()["kuhn_poker"]
    text = Path(place.path).read_text(encoding="utf-8")
    for kind in ("a letter of a comment", "a statement that fits"):
        typed = list(editor.keystrokes(text, kind))
        assert typed and all(len(after) > len(text) for after in typed)
    assert editor.waits("kuhn_poker", "a statement that fits", 1)
    assert CELL.fullmatch(editor.searching(str(place.root)).lines[0][1])


# ---------------------------------------------------------------- an earlier commit
def test_a_tree_is_held_against_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(against, "THINGS", (of_one_tree.CHECK, "python"))
    before, now = (against.Tree(ROOT, tmp_path / name) for name in ("before", "now"))
    pairs = list(against.paired(before, now, [Subject("kuhn_poker", 3)], 2, 0.001))
    assert [pair.what for pair in pairs] == list(against.THINGS)
    assert all(len(pair.before) == len(pair.now) == 2 and min(*pair.before, *pair.now) > 0 for pair in pairs)
    assert all(pair.same for pair in pairs), "the same tree plays the same games"
    assert against.table(pairs).lines[1][0].startswith("kuhn_poker, 3: ")


def test_other_diagnostics_and_games_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before, now = (against.Tree(ROOT, tmp_path / name) for name in ("before", "now"))
    pair = against.Pair(TIC, of_one_tree.CHECK, tmp_path)
    answers = {before: ([2.0, 4.0], "one"), now: ([3.0, 9.0], "another")}
    monkeypatch.setattr(against.Tree, "measured", lambda tree, *_: answers[tree])
    for swapped in (False, True):
        against.measure_round(pair, before, now, swapped)
    pair.instructions = (1_000, 1_041)
    assert pair.line()[1:] == ("2.00 s", "3.00 s", "1.50 ×", "1.50 ×", "1.041 ×", "no")


def test_what_the_start_of_a_process_takes_is_not_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before, now = (against.Tree(ROOT, tmp_path / name) for name in ("before", "now"))
    each = {before: 200, now: 150}
    monkeypatch.setattr(
        against.Tree, "instructions", lambda tree, *given: 7_000 + each[tree] * given[-1] * given[-2]
    )
    pairs = [against.Pair(TIC, what, tmp_path, 10) for what in ("python", against.NATIVE)]
    against.count_instructions(pairs, before, now)
    assert [pair.instructions for pair in pairs] == [(6_000, 4_500), None]


def test_what_an_earlier_commit_lacks_is_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="`no_such`: "):
        against.earlier("no_such", ROOT, tmp_path)
    here, elsewhere = against.Tree(ROOT, tmp_path / "cache"), against.Tree(tmp_path, tmp_path / "cache")
    with pytest.raises(RuntimeError, match="`kuhn_poker` is not a ruleset of the earlier commit"):
        next(against.paired(elsewhere, here, [Subject("kuhn_poker", 2)], 1, 0.001))
    with pytest.raises(croupier.RulesetError, match="no_such"):
        next(against.paired(here, here, [Subject("no_such", 2)], 1, 0.001))
    with pytest.raises(RuntimeError, match="for 2 players, not 7"):
        here.measured("reference", shipped()["tic_tac_toe"].root, 7, 1)


def test_the_page_has_a_place_for_an_earlier_commit() -> None:
    shown = tables.Table(("", "before"), (("vudu, 3: `check`", "1.00 s"),))
    text = (ROOT / readme.PAGE).read_text(encoding="utf-8")
    page = readme.filled(text, against.part(shown, 3, "tools/bench against a604cb0e"))
    assert "| vudu, 3: `check` | 1.00 s |" in page
    assert page.partition(against.BEGIN)[0] == text.partition(against.BEGIN)[0]
