"""The places of the grammar and the shipped rulesets: in `_data/` of an installed package, otherwise in the
checkout.

A shipped ruleset's NAME is the name of a folder, at any depth under `rulesets/`, that holds `ruleset.yaml`;
its variants are the files of the folder `variants` in it and are called NAME/VARIANT.  Wherever a name may
stand, the path of a ruleset, of a variant or of a folder with a `ruleset.yaml` may stand too, and
FOLDER/VARIANT for `FOLDER/variants/VARIANT.yaml`, or for `FOLDER/VARIANT.yaml`. Variants are combined by
their names, NAME/ONE+OTHER, or by their files, ONE.yaml+OTHER.yaml; that is a place without a file of its
own. A shipped module is called modules/NAME.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from croupier.diagnostics import Diagnostic, Span, diagnose, did_you_mean
from croupier.records import dataclass

MAIN_FILE = "ruleset.yaml"
VARIANTS = "variants"
MODULES = "modules"
SUFFIXES = (".yaml", ".yml")
DEEPEST = 8
MOST_NAMES = 1_000  # of a folder that are looked through for a ruleset that is called almost so


@dataclass(frozen=True)
class RulesetPlace:
    """A ruleset's or variant's file, and the folder that everything it names has to lie in.

    `shown` is the name for people.

    Of variants that are combined `parts` are these; `path` is then no file, but what `find` takes for the
    same combination. Of a link `folders` are those in which the files that it names are looked for, each with
    the folder that these have to lie in.
    """

    path: Path
    root: Path
    shown: str
    parts: tuple[RulesetPlace, ...] = ()
    folders: tuple[tuple[Path, Path], ...] = ()

    @property
    def searched(self) -> tuple[tuple[Path, Path], ...]:
        """The folders in which named files are looked for, in this order, each with the folder that these
        have to lie in.
        """
        return self.folders or ((self.path.parent, self.root),)

    def is_file_of(self, other: RulesetPlace) -> bool:
        """Tell whether this is the same file as another's, links followed."""
        return os.path.realpath(self.path) == os.path.realpath(other.path)


@lru_cache(maxsize=1)
def data_folder() -> Path:
    """The folder that holds `grammar/` and `rulesets/`.

    Raises FileNotFoundError if the installation is damaged.
    """
    package = Path(__file__).resolve().parent
    for folder in (package / "_data", *package.parents):
        if (folder / "grammar").is_dir() and (
            folder.name == "_data" or (folder / "pyproject.toml").is_file()
        ):
            return folder
    raise FileNotFoundError(f"no `grammar` folder belongs to the package in {package}")


def grammar_file(name: str) -> Path:
    """The path of a file in `grammar/`."""
    return data_folder() / "grammar" / name


def rulesets_folder() -> Path:
    """The folder of the shipped rulesets; it need not exist."""
    return data_folder() / "rulesets"


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, RulesetPlace]:
    """Every shipped ruleset and variant by name: base rulesets in alphabetical order, each followed by its
    variants.
    """
    folder = rulesets_folder()
    mains = sorted(
        (file for file in _walk(folder, DEEPEST) if file.name == MAIN_FILE),
        key=lambda file: (file.parent.name, file.as_posix()),
    )
    places: dict[str, RulesetPlace] = {}
    for file in mains:
        name = file.parent.name
        if name in places:
            continue
        places[name] = RulesetPlace(file, file.parent, name)
        for variant in variants_in(file.parent)[0]:
            key = f"{name}/{variant.stem}"
            places[key] = RulesetPlace(variant, file.parent, key)
    return MappingProxyType(places)


def _walk(folder: Path, depth: int) -> list[Path]:
    """The files below a folder, links not followed."""
    if depth < 0 or not folder.is_dir():
        return []
    files: list[Path] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                files += _walk(Path(entry.path), depth - 1)
            elif entry.is_file(follow_symlinks=False):
                files.append(Path(entry.path))
    return files


