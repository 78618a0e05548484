"""The kernel: the forms that rules are made of once the checker is done, and what each form does.

A *form* is a class of statements. Its name, `OP`, stands in tables and in the hash; its docstring is its
meaning; its fields are its operands, its blocks and the hidden locals that it needs. Beside them it declares
its *facts*, once. Evaluator, lowering, information flow, liveness and lints read them, so that no other
module says again which statements ask, act, tell or leave:

    reads   the expressions that it evaluates itself, its blocks not included
    writes  what it changes: a place (a local, state, an entry), zones, attributes of components
    binds   the locals that it gives values to, with these values
    tells   what it discloses to somebody: words, components, choices
    waits   whom it asks: a seat, several seats, chance; what waits is a suspension point
    leaves  how far control goes: to the next round, behind the loop, to the caller, out of the game
    hides   what not everybody perceives: the events of its blocks, or what is answered
    loops   whether its block may run again
    ahead   the words with which a look-ahead refuses it, if it does

*Sugar* says what forms say already. It is expanded when the checker is done and the effects of calls are
known, before anything reads the tree:

    if asks(p):              let $asked = asks(p), then `if $asked:`; so under `and`, `or`, `not`
    repeat until asks(p):    repeat:, the question as above, `if $asked: break`
    at any time by p:        a menu in a loop, in place of each decision of one player
    for p in ps at once:     two loops over the same players: all choose, then all do

The span of a statement is what the author wrote, also where sugar was: messages, coverage, citations,
mutation and the rulebook speak of that. Rulebook, formatter and language server read the syntax tree.

What a program of forms means is defined by the reference evaluator. The hash of a ruleset, positions and
numbers of actions are those of forms: an expansion that is changed changes them.
"""
