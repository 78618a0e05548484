"""What stands in tools/editors: the extension for VS Code, its archive and its colours, the syntax file for
Vim, the page about both.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("pygls")

from croupier.diagnostics import Source
from croupier.lsp.cursor import keywords
from croupier.lsp.tokens import MODIFIERS, TYPES
from croupier.source import YamlMapping, YamlScalar, YamlSequence, read

EDITORS = Path(__file__).resolve().parents[3] / "tools" / "editors"
CODE, VIM = EDITORS / "vscode", EDITORS / "vim" / "after"
DATA = Path(__file__).parent / "colours.yaml"
STANDARD = {"declaration", "readonly", "defaultLibrary"}


def _json(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def _data() -> tuple[str, list[dict[str, str]]]:
    root, found = read(Source(DATA.name, DATA.read_text(encoding="utf-8")))
    assert isinstance(root, YamlMapping), found
    text, words = root.get("text"), root.get("words")
    assert isinstance(text, YamlScalar) and isinstance(words, YamlSequence)
    return text.text, [
        {k.text: v.text for k, v in item.entries if isinstance(v, YamlScalar)}
        for item in words.items
        if isinstance(item, YamlMapping)
    ]


def _column(text: str, case: dict[str, str]) -> int:
    """Where the word of a case stands in its line, counted from 0."""
    found = re.search(rf"(?<!\w){re.escape(case['word'])}(?!\w)", text.split("\n")[int(case["at"]) - 1])
    assert found is not None, case
    return found.start()


# ---------------------------------------------------------------- the extension
def test_the_extension_names_files_that_are_there() -> None:
    package = _json(CODE / "package.json")
    assert re.fullmatch(r"[a-z][a-z-]*", package["name"]) and re.fullmatch(
        r"\d+\.\d+\.\d+", package["version"]
    )
    assert (
        package["publisher"]
        and package["engines"]["vscode"].startswith("^")
        and (CODE / package["main"]).is_file()
    )
    contributes = package["contributes"]
    assert all((CODE / language["configuration"]).is_file() for language in contributes["languages"])
    for grammar in contributes["grammars"]:
        assert _json(CODE / grammar["path"])["scopeName"] == grammar["scopeName"]
    assert all(
        (EDITORS.parents[1] / "grammar" / Path(one["url"]).name).is_file()
        for one in contributes["yamlValidation"]
    )
    settings = contributes["configuration"]["properties"]
    used = set(re.findall(r'settings\.get\("(\w+)"\)', (CODE / "extension.js").read_text(encoding="utf-8")))
    assert used == {name.split(".")[1] for name in settings if name != "croupier.trace.server"}


def test_it_describes_the_modifiers_of_the_server() -> None:
    contributes = _json(CODE / "package.json")["contributes"]
    assert {one["id"] for one in contributes["semanticTokenModifiers"]} == set(MODIFIERS) - STANDARD
    for selector in contributes["semanticTokenScopes"][0]["scopes"]:
        kind, *modifiers = selector.split(".")
        assert kind in TYPES and set(modifiers) <= set(MODIFIERS)


def test_every_keyword_has_a_colour() -> None:
    found: list[str] = []
    for pattern in _json(CODE / "syntaxes" / "rules.tmLanguage.json")["repository"]["word"]["patterns"]:
        found += re.fullmatch(r"\\b\(\?:([a-z|]+)\)\\b", pattern["match"]).group(1).split("|")  # type: ignore[union-attr]
    assert sorted(found) == list(keywords())
    vim = (VIM / "syntax" / "yaml.vim").read_text(encoding="utf-8")
    assert sorted(
        " ".join(re.findall(r"^syntax keyword \w+ contained (.*)$", vim, re.MULTILINE)).split()
    ) == list(keywords())


def test_the_archive_holds_what_the_extension_needs(tmp_path: Path) -> None:
    out = tmp_path / "made.vsix"
    done = subprocess.run(
        [sys.executable, "-S", "-E", str(EDITORS / "build"), "--bare", "--out", str(out)],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    again = tmp_path / "again.vsix"
    subprocess.run(
        [sys.executable, str(EDITORS / "build"), "--bare", "--out", str(again)],
        capture_output=True,
        check=True,
    )
    assert out.read_bytes() == again.read_bytes()
    with zipfile.ZipFile(out) as archive:
        names = set(archive.namelist())
        package = json.loads(archive.read("extension/package.json"))
        manifest = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
        types = ElementTree.fromstring(archive.read("[Content_Types].xml"))
    contributes = package["contributes"]
    files = [
        package["main"],
        *(one["configuration"] for one in contributes["languages"]),
        *(one["path"] for one in contributes["grammars"]),
    ]
    files += [one["url"] for one in contributes["yamlValidation"]]
    assert {f"extension/{file.removeprefix('./')}" for file in files} <= names and not any(
        "node_modules" in name for name in names
    )
    space = "{http://schemas.microsoft.com/developer/vsx-schema/2011}"
    identity = manifest.find(f"{space}Metadata/{space}Identity")
    assert identity is not None and (identity.get("Id"), identity.get("Version")) == (
        package["name"],
        package["version"],
    )
    assert {one.get("Path") for one in manifest.iter(f"{space}Asset")} <= names
    endings = {name.rpartition(".")[2] for name in names - {"[Content_Types].xml"}}
    assert {one.get("Extension", "").lstrip(".") for one in types} == endings


def test_help_of_the_script_shows_an_example() -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-E", str(EDITORS / "build"), "--help"], capture_output=True, text=True
    )
    assert done.returncode == 0 and "    tools/editors/build --out" in done.stdout


# ---------------------------------------------------------------- colours
def test_the_extension_can_be_read_by_node() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    for name in ("extension.js", "tokenise.js"):
        done = subprocess.run([node, "--check", str(CODE / name)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_rule_text_has_colours_in_vs_code() -> None:
    node = shutil.which("node")
    if node is None or not (CODE / "node_modules" / "vscode-textmate").is_dir():
        pytest.skip("there is no vscode-textmate: run `npm install` in tools/editors/vscode")
    text, words = _data()
    for ruleset in (text, "# first a comment\n\n" + text):
        done = subprocess.run(
            [node, str(CODE / "tokenise.js")], input=ruleset, capture_output=True, text=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stderr
        tokens = [json.loads(line) for line in done.stdout.splitlines()]
        lines = ruleset.count("\n") - text.count("\n")
        for case in words:
            at = _column(text, case)
            scopes = next(
                scopes
                for line, start, end, scopes in tokens
                if line == int(case["at"]) + lines and start <= at < end
            )
            assert scopes[-1] == case["code"], (case, scopes)
    other = subprocess.run(
        [node, str(CODE / "tokenise.js")],
        input=text.split("\n", 1)[1],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert ".croupier" not in other.stdout  # a file that is no ruleset


def test_rule_text_has_colours_in_vim(tmp_path: Path) -> None:
    vim = shutil.which("vim")
    if (
        vim is None
        or "+syntax" not in subprocess.run([vim, "--version"], capture_output=True, text=True).stdout
    ):
        pytest.skip("there is no vim that knows syntax")
    text, words = _data()
    file, out = tmp_path / "ruleset.yaml", tmp_path / "groups"
    file.write_text(text, encoding="utf-8")
    asked = [
        f"call add(found, synIDattr(synID({case['at']}, {_column(text, case) + 1}, 1), 'name'))"
        for case in words
    ]
    script = tmp_path / "ask.vim"
    script.write_text(
        "\n".join(
            [
                "syntax on",
                "set filetype=yaml",
                "let found = []",
                *asked,
                f"call writefile(found, '{out}')",
                "qall!",
                "",
            ]
        )
    )
    command = [
        vim,
        "-Nu",
        "NONE",
        "-n",
        "-es",
        "--cmd",
        f"set runtimepath+={VIM}",
        "-S",
        str(script),
        str(file),
    ]
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    if not out.is_file() or not any(out.read_text().split()):
        pytest.skip("this vim has no syntax files")
    assert dict(zip(map(str, words), out.read_text().split("\n"), strict=False)) == {
        str(case): case["vim"] for case in words
    }
