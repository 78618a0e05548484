"""The command line with the fake game behind it: `python -m fake_cli run fake`."""

from __future__ import annotations

import sys
from types import ModuleType

import fake_game
from croupier.cli import main


def fake_load_module() -> ModuleType:
    """A stand-in for `croupier.load`."""
    module = ModuleType("croupier.pipeline")
    module.load = fake_game.load  # type: ignore[attr-defined]
    module.check = fake_game.check  # type: ignore[attr-defined]
    module.dump = fake_game.dump  # type: ignore[attr-defined]
    module.Ruleset = fake_game.FakeRuleset  # type: ignore[attr-defined]
    return module


if __name__ == "__main__":
    sys.modules["croupier.pipeline"] = fake_load_module()
    sys.exit(main())
