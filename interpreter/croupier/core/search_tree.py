"""The tree of a Monte-Carlo search, as functions in the core's text form: both printers print them, so that
every back end counts, compares and chooses alike.

A *branch* is an option that was tried at a point of the game; a point is known by the options and outcomes of
chance that led to it, folded into two keys. Branches lie in an open hash table, at most one a round, so that
a table of twice as many places never fills.

    look    find the branches of the options on offer; count that they were on offer; how many have none
    fresh   the option that is the r-th without a branch
    put     a new branch below another one (0: none is above it)
    keep    copy the branches below one (0: all) to another tree; how many they are
    best    the option to go into, or `NOT_TRIED` for one of those without a branch.
            By UCB1, that with the highest upper confidence bound (P. Auer, N. Cesa-Bianchi, P. Fischer,
            "Finite-time analysis of the multiarmed bandit problem", Machine Learning 47, 2002); with how
            often an option was on offer in place of how often its parent was visited (P. Cowling, E. Powley,
            D. Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 4(2), 2012).
            By PUCT, with the same prior for each of n options, that with the highest sum of its worth and
            c / n times the root of the visits to all, over 1 + its own (C. Rosin, "Multi-armed bandits with
            episode context", Annals of Mathematics and AI 61, 2011, as in D. Silver et al., "Mastering the
            game of Go without human knowledge", Nature 550, 2017).
            What an option without a branch counts as is the urgency (S. Gelly, Y. Wang, "Exploration
            exploitation in Go: UCT for Monte-Carlo Go", NIPS workshop, 2006)
    learn   take note of what a play-out paid, and who was how far ahead. `scored`: 0 without scores, 1 with
            scores besides, 2 where there are scores alone; what of it counts comes back
    back_up add a play-out to the branches that led to it
    worth   what a branch is worth to the seat that chose it

All numbers are integers: a worth is in units of 1/65,536. What a play-out pays is stretched to 0 to 1 between
the least and the most that the search has met. Where rules keep scores, half of the worth is how far ahead a
seat was, in standard deviations of what the search has met; all of it where a play-out was cut (T. Pepels,
M. Tak, M. Lanctot, M. Winands, "Quality-based rewards for Monte-Carlo tree search simulations", ECAI 2014).
"""

from __future__ import annotations

from functools import cache
from math import log, sqrt
from textwrap import indent

from croupier.core.text import library
from croupier.core.types import CoreProgram

ONE = 1 << 16  # a worth of 1
EXPLORATION = 0.7  # the constant of UCB1, for worths from 0 to 1
PUCT_EXPLORATION = 1.5  # that of PUCT
MOST_PAID, MOST_AHEAD = 1 << 22, 1 << 17  # pays and leads beyond these count as these
MOST_ROUNDS = 1 << 20  # for which no sum overflows 64 bits
MOST_PLAYERS = 24

# the words at the beginning of a tree
MASK, LEAST, MOST, SCORED, SQUARES, IS_BEGUN, ROOT_FIRST, ROOT_SECOND, RULE, URGENCY, LEADS = range(11)
HEAD = LEADS + MOST_PLAYERS
# the words of a branch
FIRST_KEY, SECOND_KEY, OFFERED, VISITS, VISITS_SCORED, PAID, AHEAD, ABOVE, BRANCH = range(9)
ROOT_KEYS = 1, 1
# how an option is selected
UCB1, PUCT = range(2)
# in place of a worth, what an option counts as that was not tried yet: more than all others, or the mean of
# those that were tried
TRIED_FIRST, LIKE_OTHERS = -(1 << 40), -(1 << 40) - 1
NOT_TRIED = -1  # in place of an option: one that was not tried yet
CHANCE_STEP = 1 << 30  # added to an outcome of chance, so that it is no option's number

_TABLE = 256  # entries of the tables of logarithms and roots
_HALF = ONE // 2
_LOG_2 = round(log(2) * ONE)
_EXPLORATION = round(EXPLORATION**2 * ONE)
_PUCT_EXPLORATION = round(PUCT_EXPLORATION**2 * ONE) * ONE

_PROBE = f"""\
set at, bits-and(add(p, times(q, 7)), t[{MASK}])
loop
  set s, add(times(at, {BRANCH}), {HEAD})"""

