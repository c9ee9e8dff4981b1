"""What sets one kind of effector apart: a row of named constants that every package reads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from math import degrees
from typing import Literal

HandleShape = Literal["ball", "ring", "target", "contact"]


class Unit(Enum):
    """What an effector's error is counted in."""

    METRES = "mm"
    RADIANS = "°"

    def to_small_unit(self, value: float) -> float:
        """An error in metres or radians as millimetres or degrees: the unit whose symbol is the value."""
        return 1e3 * value if self is Unit.METRES else degrees(value)


@dataclass(frozen=True, eq=False)
class Kind:
    """One kind of effector. Errors in metres or radians, weights per unit², forces per unit.

    id: in files. title: in the window (“Position”). verb: names a step that changes it (“Move”).
    met: errors up to it count as none. loosest: the error that tolerance 1 allows.
    pin_weight, pin_force: stiffness of a pin near its target, and its hardest pull however far the target is.
    firm_weight, firm_force: of an effector of tolerance 0, in units where a firm position has 1e6 per m².
    weight_decades, force_decades: powers of ten by which tolerance 1 is less than tolerance 0.
    pin_fading, firm_fading: how the pull fades far out of reach. With 0.5 it does not, and two pins that contradict
    each other end in the middle.
    handle: how it is drawn and grabbed. network: its number in a network's vocabulary, None if no network reads it.
    figure, figure_title: the benchmark's name for its mean error, "" where the benchmark never asks for it.
    recovered_on: the joints on which recovery tries it, None for all.
    offset: (3,) metres, the default point of the joint's frame that should meet the target.
    """

    id: str
    title: str
    verb: str
    unit: Unit
    met: float
    loosest: float
    pin_weight: float
    pin_force: float
    firm_weight: float
    firm_force: float
    weight_decades: float
    handle: HandleShape
    force_decades: float = 2.5
    pin_fading: float = 0.5
    firm_fading: float = 0.8
    network: int | None = None
    figure: str = ""
    figure_title: str = ""
    recovered_on: tuple[str, ...] | None = ()
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def metres_per_unit(self) -> float:
        """Metres that an error of 1 counts as when kinds are compared: for an angle, the way of a forearm's end."""
        return 1.0 if self.unit is Unit.METRES else ARM_M

    def allowed_error(self, tolerance: float) -> float:
        """The error, metres or radians, up to which an effector of that tolerance counts as kept."""
        return float(self.met * (self.loosest / self.met) ** tolerance)

    def strength(self, pinned: bool, tolerance: float) -> tuple[float, float, float]:
        """Weight, knee and fading of the pull, see minimise_kernels."""
        return _strength(self, pinned, tolerance)


ARM_M = 0.3


@lru_cache(maxsize=1024)
def _strength(kind: Kind, pinned: bool, tolerance: float) -> tuple[float, float, float]:
    if pinned:
        return kind.pin_weight, kind.pin_force / kind.pin_weight, kind.pin_fading
    weight = kind.firm_weight * 10.0 ** (-kind.weight_decades * tolerance)
    return weight, kind.firm_force * 10.0 ** (-kind.force_decades * tolerance) / weight, kind.firm_fading
