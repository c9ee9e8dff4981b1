"""Forms: how one sort of value is written in a JSON file. Each reads it, writes it and gives its JSON Schema."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from solver.files.json_checks import NUMBER_LIMIT, Node, plain
from solver.sentences import counted

Rest = dict[str, Any]  # what a reader did not know, by key; it is written back
Schema = dict[str, Any]
Definitions = dict[str, Schema]  # the schemas that have names


@dataclass
class Quota:
    """How much of something a file may still hold; it is counted before it is read."""

    left: int

    def take(self, count: int) -> bool:
        """Whether that much is left; if so, it is used up."""
        if count > self.left:
            return False
        self.left -= count
        return True


@dataclass(frozen=True)
class Context:
    """What a form may need to know about the file around it.

    folder: of the file. joints: of the body at hand, in its order. bodies: ids of official bodies that may be loaded,
    None for any. newer: a newer version wrote the file, so what is not understood is kept rather than refused.
    frames: how many frames of motions the file may still hold. packing: zlib's level, 0 for numbers that are packed
    without being compressed.
    """

    folder: Path = Path()
    joints: tuple[str, ...] = ()
    bodies: Collection[str] | None = None
    newer: bool = False
    frames: Quota = field(default_factory=lambda: Quota(0))
    packing: int = 6


class Form(ABC):
    """One sort of value. A simple form has `value`; one with unknown keys within overrides `read`."""

    def read(self, node: Node, context: Context) -> tuple[Any, Rest]:
        """The value at `node` and the unknown keys within it. InputRefused otherwise."""
        return self.value(node, context), {}

    def value(self, node: Node, context: Context) -> Any:
        """The value alone."""
        return self.read(node, context)[0]

    def write(self, value: Any, context: Context) -> Any:
        """The value as JSON has it."""
        return value

    @abstractmethod
    def schema(self, definitions: Definitions) -> Schema:
        """The JSON Schema; named parts are put into `definitions` and referred to."""


@dataclass(frozen=True)
class Number(Form):
    """A finite number within low and high."""

    low: float = -NUMBER_LIMIT
    high: float = NUMBER_LIMIT

    def value(self, node: Node, context: Context) -> float:
        """The number."""
        return node.number(self.low, self.high)

    def write(self, value: Any, context: Context) -> float:
        """A plain float, whatever kind of number it was."""
        return float(value)

    def schema(self, definitions: Definitions) -> Schema:
        """A number with its range."""
        return {"type": "number", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True)
class Integer(Form):
    """A whole number within low and high."""

    low: int
    high: int

    def value(self, node: Node, context: Context) -> int:
        """The number."""
        return node.integer(self.low, self.high)

    def schema(self, definitions: Definitions) -> Schema:
        """An integer with its range."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True)
class Boolean(Form):
    """True or false."""

    def value(self, node: Node, context: Context) -> bool:
        """True or false."""
        return node.boolean()

    def write(self, value: Any, context: Context) -> bool:
        """A plain boolean."""
        return bool(value)

    def schema(self, definitions: Definitions) -> Schema:
        """A boolean."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Text(Form):
    """A text of least to most characters. check: refuses an unsuitable text, at its node."""

    most: int = 4096
    least: int = 0
    pattern: str = ""
    check: Callable[[str, Node], None] | None = None

    def value(self, node: Node, context: Context) -> str:
        """The text."""
        text = node.string(self.most)
        if len(text) < self.least:
            node.refuse("is empty", "Write text")
        if self.check is not None:
            self.check(text, node)
        return text

    def schema(self, definitions: Definitions) -> Schema:
        """A string with its pattern."""
        least = {"minLength": self.least} if self.least else {}
        return {"type": "string", **least, **({"pattern": self.pattern} if self.pattern else {})}


@dataclass(frozen=True)
class Choice(Form):
    """One of a few texts."""

    options: tuple[str, ...]

    def value(self, node: Node, context: Context) -> str:
        """The text chosen."""
        return node.choice(self.options)

    def schema(self, definitions: Definitions) -> Schema:
        """An enumeration."""
        return {"enum": list(self.options)} if len(self.options) > 1 else {"const": self.options[0]}


@dataclass(frozen=True)
class Joint(Form):
    """The name of one of the body's joints."""

    def value(self, node: Node, context: Context) -> str:
        """The name."""
        name = node.string(200)
        if name not in context.joints:
            node.refuse(f"there is no joint named “{name}”", f"Known: {', '.join(context.joints)}")
        return name

    def schema(self, definitions: Definitions) -> Schema:
        """A string."""
        return {"type": "string"}


