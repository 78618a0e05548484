"""Text on its way into an HTML page, and the frame of every page that commands write.

Nothing that an author wrote can become markup, a script or an invisible character. A page loads nothing and
runs nothing; its policy says so to the browser.
"""

from __future__ import annotations

import html
from collections.abc import Iterable

from croupier.diagnostics.source import sanitise

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""What a page may load: nothing but its own styles. Whatever slipped through would still not run."""


def escaped(text: str) -> str:
    """Return a text for the inside of an element or of an attribute in double quotes."""
    return html.escape(sanitise(text), quote=True)


def page(title: str, style: str, body: Iterable[str], *, policy: str | None = POLICY) -> str:
    """Return a whole page: `title` as plain text, `body` as lines of markup that are safe already.

    A page whose policy the server sends has no `policy` of its own.
    """
    lines = ["<!doctype html>", '<html lang="en">', "<head>", '<meta charset="utf-8">']
    if policy is not None:
        lines.append(f'<meta http-equiv="Content-Security-Policy" content="{escaped(policy)}">')
    lines += [
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escaped(title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
    ]
    return "\n".join([*lines, *body, "</body>", "</html>"]) + "\n"
