"""Which back end plays a game: the reference evaluator (`runtime/`), generated Python, or native code.

Compiled code is made of a game that has been set up: `lowering/` expands each construct of the language to the core, `passes/` make it faster,
`printers/` write it as Python or LLVM assembly, `execution/` plays it. It tests what the evaluator tests and says nothing of it in words: whatever
fails is unusual, and the evaluator takes that action again. So a test in compiled code may be stricter than the meaning, never laxer.

What is not compiled is refused, with the construct in words (`Refused`, X601): never played by other rules, never silently by the evaluator.
`choice.py` says which back end plays.
"""
