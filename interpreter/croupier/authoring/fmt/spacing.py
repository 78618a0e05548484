"""Between which tokens of the rule language a space stands: `score[p] += f(a, b=-1) * (2..n).size`."""

from __future__ import annotations

from croupier.syntax.tokens import CodeToken

OPEN, CLOSE = "([{", ")]}"
_VALUES = {"NAME", "INT", "STRING", "TRUE", "FALSE", "NONE"}
_TIGHT = {".", ".."}  # on both sides
_BEHIND = {",", ":", "!", "?", *CLOSE}  # what stands close behind the token before it


class Spacing:
    """Walks the tokens of one text in order and tells for each whether a space stands before it (if it does not begin a line)."""

    def __init__(self) -> None:
        self.before: CodeToken | None = None
        self.unary = False  # was the token before a sign that belongs to the number after it?
        self.typed = [False]  # for each open bracket: was a type written since the last comma?

    def step(self, token: CodeToken) -> bool:
        """Whether a space stands before this token."""
        spaced = self._spaced(token)
        self.unary = token.kind == "SIGN" and not self._ends_value(self.before)
        if token.text in OPEN:
            self.typed.append(False)
        elif token.text in CLOSE and len(self.typed) > 1:
            self.typed.pop()
        elif token.text in (",", ":"):
            self.typed[-1] = token.text == ":"
        self.before = token
        return spaced

    def _spaced(self, token: CodeToken) -> bool:
        before = self.before
        if before is None or self.unary or before.text in OPEN or token.text in _BEHIND:
            return False
        if token.text in _TIGHT or before.text in _TIGHT:
            return False
        if "=" in (token.text, before.text) and len(self.typed) > 1:
            return self.typed[-1]
        if token.text in ("(", "["):
            return not (before.kind == "NAME" or before.text in (")", "]", "!"))
        return True

    @staticmethod
    def _ends_value(token: CodeToken | None) -> bool:
        return token is not None and (token.kind in _VALUES or token.text in (*CLOSE, "!"))