def find(path_or_name: str | Path, span: Span | None = None) -> tuple[RulesetPlace | None, list[Diagnostic]]:
    """The ruleset of that name or path.

    A name of a shipped ruleset comes before a file or folder of the same name.

    `span`: the place that names it, for the diagnostics; `None` where the user does.
    """
    text = str(path_or_name)
    if isinstance(path_or_name, str) and text in shipped():
        return shipped()[text], []
    if (
        text.startswith(f"{MODULES}/")
        and not text.endswith(SUFFIXES)
        and (module := module_file(None, text.removeprefix(f"{MODULES}/"))) is not None
    ):
        return module, []
    if "\0" in text or not text.strip():
        return None, [
            diagnose("V001", span, name=text, help="give the name of a ruleset or the path of its file")
        ]
    if isinstance(path_or_name, Path) or is_path(text):
        path = Path(text)
        files = _files_together(text)
        if files is not None:
            return files, []
        if not os.path.lexists(path):
            found = _variants_of(path_or_name)
            if found is not None and (found[0] is not None or not text.endswith(SUFFIXES)):
                return found
        path = path / MAIN_FILE if os.path.isdir(path) else path
        return _of_link(path) or RulesetPlace(path, root_of(path), path.as_posix()), []
    return _variants_of(text) or (None, [unknown(text, span)])


def _files_together(text: str) -> RulesetPlace | None:
    """Return the combination of the variants of some files, ONE.yaml+OTHER.yaml; `None` if these are not
    files.
    """
    paths = [Path(part) for part in text.split("+")]
    if (
        len(paths) < 2
        or os.path.lexists(text)
        or not all(path.suffix in SUFFIXES and os.path.isfile(path) for path in paths)
    ):
        return None
    parts = tuple(_of_link(path) or RulesetPlace(path, root_of(path), path.as_posix()) for path in paths)
    return RulesetPlace(Path(text), parts[0].root, text, parts)


def _of_link(path: Path) -> RulesetPlace | None:
    """The place of a link to a file: the files that this names lie beside the link or, if not, beside the
    file. `None` for what is no link.

    A link that leads out of the folder of a ruleset is not followed: it may be a stranger's. One that lies
    elsewhere is the user's own.
    """
    if not os.path.islink(path) or not os.path.isfile(path):
        return None
    root, real = root_of(path), Path(os.path.realpath(path))
    if is_inside(path, root):
        return RulesetPlace(path, root, path.as_posix(), folders=((path.parent, root), (real.parent, root)))
    above = Path(os.path.abspath(root)).parent  # of `scenarios` and `modules` it is a ruleset's folder
    if (
        root != path.parent
        or path.name == MAIN_FILE
        or any(os.path.isfile(folder / MAIN_FILE) for folder in (root, above))
    ):
        return None
    return RulesetPlace(
        real, root_of(real), path.as_posix(), folders=((path.parent, root), (real.parent, root_of(real)))
    )


def _variants_of(path_or_name: str | Path) -> tuple[RulesetPlace | None, list[Diagnostic]] | None:
    """Return the variant, or the combination of variants, that BASE/VARIANT and BASE/ONE+OTHER mean; `None`
    if BASE is no ruleset.

    BASE is the name of a shipped ruleset, a folder with a `ruleset.yaml`, or the file of a ruleset or
    variant.
    """
    head, names = Path(path_or_name).parent, Path(path_or_name).name.split("+")
    bases = []
    is_name = isinstance(path_or_name, str) and path_or_name.startswith(f"{head.name}/")
    if is_name and head.name in shipped():
        bases.append(shipped()[head.name])
    if os.path.isfile(head / MAIN_FILE):
        bases.append(RulesetPlace(head / MAIN_FILE, head, head.as_posix()))
    elif head.suffix in SUFFIXES and os.path.isfile(head):
        bases.append(_of_link(head) or RulesetPlace(head, root_of(head), head.as_posix()))
    found: tuple[RulesetPlace | None, list[Diagnostic]] | None = None
    for base in bases:
        if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
            return None, [
                diagnose(
                    "V001", None, name=str(path_or_name), help=f"it names the variant `{twice[0]}` twice"
                )
            ]
        found = _together(base, names, str(path_or_name))
        if found[0] is not None:
            break
    return found


