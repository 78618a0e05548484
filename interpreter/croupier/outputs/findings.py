"""The outputs about files: those of `check`, `diff`, `explain`, `list`, `cache`, `tables` and `test`, and the
errors of every command.
"""

from typing import Annotated, TypeAlias

from pydantic import Field, JsonValue

from croupier.outputs.header import Header, Interrupted, Part


class Place(Part):
    """The place where something begins in a file."""

    file: str = Field(description="the name of the file, as it was given")
    line: int = Field(ge=1, description="the line, from 1")
    column: int = Field(ge=1, description="the column, from 1, in code points")


class Stretch(Part):
    """A stretch of a file, from its beginning to its end."""

    file: str = Field(description="the name of the file, as it was given")
    line: int = Field(ge=1, description="the line of its beginning, from 1")
    column: int = Field(ge=1, description="the column of its beginning, from 1, in code points")
    end_line: int = Field(ge=1, description="the line of its end, from 1")
    end_column: int = Field(ge=1, description="the column behind its end, from 1, in code points")


# ------------------------------------------------------------ check
class Label(Part):
    """A second place."""

    place: Stretch | None = Field(description="where it is")
    text: str = Field(description="what is there, in words")


class Fix(Part):
    """A change of the text."""

    title: str = Field(description="what it does, in words")
    safe: bool = Field(description="whether `croupier check --fix` applies it")
    place: Stretch | None = Field(description="what is replaced")
    replacement: str = Field(description="the text that comes there, exactly")


class Finding(Part):
    """A diagnostic: a mistake, or a warning."""

    code: str = Field(description="its code, such as Y301: `croupier explain CODE` tells more")
    name: str = Field(description="its name, such as duplicate-key")
    severity: str = Field(description="`error` or `warning`")
    message: str = Field(description="what is wrong, in words")
    place: Stretch | None = Field(description="where it is; null where it is nowhere in a file")
    labels: list[Label] = Field(description="second places")
    notes: list[str] = Field(description="what else there is to know")
    help: str | None = Field(description="what helps, in words")
    fix: Fix | None = Field(description="a change of the text that helps")


class Check(Header):
    """The findings in rulesets: `croupier check`."""

    checked: list[str] = Field(description="what was checked: names and files, as they were given")
    errors: int = Field(ge=0, description="how many findings are errors")
    warnings: int = Field(ge=0, description="how many findings are warnings")
    findings: list[Finding] = Field(description="what was found, in the order of the files")


# ------------------------------------------------------------ errors
class UsageError(Part):
    """A mistake of the command line."""

    message: str = Field(description="what is wrong, in words")
    option: str | None = Field(
        description="the option or argument that is wrong; null where it is none of them"
    )


class Errors(Header):
    """The reason why a command failed: on stderr, of every command with `--format json` or `jsonl`."""

    command: str | None = Field(description="the command; null where it is unknown")
    exit_code: int = Field(ge=0, le=255, description="the exit code of the process")
    kind: str = Field(
        description="`usage`, `refused`, `problems`, `interrupted`, `output` (it cannot be written) or `bug`"
    )
    message: str = Field(description="what went wrong, in words")
    usage: UsageError | None = Field(description="the mistake of the command line; null where there is none")
    findings: list[Finding] = Field(
        description="the diagnostics, as `croupier check` gives them; empty where there are none"
    )
    notes: list[str] = Field(description="what was said, a line each")


# ------------------------------------------------------------ diff
class ComparedRuleset(Part):
    """One of the two rulesets of `diff`."""

    name: str = Field(description="the ruleset, as it was given")
    hash: str | None = Field(
        description="SHA-256 of its rules, 64 hexadecimal digits; null where it does not check"
    )


class Difference(Part):
    """Something that differs."""

    kind: str = Field(description="`added`, `removed` or `changed`")
    section: str = Field(description="the section of the ruleset")
    name: str = Field(description="what differs in it; empty for the section itself")
    part: str | None = Field(description="the part of it that differs; null for all of it")
    before: str | None = Field(description="the text in A; null where there is none")
    after: str | None = Field(description="the text in B; null where there is none")
    before_place: Place | None = Field(description="where it stands in A")
    after_place: Place | None = Field(description="where it stands in B")
    words: str = Field(description="the difference in words")


