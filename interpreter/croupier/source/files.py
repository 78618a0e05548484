"""Reading files that are not trusted: neither their names nor their contents.

A file is opened once, and the open file is checked, so that it cannot be exchanged between check and reading.
Devices, pipes and sockets are refused without waiting for them.  Where a `root` is given, the real file
(after links) has to lie in it.  Inside `buffers({path: text})` these texts are used instead of the files:
unsaved texts of an editor, texts that a tool will write.  The rules for paths stay the same.

Some characters are forbidden anywhere in a ruleset or a table: control characters, separators that only some
programs take for line ends, lone surrogates, and the characters that change the direction of text: with
those, a reviewer sees another text than the program reads.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from pathlib import Path

from croupier.diagnostics import Diagnostic, Label, Source, Span, diagnose, did_you_mean
from croupier.diagnostics.source import visible
from croupier.limits import MAX_PATH, MAX_YAML_BYTES
from croupier.reads import note_file, note_folder

_TEXTS: ContextVar[Mapping[str, str] | None] = ContextVar("buffers", default=None)


@contextmanager
def buffers(texts: Mapping[Path, str]) -> Iterator[None]:
    """Use texts instead of files, in this thread, until the context ends.

    Paths are made absolute; links are not followed.
    """
    token = _TEXTS.set({os.path.abspath(path): text for path, text in texts.items()})
    try:
        yield
    finally:
        _TEXTS.reset(token)


def buffered(path: Path) -> str | None:
    """The text that is used instead of a file; `None` if there is none."""
    texts = _TEXTS.get()
    return texts.get(os.path.abspath(path)) if texts else None


YAML = (".yaml", ".yml")
MAX_NAMES = 1_000  # names of a folder that are compared with a misspelt one


def read_file(
    path: Path, root: Path | None = None, *, span: Span | None = None, limit: int = MAX_YAML_BYTES
) -> tuple[Source | None, list[Diagnostic]]:
    """The text of a file in UTF-8, without its byte order mark, or what is wrong with the file.

    `root`: the folder that the file has to lie in, links followed. `span`: where a ruleset names the file,
    for the diagnostics; `None` where the user named it. `limit`: how many bytes are read at most.
    """
    name = path.as_posix()
    if len(name) > MAX_PATH:
        return None, [diagnose("X010", span, limit=MAX_PATH)]
    if "\0" in name:
        return None, [diagnose("X009", span, name=name, reason="it holds the character NUL")]
    note_folder(path.parent if root is None else root)
    text = buffered(path)
    if text is not None:
        note_file(path, text.encode("utf-8", "surrogatepass"))
        return _from_buffer(path, text, root, span, limit)
    note_file(path, None)
    try:
        if root is not None and not path.resolve(strict=True).is_relative_to(root.resolve(strict=True)):
            return None, [diagnose("X007", span, name=name)]
        data, problem = _read_bytes(path, name, span, limit)
    except (FileNotFoundError, NotADirectoryError):
        near = _near(path) if root is None or not os.path.islink(path.parent) else None
        return None, [
            diagnose("X001", span, name=name)
            if near is None
            else diagnose("X001", span, name=name, help=f"did you mean `{near}`?")
        ]
    except IsADirectoryError:
        return None, [diagnose("X002", span, name=name)]
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: a circle of links before Python 3.13
        return None, [diagnose("X004", span, name=name, reason=_reason(error))]
    if problem is not None:
        return None, [problem]
    note_file(path, data)
    return decode(name, data, span)


def _near(path: Path) -> str | None:
    """The file with the most similar name, of the same kind in the same folder; `None` if none is similar."""
    endings = YAML if path.suffix in YAML else (path.suffix,)
    try:
        with os.scandir(path.parent) as found:
            names = sorted(
                entry.name
                for entry in islice(found, MAX_NAMES)
                if entry.name.endswith(endings) and not entry.is_dir()
            )
    except OSError:
        return None
    near = did_you_mean(path.name, names)
    return None if near is None else (path.parent / near).as_posix()


def _from_buffer(
    path: Path, text: str, root: Path | None, span: Span | None, limit: int
) -> tuple[Source | None, list[Diagnostic]]:
    name = path.as_posix()
    if root is not None and not Path(os.path.abspath(path)).is_relative_to(os.path.abspath(root)):
        return None, [diagnose("X007", span, name=name)]
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > limit:
        return None, [diagnose("X005", span or _beginning(name), name=name, size=size, limit=limit)]
    return Source(name, text.removeprefix("\ufeff")), []


def _read_bytes(path: Path, name: str, span: Span | None, limit: int) -> tuple[bytes, Diagnostic | None]:
    problem = _kind(os.stat(path), name, span)  # before opening, because opening a device may do something
    if problem is not None:
        return b"", problem
    descriptor = os.open(
        path,
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0),
    )
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        problem = _kind(status, name, span)
        if problem is not None:
            return b"", problem
        data = file.read(limit + 1)
        if len(data) > limit:
            return b"", diagnose(
                "X005", span or _beginning(name), name=name, size=max(status.st_size, len(data)), limit=limit
            )
        return data, None


def _kind(status: os.stat_result, name: str, span: Span | None) -> Diagnostic | None:
    if stat.S_ISDIR(status.st_mode):
        return diagnose("X002", span, name=name)
    return None if stat.S_ISREG(status.st_mode) else diagnose("X003", span, name=name)


def decode(name: str, data: bytes, span: Span | None = None) -> tuple[Source | None, list[Diagnostic]]:
    """Bytes as text in UTF-8, without a byte order mark.

    The diagnostic points at the first byte that is not UTF-8.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None, [diagnose("X006", span or _beginning(name), name=name, reason="it is UTF-16")]
    try:
        return Source(name, data.decode("utf-8").removeprefix("\ufeff")), []
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8").removeprefix("\ufeff")
        shown = Source(name, before + data[error.start :].decode("utf-8", "replace"))
        place = shown.span(len(before), len(before) + 1)
        labels = [Label(span, "named here")] if span is not None else []
        return None, [
            diagnose("X006", place, labels=labels, name=name, reason=_foreign_byte(data, error.start))
        ]


