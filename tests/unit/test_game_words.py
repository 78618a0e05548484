"""No word from a game's box occurs in the interpreter or its grammar.

The words are generated: the titles of all shipped rulesets and the names of their components, types and
zones, also as parts of names and in the plural.  `tests/data/trade_words.txt` lists, with a reason, the words
that belong to the trade and not to one game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import croupier
from croupier.resources import data_folder, shipped
from croupier.source import YamlMapping, YamlNode, YamlScalar, read, read_file

PACKAGE = Path(croupier.__file__).parent
ALLOWED = Path(__file__).parent.parent / "data" / "trade_words.txt"
SECTIONS = ("components", "types", "zones")
# The examples that the architecture names: banned even while no ruleset uses them.
ALWAYS = frozenset({"witch", "curse", "loa", "werewolf", "hyde", "wheel", "doll"})
SHORTEST = 3


def words_of(text: str) -> set[str]:
    """The words of a text in lower case: whole identifiers, and their parts at `_`, digits and humps."""
    found: set[str] = set()
    for name in re.findall(r"\w+", text):
        parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+", name)
        found.add(name.lower())
        found.update(part.lower() for part in parts)
    return {word for word in found if len(word) >= SHORTEST and not word.isdigit()}


def named(root: YamlNode) -> Iterator[str]:
    """The title and the names of components, types and zones of a ruleset."""
    if not isinstance(root, YamlMapping):
        return
    title = root.get("title")
    if isinstance(title, YamlScalar):
        yield title.text
    for section in SECTIONS:
        part = root.get(section)
        if isinstance(part, YamlMapping):
            yield from (key.text for key, _ in part.entries)


def allow_list() -> dict[str, str]:
    """Word -> reason.  A line is `word: reason`; `#` begins a comment."""
    lines = [line.split("#")[0].strip() for line in ALLOWED.read_text(encoding="utf-8").splitlines()]
    return {
        word.strip(): reason.strip() for word, _, reason in (line.partition(":") for line in lines if line)
    }


def game_words() -> dict[str, str]:
    """Word -> the ruleset it comes from, without the words of the trade."""
    words = dict.fromkeys(ALWAYS, "the architecture's examples")
    for name, place in shipped().items():
        source, _ = read_file(place.path)
        root = read(source)[0] if source is not None else None
        if isinstance(root, YamlMapping) and root.get("extends") is not None:
            continue  # a variant's title says in plain English what is different
        for text in named(root) if root is not None else ():
            words.update(dict.fromkeys(words_of(text), name))
    plurals = {plural: origin for word, origin in words.items() for plural in (f"{word}s", f"{word}es")}
    trade = allow_list()
    known = trade.keys() | {plural for word in trade for plural in (f"{word}s", f"{word}es")}
    return {word: origin for word, origin in {**plurals, **words}.items() if word not in known}


def guarded_files() -> list[Path]:
    grammar = data_folder() / "grammar"
    return sorted(
        [
            *(
                path
                for path in PACKAGE.rglob("*")
                if path.suffix in (".py", ".lark") and "_data" not in path.parts
            ),
            *grammar.glob("*.lark"),
        ]
    )


WORDS = game_words()


@pytest.mark.parametrize(
    "path",
    guarded_files(),
    ids=lambda path: path.name if path.suffix == ".lark" else path.relative_to(PACKAGE).as_posix(),
)
def test_no_word_of_a_game(path: Path) -> None:
    wrong = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        wrong += [
            f"{path}:{number}: `{word}` (from {WORDS[word]}): {line.strip()}"
            for word in sorted(words_of(line) & WORDS.keys())
        ]
    assert not wrong, "\n".join([*wrong, f"words of the trade may be listed, with a reason, in {ALLOWED}"])


def test_the_words_are_found() -> None:
    assert words_of("Witch_card2 theTarotDeck HTTPServer x") >= {
        "witch_card2",
        "witch",
        "card",
        "tarot",
        "deck",
        "http",
        "server",
    }
    assert "witches" in WORDS and "werewolf" in WORDS
    assert "x" not in words_of("x y")


def test_the_allow_list_has_reasons_and_nothing_superfluous() -> None:
    trade = allow_list()
    assert all(trade.values()), "every word needs a reason"
    assert list(trade) == sorted(trade), "the list is in alphabetical order"
    assert not ALWAYS & trade.keys()
