"""Records: objects of a JSON file, described by a table in which each field is declared once.

From the table come the reader, the writer and the schema, so that they cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from solver.errors import InputRefused, PoserError
from solver.files.json_checks import Node
from solver.files.json_forms import Asleep, Context, Definitions, Form, Rest, Schema, merged

REQUIRED: Any = object()

Values = dict[str, Any]  # what was read so far, by the fields' names
Make = Callable[[Values, Node, Context], Any]


@dataclass(frozen=True)
class Field:
    """One key of an object. doc: a sentence for the schema and the document.

    name: the attribute that holds it; if "", the key itself. default: the value if the key is missing or null;
    REQUIRED refuses that. default_doc: how the document describes the default if a value cannot.
    quiet: not written while it has its default.
    """

    key: str
    form: Form
    doc: str
    default: Any = REQUIRED
    name: str = ""
    default_doc: str = ""
    quiet: bool = False

    @property
    def attribute(self) -> str:
        """The name under which the value is held."""
        return self.name or self.key


class ForbiddenHere(InputRefused):
    """A refusal that holds even for a file of a newer version: it is about what is allowed, not what is known."""


@dataclass(frozen=True)
class Record(Form):
    """An object. name: of its schema. make: from the values to what they mean. parts: the way back.

    keeps: what it means has an `extra`, which holds the unknown keys; else they are handed to the object around it.
    within: by key, how the fields after that key see the context, given the values up to there.
    """

    name: str
    doc: str
    fields: tuple[Field, ...]
    make: Make
    parts: Callable[[Any], Mapping[str, Any]] | None = None
    keeps: bool = False
    within: Mapping[str, Callable[[Mapping[str, Any], Node | None, Context], Context]] = field(default_factory=dict)

    def read(self, node: Node, context: Context) -> tuple[Any, Rest]:
        """What the object means. InputRefused names the key that is wrong."""
        rest = node.others({each.key for each in self.fields})
        values: Values = {}
        for each in self.fields:
            values[each.attribute], left = self._read_field(each, node, context, values)
            if isinstance(left, Asleep) or left:
                rest[each.key] = left
            if each.key in self.within:
                context = self.within[each.key](values, node, context)
        if self.keeps:
            values["extra"], rest = rest, {}
        return self.make(values, node, context), rest

    def write(self, value: Any, context: Context) -> dict[str, Any]:
        """The object, with the unknown keys that the value keeps."""
        parts = self.parts(value) if self.parts else _Attributes(value)
        written: dict[str, Any] = {}
        for each in self.fields:
            part = parts[each.attribute]
            if not (each.quiet and part == default_of(each, parts)):
                written[each.key] = None if part is None else each.form.write(part, context)
            if each.key in self.within:
                context = self.within[each.key](parts, None, context)
        return merged(written, parts["extra"]) if self.keeps else written

    def schema(self, definitions: Definitions) -> Schema:
        """A reference to the object's schema, which is put among the definitions."""
        if self.name not in definitions:
            definitions[self.name] = {}  # first, so that the order of the table is kept
            definitions[self.name] = self.own_schema(definitions)
        return {"$ref": f"#/$defs/{self.name}"}

    def own_schema(self, definitions: Definitions) -> Schema:
        """The schema itself."""
        required = [each.key for each in self.fields if each.default is REQUIRED]
        return {
            "description": self.doc,
            "type": "object",
            **({"required": required} if required else {}),
            "properties": {each.key: _field_schema(each, definitions) for each in self.fields},
        }

    def _read_field(self, each: Field, node: Node, context: Context, values: Values) -> tuple[Any, Rest | Asleep]:
        found = node[each.key] if each.default is REQUIRED else node.get(each.key)
        if found is None:
            return default_of(each, values), {}
        try:
            return each.form.read(found, context)
        except ForbiddenHere:
            raise
        except InputRefused:
            if not context.newer or each.default is REQUIRED:
                raise
            value = default_of(each, values)
            return value, Asleep(found.value, None if value is None else each.form.write(value, context))


def typed_object(name: str, doc: str, known: Iterable[tuple[Schema, Record]], definitions: Definitions) -> Schema:
    """A reference to the schema of an object with a "type". known: the properties that identify one, and its table.

    Objects of an unknown type may hold anything.
    """
    definitions[name] = {
        "description": doc,
        "type": "object",
        "required": ["type"],
        "allOf": [
            {"if": {"properties": told, "required": ["type"]}, "then": record.schema(definitions)}
            for told, record in known
        ],
    }
    return {"$ref": f"#/$defs/{name}"}


def made_as(cls: Callable[..., Any]) -> Make:
    """A maker that calls `cls` with the values by name; values that it rejects are refused."""

    def make(values: Values, node: Node, context: Context) -> Any:
        try:
            return cls(**values)
        except (PoserError, ValueError) as error:
            node.refuse(str(error))

    return make


def default_of(each: Field, values: Mapping[str, Any]) -> Any:
    """What a missing key means; a function of the values before it may decide."""
    return each.default(values) if callable(each.default) else each.default


class _Attributes(Mapping[str, Any]):
    """The attributes of a value by name."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __getitem__(self, name: str) -> Any:
        return getattr(self._value, name)

    def __iter__(self) -> Any:
        return iter(vars(self._value))

    def __len__(self) -> int:
        return len(vars(self._value))


def _field_schema(each: Field, definitions: Definitions) -> Schema:
    schema = each.form.schema(definitions)
    if each.default is None:
        schema = {"oneOf": [{"type": "null"}, schema]}
    elif each.default is not REQUIRED and not callable(each.default) and isinstance(each.default, str | bool | float):
        schema = {**schema, "default": each.default}
    return {**schema, "description": each.doc}
