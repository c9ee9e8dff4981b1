"""The options of a solver: typed, with ranges, so that panels draw and files keep any of them without further code.

A value is kept under its option's id; solvers that declare an option of the same id share it. A value that is missing
or does not fit counts as the default: a file of a newer version is not refused for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from types import MappingProxyType

OptionValue = bool | float | str
Options = Mapping[str, OptionValue]
NO_OPTIONS: Options = MappingProxyType({})


@dataclass(frozen=True)
class Switch:
    """On or off. tip: one line that says what it does."""

    id: str
    title: str
    tip: str = ""
    default: bool = False

    def fits(self, value: OptionValue) -> bool:
        """Whether it is a value of this option."""
        return isinstance(value, bool)

    def of(self, options: Options) -> bool:
        """The value set, or the default."""
        value = options.get(self.id, self.default)
        return value if isinstance(value, bool) else self.default


@dataclass(frozen=True)
class Number:
    """A number from `low` to `high`, both included. decimals: digits shown; 0 for whole numbers. unit: shown behind."""

    id: str
    title: str
    low: float
    high: float
    default: float
    tip: str = ""
    decimals: int = 2
    unit: str = ""

    def fits(self, value: OptionValue) -> bool:
        """Whether it is a value of this option."""
        if isinstance(value, bool | str):
            return False
        return isfinite(value) and self.low <= value <= self.high

    def of(self, options: Options) -> float:
        """The value set, or the default."""
        value = options.get(self.id, self.default)
        return float(value) if self.fits(value) else self.default


@dataclass(frozen=True)
class Choice:
    """One of several. choices: pairs of value and title, in the order shown."""

    id: str
    title: str
    choices: tuple[tuple[str, str], ...]
    default: str
    tip: str = ""

    def fits(self, value: OptionValue) -> bool:
        """Whether it is a value of this option."""
        return isinstance(value, str) and any(value == known for known, _ in self.choices)

    def of(self, options: Options) -> str:
        """The value set, or the default."""
        value = options.get(self.id, self.default)
        return str(value) if self.fits(value) else self.default


Option = Switch | Number | Choice

# The one option that the pipeline itself heeds, for every solver that declares it.
PROPOSAL_ALONE = Switch("raw", "Network alone", "Show the network's own answer, which may miss the effectors")

# What a problem's `floor` is made of, for every solver that the exact stage follows. Older files do not have it.
SOLID_FLOOR = Switch(
    "solid_floor", "Solid floor", "The floor holds the body up: no skin goes below it, whatever is asked"
)

# What a problem's `obstacles` are made of, for every solver that the exact stage follows.
SOLID_BODY = Switch(
    "solid_body",
    "Solid body",
    "The body passes through nothing: not through itself, nor through other people and props",
)

# How a problem's `stance` has somebody stand, for every solver that the exact stage follows.
BALANCE = Choice(
    "stay_balanced",
    "Balance",
    (("off", "Off"), ("help", "Help"), ("strict", "Strict")),
    "off",
    "Hips and trunk bring the weight over what carries it: a little, or all the way. Handles stay where they are",
)
_FOOT = (("auto", "By itself"), ("flat", "Flat"), ("ball", "On its ball"), ("free", "Free"))
_FOOT_TIP = (
    "How the foot stands on a solid floor; by itself it is flat, rolls onto its ball as the ankle rises, and lifts"
)
LEFT_FOOT = Choice("stands_left", "Left foot", _FOOT, "auto", _FOOT_TIP)
RIGHT_FOOT = Choice("stands_right", "Right foot", _FOOT, "auto", _FOOT_TIP)
STANDING: tuple[Option, ...] = (SOLID_FLOOR, SOLID_BODY, LEFT_FOOT, RIGHT_FOOT, BALANCE)


def with_option(options: Options, id: str, value: OptionValue) -> Options:
    """The options with one of them set."""
    return MappingProxyType({**options, id: value})
