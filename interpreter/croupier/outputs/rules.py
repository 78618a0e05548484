"""The outputs about rules that were played: those of `coverage`, `hunt`, `mutate` and `explain-move`."""

from typing import Annotated, TypeAlias

from pydantic import Field, JsonValue

from croupier.outputs.findings import Place
from croupier.outputs.header import (
    GameCounts,
    Interrupted,
    Parameters,
    Part,
    Players,
    RulesHeader,
    Seed,
    TextParts,
    Timing,
)

SomePlayers: TypeAlias = Annotated[
    int | None, Field(description="the number of players; null where each possible number is played in turn")
]
Games: TypeAlias = Annotated[
    GameCounts, Field(description="how many games were wanted, and how many were played")
]
Cited: TypeAlias = Annotated[list[str], Field(description="the ids of the rules that are cited there")]
InGames: TypeAlias = Annotated[int, Field(ge=0, description="how often in games")]
InScenarios: TypeAlias = Annotated[int, Field(ge=0, description="how often in scenarios")]


# ------------------------------------------------------------ coverage
class StoppedGame(Part):
    """The first game that ended before it was over, for one reason."""

    status: str = Field(description="`unfinished`, `stuck` or `faulted`")
    reason: str | None = Field(description="why, in words")
    game: int = Field(ge=1, description="its number, from 1")
    players: Players
    parameters: dict[str, JsonValue] = Field(
        description="the parameters that were set for it, by name, as JSON"
    )
    count: int = Field(ge=1, description="how many games ended for that reason")


class Total(Part):
    """The number of things of one kind that happened."""

    happened: int = Field(ge=0, description="how many of them happened")
    of: int = Field(ge=0, description="how many there are")


class CoveredRule(Part):
    """A rule of the rule list."""

    id: str = Field(description="its id")
    tag: str = Field(description="its tag")
    text: str = Field(description="its text")
    games: InGames
    scenarios: InScenarios
    cited: list[Place] = Field(description="where it is cited")


class CoveredPlace(Part):
    """A place of the rules that can be executed."""

    kind: str = Field(description="procedure, statement, condition, branch, power, option or value")
    words: str = Field(description="which way or option of it is meant; empty where it is the place itself")
    place: Place = Field(description="where it is")
    text: str = Field(description="the first line of what stands there")
    rules: Cited
    told: str | None = Field(
        description="where the rulebook tells it: headings, and the rule whose sentence does; "
        "null of a variant that only some values of parameters switch on, and of what is no rule of the game"
    )
    games: InGames
    scenarios: InScenarios


class CoveredValue(Part):
    """A value of a parameter, or a number of players."""

    parameter: str | None = Field(description="the parameter; null for a number of players")
    value: JsonValue = Field(description="the value, as JSON")
    games: InGames
    scenarios: InScenarios
    place: Place | None = Field(description="where the parameter is declared")


class Coverage(RulesHeader):
    """The parts of a ruleset that happen in games and scenarios, and those that never do: `croupier
    coverage`. The games are of random bots.
    """

    players: SomePlayers
    seed: Seed
    games: Games
    interrupted: Interrupted
    statuses: dict[str, int] = Field(description="how many games ended how")
    stopped: list[StoppedGame] = Field(
        description="games that ended before they were over: the first for each reason"
    )
    scenarios: int = Field(ge=0, description="how many scenarios were run")
    failed: list[str] = Field(description="the ids of the scenarios that failed")
    complete: bool = Field(description="whether everything happened")
    totals: dict[str, Total] = Field(description="of each kind of thing how many happened")
    rules: list[CoveredRule] = Field(description="the rules of the rule list")
    places: list[CoveredPlace] = Field(description="the places of the rules, in order")
    values: list[CoveredValue] = Field(description="the values of parameters, and the numbers of players")


# ------------------------------------------------------------ hunt
class Policy(Part):
    """The policy by which the players of a hunt choose."""

    policy: str = Field(description="the name of the policy")
    option: str = Field(
        description="the kind of option, or the quantity, that it is about; empty without one"
    )
    index: int = Field(description="the place of an option, from 0; below 0 from the end")
    up: bool = Field(description="whether a quantity is driven up")
    looks: bool = Field(description="whether options are tried on a copy of the position")
    slack: int = Field(ge=0, le=100, description="how many of 100 decisions are drawn at random")
    seat: int | None = Field(description="the seat that follows it, from 0; null: all do")


class Fault(Part):
    """A fault, and the shortest game that was found to show it."""

    status: str = Field(description="how the game ended")
    code: str = Field(description="the code of the diagnostic; empty without one")
    message: str = Field(description="what went wrong, in words")
    file: str = Field(description="the file of the rules; empty where it is nowhere in a file")
    line: int = Field(ge=0, description="the line, from 1; 0 where it is nowhere in a file")
    players: Players
    parameters: dict[str, JsonValue] = Field(description="the parameters that were set, by name, as JSON")
    game: int = Field(ge=1, description="the number of the game that showed it first, from 1")
    games: int = Field(ge=1, description="how many games ended so")
    plan: str = Field(description="how the players chose, in words")
    policy: Policy = Field(description="how the players chose")
    actions: list[list[int]] = Field(
        description="what was done: pairs of a seat, from 0 (-1: chance), and the integer of an action"
    )
    scenario: str | None = Field(
        description="a scenario that fails until it is mended, as YAML; null where it makes none"
    )


