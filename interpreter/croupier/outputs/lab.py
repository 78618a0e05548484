"""The outputs of the lab: those of `compare`, `sweep`, `skill` and `ablate`."""

from typing import Annotated, TypeAlias

from pydantic import Field

from croupier.outputs.header import (
    GameCounts,
    GamesHeader,
    Header,
    Interrupted,
    ParameterValue,
    Part,
    Seed,
    Side,
)
from croupier.outputs.statistics import Estimate

MeasureName: TypeAlias = Annotated[
    str,
    Field(
        description="a measure: `wins_seatN` (a share), `decisions`, `margin` or an expression; `_seatN` "
        "says of which seat, from 0"
    ),
]
Kind: TypeAlias = Annotated[
    str,
    Field(
        description="`rules`: a pair is a game by each side's rules; `bots`: a turn is a game with B in each "
        "seat"
    ),
]
Method: TypeAlias = Annotated[
    str,
    Field(
        description="`watched`: intervals hold at all times; `planned`: the number of games was known before "
        "(`--fixed`)"
    ),
]
Pairs: TypeAlias = Annotated[int, Field(ge=0, description="how many pairs or turns of games were compared")]
Skipped: TypeAlias = Annotated[
    int, Field(ge=0, description="how many were left out, because a game did not finish")
]


class Line(Part):
    """One measure of a comparison."""

    measure: MeasureName
    a: float = Field(description="its mean on side A")
    b: float = Field(description="its mean on side B")
    difference: Estimate = Field(
        description="B - A, with an interval that holds at all times, or for the planned number of games"
    )
    more_often: Estimate | None = Field(
        description="the share of pairs in which B has more, less that in which it has less, from -1 to 1; "
        "null of a share of games, and with `--fixed`"
    )
    probability: float | None = Field(
        ge=0,
        le=1,
        description="with `--fixed`, the probability of so large a difference if there is none, corrected "
        "for all measures (Holm); null where there is no test",
    )
    found: bool = Field(description="whether the mean was found to differ")
    verdict: str = Field(description="the verdict in words")
    pairs_needed: int | None = Field(
        description="how many more pairs would show `difference_shown`; null where a difference shows or it "
        "cannot be told"
    )
    difference_shown: float | None = Field(
        description="a difference about as large as the one that is seen; of `more_often` where nothing "
        "bounds the measure; null as `pairs_needed`"
    )


Lines: TypeAlias = Annotated[
    list[Line], Field(description="the measures; empty before the first pair or turn is over")
]
SideA: TypeAlias = Annotated[Side, Field(description="side A")]
SideB: TypeAlias = Annotated[
    Side,
    Field(description="side B; of a comparison of bots, B sits in every seat in turn: shown is the first"),
]


class PlannedLine(Part):
    """How many pairs or turns of games show a difference of one measure."""

    measure: MeasureName
    difference: float | None = Field(
        description="the difference that is looked for; null where the mean of A is 0"
    )
    planned: int | None = Field(description="how many show it with `--fixed`; null where that is not known")
    watched: int | None = Field(
        description="after about how many the interval leaves 0; null where that is not known"
    )


class Plan(Part):
    """How many pairs or turns of games a comparison needs. It depends on how many were played before, which
    depends on how fast they were.
    """

    part: float = Field(
        gt=0, lt=1, description="the difference: of shares of games, and as a part of any other measure of A"
    )
    power: float = Field(gt=0, lt=1, description="the chance that `--fixed` finds such a difference")
    pairs_before: int = Field(ge=0, description="how many were played before")
    lines: list[PlannedLine] = Field(description="the measures")
    seconds_a_pair: float = Field(ge=0, description="how many seconds one takes")


class Comparison(Header):
    """Two rulesets, variants, parameters or bots: `croupier compare`."""

    a: SideA
    b: SideB
    seed: Seed
    games: GameCounts = Field(description="how many games were wanted, and how many were played")
    interrupted: Interrupted
    kind: Kind
    method: Method
    pairs: Pairs
    skipped: Skipped
    lines: Lines
    plan: Plan | None = Field(description="with `--plan`, how many pairs a comparison needs; null without it")


# ------------------------------------------------------------ sweep
Values: TypeAlias = Annotated[
    dict[str, ParameterValue], Field(description="the values of the swept parameters, by name, as JSON")
]


