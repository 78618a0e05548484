"""The operations of instructions, in a table: signatures and what each does.

A signature reads like `"[T] int -> T"`: operands, an arrow, results. `[T]` is a list, set or bag of T, `?T` an optional T (a certain one will
do), `{K:V}` a map; capital letters stand for any type, the same one each time; a trailing `*` repeats. `signatures.py` reads them.
An operation that changes the game, or is felt outside of the routine, `acts`. Operations that copy, walk or compare long lists cost fuel by size.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: its signature, what it does, what its `data` is, and whether it changes the position."""

    signature: str
    doc: str
    data: str = ""  # what `data` is, in words; empty: nothing
    acts: bool = False


def _table(text: str, acts: bool = False) -> dict[str, Operation]:
    out = {}
    for line in text.strip().splitlines():
        name, signature, doc, data = (part.strip() for part in line.split("|"))
        out[name] = Operation(signature, doc, data, acts)
    return out


PURE = _table("""
const         | -> A                        | a number, true, false, none, words                              | the value
enum          | -> enum                     | a value of an enumeration                                       | (enumeration, value)
component     | -> comp                     | a component by its id                                           | (class, id)
copies        | comp -> [comp]              | all components that are called as one is                        |
labelled      | -> comp                     | a component by its label                                        | label
cell          | -> cell                     | a cell by its name                                              | (board, cell)
param         | -> A                        | a parameter of the ruleset: a constant once the game is set up  | name
players       | -> [player]                 | all players                                                     |
enum_values   | -> [enum]                   | every value of an enumeration                                   | enumeration
class         | -> [comp]                   | every component of a class                                      | class
copy          | A -> A                      | the same value                                                  |
text          | A* -> text                  | words with values in them                                       | parts; none: the next value
record        | A* -> record                | a record of its fields                                          | name
list          | A* -> [B]                   | a list, set or bag of values                                    |
map           | A* -> {K:V}                 | a map of keys and values by turns; an odd last one is for all   |
state         | -> A                        | a variable of the state                                         | name
entry         | K -> A                      | an entry of a variable that is a map; a fault if there is none  | name
mutable       | comp -> A                   | a changeable attribute                                          | class.attribute
attr          | comp -> A                   | an attribute of a component                                     | attribute
field         | record -> A                 | a field of a record                                             | (record, field)
column        | enum -> A                   | a column of an enumeration                                      | (enumeration, column)
seat          | player -> int               | the number of the seat, from 1                                  |
rank          | enum -> int                 | the place in the declaration, from 1                            |
owner         | comp -> ?player             | whose zone a component lies in                                  |
key_of        | comp -> ?A                  | the key of the zone of a family that a component lies in        | zone
is_none       | A -> bool                   | is there no value?                                              |
is_some       | A -> bool                   | is there a value?                                               |
certain       | ?T -> T                     | the value; a fault if there is none                             |
optional_list | ?T -> [T]                   | a list of one or none                                           |
narrow        | comp -> comp                | a component known to be of fewer classes                        |
is_kind       | comp -> bool                | is it of this class?                                            | class
check         | A -> B                      | the value; a fault if it does not lie in the type of the result |
not           | bool -> bool                | the opposite                                                    |
eq            | A A -> bool                 | equal?                                                          |
ne            | A A -> bool                 | different?                                                      |
lt            | ordered ordered -> bool     | less?                                                           |
le            | ordered ordered -> bool     | less or equal?                                                  |
gt            | ordered ordered -> bool     | greater?                                                        |
ge            | ordered ordered -> bool     | greater or equal?                                               |
above         | key key -> bool             | is the first key greater? lists number by number                |
in            | ?T [T] -> bool              | does it occur?                                                  |
not_in        | ?T [T] -> bool              | does it not occur?                                              |
add           | int int -> int              | sum; a fault beyond 2^53                                        |
sub           | int int -> int              | difference; a fault beyond 2^53                                 |
mul           | int int -> int              | product; a fault beyond 2^53                                    |
div           | int int -> int              | quotient, rounded down; a fault if the second is 0              |
mod           | int int -> int              | remainder of that; a fault if the second is 0                   |
neg           | int -> int                  | with the other sign                                             |
abs           | int -> int                  | without its sign                                                |
max           | int int -> int              | the larger                                                      |
min           | int int -> int              | the smaller                                                     |
add_wide      | int int -> int              | sum without a limit: the limit is tested once, at the end       |
number        | int -> int                  | the same; a fault beyond 2^53                                   |
range         | int int -> [int]            | every number from the first to the second                       |
append        | [T] T -> [T]                | with one more at the end                                        |
canonical     | [T] -> [T]                  | as a set or bag: in canonical order, of a set each once         |
add_item      | [T] T -> [T]                | with one more; a fault beyond the capacity of its type          |
remove_item   | [T] T -> [T]                | with one fewer of these, if there is one                        |
join          | [T] [T] -> [T]              | one after the other                                             |
without       | [T] [T] -> [T]              | the elements that are not in the second                         |
item          | [T] int -> T                | the element at a place from 1; a fault outside                  |
sort          | [T] [K] -> [T]              | by ascending keys, equal ones in their order                    |
size          | [T] -> int                  | how many                                                        |
empty         | [T] -> bool                 | none?                                                           |
first         | [T] -> ?T                   | the first, or none                                              |
last          | [T] -> ?T                   | the last, or none                                               |
rest          | [T] -> [T]                  | all but the first                                               |
reversed      | [T] -> [T]                  | from the last to the first                                      |
all_equal     | [T] -> bool                 | no two different?                                               |
all_different | [T] -> bool                 | no two equal?                                                   |
distinct      | [T] -> [T]                  | each once, where it first occurs                                |
take          | [T] int -> [T]              | the first n                                                     |
drop          | [T] int -> [T]              | all but the first n                                             |
times         | [T] ?T -> int               | how often it occurs                                             |
position      | [T] ?T -> ?int              | where it first occurs, from 1, or none                          |
index         | {K:V} K -> V                | the value of a key; a fault if there is none                    |
put           | {K:V} K V -> {K:V}          | with another value for a key                                    |
put_item      | [T] int T -> [T]            | with another element at a place from 1; a fault outside         |
zone          | -> zone                     | a zone                                                          | name
zone_at       | A -> zone                   | the zone of a family with this key                              | name
family_list   | -> [comp]                   | the contents of all zones of a family                           | name
family_known  | -> [comp]                   | the same; a fault if the order of one is not known              | name
zone_list     | zone -> [comp]              | the contents, bottom to top                                     |
zone_item     | zone int -> comp            | the component at a place from 1; a fault outside or if unknown  |
zone_size     | zone -> int                 | how many                                                        |
zone_empty    | zone -> bool                | none?                                                           |
zone_top      | zone -> ?comp               | the top component, or none; a fault if unknown                  |
zone_bottom   | zone -> ?comp               | the bottom component, or none; a fault if unknown               |
zone_above    | zone int -> [comp]          | what lies above the lowest n                                    |
zone_room     | zone -> int                 | how many more fit                                               |
clockwise     | player -> [player]          | every player once, from this one                                |
clockwise_of  | player [player] -> [player] | the same, only those of the list                                |
others        | player -> [player]          | everybody else, from the next                                   |
next          | player -> player            | the player after                                                |
next_of       | player [player] -> player   | the next of the list; a fault if it is empty                    |
previous      | player -> player            | the player before                                               |
previous_of   | player [player] -> player   | the one before, of the list; a fault if it is empty             |
turns         | -> turns                    | players in turn, from the first                                 |
turns_from    | player -> turns             | the same, from this one                                         |
turns_of      | [player] -> turns           | players of a list in turn                                       |
board_size    | -> int                      | how many cells                                                  | board
board_cells   | -> [cell]                   | every cell                                                      | board
board_rows    | -> [A]                      | every row                                                       | board
board_columns | -> [A]                      | every column                                                    | board
board_row     | int -> [cell]               | one row; a fault outside                                        | board
board_column  | int -> [cell]               | one column; a fault outside                                     | board
board_lines   | int -> [A]                  | every straight run of n cells                                   | board
board_at      | int int -> ?cell            | the cell in a row and a column                                  | board
board_directions | -> [enum]                | the directions of its adjacency                                 | board
board_between | cell cell -> [cell]         | the cells between two                                           | board
cell_row      | cell -> int                 | its row, from 1                                                 |
cell_column   | cell -> int                 | its column, from 1                                              |
cell_adjacent | cell -> [cell]              | its neighbours                                                  |
cell_step     | cell enum -> ?cell          | the neighbour in a direction                                    |
cell_ray      | cell enum -> [cell]         | all cells in a direction                                        |
begin_walk    | [T] -> int                  | 0: before the first element; costs a unit of fuel for each      |
viewer        | -> int                      | who alone sees what happens now: a bit for each seat, or -1     |
alike         | A* -> int                   | a number that two candidates share if these are equal           |
recording     | -> bool                     | is anybody told what happens? (never in a rollout)              |
""")

