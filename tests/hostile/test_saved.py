"""Every hostile saved game and command line ever found: an exit code, one diagnostic at its place, at once,
shown without harm.

`saved/edits.json` holds edits of a game that is played here (so that no hash in a file grows old): a text
found and replaced once, a part kept, or a whole text as pieces and how often each comes.
`saved/command_lines.json` holds arguments.
"""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from croupier.cli import main
from hostile import HARMFUL, LONGEST, SECONDS

FOLDER = Path(__file__).parent / "saved"
RULES = Path(__file__).parent.parent / "data" / "my_game"
# another game than was recorded; what else is wrong with a file keeps it from being read
DIFFERENT = re.compile("X506|X51[0-68]|G")
EDITS = json.loads((FOLDER / "edits.json").read_text(encoding="utf-8"))
COMMAND_LINES = json.loads((FOLDER / "command_lines.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The text of a saved game."""
    path = tmp_path_factory.mktemp("saved") / "game.json"
    assert main(["run", str(RULES), "--seed", "1", "--save", str(path)]) == 0
    return path.read_text(encoding="utf-8")


def edited(text: str, edit: dict[str, Any]) -> str:
    if "text" in edit:
        return "".join(piece * times for piece, times in edit["text"])
    if "cut" in edit:
        return text[: int(len(text) * edit["cut"])]
    result, count = re.subn(edit["find"], edit["put"].replace("\\u", "\\\\u"), text, count=1)
    assert count == 1, f"{edit['name']}: nothing to edit"
    return result


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit["name"])
def test_an_edited_game(
    edit: dict[str, Any], saved: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    path.write_text(edited(saved, edit), encoding="utf-8")
    started = time.process_time()
    code = main(["replay", str(path), *([] if edit.get("free") else ["--ruleset", str(RULES)])])
    assert time.process_time() - started < 2 * SECONDS, "the machine may be busy"
    captured = capsys.readouterr()
    codes = re.findall(r"^error\[(\w+)\b", captured.err, re.MULTILINE)
    assert (code, captured.out) == (1 if DIFFERENT.match(codes[0]) else 2, "")
    assert len(set(codes)) == 1 and codes[0].startswith(edit["code"]), captured.err
    places = re.findall(r"--> .*game\.json:(\d+):\d+$", captured.err, re.MULTILINE)
    assert edit["line"] == 0 or int(places[0]) == edit["line"], captured.err
    assert not HARMFUL.search(captured.err) and len(captured.err) < LONGEST


@pytest.mark.parametrize("code", ["X505", "X507"])
def test_what_is_wrong_by_the_ten_thousand(
    code: str, saved: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Reading is linear in the size of the file: unknown keys, and objects of many keys of which the last one
    stands twice.
    """
    many = "".join(f'"k{i}": 1, ' for i in range(30_000))
    keys = many if code == "X505" else f'"outcome": {{{many}"k29999": 1}}, '
    path = tmp_path / "game.json"
    path.write_text("{" + keys + saved.lstrip()[1:], encoding="utf-8")
    started = time.process_time()
    assert main(["replay", str(path), "--ruleset", str(RULES)]) == 2
    assert time.process_time() - started < 2 * SECONDS, "the machine may be busy"
    assert set(re.findall(r"^error\[(\w+)\b", capsys.readouterr().err, re.MULTILINE)) == {code}


def test_the_game_itself_replays(saved: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(saved, encoding="utf-8")
    assert main(["replay", str(path), "--ruleset", str(RULES)]) == 0


@pytest.mark.parametrize("line", COMMAND_LINES, ids=lambda line: line["name"])
def test_a_command_line(
    line: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").write_text("mine")
    words = {"RULES": str(RULES), "LONG": "x" * 5000, "DEEP": "[" * 100_000, "DIGITS": "9" * 10_000}
    arguments = [
        re.sub("RULES|LONG|DEEP|DIGITS", lambda found: words[found.group()], part)
        for part in line["arguments"]
    ]
    started = time.process_time()
    code = main(arguments)
    assert time.process_time() - started < 2 * SECONDS, "the machine may be busy"
    captured = capsys.readouterr()
    assert code == line["code"], captured.err
    assert line["says"] in captured.err + captured.out
    assert "Traceback" not in captured.err
    assert not HARMFUL.search(captured.err) and len(captured.err) < LONGEST
    assert (tmp_path / "taken").read_text() == "mine"