def _together(
    base: RulesetPlace, names: list[str], text: str
) -> tuple[RulesetPlace | None, list[Diagnostic]]:
    """The place of some variants of a ruleset."""
    parts = []
    for name in names:
        path, problems = variant_file(base.root, name)
        if path is None:
            if base is shipped().get(base.shown):
                return None, [unknown(text)]
            return None, [_no_variant(base, text)] if not problems else problems
        parts.append(RulesetPlace(path, base.root, path.as_posix()))
    if base.path.name != MAIN_FILE:
        return RulesetPlace(base.path / "+".join(names), base.root, text, (base, *parts)), []
    if len(parts) == 1:
        return replace(parts[0], shown=text), []
    return RulesetPlace(base.root / "+".join(names), base.root, text, tuple(parts)), []


def variant_file(root: Path, name: str) -> tuple[Path | None, list[Diagnostic]]:
    """The file of the variant of a name in a ruleset's folder: in `variants/`, or beside the ruleset; and
    what cannot be read there.
    """
    variants, problems = variants_in(root)
    for path in variants:
        if path.stem == name:
            return path, []
    if name and not Path(name).suffix and Path(name).name == name:
        for path in (root / f"{name}{suffix}" for suffix in SUFFIXES):
            if path.name != MAIN_FILE and os.path.lexists(path):
                return path, []
    return None, problems


def _no_variant(base: RulesetPlace, text: str) -> Diagnostic:
    names = [f"{base.shown}/{path.stem}" for path in variants_in(base.root)[0]]
    words = "its variants are " + ", ".join(f"`{name}`" for name in names)
    return diagnose("V001", None, name=text, help=words if names else f"`{base.shown}` has no variants")


def module_file(root: Path | None, name: str) -> RulesetPlace | None:
    """The file of the module of a name: in the folder `modules` of a ruleset's folder, if there is one, or
    shipped.
    """
    ours = rulesets_folder() / MODULES
    folders = [(ours, ours)] if root is None else [(root / MODULES, root), (ours, ours)]
    for folder, confined in folders:
        for path in (folder / f"{name}{suffix}" for suffix in SUFFIXES):
            if os.path.lexists(path):
                return RulesetPlace(
                    path, confined, f"{MODULES}/{name}" if folder == ours else path.as_posix()
                )
    return None


def module_names(root: Path) -> list[str]:
    """The names of the modules that a ruleset may use: its own, and the shipped ones."""
    return list(
        dict.fromkeys(
            path.stem
            for folder in (root, rulesets_folder())
            for path in files_in(folder / MODULES, root=folder)[0]
        )
    )


def shipped_modules() -> list[str]:
    """The names of the shipped modules, as users call them."""
    return [f"{MODULES}/{path.stem}" for path in files_in(rulesets_folder() / MODULES)[0]]


def with_modules(names: Iterable[str], *, beside: bool) -> list[str]:
    """The same names, with the modules of a folder `modules` in its place; with those `beside` a ruleset
    behind the folder of that.
    """
    found: dict[str, None] = {}
    for name in names:
        folder = Path(name)
        is_ruleset = os.path.isfile(folder / MAIN_FILE)
        inner = folder / MODULES if is_ruleset else folder
        is_folder = (
            name not in shipped()
            and os.path.isdir(folder)
            and (beside if is_ruleset else folder.resolve().name == MODULES)
        )
        modules = [path.as_posix() for path in files_in(inner, root=folder)[0]] if is_folder else []
        found.update(dict.fromkeys([name, *modules] if is_ruleset or not modules else modules))
    return list(found)


def is_shipped(name: str) -> bool:
    """Tell whether a text names a shipped ruleset or variant, or a combination of such variants."""
    base, _, variants = name.partition("/")
    return (
        name in shipped()
        or "+" in variants
        and all(f"{base}/{variant}" in shipped() for variant in variants.split("+"))
    )


def name_of(path: Path) -> str | None:
    """Return the name of the shipped ruleset, variant or combination with this path; `None` for others."""
    real = path.resolve()
    for name, place in shipped().items():
        if place.path.resolve() == real:
            return name
        if "+" in real.name and place.path.name == MAIN_FILE and place.root.resolve() == real.parent:
            return f"{name}/{real.name}"
    return None


def variants_in(folder: Path) -> tuple[list[Path], list[Diagnostic]]:
    """The files in the folder `variants` of a ruleset's folder, in alphabetical order, and what cannot be
    read there.
    """
    return files_in(folder / VARIANTS, root=folder)


