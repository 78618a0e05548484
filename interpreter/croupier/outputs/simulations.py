"""The output of `simulate`: wins, grades, lengths, games that did not finish."""

from typing import Annotated, TypeAlias

from pydantic import Field

from croupier.outputs.header import Digest, GamesHeader, Part, Timing
from croupier.outputs.statistics import Estimate

Interval: TypeAlias = Annotated[
    list[float | None],
    Field(
        min_length=2,
        max_length=2,
        description="Wilson's interval of the share, from 0 to 1: its ends, with 95 % confidence; where each "
        "player has a value, clustered by game; null where no game finished",
    ),
]
WinRate: TypeAlias = Annotated[
    float | None,
    Field(
        ge=0,
        le=1,
        description="the part of the finished games that it won, from 0 to 1; ties are divided; null where "
        "no game finished",
    ),
]


class Spread(Part):
    """Some numbers."""

    min: int | float = Field(description="the lowest")
    median: int | float = Field(description="the median")
    mean: float = Field(description="the mean")
    mean_interval: list[float | None] = Field(
        min_length=2,
        max_length=2,
        description="the ends of its 95 % interval, normal and corrected for skewness; null where games are "
        "too few for how skewed they are, and where all are the same",
    )
    max: int | float = Field(description="the highest")


class SeatWins(Part):
    """The wins of a seat."""

    seat: int = Field(ge=0, description="the seat, from 0")
    wins: int = Field(ge=0, description="games that it won alone")
    ties: int = Field(ge=0, description="games that it won with others")
    win_rate: WinRate
    interval: Interval
    scores: Spread | None = Field(
        description="its scores at the end of finished games; null where the rules keep none"
    )


class PlaceWins(Part):
    """The wins of the player at a place of the turn order."""

    place: int = Field(ge=0, description="the place in the order of first decisions, from 0")
    wins: int = Field(ge=0, description="games that they won alone")
    ties: int = Field(ge=0, description="games that they won with others")
    win_rate: WinRate
    interval: Interval


class GroupWins(Part):
    """The wins where the expression of `--by` had a value."""

    value: str = Field(
        description="the value of the expression at the end of a game, in the words of a log; players in it "
        "count from 1"
    )
    seat: int | None = Field(description="the seat, from 0, that won; null where each player has a value")
    count: int = Field(
        ge=0, description="how many games had that value; where each player has one, how many players"
    )
    win_rate: float = Field(ge=0, le=1, description="the part of them that was won, from 0 to 1")
    interval: Interval


class Grade(Part):
    """The games that ended with some words."""

    grade: str | None = Field(description="the words of `finish … as`; null without any")
    games: int = Field(ge=0, description="how many finished games ended so")
    share: float = Field(ge=0, le=1, description="their part of the finished games, from 0 to 1")
    interval: Interval


class Problem(Part):
    """A game that did not finish."""

    game: int = Field(
        ge=1, description="its number, from 1: `croupier run --seed SEED --game GAME` plays it again"
    )
    status: str = Field(description="`unfinished`, `stuck` or `faulted`")
    reason: str | None = Field(description="why it did not finish, in words")


class MeasuredMean(Estimate):
    """A measure at the end of the finished games."""

    measure: str = Field(
        description="the expression; of one with `me` one for each seat, with `_seatN` behind it, N from 0"
    )
    min: int | float = Field(description="its lowest value")
    max: int | float = Field(description="its highest value")


class Simulation(GamesHeader):
    """Many games and their statistics: `croupier simulate`."""

    finished: int = Field(ge=0, description="games that finished")
    unfinished: int = Field(ge=0, description="games that reached a limit of the ruleset")
    stuck: int = Field(ge=0, description="games in which somebody had to decide and had no option")
    faulted: int = Field(ge=0, description="games that a fault of the rules ended")
    rates_of: str = Field(description="of which games the win rates are")
    seats: list[SeatWins] = Field(description="what each seat won, in order")
    nobody_wins: int = Field(ge=0, description="finished games that nobody won")
    turn_order: list[PlaceWins] = Field(
        description="what players won by the order of first decisions; empty without `--by-turn-order`"
    )
    by: list[GroupWins] = Field(description="who won by the value of an expression; empty without `--by`")
    grades: list[Grade] = Field(
        description="how often games ended with which words, the most frequent first, at most 100"
    )
    decisions: Spread | None = Field(description="decisions of a game; null without games")
    chance_events: Spread | None = Field(description="chance events of a game; null without games")
    problems: list[Problem] = Field(description="the first 100 games that did not finish, in order")
    measures: list[MeasuredMean] = Field(
        description="the measures of `--measure` at the end of finished games; empty without it"
    )
    digest: Digest
    timing: Timing = Field(description="what differs between two calls that are equal")
