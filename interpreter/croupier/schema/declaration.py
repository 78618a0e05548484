"""The base of everything that a ruleset declares with keys; and citations, which every declaration may have.

Before pydantic sees the values, keys that nobody reads and keys that are missing are reported; a value that is refused is left
out, and only a declaration that cannot do without it is refused as a whole. Citations: `cites: [WB-1, WB-4..6]` or `cites: WB-1, WB-4..6`, and
`WB-34,35` for `WB-34, WB-35`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError, ValidationInfo, model_validator
from pydantic.functional_validators import ModelWrapValidatorHandler
from pydantic.json_schema import JsonSchemaValue

from croupier.diagnostics import Fix, Span, did_you_mean
from croupier.schema.findings import Findings, findings_of, refuse
from croupier.schema.leaves import Prose, Text
from croupier.schema.shapes import Shape, refusals
from croupier.source import Mapping, Node, Scalar, Sequence

# ---------------------------------------------------------------- citations
_NUMBER = r"[A-Z]*[0-9]+[a-z]?"
_ONE = rf"[A-Z]{{1,8}}-{_NUMBER}(?:\.\.(?:[A-Z]{{1,8}}-)?{_NUMBER})?"
_MANY = rf"{_ONE}(?:\s*,\s*(?:{_ONE}|{_NUMBER}(?:\.\.{_NUMBER})?))*"
_PART = re.compile(r"[^,]+")


def read_cites(node: Node, findings: Findings) -> tuple[Text, ...]:
    """Each cited id or range of ids as a text at its own place; a number without a prefix takes the prefix before it."""
    items = node.items if isinstance(node, Sequence) else (node,)
    cites: list[Text] = []
    for item in items:
        if not isinstance(item, Scalar):
            findings.wrong_kind(item, "a list of rule ids")
        cites += _split(item, findings)
    return tuple(cites)


def _split(node: Scalar, findings: Findings) -> list[Text]:
    raw = node.span.text
    inner = raw[1:-1] if node.style in ("single", "double") else raw
    if node.style in ("literal", "folded") or inner != node.text or not re.fullmatch(_MANY, inner):
        findings.add("D109", node.span, text=node.text)
        return []
    base = node.span.start + (1 if inner != raw else 0)
    prefix, cites = "", []
    for match in _PART.finditer(inner):
        text = match.group().strip()
        start = base + match.start() + len(match.group()) - len(match.group().lstrip())
        if "-" in text:
            prefix = text[: text.index("-") + 1]
        else:
            text = prefix + text
        span = Span(node.span.source, start, base + match.end() - len(match.group()) + len(match.group().rstrip()))
        cites.append(Text(replace(node, span=span, text=text, style="plain", value=text)))
    return cites


def _cites_schema() -> JsonSchemaValue:
    one = {"type": "string", "pattern": f"^{_MANY}$"}
    return {"anyOf": [one, {"type": "array", "items": one}]}


Cites: TypeAlias = Annotated[tuple[Text, ...], Shape(read_cites, _cites_schema)]


# ---------------------------------------------------------------- declarations
class Declaration(BaseModel):
    """A group of keys.  Every declaration may be explained (`doc`) and say which rules it implements (`cites`)."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    doc: Prose | None = None
    cites: Cites = ()
    _node: Node = PrivateAttr()

    WANTED: ClassVar[str] = "a group of keys"
    SHORT: ClassVar[str | None] = None  # the field that takes the whole value when it is no group of keys
    HIDDEN: ClassVar[bool] = True  # whether the short field cannot be written as a key
    KEY_HINTS: ClassVar[dict[str, str]] = {}  # keys that people write, and what to write instead
    ELSEWHERE: ClassVar[dict[str, str]] = {}  # keys that belong elsewhere, and the help for whoever writes them here
    SAMPLES: ClassVar[dict[str, str]] = {}  # what to write for a missing key
    NEEDED: ClassVar[tuple[str, ...]] = ()  # keys whose absence is reported without refusing the whole

    @property
    def node(self) -> Node:
        """The located value."""
        return self._node

    @property
    def span(self) -> Span:
        """The place of the whole value."""
        return self._node.span

    @classmethod
    def keys(cls) -> tuple[str, ...]:
        """The keys an author can write, `doc` and `cites` last."""
        names = [field.alias or name for name, field in cls.model_fields.items() if not (cls.HIDDEN and name == cls.SHORT)]
        return tuple(sorted(names, key=lambda name: name in ("doc", "cites")))

    @classmethod
    def required(cls) -> tuple[str, ...]:
        """The keys that must be there."""
        return (*(field.alias or name for name, field in cls.model_fields.items() if field.is_required()), *cls.NEEDED)

    @classmethod
    def takes_short(cls, node: Node) -> bool:
        """Whether a value stands for the declaration in its short form."""
        return isinstance(node, Scalar)

    @classmethod
    def advice(cls, node: Node, findings: Findings) -> str | None:
        """What to write in place of a value of another shape."""
        return None

    def examine(self, findings: Findings) -> Self:
        """Report what is wrong between the keys; `refuse` if the declaration is of no use; give the declaration to keep."""
        return self

    @model_validator(mode="wrap")
    @classmethod
    def _validate(cls, node: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo) -> Self:
        if isinstance(node, dict):  # pydantic calls the validator of a model that contains itself once more, on the way to its fields
            return handler(node)
        findings = findings_of(info)
        return findings.once(cls, node, lambda: cls._make(node, handler, findings))

    @classmethod
    def _make(cls, node: Node, handler: ModelWrapValidatorHandler[Self], findings: Findings) -> Self:
        if cls.SHORT is not None and cls.takes_short(node):
            values = {cls.SHORT: node}
        elif isinstance(node, Mapping):
            values = cls._read_keys(node, findings)
        else:
            findings.wrong_kind(node, cls.WANTED, cls.advice(node, findings))
        try:
            made = handler(values)
        except ValidationError as error:
            lost = {detail["loc"][0] for detail in refusals(error)}
            if lost & {*cls.required(), cls.SHORT} - set(cls.NEEDED):
                refuse()
            made = handler({key: value for key, value in values.items() if key not in lost})
        made._node = node
        return made.examine(findings)

    @classmethod
    def _read_keys(cls, node: Mapping, findings: Findings) -> dict[str, Node]:
        """The values of the keys that are known; reports those that are not, and those that are missing."""
        known = cls.keys()
        values: dict[str, Node] = {}
        excused: set[str] = set()
        for key, value in node.entries:
            if key.text in known:
                findings.enter(key, value)
                values[key.text] = value
            else:
                meant = cls._unknown(key, known, node, findings)
                if meant is not None and meant not in excused:
                    excused.add(meant)
                    if isinstance(value, Mapping) or key.text not in cls.KEY_HINTS:
                        findings.enter(key, value)
                        values[meant] = value
        for name in cls.required():
            if name not in values and name not in excused:
                help = f"add `{name}: {cls.SAMPLES[name]}`" if name in cls.SAMPLES else None
                findings.add("D002", findings.head(node), help=help, place=findings.place(node), key=name)
        return values

    @classmethod
    def _unknown(cls, key: Scalar, known: tuple[str, ...], node: Mapping, findings: Findings) -> str | None:
        """Report a key; gives the key that was meant if it is not there, so that what stands under it is read all the same."""
        if key.text in cls.ELSEWHERE:
            findings.add("D001", key.span, help=cls.ELSEWHERE[key.text], key=key.text)
            return None
        if key.in_flow and key.text.count(")") > key.text.count("("):
            findings.add("D001", key.span, help="between braces a comma begins the next key: put the text around it in quotes", key=key.text)
            return None
        nearest = cls.KEY_HINTS.get(key.text) or did_you_mean(key.text, known)
        help = f"did you mean `{nearest}`?" if nearest else "the keys here are " + ", ".join(f"`{name}`" for name in known)
        meant = nearest if nearest is not None and node.get(nearest) is None else None
        fix = Fix(key.span, meant, f"write `{meant}`", safe=False) if meant is not None else None
        findings.add("D001", key.span, help=help, fix=fix, key=key.text)
        return meant
