"""The language server as an editor meets it: a process, its standard input and output."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls")
pytest_lsp = pytest.importorskip("pytest_lsp")

from lsprotocol import types as lsp  # noqa: E402
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities  # noqa: E402

pytestmark = pytest.mark.asyncio(loop_scope="module")

GAME = """croupier: 1
ruleset: small
title: "Small 😀"
players: 2..4
rule_list: rules.csv
parameters:
  hand_size: {type: 1..3, default: 2, doc: cards dealt to each player, cites: AB-1}
components:
  Card:
    attributes: {worth: 1..9}
    table: cards.csv
    label: "😀 {worth}"
zones:
  deck: {holds: Card, order: pile, start: all}
  hand: {holds: Card, per: Player, seen_by: owner}
state:
  score: 0..99 per Player = 0 seen by everybody
definitions: |
  def worth_of(p: Player) -> 0..99:   @AB-2
      return sum(c.worth for c in hand[p])
phases:
  deal: |
    for p in players:
        draw hand_size from deck to hand[p]   @AB-1
  count: |
    announce "😀"; score[players.first] = 1
scoring: |
  finish rank {p: worth_of(p) for p in players}   @AB-2
"""
GAME = GAME.replace('    announce "😀"; score', '    announce "😀 {hand_size}"   @AB-2\n    score')
RULES = "id,tag,text\nAB-1,seed,two cards are dealt\nAB-2,seed,cards count what they are worth\n"
CARDS = "id,worth\n" + "".join(f"c{n},{n}\n" for n in range(1, 10))
VARIANT = """croupier: 1
extends: ../ruleset.yaml
set: {hand_size: 3}
definitions: |
  replace def worth_of(p: Player) -> 0..99:
      return 99 - sum(c.worth for c in hand[p])
"""
SCENARIOS = """croupier: 1
scenarios:
  - id: A
    given:
      at: count
      rest: deck
      parameters: {hand_size: 1}
      zones: {hand: {1: [{any: 1}]}}
    do: []
    then:
      - hand[players.first].size == 1
      - all(c.worth < 10 for c in hand)
