"""The kernel: the forms that rules are made of once the checker is done, and what each form does.

A *form* is a class of statements. Its name, `OP`, stands in tables and in the hash; its docstring is its
meaning; its fields are its operands, its blocks and the hidden locals that it needs. Where its statements
differ by no more than a word (`break`, `continue`, `return`), that is a field, `op`, and stands in the hash.
Beside them it declares its *facts*, once. Evaluator, lowering, information flow, liveness and lints read
them, so that no other module says again which statements ask, act, tell or leave:

    writes  what it changes: a place (a local, state, an entry), zones, attributes of components
    tells   what it discloses to somebody: words, components, choices
    waits   whom it asks: a seat, several seats, chance; what waits is a suspension point
    leaves  how far control goes: to the next round, behind the loop, to the caller, out of the game
    hides   what not everybody perceives: the events of its blocks, or what is answered
    pauses  whether a table waits at its end: it may stand where decisions may, and suspends nothing
    loops   whether its block may run again
    once    whether its block always runs, and once
    calls   whether its last operand may be a call that acts
    ahead   what a look-ahead calls it, which refuses it, if it does

What depends on the operands of one statement is a method of its class: `reads()`, the expressions that it
evaluates itself; `conditions()`, those that decide what runs or is offered; `bound()`, the locals that it
gives values to; `target`, the place that it writes; `decider`, the one player whom it asks; `opens`, the
window that it opens; `facts`, the facts of this one, which its word or whom it asks may tell. A decision
(`AskStmt`) says whom it asks (`asked`), what it offers (`sources()`: what is walked, tested and worded, and
what is done), and what is done where it offers nothing (`otherwise`): liveness and information flow know no
more of it.

*Sugar* says what forms say already. Some of it is written as other statements of the language before it is
checked; `semantics/expansions.py` lists these. Some of it the checker itself writes as another form:

    for p in turns():        a `for` whose source has the type `Endless`
    announce "…"             a `tell` without players, for everybody
    reveal x, n += 1         a `show` to all players, an assignment of a sum

Some of it is expanded when the checker is done and the effects of calls are known, before anything reads the
tree (`semantics/elaborate.py`):

    if asks(p):              let $asked = asks(p), then `if $asked:`; so under `and`, `or`, `not`
    repeat until asks(p):    repeat:, the question as above, `if $asked: break`
    at any time by p:        a menu in a loop, in place of each decision of one player
    claim by p               a menu of the declared utterances, one option for all values of its fields
    for p in ps at once:     two loops over the same players: all choose, then all do

The span of a statement is what the author wrote, also where sugar was: messages, coverage, citations,
mutation and the rulebook speak of that. Rulebook, formatter and language server read the syntax tree.

What a program of forms means is defined by the reference evaluator. The hash of a ruleset, positions and
numbers of actions are those of forms: an expansion that is changed changes them (but for the hash of a claim,
which is that of the statement: `Proc.origin`). `croupier dump --stage typed` shows the forms of a ruleset.

An aggregate (`count`, `best`, …) is a row that says how the elements that a comprehension comes to become
one value; evaluator and lowering have a function for each kind of fold.

A new form needs its class with its facts, and a row in each table that is keyed by form: evaluator, lowering,
information flow, liveness. A test, `test_rules`, walks all forms and names the table that lacks one. New
sugar needs an expansion, and no row.

    tree.py   the forms: expressions, and statements with their facts
    types.py  the types of expressions
    facts.py  the vocabulary of facts
    folds.py  aggregates as folds
"""
