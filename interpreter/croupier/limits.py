"""The limits of the language: what the interpreter promises about texts, rulesets and games of any size."""

from __future__ import annotations

# ---------------------------------------------------------------- a file
MAX_YAML_BYTES = 1_000_000  # of a YAML file, in UTF-8
MAX_YAML_LINES = 20_000
MAX_YAML_LINE = 10_000  # code points
MAX_YAML_DEPTH = 64  # lists and mappings within each other
MAX_YAML_NODES = 10_000  # keys, values, lists and mappings together
MAX_TABLE_BYTES = 1_000_000
MAX_TABLE_ROWS = 10_000  # without the row of names
MAX_TABLE_COLUMNS = 200
MAX_TABLE_CELLS = 100_000
MAX_PATH = 4_096  # code points
MAX_NAMED_PATH = 1_000  # characters of a path that a ruleset names

# ---------------------------------------------------------------- a ruleset and its variants
MAX_EXTENDS = 8  # variants of variants
MAX_COMBINED_VARIANTS = 16  # variants that a combination may consist of, those that they extend counted
MAX_CHECKED_COMBINATIONS = 64  # combinations of variants, switched on by parameters, that are checked
MAX_ALIKE_FINDINGS = 50  # diagnostics of one code in one file
MAX_NAME = 64  # characters of a name
MAX_LABEL = 2_000  # characters of a title, label or template
MAX_SYMBOL = 4  # characters that stand for a value on a table
MAX_PLAYERS = 64
MAX_LIMIT_OF_EVENTS = 100_000  # decisions, and chance events, that a ruleset may allow a game
MAX_LIMIT_OF_FUEL = 10_000_000  # steps that it may allow between two of them

# ---------------------------------------------------------------- rule text
MAX_RULE_TEXT = 60_000  # characters of one rule text
MAX_RULE_DEPTH = 64  # brackets, blocks and operators inside one another
MAX_SYNTAX_ERRORS = 50  # reported in one rule text
MAX_RULE_TEXTS = 120_000  # characters of all rule texts of a ruleset together

# ---------------------------------------------------------------- a game
MAX_NUMBER = 2**53  # size of a number, either way
MAX_COMPONENTS = 4_096  # components of all classes
MAX_CELLS = 4_096  # cells of all boards
MAX_ZONES = 20_000  # zones, each of a `per` counted
MAX_ENTRIES = 100_000  # values of all state variables, each entry of a map counted
MAX_FIELDS = 500  # values of a record, those of the records in it counted
MAX_CLAIMS = 100_000  # combinations of the fields of a claim
MAX_LIST = 100_000  # elements of a list
MAX_CELLS_EXAMINED = 10 * MAX_LIST  # cells examined to find the runs or lines of a board
# words of the table of a board's lines of all lengths that a rule may ask for, in compiled code
MAX_TABLED_LINES = 60_000
MAX_SECONDS = 3_600  # that a block of rules may take at a table (`for 10 seconds`)
MAX_OPTIONS = 100_000  # of a decision
MAX_MENU_ROWS = 1_000  # values of one `for` of a menu that are not numbered by their type
MAX_COMPLETIONS = 200_000  # attempts to complete a choice of several
MAX_POSITIONS = 50_000  # examined ahead in one action
MAX_LOOKAHEAD_DECISIONS = 64  # in a row ahead, where no `within` says how many
MAX_CALL_DEPTH = 1_000  # how deep the texts of all definitions that have begun may be nested together
MAX_EVENTS = 100_000  # of a game that are kept
MAX_SAMPLES = 10_000  # of a measure along the way of one game
MAX_EVENTS_AT_ONCE = 10_000  # of one action that are kept
MAX_SHOWN = 40  # values of a list or map that a text shows
