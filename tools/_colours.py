"""The words that editors colour, as the grammar has them.

Constants, operators and words that declare are groups of their own in the syntax files; every other word of
the grammar is a plain keyword there.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from croupier.lsp.cursor import keywords

CODE = Path("tools/editors/vscode/syntaxes/rules.tmLanguage.json")
VIM = Path("tools/editors/vim/after/syntax/yaml.vim")
VIM_WIDTH = 150  # columns of a line of words
_CODE_GROUP = re.compile(r'"match": "\\\\b\(\?:([a-z|]+)\)\\\\b",\s*"name": "([\w.]+)"')
_VIM_GROUP = re.compile(r"^syntax keyword (\w+) contained (.*)\n", re.MULTILINE)
_VIM_KEYWORDS = re.compile(r"(?:^syntax keyword croupierKeyword contained .*\n)+", re.MULTILINE)


def in_code(text: str) -> str:
    """The grammar of VS Code with every keyword."""
    groups = {name: words.split("|") for words, name in _CODE_GROUP.findall(text)}
    plain = _others({word for name, words in groups.items() if "control" not in name for word in words})
    return text.replace("|".join(groups["keyword.control.croupier"]), "|".join(plain))


def in_vim(text: str) -> str:
    """The syntax file of Vim with every keyword."""
    rows = [words.split() for group, words in _VIM_GROUP.findall(text) if group != "croupierKeyword"]
    plain = _others({word for words in rows for word in words})
    lines = textwrap.wrap(" ".join(plain), VIM_WIDTH - len("syntax keyword croupierKeyword contained "))
    written = "".join(f"syntax keyword croupierKeyword contained {line}\n" for line in lines)
    return _VIM_KEYWORDS.sub(lambda _: written, text)


def _others(grouped: set[str]) -> list[str]:
    return [word for word in keywords() if word not in grouped]


FILES = {CODE: in_code, VIM: in_vim}
