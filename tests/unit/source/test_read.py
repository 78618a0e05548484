"""The located tree: what is read, and where it says it stands."""

import time

import pytest

from croupier.diagnostics import Source
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence, read


def tree(text: str) -> YamlNode:
    root, diagnostics = read(Source("f.yaml", text))
    assert diagnostics == [] and root is not None
    return root


def mapping(text: str) -> YamlMapping:
    root = tree(text)
    assert isinstance(root, YamlMapping)
    return root


def found(text: str) -> list[str]:
    return [
        f"{d.code} {d.span.line}:{d.span.column}"
        for d in read(Source("f.yaml", text))[1]
        if d.span is not None
    ]


def test_a_tree() -> None:
    root = mapping("a: 1\nb: [x, {y: 'z'}]\nc: |\n  text\n")
    assert [key.text for key, _ in root.entries] == ["a", "b", "c"] and not root.flow
    b = root.get("b")
    assert isinstance(b, YamlSequence) and b.flow and b.span.text == "[x, {y: 'z'}]"
    x, inner = b.items
    assert isinstance(x, YamlScalar) and x.in_flow and x.style == "plain"
    assert isinstance(inner, YamlMapping) and inner.flow and inner.span.text == "{y: 'z'}"
    z = inner.get("y")
    assert isinstance(z, YamlScalar) and (z.text, z.style, z.span.text) == ("z", "single", "'z'")
    c = root.get("c")
    assert isinstance(c, YamlScalar) and (c.text, c.style, c.span.text) == ("text\n", "literal", "|\n  text")
    assert root.get("d") is None and root.key("d") is None
    key = root.key("c")
    assert key is not None and (key.span.line, key.span.column) == (3, 1)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None), ("~", None), ("null", None), ("Null", None), ("true", True), ("FALSE", False),
        ("12", 12), ("-3", -3), ("+4", 4), ("007", 7),
        ("0x1F", 31), ("0o17", 15), ("0b1", "0b1"), ("1_000", "1_000"), ("2..6", "2..6"), ("on", "on"),
        ("Yes", "Yes"), ("no", "no"), ("off", "off"),
        ("y", "y"), ("1:30", "1:30"), ("2001-01-01", "2001-01-01"), ("'1'", "1"), ('"true"', "true"),
        ("=", "="),
        ("9223372036854775807", 2**63 - 1), ("-9223372036854775808", -(2**63)), ("0" * 9000 + "5", 5),
        ("٣", "٣"), ("０", "０"),
    ],
)  # fmt: skip
def test_values(text: str, value: object) -> None:
    scalar = mapping(f"a: {text}\n").get("a")
    assert isinstance(scalar, YamlScalar)
    assert scalar.value == value and type(scalar.value) is type(value)


@pytest.mark.parametrize("text", ["1.", "1.0", ".5", "-2.5e3", "1e3", ".inf", "-.INF", ".nan"])
def test_fractions(text: str) -> None:
    root, [diagnostic] = read(Source("f", f"a: {text}\n"))
    assert diagnostic.code == "Y304" and diagnostic.span is not None and diagnostic.span.text == text
    assert isinstance(root, YamlMapping)
    scalar = root.get("a")
    assert isinstance(scalar, YamlScalar) and scalar.value == text


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_a_byte_order_mark_keep_positions(end: str, mark: str) -> None:
    text = mark + end.join(["a: 1", "b:", "  - x", "  - |", "    y", "", "    z", "c: {d: 'e'}", ""])
    places: list[tuple[str, int, int]] = []

    def walk(node: YamlNode) -> None:
        if isinstance(node, YamlScalar):
            places.append((node.text, node.span.line, node.span.column))
        elif isinstance(node, YamlSequence):
            for item in node.items:
                walk(item)
        elif isinstance(node, YamlMapping):
            for key, value in node.entries:
                walk(key)
                walk(value)

    walk(tree(text))
    assert places == [
        ("a", 1, 1),
        ("1", 1, 4),
        ("b", 2, 1),
        ("x", 3, 5),
        ("y\n\nz\n", 4, 5),
        ("c", 8, 1),
        ("d", 8, 5),
        ("e", 8, 8),
    ]


def test_spans_of_collections_end_with_their_last_part() -> None:
    root = mapping("a:\n  b: 1   # c\n\n# d\ne:\n- f\n-\n\n\n")
    values = [value.span.text for _, value in root.entries]
    assert values == ["b: 1", "- f\n-"]
    assert root.span.text == "a:\n  b: 1   # c\n\n# d\ne:\n- f\n-"


def test_a_pair_in_a_list() -> None:
    root = tree("[a: 1, {b: 2}]")
    assert isinstance(root, YamlSequence)
    assert [item.span.text for item in root.items] == ["a: 1", "{b: 2}"]


def test_an_empty_value_stands_behind_its_key() -> None:
    value = mapping("a:\nb: 1\n").get("a")
    assert value is not None and (value.span.text, value.span.line, value.span.column) == ("", 1, 3)
    assert [value.span.start for _, value in mapping("{a, b : , 'c':}").entries] == [2, 7, 14]


