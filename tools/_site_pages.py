"""The pages of the site: copies of the documents in a folder of their own, and the configuration of MkDocs.

The documents are written for GitHub. What Python-Markdown reads otherwise is changed in the copies: the words
after a fence, of which the first names the language, and a list that begins right after a line of prose. Only
the standard library is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

# a page a diagnostic: the list of errors leads there, no menu does
CATALOGUE = "interpreter/croupier/diagnostics/catalogue"
COPIED = ("README.md", "LICENSE", "rulesets/NOTICE.md", "grammar/*.md", "grammar/*.json", "grammar/guide/*",
"grammar/reference/*",
          "grammar/reference/*/*", f"{CATALOGUE}/*.md")  # fmt: skip
FIRST = {  # of each folder; the others by name
    "guide": ("tutorial", "table", "variants", "scenarios", "leaks", "coverage", "editor", "python",
    "openspiel", "questions"),
    "reference": (
        "document", "types", "expressions", "components", "boards", "state", "definitions", "phases",
        "statements", "choices", "chance", "hooks",
        "lookahead", "information", "variants", "modules", "scenarios", "states", "python", "limits",
        "grammar", "errors", "cli", "outputs", "lab", "tools", "performance",
    ),
}  # fmt: skip
FENCE = re.compile(r"(`{3,})\s*([\w-]*)")
ITEM = re.compile(r"(?:[-*]|\d+\.) ")
FRONT = re.compile(r"---\n(.*?)\n---\n", re.DOTALL)
KEY = re.compile(r"^(\w+): (.+)$", re.MULTILINE)
HEADING = re.compile(r"# (.+)")
SHOWN_AS = {"python": "pycon", "rules": "text", "values": "text", "console": "text"}
CONFIGURATION = """\
site_name: Croupier
docs_dir: pages
use_directory_urls: false
theme:
  name: material
  font: false
  features: [navigation.sections, navigation.top, search.highlight, content.code.copy, toc.follow]
  palette:
    - {media: "(prefers-color-scheme: light)", scheme: default, toggle: {icon: material/weather-night, name: dark}}
    - {media: "(prefers-color-scheme: dark)", scheme: slate, toggle: {icon: material/weather-sunny, name: light}}
plugins: [search]
markdown_extensions:
  - tables
  - pymdownx.superfences
  - pymdownx.highlight
  - pymdownx.magiclink
  - toc: {permalink: true, slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}}
not_in_nav: /interpreter/
validation:
  nav: {omitted_files: warn, not_found: warn, absolute_links: warn}
  links: {not_found: warn, anchors: warn, absolute_links: warn, unrecognized_links: warn}
"""  # noqa: E501 the text as it is read


def stage(root: Path, folder: Path) -> Path:
    """Copy the pages of a checkout into a folder; gives the configuration.

    Raises ValueError for a page without a title.
    """
    files = sorted({file for place in COPIED for file in root.glob(place) if file.is_file()})
    for file in files:
        copy = folder / "pages" / file.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".md":
            copy.write_text(for_site(file.read_text(encoding="utf-8")), encoding="utf-8")
        else:
            copy.write_bytes(file.read_bytes())
    configuration = folder / "mkdocs.yml"
    pages = [file for file in files if file.suffix == ".md" and file.parent != root / CATALOGUE]
    configuration.write_text(f"{CONFIGURATION}nav: {json.dumps(navigation(root, pages))}\n", encoding="utf-8")
    return configuration


def navigation(root: Path, pages: list[Path]) -> list[dict[str, object]]:
    """The pages in the order of the menu: the README, the guide, the reference with the specification first,
    what is left.

    Pages in a folder that is called like a page stand below it: those of commands and of outputs.
    """

    def entry(page: Path) -> dict[str, object]:
        path = page.relative_to(root).as_posix()
        below = [other for other in pages if other.parent == page.with_suffix("")]
        if not below:
            return {title(page): path}
        return {title(page): [path, *(entry(other) for other in below)]}

    def entries(folder: str, wanted: list[Path]) -> list[dict[str, object]]:
        def rank(page: Path) -> tuple[bool, int, str]:
            first = FIRST.get(page.parent.name, ())
            return (
                page.parent != root / folder,
                first.index(page.stem) if page.stem in first else len(first),
                page.name,
            )

        return [entry(page) for page in sorted(wanted, key=rank)]

    readme, specification = root / "README.md", root / "grammar" / "LANGUAGE.md"
    guide = [page for page in pages if page.parent == root / "grammar" / "guide"]
    reference = [
        page for page in pages if page.parent == root / "grammar" / "reference" or page == specification
    ]
    left = [
        page
        for page in pages
        if page not in (readme, *guide, *reference) and page.parent.with_suffix(".md") not in reference
    ]
    menu: list[dict[str, object]] = [
        {"Croupier": "README.md"},
        {"Guide": entries("grammar/guide", guide)},
        {"Reference": entries("grammar", reference)},
    ]
    return [*menu, *entries("grammar", left)]


def title(page: Path) -> str:
    """The heading that a page begins with. Raises ValueError if there is none."""
    found = HEADING.match(page.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{page} does not begin with a heading")
    return found.group(1)


def for_site(text: str) -> str:
    """A page as Python-Markdown has to have it.

    What a diagnostic says stands below the heading of its page.
    """
    front = FRONT.match(text)
    if front is not None:
        keys = {
            key: json.loads(value) if value.startswith('"') else value
            for key, value in KEY.findall(front.group(1))
        }
        heading, _, rest = text[front.end() :].lstrip("\n").partition("\n")
        help_line = f"\n>\n> help: {keys['help']}" if "help" in keys else ""
        text = f"{heading}\n\n> **{keys['severity']}**: {keys['message']}{help_line}\n{rest}"
    return "\n".join(lines_for_site(text.split("\n")))


def lines_for_site(lines: list[str]) -> Iterator[str]:
    """The lines of `for_site`."""
    fence, before = "", ""
    for line in lines:
        found = FENCE.match(line)
        if fence:
            fence = "" if line.rstrip() == fence else fence
            yield line
        elif found:
            fence, language = found.groups()
            yield fence + SHOWN_AS.get(language, language)
        else:
            if (
                ITEM.match(line)
                and before.strip()
                and not ITEM.match(before)
                and not before.startswith((" ", "|", "#", "<"))
            ):
                yield ""
            yield line
        before = line