class Clause(Part):
    """A clause of the rules."""

    place: Place = Field(description="where it is")
    text: str = Field(description="the line in which it begins")


class ActingDifference(Difference):
    """Something that differs, and in how many scenarios it acts."""

    acted: int = Field(ge=0, description="in how many scenarios of the game it acts, those that hold, too")
    likeliest: int = Field(
        ge=0, description="of how many scenarios that do not hold it is the likeliest reason"
    )


class ScenarioUnder(Part):
    """A scenario of a game, played by the rules of a variant."""

    file: str = Field(description="its file")
    line: int = Field(ge=1, description="the line of its id, from 1")
    id: str = Field(description="its id")
    title: str | None = Field(description="its title")
    outcome: str = Field(
        description="`holds`, `differs`, `not set up`, or `fails anyway` if it fails in the game itself, too"
    )
    reason: str = Field(description="the first thing that is otherwise, in words; empty where it holds")
    findings: list[str] = Field(description="the codes of all that is otherwise")
    changes: list[int] = Field(
        description="which of `changes` act in it, by their places from 0, the likeliest reason first"
    )
    acts: list[Clause] = Field(
        description="clauses that act, and that only the variant has or that name what is changed; 3 at most"
    )
    does_not_act: list[Clause] = Field(
        description="clauses that act in the game and do not under the variant; 3 at most"
    )


class Under(Header):
    """The scenarios of a game by the rules of a variant: `croupier test --under`."""

    game: str = Field(description="the game, as it was given")
    under: str = Field(description="the variant")
    total: int = Field(ge=0, description="how many scenarios the game has")
    hold: int = Field(ge=0, description="how many hold under the variant")
    differ: int = Field(ge=0, description="how many differ")
    not_set_up: int = Field(ge=0, description="how many cannot be set up by the rules of the variant")
    fail_anyway: int = Field(ge=0, description="how many fail in the game itself, too")
    changes: list[ActingDifference] = Field(
        description="what the variant changes, as `croupier diff` tells it"
    )
    scenarios: list[ScenarioUnder] = Field(description="the scenarios, in order")


class DifferenceInDetail(Difference):
    """Something that differs, with what it says and reaches."""

    says: list[str] = Field(
        description="of what was added: its explanation and the sentences of the rules that it cites, or its "
        "steps in words"
    )
    reaches: list[str] = Field(
        description="the definitions, phases, powers and other passages that use what it is about, in words"
    )
    rules: list[str] = Field(description="the ids of the rules that it cites, in A or B")
    cited_by: list[str] = Field(description="the ids of the scenarios of A that cite one of `rules`")
    acts_in: list[str] | None = Field(
        description="the scenarios in which it acts and that do not hold by the rules of B; null without "
        "`--under`"
    )


class UnderFigures(Part):
    """The scenarios of one ruleset by the rules of another."""

    total: int = Field(ge=0, description="how many scenarios there are")
    hold: int = Field(ge=0, description="how many hold")
    differ: int = Field(ge=0, description="how many differ")
    not_set_up: int = Field(ge=0, description="how many cannot be set up")
    fail_anyway: int = Field(ge=0, description="how many fail by their own rules, too")


class Diff(Header):
    """The differences between two rulesets: `croupier diff`."""

    a: ComparedRuleset = Field(description="the first ruleset")
    b: ComparedRuleset = Field(description="the second ruleset")
    under: UnderFigures | None = Field(
        description="the scenarios of A by the rules of B; null without `--under`"
    )
    differences: list[DifferenceInDetail] = Field(description="what differs, in the order of the sections")


# ------------------------------------------------------------ explain
class Entry(Part):
    """A diagnostic of the catalogue."""

    code: str = Field(description="its code")
    name: str = Field(description="its name")
    severity: str = Field(description="`error` or `warning`")
    message: str = Field(description="its message, with what is filled in in braces")
    help: str | None = Field(description="what helps")
    fix: str | None = Field(description="`automatic` or `by-hand`; null without a fix")
    explanation: str = Field(description="what is wrong and why, or how to mend it")
    bad: str = Field(description="a wrong example; empty without one")
    good: str = Field(description="a right example; empty without one")


class Catalogue(Header):
    """Diagnostics at length: `croupier explain`."""

    diagnostics: list[Entry] = Field(description="the diagnostic that was asked for, or all of them")


