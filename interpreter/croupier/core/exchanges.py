"""Exchanges of components in a history, as functions in the core's text form: both printers print them, so
that every back end proposes the same.

A history is a table: where each component lay at each point, and what was done at each step. Two components
that lay together, then apart, then together again, or apart until now, may trade places for that time, if
whoever looks on saw neither: what they saw stays as it was. The steps that name the one name the other
instead.

    exchange  so many exchanges of two components at a time of theirs, all drawn at random; every other one
              of a component that is out of sight now, of which there are `h`, the first of those in `f`
    windows   count the times for which two components may trade places; let them trade for one of these
    trade     let two components trade places for a time
    arrange   sets are chosen in order: put the members of each set that was chosen in order again
    rank      the place of a component among those that lay in its zone
    logarithm of a number from 1, times 65,536
    next      the next number of the generator
    accepts   whether a history is taken that is less likely: `behind` is the logarithm of how much, `x` a
              number of the generator

The numbers are drawn from a generator of its own, with a seed of the stream of the search (S. Park, K.
Miller, "Random number generators: good ones are hard to find", CACM 31(10), 1988).

An exchange of two components for a time is its own reverse, and after it there are as many times for these
two as before. So a row of exchanges is as likely as the same row backwards, and a Metropolis chain that
proposes them needs no correction (`inference/exchange_sampler.py`).
"""

from __future__ import annotations

from functools import cache
from math import log

from croupier.core.text import library
from croupier.core.types import CoreProgram

# the words of a step: who acted; what kind of step it is; the component that it names; what is added to the
# number of the component to make the action, or the action itself; whether it belongs to one set with the
# step before
ACTOR, KIND, COMPONENT, BASE, GOES_ON, _, _, _, STEP = range(9)
PLAIN, NAMES, RANKS = range(3)
"""Kinds of steps: the action is `BASE`; the action is `COMPONENT` and `BASE` added up; the action is the
place of the component in its zone, from 0, and `BASE` added up.
"""
MODULUS = 2_147_483_647
ONE = 1 << 16  # a logarithm of 1
_TABLE = 4096  # entries of the table of logarithms
_LOG_2 = round(log(2) * ONE)

_TEXT = f"""
program exchanges 0 main -
function main() 0
  return ()
function exchange(*w[1], *a[1], s[1], f[1], n, h, t, c, picks, seed) 1
  set x, seed
  for i, 0, picks
    set x, mod(times(x, 48271), {MODULUS})
    set p, f[mod(x, select(and(eq(mod(i, 2), 0), lt(0, h)), h, n))]
    set x, mod(times(x, 48271), {MODULUS})
    set q, f[mod(x, n)]
    if not(eq(p, q))
      call windows, (&w[0] &a[0] &s[0] t c p q -1), (found)
      if lt(0, found)
        set x, mod(times(x, 48271), {MODULUS})
        call windows, (&w[0] &a[0] &s[0] t c p q mod(x, found)), (found)
  call arrange, (&a[0] t), (found)
  return (x)
function windows(*w[1], *a[1], s[1], t, c, p, q, chosen) 1
  set found, 0
  set together, 0
  set begin, -1
  for k, 0, add(t, 2)
    set differs, 0
    if not(lt(t, k))
      set differs, not(eq(w[add(times(k, c), p)], w[add(times(k, c), q)]))
    if lt(begin, 0)
      if differs
        set begin, k
    else
      if not(differs)
        if lt(0, begin)
          set last, select(lt(t, k), t, k)
          set first, begin
          for m, add(together, 1), begin
            set named, a[add(times(m, {STEP}), {COMPONENT})]
            if and(lt(0, a[add(times(m, {STEP}), {KIND})]), or(eq(named, p), eq(named, q)))
              set first, m
              break
          set hidden, 1
          for m, first, add(last, 1)
            if lt(0, add(s[add(times(m, c), p)], s[add(times(m, c), q)]))
              set hidden, 0
              break
          if hidden
            if eq(found, chosen)
              call trade, (&w[0] &a[0] c p q begin k first last), (done)
              return (1)
            set found, add(found, 1)
        set together, k
        set begin, -1
  return (found)
function trade(*w[1], *a[1], c, p, q, begin, end, first, last) 1
  for k, begin, end
    set x, w[add(times(k, c), p)]
    store w, add(times(k, c), p), w[add(times(k, c), q)]
    store w, add(times(k, c), q), x
  for k, first, add(last, 1)
    set at, add(times(k, {STEP}), {COMPONENT})
    if lt(0, a[add(times(k, {STEP}), {KIND})])
      if eq(a[at], p)
        store a, at, q
      else
        if eq(a[at], q)
          store a, at, p
  return (1)
function arrange(*a[1], t) 1
  for k, 1, add(t, 1)
    set at, times(k, {STEP})
    loop
      if eq(a[add(at, {GOES_ON})], 0)
        break
      set x, a[add(at, {COMPONENT})]
      set y, a[add(sub(at, {STEP}), {COMPONENT})]
      if not(lt(x, y))
        break
      store a, add(at, {COMPONENT}), y
      store a, add(sub(at, {STEP}), {COMPONENT}), x
      set at, sub(at, {STEP})
  return (t)
function rank(w[1], k, c, x) 1
  set found, 0
  for i, 0, x
    if eq(w[add(times(k, c), i)], w[add(times(k, c), x)])
      set found, add(found, 1)
  return (found)
function next(x) 1
  return (mod(times(x, 48271), {MODULUS}))
function accepts(behind, x) 1
  call logarithm, ({MODULUS}), (whole)
  call logarithm, (x), (part)
  return (lt(behind, sub(whole, part)))
function logarithm(n) 1
  set x, n
  set e, 0
  loop
    if lt(x, {_TABLE})
      break
    set x, bits-shr(x, 1)
    set e, add(e, 1)
  return (add(exchange_logs[x], times(e, {_LOG_2})))
"""


@cache
def exchanges() -> CoreProgram:
    """The functions as a core program; none of them fails or waits."""
    return library(_TEXT, {"exchange_logs": tuple(round(log(max(x, 1)) * ONE) for x in range(_TABLE))})
