"""The tables of the reference evaluator: what compiles each operation of the typed tree."""

from __future__ import annotations

from croupier.runtime import aggregates, functions, members, operators, redaction, resumable, statements, values
from croupier.runtime.compiler import Rows

ROWS = Rows(
    expressions={
        **values.EXPRESSIONS, **operators.EXPRESSIONS, **aggregates.EXPRESSIONS, **members.EXPRESSIONS, **functions.EXPRESSIONS,
        **redaction.EXPRESSIONS,
    },
    members=members.MEMBERS,
    statements=statements.STATEMENTS,
    operations=resumable.OPERATIONS,
    member=members.member,
    sight_test=redaction.sight_test,
    block=statements.compile_block,
    thread=resumable.compile_thread,
)  # fmt: skip
