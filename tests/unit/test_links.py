"""Links of all Markdown files lead somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from links import anchors, broken, links

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