def files_in(
    folder: Path, *, below: bool = False, root: Path | None = None
) -> tuple[list[Path], list[Diagnostic]]:
    """The YAML files of a folder in alphabetical order, those of the folders `below` it too, and what cannot
    be read there.

    With a `root`, a link to a folder outside of that is not followed.

    A folder that is not there has none.  Whatever is called like a YAML file is one, unless it is a folder;
    so a link that leads nowhere is told by whoever reads it.  Links to folders are not followed.
    """
    if root is not None and os.path.islink(folder) and not is_inside(folder, root):
        return [], [diagnose("X007", None, name=folder.as_posix())]
    files: list[Path] = []
    problems: list[Diagnostic] = []
    folders = [folder]
    while folders:
        path = folders.pop()
        try:
            with os.scandir(path) as found:
                entries = list(found)
        except FileNotFoundError:
            continue
        except OSError as error:
            problems.append(unreadable(path, error))
            continue
        for entry in entries:
            named, is_folder = os.path.splitext(entry.name)[1] in SUFFIXES, _is_folder(entry)
            if named and is_folder:
                problems.append(diagnose("X002", None, name=Path(entry.path).as_posix()))
            elif named and (os.path.isfile(entry.path) or not entry.name.startswith(".")):
                # editors lock files by links called `.#…`
                files.append(Path(entry.path))
            elif is_folder and below and not entry.is_symlink():
                folders.append(Path(entry.path))
    return sorted(files), problems


def is_inside(path: Path, root: Path) -> bool:
    """Tell whether a path lies in a folder, links followed."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link whose end cannot be looked at
        return False


def unreadable(path: Path, error: OSError) -> Diagnostic:
    """The diagnostic for a file or folder that the system does not let read."""
    return diagnose(
        "X004", None, name=path.as_posix(), reason=(error.strerror or "no reason is given").lower()
    )


def is_path(text: str) -> bool:
    """Tell whether a text means a path and not a name: by its form, or because something is there."""
    if text.endswith(SUFFIXES) or text.startswith((".", "~")) or "\\" in text or Path(text).is_absolute():
        return True
    try:
        os.stat(text)
    except PermissionError:
        # on the way to it lies a folder that may not be searched: whoever reads it says so
        return True
    except (OSError, ValueError):
        return False
    return True


def root_of(path: Path) -> Path:
    """The folder that a file's paths are confined to: its own, or for a file in `variants/` of a ruleset that
    ruleset's folder.
    """
    folder = path.parent
    if os.path.basename(os.path.abspath(folder)) == VARIANTS and os.path.isfile(
        os.path.join(os.path.abspath(folder), os.pardir, MAIN_FILE)
    ):
        return folder.parent if folder.name == VARIANTS else Path(os.path.abspath(folder)).parent
    try:
        above = folder.resolve().parent
        if folder.resolve().name == VARIANTS and (above / MAIN_FILE).is_file():
            return folder.parent if folder.name == VARIANTS else above
    except (OSError, RuntimeError):
        pass
    return folder


def _here(folder: Path) -> list[str]:
    """Return what a folder holds that can be named as a ruleset: its folders with a ruleset, and its YAML
    files.
    """
    try:
        with os.scandir(folder) as found:
            names = sorted(
                entry.name for entry in islice(found, MOST_NAMES) if not entry.name.startswith(".")
            )
    except OSError:
        return []
    return [
        (folder / name).as_posix()
        for name in names
        if name.endswith(SUFFIXES) or os.path.isfile(folder / name / MAIN_FILE)
    ]


def unknown(name: str, span: Span | None = None) -> Diagnostic:
    """The diagnostic for a name that no shipped ruleset has."""
    names = [place for place in shipped() if "/" in place or "/" not in name]
    names += _here(Path(name).parent) if span is None else []
    nearest = did_you_mean(name, names)
    if nearest is None and "/" in name:
        base = name.split("/", 1)[0]
        variants = [place for place in shipped() if place.startswith(f"{base}/")]
        if variants:
            return diagnose(
                "V001",
                span,
                name=name,
                help="its variants are " + ", ".join(f"`{variant}`" for variant in variants),
            )
    if span is None and os.path.isfile(f"{name}.yaml"):
        nearest = f"{name}.yaml"
    help = (
        f"did you mean `{nearest}`?"
        if nearest
        else "`croupier list` shows the names; a path ends in `.yaml` or begins with `./`"
    )
    return diagnose("V001", span, name=name, help=help)
