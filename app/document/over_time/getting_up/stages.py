"""The stages in which people get up from the floor, as a table: where hips, feet, knees and hands are.

Lengths are in metres for a leg of `LEG_M`, hip to ankle. The first of each pair is the side whose foot comes under the
body and stays there; the other side kneels, and its hand props the body up. X is to the first side, Z ahead; 0 is where
the ankle of that foot is along Z. Angles in degrees: pitch leans ahead, yaw turns to the first side, roll leans to it.
"""

from __future__ import annotations

from typing import NamedTuple

ESSENTIAL = 5
FLOOR = None  # a height at which skin lies on the floor
LEG_M = 0.822
Turned = tuple[float, float, float]  # pitch, yaw, roll


class Held(NamedTuple):
    """A joint at a place. turn: how it is turned, if that matters. loose: 0..1, how freely the place may be missed."""

    x: float
    y: float | None
    z: float
    turn: Turned | None = None
    loose: float = 0.0


class Stage(NamedTuple):
    """hips, chest: pelvis and chest, the chest by its turn. feet, knees, hands, elbows: each of the first side and of
    the other one; None where it is free. seconds: that people take to get there. stays: which hands, knees and feet
    bear the body here: 0 for the first side, 1 for the other one. needed: the higher, the sooner it is gone through
    where there is little time; without an `ESSENTIAL` one there are none, as a foot would leap through the floor."""

    name: str
    hips: Held
    chest: Turned
    feet: tuple[Held | None, Held | None]
    knees: tuple[Held | None, Held | None] = (None, None)
    hands: tuple[Held | None, Held | None] = (None, None)
    elbows: tuple[Held | None, Held | None] = (None, None)
    seconds: float = 0.6
    needed: int = 1
    stays_feet: tuple[int, ...] = ()
    stays_knees: tuple[int, ...] = ()
    stays_hands: tuple[int, ...] = ()


class Part(NamedTuple):
    """A stage of the way up. stage: one of the table; None of the end of the way. needed, seconds: as in `Stage`."""

    stage: Stage | None
    needed: int
    seconds: float


def _flat(x: float, z: float, yaw: float = 0.0) -> Held:
    return Held(x, FLOOR, z, (0.0, yaw, 0.0))


UNDER = _flat(0.10, 0.0, 4.0)  # the foot that comes under the body, once it is there
KNEE = Held(-0.13, FLOOR, -0.36)  # the knee on the floor
TOES = Held(-0.12, FLOOR, -0.78, (84.0, 0.0, 0.0))  # the foot behind it, on its toes
PROP = Held(-0.40, FLOOR, -0.72, (0.0, -120.0, 0.0))  # the hand beside the seat
PROPS = Held(0.24, FLOOR, 0.16, (0.0, -80.0, 0.0)), Held(-0.24, FLOOR, 0.16, (0.0, 80.0, 0.0))
LIES = Held(0.10, FLOOR, -0.80, (140.0, 0.0, 0.0))
SEAT_Z, BELLY_Z, KNEES_Z = -0.60, -0.03, -0.36  # where seat, belly and knees are in the stages that begin with them

