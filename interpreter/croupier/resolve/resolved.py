"""A resolved ruleset: one with the parts of all of its files, and the changes of its variants.

Later stages read only this.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Literal

from croupier.diagnostics import Diagnostic, Source, Span
from croupier.records import dataclass
from croupier.resolve.documents import Loaded, RuleEntry
from croupier.schema import (
    Alias,
    Board,
    Claim,
    Component,
    Dropped,
    Enumeration,
    Limits,
    Parameter,
    Phase,
    Players,
    RecordType,
    StateVariable,
    TableLook,
    Text,
    VariantDoc,
    Zone,
)
from croupier.source import RuleText, YamlNode

Kind = Literal["sets", "replaces", "adds", "removes"]


@dataclass(frozen=True)
class Change:
    """One thing that a variant sets, replaces, adds or removes.

    `section` and `name` as in the file (`zones`, `deck`); `part` is the id of a row, a value or a component;
    `span` is the span in the variant, `base` the span in what it extends (`None` if it was not there); `gone`
    are names that only what it replaces has.
    """

    kind: Kind
    section: str
    name: str
    span: Span
    base: Span | None = None
    part: str | None = None
    gone: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which a diagnostic may mention it."""
        return (self.name, *self.gone) if self.part is None else (self.part, self.name)


@dataclass(frozen=True)
class DefinitionsText:
    """A section of definitions.

    `title` is `None` where the definitions have no sections; `names` are the replaced names of its file.
    """

    title: Text | None
    text: Text
    from_variant: bool = False
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def rule(self) -> RuleText:
        """The text for the parser of the rule language."""
        return self.text.rule

    @property
    def span(self) -> Span:
        """The place of the text."""
        return self.text.span


@dataclass(frozen=True, eq=False)
class Layer:
    """One variant merged with what it extends: its file, its changes, their diagnostics, and the layers below
    it.
    """

    loaded: Loaded
    document: VariantDoc
    changes: tuple[Change, ...]
    problems: tuple[Diagnostic, ...]
    below: frozenset[str]

    @property
    def key(self) -> str:
        """The real path of the file, which identifies it."""
        return os.path.realpath(self.loaded.place.path)

    @property
    def name(self) -> str:
        """Return the name of the variant."""
        return self.loaded.place.path.stem


@dataclass(frozen=True, eq=False)
class UsedModule:
    """A module in a ruleset: its name, the span that names it, its file, the spans of its arguments by name,
    and all replaced names.
    """

    name: str
    span: Span
    loaded: Loaded
    given: Mapping[str, Span]
    names: Mapping[str, str]


@dataclass(frozen=True)
class ResolvedRuleset:
    """A whole ruleset.  Groups of named things are tuples of (name, thing) in the order of the file.

    `name`: the shipped name or the file's own; `root`: the folder that everything it names lies in;
    `variant_of`: the name of the ruleset that it is a variant of; `settings`: what the variant sets, already
    the defaults in `parameters`; `sources`: every text that was read, the file itself first; `dropped`:
    declarations that had errors and are not here, so that their names are not unknown; `cites`: the rules
    that the ruleset as a whole implements.  Of a variant, `base` is what it extends, `extends` the place that
    says so, `changes` what it changes there, `own_sources` its own texts, and `layers` the variants that it
    is made of, the lowest first. Of variants that are combined, `parts` are these, and `base` is the ruleset
    that all of them are variants of. `incomplete`: something in these texts was refused and is not here.
    `removed_rules` are the ids of the sentences that its variants remove from the rule list: what cites them
    stays. `lacks_module`: a module could not be read, so that any unknown name may be one of its. `modules`
    are those whose declarations are here; `is_module` tells that this is one, with its example around it.
    """

    name: str
    title: str
    doc: Text | None
    path: Path
    root: Path
    variant_of: str | None
    players: Players
    limits: Limits | None
    types: tuple[tuple[Text, Enumeration | RecordType | Alias], ...]
    parameters: tuple[tuple[Text, Parameter], ...]
    components: tuple[tuple[Text, Component], ...]
    zones: tuple[tuple[Text, Zone], ...]
    boards: tuple[tuple[Text, Board], ...]
    state: tuple[tuple[Text, StateVariable], ...]
    definitions: tuple[DefinitionsText, ...]
    claims: tuple[tuple[Text, Claim], ...]
    phases: tuple[tuple[Text, Phase], ...]
    scoring: Text | None
    invariants: tuple[tuple[Text, Text], ...]
    policies: tuple[tuple[Text, tuple[tuple[Text, Text], ...]], ...]
    measures: tuple[tuple[Text, Text], ...]
    table: TableLook | None
    rule_list: Mapping[str, RuleEntry]
    settings: tuple[tuple[Text, YamlNode], ...]
    sources: tuple[Source, ...]
    dropped: tuple[Dropped, ...] = ()
    cites: tuple[Text, ...] = ()
    base: ResolvedRuleset | None = None
    extends: Span | None = None
    changes: tuple[Change, ...] = ()
    own_sources: tuple[Source, ...] = ()
    incomplete: bool = False
    removed_rules: frozenset[str] = frozenset()
    lacks_module: bool = False
    layers: tuple[Layer, ...] = ()
    parts: tuple[ResolvedRuleset, ...] = ()
    modules: tuple[UsedModule, ...] = ()
    is_module: bool = False

    @property
    def origin(self) -> ResolvedRuleset:
        """The ruleset at the end of the chain: what all of this is a variant of, or itself."""
        return self if self.base is None else self.base.origin
