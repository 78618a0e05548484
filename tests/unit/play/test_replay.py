"""Saved games: what is written is what is read, and every change is noticed at its place."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from croupier.diagnostics import Diagnostic, RulesetError, Source
from croupier.play.atomic_write import check_free, write_whole
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.record import as_text, checksum
from croupier.play.replay import Replayed, replay
from croupier.play.saved import parse_saved, read_saved, save
from croupier.play.scenario_template import flow
from fake_game import FakeRuleset
from needs import posix

Json = dict[str, Any]


def game(name: str = "fake", **options: Any) -> Json:
    return json.loads(as_text(GameMatch(FakeRuleset(name), MatchConfig(**options)).play().to_json()))


def again(document: Json | str, at: int | None = None, name: str = "fake") -> Replayed:
    text = document if isinstance(document, str) else as_text(document)
    return replay(parse_saved(Source("game.json", text)), FakeRuleset(name), at)


def finding(document: Json | str) -> Diagnostic:
    with pytest.raises(RulesetError) as caught:
        again(document)
    return caught.value.diagnostics[0]


@pytest.mark.parametrize("name", ["fake", "fake-stuck", "fake-endless", "fake-fault"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_saved_game_replays(name: str, seed: int) -> None:
    document = game(name, seed=seed, players=3, parameters={"rounds": 3})
    replayed = again(document, name=name)
    assert replayed.complete and replayed.applied == len(document["actions"])
    assert replayed.state.hash() == document["final_hash"]


def test_a_game_whose_invariant_broke_replays() -> None:
    assert again(
        game("fake-broken-invariant", seed=2, invariants=True), name="fake-broken-invariant"
    ).complete


def test_an_interrupted_game_replays() -> None:
    stops = iter([False] * 3 + [True])
    record = GameMatch(FakeRuleset(), MatchConfig(seed=1)).play(lambda: next(stops))
    assert again(as_text(record.to_json())).applied == 3


def test_the_position_after_some_actions() -> None:
    document = game(seed=5)
    assert again(document, at=0).state.hash() == document["start_hash"]
    assert again(document, at=2).state.hash() == document["actions"][1]["hash"]
    assert not again(document, at=2).complete and again(document, at=len(document["actions"])).applied == len(
        document["actions"]
    )
    for at in (-1, 1000):
        with pytest.raises(ValueError):
            again(document, at=at)


def edited(change: Callable[[Json], object]) -> Diagnostic:
    document = game(seed=5)
    change(document)
    return finding(document)


HASH = "0" * 64


@pytest.mark.parametrize(
    ("change", "code", "line"),
    [
        (lambda d: d.update(croupier=2), "X503", 2),
        (lambda d: d.update(croupier=True), "X503", 2),
        (lambda d: d.pop("croupier"), "X502", 1),
        (lambda d: d.pop("seed"), "X502", 1),
        (lambda d: d.update(sead=5), "X505", -1),
        (lambda d: d.update(players="two"), "X504", 6),
        (lambda d: d.update(players=True), "X504", 6),
        (lambda d: d.update(seed=-1), "X504", 8),
        (lambda d: d.update(outcome=[]), "X504", 11),
        (lambda d: d["outcome"].update(status="won"), "X504", 11),
        (lambda d: d.update(ruleset_hash=HASH, meaning_hash=HASH), "X506", 4),
        (lambda d: d.update(ruleset_hash=HASH), "X518", -1),
        (lambda d: d.update(start_hash=HASH), "X515", 15),
        (lambda d: d.update(final_hash=HASH), "X516", 16),
        (lambda d: d.update(digest=HASH), "X516", 14),
        (lambda d: d.update(decisions=1), "X516", 12),
        (lambda d: d["outcome"].update(winners=[]), "X516", 11),
        (lambda d: d["outcome"].update(returns=None), "X516", 11),
        (lambda d: d["outcome"].pop("returns"), "X504", 11),
        (lambda d: d["actions"].pop(), "X510", -3),
        (lambda d: d["actions"].append(d["actions"][-1]), "X511", -3),
        (lambda d: d["actions"].pop(1), "X513", 19),
        (lambda d: d["actions"][0].update(seat=0), "X513", 18),
        (lambda d: d["actions"][1].update(action=77), "X512", 19),
        (lambda d: d["actions"][1].update(choice={"take": 3}), "X514", 19),
        (lambda d: d["actions"][1].update(hash=HASH), "X515", 19),
        (lambda d: d["actions"][1].update(hash="x"), "X517", 19),
        (lambda d: d["actions"][1].update(more=1), "X517", 19),
        (lambda d: d["actions"][1].pop("choice"), "X517", 19),
        (lambda d: d["actions"][1].update(action="1"), "X517", 19),
        (lambda d: d["actions"].insert(1, 7), "X517", 19),
        (lambda d: d["actions"][-1].update(actions=[]), "X517", -3),
        (lambda d: d["actions"][-1]["actions"].pop(), "X513", -3),
        (lambda d: d.update(players=3), "X5", 0),
        (lambda d: d.update(seed=6), "X518", -1),
        (lambda d: d.update(bots=["first", "first"]), "X518", -1),
        (lambda d: d.update(game=2), "X516", 14),
        (lambda d: d.update(ruleset="other"), "X518", -1),
        (lambda d: d.update(checksum=HASH), "X518", -1),
        (lambda d: d.update(checksum="x"), "X504", -1),
        (lambda d: d.pop("checksum"), "X502", 1),
        (lambda d: d.update(parameters={"rounds": 99}), "X523", 0),
    ],
)
def test_an_edited_game_is_refused_at_the_edit(
    change: Callable[[Json], object], code: str, line: int
) -> None:
    document = game(seed=5)
    change(document)
    first = finding(document)
    assert first.code.startswith(code), first
    wanted = line if line >= 0 else as_text(document).count("\n") + line
    assert line == 0 or (first.span is not None and first.span.line == wanted)


def test_the_first_of_several_unknown_keys_has_a_suggestion() -> None:
    assert edited(lambda d: d.update(sed=1)).help == "did you mean `seed`?"


def test_the_key_that_an_action_lacks_or_has_too_many_of_is_named() -> None:
    assert "`more` is unknown" in edited(lambda d: d["actions"][1].update(more=1)).message
    assert "`choice` is missing" in edited(lambda d: d["actions"][1].pop("choice")).message


def test_truncated_bytes_are_refused_in_words() -> None:
    text = as_text(game(seed=5))
    for length in (*range(0, 40), *range(40, len(text) - 2, 97), len(text) - 2):
        first = finding(text[:length])
        assert first.code in ("X501", "X502"), (length, first)
        assert first.span is not None


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", "X501", "does not begin with `{`"),
        ("[]", "X501", "does not begin with `{`"),
        ("{ }", "X502", "has no `croupier`"),
        ("\x80PK\x03", "X501", "does not begin"),
        ('{"a": 1} x', "X501", "something follows"),
        ('{"a": 1.5}', "X501", "`1.5` is not a whole number"),
        ('{"a": NaN}', "X501", "`NaN`"),
        ('{"a": ' + "9" * 5000 + "}", "X501", "longer than any"),
        ('{"a": ' + "[" * 100_000 + "}", "X501", "nested more than 64 deep"),
        ('{"a": ' + '"\\"' * 200_000, "X501", ""),
        ('{"a": 1, "a": 2}', "X507", "`a`"),
        ('{"actions": [{"seat": 1, "seat": 2}]}', "X507", "`seat`"),
        ('{"a": "bc', "X501", "the file ends in the middle"),
        ('{"a": "b\\q"}', "X501", "invalid \\escape"),
        ('{"a" 1}', "X501", "a `:` is missing"),
        ('{"a": 1 "b": 2}', "X501", "a `,` or `}` is missing"),
        ('{"a": [1 2]}', "X501", "a `,` or `]` is missing"),
        ("{1: 2}", "X501", "a key in quotes"),
        ("{'a': 2}", "X501", "expecting value"),
    ],
)
def test_what_is_not_json(text: str, code: str, words: str) -> None:
    first = finding(text)
    assert first.code == code and words in first.message and first.span is not None


def test_files_are_written_whole_and_never_over_another(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    record = GameMatch(FakeRuleset(), MatchConfig(seed=5)).play()
    save(record, path)
    assert read_saved(path).record == record
    for attempt in (lambda: save(record, path), lambda: check_free(path)):
        with pytest.raises(RulesetError) as caught:
            attempt()
        assert caught.value.diagnostics[0].code == "X530"
    write_whole(path, "other", force=True)
    assert path.read_text() == "other"
    assert os.listdir(tmp_path) == ["game.json"]


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    for path, action in [
        (tmp_path / "no" / "x", check_free),
        (tmp_path, lambda p: check_free(p, force=True)),
    ]:
        with pytest.raises(RulesetError) as caught:
            action(path)
        assert caught.value.diagnostics[0].code == "X531"
    for path in (tmp_path / "no" / "x", tmp_path / "a\0b"):
        with pytest.raises(RulesetError) as caught:
            write_whole(path, "text")
        assert caught.value.diagnostics[0].code == "X531"


@posix
@pytest.mark.parametrize("force", [False, True])
def test_a_pipe_and_a_device_are_written_to_and_stay(tmp_path: Path, force: bool) -> None:
    pipe, null = tmp_path / "pipe", tmp_path / "null"
    os.mkfifo(pipe)
    null.symlink_to(os.devnull)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    for path in (pipe, null):
        check_free(path, force=force)
        write_whole(path, "text", force=force)
    assert (
        os.read(reader, 99) == b"text"
        and pipe.is_fifo()
        and null.is_symlink()
        and Path(os.devnull).is_char_device()
    )
    os.close(reader)


@posix
def test_links_and_other_names_of_a_file_stay(tmp_path: Path) -> None:
    target, link, other, nowhere = (tmp_path / name for name in ("target", "link", "other", "nowhere"))
    target.write_text("old")
    link.symlink_to("target")
    nowhere.symlink_to("made")
    with pytest.raises(RulesetError) as caught:
        write_whole(link, "new")
    assert caught.value.diagnostics[0].code == "X530" and target.read_text() == "old"
    write_whole(link, "new", force=True)
    write_whole(nowhere, "new", force=True)
    assert (
        link.is_symlink()
        and nowhere.is_symlink()
        and target.read_text() == (tmp_path / "made").read_text() == "new"
    )
    os.link(target, other)
    write_whole(target, "newer", force=True)
    assert other.read_text() == "newer" and other.samefile(target)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RulesetError) as caught:
        read_saved(tmp_path / "none.json")
    assert caught.value.diagnostics[0].code == "X001"


def test_a_scenario_to_start_from() -> None:
    nasty = {"a:b": 'x\n\u202e\U000e0001"\\', "yes": "no", "n": None, "l": [1, True, "ü", "player 1"]}
    assert (
        flow(nasty)
        == '{"a:b": "x\\u000a\\u202e\\U000e0001\\"\\\\", "yes": "no", n: null, l: [1, true, "ü", player 1]}'
    )


def test_a_file_of_an_earlier_version_replays() -> None:
    """Its digest was over the hash of the last position instead of the number of steps."""
    document = game(seed=1)
    returns = ",".join(map(str, document["outcome"]["returns"]))
    line = f"1 {document['final_hash']} finished {returns}\n"
    document["digest"] = sha256(line.encode()).hexdigest()
    assert again(document | {"checksum": checksum(document)}).complete
    document["digest"] = sha256(line.replace("finished", "stuck").encode()).hexdigest()
    assert finding(document | {"checksum": checksum(document)}).code == "X516"
