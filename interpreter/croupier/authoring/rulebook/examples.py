"""The tested examples of a rulebook.

Worked examples are the scenarios that a ruleset marks as such, played while the book is written, so that
every example in it is tested. An example stands at the end of the part of the book that tells the first rule
it is about; a part takes a few of them, the first in the files.
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
    TextRun,
    line,
)
from croupier.authoring.rulebook.wording import (
    listed,
    name,
    prose,
    value,
)
from croupier.diagnostics import RulesetError
from croupier.narration import Names, narrate
from croupier.ruleset import Ruleset
from croupier.scenarios.api import EXAMPLE, scenarios_of
from croupier.scenarios.document import Expectation, Given, Scenario, ScenarioStep
from croupier.scenarios.running import ScenarioRunner, Stopped
from croupier.scenarios.settings import Games, Setting, merge_settings
from croupier.semantics.context import between
from croupier.source import YamlScalar, YamlSequence
from croupier.syntax.phrases import phrase_of

MAX_EXAMPLES = 2
AGREED = "Only if agreed on: "
# of what happens in one example; a longer one is a test, and no example to read
MAX_LINES, MAX_LETTERS = 12, 1200


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
    those that pass there.
    """
    try:
        opened = scenarios_of(path)
    except RulesetError:
        return
    for file in opened:
        if file.document is None or file.found:
            continue
        runner = ScenarioRunner(ruleset, games, file.document.given, file.document.chance is not None)
        for scenario in file.document.scenarios:
            marked = (
                scenario.example.value
                if scenario.example is not None
                else scenario.id.text.startswith(EXAMPLE)
            )
            if marked and scenario.do and scenario.title is not None and not runner.run(scenario):
                yield from _example(runner, file.document.given, scenario)
            runner.earlier[scenario.id.text] = scenario


def placed(document: Document, examples: Sequence[Example]) -> Document:
    """The document with each example at the end of the part whose rules it is about."""
    waiting = list(examples)
    out: list[Block] = []
    due: list[Example] = []
    for block in document:
        if isinstance(block, HeadingBlock):
            out += due
            due = []
        out.append(block)
        if isinstance(block, ListBlock) and block.kind == "rules":
            here = {item.line[0].text for item in block.items}
            about = sorted((e for e in waiting if e.rules and e.rules[0] in here), key=lambda e: e.is_agreed)
            waiting = [e for e in waiting if e not in about]
            for example in about[:MAX_EXAMPLES]:
                # what it goes on from is read first
                before = [e for e in waiting if e.title == example.after]
                waiting = [e for e in waiting if e not in before]
                due += [*before, example]
    return (*out, *due)


def _example(runner: ScenarioRunner, file: Given | None, scenario: Scenario) -> Iterator[Example]:
    """The scenario as an example; nothing if it does not pass, or tells nothing."""
    try:
        setting = merge_settings(file, scenario.given, scenario.id.span)
        player = runner.reach(scenario)
        before = len(player.state.events(None))
        player.play(scenario.do)
        player.settle(scenario.id.span)
    except (RulesetError, Stopped):
        return
    names = Names(player.context.seats.names)
    players = player.state.players
    happened = narrate(player.state.events(None)[before:], players=players)
    lines = [line(names(told.text)) for told in happened if told.text]
    refused = [_refused(step) for step in scenario.do if step.kind == "refused"]
    course = (*lines, *refused)
    is_short = len(course) <= MAX_LINES and sum(len(run.text) for one in course for run in one) <= MAX_LETTERS
    if course and is_short and not player.found:
        title = scenario.title.text if scenario.title is not None else scenario.id.text
        base = runner.earlier.get(setting.after.text) if setting.after is not None else None
        after = prose(base.title.text) if base is not None and base.title is not None else None
        given = [
            *([line(f"Goes on after: {after}")] if after is not None else []),
            *_given(runner.ruleset, setting),
        ]
        is_agreed = any(run.text == AGREED for one in given for run in one)
        # a variant may have removed one
        rules = tuple(id for id in _ids(scenario) if id in runner.ruleset.rule_ids)
        yield Example(
            prose(title), tuple(given), tuple(course), tuple(_result(scenario.then)), rules, after, is_agreed
        )


def _ids(scenario: Scenario) -> tuple[str, ...]:
    ids: list[str] = []
    for cite in scenario.cites:
        first, _, last = cite.text.partition("..")
        ids += between(
            first, (last if not last or "-" in last else first.rsplit("-", 1)[0] + "-" + last) or None
        ) or [cite.text]
    return tuple(dict.fromkeys(ids))


def _given(ruleset: Ruleset, setting: Setting) -> Iterator[Line]:
    """Yield the beginning of an example, as far as its scenario says it; first what holds only if players
    agree on it.
    """
    usual = ruleset.defaults(ruleset.default_players) if setting.parameters else {}
    for key, node in setting.parameters:
        agreed = not isinstance(node, YamlScalar) or node.value != usual.get(key.text)
        yield line(*([TextRun(AGREED, "strong")] if agreed else []), f"{name(key.text)}: {value(node)}")
    for key, node in setting.zones:
        yield line(TextRun(name(key.text), "em"), f": {value(node)}")
    for key, node in setting.state:
        yield line(TextRun(name(key.text), "em"), f": {value(node)}")


def _refused(step: ScenarioStep) -> Line:
    """An action that is not allowed, with the reason that the scenario names."""
    tried = [f"{who.text}: {value(node)}" for who, node in step.choices]
    because = f" (only if {step.because.text})" if step.because is not None else ""
    return line("Not allowed: ", listed(tried), because, ".")


def _result(then: Expectation | None) -> Iterator[Line]:
    """Yield the position at the end, as far as its scenario says it."""
    if then is None:
        return
    for key, shown in (*then.zones, *then.state):
        yield line(TextRun(name(key.text), "em"), f": {value(shown)}")
    if not then.zones and not then.state:
        facts = (phrase_of(fact.text) for fact in then.facts)
        yield from (line(words) for words in facts if words is not None and " (" not in words)
    if then.acts is not None:
        who = [
            item.text
            for item in (then.acts.items if isinstance(then.acts, YamlSequence) else (then.acts,))
            if isinstance(item, YamlScalar)
        ]
        yield line(f"to act: {listed(who)}")
    if then.outcome is not None:
        for word, node in (("winners", then.outcome.winners), ("scores", then.outcome.scores)):
            if node is not None:
                yield line(TextRun(word, "em"), f": {value(node)}")
        if then.outcome.grade is not None:
            yield line(TextRun("grade", "em"), f": {then.outcome.grade.text}")
