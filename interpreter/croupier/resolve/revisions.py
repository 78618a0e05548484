"""The changes of a variant within a definition, a hook or a phase of its base, and the definitions that it
removes.

In a variant's `definitions`, `in def f:`, `in phase "title":` or `in "words before the colon":` says where,
and the lines below it say what:

    without @WB-14              leaves out the step that cites the rule
    instead of "choose n": …    puts something in the place of a step
    before …:, after …:         puts something beside a step
    case gold: …                adds a case to the only `match`
    replace case red: …         gives a value another body
    without case red            removes a value
    in match expression:        says which `match`, where there are several

A step is a statement, an option or a condition of a choice. It is named by a rule that it cites, or by words:
those of the option or condition, or those with which the statement begins. A citation names what begins on
its line. Such a line may also stand alone, without `in …:`; then it is looked for in all definitions and
phases. What is named must be there (`V117`) once (`V118`). All changes of a file are read against the base as
it was before; they must not lie in one another (`V120`). Several variants go together where they change
different steps (`V109`).

The parser's tree says where each step begins and ends; there the text is cut, and the pieces of the variant
are put in (`source/splicing.py`). Whoever reads the ruleset afterwards reads the text that is played, each
piece with spans in the file that it stands in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import Protocol

from croupier.diagnostics import Diagnostic, Fix, Label, Span, diagnose, did_you_mean
from croupier.records import dataclass
from croupier.resolve.resolved import DefinitionsText, Kind
from croupier.schema import Phase, Text
from croupier.source import RuleText
from croupier.source.splicing import Edit, Piece, splice, spliced
from croupier.syntax import parse_block, parse_module
from croupier.syntax.steps import (
    LISTENERS,
    CaseValues,
    MatchPart,
    Named,
    Part,
    RevisionPart,
    Step,
    StepChange,
    begins_revisions,
    normal,
    part_of_block,
    parts_of_module,
    revisions_of,
)

SHOWN_PLACES = 6
SHOWN_NAMES = 12
Phases = tuple[tuple[Text, Phase], ...]
Sections = tuple[DefinitionsText, ...]
Where = tuple[str, object]  # the section of a text, and its number or its path


class Changes(Protocol):
    """The recorder of what a variant changes, and of its diagnostics."""

    problems: list[Diagnostic]

    def note(
        self, kind: Kind, section: str, name: Text, base: Span | None, part: Text | None = None
    ) -> None: ...

    def note_part(
        self, kind: Kind, section: str, name: str, span: Span, base: Span | None, part: str
    ) -> None: ...


# ---------------------------------------------------------------- what stands in the base
@dataclass(frozen=True)
class _Standing:
    """A part that holds: where it stands, last of all those that were replaced by it."""

    called: str  # in words
    key: str  # what two variants must not both change
    section: str
    places: tuple[tuple[Where, RuleText, Part], ...]

    @property
    def where(self) -> Where:
        return self.places[-1][0]

    @property
    def text(self) -> RuleText:
        return self.places[-1][1]

    @property
    def part(self) -> Part:
        return self.places[-1][2]

    @property
    def head(self) -> Span:
        """Its first line."""
        line = self.text.text.find("\n", self.part.start)
        return self.text.span(self.part.start, self.part.end if line < 0 else min(line, self.part.end))

    def step_span(self, step: Step) -> Span:
        line = self.text.text.find("\n", step.start, step.end)
        return self.text.span(step.start, step.end if line < 0 else line)


def _definitions(sections: Sections) -> list[_Standing]:
    """The definitions, hooks and watchers that hold, each with what it has replaced."""
    found: list[list[tuple[Where, RuleText, Part]]] = []
    for number, section in enumerate(sections):
        for part in parts_of_module(section.rule) or ():
            place = (("definitions", number), section.rule, part)
            old = _replaced(found, part)
            if old is None:
                found.append([place])
            else:
                old.append(place)
    events = [places[-1][2].event or places[-1][2].kind for places in found]
    return [_standing(places, events) for places in found]


def _standing(places: Sequence[tuple[Where, RuleText, Part]], events: Sequence[str]) -> _Standing:
    part = places[-1][2]
    if part.name:
        return _Standing(f"definition `{part.name}`", part.name, "definitions", tuple(places))
    event = part.event or part.kind
    key = event if events.count(event) == 1 and part.kind in LISTENERS else part.words
    return _Standing(f"`{part.words}`", key, "definitions", tuple(places))


def _replaced(
    found: Sequence[list[tuple[Where, RuleText, Part]]], part: Part
) -> list[tuple[Where, RuleText, Part]] | None:
    """The places of what a part replaces."""
    if part.name:
        return next((places for places in found if places[-1][2].name == part.name), None)
    if not part.replaces:
        return None
    same = [
        places for places in found if (places[-1][2].kind, places[-1][2].event) == (part.kind, part.event)
    ]
    exact = [places for places in same if places[-1][2].words == part.words]
    return next(iter(exact or same), None)


def _phases(phases: Phases, path: tuple[int, ...] = ()) -> Iterator[_Standing]:
    for number, (name, phase) in enumerate(phases):
        part = None if phase.text is None else part_of_block(phase.text.rule)
        if phase.text is not None and part is not None:
            place = (("phases", (*path, number)), phase.text.rule, part)
            yield _Standing(f"phase `{name.text}`", name.text, "phases", (place,))
        yield from _phases(phase.phases, (*path, number))


# ---------------------------------------------------------------- removing definitions
def _named(standing: Sequence[_Standing], words: str) -> list[_Standing]:
    """The definitions of that name, or hooks and watchers with these words before their colon, or at their
    beginning.
    """
    exact = [each for each in standing if any(words in (part.name, part.words) for _, _, part in each.places)]
    beginnings = (f"{words} if ", f"{words}(") if " " in words else (f"{words} if ",)
    return exact or [
        each for each in standing if any(part.words.startswith(beginnings) for _, _, part in each.places)
    ]


def _names(standing: Sequence[_Standing]) -> list[str]:
    return [each.part.name or each.part.words for each in standing]


def _whole_lines(text: str, part: Part) -> Edit:
    """The edit that takes out a definition with its lines and the comments right above it."""
    start = text.rfind("\n", 0, part.start) + 1
    while start > 0:
        above = text.rfind("\n", 0, start - 1) + 1
        if not text[above:start].lstrip().startswith("#"):
            break
        start = above
    return Edit(start, _next_line(text, part.end))


def _next_line(text: str, at: int) -> int:
    """Return the offset of the line after that of an offset; the end of the text if it is the last one."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


