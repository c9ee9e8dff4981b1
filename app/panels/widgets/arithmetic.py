"""Numbers as people type them: arithmetic and units ("90deg", "5cm + 2mm", "1.7 m / 2", 5'11", "150 lb")."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping

from PySide6.QtCore import QLocale

INCH, POUND = 0.0254, 0.45359237  # in metres and kilograms


def _named(**factors: float) -> Mapping[str, float]:
    """Factors by every name of a unit: "ft_foot_feet" for ft, foot and feet."""
    return {name: factor for names, factor in factors.items() for name in names.split("_")}


LENGTHS: Mapping[str, float] = {
    **_named(m_metre_metres_meter_meters=1.0, cm_centimetre_centimetres_centimeter_centimeters=0.01),
    **_named(mm_millimetre_millimetres_millimeter_millimeters=0.001, km=1000.0),
    **_named(in_inch_inches=INCH, ft_foot_feet=12 * INCH, yd_yard_yards=36 * INCH),
    '"': INCH,
    "'": 12 * INCH,
}
WEIGHTS: Mapping[str, float] = _named(
    kg_kilo_kilos_kilogram_kilograms=1.0, g_gram_grams=0.001, lb_lbs_pound_pounds=POUND, oz_ounce_ounces=POUND / 16,
    st_stone_stones=14 * POUND,
)  # fmt: skip
ANGLES: Mapping[str, float] = {"rad": 1.0, "deg": math.pi / 180, "°": math.pi / 180}
_TOLD = (
    (LENGTHS, "length: use cm, m, mm, ft or in"),
    (WEIGHTS, "weight: use kg, g, lb, oz or st"),
    (ANGLES, "angle: use ° or rad"),
)
# What a number behind another with its unit means if it has none itself: 5'11, 1 m 80, 11 st 4.
_NEXT = {
    "'": '"',
    "ft": "in",
    "foot": "in",
    "feet": "in",
    "m": "cm",
    "st": "lb",
    "stone": "lb",
    "lb": "oz",
    "lbs": "oz",
}

LARGEST = 1e38  # what single precision has room for, in any unit
_BINARY: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_SPACE = "[ \u00a0\u2009\u202f]"  # also the ones that do not break
_THOUSANDS = re.compile(rf"(?<=\d)(?:,|{_SPACE})(?=\d{{3}}(?!\d))")
_SPACE_GROUPS = re.compile(rf"(?<![\w.,])(?<!\d )[1-9]\d{{0,2}}(?:{_SPACE}\d{{3}})+(?![\d/])")
_COMMA_GROUPS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d,])")  # 1,800 and 1,234,567, also before .5
_POINT_GROUPS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3})+(?=,\d)(?!,\d*[.,])")  # 1.800 before ,5
_UNIT = re.compile(r"""(?<=[\d.)])\s*(?!e[-+]?\d)([a-z]+|[°'"])""", re.IGNORECASE)
_MARKS = str.maketrans({**dict.fromkeys("′’‘ʹ", "'"), **dict.fromkeys("″”“„ʺ", '"'), "−": "-"})
_DECIMAL = r"(?:\d+(?:\.\d+)?|\.\d+)"  # in one way only: thousands of digits would be tried in as many
_AMOUNT = rf"(?:\d+\s+\d+/\d+|\d+/\d+|{_DECIMAL}|\d+\.)"  # also 11 1/2 and 1/2
_NAME = r"""(?:(?!e[-+]?\d)[a-z]+|['"])"""
_PART = re.compile(rf"\s*({_AMOUNT})\s*({_NAME})?", re.IGNORECASE)
_ROW = re.compile(rf"(?<![\w.]){_DECIMAL}\s*{_NAME}(?:\s*{_AMOUNT}\s*{_NAME}?)+", re.IGNORECASE)
_DASH = re.compile(r"(?<=')\s*-\s*(?=[\d./ ]+\")")  # as architects write 5'-11"
_MIXED = re.compile(r"(?<![\w./])(\d+)\s+(\d+/\d+)(?![\d.])")
_ABBREVIATED = re.compile(r"(?<=[a-z])\.(?!\d)", re.IGNORECASE)  # 5 ft. 11 in., and 5 ft, 11 in
_PADDED = re.compile(r"(?<![\d._])0+(?=\d)")  # 5'08", 1m05


def without_thousands(text: str) -> str:
    """The typed text of a whole number without the commas or spaces between thousands, before three digits as fields
    show them. Any other comma is a decimal one."""
    return _THOUSANDS.sub("", text)


def with_decimal_points(text: str) -> str:
    """The text with points as its decimal marks, and nothing between thousands.

    “1,5” is 1.5 everywhere; “1 800”, “1,800.5”, “1.800,5” and “1,234,567” can be read in one way only. “1,800” alone
    is 1.8 where the system writes decimals with a comma, and 1800 elsewhere. “1.800” is 1.8: all fields show decimal
    points.
    """
    decimal = QLocale().decimalPoint() == ","

    def joined(found: re.Match[str]) -> str:
        number = found.group()
        could_be_decimal = number.count(",") == 1 and text[found.end() : found.end() + 1] != "."
        return number if decimal and could_be_decimal else number.replace(",", "")

    text = _SPACE_GROUPS.sub(lambda found: re.sub(_SPACE, "", found.group()), text)
    text = _POINT_GROUPS.sub(lambda found: found.group().replace(".", ""), text)
    return _COMMA_GROUPS.sub(joined, text).replace(",", ".")


def parse_number(text: str, units: Mapping[str, float] | None = None, unit: str = "") -> float:
    """The value of what was typed, in `unit`; a bare number is in `unit`. ValueError with a short reason.

    units: factors of the units allowed, such as LENGTHS. A comma is a decimal one, except between thousands: see
    `with_decimal_points`. A “=” in front, as in a spreadsheet, means nothing.
    """
    factors = {name: factor / (units or {}).get(unit, 1.0) for name, factor in (units or {}).items()}

    def factor(match: re.Match[str]) -> str:
        name = match.group(1).lower()
        if name not in factors:
            kind = next((told for known, told in _TOLD if known is units), "")
            raise ValueError(f"“{match.group(1)}” is not a unit {f'of {kind}' if kind else 'here'}")
        return f"*{factors[name]!r} "  # a digit behind it is another number

    marked = text.strip().removeprefix("=").strip().translate(_MARKS).replace("''", '"')
    source = _PADDED.sub("", with_decimal_points(marked))
    if not source:
        raise ValueError("nothing was typed")
    if units:
        source = _ABBREVIATED.sub("", _DASH.sub(" ", source))
        source = _MIXED.sub(r"(\1+\2)", _ROW.sub(_summed, source))
    try:
        value = _value(ast.parse(_UNIT.sub(factor, source), mode="eval").body)
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"“{text.strip()}” is not a number") from None
    except ZeroDivisionError:
        raise ValueError("that divides by zero") from None
    except OverflowError:  # a whole number of hundreds of digits
        value = math.inf
    if not abs(value) <= LARGEST:
        raise ValueError(f"“{text.strip()}” is too large")
    return value


def _summed(row: re.Match[str]) -> str:
    """A row of amounts with their units, as in 5 ft 11 in or 1 m 80, as a sum in brackets."""
    parts, unit = [], ""
    for amount, named in _PART.findall(row.group()):
        unit = named or _NEXT.get(unit.lower(), "")
        if not unit:
            return row.group()  # nobody knows what the last number means
        parts.append(f"({amount}){unit}")
    return f"({'+'.join(parts)})"


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _value(node.operand)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)](_value(node.left), _value(node.right))
    raise ValueError("only numbers, units and + - * / are understood")
