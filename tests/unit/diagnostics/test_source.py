import pytest

from croupier.diagnostics import Source, Span


def test_positions_count_from_one_in_code_points() -> None:
    source = Source("f", "字a\nbé\n")
    assert [source.position(offset) for offset in range(7)] == [
        (1, 1),
        (1, 2),
        (1, 3),
        (2, 1),
        (2, 2),
        (2, 3),
        (3, 1),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_ends_a_line(end: str) -> None:
    source = Source("f", f"a{end}{end}bc{end}")
    assert [source.line(number) for number in (1, 2, 3, 4)] == ["a", "", "bc", ""]
    assert source.position(source.text.index("c")) == (3, 2)
    assert source.line_count == 4


def test_other_separators_do_not_end_a_line() -> None:
    assert Source("f", "a\x85b\u2028c\x0bd\x0ce").line_count == 1


def test_a_byte_order_mark_takes_no_column() -> None:
    source = Source("f", "\ufeffab")
    assert source.position(1) == (1, 1)
    assert source.position(0) == (1, 1)
    assert source.line(1) == "ab"


def test_offsets_outside_move_to_the_nearest_end() -> None:
    source = Source("f", "ab\n")
    assert source.position(-5) == (1, 1)
    assert source.position(99) == (2, 1)


def test_a_line_that_does_not_exist() -> None:
    for number in (0, -1, 3):
        with pytest.raises(IndexError):
            Source("f", "a\n").line(number)


def test_span() -> None:
    source = Source("f", "ab\ncd\n")
    span = Span(source, 3, 5)
    assert (span.line, span.column, span.text, span.end_position, str(span)) == (2, 1, "cd", (2, 3), "f:2:1")
    assert span.to(Span(source, 0, 1)) == Span(source, 0, 5)


def test_a_span_is_shown_without_its_text() -> None:
    assert "secret" not in repr(Span(Source("f", "secret"), 0, 1))
