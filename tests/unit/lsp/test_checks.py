"""When texts are checked: never while messages wait, one text at a time, and never a text that has changed
since.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from lsprotocol import types as lsp  # noqa: E402

from croupier.lsp import server as served  # noqa: E402
from croupier.lsp import workspace  # noqa: E402
from croupier.lsp.server import RulesetServer, did_change, did_change_files, did_close, did_open, did_save  # noqa: E402
from croupier.lsp.workspace import path_of  # noqa: E402

TEXT = "croupier: 1\nruleset: a\ntitle: A\nplayers: 2\nphases:\n  play: finish win players.first\n"


class Desk(RulesetServer):
    """A server without an editor: what it sends, and what it analyses, is listed."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[tuple[str, int]] = []  # names of files, and numbers of diagnostics
        self.positions_used = served.Positions()

    @property
    def positions(self) -> served.Positions:
        return self.positions_used

    def text_document_publish_diagnostics(self, params: lsp.PublishDiagnosticsParams) -> None:
        self.sent.append((params.uri.rpartition("/")[2], len(params.diagnostics)))

    def run_scenarios(self, path: str) -> None:
        """None are run."""


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The titles of the rulesets that are analysed, in order."""
    found: list[str] = []
    analyse = workspace.analyse

    def noted(path: str, texts: dict[str, str], **options: object) -> workspace.RulesetAnalysis:
        found.append(texts[path].partition("title: ")[2].partition("\n")[0])
        return analyse(path, texts, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(workspace, "analyse", noted)
    monkeypatch.setattr(served, "GRACE", 0.0)
    return found


def opened(desk: Desk, path: Path, text: str = TEXT) -> None:
    did_open(desk, lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(path.as_uri(), "yaml", 1, text)))


def titled(desk: Desk, path: Path, title: str) -> None:
    """The editor replaces the title."""
    line = desk.open.texts[path_of(path.as_uri())].split("\n")[2]
    change = lsp.TextDocumentContentChangePartial(
        lsp.Range(lsp.Position(2, 7), lsp.Position(2, len(line))), title
    )
    did_change(
        desk, lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(2, path.as_uri()), [change])
    )


def run(steps: Callable[[Desk], None]) -> Desk:
    """What a server has done when nothing is left to do."""

    async def wait() -> Desk:
        desk = Desk()
        steps(desk)
        for _ in range(1000):
            if desk.timer is None:
                return desk
            await asyncio.sleep(0)
        raise AssertionError("it goes on for ever")

    return asyncio.run(wait())


def test_of_many_changes_the_last_is_checked(analysed: list[str], tmp_path: Path) -> None:
    def steps(desk: Desk) -> None:
        opened(desk, tmp_path / "a.yaml")
        for title in ("B", "BC", "BCD"):
            titled(desk, tmp_path / "a.yaml", title)

    assert run(steps).sent == [("a.yaml", 0)]
    assert analysed == ["BCD"]


def test_nothing_is_checked_while_messages_wait(analysed: list[str], tmp_path: Path) -> None:
    """Each time the server looks whether a message waits, it gets one, for three times."""

    def steps(desk: Desk) -> None:
        waiting = ["BCD", "BC", "B"]

        def is_busy() -> bool:
            if waiting:
                titled(desk, tmp_path / "a.yaml", waiting.pop())
                return True
            return False

        desk.is_busy = is_busy
        opened(desk, tmp_path / "a.yaml")

    assert run(steps).sent == [("a.yaml", 0)]
    assert analysed == ["BCD"]


def test_what_changes_during_a_check_is_checked_next_and_nothing_else_is_sent(
    analysed: list[str], tmp_path: Path
) -> None:
    def steps(desk: Desk) -> None:
        seen: list[str] = []

        def is_busy() -> bool:
            if len(analysed) == len(seen) or len(seen) == 2:
                return False
            seen.append(analysed[-1])  # an analysis has ended: two changes came in, one after the other
            titled(desk, tmp_path / "a.yaml", analysed[-1] + "C")
            titled(desk, tmp_path / "a.yaml", analysed[-1] + "D")
            return True

        desk.is_busy = is_busy
        opened(desk, tmp_path / "a.yaml")

    assert run(steps).sent == [("a.yaml", 0)]
    assert analysed == ["A", "AD", "ADD"]


def test_a_question_during_a_check_costs_no_second_analysis(analysed: list[str], tmp_path: Path) -> None:
    def steps(desk: Desk) -> None:
        answers = [False, True, False, False]
        desk.is_busy = lambda: answers.pop(0) if answers else False
        opened(desk, tmp_path / "a.yaml")

    assert run(steps).sent == [("a.yaml", 0)]
    assert analysed == ["A"]


def test_readers_of_a_text_are_analysed_one_after_the_other(analysed: list[str], tmp_path: Path) -> None:
    """The text of a ruleset changes while the first of two variants is analysed: the other is analysed with
    the new text only.
    """
    (tmp_path / "a.yaml").write_text(TEXT)

    def steps(desk: Desk) -> None:
        opened(desk, tmp_path / "a.yaml")
        for name in ("b", "c"):
            opened(
                desk,
                tmp_path / f"{name}.yaml",
                f"croupier: 1\nruleset: {name}\ntitle: {name}\nextends: a.yaml\n",
            )
        left = ["new"]

        def is_busy() -> bool:
            if analysed[-1:] == ["b"] and left:
                titled(desk, tmp_path / "a.yaml", left.pop())
                return True
            return False

        desk.is_busy = is_busy

    run(steps)
    assert analysed == ["A", "b", "new", "b", "c"]


def test_every_open_text_is_checked_once_when_files_change(analysed: list[str], tmp_path: Path) -> None:
    def steps(desk: Desk) -> None:
        for name in ("a", "b"):
            opened(desk, tmp_path / f"{name}.yaml")
            did_save(
                desk,
                lsp.DidSaveTextDocumentParams(
                    lsp.TextDocumentIdentifier((tmp_path / f"{name}.yaml").as_uri())
                ),
            )
        for name in ("rules.csv", "cards.csv"):
            change = lsp.FileEvent((tmp_path / name).as_uri(), lsp.FileChangeType.Changed)
            did_change_files(desk, lsp.DidChangeWatchedFilesParams([change]))
        did_close(
            desk, lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier((tmp_path / "b.yaml").as_uri()))
        )

    assert run(steps).sent == [("b.yaml", 0), ("a.yaml", 0)]
    assert analysed == ["A"]
