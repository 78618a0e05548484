"""A section of a variant laid over that of its base: declarations are replaced, added and removed.

What does not exist cannot be replaced or removed, and what exists cannot be added: each has a diagnostic of
its own. A replacement keeps the type of what it replaces (`compatibility.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import TypeVar

from croupier.diagnostics import Diagnostic, Fix, Label, Span, diagnose, did_you_mean
from croupier.records import dataclass
from croupier.resolve.compatibility import check_compatible, declared_names
from croupier.resolve.resolved import Change, Kind
from croupier.schema import (
    Dropped,
    Players,
    Text,
)

T = TypeVar("T")
S = TypeVar("S", Players, Text | None)
Named = tuple[tuple[Text, T], ...]


@dataclass
class Overlay:
    """The changes of one variant, and what is wrong.

    `lost`: names whose declarations could not be read; `unread`: those that a variant would replace;
    `refused`: those that replace nothing.
    """

    lost: set[tuple[str, str]]
    unread: tuple[Dropped, ...] = ()
    changes: list[Change] = field(default_factory=list)
    refused: list[Dropped] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)

    def section(
        self,
        section: str,
        old: Named[T],
        new: Named[T],
        added: Named[T] = (),
        removed: Iterable[Text] | None = (),
    ) -> Named[T]:
        """The entries of a section after a variant's changes, in the base's order, what is added at the
        end.
        """
        kept = self.without(section, old, removed)
        known = {name.text: (name, thing) for name, thing in kept}
        self.misspelt(section, [name.text for name, _ in old])
        mine = {}
        for name, thing in new:
            if name.text not in known:
                self.missing(section, name, known)
                continue
            problem = check_compatible(name, thing, known[name.text][1])
            if problem is not None:
                self.problems.append(problem)
                continue
            gone = tuple(sorted(declared_names(known[name.text][1]) - declared_names(thing)))
            self.changes.append(
                Change("replaces", section, name.text, name.span, known[name.text][0].span, gone=gone)
            )
            mine[name.text] = (name, thing)
        fresh = [
            (name, thing)
            for name, thing in added
            if self.is_new(section, name, {n.text: n.span for n, _ in kept})
        ]
        return (*(mine.get(name.text, (name, thing)) for name, thing in kept), *fresh)

    def without(self, section: str, old: Named[T], removed: Iterable[Text] | None) -> Named[T]:
        """The entries of a section without those that are removed."""
        gone = self.removed(section, {name.text: name.span for name, _ in old}, removed or ())
        return tuple((name, thing) for name, thing in old if name.text not in gone)

    def removed(
        self, section: str, known: Mapping[str, Span], names: Iterable[Text], of: Text | None = None
    ) -> set[str]:
        """The names among some that are there to be removed; the others are reported."""
        gone = set()
        for name in names:
            if name.text not in known:
                self.missing(section, name, known, "removes", of)
            else:
                self.note("removes", section, of or name, known[name.text], None if of is None else name)
                gone.add(name.text)
        return gone

    def is_new(self, section: str, name: Text, known: dict[str, Span], of: Text | None = None) -> bool:
        """Tell whether a name can be added; a name that is there is reported."""
        if name.text in known:
            where = describe_section(section, of)
            help = f"to replace it, write it under `{section}:` of the file, not under `add:`"
            label = Label(known[name.text], "it stands here")
            self.problems.append(
                diagnose("V105", name.span, name=name.text, section=where, help=help, labels=(label,))
            )
            return False
        self.note("adds", section, of or name, None, name if of is not None else None)
        return True

    def misspelt(self, section: str, known: Sequence[str]) -> None:
        """Report declarations that could not be read if their names are nearly those of the base: with the
        right name they may lack nothing else.
        """
        for drop in self.unread:
            nearest = (
                did_you_mean(drop.name, known) if drop.section == section and drop.name not in known else None
            )
            if nearest is not None:
                fix = Fix(drop.span, nearest, f"write `{nearest}`", safe=False)
                help = f"did you mean `{nearest}`?"
                self.problems.append(
                    diagnose(
                        "V104",
                        drop.span,
                        name=drop.name,
                        section=describe_section(section, None),
                        help=help,
                        fix=fix,
                    )
                )

    def missing(
        self, section: str, name: Text, known: Iterable[str], kind: Kind = "replaces", of: Text | None = None
    ) -> None:
        """Report a name that should be there and is not, unless its declaration could not be read."""
        if (section, name.text) in self.lost:
            return
        names = sorted(known)
        nearest = did_you_mean(name.text, names)
        fix = None if nearest is None else Fix(name.span, nearest, f"write `{nearest}`", safe=False)
        listed = ", ".join(f"`{other}`" for other in names)
        if nearest is not None:
            help = f"did you mean `{nearest}`?"
        else:
            help = f"there are {listed}" if names else "the ruleset has none"
            if kind == "replaces":
                help += f"; to add something, write it under `add: {{{section}: …}}`"
        self.problems.append(
            diagnose(
                "V104", name.span, name=name.text, section=describe_section(section, of), help=help, fix=fix
            )
        )
        if kind == "replaces" and of is None:
            self.refused.append(Dropped(section, name.text, name.span))

    def note(self, kind: Kind, section: str, name: Text, base: Span | None, part: Text | None = None) -> None:
        """Remember a change."""
        self.changes.append(
            Change(kind, section, name.text, (part or name).span, base, None if part is None else part.text)
        )

    def note_part(
        self, kind: Kind, section: str, name: str, span: Span, base: Span | None, part: str
    ) -> None:
        """Remember a change of a part of a definition or a phase."""
        self.changes.append(Change(kind, section, name, span, base, part))

    def whole(self, section: str, old: S, new: S | None) -> S:
        """The variant's section if it has one, else the base's."""
        if new is None:
            return old
        base = None if old is None else old.span
        self.changes.append(Change("adds" if base is None else "replaces", section, section, new.span, base))
        return new


def describe_section(section: str, of: Text | None) -> str:
    """Return a section in words, with the declaration `of` whose parts it is about."""
    return f"`{section}`" if of is None else f"`{section}: {of.text}`"