def test_every_duplicate_key_is_reported_and_the_first_is_kept() -> None:
    root, diagnostics = read(Source("f", "a: 1\nb: {c: 1, c: 2, c: 3}\na: 2\n1: x\n'1': y\n"))
    assert [str(d).split(": ")[0] for d in diagnostics] == ["f:2:11", "f:2:17", "f:3:1", "f:5:1"]
    assert [label.span.start for label in diagnostics[2].labels] == [0]
    assert isinstance(root, YamlMapping)
    a = root.get("a")
    assert isinstance(a, YamlScalar) and a.value == 1


def test_independent_mistakes_come_in_the_order_of_the_text() -> None:
    assert found("a: 1.5\nb: &x 1\na: 2\nc: !t 3\nd: *x\n<<: {}\n: 1\n[k]: 1\ne: 99999999999999999999\n") == [
        "Y304 1:4", "Y101 2:4", "Y301 3:1", "Y102 4:4", "Y303 7:1", "Y302 8:1", "Y305 9:4",
    ]  # fmt: skip


def test_tags_and_anchors_in_any_order() -> None:
    assert found("a: !!str &x y\n") == ["Y102 1:4", "Y101 1:10"]
    assert found("a: &x !!str y\n") == ["Y101 1:4", "Y102 1:7"]
    assert found("a: &x # c\n  !t\n  - y\n") == ["Y101 1:4", "Y102 2:3"]
    assert found("!t &x a: 1\n") == ["Y102 1:1", "Y101 1:4"]
    assert found("- !t\n- &x\n- ! b\n") == ["Y102 1:3", "Y101 2:3", "Y102 3:3"]


def test_further_anchors_and_aliases_are_labels_of_the_first() -> None:
    [diagnostic] = read(Source("f", "a: &x 1\nb: *x\nc: *x\n"))[1]
    assert [(label.span.line, label.span.text) for label in diagnostic.labels] == [(2, "*x"), (3, "*x")]


def test_only_one_syntax_error() -> None:
    assert found("a: ]\nb: ]\nc: 1\nc: 2\n") == ["Y016 1:4"]


def test_characters_are_all_reported_up_to_twenty() -> None:
    assert found("a: \x1b\nb: \u202e\n") == ["Y007 1:4", "Y007 2:4"]
    assert len(found("\x1b" * 100)) == 20


REFUSED = [
    (0x0, 0x8),
    (0xB, 0xC),
    (0xE, 0x1F),
    (0x7F, 0x9F),
    (0x61C, 0x61C),
    (0x200E, 0x200F),
    (0x2028, 0x2029),
    (0x202A, 0x202E),
    (0x2066, 0x2069),
]
"""First and last of the refused characters: controls, separators, and what changes the direction of text
(Unicode Bidi_Control).
"""


@pytest.mark.parametrize(("first", "last"), [*REFUSED, (0xFEFF, 0xFEFF), (0xFFFE, 0xFFFF)])
def test_the_refused_characters_end_where_they_end(first: int, last: int) -> None:
    for code in (first, last):
        assert found(f"a: b{chr(code)}c\n") == ["Y007 1:5"], hex(code)
    for code in (first - 1, last + 1):
        refused = any(a <= code <= b for a, b in REFUSED) or code in (0xFFFE, 0x110000, -1)
        if not refused and code not in (0x9, 0xA, 0xD, 0x20):
            assert found(f"a: b{chr(code)}c\n") == [], hex(code)


def test_escapes_for_harmful_characters_are_all_reported() -> None:
    assert found('a: "\\0\\e\\N\\L\\P\\x1b\\u202e\\U0000fffe"\n') == [
        f"Y007 1:{column}" for column in (5, 7, 9, 11, 13, 15, 19, 25)
    ]
    assert found('a: "\\n\\t\\"\\\\\\u00e9\\/"\n') == []


def test_words_that_look_special_are_allowed() -> None:
    assert found('a: <<\nb: x & y * z ! % @\n"<<": 1\n---x: 2\n') == []
    assert found("---\na: 1\n...\n") == []


@pytest.mark.parametrize(
    ("text", "help"),
    [("- a\n" * 10_000, "CSV"), ("croupier: 1\nscenarios:\n" + "- a\n" * 10_000, "over several files")],
)
def test_what_is_too_much_for_a_file_goes_elsewhere(text: str, help: str) -> None:
    (only,) = read(Source("f.yaml", text))[1]
    assert only.code == "Y202" and only.help is not None and help in only.help


def test_limits_are_met_exactly() -> None:
    assert found("[" * 64 + "]" * 64) == []
    assert found("[" * 65 + "]" * 65) == ["Y201 1:65"]
    assert found("- a\n" * 9_999) == []
    assert found("- a\n" * 10_000) == ["Y202 10000:3"]
    assert found("a: " + "x" * 9_997) == []
    assert found("a: " + "x" * 9_998) == ["Y205 1:10001"]
    assert found("a: b" + "\n" * 20_000) == []
    assert found("a: b" + "\n" * 20_001) == ["Y204 20001:1"]
    assert found("é" * 500_001) == ["Y203 1:1"]


def test_thousands_of_duplicates_take_little_time() -> None:
    started = time.process_time()
    assert len(found("a: 1\n" * 4_900)) == 4_899
    assert time.process_time() - started < 2


def test_no_value_at_all() -> None:
    assert found("") == found("\n# c\n") == found("\ufeff") == ["Y020 1:1"]
    assert found("---\n") == []
