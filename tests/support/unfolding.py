"""What a merged clause of a log says, taken apart again into what its events say one by one.

Read from the words alone, with the things that the events name as the vocabulary: a clause that lost an
event, told one twice, or said something of the wrong thing does not unfold into its events.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from croupier.narration.merging import (
    DONE,
    Alike,
    Choices,
    Dealt,
    EventClause,
    Form,
    Many,
    Moves,
    Plain,
    Shared,
    Values,
    alone,
)
from croupier.runtime.events import Deed, Event
from croupier.runtime.wording import plural
from croupier.text import Number, Part, Seat, Text, Thing

_TIMES = re.compile(r" \(?(?:(twice)|(\d+) times)\)?")


def texts_of(form: Form) -> list[str]:
    """The texts of the events that the words of a clause stand for, one for each."""
    match form:
        case Plain():
            return [form.text]
        case Moves():
            return [way.text for way in form.ways]
        case Shared():
            return [item.text for item in form.items]
        case Values():
            return [change.text for change in form.changes]
        case Choices():
            end = [Text.of(Seat(form.deeds[0].seat), f": {DONE}")] if form.is_done else []
            return [*(deed.text for deed in form.deeds), *end]
        case Alike() | Dealt() | Many():
            return [text for one in form.forms for text in texts_of(one)]


def problem(clause: EventClause, events: Sequence[Event], players: int) -> str | None:
    """How the words of a clause differ from what these events say, which it stands for; `None` if in
    nothing.
    """
    singles = [alone(event).words for event in events if not _is_end(event)] or [alone(events[0]).words]
    said, meant = facts([clause.words], players), facts(singles, players)
    form = clause.form
    match form:
        case Values():
            values = [part for part in clause.words.parts if isinstance(part, Number | Thing)]
            if "…" in str(clause.words):
                return None if singles[0].parts[form.at] in values else "the first value is not told"
            wanted = [single.parts[form.at] for single in singles]
            found = [part for part in values if part in wanted]
            return None if _has_run(found, wanted) else f"values {found}, not {wanted}"
        case Many() if "in all" in str(clause.words):
            return None if f"({len(singles)} in all)" in str(clause.words) else "the number is another"
        case Dealt():
            return _dealt(form, singles)
        case Choices(at=None) | Alike() | Moves() | Shared() | Choices() | Many():
            lost = {fact for fact in meant if fact not in said}
            added = {fact for fact in said if fact not in meant}
            if lost or added:
                return f"lost {lost}, added {added}"
            return _counts(form, clause, singles)
    return None if [str(clause.words)] == list(map(str, singles)) else f"{singles}"


def facts(texts: Sequence[Text], players: int) -> Counter[str]:
    """The players and things that texts name, each with how often."""
    found: Counter[str] = Counter()
    for text in texts:
        if str(text).startswith("everybody "):
            found.update(str(Seat(seat)) for seat in range(players))
        for number, part in _numbered(text.parts):
            found[_name(part)] += number
    return found


def _numbered(parts: Sequence[Part]) -> Iterator[tuple[int, Part]]:
    """The players and things, each with the number in front of it or behind it."""
    for i, part in enumerate(parts):
        if isinstance(part, str):
            continue
        before, behind = parts[i - 1] if i else "", parts[i + 1] if i + 1 < len(parts) else ""
        if isinstance(part, Number):
            noun = re.match(r" (\w+)", behind) if isinstance(behind, str) else None
            if isinstance(behind, str) and behind.startswith(" × "):
                continue
            if noun is not None and noun[1] not in ("and", "then", "from", "to", "in", "at", "of"):
                yield part.value, Thing("unseen", f"a {noun[1]}")
                continue
        many = _TIMES.match(behind) if isinstance(behind, str) else None
        number = 1
        if isinstance(before, str) and before.endswith(" × ") and isinstance(parts[i - 2], Number):
            number = parts[i - 2].value  # type: ignore[union-attr]
        elif many is not None:
            number = 2 if many[1] else int(many[2])
        yield number, part


def _name(part: Part) -> str:
    """A thing by its words; of a hidden one the noun, in the plural."""
    if isinstance(part, Thing) and part.kind == "unseen":
        noun = part.words.removeprefix("a ").removeprefix("an ")
        return noun if noun.endswith("s") else plural(noun)
    return str(part).removeprefix("the ")


def _counts(form: object, clause: EventClause, singles: Sequence[Text]) -> str | None:
    """How many things are told in the part in which the events differ, against how many events there are."""
    varied = Counter(_name(part) for single in singles for part in _differing(single, singles))
    told = Counter[str]()
    for number, part in _numbered(clause.words.parts):
        if _name(part) in varied:
            told[_name(part)] += number
    if isinstance(form, Alike) and form.at == 0:
        return None
    if isinstance(form, Many):
        return None
    few = [name for name, number in varied.items() if told[name] < number]
    return f"told {told}, not {varied}" if few else None


def _differing(text: Text, texts: Sequence[Text]) -> list[Part]:
    """The parts of a text that are not the same in all."""
    if len({len(other.parts) for other in texts}) > 1:
        return []
    return [
        part
        for i, part in enumerate(text.parts)
        if not isinstance(part, str) and any(other.parts[i] != part for other in texts)
    ]


def _dealt(form: Dealt, singles: Sequence[Text]) -> str | None:
    """What each player got, by the words of all and by those of each."""
    each: Counter[str] = Counter()
    things: Counter[str] = Counter()
    for single in singles:
        for number, part in _numbered(single.parts[1:]):
            if isinstance(part, Thing) and part.kind in ("component", "unseen"):
                each[str(single.parts[0])] += number
            if isinstance(part, Thing) and part.kind == "component":
                things[str(part)] += number
    found = {str(share.seat): share.count for share in form.shares}
    told = {str(part) for part in form.words.parts if isinstance(part, Thing) and part.kind == "component"}
    if found != each:
        return f"got {found}, not {dict(each)}"
    return None if set(things) <= told else f"not told: {set(things) - told}"


def _has_run(found: Sequence[Part], wanted: Sequence[Part]) -> bool:
    """Whether some stand one behind the other in a list."""
    return any(list(found[i : i + len(wanted)]) == list(wanted) for i in range(len(found) - len(wanted) + 1))


def _is_end(event: Event) -> bool:
    return isinstance(event.shape, Deed) and event.shape.label == "done"
