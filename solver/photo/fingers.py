"""How fingers are bent according to the hand network; a relaxed hand where it does not see enough."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body
from solver.body.fingers import rest_fingers
from solver.body.hands import Hands, relaxed_hands
from solver.body.whole_rig import FINGER_JOINTS
from solver.kinematics.rotations import from_rotation_vector, interpolate, rotation_between
from solver.photo.detection.blazepose import Hand, Landmarks
from solver.photo.fit.observed_rotations import TO_CAMERA, palm_rotations
from solver.rig.roles import SIDES

Array = NDArray[np.float64]
_FINGERS = {"thumb": 1, "index": 5, "middle": 9, "ring": 13, "pinky": 17}  # the network's points: each and three more
_MOST_BENT, _LEAST_BENT = np.radians(105.0), np.radians(-15.0)
_ASIDE = np.radians(20.0)  # the most that a finger spreads at its first joint
# The network sees the first joints of fingers less bent than they are: by 11 to 16 degrees in hands that are not fists.
KNUCKLE_MORE = np.radians(15.0)
_THUMB = np.radians(50.0)  # the most that each of the thumb's joints turns
_NO_BONE = 1e-4  # metres: two points nearer than this give no direction
_DOWN = np.array([0.0, -1.0, 0.0])  # where palms look at rest


def hands_seen(marks: Landmarks, body: Body) -> Hands:
    """Both hands: fingers as a photo shows them where a hand is seen well enough, else relaxed."""
    held: dict[str, NDArray[np.floating]] = dict(relaxed_hands().by_joint())
    for side, hand in zip(SIDES, marks.hands, strict=True):
        turns = palm_rotations(hand, side) if hand is not None else None
        if hand is not None and turns is not None:
            held |= _bent(hand, turns, str(side), rest_fingers(body))
    return Hands(np.stack([held[joint] for joint in FINGER_JOINTS]))


def _bent(hand: Hand, turns: list[Array], side: str, rest: dict[str, Array]) -> dict[str, Array]:
    """The rotations of one hand's finger joints. turns: of the palm, for each look."""
    looks = zip(hand.metres, turns, strict=True)
    seen = np.mean([metres * TO_CAMERA @ turn for metres, turn in looks], axis=0)  # in the wrist's frame
    found = {}
    for finger, first in _FINGERS.items():
        carried = np.eye(3)
        bones = [end - start for start, end in pairwise(rest[f"{side}_{finger}"])]
        for number, bone in enumerate(bones, start=1):
            way = carried.T @ (seen[first + number] - seen[first + number - 1])
            if np.linalg.norm(way) < _NO_BONE:
                turn = np.eye(3)
            elif finger == "thumb":
                turn = _within(np.asarray(rotation_between(bone, way)), _THUMB)
            else:
                turn = _hinged(bone, way, _ASIDE if number == 1 else 0.0)
            first_of_four = number == 1 and finger != "thumb"
            found[f"{side}_{finger}{number}"] = _more(turn, bone) if first_of_four else turn
            carried = carried @ turn
    return found


def _hinged(bone: Array, way: Array, aside: float) -> Array:
    """The turn of a finger's bone towards `way`: bent towards the palm, and to the side by at most `aside` radians."""
    along, down, across = _axes(bone)
    x, y, z = (float(way @ axis) for axis in (along, down, across))
    bent = float(np.clip(np.arctan2(y, x), _LEAST_BENT, _MOST_BENT))
    spread = float(np.clip(np.arctan2(z, np.hypot(x, y)), -aside, aside))
    return np.asarray(from_rotation_vector(bent * across) @ from_rotation_vector(-spread * down), dtype=np.float64)


def _more(turn: Array, bone: Array) -> Array:
    """The turn of a first joint, bent further by what the network misses, but no further than joints bend."""
    across = _axes(bone)[2]
    bent = float(np.arctan2((turn - turn.T)[[2, 0, 1], [1, 2, 0]] @ across, np.trace(turn) - 1))
    more = min(float(KNUCKLE_MORE), max(float(_MOST_BENT) - bent, 0.0))
    return np.asarray(from_rotation_vector(more * across) @ turn, dtype=np.float64)


def _axes(bone: Array) -> tuple[Array, Array, Array]:
    """Along a finger's bone, towards the palm, and across: its hinge."""
    along = bone / np.linalg.norm(bone)
    down = _DOWN - (_DOWN @ along) * along
    down /= np.linalg.norm(down)
    return along, down, np.cross(along, down)


def _within(turn: Array, most: float) -> Array:
    angle = float(np.arccos(np.clip((np.trace(turn) - 1) / 2, -1.0, 1.0)))
    return turn if angle <= most else np.asarray(interpolate(np.eye(3), turn, most / angle), dtype=np.float64)
