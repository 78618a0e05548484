"""Compiled objects are kept for the user alone, and whatever is not just what was written is as good as
nothing.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

import croupier
from croupier.execution import llvm_compiler as engine
from croupier.execution import native_code as code
from croupier.execution import object_cache as cache
from croupier.execution.native_state import NativeState
from croupier.resources import shipped
from needs import compiler, posix

NAME, BODY = "abc123", b"object" * 10


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    return tmp_path / "native"


def kept() -> cache.Cache:
    found = cache.open_cache()
    assert found is not None
    return found


def test_what_was_put_is_there_the_next_time(folder: Path) -> None:
    kept().put(NAME, BODY)
    assert kept().get(NAME) == BODY
    assert kept().get("other") is None
    assert sorted(p.name for p in folder.iterdir()) == [NAME, "key"]


@posix
def test_it_belongs_to_the_user_alone(folder: Path) -> None:
    kept().put(NAME, BODY)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {p.stat().st_mode & 0o777 for p in folder.iterdir()} == {0o600}


@pytest.mark.parametrize("at", [0, len(cache.MAGIC), len(cache.MAGIC) + cache.MAC_BYTES, -1])
def test_a_changed_byte(folder: Path, at: int) -> None:
    kept().put(NAME, BODY)
    found = bytearray((folder / NAME).read_bytes())
    found[at] ^= 1
    (folder / NAME).write_bytes(found)
    assert kept().get(NAME) is None


@pytest.mark.parametrize(
    "size", [0, 5, len(cache.MAGIC) + cache.MAC_BYTES - 1, len(cache.MAGIC) + cache.MAC_BYTES + 5]
)
def test_an_entry_cut_short(folder: Path, size: int) -> None:
    kept().put(NAME, BODY)
    (folder / NAME).write_bytes((folder / NAME).read_bytes()[:size])
    assert kept().get(NAME) is None


def test_an_entry_under_another_name(folder: Path) -> None:
    kept().put(NAME, BODY)
    (folder / NAME).rename(folder / "other")
    assert kept().get("other") is None


def test_an_entry_by_another_key(folder: Path) -> None:
    kept().put(NAME, BODY)
    (folder / "key").write_bytes(b"k" * cache.MAC_BYTES)
    assert kept().get(NAME) is None


def test_a_damaged_key_is_made_anew(folder: Path) -> None:
    kept().put(NAME, BODY)
    (folder / "key").write_bytes(b"short")
    assert kept().get(NAME) is None
    kept().put(NAME, BODY)
    assert kept().get(NAME) == BODY


@posix
@pytest.mark.parametrize("name,mode", [("", 0o750), ("", 0o702), ("key", 0o640), ("key", 0o622)])
def test_a_folder_or_key_open_to_others(folder: Path, name: str, mode: int) -> None:
    kept().put(NAME, BODY)
    (folder / name).chmod(mode)
    assert cache.open_cache() is None


@posix
def test_an_entry_open_to_others(folder: Path) -> None:
    kept().put(NAME, BODY)
    (folder / NAME).chmod(0o620)
    assert kept().get(NAME) is None


@posix
def test_a_folder_of_somebody_else(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept().put(NAME, BODY)
    uid = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: uid + 1)
    assert cache.open_cache() is None


@posix
@pytest.mark.parametrize("what", ["folder", "key", "entry"])
def test_links_are_not_followed(folder: Path, tmp_path: Path, what: str) -> None:
    kept().put(NAME, BODY)
    path = {"folder": folder, "key": folder / "key", "entry": folder / NAME}[what]
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    found = cache.open_cache()
    assert found is None if what != "entry" else found is not None and found.get(NAME) is None


def test_a_file_where_the_folder_should_be(folder: Path) -> None:
    folder.write_text("no folder")
    assert cache.open_cache() is None


def test_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.VARIABLE, "off")
    assert cache.open_cache() is None


@pytest.mark.parametrize("asked", ["relative/folder", ".", "~"])
def test_a_path_from_the_working_folder(asked: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    monkeypatch.setenv(cache.VARIABLE, asked)
    assert cache.cache_folder() == tmp_path / {".": "", "~": "home"}.get(asked, asked) / "native"
    kept().put(NAME, BODY)
    assert kept().get(NAME) == BODY


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In the user's own folder, and nowhere if that is not known: where somebody happens to stand only if
    they ask for it.
    """
    monkeypatch.setattr("sys.platform", "linux")
    home = str(tmp_path)
    assert cache.cache_folder({"HOME": home}) == tmp_path / ".cache" / "croupier" / "native"
    assert cache.cache_folder({"HOME": "/nobody", "XDG_CACHE_HOME": home}) == tmp_path / "croupier" / "native"
    assert cache.cache_folder({}) is None
    assert cache.cache_folder({"HOME": "", "XDG_CACHE_HOME": "here"}) is None


