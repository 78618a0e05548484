"""`croupier schema`: the JSON Schema of what a command writes."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.console import data, usage


def complete_schemas(incomplete: str) -> list[str]:
    """The names of schemas that begin like this, for shell completion."""
    from croupier.outputs.documents import SCHEMAS

    return [name for name in SCHEMAS if name.startswith(incomplete)]


def schema(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="SCHEMA",
            help="A schema: the name of a command, `error` or `table`.",
            autocompletion=complete_schemas,
            show_default=False,
        ),
    ] = None,
) -> None:
    """Print the JSON Schema (draft 2020-12) of what a command writes with --format json.

    Without a name, list all schemas.

    Every output names its schema and the version of it in `schema`. A version grows when a key goes or
    changes its meaning.

    Exit code: 0, or 2 if there is no such schema.

    \b
    Examples:
      croupier schema
      croupier schema simulate
    """
    from croupier.diagnostics import did_you_mean
    from croupier.outputs.documents import SCHEMAS
    from croupier.outputs.schemas import schema_text

    if name is None:
        width = max(map(len, SCHEMAS))
        for each, published in SCHEMAS.items():
            data(f"{each:<{width}}  version {published.version}  {published.written_by}")
        return
    if name not in SCHEMAS:
        near = did_you_mean(name, SCHEMAS)
        usage(
            f"there is no schema `{name}`; "
            f"{f'did you mean `{near}`?' if near else 'without a name, all of them are listed'}",
            "SCHEMA",
        )
    data(schema_text(name))
