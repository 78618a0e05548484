"""Codes N: names that mean nothing, or two things."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    Entry(
        'N001',
        'unknown name',
        'there is no {kind} called `{name}`',
        'Every name is declared somewhere: in a section of the ruleset, as a parameter of a definition, or by `let`, `var`, `for`, `choose`.',
    ),
    Entry(
        'N002',
        'unknown attribute',
        '`{type}` has no `{name}`',
        'After a dot stand the attributes and methods of the kind of value before it.',
    ),
    Entry(
        'N003',
        'unknown type',
        'there is no type called `{name}`',
        'Types are `bool`, `int`, `a..b`, `Player`, enumerations, records, components, cells, and `list of`, `set of`, `bag of`, `T?`, `T per K`.',
    ),
    Entry(
        'N004',
        'declared twice',
        'there is already a {kind} called `{name}`',
        'A name stands for one thing.',
        help='choose another name',
    ),
    Entry(
        'N005',
        'hidden name',
        '`{name}` already names {other}',
        'A local may not hide anything: whoever reads the rule would think of the other.',
        help='choose another name',
    ),
    Entry(
        'N006',
        'unknown function',
        'there is no definition or function called `{name}`',
        'Functions are built in or defined by the ruleset with `def`.',
    ),
    Entry(
        'N007',
        'ambiguous value',
        'several types have a value `{name}`',
        'Where nothing says which type is meant, the type is written before the value.',
    ),
    Entry(
        'N008',
        'unknown rule',
        'the rule list has no `{name}`',
        'Citations name rules of the rule list (`rule_list:`).',
    ),
    Entry(
        'N009',
        'unknown argument',
        '`{of}` has no parameter `{name}`',
        'Arguments may be given by name: `Bid(number = 3, face = 2)`.',
    ),
    Entry(
        'N010',
        'unused binding',
        '`{name}` is bound here but never used',
        'In the pattern of a hook an unknown name stands for any argument. A misspelt `owner` would fit everybody, so a name that is not used is refused.',
        help='write `_` for any argument, or correct the name',
    ),
    Entry(
        'N011',
        'definition without call',
        '`{name}` is a definition: call it',
        'A definition is used by calling it, with brackets even without arguments.',
        help='write `{name}(…)`',
    ),
    Entry(
        'N012',
        'window called',
        '`{name}` is a window: open it',
        'A window is opened for some players: `open {name}(…) to ps`.',
        help='write `open {name}(…) to …`',
    ),
    Entry(
        'N013',
        'unknown window',
        'there is no window called `{name}`',
        'Windows are declared with `window name(parameters)`.',
    ),
    Entry(
        'N014',
        'reserved name',
        '`{name}` has a meaning of its own',
        'Some names belong to the language.',
        help='choose another name',
    ),
    Entry(
        'N015',
        'definition on a component',
        'a {kind} cannot stand among the powers of a component',
        'Powers hold hooks (`instead of`, `before`, `after`, `adjust`, `in window`). What they call is defined under `definitions:`.',
    ),
    Entry(
        'N016',
        'nothing to replace',
        'there is no definition `{name}` to replace',
        'A variant replaces definitions of its base by name.',
    ),
    Entry(
        'N017',
        'definition exists',
        'the base already has a definition `{name}`',
        'A variant that means to replace it says so.',
        help='write `replace def {name}`',
    ),
    Entry(
        'N019',
        'replace in a base',
        '`replace` belongs into a variant: nothing defines `{name}` before this',
        'Only a variant (`extends:`) replaces definitions.',
        help='leave out `replace`',
    ),
    Entry(
        'N018',
        'hook on nothing',
        'there is no {kind} called `{name}` to hook',
        'A hook listens to a definition, a reaction to a window.',
    ),
)
