"""Columns of a table that its author has aligned: cells of rows in brackets that stand below each other.

Where the cells of neighbouring rows begin, or end, in one column, and blanks were put in for that, they do so
in the layout, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from croupier.authoring.fmt.rules import comment
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence

OPENING = ("[", "{")


@dataclass
class AlignedCell:
    """An atom of a row: its sign (empty for a scalar), where the author began and ended it, whether blanks
    were put in before it, and where it is.
    """

    sign: str
    start: int
    end: int
    spaced: bool
    at: int
    size: int
    pad: int = 0

    @property
    def movable(self) -> bool:
        """Tell whether blanks may stand before it; commas, colons and closing brackets never move."""
        return not self.sign or self.sign in OPENING


@dataclass
class AlignedRow:
    """A line of the layout, by its number, with its cells."""

    line: int
    cells: list[AlignedCell] = field(default_factory=list)

    def shape(self, k: int) -> tuple[str, ...]:
        """The signs up to a cell."""
        return tuple(cell.sign for cell in self.cells[: k + 1])

    def move(self, k: int, pad: int) -> None:
        self.cells[k].pad += pad
        for cell in self.cells[k:]:
            cell.at += pad


def align(rows: list[AlignedRow], out: list[str], remarks: dict[int, int]) -> None:
    """Put blanks into the lines of `out`; `remarks` say where comments behind them begin."""
    for run in _runs(rows):
        for k in range(1, max(len(row.cells) for row in run)):
            for group, by_end in _groups(run, k):
                edges = [row.cells[k].at + (row.cells[k].size if by_end else 0) for row in group]
                for row, edge in zip(group, edges, strict=True):
                    row.move(k, max(edges) - edge)
    for row in rows:
        pads = [(cell.at - cell.pad, cell.pad) for cell in row.cells if cell.pad]
        moved = 0
        line = out[row.line]
        for at, pad in pads:  # where a cell is, the blanks of those before it are in already
            line = line[:at] + " " * pad + line[at:]
            moved += pad
        out[row.line] = line
        if moved and row.line in remarks:
            remarks[row.line] += moved


def _runs(rows: list[AlignedRow]) -> Iterator[list[AlignedRow]]:
    """Rows in lines that follow each other and begin in one column."""
    run: list[AlignedRow] = []
    for row in rows:
        if run and (row.line != run[-1].line + 1 or row.cells[0].at != run[-1].cells[0].at):
            yield run
            run = []
        run.append(row)
    if run:
        yield run


def _groups(run: list[AlignedRow], k: int) -> Iterator[tuple[list[AlignedRow], bool]]:
    """Neighbours whose cells of one number were aligned by the author, and whether that is at their ends."""
    group: list[AlignedRow] = []
    starts = ends = True
    for row in [*run, None]:
        cell = row.cells[k] if row is not None and k < len(row.cells) and row.cells[k].movable else None
        if group and row is not None and cell is not None and row.shape(k) == group[-1].shape(k):
            first = group[0].cells[k]
            same_start, same_end = starts and cell.start == first.start, ends and cell.end == first.end
            if same_start or same_end:
                group.append(row)
                starts, ends = same_start, same_end
                continue
        if len(group) > 1 and any(member.cells[k].spaced for member in group):
            yield group, not starts
        group, starts, ends = ([row] if row is not None and cell is not None else []), True, True


# ---------------------------------------------------------------- atoms
STEP = 2
_GAP = re.compile(r"#[^\r\n]*|---|\.\.\.|[-?:,{}\[\]]")


@dataclass(frozen=True, slots=True)
class Atom:
    """One piece of a file: `[start:end)` in the source; `column` counts from 0 and is that of the layout to
    be made.

    `opens` tells whether a level of indentation begins here (a key, a dash); `flow` whether it stands between
    brackets; `node` is the scalar, if it is one; `apart` asks for a blank line before it.
    """

    start: int
    end: int
    kind: str  # scalar, sign, comment
    column: int
    flow: bool
    opens: bool = False
    node: YamlScalar | None = None
    apart: bool = False


class Atoms:
    """Finds the atoms of a document without mistakes, in order."""

    def __init__(self, root: YamlNode) -> None:
        self.text = root.span.source.text
        self.at = 0
        self.found: list[Atom] = []
        self.marks: set[int] = set()  # where a blank line is wanted
        self._walk(root, 0, False)
        self._gap(len(self.text), 0, False)
        self._set_apart(root)

    def __iter__(self) -> Iterator[Atom]:
        return (replace(a, apart=True) if a.start in self.marks else a for a in self.found)

    # ------------------------------------------------------------ walking
    def _walk(self, node: YamlNode, column: int, flow: bool) -> None:
        self._gap(node.span.start, column, flow)
        if isinstance(node, YamlScalar):
            if node.span.end > node.span.start:
                self._scalar(node, column, flow)
        elif isinstance(node, (YamlMapping, YamlSequence)) and (node.flow or flow):
            self._flow(node, column)
        elif isinstance(node, YamlMapping):
            for key, value in node.entries:
                self._gap(key.span.start, column, False)
                self._scalar(key, column, False, opens=True)
                self._walk_value(value, column)
        elif isinstance(node, YamlSequence):
            for item in node.items:
                self._gap(item.span.start, column, False)
                self._walk(item, column + STEP, False)

    def _walk_value(self, value: YamlNode, column: int) -> None:
        self._gap(value.span.start, column, False)
        self._walk(value, column + STEP, False)

    def _flow(self, node: YamlMapping | YamlSequence, column: int) -> None:
        bracket = self.text[node.span.start] in "[{" and not (
            isinstance(node, YamlMapping) and self._pair(node)
        )
        if bracket:
            self._sign(node.span.start, column)
        parts = (
            node.items
            if isinstance(node, YamlSequence)
            else tuple(part for entry in node.entries for part in entry)
        )
        for part in parts:
            self._walk(part, column, True)
        if bracket:
            self._gap(node.span.end - 1, column, True)
            self._sign(node.span.end - 1, column)

    @staticmethod
    def _pair(node: YamlMapping) -> bool:
        """Tell whether a mapping is a single pair in a list, without braces: `[a: 1]`."""
        return bool(node.entries) and node.entries[0][0].span.start == node.span.start

    # ------------------------------------------------------------ atoms
    def _scalar(self, node: YamlScalar, column: int, flow: bool, opens: bool = False) -> None:
        self.found.append(Atom(node.span.start, node.span.end, "scalar", column, flow, opens, node))
        self.at = node.span.end

    def _sign(self, start: int, column: int) -> None:
        self.found.append(Atom(start, start + 1, "sign", column, True))
        self.at = start + 1

    def _gap(self, end: int, column: int, flow: bool) -> None:
        """The signs and comments from where we are up to `end`."""
        for found in _GAP.finditer(self.text, self.at, max(self.at, end)):
            text = found.group()
            kind = "comment" if text.startswith("#") else "sign"
            self.found.append(
                Atom(found.start(), found.end(), kind, column, flow, text in ("-", "?") and not flow)
            )
        self.at = max(self.at, end)

    # ------------------------------------------------------------ blank lines
    def _set_apart(self, root: YamlNode) -> None:
        """Blank lines stand around the sections of several lines, the titles in `definitions`, and the items
        of a list such as `scenarios`.
        """
        if isinstance(root, YamlSequence) and not root.flow:
            self._between([(self._dash(item), item) for item in root.items])
        if not isinstance(root, YamlMapping) or root.flow:
            return
        self._between([(key.span.start, value) for key, value in root.entries])
        for key, value in root.entries:
            if key.text == "definitions" and isinstance(value, YamlMapping) and not value.flow:
                self._between([(title.span.start, text) for title, text in value.entries])
            elif isinstance(value, YamlSequence) and not value.flow:
                self._between([(self._dash(item), item) for item in value.items])

    def _between(self, parts: list[tuple[int, YamlNode]]) -> None:
        tall = [
            "\n" in self.text[start : max(start, node.span.end)] or "\r" in self.text[start : node.span.end]
            for start, node in parts
        ]
        self.marks |= {start for k, (start, _) in enumerate(parts) if k and (tall[k] or tall[k - 1])}

    def _dash(self, item: YamlNode) -> int:
        return (
            self.text.rfind("-", 0, item.span.start) if item.span.end > item.span.start else item.span.start
        )


# ---------------------------------------------------------------- layout
_HEADER = re.compile(r"([|>])([-+0-9]*)[ \t]*(#[^\r\n]*)?")
_LINE_END = re.compile(r"\r\n|\n|\r")

Rules = Callable[[YamlScalar, int], list[str] | None]
"""Gives the lines of a scalar that is rule text, laid out for a column; None where it is something else or
has mistakes.
"""


@dataclass
class _Open:
    """A bracket that is open: its column, the indentation of its line, and whether it ends its line."""

    column: int
    indent: int
    last: bool


class YamlLayout:
    """Writes the lines of one file."""

    def __init__(self, root: YamlNode, rules: Rules) -> None:
        self.source = root.span.source
        self.text = self.source.text
        self.rules = rules
        self.out: list[str] = []
        self.remarks: dict[int, int] = {}  # lines with a comment behind something: where the comment begins
        self.rows: list[AlignedRow] = []  # items in brackets, each in a line: a table
        self.atoms = list(Atoms(root))
        self.code, self.solid = self._look_ahead()
        self.brackets: list[_Open] = []
        # (column of the author, column here) of the levels that are open
        self.levels: list[tuple[int, int]] = []
        self.kept_blank = 0  # blank lines that belong to a text and have been written

    def write(self) -> str:
        """The whole file, with one line feed at its end."""
        row: list[Atom] = []
        end_line = 0
        for index, atom in enumerate(self.atoms):
            line = self._line(atom.start)
            if row and line > end_line:
                self._row(row, index)
                row = []
            row.append(atom)
            end_line = self._line(max(atom.start, atom.end - 1))
        if row:
            self._row(row, len(self.atoms))
        align(self.rows, self.out, self.remarks)
        self._align()
        return "\n".join(self.out) + "\n"

    def _align(self) -> None:
        """Comments behind something, in lines that follow each other, stand below each other."""
        for index in sorted(self.remarks):
            if index - 1 in self.remarks:
                continue
            run = [index]
            while run[-1] + 1 in self.remarks:
                run.append(run[-1] + 1)
            column = max(self.remarks[k] for k in run)
            for k in run:
                at = self.remarks[k]
                self.out[k] = self.out[k][:at].ljust(column) + self.out[k][at:]

    def _look_ahead(self) -> tuple[list[int], list[bool]]:
        """For each atom the first from there on that is no comment, and whether no blank line stands between
        them.
        """
        count = len(self.atoms)
        code, solid = [count] * (count + 1), [True] * (count + 1)
        for k in range(count - 1, -1, -1):
            is_comment = self.atoms[k].kind == "comment"
            code[k] = code[k + 1] if is_comment else k
            solid[k] = not is_comment or (solid[k + 1] and not self._blank_above(k + 1))
        return code, solid

    def _line(self, offset: int) -> int:
        return self.source.position(offset)[0]

    # ------------------------------------------------------------ one line
    def _row(self, row: list[Atom], following: int) -> None:
        """Write a line, which may hold texts of several lines."""
        first = row[0]
        indent = self._indent(first, following)
        if self._wants_blank(first, following - len(row), indent):
            self.out.append("")
        line = " " * indent
        cells: list[AlignedCell] = []
        for k, atom in enumerate(row):
            before = row[k - 1] if k else None
            line += "" if before is None else self._between(before, atom)
            self._enter(atom, len(line), indent, k == len(row) - 1 or row[k + 1].kind == "comment")
            pieces = self._pieces(atom, len(line))
            cells.append(self._cell(before, atom, len(line), len(pieces[0])))
            line += pieces[0]
            if len(pieces) > 1:
                cells.clear()
                self.out += [line.rstrip() if atom.kind != "scalar" else line, *pieces[1:-1]]
                line = pieces[-1]
        if len(row) > 1 and row[-1].kind == "comment":
            self.remarks[len(self.out)] = len(line) - len(comment(self.text[row[-1].start : row[-1].end]))
        if (
            len(row) == len(cells)
            and cells[0].sign == "-"
            and len(row) > 1
            and row[1].kind == "sign"
            and cells[1].sign in ("[", "{")
        ):
            self.rows.append(
                AlignedRow(
                    len(self.out),
                    [cell for cell, atom in zip(cells, row, strict=True) if atom.kind != "comment"],
                )
            )
        self.out.append(line)

    def _cell(self, before: Atom | None, atom: Atom, at: int, size: int) -> AlignedCell:
        """Return the cell of an atom: where it stood, and where it stands now."""
        start = self.source.position(atom.start)[1]
        sign = self.text[atom.start : atom.end] if atom.kind == "sign" else ""
        spaced = before is not None and atom.start - before.end > len(self._between(before, atom))
        return AlignedCell(sign, start, start + atom.end - atom.start, spaced, at, size)

    def _enter(self, atom: Atom, column: int, indent: int, last: bool) -> None:
        """Keep track of levels and brackets."""
        sign = self.text[atom.start] if atom.kind == "sign" else ""
        if atom.opens:
            while self.levels and self.levels[-1][1] >= atom.column:
                self.levels.pop()
            self.levels.append((self.source.position(atom.start)[1] - 1, atom.column))
        if atom.flow and sign and sign in "[{":
            self.brackets.append(_Open(column, indent, last))
        elif atom.flow and sign and sign in "]}" and self.brackets:
            self.brackets.pop()

    def _indent(self, atom: Atom, following: int) -> int:
        if self.brackets:
            inner = self.brackets[-1]
            if self.text[atom.start] in "]}" and atom.kind == "sign":
                return inner.indent + STEP if inner.last else inner.column
            return inner.indent + 2 * STEP if inner.last else inner.column + 1
        if atom.kind != "comment":
            return atom.column
        next_code = self.code[following]
        after = self.atoms[next_code].column if next_code < len(self.atoms) else 0
        author = self.source.position(atom.start)[1] - 1
        return max(
            [ours for theirs, ours in self.levels if ours >= after and theirs <= author], default=after
        )

    def _between(self, before: Atom, atom: Atom) -> str:
        if atom.kind == "comment":
            return "  "
        left = self.text[before.start : before.end] if before.kind == "sign" else ""
        right = self.text[atom.start : atom.end] if atom.kind == "sign" else ""
        if right in (":", ",", "]", "}") and right:
            # where a value is missing, as well
            return " " if left and (left == ":" or right == ":" and left in ("-", "?")) else ""
        return "" if left in ("[", "{") and left else " "

    # ------------------------------------------------------------ blank lines
    def _wants_blank(self, first: Atom, index: int, indent: int) -> bool:
        if not self.out or self.brackets:
            return False
        given = self._blank_above(index)
        kept, self.kept_blank = self.kept_blank, 0
        if kept:
            return False
        if self._opens_block(index):
            return False
        if first.kind == "comment":  # a comment goes with what it stands above
            k = self.code[index]
            lead = (
                index > 0 and self.atoms[index - 1].kind == "comment" and self._alone(index - 1) and not given
            )
            return given or (k < len(self.atoms) and self.atoms[k].apart and self.solid[index] and not lead)
        if (
            first.apart
            and index > 0
            and self.atoms[index - 1].kind == "comment"
            and self._alone(index - 1)
            and not given
        ):
            return False  # it stands above the comment
        return given or first.apart

    def _alone(self, index: int) -> bool:
        """Tell whether a comment has a line of its own."""
        return index == 0 or self._line(self.atoms[index - 1].end - 1) < self._line(self.atoms[index].start)

    def _blank_above(self, index: int) -> bool:
        if index == 0 or index >= len(self.atoms):
            return False
        end = max(self.atoms[index - 1].start, self.atoms[index - 1].end - 1)
        return self._line(self.atoms[index].start) - self._line(end) > 1

    def _opens_block(self, index: int) -> bool:
        """Tell whether the line begins the block of the key above it."""
        k, j = self.code[index], index - 1
        while j >= 0 and self.atoms[j].kind == "comment":
            if self._alone(j):
                return False
            j -= 1
        return (
            j >= 0
            and k < len(self.atoms)
            and self.text[self.atoms[j].start : self.atoms[j].end] == ":"
            and self.atoms[j].kind == "sign"
        )

    # ------------------------------------------------------------ scalars
    def _pieces(self, atom: Atom, column: int) -> list[str]:
        """The lines of an atom that begins at a column; the first goes on the line that is being written."""
        raw = self.text[atom.start : atom.end]
        if atom.kind == "comment":
            return [comment(raw)]
        node = atom.node
        if node is None:
            return [raw]
        if node.style in ("literal", "folded"):
            return self._block(node, raw, atom.column)
        if not _LINE_END.search(raw):
            lines = self.rules(node, column) if node.style == "plain" else None
            return lines if lines is not None and len(lines) == 1 else [raw]
        first, *rest = _LINE_END.split(raw)
        inner = column if atom.flow else atom.column
        quoted = node.style == "double"
        lines = [first if quoted and first.rstrip().endswith("\\") else first.rstrip()]
        for line in rest:
            body = line.lstrip(" \t")
            body = body if quoted and body.rstrip().endswith("\\") else body.rstrip()
            lines.append(" " * inner + body if body else "")
        lines[-1] = " " * inner + rest[-1].lstrip(" \t")
        return lines

    def _block(self, node: YamlScalar, raw: str, column: int) -> list[str]:
        """A literal or folded block."""
        head, *body = _LINE_END.split(raw)
        found = _HEADER.match(head)
        assert found is not None
        sign, marks, remark = found.groups()
        behind = f"  {comment(remark)}" if remark else ""
        lines = self.rules(node, column)
        if lines is not None:
            return [f"|{behind}", *(" " * column + line if line else "" for line in lines)]
        indent = self._author_indent(body, node)
        marks = re.sub(r"[0-9]", str(STEP), marks)
        out = [
            f"{sign}{marks}{behind}",
            *(" " * column + line[indent:] if line[indent:] else "" for line in body),
        ]
        if "+" in marks:
            blank = len(node.text) - len(node.text.rstrip("\n")) - 1
            out += [""] * blank
            self.kept_blank = max(1, blank)
        return out

    @staticmethod
    def _author_indent(body: list[str], node: YamlScalar) -> int:
        """The indentation of a block: that of the first line that is not blank, less the spaces that belong
        to the text.
        """
        texts = node.text.split("\n")
        if node.style == "folded":
            return next((len(line) - len(line.lstrip(" ")) for line in body if line.strip()), 0)
        return next(
            (len(line) - len(text) for line, text in zip(body, texts, strict=False) if text.strip()), 0
        )
