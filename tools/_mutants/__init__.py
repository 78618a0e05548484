"""Mutation testing of the interpreter: does a test fail when one small thing of the engine is wrong?

    sites of a package → a sample → which tests reach each site → the mutant runs with those tests, until one
    fails

`operators` knows the mistakes that are planted and where; `live` puts a changed function into a running
interpreter; `plugin` is the pytest plugin that records which tests reach a site and judges mutants, each in a
fork of a process that has collected the tests; `report` adds up.

Why not a published tool: cosmic-ray starts a test process for each mutant, which here costs ten seconds of
imports and collection, fifty times what the tests take; mutmut calls every function through a wrapper, and
the evaluator is nothing but small functions. Both choose or reach too few tests here: most are cases in data
files that share one Python function. Limits: a mutant changes functions, not what a module does when it is
imported; tests that start `croupier` as another process do not see it.
"""
