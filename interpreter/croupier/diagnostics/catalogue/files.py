"""Codes X: files that cannot be read, tables, replays, parameters and other input from a command line.

X0xx  files and paths        X1xx  tables (CSV)        X5xx  saved games and scripts: play.py
"""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

_INSIDE = "A ruleset can only name files beside it or in folders below; what a stranger wrote must not reach other files."

ENTRIES: tuple[Entry, ...] = (
    Entry("X001", "no such file", "there is no file `{name}`", "Nothing has this name, or it is a link to something that is not there."),
    Entry("X002", "a folder", "`{name}` is a folder, not a file", "A file is needed here."),
    Entry(
        "X003", "not an ordinary file", "`{name}` is not an ordinary file",
        "Devices, pipes and sockets are never read: they may never end, or do something when they are opened.",
    ),
    Entry("X004", "file cannot be opened", "`{name}` cannot be read: {reason}", "The system refused to open or read the file."),
    Entry(
        "X005", "file too large", "`{name}` is {size} bytes long, more than the {limit} that are read",
        "The limit keeps every part of the program within known bounds of time and memory.",
    ),
    Entry(
        "X006", "not UTF-8", "`{name}` is not text in UTF-8: {reason}",
        "Rulesets, tables and scenarios are text in UTF-8, with or without a byte order mark.",
        help="save the file as UTF-8",
    ),
    Entry("X007", "outside of the folder", "`{name}` leads out of the ruleset's folder", _INSIDE, help="copy the file into the ruleset's folder"),
    Entry(
        "X008", "absolute path", "`{name}` is an absolute path", _INSIDE,
        bad="extends: /home/me/chess.yaml\n", good="extends: chess.yaml\n",
        help="write the path from this file's folder",
    ),
    Entry(
        "X009", "not a path", "`{name}` is not a path: {reason}",
        "Paths in a ruleset are made of names and `/`, so that they mean the same file on every system.",
        bad="extends: https://example.com/chess.yaml\n", good="extends: chess.yaml\n",
        help="write a path like `folder/file.yaml`",
    ),
    Entry("X010", "path too long", "a path is longer than {limit} characters", "No system has files with such names."),
    Entry("X101", "empty table", "the table `{name}` is empty", "The first line of a table names its columns.", bad="", good="id,colour\na,blue\n"),
    Entry(
        "X102", "column named twice", "two columns are called `{name}`",
        "The first line of a table names its columns; every name stands for one of them.",
        bad="id,id\na,b\n", good="id,colour\na,blue\n",
        help="rename one of them",
    ),
    Entry(
        "X103", "column without a name", "column {number} has no name",
        "The first line of a table names its columns. A comma at the end of a line begins another column.",
        bad="id,,colour\na,b,blue\n", good="id,name,colour\na,b,blue\n",
        help="name the column, or remove it",
    ),
    Entry(
        "X104", "row of another length", "this row has {cells}, the table has {columns}",
        "Every row has a cell for each column; an empty cell is still separated by commas. A cell that holds a comma stands in quotes.",
        bad="id,colour\na\n", good="id,colour\na,blue\n",
        help="a text with a comma in it stands in double quotes: `a,\"red, or blue\"`; an empty cell is still separated by commas",
    ),
    Entry(
        "X105", "quote never closed", "the cell that begins with this quote never ends",
        "A cell in double quotes lasts until the next double quote; two of them together stand for one.",
        bad='id\n"a\n', good='id\n"a"\n',
        help="add the closing quote",
    ),
    Entry(
        "X106", "text beside quotes", "a cell in quotes goes on after its closing quote",
        "Quotes surround a whole cell. A double quote inside a cell in quotes is written twice.",
        bad='id\n"a"b\n', good='id\n"a""b"\n',
        help='put the whole cell in quotes, and write quotes in it as `""`',
    ),
    Entry(
        "X107", "table too large", "the table has more than {limit} {things}",
        "The limit keeps every part of the program within known bounds of time and memory.",
    ),
    Entry(
        "X108", "character not allowed", "the character {character} is not allowed in a table",
        "Control characters, and characters that change the direction of the text around them, are refused: what a reader sees must be"
        " what the program reads.",
        help="remove it",
    ),
    Entry(
        "X109", "cells not separated by commas", "the cells of this table are separated by {sign}",
        "Cells are separated by commas. Where a comma is written before decimals, programs save tables with semicolons.",
        bad="id;colour\na;blue\n", good="id,colour\na,blue\n",
        help="save the table with commas between its cells",
    ),
)
