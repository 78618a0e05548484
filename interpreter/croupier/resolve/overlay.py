"""One section of a variant laid over the same section of its base: entries removed, replaced and added by name.

What is not there cannot be replaced or removed, and what is there cannot be added: each is reported in its own words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from croupier.diagnostics import Diagnostic, Fix, Label, Span, diagnose, did_you_mean
from croupier.resolve.changes import Change, Kind
from croupier.resolve.kept import check_kept, inner_names
from croupier.schema import Players, Text

T = TypeVar("T")
S = TypeVar("S", Players, Text | None)
Named = tuple[tuple[Text, T], ...]


@dataclass
class Overlay:
    """The changes of one variant, and what is wrong with them. `lost` holds names whose declarations could not be read."""

    lost: set[tuple[str, str]]
    changes: list[Change] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)

    def section(self, section: str, old: Named[T], new: Named[T], added: Named[T] = (), removed: Iterable[Text] | None = ()) -> Named[T]:
        """The entries of a section after a variant's changes, in the base's order, what is added at the end."""
        kept = self.without(section, old, removed)
        known = {name.text: (name, thing) for name, thing in kept}
        mine = {}
        for name, thing in new:
            if name.text not in known:
                self.missing(section, name, known)
                continue
            problem = check_kept(name, thing, known[name.text][1])
            if problem is not None:
                self.problems.append(problem)
                continue
            gone = tuple(sorted(inner_names(known[name.text][1]) - inner_names(thing)))
            self.changes.append(Change("replaces", section, name.text, name.span, known[name.text][0].span, gone=gone))
            mine[name.text] = (name, thing)
        fresh = [(name, thing) for name, thing in added if self.is_new(section, name, {n.text: n.span for n, _ in kept})]
        return (*(mine.get(name.text, (name, thing)) for name, thing in kept), *fresh)

    def without(self, section: str, old: Named[T], removed: Iterable[Text] | None) -> Named[T]:
        """The entries of a section without those that are removed."""
        known = {name.text: name.span for name, _ in old}
        gone = set()
        for name in removed or ():
            if name.text not in known:
                self.missing(section, name, known, "removes")
            else:
                self.note("removes", section, name, known[name.text])
                gone.add(name.text)
        return tuple((name, thing) for name, thing in old if name.text not in gone)

    def is_new(self, section: str, name: Text, known: dict[str, Span], of: Text | None = None) -> bool:
        """Whether a name can be added; a name that is there is reported."""
        if name.text in known:
            where = _where(section, of)
            help = f"to replace it, write it under `{section}:` of the file, not under `add:`"
            label = Label(known[name.text], "it stands here")
            self.problems.append(diagnose("V105", name.span, name=name.text, section=where, help=help, labels=(label,)))
            return False
        self.note("adds", section, of or name, None, name if of is not None else None)
        return True

    def missing(self, section: str, name: Text, known: Iterable[str], kind: Kind = "replaces", of: Text | None = None) -> None:
        """Report a name that should be there and is not, unless its declaration could not be read."""
        if (section, name.text) in self.lost:
            return
        names = sorted(known)
        nearest = did_you_mean(name.text, names)
        fix = None if nearest is None else Fix(name.span, nearest, f"write `{nearest}`", safe=False)
        listed = ", ".join(f"`{other}`" for other in names)
        help = f"did you mean `{nearest}`?" if nearest is not None else f"there are {listed}" if names else "the ruleset has none"
        if kind == "replaces":
            help += f"; to add something, write it under `add: {{{section}: …}}`" if nearest is None else ""
        self.problems.append(diagnose("V104", name.span, name=name.text, section=_where(section, of), help=help, fix=fix))

    def note(self, kind: Kind, section: str, name: Text, base: Span | None, part: Text | None = None) -> None:
        """Remember a change."""
        self.changes.append(Change(kind, section, name.text, (part or name).span, base, None if part is None else part.text))

    def whole(self, section: str, old: S, new: S | None) -> S:
        """A section that is replaced as a whole, if the variant has one."""
        if new is None:
            return old
        base = None if old is None else old.span
        self.changes.append(Change("adds" if base is None else "replaces", section, section, new.span, base))
        return new


def _where(section: str, of: Text | None) -> str:
    return f"`{section}`" if of is None else f"`{section}: {of.text}`"