# The worth of the branch `s` to `seat`, into `value`; `spread` is the standard deviation of leads, times 256.
_WORTH = f"""\
set v, t[add(s, {VISITS})]
set c, t[add(s, {VISITS_SCORED})]
set w, sub(times(v, 2), c)
set width, sub(t[{MOST}], t[{LEAST}])
if lt(0, width)
  set value, div(times(sub(t[add(s, {PAID})], times(t[{LEAST}], w)), {ONE}), times(width, times(v, 2)))
else
  set value, div(times(w, {_HALF}), times(v, 2))
if lt(0, c)
  set mean, div(times(t[add(seat, {LEADS})], {ONE}), t[{SCORED}])
  set gap, sub(times(t[add(s, {AHEAD})], {ONE}), times(mean, c))
  set lead, times(c, {_HALF})
  if lt(0, spread)
    set lead, add(lead, div(times(gap, 128), spread))
  set value, add(value, div(lead, times(v, 2)))"""


def _root(x: str) -> str:
    """The root of a local, into `root`."""
    return f"""\
set e, 0
loop
  if lt({x}, 256)
    break
  set {x}, bits-shr({x}, 2)
  set e, add(e, 1)
set root, bits-shr(bits-shl(search_roots[{x}], e), 8)"""


_SPREAD = f"""\
set spread, 0
if lt(0, t[{SCORED}])
  set sum, t[{SQUARES}]
  for p, 0, players
    set total, t[add(p, {LEADS})]
    set sum, sub(sum, div(times(div(times(total, 64), t[{SCORED}]), total), 64))
  set x, div(times(sum, {ONE}), times(t[{SCORED}], players))
  if lt(0, x)
{indent(_root("x"), "    ")}
    set spread, root"""

