"""Codes F: statements in the wrong place, ends that are missing."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    Entry(
        'F001',
        'unreachable',
        'this is never reached',
        'Control surely left the block before this statement.',
        severity='warning',
    ),
    Entry(
        'F002',
        'no effect',
        'this statement does nothing',
        'A statement acts; an expression alone is thrown away.',
    ),
    Entry(
        'F003',
        'outside a loop',
        '`{word}` stands in no loop',
        '`break` and `continue` belong to `for` and `repeat`.',
    ),
    Entry(
        'F004',
        'case twice',
        'this case was already covered',
        'Each value stands in one case.',
    ),
    Entry(
        'F005',
        'cases missing',
        'not covered: {missing}',
        'Every value needs a case, or there is an `else`.',
    ),
    Entry(
        'F006',
        'nobody chooses',
        'this choice says not who makes it',
        'A choice is made `by p`, `by every p in ps` or `by chance`.',
        help='add `by …`',
    ),
    Entry(
        'F007',
        'no claims',
        'the ruleset declares no claims',
        '`claim by p` offers what `claims:` declares.',
    ),
    Entry(
        'F008',
        'no result on some way',
        '`{name}` can end without a result of type `{returns}`',
        'Every way through the definition must end with `return`.',
    ),
    Entry(
        'F009',
        'nothing to adjust',
        '`{name}` gives no result to adjust',
        '`adjust` changes the result of a definition with `->`.',
    ),
    Entry(
        'F010',
        'no end',
        '`end when` must end the game',
        'Its last statement is `finish`.',
    ),
    Entry(
        'F011',
        'watcher that waits',
        'a {what} cannot ask, draw or roll',
        'Watchers run in the middle of other rules and must be done at once.',
    ),
    Entry(
        'F012',
        'circle',
        'these call each other in a circle: {circle}',
        'Calls may not be circular, so that every rule comes to an end.',
        help='bound one of them with `nested n`',
    ),
    Entry(
        'F013',
        'scoring without result',
        'scoring can end without a result',
        'The last statement of `scoring` is `finish`.',
    ),
    Entry(
        'F014',
        'look-ahead that cannot look',
        'this look-ahead reaches {what}',
        'A look-ahead tries its block on copies of the game. Chance and decisions of other players cannot be tried.',
        help='keep it out of the block, or make it happen after the block',
    ),
)
