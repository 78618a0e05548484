"""The modules that a ruleset uses, merged with its declarations; and a module by itself, as a small game.

A module declares what it *needs*, by examples, and what it *gives*. The ruleset that uses it declares what it
needs, under the same name or under one that is an argument of the module. The module's file is read with
these names, and what it gives is added to the declarations of the ruleset. Spans are those of the module's
file. A local of the module whose name the ruleset uses is renamed. By itself a module is the game of its
`example`, with what it needs as the module declares it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Literal

from croupier.diagnostics import Diagnostic, Fix, Label, Span, diagnose, did_you_mean
from croupier.records import dataclass
from croupier.resolve.documents import Loaded, load_renamed, load_source, read_source
from croupier.resolve.resolved import DefinitionsText, ResolvedRuleset, UsedModule
from croupier.resources import module_file, module_names
from croupier.schema import (
    Alias,
    Component,
    Dropped,
    Findings,
    ModuleDoc,
    ModuleUse,
    Players,
    RecordType,
    Text,
    Zone,
)
from croupier.schema.declaration import read_cites
from croupier.schema.leaves import IDENTIFIER_PATTERN
from croupier.source import YamlMapping, YamlNode, YamlScalar
from croupier.source.renaming import marks

FILE_KEY, PREFIX_KEY, CITES_KEY, WORDS_KEY = "module", "prefix", "cites", "words"
KINDS = {
    "types": "a type", "components": "a kind of component", "zones": "a zone", "boards": "a board",
    "state": "a state",
    "parameters": "a parameter", "definitions": "a definition", "windows": "a window",
}  # fmt: skip
_DEFINED = re.compile(r"^(replace[ \t]+)?(def|window)[ \t]+(\w+)", re.MULTILINE)
_RANGE = re.compile(r"\.\.[A-Z]+-")
MOST_LISTED = 6  # names of things that could be meant, in a help
_WORD = re.compile(r"\w+")
_LOCAL = re.compile(
    r"\b(?:let|var|for|as|every)[ \t]+(\w+)|\bchoose[ \t]+(?:[\w.]+[ \t]+)?(\w+)[ \t]+from\b|[(,][ "
    r"\t]*(?:var[ \t]+)?(\w+)[ \t]*:"
)
_SECTIONS: tuple[Literal["types", "components", "zones", "boards", "state"], ...] = (
    "types",
    "components",
    "zones",
    "boards",
    "state",
)


@dataclass(frozen=True)
class Declared:
    """A declaration: its section, the span of its name, and its model (`None` for a definition)."""

    section: str
    span: Span
    thing: object = None

    @property
    def kind(self) -> str:
        """Return the kind in words."""
        return KINDS[self.section]


Names = dict[str, Declared]


# ---------------------------------------------------------------- what is declared
def _definitions(
    texts: tuple[tuple[Text | None, Text], ...], *, replacing: bool = False
) -> Iterator[tuple[str, Declared]]:
    """The names of definitions and windows; with `replacing` also of those that replace another."""
    for _, text in texts:
        rule = text.rule
        for found in _DEFINED.finditer(rule.text):
            if found[1] is None or replacing:
                section = "definitions" if found[2] == "def" else "windows"
                yield found[3], Declared(section, rule.span(found.start(3), found.end(3)))


def _declared_by(doc: ResolvedRuleset) -> Names:
    """Return the names that a ruleset declares."""
    names = {
        name.text: Declared(section, name.span, thing)
        for section in _SECTIONS
        for name, thing in getattr(doc, section)
    }
    names |= {name.text: Declared("parameters", name.span, thing) for name, thing in doc.parameters}
    return names | dict(_definitions(tuple((d.title, d.text) for d in doc.definitions)))


def _needs(loaded: Loaded, document: ModuleDoc) -> Names:
    """Return the names that a module needs."""
    if document.needs is None:
        return {}
    names = {
        name.text: Declared(section, name.span, thing)
        for section in _SECTIONS
        for name, thing in getattr(document.needs, section)
    }
    names |= {
        name.text: Declared("components", name.span, component) for name, component in loaded.added_components
    }
    return names | dict(_definitions(document.needs.definitions))


def _gives(document: ModuleDoc) -> Names:
    """Return the names that a module gives."""
    names = {
        name.text: Declared(section, name.span, thing)
        for section in _SECTIONS
        for name, thing in getattr(document, section)
    }
    names |= {name.text: Declared("parameters", name.span, thing) for name, thing in document.parameters}
    return names | dict(_definitions(document.definitions))


def _parts(thing: object) -> tuple[Text, ...]:
    """The names of the attributes of a component or an enumeration, of the fields of a record."""
    groups = (getattr(thing, name, ()) for name in ("attributes", "mutable", "record"))
    return tuple(name for group in groups for name, _ in group)


def _texts(document: ModuleDoc) -> Iterator[str]:
    """The texts of what a module gives."""
    yield from (text.text for _, text in document.definitions)
    yield from (text.text for _, text in document.invariants)
    yield from (thing.span.text for section in _SECTIONS for _, thing in getattr(document, section))


def _marks(document: ModuleDoc) -> dict[str, bool]:
    """The parts that a module marks, `@winner`, so that its user may cite rules for them; each with whether
    its line has words.
    """
    found: dict[str, bool] = {}
    for _, text in document.definitions:
        for name, has_words in marks(text.text):
            found[name] = found.get(name, False) or has_words
    return found


def words_of(root: Path, name: str) -> dict[str, str]:
    """The names of the arguments of a module, each with a description; empty for an unknown module."""
    place = module_file(root, name) if IDENTIFIER_PATTERN.match(name) else None
    source = None if place is None else read_source(place)[0]
    loaded = None if place is None or source is None else load_source(source, place)
    if loaded is None or not isinstance(loaded.document, ModuleDoc):
        return {}
    needs, gives = _needs(loaded, loaded.document), _gives(loaded.document)
    words = {name: f"it needs {need.kind}" for name, need in needs.items()}
    words |= {
        part.text: "an attribute that it needs" for need in needs.values() for part in _parts(need.thing)
    }
    words |= {
        name: "the value of a parameter" if g.section == "parameters" else f"another name for {g.kind}"
        for name, g in gives.items()
    }
    words |= {
        FILE_KEY: "the name of its file, if it is called otherwise here",
        PREFIX_KEY: "what all of its names begin with",
    }
    return {**words, CITES_KEY: "which rules its parts implement", WORDS_KEY: "what its parts say here"}


# ---------------------------------------------------------------- a module by itself
def alone(loaded: Loaded, document: ModuleDoc) -> ResolvedRuleset:
    """A module as the game of its example."""
    example, needs = document.example, document.needs
    texts = (
        *(needs.definitions if needs is not None else ()),
        *document.definitions,
        *(example.definitions if example is not None else ()),
    )
    name = document.module.text if document.module is not None else loaded.place.path.stem
    return ResolvedRuleset(
        name=name,
        title=document.title.text if document.title is not None else name,
        doc=document.doc,
        path=loaded.place.path,
        root=loaded.place.root,
        variant_of=None,
        players=(example.players if example is not None else None) or Players(loaded.source.span(0, 0), (2,)),
        limits=None,
        types=((*needs.types, *document.types) if needs is not None else document.types),
        parameters=document.parameters,
        components=(*loaded.added_components, *loaded.components),
        zones=(
            *(needs.zones if needs is not None else ()),
            *document.zones,
            *(example.zones if example is not None else ()),
        ),
        boards=(*(needs.boards if needs is not None else ()), *document.boards),
        state=(
            *(needs.state if needs is not None else ()),
            *document.state,
            *(example.state if example is not None else ()),
        ),
        definitions=tuple(
            DefinitionsText(title, text, index > 0) for index, (title, text) in enumerate(texts)
        ),
        claims=(),
        phases=example.phases if example is not None else (),
        scoring=example.scoring if example is not None else None,
        invariants=document.invariants,
        policies=(),
        measures=(),
        table=None,
        rule_list={},
        settings=(),
        sources=tuple(loaded.sources),
        dropped=loaded.dropped,
        cites=document.cites,
        is_module=True,
    )


# ---------------------------------------------------------------- a module in a ruleset
def use_modules(
    doc: ResolvedRuleset, uses: tuple[ModuleUse, ...], user: Loaded, before: int = 0
) -> tuple[ResolvedRuleset, list[Diagnostic]]:
    """A ruleset with the modules that a file of it uses; `before`: how many of its definitions stand above
    theirs.
    """
    problems: list[Diagnostic] = []
    for use in uses:
        found = _open(use, user)
        problems += found[1]
        if found[0] is not None and any(d.is_error for d in found[1]):
            lost = tuple(
                Dropped(declared.section, name, declared.span)
                for name, declared in _gives(found[0][1]).items()
            )
            doc = replace(doc, incomplete=True, dropped=(*doc.dropped, *lost))
        elif found[0] is not None:
            user_of, count = ModuleUser(doc, use, *found[0]), len(doc.definitions)
            doc = user_of.joined(before)
            problems += user_of.problems
            before += len(doc.definitions) - count
        else:
            doc = replace(doc, incomplete=True, lacks_module=True)
    return doc, problems


def _open(use: ModuleUse, user: Loaded) -> tuple[tuple[Loaded, ModuleDoc] | None, list[Diagnostic]]:
    """The module that a use names, and the diagnostics of its name or its file."""
    named = next((argument for name, argument in use.arguments if name.text == FILE_KEY), None)
    if named is not None and not isinstance(named, YamlScalar):
        return None, [
            diagnose("V306", named.span, name=FILE_KEY, module=use.name.text, wanted="the name of a module")
        ]
    name, span = (use.name.text, use.name.span) if named is None else (named.text, named.span)
    place = module_file(user.place.root, name) if IDENTIFIER_PATTERN.match(name) else None
    if place is None:
        names = module_names(user.place.root)
        near = did_you_mean(name, names)
        help = (
            f"did you mean `{near}`?"
            if near is not None
            else "there are " + ", ".join(f"`{other}`" for other in names)
        )
        fix = None if near is None else Fix(span, near, f"write `{near}`", safe=False)
        return None, [diagnose("V301", span, name=name, help=help, fix=fix)]
    source, problems = read_source(place, span)
    if source is None:
        return None, problems
    loaded = load_source(source, place)
    if isinstance(loaded.document, ModuleDoc):
        return (loaded, loaded.document), loaded.diagnostics
    return None, loaded.diagnostics or [diagnose("V302", span, name=name)]


@dataclass
class ModuleUser:
    """The use of a module in a ruleset: the names that replace its own, and the diagnostics of its
    arguments.
    """

    doc: ResolvedRuleset
    use: ModuleUse
    loaded: Loaded
    document: ModuleDoc
    problems: list[Diagnostic] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.known = _declared_by(self.doc)
        self.needs, self.gives = _needs(self.loaded, self.document), _gives(self.document)
        self.parts = {part.text: part for thing in self.needs.values() for part in _parts(thing.thing)}
        self.words = set(_WORD.findall(" ".join(_texts(self.document))))
        self.names: dict[str, str] = {}
        self.marks = _marks(self.document)
        self.cited: dict[str, str] = {f"@{mark}": "" for mark in self.marks}
        self.given: dict[str, Span] = {}
        self.values: dict[str, YamlNode] = {}
        self.types: list[tuple[Text, Alias]] = []
        self.prefix = ""

    @property
    def name(self) -> str:
        return self.document.module.text if self.document.module is not None else self.loaded.place.path.stem

    def joined(self, before: int) -> ResolvedRuleset:
        """The ruleset with what the module gives; unchanged where the arguments are wrong."""
        for said, argument in self.use.arguments:
            self.argument(said, argument)
        for name, need in self.needs.items():
            self.need(name, need)
        self.name_declarations()
        if self.problems:
            lost = tuple(
                Dropped(declared.section, self.names.get(name, name), declared.span)
                for name, declared in self.gives.items()
            )
            lost += tuple(
                Dropped("", argument.text, argument.span)
                for _, argument in self.use.arguments
                if isinstance(argument, YamlScalar)
            )
            texts = tuple(replace(d, from_variant=True) for d in self.doc.definitions[before:])
            definitions = (*self.doc.definitions[:before], *texts)
            return replace(
                self.doc, incomplete=True, dropped=(*self.doc.dropped, *lost), definitions=definitions
            )
        names = {**self.names, **self.locals(), **self.cited}
        used = UsedModule(self.name, self.use.name.span, self.loaded, self.given, names)
        loaded = load_renamed(self.loaded, names)
        mine, doc = loaded.document, self.doc
        assert isinstance(mine, ModuleDoc)
        values = {self.names.get(name, name): node for name, node in self.values.items()}
        parameters = tuple(
            (n, p.model_copy(update={"default": values[n.text]}) if n.text in values else p)
            for n, p in mine.parameters
        )
        given = tuple(DefinitionsText(title, text, before > 0, names) for title, text in mine.definitions)
        return replace(
            doc,
            types=(*self.types, *mine.types, *doc.types),
            parameters=(*parameters, *doc.parameters),
            components=(*doc.components, *loaded.components),
            zones=(*doc.zones, *mine.zones),
            boards=(*doc.boards, *mine.boards),
            state=(*doc.state, *mine.state),
            definitions=(
                *doc.definitions[:before],
                *given,
                *(replace(d, from_variant=True) for d in doc.definitions[before:]),
            ),
            invariants=(*doc.invariants, *mine.invariants),
            sources=(*doc.sources, *(source for source in self.loaded.sources if source not in doc.sources)),
            own_sources=(*doc.own_sources, *(self.loaded.sources if doc.own_sources else ())),
            modules=(*doc.modules, used),
        )

    # ------------------------------------------------------------ arguments
    def argument(self, name: Text, argument: YamlNode) -> None:
        """One argument of the module."""
        if name.text == FILE_KEY:
            return
        if name.text in self.gives and self.gives[name.text].section == "parameters":
            self.values[name.text] = argument
        elif name.text in (CITES_KEY, WORDS_KEY) and name.text not in {*self.needs, *self.gives, *self.parts}:
            self.marked(name.text, argument)
        elif (
            name.text == PREFIX_KEY
            or name.text in self.needs
            or name.text in self.gives
            or name.text in self.parts
        ):
            self.use_argument(name, argument)
        else:
            self.unknown(
                name, [*self.needs, *self.parts, *self.gives, PREFIX_KEY, CITES_KEY, WORDS_KEY], "knows"
            )

    def unknown(self, name: Text, candidates: list[str], verb: str) -> None:
        """Report a name that the module does not have; `verb`: what it does with those that it has."""
        near = did_you_mean(name.text, candidates)
        fix = None if near is None else Fix(name.span, near, f"write `{near}`", safe=False)
        listed = f"it {verb} " + (", ".join(f"`{other}`" for other in dict.fromkeys(candidates)) or "none")
        help = f"did you mean `{near}`?" if near is not None else listed
        self.problems.append(
            diagnose("V303", name.span, module=self.name, name=name.text, help=help, fix=fix)
        )

    def marked(self, what: str, argument: YamlNode) -> None:
        """The arguments for marked parts of the module: the rules that they implement, or the words that they
        say.
        """
        if not isinstance(argument, YamlMapping):
            wanted = "a group: `{part: AB-1}`" if what == CITES_KEY else "a group: `{part: words}`"
            self.problems.append(diagnose("V306", argument.span, name=what, module=self.name, wanted=wanted))
            return
        known = [mark for mark, has_words in self.marks.items() if has_words or what == CITES_KEY]
        for key, value in argument.entries:
            if key.text not in known:
                self.unknown(Text(key), known, "marks" if what == CITES_KEY else "says something at")
            elif what == CITES_KEY:
                self.cited[f"@{key.text}"] = self.citations(value)
            elif (
                isinstance(value, YamlScalar)
                and isinstance(value.value, str)
                and not set(value.text) & set('"\n')
            ):
                self.cited[f'"{key.text}'] = value.text
            else:
                self.problems.append(
                    diagnose(
                        "V306",
                        value.span,
                        name=key.text,
                        module=self.name,
                        wanted="words in one line, without quotes",
                    )
                )

    def citations(self, node: YamlNode) -> str:
        """Ids of rules as they are cited in rule text."""
        findings = Findings()
        cites = [_RANGE.sub("..", cite.text) for cite in findings.attempt(read_cites, node) or ()]
        for cite in cites:
            first, _, last = cite.partition("..")
            ends = (first, first[: first.index("-") + 1] + last) if last else (first,)
            self.problems += [
                diagnose("N008", node.span, name=end)
                for end in ends
                if self.doc.rule_list and end not in self.doc.rule_list
            ]
        self.problems += findings.diagnostics
        return " ".join(f"@{cite}" for cite in cites)

    def use_argument(self, name: Text, argument: YamlNode) -> None:
        """An argument that is a name for one of the module's, or a type."""
        need = self.needs.get(name.text)
        if (
            isinstance(argument, YamlScalar)
            and isinstance(argument.value, str)
            and IDENTIFIER_PATTERN.match(argument.text)
        ):
            if name.text == PREFIX_KEY:
                self.prefix = argument.text
                return
            self.names[name.text] = self.take_name(name.text, argument)
        elif (
            isinstance(argument, YamlScalar)
            and need is not None
            and need.section == "types"
            and argument.value is not None
        ):
            self.types.append((name, _alias(argument)))
            self.given[name.text] = argument.span
            if name.text in self.known:
                self.conflict(name.text, self.known[name.text], need, name.span)
        else:
            self.problems.append(
                diagnose("V306", argument.span, name=name.text, module=self.name, wanted="a name")
            )

    def take_name(self, name: str, argument: YamlScalar) -> str:
        """Record the name of an argument, and return it."""
        if name in self.parts:
            self.names[f".{name}"] = argument.text
        self.given[argument.text] = argument.span
        return argument.text

    # ------------------------------------------------------------ what it needs
    def _help_for_need(self, name: str, others: Sequence[str]) -> str:
        """Return the help for a need `name` of a module, with the names of what the ruleset declares of that
        kind.
        """
        if not others:
            return "declare it in your ruleset"
        help = (
            f"if it has another name in your ruleset, say which under `{self.use.name.text}`: `{name}: "
            f"{others[0]}`"
        )
        more = others[1:MOST_LISTED]
        if more:
            help += " (there is also " + ", ".join(f"`{other}`" for other in more) + ")"
        return f"{help}; if not, declare it"

    def need(self, name: str, need: Declared) -> None:
        """Check whether the ruleset has something that the module needs."""
        new = self.names.get(name, name)
        here = self.given.get(new, self.use.name.span)
        if any(problem.span == here for problem in self.problems) or any(
            text.text == name for text, _ in self.types
        ):
            return
        there = self.known.get(new)
        label = Label(need.span, f"`{self.name}` needs it")
        if there is None:
            if (
                new in {dropped.name for dropped in self.doc.dropped}
                or need.section == "types"
                and name in self.names
            ):
                return  # a type of the language, or one whose declaration is wrong
            others = [other for other, thing in self.known.items() if thing.section == need.section]
            near = did_you_mean(new, others)
            help = self._help_for_need(name, others)
            fix = None
            if near is not None and name in self.names:
                help, fix = f"did you mean `{near}`?", Fix(here, near, f"write `{near}`", safe=False)
            elif near is not None:
                help = f"did you mean `{near}`? Say so under `{self.use.name.text}`: `{name}: {near}`"
            self.problems.append(
                diagnose(
                    "V304",
                    here,
                    module=self.name,
                    kind=need.kind,
                    name=new,
                    help=help,
                    labels=(label,),
                    fix=fix,
                )
            )
        elif there.section != need.section and not (
            need.section == "types" and there.section in ("components", "parameters", "boards")
        ):
            labels = (Label(there.span, "declared here"), label)
            self.problems.append(
                diagnose(
                    "V305",
                    here,
                    name=new,
                    found=there.kind,
                    wanted=need.kind,
                    module=self.name,
                    labels=labels,
                )
            )
        else:
            self.shape(new, need, there, here)

    def shape(self, name: str, need: Declared, there: Declared, here: Span) -> None:
        """Check whether a declaration of the ruleset has the shape that the module needs."""
        there_are = {part.text for part in _parts(there.thing)}
        missing = [
            part
            for part in _parts(need.thing)
            if part.text in self.words and self.names.get(part.text, part.text) not in there_are
        ]
        if (
            isinstance(need.thing, Component | RecordType)
            and missing
            and isinstance(there.thing, Component | RecordType)
        ):
            part = missing[0]
            has = ", ".join(f"`{other.text}`" for other in _parts(there.thing)) or "none"
            help = (
                f"`{name}` has {has}; say which one is meant, as in `{part.text}: "
                f"{next((other.text for other in _parts(there.thing)), 'name')}`"
            )
            labels = (Label(there.span, "declared here"), Label(part.span, "needed here"))
            wanted = f"an attribute `{self.names.get(part.text, part.text)}`"
            self.problems.append(
                diagnose("V307", here, name=name, module=self.name, wanted=wanted, help=help, labels=labels)
            )
        if (
            isinstance(need.thing, Zone)
            and isinstance(there.thing, Zone)
            and (need.thing.per is None) != (there.thing.per is None)
        ):
            wanted = "a single zone" if need.thing.per is None else f"one zone per {need.thing.per.text}"
            labels = (Label(there.span, "declared here"), Label(need.span, "needed here"))
            self.problems.append(
                diagnose("V307", here, name=name, module=self.name, wanted=wanted, labels=labels)
            )

    # ------------------------------------------------------------ what it gives
    def name_declarations(self) -> None:
        """Set the names of what the module declares, and check whether the ruleset has declarations of these
        names.
        """
        for name, declared in self.gives.items():
            new = self.names.setdefault(name, self.prefix + name)
            if new in self.known:
                self.conflict(new, self.known[new], declared, self.given.get(new, self.use.name.span))

    def conflict(self, name: str, there: Declared, mine: Declared, here: Span) -> None:
        """Report a name that both the ruleset and the module declare."""
        other = f"`{mine.span.text}: {self.name}_{name}`"
        help = (
            f"give it another name under `{self.use.name.text}`: {other}, or begin all of its names "
            f"alike: `prefix: {self.name}_`"
        )
        help = (
            f"write `replace def` to put another one in its place, or {help}"
            if mine.section == there.section == "definitions"
            else help
        )
        labels = (
            Label(there.span, f"{there.kind} of the ruleset"),
            Label(mine.span, f"{mine.kind} of the module"),
        )
        self.problems.append(diagnose("V308", here, name=name, module=self.name, help=help, labels=labels))

    def locals(self) -> dict[str, str]:
        """New names for locals of the module whose names the ruleset uses."""
        texts = " ".join(text.text for _, text in self.document.definitions)
        local = {name for found in _LOCAL.finditer(texts) for name in found.groups()}
        taken = {*self.known, *self.names.values()} - {*self.names, *self.needs}
        return {name: f"{name}_of_{self.name}" for name in sorted(local & taken)}


def _alias(node: YamlScalar) -> Alias:
    """A type that is written out."""
    made = Alias.model_construct(type=Text(node))
    made._node = node
    return made