ACTING = _table("""
burn          | ->                          | one unit of fuel: a statement begins, or a loop goes round      | what the statement cites
set_state     | A ->                        | writes a variable; watchers look                                | name
set_entry     | K A ->                      | writes an entry of a variable that is a map; watchers look      | name
set_mutable   | comp A ->                   | writes a changeable attribute; watchers look                    | class.attribute
move          | [comp] zone ->              | components to a zone, one by one                                | top or bottom
move_all      | zone zone ->                | the contents of a zone to another; unordered stays unordered    | top or bottom
shuffle       | zone ->                     | the order of a pile is forgotten                                |
swap          | comp comp ->                | two components change places                                    |
swap_zones    | zone zone ->                | two zones change their contents                                 |
show          | [comp] [player] ->          | components are shown                                            |
tell          | text [player] ->            | players are told something                                      |
announce      | text ->                     | everybody is told something                                     |
hush          | [player] ->                 | from now on only these players see what happens                 |
unhush        | int ->                      | from now on those who did before see it: bits, or -1            |
offer         | A* ->                       | in a query: these values may be chosen                          |
call          | A* -> A*                    | a routine that does not wait, with the hooks on it: its value, then its `var` parameters | routine
original      | chain A* -> A*              | the rest of a chain of overrides: the same                      | routine
""", True)  # fmt: skip

OPERATIONS: dict[str, Operation] = {**PURE, **ACTING}
