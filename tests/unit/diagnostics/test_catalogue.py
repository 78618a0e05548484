"""The catalogue keeps its promises: codes, wording, and examples that are what they claim to be."""

import string

import pytest

from croupier.diagnostics import CODES, Entry, Source
from croupier.diagnostics.catalogue import STAGES, collect
from croupier.source import Node, Scalar, read, read_csv
from croupier.source.yaml_tree import Mapping, Sequence

ENTRY = Entry("Y001", "t", "m", "e")
ENTRIES = list(CODES.values())
YAML = [entry for entry in ENTRIES if entry.code[0] == "Y" and entry.bad]
TABLES = [entry for entry in ENTRIES if entry.code.startswith("X1") and (entry.bad or entry.good)]


def test_a_code_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="used twice"):
        collect({"yaml": [ENTRY, ENTRY]})


@pytest.mark.parametrize("code", ["Y1", "Y0001", "Z001", "y001"])
def test_a_malformed_code_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="three digits"):
        collect({"yaml": [Entry(code, "t", "m", "e")]})


def test_a_module_of_several_stages_is_refused() -> None:
    with pytest.raises(ValueError, match="several stages"):
        collect({"yaml": [ENTRY, Entry("X001", "t", "m", "e")]})


def test_stages_come_in_their_order() -> None:
    letters = list(dict.fromkeys(code[0] for code in CODES))
    assert letters == [letter for letter in STAGES if letter in letters]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.code)
def test_wording(entry: Entry) -> None:
    for text in (entry.title, entry.message, entry.help or "x"):
        assert not text.endswith(".") and not text[:1].isupper() or text[:2].isupper() or text.startswith("UTF"), text
        assert "\n" not in text
    assert entry.explanation.endswith((".", "`", ":")), entry.explanation
    for text in (entry.message, entry.help or ""):
        for _, field, spec, conversion in string.Formatter().parse(text):
            assert field is None or field.isidentifier() and not spec and not conversion


def judge(text: str) -> list[str]:
    root, diagnostics = read(Source("example", text))
    return [diagnostic.code for diagnostic in diagnostics] + (rule_problems(root) if root is not None and not diagnostics else [])


def rule_problems(node: Node) -> list[str]:
    """The codes of all values that could not be rule text."""
    if isinstance(node, Scalar):
        problem = node.rule_problem()
        return [problem.code] if problem is not None else []
    values = [value for _, value in node.entries] if isinstance(node, Mapping) else node.items if isinstance(node, Sequence) else []
    return [code for value in values for code in rule_problems(value)]


@pytest.mark.parametrize("entry", YAML, ids=lambda entry: entry.code)
def test_examples_of_yaml(entry: Entry) -> None:
    found = judge(entry.bad)
    if entry.code.startswith("Y31"):
        assert found[:1] == [entry.code]
        assert judge(entry.good) == []
    else:
        assert set(found) - {"Y310", "Y311", "Y312", "Y313"} == {entry.code}
        assert [code for code in judge(entry.good) if not code.startswith("Y31")] == []


@pytest.mark.parametrize("entry", TABLES, ids=lambda entry: entry.code)
def test_examples_of_tables(entry: Entry) -> None:
    assert [diagnostic.code for diagnostic in read_csv(Source("t.csv", entry.bad))[1]] == [entry.code]
    assert read_csv(Source("t.csv", entry.good))[1] == []
