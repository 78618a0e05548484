"""`tools/site`: every document has a place in the menu, copies read alike in Python-Markdown, and nothing but
a site is overwritten.

Where mkdocs-material is installed, the site is built, and a link that leads nowhere ends the build.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import _site_pages  # noqa: E402


def menu(configuration: Path) -> list[str]:
    """The pages of the menu, from top to bottom."""
    line = next(
        line for line in configuration.read_text(encoding="utf-8").splitlines() if line.startswith("nav: ")
    )

    def pages(entry: Any) -> list[str]:
        if isinstance(entry, str):
            return [entry]
        return [
            page for part in (entry.values() if isinstance(entry, dict) else entry) for page in pages(part)
        ]

    return pages(json.loads(line.removeprefix("nav: ")))


def test_every_document_stands_in_the_menu_once(tmp_path: Path) -> None:
    found = menu(_site_pages.stage(ROOT, tmp_path))
    documents = [
        "README.md",
        "rulesets/NOTICE.md",
        *(file.relative_to(ROOT).as_posix() for file in (ROOT / "grammar").rglob("*.md")),
    ]
    assert sorted(found) == sorted(documents)
    assert found[:2] == ["README.md", "grammar/guide/tutorial.md"]
    assert (
        found.index("grammar/guide/openspiel.md")
        < found.index("grammar/LANGUAGE.md")
        < found.index("grammar/reference/cli.md")
    )
    assert all((tmp_path / "pages" / page).is_file() for page in found)
    assert (tmp_path / "pages" / "grammar" / "guide" / "session.svg").read_bytes() == (
        ROOT / "grammar" / "guide" / "session.svg"
    ).read_bytes()


def test_a_copy_reads_alike_in_python_markdown() -> None:
    written = (
        "Two:\n- a\n  more\n- b\n\n```yaml ruleset\n- c\nText\n- d\n```\n\n```python openspiel\n>>> "
        "1\n```\n```rules\nx\n```\n```text\n"
    )
    wanted = (
        "Two:\n\n- a\n  more\n- b\n\n```yaml\n- c\nText\n- d\n```\n\n```pycon\n>>> "
        "1\n```\n```text\nx\n```\n```text\n"
    )
    assert _site_pages.for_site(written) == wanted


def test_what_a_diagnostic_says_stands_below_its_heading() -> None:
    written = (
        '---\nseverity: error\nmessage: "no `a`"\nhelp: "write \\"b\\""\n---\n\n# T001 wrong-type\n\nWords.\n'
    )
    assert (
        _site_pages.for_site(written)
        == '# T001 wrong-type\n\n> **error**: no `a`\n>\n> help: write "b"\n\nWords.\n'
    )


def test_a_page_without_a_title_is_refused(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("words\n", encoding="utf-8")
    with pytest.raises(ValueError, match="does not begin with a heading"):
        _site_pages.title(tmp_path / "page.md")


def test_a_folder_that_is_no_site_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "site"), "--out", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and "nothing is overwritten" in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.skipif(
    find_spec("material") is None,
    reason="mkdocs-material is not installed: an optional group, croupier[docs]",
)
def test_the_site_has_every_page_and_no_broken_link(tmp_path: Path) -> None:
    def build(configuration: Path) -> subprocess.CompletedProcess[str]:
        command = [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--strict",
            "-f",
            str(configuration),
            "-d",
            str(tmp_path / "site"),
        ]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    configuration = _site_pages.stage(ROOT, tmp_path)
    done = build(configuration)
    assert done.returncode == 0, done.stderr
    home = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "<table>" in home and "```" not in home and "| ---" not in home
    assert (tmp_path / "site" / "search" / "search_index.json").is_file()
    assert (tmp_path / "site" / "interpreter/croupier/diagnostics/catalogue/T001-wrong-type.html").is_file()
    page = tmp_path / "pages" / "grammar" / "guide" / "leaks.md"
    with page.open("a", encoding="utf-8") as end:
        end.write("\n[nowhere](no_such_page.md) [neither](../LANGUAGE.md#no-such-heading)\n")
    shutil.rmtree(tmp_path / "site")
    done = build(configuration)
    assert done.returncode == 1 and "no_such_page.md" in done.stderr and "no-such-heading" in done.stderr
