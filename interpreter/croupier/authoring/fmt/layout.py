"""The layout of a YAML file: its atoms on lines of canonical indentation, spaces and blank lines.

The columns of a table that its author has aligned stay aligned (`alignment.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from croupier.authoring.fmt.alignment import AlignedCell, AlignedRow, align
from croupier.authoring.fmt.atoms import STEP, Atom, Atoms
from croupier.authoring.fmt.rules import comment
from croupier.source import YamlNode, YamlScalar

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
