import pytest

from croupier.diagnostics import Fix, Label, RulesetError, Source, diagnose

SPAN = Source("game.yaml", "players: 2\nplayers: 3\n").span(11, 18)


def test_the_catalogue_words_it() -> None:
    diagnostic = diagnose("Y301", SPAN, name="players")
    assert diagnostic.message == "the key `players` is given twice"
    assert diagnostic.help == "remove one of them, or rename it"
    assert diagnostic.severity == "error" and diagnostic.is_error


def test_everything_else_is_carried() -> None:
    label, fix = Label(SPAN, "here"), Fix(SPAN, "seats", "rename it")
    diagnostic = diagnose(
        "Y301", SPAN, name="players", labels=[label], notes=["a note"], help="another help", fix=fix
    )
    assert (diagnostic.labels, diagnostic.notes, diagnostic.help, diagnostic.fix) == (
        (label,),
        ("a note",),
        "another help",
        fix,
    )


def test_names_with_braces_are_not_templates() -> None:
    assert (
        diagnose("Y301", SPAN, name="{name.__class__}").message == "the key `{name.__class__}` is given twice"
    )


def test_long_names_are_shortened() -> None:
    message = diagnose("Y301", SPAN, name="a" * 500_000 + "z").message
    assert len(message) < 250 and "a…a" in message and "z`" in message


def test_unknown_codes_and_missing_names_are_bugs() -> None:
    with pytest.raises(KeyError):
        diagnose("Y999", SPAN)
    with pytest.raises(KeyError):
        diagnose("Y301", SPAN)


def test_the_exception_shows_its_diagnostics_without_harm() -> None:
    error = RulesetError(
        [diagnose("Y301", SPAN, name="a\x1b[2J"), diagnose("X001", None, name="f\nerror: all is well")]
    )
    assert str(error) == (
        "game.yaml:2:1: error[Y301 duplicate-key]: the key `a\\x1b[2J` is given twice\n"
        "error[X001 file-not-found]: there is no file `f\\nerror: all is well`"
    )
    assert len(error.diagnostics) == 2
