"""Open a ruleset by name or path, with the variants that it extends and those that parameters switch on.

A variant that holds because of the values of parameters must not change which variants hold: it leaves the
parameters with `variants` alone, but for setting one of them to the value that switches it on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from croupier.diagnostics import Diagnostic, Fix, Label, Source, Span, diagnose, did_you_mean
from croupier.diagnostics.diagnostic import normalise
from croupier.limits import MAX_EXTENDS
from croupier.records import dataclass
from croupier.resolve.combinations import combine
from croupier.resolve.documents import Loaded, check_path, display_path, load_source, read_source, wrong_file
from croupier.resolve.modules import alone, use_modules
from croupier.resolve.resolved import DefinitionsText, Layer, ResolvedRuleset
from croupier.resolve.variants import merge
from croupier.resources import (
    MAIN_FILE,
    SUFFIXES,
    VARIANTS,
    RulesetPlace,
    files_in,
    find,
    shipped,
    unknown,
    variant_file,
    variants_in,
)
from croupier.schema import ModuleDoc, Parameter, Players, RulesetDoc, Text, VariantDoc
from croupier.source import read_file

# ---------------------------------------------------------------- variants in a folder
_EXTENDS = re.compile(r"^(['\"]?)extends\1\s*:", re.MULTILINE)


def variant_files(root: Path) -> tuple[list[Path], list[Diagnostic]]:
    """The files of the variants in a ruleset's folder: those of `variants/` first, each group in alphabetical
    order; and what cannot be read there.

    The text of a file decides whether it is a variant, not its tree, so that a file with a YAML error counts,
    too.
    """
    inner, problems = variants_in(root)
    beside, more = files_in(root)
    more = [d for d in more if d.code != "X002"]  # here a folder may have any name
    return [*inner, *(path for path in beside if path.name != MAIN_FILE and _is_variant(path, root))], [
        *problems,
        *more,
    ]


def _is_variant(path: Path, root: Path) -> bool:
    source, _ = read_file(path, root)
    return source is not None and _EXTENDS.search(source.text) is not None


# ---------------------------------------------------------------- whole rulesets
_SHIPPED_NAME = re.compile(r"\w+(/\w+)?\Z")
Result = tuple[ResolvedRuleset | None, list[Diagnostic]]


def open_ruleset(path_or_name: str | Path) -> Result:
    """The ruleset of that name or path, with everything that it takes from other files, as far as it can be
    used.

    Nothing is raised, whatever the bytes are: all errors are diagnostics.
    """
    place, problems = find(path_or_name)
    if place is None:
        return None, problems
    if place.parts:
        name = (
            "+".join(part.path.stem for part in place.parts)
            if place.path.suffix in SUFFIXES
            else place.path.name
        )
        return open_combination(place.parts, place.path, name)
    source, problems = read_source(place)
    if source is None:
        return None, [
            _in_folder(d, place) if d.code == "X001" and not str(path_or_name).endswith(SUFFIXES) else d
            for d in problems
        ]
    return resolve_source(source, place)


def open_combination(places: Sequence[RulesetPlace], path: Path, name: str) -> Result:
    """The combination of some variants that the user names."""
    loader = Loader()
    opened = [loader.open(place) for place in places]
    problems = [d for _, found in opened for d in found]
    parts = [part for part, _ in opened if part is not None]
    if len(parts) < len(places) or any(d.is_error for d in problems):
        return None, normalise(problems)
    combined, more = combine(parts, [None] * len(parts), name, path)
    if combined is not None and any(problem.is_error for problem in more):
        combined = replace(combined, incomplete=True)
    return combined, normalise([*problems, *more])


def _in_folder(problem: Diagnostic, place: RulesetPlace) -> Diagnostic:
    """The diagnostic for a folder without a ruleset, with what it does hold as help."""
    files, _ = files_in(place.root)
    named = f": name a file, like `{files[0].as_posix()}`" if files else ""
    return replace(problem, help=f"the ruleset of a folder is its file `{MAIN_FILE}`{named}")


def resolve_source(source: Source, place: RulesetPlace) -> Result:
    """The ruleset of a text that has been read already; paths in it start from `place.path`'s folder."""
    ruleset, problems = Loader().open_loaded(load_source(source, place))
    if ruleset is not None and any(problem.is_error for problem in problems):
        ruleset = replace(ruleset, incomplete=True)
    return ruleset, normalise(problems)


