"""Numbers as people type them: arithmetic and units ("90deg", "5cm + 2mm", "1.7 m / 2")."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping

LENGTHS: Mapping[str, float] = {"m": 1.0, "cm": 0.01, "mm": 0.001, "km": 1000.0, "in": 0.0254, "ft": 0.3048}
ANGLES: Mapping[str, float] = {"rad": 1.0, "deg": math.pi / 180, "°": math.pi / 180}

LARGEST = 1e38  # what single precision has room for, in any unit
_BINARY: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_UNIT = re.compile(r"(?<=[\d.)])\s*(?!e[-+]?\d)([a-z]+|°)", re.IGNORECASE)


def without_thousands(text: str) -> str:
    """The typed text of a whole number without the commas between thousands, before three digits as fields show them.
    Any other comma is a decimal one."""
    return _THOUSANDS.sub("", text)


def parse_number(text: str, units: Mapping[str, float] | None = None, unit: str = "") -> float:
    """The value of what was typed, in `unit`; a bare number is in `unit`. ValueError with a short reason.

    units: factors of the units allowed, such as LENGTHS.
    """
    factors = {name: factor / (units or {}).get(unit, 1.0) for name, factor in (units or {}).items()}

    def factor(match: re.Match[str]) -> str:
        name = match.group(1).lower()
        if name not in factors:
            raise ValueError(f"“{match.group(1)}” is not a unit here")
        return f"*{factors[name]!r}"

    source = text.strip().replace(",", ".").replace("−", "-")
    if not source:
        raise ValueError("nothing was typed")
    try:
        value = _value(ast.parse(_UNIT.sub(factor, source), mode="eval").body)
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"“{text.strip()}” is not a number") from None
    except ZeroDivisionError:
        raise ValueError("that divides by zero") from None
    if not abs(value) <= LARGEST:
        raise ValueError(f"“{text.strip()}” is too large")
    return value


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _value(node.operand)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)](_value(node.left), _value(node.right))
    raise ValueError("only numbers, units and + - * / are understood")