_TEXT = f"""
program search 0 main -
function main() 0
  return ()
function first_key(k, x) 1
  return (add(mod(add(times(k, 1103515245), times(mod(x, 2147483629), 16807)), 2147483629), 1))
function second_key(k, x) 1
  return (add(mod(add(times(k, 22695477), times(mod(x, 2147483587), 48271)), 2147483587), 1))
function look(*t[{HEAD}], k, l, a[1], n, *f[1]) 1
  set absent, 0
  for i, 0, n
    call first_key, (k a[i]), (p)
    call second_key, (l a[i]), (q)
{indent(_PROBE, "    ")}
      if eq(t[s], 0)
        store f, i, 0
        set absent, add(absent, 1)
        break
      if and(eq(t[s], p), eq(t[add(s, 1)], q))
        store f, i, s
        store t, add(s, {OFFERED}), add(t[add(s, {OFFERED})], 1)
        break
      set at, bits-and(add(at, 1), t[{MASK}])
  return (absent)
function fresh(f[1], n, r) 1
  set left, r
  set found, 0
  for i, 0, n
    if eq(f[i], 0)
      if eq(left, 0)
        set found, i
        break
      set left, sub(left, 1)
  return (found)
function put(*t[{HEAD}], p, q, above) 1
{indent(_PROBE, "  ")}
    if eq(t[s], 0)
      break
    set at, bits-and(add(at, 1), t[{MASK}])
  store t, s, p
  store t, add(s, {SECOND_KEY}), q
  store t, add(s, {OFFERED}), 1
  store t, add(s, {ABOVE}), above
  return (s)
function keep(*t[{HEAD}], *u[{HEAD}], below) 1
  for i, 1, {HEAD}
    store u, i, t[i]
  set kept, 0
  for i, 0, add(t[{MASK}], 1)
    set x, add(times(i, {BRANCH}), {HEAD})
    set old, x
    set p, t[x]
    set q, t[add(x, 1)]
    set is_kept, and(lt(0, p), eq(below, 0))
    loop
      if or(eq(p, 0), is_kept)
        break
      set x, t[add(x, {ABOVE})]
      if eq(x, 0)
        break
      set is_kept, eq(x, below)
    if is_kept
      set at, bits-and(add(p, times(q, 7)), u[{MASK}])
      loop
        set s, add(times(at, {BRANCH}), {HEAD})
        if eq(u[s], 0)
          break
        set at, bits-and(add(at, 1), u[{MASK}])
      for k, 0, {BRANCH}
        store u, add(s, k), t[add(old, k)]
      store t, add(old, {OFFERED}), s
      set kept, add(kept, 1)
  for i, 0, add(u[{MASK}], 1)
    set s, add(times(i, {BRANCH}), {HEAD})
    set x, u[add(s, {ABOVE})]
    if lt(0, x)
      set at, 0
      if not(eq(x, below))
        set at, t[add(x, {OFFERED})]
      store u, add(s, {ABOVE}), at
  return (kept)
function best(t[{HEAD}], f[1], n, seat, players) 1
  set absent, 0
  set tried, 0
  for i, 0, n
    set s, f[i]
    if eq(s, 0)
      set absent, add(absent, 1)
    else
      set tried, add(tried, t[add(s, {VISITS})])
  if lt(0, absent)
    if or(eq(t[{URGENCY}], {TRIED_FIRST}), eq(tried, 0))
      return ({NOT_TRIED})
{indent(_SPREAD, "  ")}
  set pull, 0
  if eq(t[{RULE}], {PUCT})
    set y, times(tried, {_PUCT_EXPLORATION})
{indent(_root("y"), "    ")}
    set pull, div(root, n)
  set most, -1152921504606846975
  set found, 0
  set total, 0
  for i, 0, n
    set s, f[i]
    if eq(s, 0)
      continue
{indent(_WORTH, "    ")}
    set total, add(total, times(value, v))
    if eq(t[{RULE}], {PUCT})
      set value, add(value, div(pull, add(v, 1)))
    else
      set y, t[add(s, {OFFERED})]
      set e, 0
      loop
        if lt(y, 256)
          break
        set y, bits-shr(y, 1)
        set e, add(e, 1)
      set y, div(times(add(search_logs[y], times(e, {_LOG_2})), {_EXPLORATION}), v)
{indent(_root("y"), "      ")}
      set value, add(value, root)
    if lt(most, value)
      set most, value
      set found, i
  if lt(0, absent)
    set value, t[{URGENCY}]
    if eq(value, {LIKE_OTHERS})
      set value, div(total, tried)
    if not(lt(add(value, pull), most))
      return ({NOT_TRIED})
  return (found)
function worth(t[{HEAD}], s, seat, players) 1
{indent(_SPREAD, "  ")}
{indent(_WORTH, "  ")}
  return (value)
function learn(*t[{HEAD}], *v[1], players, scored) 1
  set differs, eq(scored, 2)
  for p, 0, players
    if eq(scored, 2)
      break
    set x, v[p]
    if not(eq(x, v[add(p, players)]))
      set differs, 1
    set x, select(lt({MOST_PAID}, x), {MOST_PAID}, select(lt(x, -{MOST_PAID}), -{MOST_PAID}, x))
    store v, p, x
    if eq(t[{IS_BEGUN}], 0)
      store t, {IS_BEGUN}, 1
      store t, {LEAST}, x
      store t, {MOST}, x
    if lt(x, t[{LEAST}])
      store t, {LEAST}, x
    if lt(t[{MOST}], x)
      store t, {MOST}, x
  if or(eq(scored, 0), or(eq(differs, 0), lt(players, 2)))
    return (0)
  set first, v[players]
  set second, -1152921504606846975
  for p, 1, players
    set x, v[add(p, players)]
    if lt(first, x)
      set second, first
      set first, x
    else
      if lt(second, x)
        set second, x
  for p, 0, players
    set x, v[add(p, players)]
    set x, sub(x, select(eq(x, first), second, first))
    set x, select(lt({MOST_AHEAD}, x), {MOST_AHEAD}, select(lt(x, -{MOST_AHEAD}), -{MOST_AHEAD}, x))
    store v, add(p, times(players, 2)), x
    store t, add(p, {LEADS}), add(t[add(p, {LEADS})], x)
    store t, {SQUARES}, add(t[{SQUARES}], times(x, x))
  store t, {SCORED}, add(t[{SCORED}], 1)
  return (scored)
function back_up(*t[{HEAD}], path[1], n, v[1], players, scored) 1
  for i, 0, n
    set s, path[times(i, 2)]
    set seat, path[add(times(i, 2), 1)]
    store t, add(s, {VISITS}), add(t[add(s, {VISITS})], 1)
    store t, add(s, {VISITS_SCORED}), add(t[add(s, {VISITS_SCORED})], scored)
    store t, add(s, {PAID}), add(t[add(s, {PAID})], times(v[seat], sub(2, scored)))
    if lt(0, scored)
      store t, add(s, {AHEAD}), add(t[add(s, {AHEAD})], times(v[add(seat, times(players, 2))], scored))
  return (n)
"""


@cache
def search_tree() -> CoreProgram:
    """The functions as a core program; none of them fails or waits."""
    roots = tuple(round(sqrt(x) * 256) for x in range(_TABLE))
    logs = tuple(round(log(max(x, 1)) * ONE) for x in range(_TABLE))
    return library(_TEXT, {"search_roots": roots, "search_logs": logs})


def tree_words(rounds: int) -> tuple[int, int]:
    """Words of a tree for so many rounds, and the mask of its places."""
    places = 64
    while places < 2 * rounds:
        places *= 2
    return HEAD + places * BRANCH, places - 1
