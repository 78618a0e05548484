"""Mutation of rules: change one clause at a time and see which changes no scenario notices.

What comes in is the name of a ruleset with scenarios; what goes out is a verdict on each mutant. Each changed
ruleset is made without writing or reading a file.

    mutants.py      the operators of mutation, the mutants of a program, the tree with one node changed
    subject.py      one mutant: the changed ruleset
    bench.py        runs the scenarios that execute the clause of a mutant
    mutate.py       tries all mutants, in several processes
    report.py       the verdicts, and what is said of all of them
    equivalents.py  the file that says which mutants are known to be equivalent
"""
