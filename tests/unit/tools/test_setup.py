"""The set-up of `tools/*`: what it reuses, and what it says where something is missing."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = '[project]\ndependencies = ["lark>=1.2", "ruamel.yaml>=0.18"]\n'
TOOLS = Path(__file__).parent.parent.parent.parent / "tools"


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module, at work in an empty folder with a project file."""
    spec = importlib.util.spec_from_file_location("_setup", TOOLS / "_setup.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "STAMP", tmp_path / ".venv" / "stamp")
    return module


def installs(setup: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace the slow parts; the list holds the stage of each installation."""
    done: list[str] = []

    def create() -> None:
        python = setup.environment_python()
        python.parent.mkdir(parents=True)
        python.write_text("")

    monkeypatch.setattr(setup, "_create", create)
    monkeypatch.setattr(setup, "_install", lambda python, stage: done.append(stage))
    return done


def test_an_environment_is_built_once_and_again_when_the_project_file_changes(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = installs(setup, monkeypatch)
    for _ in range(3):
        assert setup.set_up() == setup.environment_python()
    assert len(done) == 1
    (setup.ROOT / "pyproject.toml").write_text(PROJECT + "# changed\n")
    setup.set_up()
    assert len(done) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="no lock of this kind")
def test_two_commands_at_once_make_one_environment(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = installs(setup, monkeypatch)
    install, second = setup._install, threading.Thread(target=setup.set_up)

    def slow(python: Path, stage: str) -> None:
        second.start()
        second.join(0.2)  # it waits
        install(python, stage)

    with monkeypatch.context() as first:
        first.setattr(setup, "_install", slow)
        setup.set_up()
    second.join()
    assert len(done) == 1 and "waiting for another command" in capsys.readouterr().err


def test_an_installation_that_failed_is_not_taken_for_a_finished_one(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = installs(setup, monkeypatch)

    def fail(python: Path, stage: str) -> None:
        raise SystemExit(2)

    with monkeypatch.context() as broken:
        broken.setattr(setup, "_install", fail)
        with pytest.raises(SystemExit):
            setup.set_up()
    setup.set_up()
    assert len(done) == 1


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_missing_module_is_said_in_words(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == missing else find(name, *rest)
    )
    with pytest.raises(SystemExit) as caught:
        setup.set_up()
    said = capsys.readouterr().err
    assert caught.value.code == 2 and f"no `{missing}` module" in said and "sudo apt install python3" in said


def test_an_old_python_is_said_in_words(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(setup, "MINIMUM", (99, 0))
    with pytest.raises(SystemExit) as caught:
        setup.set_up()
    assert caught.value.code == 2 and "needs Python 99.0" in capsys.readouterr().err


@pytest.mark.parametrize("stage", ["run", "tests", "all"])
def test_an_index_out_of_reach_is_said_in_words(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], stage: str
) -> None:
    failed = subprocess.CompletedProcess([], 1, stdout="", stderr="ERROR: no matching distribution\n")
    monkeypatch.setattr(setup.subprocess, "run", lambda *arguments, **options: failed)
    with pytest.raises(SystemExit) as caught:
        setup._install(Path(sys.executable), stage)
    said = capsys.readouterr().err
    assert (
        caught.value.code == 2
        and "\nthe dependencies could not be installed" in said
        and "no matching distribution" in said
    )


def test_arguments_reach_the_command_and_its_exit_code_comes_back(setup: ModuleType) -> None:
    assert setup.run([sys.executable, "-c", "import sys; sys.exit(int(sys.argv[1]))", "7"]) == 7


def test_an_optional_group_that_cannot_be_installed_is_named(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(
            [], int("native" in command[-1]), stdout="", stderr="ERROR: no wheel\n"
        )

    monkeypatch.setattr(setup.subprocess, "run", run)
    setup._install(Path(sys.executable), setup.ALL)
    assert capsys.readouterr().err.endswith(
        "\nthe optional group `native` could not be installed here: no native code\n"
    )


def test_what_running_needs_is_installed_alone_and_extended_later(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = installs(setup, monkeypatch)
    for stage in (
        setup.RUN,
        setup.RUN,
        setup.TESTS,
        setup.RUN,
        setup.TESTS,
        setup.ALL,
        setup.TESTS,
        setup.RUN,
    ):
        assert setup.set_up(stage) == setup.environment_python()
    assert done == ["run", "tests", "all"]
    assert (setup.VENV / "stamp").read_text() == f"{setup._fingerprint()} all"


def test_for_running_no_group_is_installed(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands: list[list[str]] = []

    def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess([], 0, stdout="", stderr="")

    monkeypatch.setattr(setup.subprocess, "run", run)
    setup._install(Path(sys.executable), setup.RUN)
    assert [command[-1] for command in commands] == ["."]
    assert capsys.readouterr().err.startswith("installing what running needs: lark, ruamel.yaml (")
