import os
from pathlib import Path

from croupier.diagnostics import Diagnostic, Source
from croupier.source import decode, read_file
from needs import posix
from rights import of_anybody


def code(path: Path, root: Path | None = None) -> str:
    source, diagnostics = read_file(path, root)
    assert source is None
    [diagnostic] = diagnostics
    assert isinstance(diagnostic, Diagnostic)
    return diagnostic.code


def test_text(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: \xc3\xa9\r\n")
    source, diagnostics = read_file(path, tmp_path)
    assert diagnostics == [] and source == Source(path.as_posix(), "a: é\r\n")


def test_missing(tmp_path: Path) -> None:
    assert code(tmp_path / "none.yaml") == "X001"
    assert code(tmp_path / "none" / "none.yaml", tmp_path) == "X001"
    (tmp_path / "file").write_text("x")
    assert code(tmp_path / "file" / "inside.yaml") == "X001"


def test_folder(tmp_path: Path) -> None:
    assert code(tmp_path) == code(tmp_path, tmp_path) == "X002"


@posix
def test_pipes_and_devices_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert code(tmp_path / "pipe") == "X003"
    assert code(Path("/dev/zero")) == "X003"
    (tmp_path / "link.yaml").symlink_to("/dev/zero")
    assert code(tmp_path / "link.yaml") == "X003"


@posix
def test_links(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret.yaml").write_text("a: 1\n")
    (root / "out.yaml").symlink_to(tmp_path / "secret.yaml")
    (root / "folder").symlink_to(tmp_path)
    (root / "circle.yaml").symlink_to(root / "circle.yaml")
    (root / "nowhere.yaml").symlink_to(root / "none.yaml")
    (root / "good.yaml").write_text("a: 1\n")
    (root / "in.yaml").symlink_to(root / "good.yaml")
    assert code(root / "out.yaml", root) == "X007"
    assert code(root / "folder" / "secret.yaml", root) == "X007"
    assert code(root / ".." / "secret.yaml", root) == "X007"
    assert code(root / "circle.yaml", root) == "X004"
    assert code(root / "nowhere.yaml", root) == "X001"
    assert read_file(root / "in.yaml", root)[1] == []
    assert read_file(root / "out.yaml", None)[1] == []


@posix
def test_no_permission(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("x")
    path.chmod(0)
    with of_anybody():
        assert code(path) == "X004"


def test_impossible_names(tmp_path: Path) -> None:
    assert code(Path("a\0b")) == "X009"
    assert code(Path("a" * 5000)) == "X010"
    assert code(tmp_path / ("a" * 300)) == "X004"


def test_too_large(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"a" * 1_000_000)
    assert read_file(path)[1] == []
    path.write_bytes(b"a" * 1_000_001)
    assert code(path) == "X005"


def test_the_place_that_named_the_file() -> None:
    span = Source("game.yaml", "extends: none.yaml\n").span(9, 18)
    assert read_file(Path("none.yaml"), span=span)[1][0].span == span
    [diagnostic] = decode("none.yaml", b"\xff", span)[1]
    assert diagnostic.span is not None and diagnostic.span.source.name == "none.yaml"
    assert [label.span for label in diagnostic.labels] == [span]


def test_not_utf8() -> None:
    [diagnostic] = decode("f", b"\xef\xbb\xbfa\r\n\xc3\xa9b\xe9c")[1]
    assert diagnostic.span is not None
    assert (diagnostic.span.line, diagnostic.span.column) == (2, 3)
    assert (
        diagnostic.message
        == "`f` is not text in UTF-8: byte 0xe9 cannot stand here; in Latin-1 (Windows-1252), in which it "
        "may be saved, it is `é`"
    )
    assert decode("f", "a".encode("utf-16"))[1][0].message == "`f` is not text in UTF-8: it is UTF-16"