def test_old_entries_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_ENTRIES", {cache.NATIVE: 4})
    monkeypatch.setattr(cache, "KEPT_PART", 0.5)
    found = kept()
    for k in range(4):
        found.put(f"e{k}", BODY)
        os.utime(folder / f"e{k}", (k, k))
    found.put("last", BODY)
    assert sorted(p.name for p in folder.iterdir()) == ["e3", "key", "last"]


# ------------------------------------------------------------ with the compiler
def compiled_games(monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[object]]:
    """How often the compiler ran for a ruleset that is loaded afresh, and some games."""
    runs = []
    monkeypatch.setattr(
        code, "compile_object", lambda text, **how: runs.append(text) or engine.compile_object(text, **how)
    )
    state = croupier.load("kuhn_poker").new_initial_state(backend="native")
    assert isinstance(state, NativeState)
    games = list(state.native.play_rows(1, 1, 20).games())
    return len(runs), games


@compiler
def test_a_kept_object_plays_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, again = compiled_games(monkeypatch), compiled_games(monkeypatch)
    assert (first[0], again[0]) == (1, 0)
    assert first[1] == again[1]


@compiler
@pytest.mark.parametrize("contents", [b"", b"\0" * 5000, b"{}\n", None])
def test_a_foreign_object_is_compiled_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, contents: bytes | None
) -> None:
    first = compiled_games(monkeypatch)
    entries = [p for p in folder.iterdir() if p.name != "key"]
    assert len(entries) == 2  # the object, and the hash of the ruleset
    for entry in entries:
        entry.write_bytes(entry.read_bytes()[:-60] + b"\0" * 60 if contents is None else contents)
    again = compiled_games(monkeypatch)
    assert again == first
    assert compiled_games(monkeypatch) == (0, first[1])


@compiler
def test_other_comments_are_the_same_object_and_other_rules_another(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = shipped()["kuhn_poker"].path.read_text(encoding="utf-8")
    path = tmp_path / "ruleset.yaml"
    compiled, hashes = list[str](), set[str | None]()
    monkeypatch.setattr(
        code,
        "compile_object",
        lambda text, **how: compiled.append(text) or engine.compile_object(text, **how),
    )
    for written in (
        text,
        "# as it was\n" + text,
        text,
        text.replace("else 0) - stake[p]", "else 1) - stake[p]"),
    ):
        path.write_text(written, encoding="utf-8")
        ruleset = croupier.load(path)
        state = ruleset.new_initial_state(backend="native")
        assert isinstance(state, NativeState) and state.native.playout_code.engine
        hashes.add(ruleset.texts_hash)
        assert code.cached_ruleset_hash(ruleset, kept()) == ruleset.ruleset_hash
    assert (len(compiled), len(hashes)) == (2, 3)


@compiler
def test_another_compiler_or_another_rule_has_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    game = croupier.load("kuhn_poker").game(None, None)
    names = {
        code.entry_name(game, "a", "whole"),
        code.entry_name(game, "b", "whole"),
        code.entry_name(game, "a", "steps"),
    }
    names.add(code.entry_name(croupier.load("kuhn_poker").game(3, None), "a", "whole"))
    monkeypatch.setattr(code, "target_description", lambda: "another")
    assert len(names | {code.entry_name(game, "a", "whole")}) == 5


@compiler
def test_kept_objects_open_as_states(folder: Path) -> None:
    """What a position means is known without the compilation that made its code."""
    for _ in range(2):
        state = croupier.load("kuhn_poker").new_initial_state(backend="native")
        while not state.is_terminal():
            state.apply_action(
                state.chance_outcomes()[0][0] if state.is_chance_node() else state.legal_actions()[0]
            )
        assert state.hash() == state.clone().hash()
        assert state.outcome()["status"] == "finished"


@compiler
def test_code_that_runs_long_is_compiled_with_care(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was running goes on, the games are the same, and the next time it is there."""
    runs = []
    monkeypatch.setattr(
        code,
        "compile_object",
        lambda text, *, optimize: runs.append(optimize) or engine.compile_object(text, optimize=optimize),
    )
    state = croupier.load("kuhn_poker").new_initial_state(backend="native")
    assert isinstance(state, NativeState)
    games = list(state.native.play_rows(1, 1, 20).games())
    while not state.is_terminal():
        if len(state.history) == 2:
            for tiered in (state.native.playout_code, state.native.step_code):
                tiered.add_run_time(0.0)
                assert not tiered.code.optimized
                tiered.add_run_time(1e6)
            for thread in threading.enumerate():
                if thread.name == "croupier compiles":
                    thread.join()
            assert state.clone().legal_actions() == state.legal_actions()  # the one moves in, the other out
        state.apply_action(state.legal_actions()[0])
    assert state.native.playout_code.code.optimized and state.native.step_code.code.optimized
    assert list(state.native.play_rows(1, 1, 20).games()) == games
    assert sorted(runs) == [False, False, True, True]
    again = croupier.load("kuhn_poker").new_initial_state(backend="native")
    assert isinstance(again, NativeState) and list(again.native.play_rows(1, 1, 20).games()) == games
    for action in state.history:
        again.apply_action(action if isinstance(action, int) else action[0])
    assert again.hash() == state.hash() and len(runs) == 4