ON_ELBOW = Stage(
    "on an elbow", Held(0.0, FLOOR, SEAT_Z, (-66.0, 0.0, -14.0)), (-46.0, 0.0, -16.0),
    (UNDER, Held(-0.14, FLOOR, 0.16, (-50.0, -8.0, 0.0), 0.1)), (Held(0.13, 0.42, -0.28, None, 0.4), None),
    (Held(0.16, 0.34, -0.52, None, 0.3), Held(-0.30, FLOOR, -0.74, None, 0.1)),
    (None, Held(-0.34, FLOOR, -0.98, None, 0.15)),
    seconds=0.7, needed=2, stays_feet=(0,),
)  # fmt: skip
SITS = Stage(
    "sits", Held(0.0, FLOOR, SEAT_Z, (-12.0, 0.0, -6.0)), (6.0, -6.0, -10.0),
    (UNDER, Held(0.0, 0.07, -0.24, None, 0.1)),
    (Held(0.13, 0.42, -0.28, None, 0.4), Held(-0.36, 0.10, -0.42, None, 0.2)),
    (Held(0.16, 0.46, -0.20, None, 0.2), PROP),
    seconds=0.6, needed=ESSENTIAL, stays_feet=(0,), stays_hands=(1,),
)  # fmt: skip
LIFTS = Stage(
    "lifts the seat", Held(-0.04, 0.34, -0.57, (14.0, -4.0, -22.0)), (24.0, -6.0, -30.0),
    (UNDER, Held(0.02, 0.17, -0.50, (45.0, 10.0, 0.0), 0.1)), (None, Held(-0.28, 0.20, -0.36, None, 0.2)),
    (Held(0.15, 0.46, -0.12, None, 0.2), PROP),
    seconds=0.45, needed=3, stays_feet=(0,), stays_hands=(1,),
)  # fmt: skip
TRIPOD = Stage(
    "on hand, knee and foot", Held(-0.07, 0.36, -0.48, (26.0, -6.0, -26.0)), (34.0, -6.0, -36.0),
    (UNDER, Held(-0.10, FLOOR, -0.76, (110.0, 0.0, 0.0), 0.1)), (None, KNEE._replace(loose=0.02)),
    (Held(0.14, 0.46, -0.04, None, 0.2), PROP),
    seconds=0.5, needed=1, stays_feet=(0,), stays_knees=(1,), stays_hands=(1,),
)  # fmt: skip
HALF_KNEELS = Stage(
    "kneels on one knee", Held(-0.02, 0.47, -0.32, (12.0, 0.0, 0.0)), (22.0, 0.0, 0.0),
    (UNDER, TOES), (None, KNEE._replace(loose=0.02)),
    (Held(0.13, 0.52, 0.0, None, 0.2), Held(-0.22, 0.46, -0.12, None, 0.3)),
    seconds=0.7, needed=ESSENTIAL, stays_feet=(0, 1), stays_knees=(1,),
)  # fmt: skip
RISES = Stage(
    "rises", Held(0.03, 0.62, -0.18, (32.0, 0.0, 0.0)), (42.0, 0.0, 0.0),
    (UNDER, Held(-0.12, 0.175, -0.78, (62.0, 0.0, 0.0))), (None, None),
    (Held(0.15, 0.58, 0.06, None, 0.3), Held(-0.24, 0.50, -0.06, None, 0.3)),
    seconds=0.4, needed=2, stays_feet=(0, 1),
)  # fmt: skip
HANDS_SET = Stage(
    "sets the hands", Held(0.0, FLOOR, BELLY_Z, (88.0, 0.0, 0.0)), (80.0, 0.0, 0.0),
    (Held(0.10, FLOOR, -0.91, (150.0, 0.0, 0.0), 0.1), Held(-0.10, FLOOR, -0.91, (150.0, 0.0, 0.0), 0.1)),
    (Held(0.10, FLOOR, -0.43, None, 0.1), Held(-0.10, FLOOR, -0.43, None, 0.1)),
    PROPS, (Held(0.36, 0.2, 0.2, None, 0.4), Held(-0.36, 0.2, 0.2, None, 0.4)),
    seconds=0.5, needed=4, stays_knees=(0, 1), stays_hands=(0, 1),
)  # fmt: skip
ALL_FOURS = Stage(
    "on hands and knees", Held(0.0, 0.42, -0.42, (80.0, 0.0, 0.0)), (78.0, 0.0, 0.0),
    (LIES, LIES._replace(x=-LIES.x)), (KNEE._replace(x=-KNEE.x, loose=0.02), KNEE._replace(loose=0.02)), PROPS,
    seconds=0.7, needed=3, stays_knees=(0, 1), stays_hands=(0, 1),
)  # fmt: skip
FOOT_COMES = Stage(
    "brings a foot ahead", Held(-0.05, 0.50, -0.40, (72.0, 0.0, -6.0)), (72.0, 0.0, -6.0),
    (Held(0.15, 0.23, -0.46, (70.0, 0.0, 0.0), 0.1), TOES), (None, KNEE._replace(loose=0.02)), PROPS,
    seconds=0.35, needed=ESSENTIAL, stays_knees=(1,), stays_hands=(0, 1), stays_feet=(1,),
)  # fmt: skip
FOOT_UNDER = Stage(
    "on hands, knee and foot", Held(-0.03, 0.47, -0.36, (62.0, 0.0, -4.0)), (66.0, 0.0, -4.0),
    (UNDER, TOES), (Held(0.14, 0.50, -0.04, None, 0.3), KNEE._replace(loose=0.02)), PROPS,
    seconds=0.35, needed=2, stays_knees=(1,), stays_hands=(0, 1), stays_feet=(0, 1),
)  # fmt: skip
STEPS_OUT = Stage(
    "steps out of kneeling", Held(-0.06, 0.50, -0.34, (6.0, 0.0, -6.0)), (12.0, 0.0, -4.0),
    (Held(0.14, 0.20, -0.36, (35.0, 0.0, 0.0), 0.1), TOES), (None, KNEE._replace(loose=0.02)),
    (Held(0.22, 0.50, -0.06, None, 0.3), Held(-0.24, 0.44, -0.30, None, 0.3)),
    seconds=0.8, needed=ESSENTIAL, stays_knees=(1,), stays_feet=(1,),
)  # fmt: skip
ON_A_HIP = Stage(
    "turns onto a hip", Held(0.0, FLOOR, BELLY_Z, (20.0, -90.0, 50.0)), (24.0, -70.0, 30.0),
    (Held(-0.25, 0.06, -0.60, None, 0.2), Held(-0.14, 0.07, -0.66, None, 0.2)),
    (Held(-0.30, 0.08, -0.22, None, 0.1), Held(-0.28, 0.16, -0.28, None, 0.1)), PROPS,
    seconds=0.8, needed=ESSENTIAL, stays_hands=(0, 1),
)  # fmt: skip
SITS_ASIDE = Stage(
    "sits beside the legs", Held(0.0, FLOOR, BELLY_Z, (-8.0, -60.0, 8.0)), (6.0, -45.0, 4.0),
    (Held(-0.48, 0.07, -0.26, None, 0.2), Held(-0.42, 0.08, -0.30, None, 0.2)),
    (Held(-0.36, 0.10, 0.04, None, 0.2), Held(-0.26, 0.36, 0.02, None, 0.2)),
    (PROPS[0], Held(-0.30, 0.40, 0.10, None, 0.3)),
    seconds=0.6, needed=ESSENTIAL, stays_hands=(0,),
)  # fmt: skip
LEGS_AHEAD = Stage(
    "brings the legs ahead", Held(0.0, FLOOR, BELLY_Z, (-16.0, -28.0, 4.0)), (0.0, -16.0, 0.0),
    (_flat(-0.24, 0.42, -20.0), _flat(-0.44, 0.30, -32.0)),
    (Held(-0.12, 0.40, 0.22, None, 0.3), Held(-0.28, 0.40, 0.14, None, 0.3)),
    (Held(0.26, FLOOR, -0.30, (0.0, -110.0, 0.0)), Held(-0.30, 0.42, 0.12, None, 0.3)),
    seconds=0.7, needed=ESSENTIAL, stays_hands=(0,),
)  # fmt: skip
BELLY_TO_SEAT = (HANDS_SET, ON_A_HIP, SITS_ASIDE, LEGS_AHEAD)
FROM_BACK = (ON_ELBOW, SITS, LIFTS, TRIPOD, HALF_KNEELS, RISES)
FROM_SEAT = (SITS, LIFTS, TRIPOD, HALF_KNEELS, RISES)
FROM_BELLY = (HANDS_SET, ALL_FOURS, FOOT_COMES, FOOT_UNDER, HALF_KNEELS, RISES)
FROM_HANDS = (FOOT_COMES, FOOT_UNDER, HALF_KNEELS, RISES)
FROM_KNEES = (STEPS_OUT, HALF_KNEELS, RISES)
FROM_ONE_KNEE = (RISES,)
