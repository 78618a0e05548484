"""A ruleset in which nothing is wrong: every section is read, with places."""

from __future__ import annotations

import pytest

from croupier.diagnostics import Source
from croupier.schema import Enumeration, RecordType, RulesetDoc, Text, VariantDoc, parse
from croupier.source import YamlScalar, read
from small_ruleset import TEXT


def document(text: str) -> RulesetDoc | VariantDoc:
    root, problems = read(Source("small.yaml", text))
    assert root is not None and not problems
    parsed, problems = parse(root)
    assert parsed is not None and [str(problem) for problem in problems] == []
    return parsed


@pytest.fixture(scope="module")
def small() -> RulesetDoc:
    parsed = document(TEXT)
    assert isinstance(parsed, RulesetDoc)
    return parsed


def names(group: tuple[tuple[Text, object], ...]) -> list[str]:
    return [name.text for name, _ in group]


def test_head(small: RulesetDoc) -> None:
    assert small.players is not None and small.players.counts == (2, 4, 5)
    assert small.title is not None and small.title.text == "Small" and small.title.span.line == 3
    assert small.limits is not None and small.limits.fuel is not None and small.limits.fuel.value == 10000


def test_types(small: RulesetDoc) -> None:
    colour, role, bid = (form for _, form in small.types)
    assert isinstance(colour, Enumeration) and [value.name.text for value in colour.values] == ["red", "blue"]
    assert isinstance(role, Enumeration) and names(role.attributes) == ["copies", "side"]
    for value in role.values:
        assert [column.text for column, _ in value.cells] == ["copies", "side"]
    cell = role.values[0].cells[0][1]
    assert isinstance(cell, YamlScalar) and cell.value == 2 and cell.span.text == "2"
    assert role.values[1].doc is not None and [cite.text for cite in role.values[1].cites] == ["AB-2"]
    assert isinstance(bid, RecordType) and bid.record[0][1].text == "0..30"


def test_parameters(small: RulesetDoc) -> None:
    hand_size, side = (parameter for _, parameter in small.parameters)
    assert hand_size.type is not None and hand_size.type.rule.text == "1..26"
    assert isinstance(hand_size.default, YamlScalar) and hand_size.default.value == 6
    assert [cite.text for cite in hand_size.cites] == ["AB-1", "AB-4..6"]
    assert [(cite.text, cite.span.text) for cite in side.cites] == [
        ("AB-1", "AB-1"),
        ("AB-3", "AB-3"),
        ("AB-5", "5"),
    ]
    assert side.one_of is not None and [word.text for word in side.one_of] == ["left", "right"]
    assert hand_size.tried is not None and len(hand_size.tried) == 3


def test_components(small: RulesetDoc) -> None:
    card, piece, token, cube = (component for _, component in small.components)
    assert (
        card.each is not None
        and card.powers[0][0] is None
        and card.copies is not None
        and card.copies.value == 2
    )
    assert piece.table is not None and [row.id.text for row in piece.table.rows if row.id is not None] == [
        "a",
        "b",
    ]
    assert [
        [cell.text for _, cell in row.cells if isinstance(cell, YamlScalar)] for row in piece.table.rows
    ] == [["red"], ["blue"]]
    assert piece.mutable[0][1].rule.text == "1..6 = 1"
    assert [id.text for id, _ in piece.all_powers if id is not None] == ["a", "b"]
    assert token.ids is not None and token.ids[1].text == "moon"
    assert cube.count is not None and cube.count.value == 8


def test_zones_boards_and_state(small: RulesetDoc) -> None:
    deck, hand = (zone for _, zone in small.zones)
    assert deck.seen_by is not None and deck.seen_by.word is not None and deck.seen_by.word.text == "nobody"
    assert hand.seen_by is not None and hand.seen_by.by is not None and hand.seen_by.by.text == "side"
    assert hand.seen_by.cases[1][1].cases[1][1].word is not None
    assert hand.live is not None and hand.live.value is True
    grid, graph, _ = (board for _, board in small.boards)
    assert grid.stack is not None and grid.stack.holds.text == "Piece"
    assert graph.links is not None and [(link.first.text, link.second.text) for link in graph.links] == [
        ("a", "b"),
        ("b", "c"),
    ]
    leader, score = (variable for _, variable in small.state)
    assert leader.declaration is not None and leader.type is None
    assert score.declaration is None and score.type is not None and isinstance(score.start, YamlScalar)


def test_rules(small: RulesetDoc) -> None:
    set_up, play, more = (phase for _, phase in small.phases)
    assert set_up.text is not None and set_up.text.rule.text == "shuffle deck\n" and not set_up.phases
    assert play.repeat_until is not None and play.doc is not None
    turns = play.phases[0][1]
    assert (
        turns.for_each is not None
        and turns.for_each.text == "p in players"
        and names(turns.phases) == ["take a card"]
    )
    assert more.repeat is not None and more.repeat.value is True
    title, text = small.definitions[0]
    assert title is not None and title.text == "Who wins" and text.rule.span(4, 8).text == "best"
    assert small.claims[0][1].only_if is not None and small.claims[0][1].says.text == "I am {who}"
    template = small.claims[0][1].says.template
    assert template.text == "I am {who}" and template.span(6, 9).text == "who"
    assert small.scoring is not None and names(small.invariants) == ["nothing is wrong"]


def test_every_declaration_knows_its_place(small: RulesetDoc) -> None:
    for group in (
        small.types,
        small.parameters,
        small.components,
        small.zones,
        small.boards,
        small.state,
        small.claims,
        small.phases,
    ):
        for name, declaration in group:
            assert declaration.span.start > name.span.start
    assert small.span.start == 0


def test_a_variant() -> None:
    variant = document(
        "croupier: 1\nextends: small.yaml\nset: {hand_size: 7, roles: {seer: 1}}\nscoring: rank players\n"
    )
    assert isinstance(variant, VariantDoc)
    assert [named.text for named in variant.extends] == ["small.yaml"] and names(variant.set) == [
        "hand_size",
        "roles",
    ]
