"""The language server: the checks and names of a ruleset in an editor.

What comes in are texts, saved or not, and positions; what goes out are values of the protocol.  Nothing here
knows a rule of the language: `semantics.symbol_index` maps names to symbols, and the modules below read it.

1. `workspace.py` holds the open texts and the analyses (`analysis.py`) of the rulesets that they belong to;
   `scenario_runs.py` runs scenarios beside the server.
2. `symbols.py` is the index of a ruleset; `hover.py`, `signatures.py` and `edits.py` read it. `outline.py`
   and `folding.py` are the structure of files; `workspace_symbols.py` finds names in all of them; `tokens.py`
   classifies each word, for highlighting.
3. `completion.py` inserts a hole at the cursor and asks the checker what would fit; `cursor.py` finds the key
   or text at the cursor, and the tokens that the parser would accept there.
4. `edits.py` finds the uses of a name, and makes edits for fixes, renames and the canonical layout.
5. `server.py` binds them to pygls; no other module uses it. `messages.py` filters input that is no message,
   and knows what waits. `protocol.py` converts positions and diagnostics to those of the protocol.
"""