class Hunt(RulesHeader):
    """Faults that players find who play as nobody does: `croupier hunt`."""

    players: SomePlayers
    seed: Seed
    games: Games
    interrupted: Interrupted
    vary: bool = Field(
        description="whether parameters that are not set have other values, too, one at a time"
    )
    most_actions: int = Field(ge=1, description="after how many decisions and chance events a game ends")
    statuses: dict[str, int] = Field(description="how many games ended how; `refused` are set-ups")
    found: list[Fault] = Field(description="the faults, in the order in which they were found")
    endless: Fault | None = Field(
        description="the first game that did not end within `most_actions`; null where all did"
    )


# ------------------------------------------------------------ mutate
class MutantCounts(Part):
    """The number of mutants with each outcome."""

    killed: int = Field(0, ge=0, description="a scenario noticed")
    survived: int = Field(0, ge=0, description="no scenario noticed")
    equivalent: int = Field(0, ge=0, description="no scenario noticed, and they are listed as equivalent")
    refused: int = Field(0, ge=0, description="`check` refuses the changed ruleset")
    unchanged: int = Field(0, ge=0, description="they mean the same as before")


class Mutant(Part):
    """One change of one clause."""

    id: str = Field(description="its id, which does not depend on what else stands in the file")
    operator: str = Field(description="the kind of change")
    where: str = Field(description="the section or definition that it is in")
    place: Place = Field(description="where it is")
    change: str = Field(description="what it changes into what")
    rules: Cited
    outcome: str = Field(description="killed, survived, refused or unchanged")
    by: str = Field(
        description="the scenario that killed it, or the code of the error that refused it; empty without one"
    )
    scenarios_run: int = Field(ge=0, description="how many scenarios were run")
    equivalent: str | None = Field(
        description="the reason for which it is listed as equivalent; null where it is not listed"
    )


class Mutation(RulesHeader):
    """Changes of the rules that no scenario notices: `croupier mutate`."""

    seed: Seed
    interrupted: Interrupted
    scenarios: int = Field(ge=0, description="how many scenarios there are")
    operators: dict[str, str] = Field(description="the kinds of changes, each with what it does")
    mutants: int = Field(ge=0, description="how many mutants there are")
    tried: int = Field(ge=0, description="how many of them were tried")
    counts: MutantCounts = Field(description="what became of them")
    score: float | None = Field(
        ge=0,
        le=1,
        description="killed of all not listed as equivalent, from 0 to 1; null where none of these was tried",
    )
    score_interval: list[float] | None = Field(
        description="the ends of Wilson's 95 % interval of the score of all mutants, of a random sample of "
        "them; null where all were to be tried, or it was interrupted"
    )
    by_operator: dict[str, MutantCounts] = Field(description="what became of the mutants of each kind")
    stale: list[str] = Field(description="ids in `mutants.csv` that are no mutants, or have no reason")
    killed_though_listed: list[str] = Field(
        description="ids of mutants that are listed as equivalent, and a scenario notices them"
    )
    results: list[Mutant] = Field(description="the mutants that were tried")
    timing: Timing = Field(description="what differs between two calls that are equal")


# ------------------------------------------------------------ explain-move
class Clause(Part):
    """A clause that offers a move, lets it pass or forbids it."""

    kind: str = Field(description="what kind of clause it is, such as turn, condition, option or reaction")
    words: str = Field(description="the clause in words; of a condition the author's own")
    rules: Cited
    supposed: str = Field(description="what a `suppose` in it found, in words; empty without one")
    place: Place | None = Field(description="where it is; null for what the rules say as a whole")


class Happening(Part):
    """Something that happened."""

    text: str = Field(description="what happened, in words; players in it count from 1")
    parts: TextParts
    kind: str = Field(description="decision, chance, move, state, show, tell, say, group, phase or end")
    rules: Cited
    place: Place | None = Field(description="the clause that it follows from")


class MoveExplanation(RulesHeader):
    """The reason why a move is not legal, or its effects: `croupier explain-move`."""

    parameters: Parameters
    players: Players
    at: int = Field(ge=0, description="the number of actions before the position")
    seat: int = Field(ge=-1, description="the seat that would move, from 0; -1 for chance")
    label: str = Field(description="the move in words")
    legal: bool = Field(description="whether it is legal")
    known: bool = Field(description="whether anything that the decision is about is called so")
    forbidden: list[Clause] = Field(description="the clauses that forbid it; empty for a legal move")
    decision: Clause | None = Field(description="the clause that asks")
    passed: list[Clause] = Field(description="the option of a menu and the conditions that it meets")
    events: list[Happening] = Field(
        description="what happens up to the next decision; empty for a move that is not legal"
    )
    offered: list[str] = Field(description="the legal moves in words")
