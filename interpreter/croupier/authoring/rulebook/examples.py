"""The tested examples of a rulebook.

Worked examples are the scenarios that a ruleset marks as such, played while the book is written, so that
every example in it is tested. One that holds with the usual options, too, is played with these; it stands at
the end of the part of the book that tells the first rule it is about, and a part takes a few of them, the
first in the files. One that holds only with other options stands where these are told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from croupier.authoring.rulebook.document import (
    Block,
    Document,
    Example,
    HeadingBlock,
    Line,
    ListBlock,
    line,
)
from croupier.authoring.rulebook.moments import differing, moment_of
from croupier.authoring.rulebook.played import is_readable, told_by_log
from croupier.authoring.rulebook.rule_sentences import ids_of
from croupier.authoring.rulebook.wording import listed, name, prose, value
from croupier.diagnostics import RulesetError
from croupier.narration import Names
from croupier.ruleset import Ruleset
from croupier.scenarios.actions import refusal
from croupier.scenarios.api import EXAMPLE, scenarios_of
from croupier.scenarios.document import Given, Scenario, ScenarioStep
from croupier.scenarios.running import ScenarioRunner, StepRunner, Stopped
from croupier.scenarios.settings import Games, Setting, merge_settings
from croupier.source import YamlScalar

MAX_EXAMPLES = 2


def examples_of(ruleset: Ruleset) -> list[Example]:
    """Return the examples of a ruleset, in the order of its scenario files, without files that cannot be read
    and scenarios that do not run.

    Of a variant, its own come first, which are new, and then those of what it extends, as far as they hold in
    it.
    """
    doc = ruleset.program.resolved
    files = dict.fromkeys(
        (doc.path, *(layer.loaded.place.path for layer in reversed(doc.layers)), doc.origin.path)
    )
    games = Games(ruleset, traced=False)
    found: list[Example] = []
    for path in files:
        for example in _examples_in(path, ruleset, games):
            is_own = doc.base is not None and path != doc.origin.path
            found.append(replace(example, is_new=is_own))
    return found


def _examples_in(path: Path, ruleset: Ruleset, games: Games) -> Iterator[Example]:
    """The scenarios of a ruleset or variant that are marked as examples, as they are played in `ruleset`:
    those that pass there, with the usual options if they pass with these.
    """
    try:
        opened = scenarios_of(path)
    except RulesetError:
        return
    for file in opened:
        if file.document is None or file.found:
            continue
        first_chance = file.document.chance is not None
        given = file.document.given
        runner = ScenarioRunner(ruleset, games, given, first_chance)
        usual = ScenarioRunner(ruleset, games, _without_options(given), first_chance)
        for scenario in file.document.scenarios:
            plain = scenario.model_copy(update={"given": _without_options(scenario.given)})
            marked = (
                scenario.example.value
                if scenario.example is not None
                else scenario.id.text.startswith(EXAMPLE)
            )
            if marked and scenario.do and scenario.title is not None:
                if not usual.run(plain):
                    yield from _example(usual, usual.given, plain)
                elif not runner.run(scenario):
                    yield from _example(runner, given, scenario)
            runner.earlier[scenario.id.text] = scenario
            usual.earlier[scenario.id.text] = plain


def _without_options(given: Given | None) -> Given | None:
    """The beginning of a scenario with the usual options."""
    return None if given is None else given.model_copy(update={"parameters": ()})


def placed(document: Document, examples: Sequence[Example], options: str) -> Document:
    """The document with each example at the end of the part whose rules it is about; those that are about
    something agreed stand in the section `options`, one for each agreement.
    """
    agreed = {example.agreed: example for example in reversed(examples) if example.agreed}
    waiting = [example for example in examples if not example.agreed]
    shown: set[str] = set()
    out: list[Block] = []
    due: list[Example] = []
    section = ""
    for block in document:
        if isinstance(block, HeadingBlock):
            if block.level <= 2:
                due += [agreed[key] for key in reversed(agreed)] if section == options else []
                section = block.text
            out += _going_on(due, shown)
            due = []
        out.append(block)
        if isinstance(block, ListBlock) and block.kind == "rules":
            here = {item.line[0].text for item in block.items}
            about = [e for e in waiting if e.rules and e.rules[0] in here]
            waiting = [e for e in waiting if e not in about]
            for example in about[:MAX_EXAMPLES]:
                # what it goes on from is read first
                before = [e for e in waiting if e.title == example.goes_on]
                waiting = [e for e in waiting if e not in before]
                due += [*before, example]
    due += [agreed[key] for key in reversed(agreed)] if section == options else []
    return (*out, *_going_on(due, shown))


def _going_on(examples: Sequence[Example], shown: set[str]) -> Iterator[Example]:
    """The examples, each going on from another only if that stands in the book; notes them in `shown`."""
    for example in examples:
        yield example if example.goes_on in shown else replace(example, goes_on=None)
        shown.add(example.title)


def _example(runner: ScenarioRunner, file: Given | None, scenario: Scenario) -> Iterator[Example]:
    """The scenario as an example; nothing if it does not pass, tells nothing, or is long."""
    try:
        setting = merge_settings(file, scenario.given, scenario.id.span)
        player = runner.reach(scenario)
        before = moment_of(player.state)
        course = tuple(_course(player, scenario))
    except (RulesetError, Stopped):
        return
    names = Names(player.context.seats.names)
    if not course or player.found or not is_readable(course):
        return
    after = moment_of(player.state)
    changed = differing(before, after)
    given = [key.text for key, _ in (*setting.zones, *setting.state)]
    at_first = before.shown(changed | before.keys_of(given), names, after)
    then = after.shown(changed, names, before)
    base = runner.earlier.get(setting.after.text) if setting.after is not None else None
    yield Example(
        prose(scenario.title.text if scenario.title is not None else scenario.id.text),
        at_first.lines,
        course,
        then.lines,
        # a variant may have removed one
        tuple(id for id in ids_of(scenario.cites) if id in runner.ruleset.rule_ids),
        prose(base.title.text) if base is not None and base.title is not None else None,
        tuple(_agreed(runner.ruleset, setting)),
        at_first.picture,
        then.picture,
    )


def _course(player: StepRunner, scenario: Scenario) -> Iterator[Line]:
    """Take the steps of a scenario, and yield what the log tells, and what is not allowed, in order.

    Raises `RulesetError` and `Stopped`.
    """
    names, players = Names(player.context.seats.names), player.state.players
    known = len(player.state.events(None))
    refused: list[Line] = []
    for step in scenario.do:
        player.play((step,))
        if step.kind == "refused":
            events = player.state.events(None)
            happened = told_by_log(events[known:], players, names)
            known = len(events)
            refused = [] if happened else refused
            yield from happened
            if (told := _refused(step, player)) not in refused:
                refused.append(told)
                yield told
    player.settle(scenario.id.span)
    yield from told_by_log(player.state.events(None)[known:], players, names)


def _agreed(ruleset: Ruleset, setting: Setting) -> Iterator[tuple[str, str]]:
    """Yield what players must agree on for a scenario, in words."""
    usual = ruleset.defaults(ruleset.default_players) if setting.parameters else {}
    for key, node in setting.parameters:
        if not isinstance(node, YamlScalar) or node.value != usual.get(key.text):
            yield name(key.text), value(node)


def _refused(step: ScenarioStep, player: StepRunner) -> Line:
    """An action that is not allowed, with the reason that the scenario names, or those that the rules name
    where the player is to decide.
    """
    said: list[str] = []
    tried: list[str] = []
    for who, node in step.choices:
        tried.append(f"for {who.text}: “{value(node)}”")
        seat = player.context.seats.seat(who.text, who.span)
        if step.because is None and seat in player.state.pending_seats():
            why = refusal(player.state, seat, node, player.context)
            said += (clause.words for clause in why.clauses if clause.kind == "condition")
    reasons = list(dict.fromkeys(said)) if step.because is None else [step.because.text]
    because = f", for this is allowed only if {listed(reasons)}" if reasons else ""
    return line("Not allowed ", listed(tried), because, ".")
