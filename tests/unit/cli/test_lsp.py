"""`croupier lsp` without the package that it needs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.cli import main


def test_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("croupier.cli.commands.lsp.find_spec", lambda name: None)
    assert main(["lsp"]) == 2
    assert "pip install 'croupier[lsp]'" in capsys.readouterr().err


def test_nothing_else_needs_it() -> None:
    hide = "import sys; sys.modules['pygls'] = None; sys.modules['lsprotocol'] = None\n"
    code = hide + "from croupier.cli import main\nsys.exit(main(['check', 'tic_tac_toe']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_it_ends_when_the_editor_goes_away() -> None:
    pytest.importorskip("pygls")
    done = subprocess.run(
        [sys.executable, "-m", "croupier", "lsp"], input=b"", capture_output=True, timeout=60
    )
    assert done.returncode == 0 and b"Traceback" not in done.stderr and b"mistake" not in done.stderr


def test_what_is_refused_in_words_leaves_no_traceback_in_the_log(tmp_path: Path) -> None:
    pytest.importorskip("pygls")
    uri, text = (
        (tmp_path / "a.yaml").as_uri(),
        "croupier: 1\nruleset: a\ntitle: A\nplayers: 2\nstate:\n  left: 0..9 = 0\n",
    )
    at = {"textDocument": {"uri": uri}, "position": {"line": 5, "character": 3}}
    messages = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {
            "method": "textDocument/didOpen",
            "params": {"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": text}},
        },
        {"id": 2, "method": "textDocument/rename", "params": {**at, "newName": "9 x"}},
        {"id": 3, "method": "shutdown"},
        {"method": "exit"},
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    sent = b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies)
    done = subprocess.run(
        [sys.executable, "-m", "croupier", "lsp"], input=sent, capture_output=True, timeout=60
    )
    assert b"`9 x` is not a name" in done.stdout
    assert b"Traceback" not in done.stderr, done.stderr
