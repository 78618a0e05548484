"""The page of outputs: every key of every JSON output, from the models that write them."""

from __future__ import annotations

from croupier.outputs.documents import SCHEMAS
from croupier.outputs.schemas import keys_of, part_keys, summary_of

HEADERS = {
    "Header": ("croupier", "schema"),
    "RulesHeader": ("ruleset", "hash", "parameters"),
    "GamesHeader": ("players", "bots", "seed", "games", "interrupted"),
}
"""The keys of the headers, which are told once; those of the later ones stand behind those of the earlier."""
EXAMPLE = "simulate"  # the output of which the header is told
PARTS = {
    "Estimate": "compare",
    "Side": "compare",
    "Place": "diff",
    "Stretch": "check",
    "Finding": "check",
    "Spread": "simulate",
    "Outcome": "run",
}
"""Parts of several outputs, which are told once, each with an output that has it."""


def outputs(_: str) -> str:
    """A section for each output: its schema, what writes it, and its keys but for those of the header."""
    return "\n".join(section(name) for name in SCHEMAS)


def output_parts(_: str) -> str:
    """A section for each part that several outputs have."""
    others = {part: [name for name in PARTS if name != part] for part in PARTS}
    return "\n".join(
        f"### {part}\n\n{table(part_keys(name, part, others[part]))}" for part, name in PARTS.items()
    )


def header_keys(_: str) -> str:
    """The keys of the header."""
    return table(_rows_of_header())


def _rows_of_header() -> list[tuple[str, str, str]]:
    first = {key for keys in HEADERS.values() for key in keys}
    return [row for row in keys_of(EXAMPLE) if row[0].partition(".")[0] in first]


def section(name: str) -> str:
    """One output."""
    published, header = SCHEMAS[name], set(_rows_of_header())
    keys = keys_of(name, PARTS)
    rows = [row for row in keys if row not in header]
    shared = ", ".join(f"`{key}`" for key, *_ in (row for row in keys if row in header) if "." not in key)
    return (
        f"## {name}\n\n{summary_of(name)}\n\nVersion {published.version}. Of the header: "
        f"{shared}.\n\n{table(rows)}"
    )


def table(rows: list[tuple[str, str, str]]) -> str:
    """Keys with their types and meanings."""
    lines = [
        ("key", "type", "meaning"),
        ("---",) * 3,
        *((f"`{key}`", _linked(kind), meaning) for key, kind, meaning in rows),
    ]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def _linked(kind: str) -> str:
    """A type, the parts in it as links."""
    return " ".join(f"[{word}](#{word.lower()})" if word in PARTS else word for word in kind.split())
