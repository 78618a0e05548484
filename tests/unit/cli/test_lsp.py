"""`croupier lsp` without the package that it needs."""

from __future__ import annotations

import subprocess
import sys

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
    done = subprocess.run([sys.executable, "-m", "croupier", "lsp"], input=b"", capture_output=True, timeout=60)
    assert done.returncode == 0 and b"Traceback" not in done.stderr and b"mistake" not in done.stderr
