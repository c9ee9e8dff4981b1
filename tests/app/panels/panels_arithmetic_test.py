"""Numbers as people type them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import pytest
from PySide6.QtCore import QLocale

from app.panels.widgets.arithmetic import ANGLES, LENGTHS, WEIGHTS, parse_number


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("12", "cm", 12),
        ("1.7m", "cm", 170),
        ("5cm + 2mm", "cm", 5.2),
        ("1 ft", "m", 0.3048),
        ("1,5", "cm", 1.5),
        ("=2*3", "cm", 6),
        (" = 1 m / 4", "cm", 25),
        ("−3", "cm", -3),
        ("(1 + 2) * 4 / 3", "cm", 4),
        ("2*(1m - 10cm)", "m", 1.8),
        ("1e2", "cm", 100),
        ("1e2 mm", "cm", 10),
        ("1800 mm", "cm", 180),
        ("5'11\"", "cm", 180.34),
        ("5’ 11”", "cm", 180.34),
        ("5′11″", "cm", 180.34),
        ("5'-11\"", "cm", 180.34),
        ("5'11", "cm", 180.34),
        ("5 ft 11 in", "cm", 180.34),
        ("5ft11", "cm", 180.34),
        ("5 feet 11 inches", "m", 1.8034),
        ("5' 11 1/2\"", "cm", 181.61),
        ("71 in", "cm", 180.34),
        ("71''", "cm", 180.34),
        ("-2' 6\"", "cm", -76.2),
        ("1m80", "cm", 180),
        ("2 * 1 ft 2 in", "in", 28),
        ("1 m - 1 ft 2 in", "cm", 64.44),
        ("5 ft. 11 in.", "cm", 180.34),
        ("5 ft, 11 in", "cm", 180.34),
        ("5'08\"", "cm", 172.72),
        ("1m05", "cm", 105),
        ("007", "cm", 7),
        ("1e05 mm", "cm", 1e4),
        ("100.05", "cm", 100.05),
    ],
)
def test_lengths(text: str, unit: str, value: float) -> None:
    assert parse_number(text, LENGTHS, unit) == pytest.approx(value)


@pytest.fixture
def german() -> Iterator[None]:
    """A system that writes decimals with a comma."""
    before = QLocale()
    QLocale.setDefault(QLocale("de_DE"))
    yield
    QLocale.setDefault(before)


ONE_WAY_ONLY = [
    ("1,5", 1.5), ("1,75 m", 175), ("0,125", 0.125), ("12,5000", 12.5), ("1,800.5 mm", 180.05), ("1.800,5 mm", 180.05),
    ("1,234,567 mm", 123456.7), ("1.800 m", 180), ("1,5 + 2,25", 3.75), ("1234,567", 1234.567), ("5 ft, 11 in", 180.34),
    ("1 800 mm", 180), ("1 234 567,5 mm", 123456.75), ("12\u202f345.5 mm", 1234.55), ("1\u00a0000 + 2 000", 3000),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), [*ONE_WAY_ONLY, ("1,800 mm", 180), ("−12,500", -12500), ("2*1,000", 2000)])
def test_a_comma_before_three_digits_is_between_thousands(english: None, text: str, value: float) -> None:
    assert parse_number(text, LENGTHS, "cm") == pytest.approx(value)


@pytest.mark.parametrize(("text", "value"), [*ONE_WAY_ONLY, ("1,800 m", 180), ("−12,500", -12.5), ("2*1,000", 2)])
def test_a_comma_before_three_digits_is_a_decimal_one_where_the_system_writes_them_so(
    german: None, text: str, value: float
) -> None:
    assert parse_number(text, LENGTHS, "cm") == pytest.approx(value)


@pytest.mark.parametrize("text", ["1,23,4", "1.2.3", "1,2.3,4", "1,80,000", "1 80", "12 34", "1 234 5"])
def test_separators_that_make_no_number_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number"):
        parse_number(text, LENGTHS, "cm")


def test_angles() -> None:
    assert parse_number("90deg / 2", ANGLES, "rad") == pytest.approx(math.pi / 4)
    assert parse_number("45°", ANGLES, "deg") == pytest.approx(45)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "=",
        "=2=",
        "abc",
        "1 +",
        "1/0",
        "5 miles",
        "5''11",
        "5'11\" 3",
        "12 in 3",
        "5 11",
        "150 lb",
        "__import__('os')",
        "2**9999",
        "x.y",
        "[1]",
        "True",
        "1e999",
        "1e39",
        "9" * 400,
        "9" * 5000,
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_number(text, LENGTHS, "cm")


@pytest.mark.parametrize(
    ("text", "kilograms"),
    [
        ("68", 68),
        ("68 kg", 68),
        ("150 lb", 68.0389),
        ("150lbs + 1 kg", 69.0389),
        ("11 st 4", 71.6676),
        ("1 lb 8 oz", 0.6804),
    ],
)
def test_weights(text: str, kilograms: float) -> None:
    assert parse_number(text, WEIGHTS, "kg") == pytest.approx(kilograms, abs=1e-4)


@pytest.mark.parametrize(
    ("text", "units", "said"),
    [
        ("5 miles", LENGTHS, "“miles” is not a unit of length: use cm, m, mm, ft or in"),
        ("70 cm", WEIGHTS, "“cm” is not a unit of weight: use kg, g, lb, oz or st"),
        ("5 cm", ANGLES, "“cm” is not a unit of angle: use ° or rad"),
        ("5 cm", None, "“cm” is not a unit here"),
    ],
)
def test_an_unknown_unit_is_told_with_those_that_can_be_used(
    text: str, units: Mapping[str, float] | None, said: str
) -> None:
    with pytest.raises(ValueError, match=f"^{said}$"):
        parse_number(text, units)