# ------------------------------------------------------------ list
class ListedParameter(Part):
    """A parameter of a ruleset."""

    name: str = Field(description="its name")
    type: str = Field(description="its type, in words")
    default: JsonValue = Field(description="its value where none is given, as JSON")
    doc: str = Field(description="what it is for")
    variants: dict[str, list[str]] = Field(
        description="the variants that it switches on, by its value; empty where it switches none"
    )


class ListedRuleset(Part):
    """A ruleset that comes with croupier."""

    name: str = Field(description="its name")
    variant_of: str | None = Field(
        description="the ruleset that a variant belongs to; null for a ruleset of its own"
    )
    title: str | None = Field(description="its title; null where it does not check")
    players: list[int] = Field(description="the numbers of players that its defaults admit, rising")
    default_players: int | None = Field(description="how many play unless said; null where it does not check")
    parameters: list[ListedParameter] = Field(description="its parameters")
    lines: int = Field(ge=0, description="the length of its file, in lines")
    clean: bool = Field(description="whether it checks")


class Listing(Header):
    """The rulesets that come with croupier: `croupier list`."""

    rulesets: list[ListedRuleset] = Field(description="the rulesets, each with its variants behind it")
    modules: list[str] = Field(description="the modules for `uses`")


# ------------------------------------------------------------ cache
class Kept(Part):
    """The entries of one kind that are kept."""

    entries: int = Field(ge=0, description="how many there are")
    bytes: int = Field(ge=0, description="their size, in bytes")


class Cache(Header):
    """The folder that croupier keeps between runs: `croupier cache`."""

    folder: str | None = Field(description="the folder; null where the cache is off")
    kept: dict[str, Kept] = Field(
        description="what is kept, by its kind: `native` (compiled objects) and `verdicts` (what `check` "
        "found)"
    )


# ------------------------------------------------------------ tables
class StoredTable(Part):
    """A table of a server."""

    id: str = Field(description="its id, which stands in its links")
    ruleset: str = Field(description="the ruleset, as the server was given it")
    variants: list[str] = Field(description="the names of its variants")
    players: int = Field(ge=1, description="the number of players")
    names: list[str] = Field(description="the names of the players, by seat; empty for one without a name")
    made: str = Field(description="when it was made: date and time in ISO 8601, in UTC")
    used: str = Field(description="when somebody used it last: date and time in ISO 8601, in UTC")
    played: bool = Field(description="whether a person has chosen anything there")
    over: bool = Field(description="whether its game is over")


class UnsavedTable(Part):
    """A table whose game could not be saved."""

    id: str = Field(description="its id")
    reason: str = Field(description="why, in words")


class StoredTables(Header):
    """The tables in the file of a server: `croupier tables`."""

    store: str = Field(description="the file, as it was given")
    tables: list[StoredTable] = Field(
        description="those that are meant, the one first that was used longest ago"
    )
    saved: dict[str, str] = Field(description="the file of each saved game, by the id of its table")
    unsaved: list[UnsavedTable] = Field(description="the tables whose games could not be saved")
    removed: list[str] = Field(description="the ids of the tables that were removed")
    in_use: list[str] = Field(
        description="the ids of those that were not removed because people use them: the game is not over, "
        "and somebody used the table within the last day"
    )


# ------------------------------------------------------------ test
class ScenarioOutcome(Part):
    """A scenario that was run."""

    file: str = Field(description="its file")
    id: str = Field(description="its id")
    title: str | None = Field(description="its title")
    passed: bool = Field(description="whether it passed")
    message: str = Field(description="what differs, in words; empty where it passed")
    story: list[str] = Field(description="what happened, a line each; empty where it passed")


class ScenarioTiming(Part):
    """The durations of the scenarios."""

    seconds: float = Field(ge=0, description="how long all took together, in seconds")
    scenarios: list[float] = Field(description="how long each took, in seconds, in the order of `scenarios`")


Passed: TypeAlias = Annotated[int, Field(ge=0, description="how many passed")]


class Scenarios(Header):
    """Scenarios that were run: `croupier test`."""

    tested: list[str] = Field(description="the rulesets and files whose scenarios were run")
    interrupted: Interrupted
    passed: Passed
    failed: int = Field(ge=0, description="how many failed")
    scenarios: list[ScenarioOutcome] = Field(description="the scenarios, in order")
    timing: ScenarioTiming = Field(description="what differs between two calls that are equal")
