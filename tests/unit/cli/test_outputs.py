"""Every JSON output fits its published schema: the calls stand in `outputs.cases.yaml`.

A command with JSON and without a schema is a mistake.
"""

from __future__ import annotations

import inspect
import json
import shlex
import shutil
from enum import Enum
from pathlib import Path
from typing import Any, get_args

import pytest
from ruamel.yaml import YAML

from croupier import __version__
from croupier.cli import main
from croupier.cli.app import COMMANDS, function_of
from croupier.outputs.documents import SCHEMAS
from croupier.outputs.schemas import DRAFT, keys_of, schema_of
from published import validated
from server_files import make_store

Row = dict[str, Any]
CASES: list[Row] = YAML(typ="safe").load(
    Path(__file__).with_name("outputs.cases.yaml").read_text(encoding="utf-8")
)
DATA = Path(__file__).parent.parent.parent / "data"
# schemas that do not have the name of a command
NO_COMMANDS = {"decisions", "error", "events", "run-lines", "table", "test-under"}
SCENARIO = """croupier: 1
given: {players: [Anna, Ben], rest: deck}
scenarios:
  - id: points
    title: the highest card wins a point
    given:
      at: play
      zones: {hand: {Anna: ["3"], Ben: ["5"]}}
    do:
      - Anna: "3"
      - Ben: "5"
    then: {facts: ["points[Ben] == 1"]}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the calls name."""
    home = tmp_path_factory.mktemp("outputs")
    for part in ("variants", "scenarios"):
        (home / "my_game" / part).mkdir(parents=True)
    for place in (home / "my_game" / "ruleset.yaml", home / "my_game.yaml"):
        shutil.copy(DATA / "my_game" / "ruleset.yaml", place)
    (home / "my_game" / "variants" / "short_game.yaml").write_text(
        "croupier: 1\nextends: ../ruleset.yaml\nset: {hand_size: 1}\n"
    )
    (home / "my_game" / "scenarios" / "some.yaml").write_text(SCENARIO)
    (home / "wrong.yaml").write_text("croupier: 1\nruleset: wrong\ntitle: Wrong\nplayers: 2\nplayers: 3\n")
    shutil.copy(DATA / "hunt" / "never_passing.yaml", home)
    with pytest.MonkeyPatch.context() as there:
        there.chdir(home)
        make_store(home / "tables.db")
        assert main(["run", "my_game", "--seed", "1", "--save", "game.json"]) == 0
        assert (
            main(["collect", "my_game", "--games", "3", "--seed", "1", "--jobs", "1", "--out", "shards"]) == 0
        )
    return home


def has_json(name: str) -> bool:
    """Does a command have `--format json`?"""
    format = inspect.signature(function_of(name), eval_str=True).parameters.get("format")
    kind = None if format is None else next(iter(get_args(format.annotation)), None)
    return isinstance(kind, type) and issubclass(kind, Enum) and "json" in {member.value for member in kind}


@pytest.mark.parametrize("row", CASES, ids=lambda row: row["call"])
def test_an_output_fits_its_schema(
    row: Row,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(folder, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    arguments = shlex.split(row["call"])
    wanted = row.get("code", 0)
    assert main([*arguments, "--format", "json"]) in (wanted if isinstance(wanted, list) else [wanted])
    document = validated(capsys.readouterr().out)
    name = row.get("schema", arguments[0])
    assert (
        document["schema"] == {"name": name, "version": SCHEMAS[name].version}
        and document["croupier"] == __version__
    )
    said = row.get("says", {})
    assert {key: document[key] for key in said} == said
    if "parameters" in document and "swept" not in document:
        assert "hand_size" in document["parameters"] or arguments[1] in ("tic_tac_toe", "never_passing.yaml")


REPEATED = ("simulate", "compare", "sweep", "coverage", "hunt", "mutate", "test")


@pytest.mark.parametrize(
    "row",
    [next(row for row in CASES if row["call"].startswith(f"{name} ")) for name in REPEATED],
    ids=lambda row: row["call"],
)
def test_equal_calls_give_equal_bytes_but_for_times(
    row: Row,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = []
    for name in ("one", "other"):
        shutil.copytree(folder, tmp_path / name / "here")
        monkeypatch.chdir(tmp_path / name / "here")
        main([*shlex.split(row["call"]), "--format", "json"])
        told.append(capsys.readouterr().out.partition('\n  "timing": ')[0])
    assert told[0] == told[1]


@pytest.mark.parametrize("seat", [None, 1])
def test_lines_of_a_game_have_the_keys_that_the_first_one_names(
    seat: int | None, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whose = [] if seat is None else ["--seat", str(seat)]
    assert main(["run", str(folder / "my_game"), "--seed", "1", "--format", "jsonl", *whose]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    header = validated(first)
    assert (
        header["schema"]["name"] == "run-lines"
        and header["type"] == "header"
        and header["hash"]
        and (header["seed"] is None) == (seat == 1)
    )
    kinds = {
        "decision": ["type", *_names(header["decision_columns"]), "choice", "hash"],
        "event": ["type", *_names(header["event_columns"]), "parts"],
    }
    for line in map(json.loads, lines[:-1]):
        assert list(line) == (
            kinds[line["type"]]
            if seat is None
            else ["type", "text", "parts", "kind", "rules", "data", "quiet"]
        )
    assert json.loads(lines[-1])["type"] == "outcome"


def _names(columns: list[Row]) -> list[str]:
    return [column["name"] for column in columns]


def test_every_command_with_json_has_a_schema_and_a_call() -> None:
    written = {name for name in COMMANDS if has_json(name)}
    assert written == SCHEMAS.keys() - NO_COMMANDS
    assert {shlex.split(row["call"])[0] for row in CASES} == written


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_key_of_every_schema_says_what_it_means(name: str) -> None:
    keys = keys_of(name)
    assert [key for key, _, meaning in keys if not meaning] == []
    assert [key for key, *_ in keys][:4] == ["croupier", "schema", "schema.name", "schema.version"]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_allows_no_other_keys(name: str) -> None:
    schema = schema_of(name)
    assert schema["$schema"] == DRAFT
    objects = [schema, *(part for part in schema["$defs"].values() if "properties" in part)]
    for part in objects:
        assert part["additionalProperties"] is False and set(part["required"]) == set(part["properties"])


def test_times_stand_last_and_apart() -> None:
    for name in SCHEMAS:
        keys = list(schema_of(name)["properties"])
        assert "seconds" not in keys and ("timing" not in keys or keys[-1] == "timing"), name


def test_schemas_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(SCHEMAS)
    assert main(["schema", "simulate"]) == 0
    assert json.loads(capsys.readouterr().out) == schema_of("simulate")
    assert main(["schema", "simulat"]) == 2
    assert "did you mean `simulate`" in " ".join(capsys.readouterr().err.replace("│", " ").split())
