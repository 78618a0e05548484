"""`croupier lsp`: the language server."""

from __future__ import annotations

from importlib.util import find_spec

import typer

from croupier.cli.console import finish, say
from croupier.cli.guard import REFUSED

app = typer.Typer(add_completion=False)
NEEDED = "pygls"


@app.command()
def lsp() -> None:
    """Serve an editor: diagnostics as you type, hover, completion, definitions, references, rename, outline, layout, fixes.

    It speaks the Language Server Protocol on standard input and output; an editor starts it: grammar/guide/editor.md has the settings.

    Exit code: 0 the editor closed the connection, 2 the package that it needs is missing.

    \b
    Examples:
      croupier lsp
    """
    if find_spec(NEEDED) is None:
        say(f"croupier: the language server needs the package `{NEEDED}`; install it with `pip install 'croupier[lsp]'`")
        finish(REFUSED)
    from croupier.lsp.server import serve

    serve()
