"""Compiled back ends: which one plays, and the native one: the lowered form (`ir/`) turned into something that runs fast.

What comes in is a game that has been set up (`runtime/game.py`) and the module of its program (`ir/`); what goes out is a `Compiled`: functions
that begin a game, apply an action, say what may be chosen, and play whole games. A compiled position holds the same state, zones and frames as
the machine of the reference evaluator, in another shape; either can be made of the other at every suspension, so that everything rarely asked
for (observations, words, events, saved states, questions) is answered by the evaluator, from a machine made when it is asked for.

Compiled for a set-up, not for a program. Players and parameters are known, so they are constants: boards become tables, families of zones
ranges of numbers, sizes bounds. A module for a set-up is made once (milliseconds) and kept with the game; a program compiled for all set-ups
would read every one of these from memory, in every step.

What goes wrong. Compiled code tests what the evaluator tests (values that are none, ranges, overflow, capacities, keys, fuel), and none of it in
words: whatever fails raises `Deviation`, which says no more than that this action is unusual. The action is then applied again, from the position
before it, by the reference evaluator: it finds the fault, with its code, its words and the author's place, or finds that there is none. So a
test in compiled code may be stricter than the meaning, never laxer. The agreement tests hold both ways: a deviation is a fault, a fault a deviation.

Fuel is bounded before it is counted (`fuel.py`). Every list has a greatest length here (a longer one is a deviation), so most of what can happen
between two suspensions costs no more than some number known when it is compiled; if all of it together stays within the limit of an action,
nothing is counted. Only loops and routines beyond that count, roughly and from above; who runs out deviates, and the evaluator counts exactly.

Shared by all back ends, because it is about the lowered form and not about a target:
  graph.py      the blocks that are reached from one place, jumps whose outcome is known, dominators, loops; ends.py those blocks, and how they end
  order.py      blocks in the order of control, dominators
  facts.py      what is known of zones, variables and numbers under this set-up; operations on values that are known
  given.py      what is known of routines under this set-up: slots and calls with one value, slots that are live
  fuel.py       upper bounds of what functions cost; lengths.py of how long lists are; depth.py how deep calls may stand in each other
  runs.py       which runs follow each other, and must pay for that; foresight.py which look-aheads wait, and what becomes of them
  reach.py      which blocks control can come to; spoken.py what the conditions of claims read
  sites.py      suspensions by number, over the whole module: the place at which a frame stands
  choice.py     which back end plays; unsupported.py what none of it is silent about

The Python back end is the core (`core/`, `lowering/`, `passes/`), printed by `printers/python.py` and played by `execution/python_state.py`.

Native code is made of the core (`printers/`, `execution/`).

What is not compiled is refused, with the construct in words (`Refused`, X601): never played by other rules, never silently by the evaluator.
"""
