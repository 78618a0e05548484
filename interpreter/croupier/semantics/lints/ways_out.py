"""The ways to mend a leak where it stands, in the words of the language: the help of `L030` and `L036`.

In comes a decision that gives something away, what it gives away, and where that is read; out comes a text.
It names what the author wrote: the chooser, the thing, the local that brings it. What changes the game least
comes first: name it so that it is seen to be the chooser's, disclose it, declare who sees it, ask afterwards;
last comes to say why it is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from croupier.diagnostics import Span
from croupier.kernel.tree import EnumExpr
from croupier.records import dataclass
from croupier.semantics.infoflow import DecisionFlow, Policy
from croupier.semantics.infoflow.store import WHOLE
from croupier.semantics.program import Program, VarDef, ZoneDef, is_nobody

NAME = re.compile(r"[^\W\d]\w*")
FACE = re.compile(r"([^\W\d]\w*)\.\w+")  # an attribute of a local
WHY = 'say why this is meant: `leaks "…"`'


@dataclass(frozen=True)
class Kind:
    """The ways to mend leaks in one kind of decision: `before` what something has to be disclosed (`None`:
    that does not help), and what else to do.
    """

    before: str | None
    instead: str


KINDS = {
    "choose": Kind(
        "before this choice", "let them choose first, and look at it in an `if` behind the choice"
    ),
    "every": Kind("before this choice", "let them choose first, and look at it in an `if` behind the choice"),
    "menu": Kind("before this menu", "let the option stand open, and look at it in an `if` in its block"),
    "so_that": Kind("before the `so that`", "let the condition ask for nothing but what they see"),
    "reaction": Kind(
        "before, and open the window with it: `open w(it) to …`",
        "let everybody react, and look at it in an `if` in the block",
    ),
    "claim": Kind(None, "let it be said by everybody: what is said need not be true"),
}


def declared(program: Program, read: Policy) -> ZoneDef | VarDef | None:
    """The declared thing that is read, if it is one."""
    return program.vars.get(read.name) if read.kind == "state" else program.zones.get(read.name)


def ways_out(program: Program, decision: DecisionFlow, read: Policy, place: Span, in_words: bool) -> str:
    """Say how to mend a decision that depends on what `read` says, at a `place`.

    `in_words`: the words of its options show it.
    """
    return "; or ".join([*_ways(program, decision, read, place, in_words), WHY])


def ways_out_for_readers(place: Span) -> str:
    """Say how to mend words that tell others what the local at a place holds."""
    return (
        f'read it in the words themselves, which hide it from others; or `announce "{{{place.text}}}"` '
        f"before; or {WHY}"
    )


def _ways(
    program: Program, decision: DecisionFlow, read: Policy, place: Span, in_words: bool
) -> Iterator[str]:
    kind = KINDS[decision.kind]
    if read.kind == "secret":
        yield f"{_disclosed(decision, read, place)} behind the `secretly`"
        yield "go by it only where whoever chose it decides"
        return
    thing = declared(program, read)
    if thing is not None and not read.current:
        yield from _by_name(decision, read, thing)
    # nobody sees it, or its declaration does not say who does
    unsaid = thing is not None and not read.current and is_nobody(thing.seen_by)
    if thing is not None and unsaid:
        yield f"if everybody may see it, say so where it is declared: {_declared(thing, read)}"
    if kind.before is not None:
        yield f"{_disclosed(decision, read, place)} {kind.before}"
    if read.current:
        yield "write it outside of `secretly`, where they notice"
    elif thing is not None and not unsaid:
        yield f"declare that they see it: {_declared(thing, read)}"
    yield "leave it out of the words" if in_words else kind.instead


def _by_name(decision: DecisionFlow, read: Policy, thing: ZoneDef | VarDef) -> Iterator[str]:
    """Yield how names can show that the chooser may see a thing, where that depends on whose it is."""
    if read.key in (None, WHOLE) or not isinstance(thing.seen_by, EnumExpr):
        return
    if thing.seen_by.name == "owner":
        yield f"name what belongs to the chooser by the chooser: `{read.name}[{decision.chooser_name}]`"
    elif thing.seen_by.name == "others":
        yield (
            f"go through the others by name, so that it is never the chooser's own: `for q in "
            f"others({decision.chooser_name})`"
        )


def _disclosed(decision: DecisionFlow, read: Policy, place: Span) -> str:
    """The statement that discloses what is read to whoever decides."""
    to = decision.asked
    text = _thing_to_disclose(read, place)
    if to is None or text is None:
        return "`show` or `tell` it to whoever decides"
    if (place == read.span or FACE.fullmatch(place.text)) and read.kind in ("zone", "place"):
        statement = f"show {text} to {to}"
    elif place == read.span and read.kind == "count":
        statement = f'tell {to} that "{{{text}.size}}"'
    else:
        statement = f'tell {to} that "{{{text}}}"'
    walked = _walked(text, place)
    return f"`{statement}`" if walked is None else f"`for {walked} in …: {statement}`"


def _thing_to_disclose(read: Policy, place: Span) -> str | None:
    """Return what the statement names: the local that brings what is read here, or what is read; `None` where
    there is no name for it.
    """
    face = FACE.fullmatch(place.text)
    if face is not None and read.kind in ("zone", "place"):
        return face[1]
    if read.kind == "place" or (place != read.span and not NAME.fullmatch(place.text)):
        return None
    return place.text


def _walked(text: str, place: Span) -> str | None:
    """The name in a text that a comprehension in its line binds, so that nothing can be said of it
    outside.
    """
    line = place.source.line(place.line).lstrip()
    return next((name for name in NAME.findall(text) if re.search(rf"\S.*\bfor {name} in\b", line)), None)


def _declared(thing: ZoneDef | VarDef, read: Policy) -> str:
    """The declaration with which everybody sees a thing."""
    if read.kind == "count":
        return f"`counted_by: everybody` for `{thing.name}`"
    return (
        f"`{'seen_by: everybody' if isinstance(thing, ZoneDef) else 'seen by everybody'}` for `{thing.name}`"
    )