def _whole(loaded: Loaded, document: RulesetDoc) -> ResolvedRuleset:
    """A ruleset that extends nothing.

    A missing part that was reported gets a placeholder, so that checking can go on.
    """
    return ResolvedRuleset(
        name=_name(loaded, document.ruleset),
        title=document.title.text if document.title is not None else _name(loaded, document.ruleset),
        doc=document.doc,
        path=loaded.place.path,
        root=loaded.place.root,
        variant_of=None,
        players=document.players or Players(loaded.source.span(0, 0), (2,)),
        limits=document.limits,
        types=document.types,
        parameters=document.parameters,
        components=loaded.components,
        zones=document.zones,
        boards=document.boards,
        state=document.state,
        definitions=tuple(DefinitionsText(title, text) for title, text in document.definitions),
        claims=document.claims,
        phases=document.phases,
        scoring=document.scoring,
        invariants=document.invariants,
        policies=document.policies,
        measures=document.measures,
        table=document.table,
        rule_list=loaded.rules,
        settings=(),
        sources=tuple(loaded.sources),
        dropped=loaded.dropped,
        cites=document.cites,
    )


def _name(loaded: Loaded, declared: Text | None) -> str:
    return declared.text if declared is not None else loaded.place.path.stem


@dataclass
class Loader:
    """Opens a ruleset with the files that it extends, each file once."""

    _known: dict[str, Result] = field(default_factory=dict)

    def open(self, place: RulesetPlace, span: Span | None = None) -> Result:
        """The ruleset at a path that the user names, or that a ruleset names at `span`; that ruleset then
        confines it to its folder.
        """
        source, problems = read_source(
            place, span, None if span is None else Path(os.path.abspath(place.root))
        )
        return (None, problems) if source is None else self.open_loaded(load_source(source, place))

    def open_loaded(self, loaded: Loaded, below: tuple[tuple[RulesetPlace, Span], ...] = ()) -> Result:
        """The ruleset of a file; `below` are the files that extend it, each with the span that names it."""
        key = os.path.realpath(loaded.place.path)
        if key not in self._known:
            if loaded.document is None:
                self._known[key] = None, loaded.diagnostics
            elif isinstance(loaded.document, VariantDoc):
                self._known[key] = self._variant(loaded, loaded.document, below)
            elif isinstance(loaded.document, ModuleDoc):
                self._known[key] = alone(loaded, loaded.document), loaded.diagnostics
            else:
                whole, problems = use_modules(_whole(loaded, loaded.document), loaded.document.uses, loaded)
                self._known[key] = whole, loaded.diagnostics + problems
        return self._known[key]

    def _variant(
        self, loaded: Loaded, document: VariantDoc, below: tuple[tuple[RulesetPlace, Span], ...]
    ) -> Result:
        """A variant merged with what it extends: a ruleset, a variant or several."""
        opened = [self._base(loaded, named, below) for named in document.extends]
        problems = [d for _, found in opened for d in found]
        parts = [part for part, _ in opened if part is not None]
        if len(parts) < len(opened):
            return None, loaded.diagnostics + problems
        whole: ResolvedRuleset | None = parts[0]
        if len(parts) > 1:
            name = "+".join(part.path.stem for part in parts)
            places = [named.span for named in document.extends]
            whole, more = combine(
                parts, places, name, loaded.place.path.parent / name, in_order=document.in_order
            )
            problems = [*more, *problems]
        if whole is None:
            return None, loaded.diagnostics + problems
        merged, more = merge(whole, loaded, document)
        return merged, loaded.diagnostics + more + problems

    def _base(self, loaded: Loaded, named: Text, below: tuple[tuple[RulesetPlace, Span], ...]) -> Result:
        """Load what a variant names under `extends`."""
        place, problem = _base_place(loaded, named)
        if place is None:
            return None, [problem] if problem is not None else []
        chain = (*below, (loaded.place, named.span))
        if any(place.is_file_of(other) for other, _ in chain):
            names = " → ".join(f"`{other.path.name}`" for other in (*(other for other, _ in chain), place))
            return None, [
                diagnose("V101" if place.is_file_of(loaded.place) else "V102", named.span, chain=names)
            ]
        if len(chain) > MAX_EXTENDS:
            return None, [
                diagnose(
                    "V107",
                    chain[0][1],
                    limit=MAX_EXTENDS,
                    labels=(Label(named.span, f"number {len(chain)} of the chain"),),
                )
            ]
        source, problems = read_source(place, named.span, Path(os.path.abspath(place.root)))
        return (None, problems) if source is None else self.open_loaded(load_source(source, place), chain)


