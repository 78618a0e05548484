"""The pages of outputs: an index, and a page for each JSON output with its keys, from its model."""

from __future__ import annotations

from croupier.outputs.documents import SCHEMAS
from croupier.outputs.schemas import keys_of, part_keys, summary_of

HEADERS = {
    "Header": ("croupier", "schema"),
    "RulesHeader": ("ruleset", "hash", "parameters"),
    "GamesHeader": ("players", "bots", "seed", "games", "interrupted"),
}
"""The keys of the headers, which are told once; those of the later ones stand behind those of the earlier."""
INDEX = "../outputs.md"  # seen from the page of an output
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
    """The index: every output with what writes it."""
    return "| output | holds |\n| --- | --- |\n" + "".join(
        # the address that the output had while all of them stood on one page
        f'| <a id="{name}"></a>[`{name}`](outputs/{name}.md) | {summary_of(name)} |\n'
        for name in SCHEMAS
    )


def new_page(name: str) -> str:
    """The page of an output as `tools/language` begins it."""
    return f"# Output {name}\n\n<!-- generated: output {name} -->\n<!-- end -->\n"


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


def output(name: str) -> str:
    """What the page of an output says: its version, and its keys but for those of the header."""
    published, header = SCHEMAS[name], set(_rows_of_header())
    keys = keys_of(name, PARTS)
    rows = [row for row in keys if row not in header]
    shared = ", ".join(f"`{key}`" for key, *_ in (row for row in keys if row in header) if "." not in key)
    return (
        f"{summary_of(name)}\n\nVersion {published.version}. Of the [header]({INDEX}#the-header): "
        f"{shared}.\n\n{table(rows, INDEX)}\nSee also: [all outputs]({INDEX}).\n"
    )


def table(rows: list[tuple[str, str, str]], index: str = "") -> str:
    """Keys with their types and meanings; `index` is the page that describes the parts, if it is another."""
    lines = [
        ("key", "type", "meaning"),
        ("---",) * 3,
        *((f"`{key}`", _linked(kind, index), meaning) for key, kind, meaning in rows),
    ]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def _linked(kind: str, index: str) -> str:
    """A type, the parts in it as links."""
    return " ".join(f"[{word}]({index}#{word.lower()})" if word in PARTS else word for word in kind.split())
