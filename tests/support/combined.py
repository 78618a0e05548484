"""Several shipped variants in one: a chain of files, each with the text of one of them, as an author would
write it who wants them all.
"""

from __future__ import annotations

from pathlib import Path

from croupier.resources import rulesets_folder


def combined(folder: Path, game: str, *variants: str) -> Path:
    """The last file of a chain that begins with the first of the variants.

    The files are written into `folder`.
    """
    first, *more = variants
    before, path = f"{game}/{first}", folder / f"{first}.yaml"
    for name in more:
        lines = (rulesets_folder() / game / "variants" / f"{name}.yaml").read_text("utf-8").splitlines()
        path = (
            folder / f"{path.stem}_{name}.yaml"
            if before.endswith(".yaml")
            else folder / f"{first}_{name}.yaml"
        )
        text = [f"extends: {before}" if line.startswith("extends:") else line for line in lines]
        path.write_text("\n".join(text) + "\n", "utf-8")
        before = path.name
    return path