"""
FILES = {
    "ruleset.yaml": GAME,
    "rules.csv": RULES,
    "cards.csv": CARDS,
    "variants/low.yaml": VARIANT,
    "scenarios/a.yaml": SCENARIOS,
}


@pytest_lsp.fixture(
    scope="module",
    loop_scope="module",
    config=ClientServerConfig(server_command=[sys.executable, "-m", "croupier", "lsp"]),
)
async def client(lsp_client: LanguageClient):
    answer = await lsp_client.initialize_session(
        lsp.InitializeParams(capabilities=client_capabilities("visual-studio-code"), process_id=None)
    )
    lsp_client.legend = answer.capabilities.semantic_tokens_provider.legend  # type: ignore[attr-defined]
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def game(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


class Editor:
    """What an editor does with one document; `place` finds the position of a text, `at` characters into it,
    in units of UTF-16.
    """

    def __init__(self, client: LanguageClient, path: Path, text: str | None = None) -> None:
        self.client, self.uri = client, path.as_uri()
        self.text = path.read_text(encoding="utf-8") if text is None else text
        self.version = 1

    @property
    def document(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri)

    async def open(self) -> list[lsp.Diagnostic]:
        self.client.diagnostics.pop(self.uri, None)
        self.client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(self.uri, "yaml", 1, self.text))
        )
        return await self.diagnostics()

    async def change(self, old: str, new: str) -> list[lsp.Diagnostic]:
        """Replace a text.

        Every other time the editor sends the whole document instead of the part that changes.
        """
        assert old in self.text
        span = lsp.Range(self.place(old), self.place(old, len(old)))
        self.text, self.version = self.text.replace(old, new, 1), self.version + 1
        self.client.diagnostics.pop(self.uri, None)
        whole, part = (
            lsp.TextDocumentContentChangeWholeDocument(self.text),
            lsp.TextDocumentContentChangePartial(span, new),
        )
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(uri=self.uri, version=self.version),
                [whole if self.version % 2 else part],
            )
        )
        return await self.diagnostics()

    async def diagnostics(self) -> list[lsp.Diagnostic]:
        """Those that come next for this document."""
        while self.uri not in self.client.diagnostics:
            await self.client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        return list(self.client.diagnostics[self.uri])

    def place(self, text: str, at: int = 0) -> lsp.Position:
        before = self.text[: self.text.index(text) + at]
        return lsp.Position(
            before.count("\n"), len(before[before.rfind("\n") + 1 :].encode("utf-16-le")) // 2
        )

    def cut(self, span: lsp.Range) -> str:
        line = self.text.split("\n")[span.start.line].encode("utf-16-le")
        return line[span.start.character * 2 : span.end.character * 2].decode("utf-16-le")


async def test_a_clean_ruleset_and_a_mistake_while_typing(client: LanguageClient, game: Path) -> None:
    editor = Editor(client, game / "ruleset.yaml")
    assert await editor.open() == []
    found = await editor.change('{hand_size}"', '{hand_sise}"')
    assert [(d.code, editor.cut(d.range), d.source) for d in found] == [
        ("N001 unknown-name", "hand_sise", "croupier")
    ]
    assert (
        "did you mean `hand_size`?" in found[0].message and found[0].severity == lsp.DiagnosticSeverity.Error
    )
    assert await editor.change("hand_sise", "hand_size") == []
    broken = await editor.change("phases:", "phases: [")
    assert broken and all(d.code for d in broken)


async def test_a_change_of_the_base_shows_in_the_variant(client: LanguageClient, game: Path) -> None:
    variant = Editor(client, game / "variants/low.yaml")
    assert await variant.open() == []
    base = Editor(client, game / "ruleset.yaml")
    await base.open()
    client.diagnostics.pop(variant.uri)
    await base.change("def worth_of(p: Player)", "def worth_off(p: Player)")
    while not (found := await variant.diagnostics()):  # those of before the change may come late
        client.diagnostics.pop(variant.uri)
    assert any(d.code == "N016 nothing-to-replace" for d in found), found
    assert (game / "ruleset.yaml").read_text(encoding="utf-8") == GAME  # nothing was saved
    await base.change("worth_off", "worth_of")


async def test_a_table_has_its_own_diagnostics(client: LanguageClient, game: Path) -> None:
    table = Editor(client, game / "cards.csv")
    assert await table.open() == []
    found = await table.change("c3,3", "c3,33")
    assert [(d.code, table.cut(d.range)) for d in found] == [("T017 number-out-of-range", "33")]


async def test_scenarios_are_looked_at(client: LanguageClient, game: Path) -> None:
    scenarios = Editor(client, game / "scenarios/a.yaml")
    assert await scenarios.open() == []
    found = await scenarios.change("given:", "givn:")
    assert [d.code for d in found] == ["D001 unknown-key"]


@pytest.mark.parametrize(
    ("text", "at", "wanted"),
    [
        (
            "hand_size from",
            2,
            [
                "parameter hand_size: 1..3",
                "cards dealt to each player",
                "two cards are dealt",
                "Told in the rulebook: Play › Deal (AB-1)",
            ],
        ),
        ("worth_of(p) for", 1, ["def worth_of(p: Player) -> 0..99", "cards count what they are worth"]),
        ("c.worth for", 3, ["Card.worth: 1..9"]),
        ("players:", 3, ["the numbers of players"]),
        ("players.first", 9, ["xs.first", "Told in the rulebook: Play"]),
        ("for p in players:", 4, ["p: Player"]),
        ("sum(c", 1, ["the total; 0 of nothing"]),
        ("AB-1}", 1, ["two cards are dealt"]),
    ],
)
async def test_hover(client: LanguageClient, game: Path, text: str, at: int, wanted: list[str]) -> None:
    editor = Editor(client, game / "ruleset.yaml")
    await editor.open()
    found = await client.text_document_hover_async(lsp.HoverParams(editor.document, editor.place(text, at)))
    assert found is not None
    shown = found.contents.value.replace("\\", "")
    assert all(words in shown for words in wanted), shown


async def test_columns_behind_wide_characters(client: LanguageClient, game: Path) -> None:
    editor = Editor(client, game / "ruleset.yaml")
    await editor.open()
    found = await client.text_document_hover_async(
        lsp.HoverParams(editor.document, editor.place("{hand_size}", 2))
    )
    assert found is not None and found.range is not None and editor.cut(found.range) == "hand_size"


async def test_completion(client: LanguageClient, game: Path) -> None:
    editor = Editor(client, game / "ruleset.yaml")
    await editor.open()
    await editor.change("    score[players.first] = 1", "    score[players.first] = hand[players.first].")
    found = await client.text_document_completion_async(
        lsp.CompletionParams(editor.document, editor.place("hand[players.first].", 20))
    )
    assert {"size", "first", "list"} <= {item.label for item in found.items}


async def test_definitions_and_references_across_the_variant(client: LanguageClient, game: Path) -> None:
    base, variant = Editor(client, game / "ruleset.yaml"), Editor(client, game / "variants/low.yaml")
    await base.open()
    await variant.open()
    there = await client.text_document_definition_async(
        lsp.DefinitionParams(variant.document, variant.place("hand_size", 1))
    )
    assert [(x.uri, base.cut(x.range)) for x in there] == [(base.uri, "hand_size")]
    replaced = await client.text_document_definition_async(
        lsp.DefinitionParams(variant.document, variant.place("worth_of", 1))
    )
    assert [(x.uri, x.range.start) for x in replaced] == [(base.uri, base.place("worth_of(p: Player)"))]
    context = lsp.ReferenceContext(include_declaration=True)
    found = await client.text_document_references_async(
        lsp.ReferenceParams(context, base.document, base.place("hand_size: {", 1))
    )
    assert {(x.uri, x.range.start.line) for x in found} >= {
        (variant.uri, 2),
        (base.uri, base.place("draw hand_size").line),
    }
    column = await client.text_document_definition_async(
        lsp.DefinitionParams(base.document, base.place("AB-2", 1))
    )
    assert column[0].uri == (game / "rules.csv").as_uri()


async def test_rename_everywhere(client: LanguageClient, game: Path) -> None:
    base = Editor(client, game / "ruleset.yaml")
    await base.open()
    at = base.place("hand_size from", 1)
    assert (
        await client.text_document_prepare_rename_async(lsp.PrepareRenameParams(base.document, at))
        is not None
    )
    edit = await client.text_document_rename_async(lsp.RenameParams(base.document, at, "dealt"))
    assert edit is not None and edit.changes is not None
    assert {Path(uri).name: len(edits) for uri, edits in edit.changes.items()} == {
        "ruleset.yaml": 3,
        "low.yaml": 1,
        "a.yaml": 1,
    }
    edit = await client.text_document_rename_async(
        lsp.RenameParams(base.document, base.place("c.worth", 3), "value")
    )
    assert edit is not None and edit.changes is not None
    assert {Path(uri).name: len(edits) for uri, edits in edit.changes.items()} == {
        "ruleset.yaml": 3,
        "cards.csv": 1,
        "low.yaml": 1,
        "a.yaml": 1,
    }
    with pytest.raises(Exception, match="is not a name"):
        await client.text_document_rename_async(lsp.RenameParams(base.document, at, "two words"))
    with pytest.raises(Exception, match="mistake"):
        await client.text_document_rename_async(lsp.RenameParams(base.document, at, "deck"))
    assert (
        await client.text_document_prepare_rename_async(
            lsp.PrepareRenameParams(base.document, base.place("players.first", 9))
        )
        is None
    )


async def test_formatting(client: LanguageClient, game: Path) -> None:
    base = Editor(client, game / "ruleset.yaml")
    await base.open()
    options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
    edits = await client.text_document_formatting_async(lsp.DocumentFormattingParams(base.document, options))
    assert edits is not None and len(edits) == 1 and "  deal: |\n    for p in players:\n" in edits[0].new_text
    await base.change("phases:", "phases: [")
    assert not await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(base.document, options)
    )


async def test_outline(client: LanguageClient, game: Path) -> None:
    base = Editor(client, game / "ruleset.yaml")
    await base.open()
    found = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(base.document))
    names = {s.name: [c.name for c in s.children or []] for s in found or []}
    assert (
        names["zones"] == ["deck", "hand"]
        and names["definitions"] == ["worth_of"]
        and names["phases"] == ["deal", "count"]
    )


async def test_fixes(client: LanguageClient, game: Path) -> None:
    base = Editor(client, game / "ruleset.yaml")
    await base.open()
    found = await base.change("holds: Card, order", "hold: Card, order")
    assert any(d.code == "D001 unknown-key" for d in found)
    start = base.place("hold: Card", 1)
    context = lsp.CodeActionContext(diagnostics=[])
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(base.document, lsp.Range(start, start), context)
    )
    assert actions is not None and [a.title for a in actions if a.kind == lsp.CodeActionKind.QuickFix] == [
        "write `holds`"
    ]


async def test_a_document_that_is_not_saved(client: LanguageClient, tmp_path: Path) -> None:
    editor = Editor(
        client,
        tmp_path / "new.yaml",
        "croupier: 1\nruleset: new\ntitle: New\nplayers: 2\nphases:\n  play: finish drw\n",
    )
    found = await editor.open()
    assert [d.code for d in found] == ["P057 unknown-finish"]
    assert await editor.change("drw", "draw") == []


async def test_a_closed_document_has_no_diagnostics(client: LanguageClient, game: Path) -> None:
    editor = Editor(client, game / "ruleset.yaml")
    await editor.open()
    assert await editor.change("finish rank", "finish rnk")
    client.diagnostics.pop(editor.uri)
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(editor.document))
    assert await editor.diagnostics() == []


async def test_words_have_their_kinds(client: LanguageClient, game: Path) -> None:
    editor = Editor(client, game / "ruleset.yaml")
    await editor.open()
    found = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(editor.document))
    words = decoded(editor, found.data, client.legend)
    assert ("worth_of", "function", {"declaration"}) in words and ("score", "variable", {"state"}) in words
    assert ("@AB-2", "decorator", set()) in words and ("draw", "keyword", set()) in words
    assert words[words.index(('"😀 {', "string", set())) + 1] == (
        "hand_size",
        "variable",
        {"readonly", "option"},
    )
    place = editor.place("    announce")
    part = lsp.SemanticTokensRangeParams(editor.document, lsp.Range(place, lsp.Position(place.line + 1, 0)))
    some = decoded(editor, (await client.text_document_semantic_tokens_range_async(part)).data, client.legend)
    assert [word for word, _, _ in some] == ["announce", '"😀 {', "hand_size", '}"', "@AB-2"]


def decoded(
    editor: Editor, data: list[int], legend: lsp.SemanticTokensLegend
) -> list[tuple[str, str, set[str]]]:
    """Each word, its type and its modifiers."""
    found, line, column = [], 0, 0
    for k in range(0, len(data), 5):
        lines, columns, length, kind, bits = data[k : k + 5]
        line, column = line + lines, columns if lines else column + columns
        word = editor.cut(lsp.Range(lsp.Position(line, column), lsp.Position(line, column + length)))
        found.append(
            (
                word,
                legend.token_types[kind],
                {m for n, m in enumerate(legend.token_modifiers) if bits >> n & 1},
            )
        )
    return found


async def test_a_call_shows_its_signature(client: LanguageClient, game: Path) -> None:
    editor = Editor(client, game / "ruleset.yaml")
    await editor.open()
    params = lsp.SignatureHelpParams(editor.document, editor.place("worth_of(p) for", 9))
    found = await client.text_document_signature_help_async(params)
    assert [s.label for s in found.signatures] == ["def worth_of(p: Player) -> 0..99"]
    assert found.active_parameter == 0 and [p.label for p in found.signatures[0].parameters] == ["p: Player"]


async def test_blocks_can_be_folded(client: LanguageClient, game: Path) -> None:
    editor = Editor(client, game / "ruleset.yaml")
    await editor.open()
    found = await client.text_document_folding_range_async(lsp.FoldingRangeParams(editor.document))
    first = editor.place("zones:").line
    assert (first, first + 2) in {(f.start_line, f.end_line) for f in found}


async def test_names_are_found_in_the_workspace(client: LanguageClient, game: Path) -> None:
    editor = Editor(client, game / "ruleset.yaml")
    await editor.open()
    found = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams("wrth"))
    assert ("worth_of", editor.uri, "definitions") in {
        (s.name, s.location.uri, s.container_name) for s in found
    }


async def test_failing_scenarios_show_when_a_file_is_saved(client: LanguageClient, game: Path) -> None:
    editor, uri = Editor(client, game / "ruleset.yaml"), (game / "scenarios/a.yaml").as_uri()
    await editor.open()
    scenarios = game / "scenarios/a.yaml"
    for text, wanted in ((SCENARIOS.replace("c.worth < 10", "c.worth < 1"), True), (SCENARIOS, False)):
        scenarios.write_text(text, encoding="utf-8")
        client.text_document_did_save(lsp.DidSaveTextDocumentParams(editor.document))
        while bool(client.diagnostics.get(uri)) != wanted:
            await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        if wanted:
            found = client.diagnostics[uri]
            assert len(found) == 1 and found[0].code.startswith("K1"), found
            assert text.split("\n")[found[0].range.start.line].endswith("c.worth < 1 for c in hand)")