# ---------------------------------------------------------------- one change of a step
@dataclass(frozen=True)
class _Planned:
    """An edit of a text of the base, and the change of the variant that asks for it."""

    edit: Edit
    change: StepChange
    standing: _Standing


def _indentation(text: str, at: int) -> str:
    """Return the indentation of the line of an offset."""
    start = text.rfind("\n", 0, at) + 1
    return text[start : start + len(text[start:]) - len(text[start:].lstrip(" \t"))]


def _is_inline(text: str, start: int) -> bool:
    """Tell whether something else stands before it on its line."""
    return bool(text[text.rfind("\n", 0, start) + 1 : start].strip())


def _copied(
    written: RuleText, lines: tuple[int, int], indent: str, *, first: bool = True
) -> tuple[Piece, ...]:
    """Lines of a variant with another indentation, without the last line end; `first`: the first line is
    indented, too.
    """
    text, (at, last) = written.text, lines
    column = at - (text.rfind("\n", 0, at) + 1)
    end = _line_end(text, last)
    pieces: list[Piece] = []
    while True:
        stop = min(_line_end(text, at), end)
        if text[at:stop].strip():
            if first or pieces:
                pieces.append(Piece(indent, written, at, is_copy=False))
            pieces.append(Piece(text[at:stop], written, at))
        if stop >= end:
            return tuple(pieces)
        pieces.append(Piece("\n", written, stop, is_copy=False))
        line = stop + 1
        blanks = len(text[line:]) - len(text[line:].lstrip(" \t"))
        at = line + min(column, blanks)


