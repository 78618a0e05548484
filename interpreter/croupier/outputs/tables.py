"""The outputs of `collect` and `merge`, and the header of a table of games."""

from typing import Annotated, TypeAlias

from pydantic import Field

from croupier.outputs.header import Digest, GamesHeader, Part
from croupier.outputs.statistics import Estimate

Rows: TypeAlias = Annotated[
    int,
    Field(ge=0, description="how many games are there: rows of the table, or of all shards of the folder"),
]


class Statuses(Part):
    """The number of games with each status."""

    finished: int = Field(ge=0, description="games that finished")
    unfinished: int = Field(ge=0, description="games that reached a limit of the ruleset")
    stuck: int = Field(ge=0, description="games in which somebody had to decide and had no option")
    faulted: int = Field(ge=0, description="games that a fault of the rules ended")


class Gap(Part):
    """Games in a row that are missing."""

    first: int = Field(ge=1, description="the number of the first game, from 1")
    last: int = Field(ge=1, description="the number of the last game")


class UnfinishedGame(Part):
    """A game that did not finish."""

    game: int = Field(
        ge=1, description="its number, from 1: `croupier run --seed SEED --game GAME` plays it again"
    )
    status: str = Field(description="`unfinished`, `stuck` or `faulted`")


class Column(Part):
    """A column of a table."""

    name: str = Field(description="its name; what ends in `_seatN` is of seat N, from 0")
    type: str = Field(
        description="`int64`, `double`, `bool` or `string`: it follows from the rules, not from the games "
        "that were played"
    )
    meaning: str = Field(description="what it holds, in words")


Gaps: TypeAlias = Annotated[
    list[Gap], Field(description="the games that were wanted and are missing, in order")
]
Problems: TypeAlias = Annotated[
    list[UnfinishedGame], Field(description="the first 100 games that did not finish, in order")
]
HowTheyEnded: TypeAlias = Annotated[Statuses, Field(description="how the games ended")]


class Table(GamesHeader):
    """The header of a table of games: in the metadata of a Parquet file under `croupier`, beside a CSV file
    and one of JSON lines as `.meta.json`.
    """

    rows: Rows
    statuses: HowTheyEnded
    digest: Digest
    columns: list[Column] = Field(description="the columns, in order")


class Option(Part):
    """An option of the rules."""

    decision: str = Field(description="the name of the decision, as in the column `decision`")
    option: str = Field(description="the option, as in the column `option`")
    place: str = Field(description="where the rules ask: file and line")


class Events(GamesHeader):
    """The header of a table of events: in the metadata of a Parquet file, beside a CSV file and one of JSON
    lines as `.meta.json`.
    """

    rows: int = Field(ge=0, description="how many rows the table has")
    columns: list[Column] = Field(description="the columns, in order")


class Decisions(GamesHeader):
    """The header of a table of decisions and outcomes of chance, in the same place."""

    rows: int = Field(ge=0, description="how many rows the table has")
    columns: list[Column] = Field(description="the columns, in order")
    options: list[Option] = Field(
        description="every option of the rules, whether anybody took it or not; without those of chance"
    )


class Collected(GamesHeader):
    """Games that were written as rows: `croupier collect`."""

    out: str = Field(description="the file or folder that was written")
    rows: Rows
    statuses: HowTheyEnded
    problems: Problems
    gaps: Gaps
    digest: Digest


class SeatShare(Part):
    """The share of wins of a seat."""

    seat: int = Field(ge=0, description="the seat, from 0")
    wins: Estimate = Field(
        description="its share of the wins of finished games, from 0 to 1; ties are divided"
    )


class Merged(GamesHeader):
    """The games of several folders: `croupier merge`."""

    folders: list[str] = Field(description="the folders that were read")
    out: str | None = Field(description="the table that was written; null without `--out`")
    rows: Rows
    statuses: HowTheyEnded
    problems: Problems
    gaps: Gaps
    seats: list[SeatShare] = Field(description="what each seat won, in order")
    decisions: Estimate = Field(description="decisions of a finished game, on average")
    digest: Digest
