"""Every example of the specification and of the other documents runs.

How a block is written: `tests/support/documents.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from documents import Block, Document, Runner, read_document, shared_blocks

ROOT = Path(__file__).resolve().parents[2]
PLACES = (
    "README.md",
    "grammar/*.md",
    "grammar/guide/*.md",
    "grammar/reference/**/*.md",
    "tests/language/*.md",
)
FILES = [file for place in PLACES for file in sorted(ROOT.glob(place))]


def documents() -> Iterator[Document]:
    for file in FILES:
        yield read_document(file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8"))


DOCUMENTS = {d.name: d for d in documents()}
# documents of rulesets, whose blocks run alone; in the others a block goes on where those above it ended
RULESETS = {
    name: d
    for name, d in DOCUMENTS.items()
    if name.startswith("tests/") and all(block.is_alone for block in d.blocks)
}
BLOCKS = [block for d in RULESETS.values() for block in d.blocks if not block.is_kept_only]


@pytest.fixture(scope="module")
def runners(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Runner]:
    return {
        name: Runner(document, tmp_path_factory.mktemp("document"), shared_blocks().get(name, ()))
        for name, document in DOCUMENTS.items()
    }


def test_there_is_a_specification_and_a_guide() -> None:
    assert {
        "README.md",
        "grammar/LANGUAGE.md",
        "grammar/guide/tutorial.md",
        "grammar/reference/choices.md",
    } <= DOCUMENTS.keys()


@pytest.mark.parametrize("block", BLOCKS, ids=[block.place for block in BLOCKS])
def test_a_block_runs(block: Block, runners: dict[str, Runner]) -> None:
    runners[block.document].keep_above(block)
    runners[block.document].run(block)


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name not in RULESETS])
def test_every_block_runs(name: str, runners: dict[str, Runner]) -> None:
    """Blocks build on the ones above them, so one test runs a document; it reports every block that fails."""
    wrong = []
    for block in DOCUMENTS[name].blocks:
        try:
            runners[name].run(block)
        except AssertionError as error:
            wrong.append(str(error))
    assert not wrong, "\n\n" + "\n".join(wrong)


PAGES = sorted((ROOT / "grammar" / "reference").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_page_of_the_reference_begins_with_what_one_wants_and_an_example(page: Path) -> None:
    """Before any definition: a sentence to the author, and the smallest block that does it."""
    title, _, rest = page.read_text(encoding="utf-8").partition("\n\n")
    assert title.startswith("# ")
    head, fence, _ = rest.partition("\n```")
    assert head.startswith("You ") and fence and "\n#" not in head and "<a " not in head