def _edit(kind: str, base: RuleText, step: Step, written: RuleText, change: StepChange) -> Edit:
    """The edit of a text of the base that leaves out a step, or puts the lines of a change in its place or
    beside it.
    """
    text, end = base.text, _line_end(base.text, step.end)
    begin = text.rfind("\n", 0, step.start) + 1
    indent, inline = _indentation(text, step.start), _is_inline(text, step.start)

    def sign(characters: str) -> Piece:
        return Piece(characters, written, change.at, is_copy=False)

    if kind == "without":
        return (
            Edit(step.start, end, (sign("pass"),))
            if inline or step.is_alone
            else Edit(begin, _next_line(text, step.end))
        )
    assert change.lines is not None
    deeper = f"{indent}    " if inline else indent
    lines = _copied(written, change.lines, deeper)
    if kind == "instead of":
        return Edit(
            step.start,
            end,
            (sign("\n"), *lines) if inline else _copied(written, change.lines, indent, first=False),
        )
    if kind == "before" and inline:
        own = Piece(text[step.start : end], base, step.start)
        return Edit(step.start, end, (sign("\n"), *lines, sign(f"\n{deeper}"), own))
    if kind == "before":
        return Edit(begin, begin, (*lines, sign("\n")))
    if inline:
        own = Piece(text[step.start : end], base, step.start)
        return Edit(step.start, end, (sign(f"\n{deeper}"), own, sign("\n"), *lines))
    return Edit(end, end, (sign("\n"), *lines))


