"""From a located tree to a document: everything that is wrong with the shape is reported, everything that is fine is kept."""

from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import dataclass, field

from pydantic import ValidationError

from croupier.diagnostics import Diagnostic, Fix, did_you_mean
from croupier.schema.document import VERSION, RulesetDoc
from croupier.schema.findings import Dropped, Findings, describe, narrow
from croupier.schema.leaves import Leaf
from croupier.schema.shapes import refusals
from croupier.schema.variants import VariantDoc
from croupier.source import Mapping, Node, Scalar

ALSO = ("inherits", "inherit", "base", "variant_of", "parent", "from")  # what people write for `extends`


@dataclass(frozen=True)
class Parsed:
    """What `read_document` found.  `dropped` names declarations that could not be kept and need not be reported as unknown.

    `leaves` tells as what each scalar was read, by its offset in the file.
    """

    document: RulesetDoc | VariantDoc | None
    diagnostics: tuple[Diagnostic, ...]
    dropped: tuple[Dropped, ...] = ()
    leaves: Table[int, Leaf] = field(default_factory=dict)


def read_document(node: Node) -> Parsed:
    """The document, as far as it can be used, with every diagnostic in the order of the file.

    A file for another version of the language gives that one diagnostic and no document.
    """
    findings = Findings(node)
    if not isinstance(node, Mapping):
        findings.add("D008", narrow(node), found=describe(node))
        return Parsed(None, tuple(findings.diagnostics))
    version = node.get("croupier")
    if isinstance(version, Scalar) and version.value is not None and version.text != str(VERSION):
        findings.add("D009", version.span, version=version.text, known=VERSION)
        return Parsed(None, tuple(findings.diagnostics))
    extends = _nearly_extends(node)
    if extends is not None:
        fix = Fix(extends.span, "extends", "write `extends`", safe=False)
        findings.add("D001", extends.span, help="did you mean `extends`?", fix=fix, key=extends.text)
        return Parsed(None, tuple(findings.diagnostics))
    model = RulesetDoc if node.get("extends") is None else VariantDoc
    document: RulesetDoc | VariantDoc | None = None
    try:
        document = model.model_validate(node, context=findings)
    except ValidationError as error:
        refusals(error)
    ordered = sorted(findings.diagnostics, key=lambda finding: (finding.span.start, finding.code) if finding.span is not None else (0, finding.code))
    return Parsed(document, tuple(ordered), tuple(dict.fromkeys(findings.dropped)), findings.leaves)


def _nearly_extends(node: Mapping) -> Scalar | None:
    """The key that was meant to be `extends`: without it a variant reads like a ruleset that lacks almost everything."""
    if any(node.get(name) is not None for name in ("extends", "ruleset")):
        return None
    known = ("extends", *RulesetDoc.keys(), *RulesetDoc.HABITS)
    return next((key for key, _ in node.entries if key.text not in known and (key.text in ALSO or did_you_mean(key.text, known) == "extends")), None)


def parse(node: Node) -> tuple[RulesetDoc | VariantDoc | None, list[Diagnostic]]:
    """The document, as far as it can be used, and every diagnostic."""
    parsed = read_document(node)
    return parsed.document, list(parsed.diagnostics)
