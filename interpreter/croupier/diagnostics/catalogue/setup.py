"""Codes G: games that cannot be set up."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    Entry(
        'G001',
        'value missing',
        '`{name}` has no value for `{column}`',
        'Every row gives every attribute a value.',
    ),
    Entry(
        'G002',
        'not a finite type',
        '`{name}` is `{given}`: its values cannot be listed',
        'A product of attributes and the fields of a claim need types with few values.',
    ),
    Entry(
        'G003',
        'attributes missing',
        '`{name}` says not how these get their values: {missing}',
        'Components come from `each`, `ids`, `table` or `count`; each attribute needs a value.',
    ),
    Entry(
        'G004',
        'size missing',
        'board `{name}` is a {shape} and needs `{missing}`',
        'The shape of a board says which sizes it has.',
    ),
    Entry(
        'G005',
        'start missing',
        'state `{name}` needs a start value of type `{type}`',
        'Only optionals, lists, bool and numbers that may be 0 have a start of their own.',
        help='add `= …`',
    ),
    Entry(
        'G006',
        'capacity missing',
        'state `{name}` is `{type}` and needs a capacity',
        'Every list in state says how much it may hold.',
        help='write `list of T up to n`',
    ),
    Entry(
        'G010',
        'unknown parameter',
        'there is no parameter called `{name}`',
        'Parameters are listed by `croupier list` and in the ruleset.',
    ),
    Entry(
        'G011',
        'parameter out of range',
        '`{value}` is not a value of parameter `{name}`',
        'The parameter is of type {type}.',
    ),
    Entry(
        'G012',
        'number of players',
        '{title} is for {wanted} players, not {given}',
        'The ruleset says for how many players it is.',
    ),
    Entry(
        'G013',
        'refused combination',
        'parameter `{name}` = {value} is refused here',
        'The ruleset states a condition that these parameters and this number of players do not meet.',
    ),
    Entry(
        'G014',
        'too many components',
        '`{name}` would have {count} components, more than {limit}',
        'Games have limits, so that setting one up never takes long.',
    ),
    Entry(
        'G015',
        'too many cells',
        'board `{name}` would have {count} cells, more than {limit}',
        'Games have limits, so that setting one up never takes long.',
    ),
    Entry(
        'G016',
        'too large',
        '`{name}` would need {count} entries, more than {limit}',
        'Games have limits, so that setting one up never takes long.',
    ),
    Entry(
        'G017',
        'set-up',
        'the game cannot be set up: {reason}',
        'An expression of the set-up failed for these parameters.',
    ),
    Entry(
        'G018',
        'label twice',
        'two components are called `{label}`',
        'Labels name components in actions and scenarios.',
    ),
    Entry(
        "G019",
        "in two zones",
        "`{label}` begins in two zones, one of them `{zone}`",
        "A component is in exactly one zone.",
    ),
    Entry(
        "G020",
        "call at set-up",
        "definitions cannot be called at set-up",
        "Sizes and start values are worked out before the rules are read.",
    ),
    Entry(
        "G021",
        "default missing",
        "parameter `{name}` has no value",
        "A parameter without a default must be set.",
    ),
)