# ---------------------------------------------------------------- all changes of a file
@dataclass
class Revisions:
    """The changes of one variant to parts of its base: first they are found and planned, then made."""

    over: Changes
    sections: Sections
    phases: Phases
    planned: dict[Where, list[_Planned]] = field(default_factory=dict)
    _known: list[_Standing] | None = None
    _told: list[_Standing] | None = None

    @property
    def definitions(self) -> list[_Standing]:
        if self._known is None:
            self._known = _definitions(self.sections)
        return self._known

    @property
    def texts(self) -> list[_Standing]:
        """The phases with a rule text."""
        if self._told is None:
            self._told = list(_phases(self.phases))
        return self._told

    # ------------------------------------------------------------ definitions that go
    def remove(self, names: Iterable[Text]) -> None:
        """Take out definitions, hooks and watchers, with all that replaced them."""
        gone: dict[int, list[Edit]] = {}
        for name in names:
            found = _named(self.definitions, normal(name.text))
            if not found:
                self.unknown_name(name.span, normal(name.text), _names(self.definitions), "definitions")
            elif len(found) > 1:
                self.report_several(
                    name.span, f"begin with `{name.text}`", [(each.head, "one of them") for each in found]
                )
            else:
                key = Text(replace(name.node, text=found[0].key))
                self.over.note("removes", "definitions", key, found[0].head)
                for (_, number), text, part in found[0].places:
                    assert isinstance(number, int)
                    gone.setdefault(number, []).append(_whole_lines(text.text, part))
        if gone:
            self.sections = tuple(
                _spliced_section(each, gone[i]) if i in gone else each for i, each in enumerate(self.sections)
            )
            self._known = None

    # ------------------------------------------------------------ steps that change
    def revise(self, written: Iterable[Text]) -> None:
        """Make the changes of some texts of the variant."""
        for text in written:
            for revision in revisions_of(text.rule):
                where = self.places(revision)
                for change in revision.changes if where else ():
                    self.plan(text.rule, revision, change, where)
        self.make()

    def places(self, revision: RevisionPart) -> list[_Standing]:
        """Return the places that a revision applies to; what is not there is reported."""
        if not revision.place:
            return [*self.definitions, *self.texts]
        name = revision.name
        match revision.place:
            case "def":
                section = "definitions"
                known = [each for each in self.definitions if each.part.name]
                found = _named(self.definitions, name)
            case "phase":
                section = "phases"
                known = self.texts
                found = [each for each in self.texts if each.key == name]
            case _:
                section, known, found = "definitions", self.definitions, _named(self.definitions, name)
        if len(found) > 1:
            self.report_several(
                revision.name_span, f"begin with `{name}`", [(each.head, "one of them") for each in found]
            )
        if not found:
            names = [each.key for each in known] if section == "phases" else _names(known)
            titled = next(
                (each for each in self.sections if each.title is not None and each.title.text == name), None
            )
            if titled is not None:
                help = f"`{name}` is a title of definitions: say which, `in def f:`, or leave out where"
                labels = (Label(titled.title.span, "it stands here"),) if titled.title is not None else ()
                self.over.problems.append(
                    diagnose(
                        "V104",
                        revision.name_span,
                        name=name,
                        section=f"`{section}`",
                        help=help,
                        labels=labels,
                    )
                )
                return []
            self.unknown_name(revision.name_span, name, names, section)
        return found if len(found) == 1 else []

    def plan(
        self, written: RuleText, revision: RevisionPart, change: StepChange, where: Sequence[_Standing]
    ) -> None:
        """Find what a change is about, and plan its edits."""
        if isinstance(change.step, CaseValues):
            self.plan_case(written, change, where[0], change.step)
            return
        if change.step.words is None and not change.step.cites:
            self.over.problems.append(diagnose("V119", change.span, word=change.kind))
            return
        found = [(each, step) for each in where for step in _steps_named(each, change.step)]
        if len(found) == 1:
            standing, step = found[0]
            self.note(change, standing, step.words, standing.text.span(step.start, step.end))
            self.add(_Planned(_edit(change.kind, standing.text, step, written, change), change, standing))
        elif found:
            labels = [(each.step_span(step), f"in {each.called}") for each, step in found]
            self.report_several(change.step.span, _what(change.step, many=True), labels)
        else:
            self.report_unknown(revision, change.step, where)

    def report_unknown(self, revision: RevisionPart, named: Named, where: Sequence[_Standing]) -> None:
        """Report a step that is not there: with the nearest one, or the place where it is."""
        called = where[0].called if revision.place else "the ruleset"
        elsewhere = [
            each
            for each in (*self.definitions, *self.texts)
            if each not in where and _steps_named(each, named)
        ]
        heads = [each for each in where if named.words is None and set(named.cites) <= set(each.part.cites)]
        help = None
        if elsewhere:
            help = f"it stands in {elsewhere[0].called}"
        elif heads:
            help = (
                f"{heads[0].called} as a whole cites it: `remove: definitions:` takes it out, `replace` "
                f"puts another in its place"
            )
        steps = [step for each in where for step in each.part.steps]
        known = (
            [step.words for step in steps]
            if named.words is not None
            else [f"@{cite}" for step in steps for cite in step.cites]
        )
        what = _what(named, many=False)
        if help is not None:
            self.over.problems.append(diagnose("V117", named.span, place=called, what=what, help=help))
        else:
            self.unknown_step(named.span, named.words or f"@{named.cites[0]}", known, called, what)

    def plan_case(
        self, written: RuleText, change: StepChange, standing: _Standing, named: CaseValues
    ) -> None:
        """Plan the edits for a case that is added, replaced or removed."""
        match = self.match(change, standing)
        if match is None:
            return
        known = {value: step for step, values in match.cases for value, _, _ in values}
        for words, span in named.values:
            if change.kind == "case" and words in known:
                labels = (Label(standing.step_span(known[words]), "it stands here"),)
                help = "to replace it, write `replace case`"
                self.over.problems.append(
                    diagnose(
                        "V105", span, name=f"case {words}", section=standing.called, labels=labels, help=help
                    )
                )
                return
            if change.kind != "case" and words not in known:
                self.unknown_step(
                    span, words, list(known), f"`match {match.words}`", f"is a case for `{words}`"
                )
                return
        last = match.cases[-1][0]
        if change.kind == "case":
            start = standing.text.span(match.start, match.start)
            self.note(change, standing, change.span.text, start, kind="adds")
            self.add(_Planned(_edit("after", standing.text, last, written, change), change, standing))
            return
        gone = {words for words, _ in named.values}
        changed = [(step, values) for step, values in match.cases if gone & {value for value, _, _ in values}]
        for step, _ in changed:
            self.note(change, standing, step.words, standing.text.span(step.start, step.end))
        for number, (step, values) in enumerate(changed):
            kept = [(start, end) for value, start, end in values if value not in gone]
            is_put = change.kind == "replace case" and number == 0
            for edit in _case_edits(standing.text, step, kept, values, written, change, is_put=is_put):
                self.add(_Planned(edit, change, standing))

    def match(self, change: StepChange, standing: _Standing) -> MatchPart | None:
        """The `match` that a change of a case is about; reported if there is none, or more than one."""
        found = [
            each
            for each in standing.part.matches
            if change.matched is None or each.words == change.matched[0]
        ]
        if len(found) == 1:
            return found[0]
        span = change.span if change.matched is None else change.matched[1]
        if found:
            spans = [
                standing.text.span(each.start, _line_end(standing.text.text, each.start)) for each in found
            ]
            self.report_several(span, "are a `match`", [(each, f"in {standing.called}") for each in spans])
        elif change.matched is None:
            self.over.problems.append(
                diagnose(
                    "V117",
                    span,
                    place=standing.called,
                    what="is a `match`",
                    help="write `if`s with `before` or `after`",
                )
            )
        else:
            known = [each.words for each in standing.part.matches]
            self.unknown_step(
                span, change.matched[0], known, standing.called, f"is `match {change.matched[0]}`"
            )
        return None

    # ------------------------------------------------------------ what is wrong
    def unknown_name(self, span: Span, name: str, known: Sequence[str], section: str) -> None:
        """Report a definition or a phase that is not there."""
        help, fix = _suggestion(span, name, known)
        self.over.problems.append(
            diagnose("V104", span, help=help, fix=fix, name=name, section=f"`{section}`")
        )

    def unknown_step(self, span: Span, given: str, known: Sequence[str], place: str, what: str) -> None:
        """Report a step, a `match` or a case that is not there, with those that are."""
        help, fix = _suggestion(span, given, known)
        self.over.problems.append(diagnose("V117", span, help=help, fix=fix, place=place, what=what))

    def report_several(self, span: Span, what: str, places: Sequence[tuple[Span, str]]) -> None:
        labels = tuple(Label(at, words) for at, words in places[:SHOWN_PLACES])
        self.over.problems.append(diagnose("V118", span, number=len(places), what=what, labels=labels))

    def note(
        self, change: StepChange, standing: _Standing, part: str, base: Span, kind: Kind | None = None
    ) -> None:
        done: Kind = kind or ("removes" if change.kind.startswith("without") else "replaces")
        self.over.note_part(done, standing.section, standing.key, change.span, base, part)

    # ------------------------------------------------------------ making them
    def add(self, planned: _Planned) -> None:
        """Remember an edit; one that lies in another one is reported."""
        edits = self.planned.setdefault(planned.standing.where, [])
        for other in edits:
            if _overlap(planned.edit, other.edit):
                labels = (Label(other.change.span, "this changes it, too"),)
                self.over.problems.append(
                    diagnose("V120", planned.change.span, place=planned.standing.called, labels=labels)
                )
                return
        edits.append(planned)

    def make(self) -> None:
        """Put the edits into the texts of the base."""
        for where, planned in self.planned.items():
            section, at = where
            if section == "definitions":
                text = next(old for number, old in enumerate(self.sections) if number == at)
                whole = self.read(text.rule, planned, parse_module)
                if whole is not None:
                    new = replace(text, text=Text(spliced(text.text.node, whole)))
                    self.sections = tuple(new if old is text else old for old in self.sections)
            else:
                assert isinstance(at, tuple)
                self.phases = _with_text(
                    self.phases,
                    at,
                    lambda rule, planned=planned: self.read(rule, planned, parse_block),  # type: ignore[misc]
                )

    def read(
        self,
        rule: RuleText,
        planned: Sequence[_Planned],
        parse: Callable[[RuleText], tuple[object, list[Diagnostic]]],
    ) -> RuleText | None:
        """The text with the edits; `None`, and a report, where it cannot be read."""
        whole = splice(rule, [each.edit for each in planned])
        found = parse(whole)[1]
        if not found:
            return whole
        alone = [each for each in planned if parse(splice(rule, [each.edit]))[1]] or list(planned)
        change, standing = alone[0].change, alone[0].standing
        span = change.span
        self.over.problems.append(diagnose("V121", span, place=standing.called, reason=found[0].message))
        return None


