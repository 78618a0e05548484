import os
from pathlib import Path

import pytest

from croupier.diagnostics import Source
from croupier.resolve.documents import check_path
from croupier.schema import Text
from croupier.source import YamlScalar

ROOT = Path("games")


def named(reference: str) -> Text:
    return Text(
        YamlScalar(
            Source("ruleset.yaml", reference).span(0, len(reference)), reference, "plain", reference, False
        )
    )


@pytest.mark.parametrize(
    ("reference", "path"),
    [
        ("base.yaml", "games/chess/base.yaml"),
        ("./base.yaml", "games/chess/base.yaml"),
        ("../base.yaml", "games/base.yaml"),
        ("sub/../deck.csv", "games/chess/deck.csv"),
        ("a b/Größe.csv", "games/chess/a b/Größe.csv"),
        ("console.yaml", "games/chess/console.yaml"),
    ],
)
def test_references(reference: str, path: str) -> None:
    found, problem = check_path(named(reference), ROOT / "chess", ROOT)
    assert problem is None and found is not None and os.path.abspath(found) == os.path.abspath(path)


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("", "X009"),
        ("/etc/passwd", "X008"),
        ("~/a.yaml", "X009"),
        ("C:/a.yaml", "X008"),
        ("c:a.yaml", "X008"),
        ("\\\\server\\share", "X008"),
        ("..\\a.yaml", "X009"),
        ("https://example.com/a.yaml", "X009"),
        ("file:a.yaml", "X009"),
        ("a.yaml:stream", "X009"),
        ("a\0.yaml", "X009"),
        ("a\n.yaml", "X009"),
        ("a*.yaml", "X009"),
        ("nul", "X009"),
        ("x/CON.yaml", "X009"),
        ("com1.csv", "X009"),
        ("a.yaml.", "X009"),
        ("a /b.yaml", "X009"),
        ("a//b.yaml", "X009"),
        ("a/", "X009"),
        ("../../a.yaml", "X007"),
        ("x/../../../games/../a.yaml", "X007"),
        ("a" * 1001, "X010"),
    ],
)
def test_refused(reference: str, code: str) -> None:
    path, problem = check_path(named(reference), ROOT / "chess", ROOT)
    assert path is None and problem is not None and problem.code == code


def test_a_root_that_is_the_working_folder() -> None:
    assert check_path(named("../a.yaml"), Path("."), Path("."))[0] is None
    assert check_path(named("a.yaml"), Path("."), Path("."))[0] == Path("a.yaml")
