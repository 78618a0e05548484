"""The catalogue keeps its promises: codes, names, wording, and examples that are what they claim to be."""

import string
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.diagnostics import CODES, CatalogueEntry, Source
from croupier.diagnostics.catalogue import FOLDER, STAGES, Catalogue, parse_entry
from croupier.source import YamlNode, YamlScalar, read, read_csv
from croupier.source.yaml_tree import YamlMapping, YamlSequence

ENTRIES = list(CODES.values())
YAML = [entry for entry in ENTRIES if entry.code[0] == "Y" and entry.bad]
TABLES = [entry for entry in ENTRIES if entry.code.startswith("X1") and (entry.bad or entry.good)]
FILE = """\
---
severity: warning
fix: by-hand
message: "`{a}`: here"
help: "write \\"b\\""
---

# Y001 some-name

One,
two.

## Wrong

```yaml escaped
a\\u0020
```

## Right

```yaml
a
```
"""


def test_a_file_is_read() -> None:
    entry = CatalogueEntry(
        "Y001", "some-name", "`{a}`: here", "One, two.", "a \n", "a\n", "warning", 'write "b"', "by-hand"
    )
    assert parse_entry(FILE) == entry and entry.title == "some name"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("---\ns", "s"), ("severity: warning", "severity: note"), ("fix: by-hand", "fix: often"),
        ("fix:", "mend:"), ("message:", "help:"),
        ("# Y001 some-name", "# some-name"), ("## Right", "## Also right"), ("```yaml\na\n```\n", ""),
    ],
)  # fmt: skip
def test_a_file_of_another_form_is_refused(old: str, new: str) -> None:
    assert old in FILE
    with pytest.raises(ValueError):
        parse_entry(FILE.replace(old, new))


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["Y001-a.md", "Y001-b.md"], "used twice"), (["Y001-a.md", "Y002-a.md"], "used twice"),
        (["Y1-a.md"], "three digits"),
        (["Z001-a.md"], "three digits"), (["Y001.md"], "three digits"), (["Y001-A.md"], "three digits"),
    ],
)  # fmt: skip
def test_a_wrong_name_of_a_file_is_refused(tmp_path: Path, names: list[str], words: str) -> None:
    for name in names:
        (tmp_path / name).write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        len(Catalogue(tmp_path))


def test_a_file_says_its_own_code(tmp_path: Path) -> None:
    (tmp_path / "Y001-other-name.md").write_text(FILE, encoding="utf-8")
    with pytest.raises(ValueError, match="some-name"):
        Catalogue(tmp_path)["Y001"]


@pytest.mark.parametrize("word", ["T001", "t001", "wrong-type", "Wrong-Type", "T001 wrong-type", " T001"])
def test_an_entry_is_found_by_code_or_name(word: str) -> None:
    found = CODES.find(word)
    assert found is not None and (found.code, found.name) == ("T001", "wrong-type")


@pytest.mark.parametrize("word", ["T999", "wrong", "T001 wrong-typ", "", "T002 wrong-type"])
def test_nothing_else_is_found(word: str) -> None:
    assert CODES.find(word) is None


def test_only_what_is_asked_for_is_read() -> None:
    """A check reads the files of what it finds and no other: the catalogue must not slow it down."""
    program = (
        "import sys\nfrom croupier.diagnostics import CODES, diagnose\nassert not "
        "CODES.__dict__.get('names')\n"
        "str(diagnose('X001', None, name='a'))\nassert set(CODES._read) == {'X001'}, CODES._read"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_stages_come_in_their_order() -> None:
    letters = list(dict.fromkeys(code[0] for code in CODES))
    assert letters == [letter for letter in STAGES if letter in letters]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.code)
def test_wording(entry: CatalogueEntry) -> None:
    assert len(entry.name) <= 27
    for text in (entry.message, entry.help or "x"):
        assert (
            not text.endswith(".") and not text[:1].isupper() or text[:2].isupper() or text.startswith("UTF")
        ), text
        assert "\n" not in text
    assert entry.explanation.endswith((".", "`", ":")), entry.explanation
    for text in (entry.message, entry.help or ""):
        for _, field, spec, conversion in string.Formatter().parse(text):
            assert field is None or field.isidentifier() and not spec and not conversion


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.md")), ids=lambda file: file.stem[:4])
def test_a_file_is_plain_markdown(file: Path) -> None:
    """What a line begins with does not make a list or a heading of prose, and signs that nobody sees are
    written as escapes.
    """
    text = file.read_text(encoding="utf-8")
    prose = text.partition("\n# ")[2].partition("\n## ")[0].partition("\n")[2]
    assert not [line for line in prose.split("\n") if line.startswith(("- ", "+ ", "#", ">", "1. "))]
    assert all(line == line.rstrip() and "\t" not in line for line in text.split("\n")) and text.endswith(
        "\n"
    )


def judge(text: str) -> list[str]:
    root, diagnostics = read(Source("example", text))
    return [diagnostic.code for diagnostic in diagnostics] + (
        rule_problems(root) if root is not None and not diagnostics else []
    )


def rule_problems(node: YamlNode) -> list[str]:
    """The codes of all values that could not be rule text."""
    if isinstance(node, YamlScalar):
        problem = node.rule_problem()
        return [problem.code] if problem is not None else []
    values = (
        [value for _, value in node.entries]
        if isinstance(node, YamlMapping)
        else node.items
        if isinstance(node, YamlSequence)
        else []
    )
    return [code for value in values for code in rule_problems(value)]


@pytest.mark.parametrize("entry", YAML, ids=lambda entry: entry.code)
def test_examples_of_yaml(entry: CatalogueEntry) -> None:
    found = judge(entry.bad)
    if entry.code.startswith("Y31"):
        assert found[:1] == [entry.code]
        assert judge(entry.good) == []
    else:
        assert set(found) - {"Y310", "Y311", "Y312", "Y313"} == {entry.code}
        assert [code for code in judge(entry.good) if not code.startswith("Y31")] == []


@pytest.mark.parametrize("entry", TABLES, ids=lambda entry: entry.code)
def test_examples_of_tables(entry: CatalogueEntry) -> None:
    assert [diagnostic.code for diagnostic in read_csv(Source("t.csv", entry.bad))[1]] == [entry.code]
    assert read_csv(Source("t.csv", entry.good))[1] == []
