"""Codes R: rules that fault while a game runs."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    Entry(
        'R001',
        'there is none',
        'there is no value here',
        '`!` insisted on a value, but there was none.',
    ),
    Entry(
        'R002',
        'out of range',
        '{value} is not in {type}',
        'A value was put into a place with a narrower type.',
    ),
    Entry(
        'R003',
        'division by zero',
        'division by zero',
        'The divisor was zero.',
    ),
    Entry(
        'R004',
        'number too large',
        'the number is too large',
        'Numbers lie between -2^53 and 2^53.',
    ),
    Entry(
        'R005',
        'no such element',
        'there is no element {index} in a list of {size}',
        'Indices count from 1 to the size.',
    ),
    Entry(
        'R006',
        'zone is full',
        '`{zone}` holds at most {capacity}',
        'A component was moved into a full zone.',
    ),
    Entry(
        'R007',
        'no options',
        'there is nothing to choose here',
        'A choice that must be made had no option, and no `else`. Say what then happens with an `else:` below the options, or let it be left out with'
        ' `may choose`; or let nobody come there who has nothing to choose: `if not hand[p].empty:` before it. Of several, `choose 0..2 cs …` asks'
        ' for no more than there are. A chance event with nothing to fall is the same mistake.',
    ),
    Entry(
        'R008',
        'unordered',
        'the order of `{zone}` is not known: it was shuffled',
        'The order of a shuffled pile may not be read; `draw` takes from its top, by chance. Where all of a pile is shuffled, each of its components'
        ' is as likely to be the lowest: `choose c from deck by chance`, then `move c to …`. That is not so if something was put on or under it'
        ' since: what is to come from below then needs a pile of its own.',
        help='draw from it, or let chance choose one of it',
    ),
    Entry(
        'R009',
        'no end',
        'the rules came to their end without a result',
        'The last phase ended and nothing said `finish`.',
    ),
    Entry(
        'R010',
        'out of fuel',
        'this action takes more than {limit} steps',
        'One action may not run forever. A loop without end is one reason. The other is a look-ahead: what `so that` tries counts, and it tries every'
        ' order of the same choices, so that a few kinds to choose from make many ways. Let the block ask for one thing after the other, or see with'
        ' a condition before it whether there can be a way. `limits: {fuel: …}` allows more steps, up to 10,000,000.',
        help='is there a loop without end? what a look-ahead tries counts, too',
    ),
    Entry(
        'R011',
        'nested too deeply',
        '`{name}` is nested more than {limit} deep',
        'A circle of calls has the bound that its definition declares.',
    ),
    Entry(
        'R012',
        'capacity',
        'the list holds at most {capacity}',
        'A list was extended beyond its capacity.',
    ),
    Entry(
        'R013',
        'weight',
        'a weight may not be negative, and one must be positive',
        'Chance needs weights.',
    ),
    Entry(
        'R014',
        'key missing',
        'there is no entry for {key}',
        'The map has no value for this key.',
    ),
    Entry(
        'R015',
        'not this kind',
        'this component is not `{wanted}`',
        'The zone or place is for another kind of component.',
    ),
    Entry(
        'R016',
        'too many options',
        'there are more than {limit} options',
        'A choice would have more options than anybody could read.',
    ),
    Entry(
        'R017',
        'watchers',
        'the watchers set each other off without end',
        'Watchers are run until nothing changes, but only as many rounds as there are watchers.',
    ),
    Entry(
        'R018',
        'search',
        'the look-ahead would examine more than {limit} positions',
        'Look-ahead has a limit.',
    ),
    Entry(
        'R019',
        'look-ahead',
        '{what} inside a look-ahead',
        'A look-ahead sees decisions of one player only, no chance and no others. What another player decides in a `so that` of their own is theirs:'
        ' the look-ahead ends there.',
    ),
    Entry(
        'R020',
        'invariant',
        'invariant `{name}` does not hold',
        'What the ruleset says is always true was not. Invariants are tested after every decision and every chance event:'
        ' after each card of a deal, too.',
    ),
    Entry(
        "R022",
        "no such component",
        "there is no component called `{label}`",
        "Components are named by their labels.",
    ),
    Entry(
        "R023",
        "calls too deep",
        "`{name}` is called too deep inside other calls",
        "Definitions may call definitions, but not without end: the texts of all that have begun and not ended may be nested only so deep together."
        " Each statement in a block and each part of an expression is one deeper than what it stands in.",
    ),
    Entry(
        "R025",
        "look-ahead too long",
        "the look-ahead goes on for more than {limit} decisions",
        "A look-ahead that says `within n` looks at most n decisions ahead, and what lies beyond does not count. One that does not say it has to end,"
        " one way or another, after a number of decisions that can be searched.",
        help="add `within n` after the condition",
    ),
    Entry(
        "R026",
        "turns of nobody",
        "there is nobody to take turns",
        "`turns(ps)` goes round the players of a list without end. Where the list is empty nobody is ever next.",
        help="test that somebody is left before the loop",
    ),
    Entry(
        "R024",
        "in no zone",
        "`{label}` is in no zone",
        "Components change places only where both lie in a zone. A component that begins in no zone, because no zone has a `start` that includes it,"
        " comes into play by a `move`.",
    ),
)