def _suggestion(span: Span, given: str, known: Sequence[str]) -> tuple[str, Fix | None]:
    """Help for a name that is not among those that are known, and the fix if one is near."""
    names = list(dict.fromkeys(known))
    nearest = did_you_mean(given, names)
    if nearest is not None:
        is_plain = given in span.text and '"' not in nearest
        fix = (
            Fix(span, span.text.replace(given, nearest), f"write `{nearest}`", safe=False)
            if is_plain
            else None
        )
        return f"did you mean `{nearest}`?", fix
    if given.count("(") > given.count(")"):
        return "a comma ends an entry of the list: write it in quotes", None
    if not names:
        return "there is none", None
    more = f" and {len(names) - SHOWN_NAMES} others" if len(names) > SHOWN_NAMES else ""
    there = "there is " if len(names) == 1 else "there are "
    return there + ", ".join(f"`{name}`" for name in names[:SHOWN_NAMES]) + more, None


def _overlap(one: Edit, other: Edit) -> bool:
    return (
        one.start < other.end
        and other.start < one.end
        or (one.start, one.end) == (other.start, other.end)
        and one.start < one.end
    )


def _what(named: Named, *, many: bool) -> str:
    """Return the words for what a step is named by."""
    cite, begin, are = ("cite", "begin", "are") if many else ("cites", "begins", "is")
    cited = " and ".join(f"@{rule}" for rule in named.cites)
    if named.words is None:
        return f"{cite} {cited}"
    behind = f" and {cite} {cited}" if cited else ""
    return f"{begin} with `{named.words}`, or {are} called so{behind}"