def _base_place(loaded: Loaded, extends: Text) -> tuple[RulesetPlace | None, Diagnostic | None]:
    """The file of the ruleset that a variant extends: a path within its root, or the name of a shipped
    ruleset.
    """
    place, text = loaded.place, extends.text.strip()
    # looked up among the shipped rulesets only: a path has to pass `check_path`
    if _SHIPPED_NAME.match(text):
        found = shipped().get(text)
        return found, _with_suffix(unknown(text, extends.span), text, place) if found is None else None
    path, problem = check_path(extends, place.path.parent, place.root)
    if path is None:
        return None, _with_base(problem, place) if problem is not None else None
    if not text.endswith(SUFFIXES):
        return None, wrong_file(extends, "a YAML file or the name of a ruleset", ".yaml")
    if not os.path.lexists(path) and _base_beside(place) is not None:
        return None, _with_base(diagnose("X001", extends.span, name=text), place)
    return RulesetPlace(path, place.root, path.as_posix()), None


def _base_beside(place: RulesetPlace) -> str | None:
    """The ruleset in whose folder a variant lies, as the variant has to name it: `../ruleset.yaml` from
    `variants/`.
    """
    main = place.root / MAIN_FILE
    if not os.path.isfile(main) or os.path.realpath(main) == os.path.realpath(place.path):
        return None
    return Path(os.path.relpath(main, place.path.parent)).as_posix()


def _with_base(problem: Diagnostic, place: RulesetPlace) -> Diagnostic:
    """The diagnostic for a path without a file, with the ruleset in whose folder the variant lies as help, if
    there is one.
    """
    base = _base_beside(place)
    if base is None:
        return problem
    fix = Fix(problem.span, base, f"write `{base}`", safe=False) if problem.span is not None else None
    return replace(
        problem,
        help=f"the ruleset of this folder is `{base}`: a path starts where the file lies that names it",
        fix=fix,
    )


def _with_suffix(problem: Diagnostic, text: str, place: RulesetPlace) -> Diagnostic:
    """The diagnostic for an unknown name, with the file of that name as help if there is one."""
    for suffix in SUFFIXES:
        if os.path.isfile(place.path.parent / f"{text}{suffix}"):
            return replace(problem, help=f"did you mean the file `{text}{suffix}`?")
    near = (problem.help or "").startswith("did you mean") and text != place.root.resolve().name
    return problem if near else _with_base(problem, place)


# ---------------------------------------------------------------- switched variants
Switches = Mapping[str, ResolvedRuleset]


