"""Links of all Markdown files lead somewhere; numbers of sections run within a page, and each that is cited
is there.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from links import CITED, anchors, broken, links, misnumbered, numbers

ROOT = Path(__file__).resolve().parents[2]
PLACES = (
    "*.md",
    ".github/**/*.md",
    "grammar/**/*.md",
    "interpreter/**/*.md",
    "rulesets/**/*.md",
    "tests/**/*.md",
    "tools/**/*.md",
)
PAGES = sorted({page for place in PLACES for page in ROOT.glob(place) if "node_modules" not in page.parts})


@pytest.mark.parametrize("page", [page.relative_to(ROOT).as_posix() for page in PAGES])
def test_every_link_leads_somewhere(page: str) -> None:
    assert list(broken(ROOT / page, ROOT)) == []


def test_the_documents_are_among_the_pages() -> None:
    assert {"README.md", "LANGUAGE.md", "tutorial.md", "cli.md", "NOTICE.md"} <= {page.name for page in PAGES}


def test_what_leads_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    other, page = tmp_path / "docs" / "other.md", tmp_path / "page.md"
    other.write_text(
        "# Some words, `code` & more\n\n## Twice\n\n## Twice\n\n```sh\n# no heading\n```\n", encoding="utf-8"
    )
    page.write_text(
        "# Page\n[a](docs/other.md#some-words-code--more) [b](docs/other.md#twice-1) [c](#page) ![d](docs) "
        "[e](https://x.org/y#z)\n"
        "[f](docs/other.md#twice-2) [g](docs/others.md) [h](#no-heading) "
        "[i](../outside.md)\n`[code](nowhere)`\n\n```md\n[fenced](nowhere)\n```\n"
        "[j]: docs/gone.md\n",
        encoding="utf-8",
    )
    assert [problem.split(":")[0] for problem in broken(page, tmp_path)] == [
        "docs/other.md#twice-2", "docs/others.md", "#no-heading", "../outside.md", "docs/gone.md"
    ]  # fmt: skip
    assert anchors(other) == {"some-words-code--more", "twice", "twice-1"}
    assert links("[a](b 'c') [d](<e> \"f\")") == ["b", "e"]


NUMBERED = [page for page in PAGES if page.is_relative_to(ROOT / "grammar")]
CITING = sorted(
    file
    for place in (
        "interpreter/croupier/**/*.py",
        "tools/*",
        "tests/**/*.py",
        "tests/**/*.yaml",
        "rulesets/**/*.yaml",
        "grammar/*.lark",
    )
    for file in ROOT.glob(place)
    if file.is_file() and not file.is_relative_to(ROOT / "tests" / "data")
)


@pytest.mark.parametrize("page", [page.relative_to(ROOT).as_posix() for page in NUMBERED])
def test_numbers_of_sections_run_within_a_page(page: str) -> None:
    assert misnumbered(numbers(ROOT / page)) is None


def test_a_number_out_of_turn_is_found() -> None:
    assert misnumbered(["1", "1.1", "1.2", "2", "2.1"]) is None
    assert misnumbered([]) is None
    assert misnumbered(["2"]) == "2"
    assert misnumbered(["1", "3"]) == "3"
    assert misnumbered(["1", "1.2"]) == "1.2"
    assert misnumbered(["1", "1.1", "2.1"]) == "2.1"


def test_a_section_that_is_cited_by_its_number_is_there() -> None:
    pages = {page.stem: page for page in NUMBERED if page.parent != ROOT / "grammar" / "guide"}
    cited = [
        (file.relative_to(ROOT).as_posix(), page, number)
        for file in [*CITING, *PAGES]
        for page, number in CITED.findall(file.read_text(encoding="utf-8", errors="replace"))
    ]
    assert ("interpreter/croupier/runtime/state.py", "states", "2") in cited
    assert [one for one in cited if one[1] not in pages or one[2] not in numbers(pages[one[1]])] == []