def _steps_named(standing: _Standing, named: Named) -> list[Step]:
    """The steps of a part that are meant by words or by citations."""
    steps = standing.part.steps
    if named.words is not None:
        words = named.words
        exact = [step for step in steps if step.words == words]
        steps = tuple(
            exact
            or [step for step in steps if step.kind in ("statement", "case") and _begins(step.words, words)]
        )
    if named.cites:
        cited = [step for step in steps if set(named.cites) <= set(step.cites)]
        steps = (
            tuple(dict.fromkeys(_first_on_line(standing, step) for step in cited))
            if named.words is None
            else tuple(cited)
        )
    return list(steps)


def _begins(text: str, words: str) -> bool:
    """Tell whether these words stand at the beginning of a text."""
    following = text[len(words) : len(words) + 1]
    return text.startswith(words) and not (words[-1:].isalnum() and (following.isalnum() or following == "_"))


def _first_on_line(standing: _Standing, step: Step) -> Step:
    """Return the step that begins the line on which a step stands: of `if c: act(p)  @WB-14` the whole."""
    line = standing.text.text.rfind("\n", 0, step.start)
    return next(other for other in standing.part.steps if other.start > line and other.start <= step.start)


def _case_edits(
    base: RuleText,
    step: Step,
    kept: Sequence[tuple[int, int]],
    values: Sequence[tuple[str, int, int]],
    written: RuleText,
    change: StepChange,
    *,
    is_put: bool,
) -> Iterator[Edit]:
    """The edits that take values out of a case, and put a case of the variant there."""
    if not kept:
        yield _edit("instead of" if is_put else "without", base, step, written, change)
        return
    pieces: list[Piece] = []
    for number, (start, end) in enumerate(kept):
        pieces += [Piece(", ", base, start, is_copy=False)] if number else []
        pieces.append(Piece(base.text[start:end], base, start))
    yield Edit(values[0][1], values[-1][2], tuple(pieces))
    if is_put:
        yield _edit("after", base, step, written, change)


def _spliced_section(section: DefinitionsText, edits: Sequence[Edit]) -> DefinitionsText:
    return replace(section, text=Text(spliced(section.text.node, splice(section.rule, edits))))


def _with_text(
    phases: Phases, path: tuple[int, ...], change: Callable[[RuleText], RuleText | None]
) -> Phases:
    """The phases with another rule text of the one at a path."""
    number, *rest = path
    name, phase = phases[number]
    if rest:
        new = phase.model_copy(update={"phases": _with_text(phase.phases, tuple(rest), change)})
    else:
        assert phase.text is not None
        rule = change(phase.text.rule)
        new = (
            phase if rule is None else phase.model_copy(update={"text": Text(spliced(phase.text.node, rule))})
        )
    return (*phases[:number], (name, new), *phases[number + 1 :])


def revise(
    over: Changes, sections: Sections, phases: Phases, removed: Iterable[Text], written: Iterable[Text]
) -> tuple[Sections, Phases]:
    """The definitions and phases of a base after what a variant removes and changes in them."""
    texts = [text for text in written if begins_revisions(text.text)]
    gone = tuple(removed)
    if not gone and not texts:
        return sections, phases
    revisions = Revisions(over, sections, phases)
    revisions.remove(gone)
    revisions.revise(texts)
    return revisions.sections, revisions.phases
