"""`croupier lsp`: the language server."""

from __future__ import annotations

from importlib.util import find_spec

from croupier.cli.console import finish, say
from croupier.cli.guard import REFUSED

SPEAKS = "pygls"


def lsp() -> None:
    """Start the language server for an editor: diagnostics as you type, hover, completion, definitions,
    references, rename, outline, layout, fixes.

    The editor starts this command and speaks the Language Server Protocol with it on standard input and
    output. The page grammar/guide/editor.md has the settings of several editors.

    Exit code: 0 the editor closed the connection, 2 the package that it needs is missing.

    \b
    Examples:
      croupier lsp
    """
    if find_spec(SPEAKS) is None:
        say(
            f"croupier: the language server needs the package `{SPEAKS}`; install it with `pip install "
            f"'croupier[lsp]'`"
        )
        finish(REFUSED)
    from croupier.lsp.server import serve

    serve()