def open_switches(doc: ResolvedRuleset) -> tuple[dict[str, ResolvedRuleset], list[Diagnostic]]:
    """The variants, by name, that parameters of a ruleset switch on, and the diagnostics of their names and
    their files.
    """
    found: dict[str, ResolvedRuleset] = {}
    problems: list[Diagnostic] = []
    loader = Loader()
    tried: set[str] = set()
    for _, parameter in doc.parameters:
        for name in (name for _, names in parameter.variants for name in names):
            if name.text in tried:
                continue
            tried.add(name.text)
            path, root = _declared_in(doc, name)
            folder = path.parent.parent if path.parent.name == VARIANTS else path.parent
            file, unreadable = variant_file(folder, name.text)
            problems += unreadable
            if file is None:
                problems += [] if unreadable else [_unknown_variant(name, folder)]
                continue
            variant, more = loader.open(RulesetPlace(display_path(file), root, file.as_posix()), name.span)
            problems += more
            if variant is not None and variant.origin.path.resolve() != doc.origin.path.resolve():
                labels = (
                    ()
                    if variant.extends is None
                    else (Label(variant.extends, f"it extends `{variant.origin.name}`"),)
                )
                problems.append(
                    diagnose("V108", name.span, first=doc.origin.name, second=name.text, labels=labels)
                )
            elif variant is not None:
                problems += _changed_switches(doc, variant, name.text)
                found[name.text] = variant
    return found, normalise(problems)


def with_variants(
    doc: ResolvedRuleset, switches: Switches, names: Sequence[str]
) -> tuple[ResolvedRuleset | None, list[Diagnostic]]:
    """A ruleset merged with the variants of these names, and their conflicts."""
    parts = [doc, *(switches[name] for name in names)]
    return combine(parts, [None] * len(parts), doc.name, doc.path)


def _declared_in(doc: ResolvedRuleset, text: Text) -> tuple[Path, Path]:
    """The file of the ruleset or variant whose text holds a name, and the folder that what it names has to
    lie in.
    """
    for layer in reversed(doc.layers):
        if any(source.name == text.span.source.name for source in layer.loaded.sources):
            return layer.loaded.place.path, layer.loaded.place.root
    return doc.origin.path, doc.origin.root


def _unknown_variant(name: Text, folder: Path) -> Diagnostic:
    names = [path.stem for path in variants_in(folder)[0]]
    near = did_you_mean(name.text, names)
    listed = (
        "its variants are " + ", ".join(f"`{other}`" for other in names)
        if names
        else "its folder holds none: make `variants/NAME.yaml`"
    )
    return diagnose(
        "V112", name.span, name=name.text, help=f"did you mean `{near}`?" if near is not None else listed
    )


def _changed_switches(doc: ResolvedRuleset, variant: ResolvedRuleset, name: str) -> Iterator[Diagnostic]:
    """The diagnostics for a variant that changes which variants are switched on."""
    own = {layer.key for layer in doc.layers}
    parameters = {key.text: parameter for key, parameter in doc.parameters if parameter.variants}
    for layer in variant.layers:
        if layer.key in own:
            continue
        for change in layer.changes:
            if change.section != "parameters" or change.name not in parameters:
                continue
            if change.kind != "sets" or not _is_on(layer, change.name, parameters, name):
                labels = (Label(change.base, "declared here"),) if change.base is not None else ()
                yield diagnose("V113", change.span, variant=layer.name, labels=labels)
        added: Iterable[tuple[Text, Parameter]] = (
            layer.document.add.parameters if layer.document.add is not None else ()
        )
        for key, parameter in added:
            if parameter.variants:
                yield diagnose("V113", key.span, variant=layer.name)


def _is_on(layer: Layer, parameter: str, parameters: Mapping[str, Parameter], name: str) -> bool:
    """Tell whether a variant sets a parameter to a value that switches the variant itself on, and nothing
    else.
    """
    value = next((node.span.text.strip() for key, node in layer.document.set if key.text == parameter), "")
    return any(
        key.text == value and [n.text for n in names] == [name]
        for key, names in parameters[parameter].variants
    )
