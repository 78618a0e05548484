"""What a YAML parser's error means to an author."""

from __future__ import annotations

from ruamel.yaml.error import MarkedYAMLError, YAMLError

from croupier.diagnostics import Diagnostic, Source, diagnose


def word(source: Source, error: YAMLError) -> Diagnostic:
    """A diagnostic for an error of the YAML parser."""
    if isinstance(error, MarkedYAMLError) and error.problem_mark is not None:
        at = error.problem_mark.index
        return diagnose("Y001", source.span(at, at + 1), problem=error.problem)
    return diagnose("Y001", source.span(0, 0), problem="this cannot be read as YAML")
