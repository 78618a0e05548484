"""The outputs of one game: those of `run` and `replay`."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, JsonValue

from croupier.outputs.header import FinalHash, GamesHeader, Part, TextParts
from croupier.outputs.tables import Column

Hash: TypeAlias = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Exact: TypeAlias = Annotated[
    int | str, Field(description="an exact number: a whole one, or a fraction as text, such as 1/3")
]
ActionNumber: TypeAlias = Annotated[int, Field(ge=0, description="the integer of the action")]
Choice: TypeAlias = Annotated[JsonValue, Field(description="the action in its structured form")]
HiddenNumber: TypeAlias = Annotated[int | None, Field(ge=0)]


class Outcome(Part):
    """The outcome of a game, or how it stands."""

    status: str = Field(description="`running`, `finished`, `unfinished`, `stuck` or `faulted`")
    winners: list[int] = Field(description="the seats that won, from 0")
    returns: list[Exact] = Field(description="what each seat is paid; empty where the game did not finish")
    scores: list[Exact] | None = Field(description="the score of each seat; null where the rules keep none")
    grade: str | None = Field(description="the words of `finish … as`; null without any")
    reason: str | None = Field(description="why it did not finish, in words; `interrupted` where it goes on")
    fault: dict[str, JsonValue] | None = Field(
        description="the diagnostic of a fault: its code, its message, and where it is"
    )


class SeatAction(Part):
    """The choice of a seat, or of chance."""

    seat: int = Field(ge=-1, description="the seat, from 0; -1 for chance")
    action: ActionNumber
    choice: Choice


class Step(Part):
    """An action, and the position behind it."""

    seat: int = Field(ge=-1, description="the seat, from 0; -1 for chance")
    action: ActionNumber
    choice: Choice
    hash: Hash = Field(description="SHA-256 of the position that follows, 64 hexadecimal digits")


class SeveralStep(Part):
    """Actions of several seats at once, and the position behind them."""

    seat: int = Field(ge=-2, le=-2, description="-2: several seats at once")
    actions: list[SeatAction] = Field(description="what each of them chose")
    hash: Hash = Field(description="SHA-256 of the position that follows, 64 hexadecimal digits")


class Event(Part):
    """Something that happened."""

    text: str = Field(description="what happened, in words; players in it count from 1")
    parts: TextParts
    kind: str = Field(description="decision, chance, move, state, show, tell, say, group, phase or end")
    rules: list[str] = Field(description="the ids of the rules that it follows from")
    data: dict[str, JsonValue] = Field(description="its parts")
    quiet: bool = Field(description="whether logs leave it out")


class Run(GamesHeader):
    """One game: `croupier run`. Without `--seat` it is a saved game, too, which `croupier replay` reads."""

    meaning_hash: Hash | None = Field(
        description="SHA-256 of the rules without their words: while it is the same, a saved game goes on"
    )
    game: int | None = Field(ge=1, description="the number of the game, from 1; null with `--seat`")
    seat: int | None = Field(
        ge=0, description="the seat whose view this is, from 0; null for the referee's, who sees everything"
    )
    outcome: Outcome = Field(description="how the game ended")
    decisions: HiddenNumber = Field(description="how many decisions there were; null with `--seat`")
    chance_events: HiddenNumber = Field(description="how many chance events there were; null with `--seat`")
    digest: Hash | None = Field(description="the digest of a run of this game alone; null with `--seat`")
    start_hash: Hash | None = Field(description="SHA-256 of the first position; null with `--seat`")
    final_hash: FinalHash | None = Field(description="SHA-256 of the last position; null with `--seat`")
    actions: list[Step | SeveralStep] | None = Field(
        description="what was done, in order; null with `--seat`"
    )
    events: list[Event] | None = Field(description="what the seat perceived, in order; null without `--seat`")
    checksum: Hash | None = Field(description="SHA-256 of the saved game; null with `--seat`")


class RunLines(GamesHeader):
    """The first line of `croupier run --format jsonl`.

    What follows are lines of type `decision` and `event`, in the order of play, with the keys that
    `decision_columns` and `event_columns` name, and `parts` of each event; with `--seat` only events, as in
    `run`. The last line is of type `outcome`: the keys `outcome`, `decisions`, `chance_events`, `digest` and
    `final_hash` of `run`.
    """

    type: Literal["header"] = Field(description="what kind of line it is: `header`")
    meaning_hash: Hash | None = Field(description="SHA-256 of the rules without their words")
    game: int | None = Field(ge=1, description="the number of the game, from 1; null with `--seat`")
    seat: int | None = Field(
        ge=0, description="the seat whose view this is, from 0; null for the referee's, who sees everything"
    )
    start_hash: Hash | None = Field(description="SHA-256 of the first position; null with `--seat`")
    decision_columns: list[Column] = Field(
        description="the keys of lines of type `decision`; behind them stand `choice`, `hash`"
    )
    event_columns: list[Column] = Field(
        description="the keys of lines of type `event`; behind them stands `parts`; empty with `--seat`"
    )


class Replay(GamesHeader):
    """A saved game that was played again: `croupier replay`."""

    game: int | None = Field(ge=1, description="the number of the game, from 1; null with `--seat`")
    seat: int | None = Field(
        ge=0, description="the seat whose view this is, from 0; null for the referee's, who sees everything"
    )
    actions: HiddenNumber = Field(description="how many actions the file has; null with `--seat`")
    applied: HiddenNumber = Field(description="how many of them were applied; null with `--seat`")
    verified: bool = Field(description="whether all that was applied is as the file says: always true")
    final_hash: FinalHash | None = Field(
        description="SHA-256 of the position that was reached; null with `--seat`"
    )
    outcome: Outcome = Field(description="how the game stands in it")
    pending: list[int] | None = Field(
        description="the seats that must decide, from 0; null where the seat does not see whether anybody "
        "must"
    )
    observation: dict[str, JsonValue] = Field(
        description="what the seat sees of the position, or the referee"
    )
