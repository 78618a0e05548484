"""Any text gives a tree or diagnostics that point into it; nothing is raised, and what is read stands where
it says.
"""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from croupier.diagnostics import Source
from croupier.diagnostics.render import render_github, render_human, render_json, render_sarif
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence, read, read_csv

PIECES = [
    "a", "b: ", "- ", "  ", "\n", "\r\n", "\r", "[", "]", "{", "}", ", ", ": ", "| \n", "|2\n", ">-\n", "'",
    '"', "\\u12", "\\U00110000", "# c",
    "&x ", "*x", "!t ", "!!", "<<: ", "---\n", "...\n", "%YAML 1.1\n", "? ", "1.5", "99999999999999999999",
    "\t", "é字🎲", "\x00", "\u2028",
    "\ufeff", "@", "`", "|", ">", "def f(x):\n    return x\n", "x,y\n", '""',
]  # fmt: skip
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=30).map("".join)


def check(node: YamlNode, length: int) -> None:
    assert 0 <= node.span.start <= node.span.end <= length
    if isinstance(node, YamlScalar):
        if node.rule_problem() is None:
            rule = node.rule_text()
            for at, sign in enumerate(rule.text):
                shown = rule.span(at, at + 1).text
                assert shown == sign or (sign == "\n" and shown in ("\r", "\n", ""))
    elif isinstance(node, YamlMapping):
        for key, value in node.entries:
            assert node.span.start <= key.span.start and value.span.end <= node.span.end
            check(key, length)
            check(value, length)
    elif isinstance(node, YamlSequence):
        for item in node.items:
            assert node.span.start <= item.span.start and item.span.end <= node.span.end
            check(item, length)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_any_text_is_read_or_refused(text: str) -> None:
    root, diagnostics = read(Source("f", text))
    assert root is not None or diagnostics
    for diagnostic in diagnostics:
        assert diagnostic.span is not None and 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
        assert diagnostic.message != "this cannot be read as YAML"
    for render in (render_human, render_json, render_github, render_sarif):
        render(diagnostics).encode("utf-8")
    if root is not None:
        check(root, len(text))


@settings(max_examples=300, deadline=None)
@given(TEXTS)
@example('"\r\n"a')
def test_any_text_is_a_table_or_refused(text: str) -> None:
    table, diagnostics = read_csv(Source("f", text))
    assert table is not None or diagnostics
    for diagnostic in diagnostics:
        assert diagnostic.span is not None and 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
    open_quotes = {d.span.start for d in diagnostics if d.span is not None and d.code == "X105"}
    if table is not None:
        for row in (table.columns, *table.rows):
            assert len(row) == len(table.columns)
            for cell in row:
                shown = cell.span.text
                if cell.quoted:
                    end = None if cell.span.start in open_quotes else -1
                    shown = shown[1:end].replace('""', '"')
                assert shown == cell.text


@settings(max_examples=200, deadline=None)
@given(
    st.text(
        st.characters(
            exclude_categories=("Cs", "Cc", "Zl", "Zp"),
            exclude_characters="\u061c\u200e\u200f\ufeff\ufffe\uffff",
        ),
        max_size=20,
    )
)
def test_quoted_keys_are_read_exactly(text: str) -> None:
    if any(0x202A <= ord(sign) <= 0x202E or 0x2066 <= ord(sign) <= 0x2069 for sign in text) or not text:
        return
    quoted = "'" + text.replace("'", "''") + "'"
    root, diagnostics = read(Source("f", f"{quoted}: {quoted}\n"))
    assert diagnostics == [] and isinstance(root, YamlMapping)
    [(key, value)] = root.entries
    assert (
        key.text == text
        and isinstance(value, YamlScalar)
        and value.text == text
        and value.span.text == quoted
    )
