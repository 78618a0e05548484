"""The language server: the analyser in an editor.

What comes in are texts, saved or not, and positions; what goes out are values of the protocol.  Nothing here knows a rule of the
language: `semantics.symbol_index` holds what names mean, and everything below reads it.

1. `workspace.py` holds the open texts and the analyses of the rulesets that they belong to (`analysis.py`).
2. `symbols.py` is the index of a ruleset; `hover.py`, `navigation.py`, `outline.py` read it; `tokens.py` tells what each word is, for colours.
   `folding.py` is what can be folded, `workspace_symbols.py` what is declared in all files.
3. `completion.py` puts a hole where the cursor is and asks the checker what would fit (`places.py`: which key or text that is).
   `keywords.py`: what the parser would take there; `names_in_yaml.py`: names where no rule text stands; `signatures.py`: the call around the
   cursor.  `scenario_names.py` finds the names in scenarios.
4. `edits.py` makes edits of fixes, new names and the canonical layout; `reports.py` makes the protocol's diagnostics of ours; `scenario_runs.py` runs
   scenarios beside the server.
5. `server.py` binds them to pygls; it is the only module that knows it. `messages.py` keeps from it what is no message.

`positions.py` converts offsets to lines and columns in the units of the protocol.
"""