class Point(Estimate):
    """The games with one combination of values."""

    values: Values
    games: int = Field(ge=0, description="how many of its games finished")
    skipped: int = Field(ge=0, description="how many of its games did not finish and are left out")


class Target(Part):
    """The value that is looked for."""

    measure: MeasureName
    value: float = Field(description="the value that the measure should have; a share from 0 to 1")


class Crossing(Part):
    """A pair of values between which the measure passes the target."""

    interval: list[ParameterValue] = Field(
        min_length=2,
        max_length=2,
        description="the two values: at one of them the interval of the measure lies wholly below the "
        "target, at the other wholly above",
    )
    rises: bool = Field(description="whether the measure rises above the target between them")
    confidence: float | None = Field(
        description="the confidence of all crossings at once, from 0 to 1; null where the measure was the "
        "same in every game with one of the values"
    )
    method: str = Field(description="how the intervals at both values are made")


class Sweep(GamesHeader):
    """A parameter over its values: `croupier sweep`. The `parameters` of the header are those that are not
    swept.
    """

    swept: list[str] = Field(description="the names of the parameters that are swept")
    measure: MeasureName
    target: Target | None = Field(description="what `--target` looks for; null without it")
    points: list[Point] = Field(description="the measure with each combination of values, in order")
    crossings: list[Crossing] = Field(
        description="between which values the measure passes the target; empty where that is not known, and "
        "where several parameters are swept"
    )
    fitting: list[Values] = Field(description="the values whose interval holds the target")


# ------------------------------------------------------------ skill
class Rung(Part):
    """One bot against the one below."""

    bot: str = Field(description="the bot that thinks more, alone in every seat in turn")
    against: str = Field(description="the bot of all other seats")
    wins: Estimate = Field(description="the share of the wins of the bot, from 0 to 1")
    equal: float = Field(ge=0, le=1, description="the share that an equal would win")
    paid: Estimate | None = Field(
        description="what it is paid a game, more than all on average; null where the rules pay nothing"
    )
    helps: bool = Field(
        description="whether more thinking was found to help: what is found so of all rungs holds at once, "
        "with 95 %"
    )


class Rating(Part):
    """The OpenSkill rating of a bot."""

    mean: float = Field(description="its mean")
    deviation: float = Field(ge=0, description="its standard deviation")


class Ladder(GamesHeader):
    """The benefit of thinking: `croupier skill`."""

    bots: list[str] = Field(description="the bots of the ladder, from the lowest")
    rungs: list[Rung] = Field(description="the rungs that were played, from the lowest")
    ratings: dict[str, Rating] = Field(description="the ratings of the bots by name; empty without OpenSkill")
    helps_up_to: str | None = Field(
        description="the highest bot up to which each rung helps; null where not even the first does, or "
        "none was played"
    )


# ------------------------------------------------------------ ablate
class Option(Part):
    """An option, and what it is worth."""

    option: str = Field(description="the option in words")
    games: int = Field(ge=0, description="in how many games it was offered")
    offered: int = Field(ge=0, description="to how many players it was offered; a player counts once a game")
    taken: int = Field(ge=0, description="how many of them took it at least once")
    taken_share: Estimate = Field(description="the share of them who took it, clustered by game")
    wins_when_taken: Estimate = Field(
        description="the share of the wins of those who took it, clustered by game"
    )
    wins_when_left: Estimate = Field(
        description="the share of the wins of those who never took it, clustered by game"
    )
    worth: Estimate | None = Field(
        description="the share of the wins that a player lacks who never takes it; null where it was not "
        "measured"
    )
    turns: int | None = Field(
        description="how many turns of games that is made of; null where it was not measured"
    )


class VariantWorth(Part):
    """A variant against the ruleset without it."""

    variant: str = Field(description="the variant: NAME/VARIANT")
    a: SideA
    b: SideB
    kind: Kind
    method: Method
    pairs: Pairs
    skipped: Skipped
    lines: Lines


class Ablation(GamesHeader):
    """The worth of options and variants: `croupier ablate`."""

    options: list[Option] = Field(
        description="the options, those that are offered most often first; empty with `--variants`"
    )
    variants: list[VariantWorth] = Field(description="the variants; empty without `--variants`")
