"""Reading JSON from other programs with care: every refusal names the file and the key path."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.files.json_text import spelled
from solver.sentences import counted
from solver.size_limits import MAX_JSON_DEPTH, MAX_JSON_VALUES

NUMBER_LIMIT = 1e6
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|(-?Infinity|NaN)')  # texts are skipped
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")


@dataclass(frozen=True)
class Node:
    """One value of a JSON file together with where it is: `path` is its key path, "" at the top.

    An object or a list may itself hold nodes: values that were moved there from elsewhere in the file.
    """

    value: Any
    source: str
    path: str = ""

    def refuse(self, reason: str, way_out: str = "") -> NoReturn:
        """Raise InputRefused for this value."""
        raise InputRefused(self.source, reason, way_out, self.path)

    def object(self) -> Mapping[str, Any]:
        """The value as an object's keys and plain values."""
        if not isinstance(self.value, dict):
            self._wrong("an object")
        return self.value

    def __contains__(self, key: str) -> bool:
        return key in self.object()

    def __getitem__(self, key: str) -> Node:
        """The value of a required key."""
        if key not in self.object():
            self._child(key).refuse("is missing")
        return self._child(key, self.value[key])

    def get(self, key: str) -> Node | None:
        """The value of an optional key; None when it is missing or null."""
        value = self.object().get(key)
        return None if value is None else self._child(key, value)

    def entries(self, limit: int = 10_000) -> Iterator[tuple[str, Node]]:
        """The keys of an object with their values."""
        if len(self.object()) > limit:
            self.refuse(f"has {len(self.value)} keys, more than {limit}")
        return ((key, self._child(key, value)) for key, value in self.value.items())

    def items(self, limit: int = 10_000) -> list[Node]:
        """The elements of a list."""
        if not isinstance(self.value, list):
            self._wrong("a list")
        if len(self.value) > limit:
            self.refuse(f"has {len(self.value)} elements, more than {limit}")
        return [
            value if isinstance(value, Node) else Node(value, self.source, f"{self.path}[{i}]")
            for i, value in enumerate(self.value)
        ]

    def others(self, known: Collection[str]) -> dict[str, Any]:
        """The keys that are not in `known`, to be kept for the next save."""
        return {key: value for key, value in self.object().items() if key not in known}

    def number(self, low: float = -NUMBER_LIMIT, high: float = NUMBER_LIMIT) -> float:
        """A finite number within low and high."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            self._wrong("a number")
        if not low <= self.value <= high:  # also false for NaN, and safe for integers that no float can hold
            self.refuse(f"{_short(self.value)} is not between {low:g} and {high:g}")
        return float(self.value)

    def integer(self, low: int, high: int) -> int:
        """A whole number within low and high."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            self._wrong("a whole number")
        if not low <= self.value <= high:
            self.refuse(f"{_short(self.value)} is not between {low} and {high}")
        return self.value

    def boolean(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self._wrong("true or false")
        return self.value

    def string(self, limit: int = 1000) -> str:
        """A text of at most `limit` characters."""
        if not isinstance(self.value, str):
            self._wrong("a text")
        if len(self.value) > limit:
            self.refuse(f"is longer than {limit} characters")
        return self.value

    def choice(self, allowed: Collection[str]) -> str:
        """One of the texts in `allowed`."""
        if self.value not in tuple(allowed):
            self.refuse(f"{_short(self.value)} is not one of {', '.join(allowed)}")
        return str(self.value)

    def vector(self, length: int, limit: float = NUMBER_LIMIT) -> NDArray[np.float64]:
        """A list of `length` finite numbers within ±limit -> (length,)."""
        elements = self.items()
        if len(elements) != length:
            self.refuse(f"has {counted(len(elements), 'number')}, expected {length}")
        return np.array([element.number(-limit, limit) for element in elements], dtype=np.float64)

    def _child(self, key: str, value: Any = None) -> Node:
        if isinstance(value, Node):
            return value
        name = key if _PLAIN_KEY.match(key) else json.dumps(key[:60])
        return Node(value, self.source, f"{self.path}.{name}" if self.path else name)

    def _wrong(self, wanted: str) -> NoReturn:
        self.refuse(f"{_short(self.value)} is not {wanted}")


def _syntax(error: json.JSONDecodeError) -> str:
    rest = error.doc[error.pos :].rstrip()
    if error.msg.startswith("Unterminated string"):
        return "the file ends too early, within a text"
    if any(word.startswith(rest) for word in ("true", "false", "null")):  # after nothing more, too
        return "the file ends too early"
    return f"is not valid JSON ({error.msg})"


def parse_json(text: str, source: object) -> Node:
    """Text to its top node. Refuses what JSON does not allow, NaN, keys given twice, absurd nesting and size.

    Numbers that Python would write with other digits keep their own: see `json_text`.
    """
    source = str(source)
    if not text.strip():
        raise InputRefused(source, "is empty", "Use an earlier copy")
    if sum(map(text.count, ",[{")) > MAX_JSON_VALUES:  # commas in texts count too: no real file has that many
        reason = f"holds more than {MAX_JSON_VALUES:,} values"
        raise InputRefused(source, reason, "Split it, or leave out what the program does not need")
    try:
        value = json.loads(
            text, parse_float=_finite, parse_int=_integer, parse_constant=_refuse_constant, object_pairs_hook=_unique
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputRefused(source, _syntax(error), "Use an earlier copy or correct it there", place) from None
    except RecursionError:
        raise InputRefused(source, "is nested too deeply", "It was not written by this program") from None
    except _NoNumber as error:
        raise InputRefused(
            source, str(error), "Put a number there, or null if it may be missing", _place_of_constant(text)
        ) from None
    except ValueError as error:  # from the other hooks below
        raise InputRefused(source, str(error), "Correct it in a text editor") from None
    if _depth(value) > MAX_JSON_DEPTH:
        raise InputRefused(
            source, f"is nested deeper than {MAX_JSON_DEPTH} levels", "It was not written by this program"
        )
    if "\\ud" in text.lower():
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise InputRefused(source, "holds half of a Unicode character", "Correct it in a text editor") from None
    return Node(value, source)


def plain(array: Any) -> Any:
    """A float array as nested lists of the shortest decimals that give the same float32 numbers back."""
    values = np.asarray(array, dtype=np.float32)
    return (values + np.float32(0)).astype("U32").astype(np.float64).tolist()  # + 0 turns -0 into 0


def _depth(value: Any) -> int:
    depth, level = 0, [value]
    while level:
        depth += 1
        children = (v.values() if isinstance(v, dict) else v for v in level if isinstance(v, dict | list))
        level = [c for group in children for c in group if isinstance(c, dict | list)]
    return depth


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {_short(twice)} is given twice in one object")
    return result


def _finite(digits: str) -> float:
    value = spelled(digits)
    if math.isinf(value):
        raise ValueError(f"holds {digits[:40]}, which is too large for a number")
    return value


def _integer(digits: str) -> int | float:
    if len(digits) > 300:
        raise ValueError(f"holds a number of {len(digits)} digits")
    return spelled(digits) if digits == "-0" else int(digits)


def _refuse_constant(name: str) -> NoReturn:
    raise _NoNumber(f"holds {name}, which is not a number")


class _NoNumber(ValueError):
    """NaN or an infinity, which json reports without saying where."""


def _place_of_constant(text: str) -> str:
    """The line and column of the first NaN or infinity outside a text."""
    at = next(found.start(1) for found in _CONSTANT.finditer(text) if found[1])
    return f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"


def _short(value: Any) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 200:
        return "a number of absurd size"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"
