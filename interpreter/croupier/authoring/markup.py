"""Text on its way into a page: nothing that an author wrote can become markup, a script or an invisible character."""

from __future__ import annotations

import html

from croupier.diagnostics import sanitise

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What a page may load: nothing but its own styles. Whatever slipped through would still not run."""


def escaped(text: str) -> str:
    """A text for the inside of an element or of an attribute in double quotes."""
    return html.escape(sanitise(text), quote=True)