def _foreign_byte(data: bytes, at: int) -> str:
    """Say why a byte is no UTF-8, and which letter the older encodings of Western Europe mean by it."""
    reason = f"byte 0x{data[at]:02x} cannot stand here"
    letter = bytes([data[at]]).decode("cp1252", "replace")
    return (
        f"{reason}; in Latin-1 (Windows-1252), in which it may be saved, it is `{letter}`"
        if letter.isprintable() and letter != "\ufffd"
        else reason
    )


def _beginning(name: str) -> Span:
    """An empty span at the beginning of a file whose text is not known."""
    return Source(name, "").span(0, 0)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return "its links lead in a circle" if isinstance(error, RuntimeError) else "the name is not possible"


# ------------------------------------------------------------ characters
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "v": "\v",
    "f": "\f",
    "e": "\x1b",
    "N": "\x85",
    "L": "\u2028",
    "P": "\u2029",
}
_NAMES = {0x7F: "DEL", 0x85: "NEL", 0x1B: "ESC", 0x00: "NUL", 0xFEFF: "byte order mark"}
MAX_REPORTED = 20


def forbidden_characters(source: Source, code: str) -> list[Diagnostic]:
    """A diagnostic with this code for each of the first 20 forbidden characters.

    A byte order mark may begin the text.
    """
    found: list[Diagnostic] = []
    for match in _FORBIDDEN.finditer(source.text, 1 if source.text.startswith("\ufeff") else 0):
        found.append(diagnose(code, source.span(*match.span()), character=describe_character(match.group())))
        if len(found) == MAX_REPORTED:
            break
    return found


def forbidden_escapes(source: Source, start: int, end: int) -> list[Diagnostic]:
    """A diagnostic for each escape in the double-quoted text between two offsets that stands for a forbidden
    character.
    """
    found: list[Diagnostic] = []
    for match in _ESCAPE.finditer(source.text, start, end):
        digits = match.group(1) or match.group(2) or match.group(3)
        character = chr(int(digits, 16)) if digits else _ESCAPED.get(match.group(4), "")
        if _FORBIDDEN.match(character):
            found.append(
                diagnose("Y007", source.span(*match.span()), character=describe_character(character))
            )
    return found


def describe_character(character: str) -> str:
    """A character in back-ticks, escaped if it is invisible, and its usual name where it has one."""
    shown = f"`{visible(character)}`" if character != "`" else "a back-tick"
    usual = _NAMES.get(ord(character))
    return f"{shown} ({usual})" if usual is not None else shown


def is_confusable(name: str) -> bool:
    """Tell whether a name has a letter that is not Latin, or that is written as several characters."""
    if name.isascii():
        return False
    plain = unicodedata.normalize("NFKC", name)
    return plain != name or any(
        not c.isascii() and not unicodedata.name(c, "").startswith("LATIN ") for c in name
    )


_LATIN = str.maketrans(
    "аеорсухіјѕԁһԛԝАВЕКМНОРСТХІЈЅοναιρΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxijsdhqwABEKMHOPCTXIJSovaipABEZHIKMNOPTYX"
)


def plain_name(name: str) -> str | None:
    """A name that looks like this one and has only Latin letters, each written as one character; `None` if
    there is none.
    """
    for plain in (
        unicodedata.normalize("NFC", name),
        unicodedata.normalize("NFKC", name),
        unicodedata.normalize("NFC", name.translate(_LATIN)),
    ):
        if plain != name and plain.isidentifier() and not is_confusable(plain):
            return plain
    return None
