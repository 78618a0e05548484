"""The language server: the analyser in an editor.

What comes in are texts, saved or not, and positions; what goes out are values of the protocol.  Nothing here knows a rule of the
language: `semantics.symbol_index` holds what names mean, and everything below reads it.

1. `workspace.py` holds the open texts and the analyses of the rulesets that they belong to, and runs scenarios beside the server.
2. `symbols.py` is the index of a ruleset; `hover.py` and `edits.py` read it. `outline.py` is the structure of files; `tokens.py` tells what
   each word is, for colours.
3. `completion.py` puts a hole where the cursor is and asks the checker what would fit; `cursor.py`: which key or text that is, and what the
   parser would take there.
4. `edits.py` finds where a name stands, and makes edits of fixes, new names and the canonical layout.
5. `server.py` binds them to pygls; it is the only module that knows it. `protocol.py` keeps from it what is no message, and converts positions
   and diagnostics to those of the protocol.
"""
