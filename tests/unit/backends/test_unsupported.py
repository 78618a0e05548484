"""What is not compiled is refused in words of the language, whatever it is."""

import pytest

from croupier.backends.unsupported import WAITS, refused_operation, refused_wait
from croupier.ir.operations import OPERATIONS
from croupier.ir.suspensions import KINDS


def test_every_suspension_has_words() -> None:
    assert list(WAITS) == list(KINDS)
    assert all("_" not in refused_wait(kind, None).what for kind in KINDS)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_has_words(name: str) -> None:
    words = refused_operation(name, None).what
    assert words and name not in words.split() or "_" not in name
