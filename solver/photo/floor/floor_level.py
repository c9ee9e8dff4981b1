"""Where the floor of a picture is: how the camera is held and how high, judged by the people in it.

Everybody's lowest point says where a floor could be; some people are in the air or on something, and must not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from solver.body.body import Body
from solver.kinematics.rotations import from_rotation_vector
from solver.photo.fit.evidence import Evidence
from solver.photo.fit.least_squares import Fit, posed_joints
from solver.rig.roles import ARMS, LEGS, SMPL_ROLES, Role

Array = NDArray[np.float64]
_J = {role: j for j, role in enumerate(SMPL_ROLES)}

PITCH_SPREAD, ROLL_SPREAD = np.radians(12.0), np.radians(3.0)  # how photographers hold a camera
RAISED_SPREAD = np.radians(4.0)  # of a camera turned up, where people are on the floor
UPRIGHT_SPREAD = np.radians(8.0)  # of the line from the feet to the middle of a standing person
CONTACT_SPREAD = 0.2  # radians, of the pitch at which one person's heels, toes and seat meet a floor
# Metres: of the seat over the lowest point, from where somebody may be on a chair; and the spread of parts of the body
# over it, where all are lower. How much each part counts.
LOW, PART_SPREAD, PART_COUNTS = 0.3, 0.05, 0.5
LIFTED = 0.08  # metres; a foot this much higher than the other carries little
STRAIGHT = 0.86  # thigh and shin together over their length, from which a leg carries its owner
SIZE_SPREAD = 0.06  # share by which people, and so their distance, are larger or smaller than the fit has them
HEIGHT_SPREAD = 0.03  # metres, of the lowest point beyond that
UNSURE = 0.5  # how much the lowest point counts of a person who does not stand, or whose feet are not seen
FEET = (27, 28, 29, 30, 31, 32)  # landmarks
_STARTS = 7  # heights from which a floor is sought
_PITCHES = np.radians([0.0, -12.0, -24.0, -36.0])  # from which the level is sought where nobody stands
_WIDEST = np.radians(40.0)  # of a camera's tilt for which a body's lowest points are gathered
# Joints whose skin is one part of the body each; the seat is first.
BODY_PARTS = tuple(
    tuple(_J[role] for role in part)
    for part in (
        (Role.PELVIS,), (Role.SPINE1, Role.SPINE2, Role.SPINE3), (Role.NECK, Role.HEAD),
        *((leg.root,) for leg in LEGS), *((leg.hinge,) for leg in LEGS), *((leg.end, leg.tip) for leg in LEGS),
        *((arm.root, arm.hinge) for arm in ARMS), *((arm.end, arm.tip) for arm in ARMS),
    )
)  # fmt: skip
# A point straight above another, within a right angle less the widest turn (pitch and roll at once), is never lowest.
_ABOVE = np.cos(np.pi / 2 - np.sqrt(2) * _WIDEST - np.radians(1.0))


@dataclass(frozen=True, eq=False)
class FloorLevel:
    """rotation: (3, 3) world from camera, pitch and roll alone. floor: its height over the camera, metres."""

    rotation: Array
    floor: float


def find_level(body: Body, fits: Sequence[Fit], seen: Sequence[Evidence], skins: Sequence[Array]) -> FloorLevel:
    """The floor that most people's lowest points agree on, bodies upright, the camera as people hold cameras.

    Where nobody stands, those who sit, kneel or lie on the floor have as much of their bodies as possible near it. Of
    floors that equally many agree on, the lowest. skins: the `skin_vertices` of each fit.
    """
    stands = [stands_up(body, fit) for fit in fits]
    ups = [_upright(body, fit) for fit, up in zip(fits, stands, strict=True) if up]
    below = [lowest_points(skin) for skin in skins]
    shares = [
        (1.0 if up else UNSURE) * (1.0 if feet_seen(one) else UNSURE) for up, one in zip(stands, seen, strict=True)
    ]

    parts = [] if ups else [_lowest_of_parts(body, skin) for skin in skins]
    on_floor = [one is not None for one in parts] or [False] * len(fits)
    pitches = np.array([fit.ground[1] for fit, low in zip(fits, on_floor, strict=True) if not low])

    def off_level(unknowns: Array) -> Array:
        r = _rotation(unknowns[0], unknowns[1])
        spread = RAISED_SPREAD if any(on_floor) and unknowns[0] > 0 else PITCH_SPREAD
        rows = [np.array([unknowns[0] / spread, unknowns[1] / ROLL_SPREAD])]
        rows += [(r @ up)[[0, 2]] / UPRIGHT_SPREAD for up in ups]
        rows.append((unknowns[0] + pitches) / CONTACT_SPREAD)
        for each in filter(None, parts):
            over = np.array([(points @ r[1]).min() for points in each])
            rows.append(np.sqrt(PART_COUNTS * np.log1p(((over - over.min()) / PART_SPREAD) ** 2)))
        return np.concatenate(rows)

    def misfit(unknowns: Array) -> Array:
        up = _rotation(unknowns[0], unknowns[1])[1]
        lows = np.array([(points @ up).min() for points in below])
        off = (lows - unknowns[2]) / np.hypot(SIZE_SPREAD * lows, HEIGHT_SPREAD)
        return np.append(off_level(unknowns), np.sign(off) * np.sqrt(shares * np.log1p(off**2)))

    # Upright people may be wrong, each of them; parts of bodies count as logarithms as it is.
    starts, loss = (_PITCHES, "linear") if any(on_floor) else (_PITCHES[:1], "soft_l1")
    levels = [least_squares(off_level, [pitch, 0.0], loss=loss) for pitch in starts]
    first = min(levels, key=lambda one: float(one.cost)).x
    up = _rotation(*first)[1]
    heights = [(points @ up).min() for points in below]
    best: tuple[float, Array] | None = None
    for height in np.quantile(heights, np.linspace(0.0, 1.0, min(len(heights), _STARTS))):
        solved = least_squares(misfit, np.append(first, height), loss=loss)
        if best is None or solved.cost < best[0] - 1e-3:
            best = solved.cost, solved.x
    assert best is not None, "somebody is there"
    pitch, roll, floor = best[1]
    return FloorLevel(_rotation(pitch, roll), float(floor))


def stands_up(body: Body, fit: Fit) -> bool:
    """Whether a straight leg points down below the trunk."""
    places, _ = posed_joints(body, fit)
    for leg in LEGS:
        hip, knee, ankle = (places[_J[role]] for role in leg.line)
        length = np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee)
        if np.linalg.norm(ankle - hip) > STRAIGHT * length and hip[1] - ankle[1] > 0.8 * length:
            return True
    return False


def feet_seen(seen: Evidence) -> bool:
    """Whether the picture shows one of the feet, so that its place is not a guess."""
    points = seen.points
    weight = np.array([seen.pixel_weights[points.landmark == mark].sum() for mark in FEET])
    trust = np.array([points.trust[points.landmark == mark].sum() for mark in FEET])
    shown = weight / np.maximum(trust, 1e-9)
    return bool(max(shown[::2].mean(), shown[1::2].mean()) > 0.5)


def _rotation(pitch: float, roll: float) -> Array:
    return np.asarray(from_rotation_vector([pitch, 0.0, roll]), dtype=np.float64)


def lowest_points(skin: Array) -> Array:
    """(N, 3) the points of the skin (V, 3) one of which is the lowest, however the camera is tilted."""
    over = skin - skin[skin[:, 1].argmin()]
    skin = skin[over[:, 1] <= _ABOVE * np.sqrt(np.einsum("va,va->v", over, over))]
    tilts = np.linspace(-_WIDEST, _WIDEST, 9)
    ups = np.stack([_rotation(pitch, roll)[1] for pitch in tilts for roll in tilts])
    return np.asarray(skin[np.unique((ups @ skin.T).argmin(axis=1))])


def _lowest_of_parts(body: Body, skin: Array) -> list[Array] | None:
    """The `lowest_points` of each part of the body of somebody as low as on the floor; else None."""
    strongest = body.weights.argmax(axis=1)
    parts = [skin[np.isin(strongest, part)] for part in BODY_PARTS]
    over = float(parts[0][:, 1].min() - skin[:, 1].min())
    return [lowest_points(part) for part in parts] if over < LOW else None


def _upright(body: Body, fit: Fit) -> Array:
    """(3,) unit, from the feet that carry a body to its middle, which anybody standing keeps above them."""
    places, _ = posed_joints(body, fit)
    ankles = places[[_J[leg.end] for leg in LEGS]]
    load = np.exp((ankles[:, 1].min() - ankles[:, 1]) / LIFTED)
    middle = 0.6 * places[_J[Role.PELVIS]] + 0.4 * places[_J[Role.NECK]]
    up = middle - load @ ankles / load.sum()
    return np.asarray(up / np.linalg.norm(up))
