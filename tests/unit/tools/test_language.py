"""The generated parts of the specification are fresh, and every table of the interpreter stands in it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from croupier.diagnostics.catalogue import CODES
from croupier.schema.keydocs import KEYS
from croupier.semantics.builtins import AGGREGATES, FUNCTIONS, MEMBERS

ROOT = Path(__file__).resolve().parents[3]
FILE = ROOT / "grammar" / "LANGUAGE.md"
TEXT = FILE.read_text(encoding="utf-8")


def test_the_specification_is_fresh() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "tools" / "language"), "--check"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_key_stands_in_it() -> None:
    missing = [f"{model}.{key}" for model, keys in KEYS.items() for key in keys if f"`{key}" not in TEXT]
    assert not missing


def test_every_built_in_word_stands_in_it() -> None:
    signatures = [m.signature for kind in MEMBERS.values() for m in kind.values()]
    signatures += [f.signature for f in FUNCTIONS.values()] + [s for s, _ in AGGREGATES.values()]
    missing = [s for s in signatures if s not in TEXT]
    assert not missing


def test_every_code_stands_in_it() -> None:
    missing = [code for code in CODES if f"| `{code}` |" not in TEXT]
    assert not missing


def test_every_link_leads_to_a_heading() -> None:
    headings = re.findall(r"^#{1,4} (.+)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}
    links = re.findall(r"\]\(#([^)]+)\)", TEXT)
    assert [link for link in links if link not in anchors] == []
