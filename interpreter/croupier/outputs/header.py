"""The head of every JSON output: who wrote it, by which schema, of which rules and of which games.

    Header          croupier, schema
    RulesHeader     and ruleset, hash, parameters
    GamesHeader     and players, bots, seed, games, interrupted

What two sides are compared by has a `Side` for each of them.
"""

from typing import Annotated, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue

CONFIG = ConfigDict(
    frozen=True,
    extra="forbid",
    defer_build=True,
    allow_inf_nan=False,
    json_schema_serialization_defaults_required=True,
)

RulesetLabel: TypeAlias = Annotated[
    str,
    Field(
        description="the ruleset: NAME, NAME/VARIANT or NAME/ONE+OTHER of a shipped one, of any other the "
        "name that it gives itself"
    ),
]
RulesHash: TypeAlias = Annotated[
    str,
    Field(
        pattern="^[0-9a-f]{64}$",
        description="SHA-256 of the rules, 64 hexadecimal digits: the same for any layout and comments",
    ),
]
ParameterValue: TypeAlias = bool | int | str | JsonValue
Parameters: TypeAlias = Annotated[
    dict[str, ParameterValue],
    Field(
        description="every parameter of the ruleset by its name, those that have their defaults, too; values "
        "as JSON"
    ),
]
Players: TypeAlias = Annotated[
    int, Field(ge=1, description="the number of players; their seats count from 0")
]
Bots: TypeAlias = Annotated[list[str], Field(description="the bot of each seat, in order")]
Seed: TypeAlias = Annotated[
    int | None,
    Field(ge=0, description="the seed, from 0 to 2^64 - 1; null where it would tell more than one seat sees"),
]
Reproducible: TypeAlias = Annotated[
    bool,
    Field(
        description="false if a bot thinks by the clock (`mcts:200ms`): then the same seed gives other games "
        "each time"
    ),
]
Interrupted: TypeAlias = Annotated[
    bool, Field(description="whether Ctrl-C or SIGTERM ended it before all was played")
]
TextParts: TypeAlias = Annotated[
    list[JsonValue],
    Field(
        description="the text in its parts: strings, and an object for each player, number or thing that it "
        "names (outputs.md, “Texts in parts”)"
    ),
]
Seat: TypeAlias = Annotated[int, Field(ge=0, description="a seat, from 0")]
FinalHash: TypeAlias = Annotated[
    str, Field(pattern="^[0-9a-f]{64}$", description="SHA-256 of the last position, 64 hexadecimal digits")
]
Digest: TypeAlias = Annotated[
    str,
    Field(
        pattern="^[0-9a-f]{64}$",
        description="SHA-256 of a line for each game, in order: NUMBER STATUS RETURNS DECISIONS EVENTS",
    ),
]


class Part(BaseModel):
    """A part of an output: an object with these keys and no others."""

    model_config = CONFIG


class SchemaName(Part):
    """The schema of an output."""

    name: str = Field(description="the name of the schema: `croupier schema NAME` prints it")
    version: int = Field(
        ge=1, description="the version of the schema, from 1: it grows when a key goes or changes its meaning"
    )


class GameCounts(Part):
    """The number of games."""

    wanted: int | None = Field(
        ge=0,
        description="how many games were to be played, on all sides together; null where a time was given "
        "instead",
    )
    played: int = Field(ge=0, description="how many games were played, those that did not finish, too")


class Side(Part):
    """One side of a comparison."""

    ruleset: RulesetLabel
    hash: RulesHash
    parameters: Parameters
    players: Players
    bots: Bots
    reproducible: Reproducible = True


class Header(BaseModel):
    """The head of every output."""

    model_config = CONFIG
    croupier: str = Field(description="the version of the program that wrote this")
    schema_: SchemaName = Field(alias="schema", description="the schema of this object")


class RulesHeader(Header):
    """The head of an output about a ruleset."""

    ruleset: RulesetLabel
    hash: RulesHash
    parameters: Parameters


class GamesHeader(Header):
    """The head of an output about games of a ruleset."""

    ruleset: RulesetLabel
    hash: RulesHash
    parameters: Parameters
    players: Players
    bots: Bots
    seed: Seed
    reproducible: Reproducible = True
    games: GameCounts = Field(description="how many games were wanted, and how many were played")
    interrupted: Interrupted


class Timing(Part):
    """The duration, which differs between two calls that are equal."""

    seconds: float = Field(ge=0, description="how long it took, in seconds")
