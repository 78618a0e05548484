from croupier.diagnostics import Diagnostic, Fix, Source, apply_fixes, diagnose

SOURCE = Source("f", "a: 1\nb: 2\n")


def finding(start: int, end: int, replacement: str, safe: bool = True, source: Source = SOURCE) -> Diagnostic:
    span = source.span(start, end)
    return diagnose("Y301", span, name="a", fix=Fix(span, replacement, "fix it", safe))


def test_fixes_apply_in_the_order_of_the_text() -> None:
    assert apply_fixes(SOURCE, [finding(8, 9, "three"), finding(3, 4, "")]) == ("a: \nb: three\n", 2)


def test_unsafe_fixes_only_on_request() -> None:
    assert apply_fixes(SOURCE, [finding(3, 4, "9", safe=False)]) == (SOURCE.text, 0)
    assert apply_fixes(SOURCE, [finding(3, 4, "9", safe=False)], unsafe=True) == ("a: 9\nb: 2\n", 1)


def test_of_overlapping_fixes_the_first_is_applied() -> None:
    assert apply_fixes(SOURCE, [finding(1, 4, "x"), finding(3, 6, "y")]) == ("ax\nb: 2\n", 1)


def test_the_same_fix_twice_is_one() -> None:
    assert apply_fixes(SOURCE, [finding(3, 3, "x"), finding(3, 3, "x"), finding(3, 3, "y")]) == (
        "a: x1\nb: 2\n",
        1,
    )


def test_fixes_of_other_files_are_left() -> None:
    other = Source("g", "a: 1\nb: 2\n")
    assert apply_fixes(SOURCE, [finding(3, 4, "9", source=other), diagnose("Y020", None)]) == (SOURCE.text, 0)