@dataclass(frozen=True)
class Vector(Form):
    """A fixed count of numbers within ±limit -> float32 array (length,)."""

    length: int = 3
    limit: float = NUMBER_LIMIT

    def value(self, node: Node, context: Context) -> Any:
        """The numbers."""
        return node.vector(self.length, self.limit).astype(np.float32)

    def write(self, value: Any, context: Context) -> list[float]:
        """The shortest decimals that give the same float32 numbers back."""
        return list(plain(value))

    def schema(self, definitions: Definitions) -> Schema:
        """An array of numbers."""
        item = {"type": "number", "minimum": -self.limit, "maximum": self.limit}
        return {"type": "array", "items": item, "minItems": self.length, "maxItems": self.length}


@dataclass(frozen=True)
class Numbers(Form):
    """A fixed count of numbers in double precision, as a tuple."""

    length: int
    limit: float = NUMBER_LIMIT

    def value(self, node: Node, context: Context) -> tuple[float, ...]:
        """The numbers."""
        return tuple(map(float, node.vector(self.length, self.limit)))

    def write(self, value: Any, context: Context) -> list[float]:
        """The numbers as they are."""
        return [float(each) for each in value]

    def schema(self, definitions: Definitions) -> Schema:
        """An array of numbers."""
        item = {"type": "number", "minimum": -self.limit, "maximum": self.limit}
        return {"type": "array", "items": item, "minItems": self.length, "maxItems": self.length}


@dataclass(frozen=True)
class ListOf(Form):
    """A list of values, read as a tuple. finish: called with all of them together.

    Unknown keys within an element are kept by the element's id.
    """

    form: Form
    most: int = 10_000
    finish: Callable[[tuple[Any, ...]], tuple[Any, ...]] = tuple
    exactly: int | None = None

    def read(self, node: Node, context: Context) -> tuple[Any, Rest]:
        """The elements in their order."""
        nodes = node.items(self.most)
        if self.exactly is not None and len(nodes) != self.exactly:
            node.refuse(f"has {counted(len(nodes), 'element')}, expected {self.exactly}")
        found = [self.form.read(each, context) for each in nodes]
        values = self.finish(tuple(value for value, _ in found))
        rests = [rest for _, rest in found]
        return values, {value.id: rest for value, rest in zip(values, rests, strict=True) if rest}

    def write(self, value: Any, context: Context) -> list[Any]:
        """A list."""
        return [self.form.write(each, context) for each in value]

    def schema(self, definitions: Definitions) -> Schema:
        """An array with its length."""
        size = {"maxItems": self.most} if self.exactly is None else {"minItems": self.exactly, "maxItems": self.exactly}
        return {"type": "array", "items": self.form.schema(definitions), **size}


@dataclass(frozen=True)
class JointSet(Form):
    """A set of the body's joints, written in alphabetical order."""

    def value(self, node: Node, context: Context) -> frozenset[str]:
        """The names."""
        return frozenset(each.choice(context.joints) for each in node.items())

    def write(self, value: Any, context: Context) -> list[str]:
        """The names sorted."""
        return sorted(value)

    def schema(self, definitions: Definitions) -> Schema:
        """An array of strings."""
        return {"type": "array", "items": {"type": "string"}}


@dataclass(frozen=True)
class Asleep:
    """A value of a newer file that this version does not understand. written: as it stood there.

    stands_in: what was used instead, as it would be written; while that is unchanged, the file's own value goes back.
    """

    written: Any
    stands_in: Any


def merged(known: Mapping[str, Any], rest: Mapping[str, Any]) -> dict[str, Any]:
    """`known` with the keys of `rest` that it lacks, and with what was kept asleep; objects within are merged likewise.

    Where `known` holds a list of objects with ids, `rest` holds an object of such leftovers by id.
    """
    result = dict(known)
    for key, value in rest.items():
        mine = result.get(key)
        if isinstance(value, Asleep):
            result[key] = value.written if mine == value.stands_in else mine
        elif key not in result:
            result[key] = value
        elif isinstance(mine, dict) and isinstance(value, Mapping):
            result[key] = merged(mine, value)
        elif isinstance(mine, list) and isinstance(value, Mapping):
            result[key] = [merged(item, value.get(item.get("id"), {})) for item in mine]
    return result
