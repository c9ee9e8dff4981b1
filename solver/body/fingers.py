"""Fingers by how far each joint bends: what hinges allow, independent of any one skeleton's axes.

Four numbers for each finger, degrees: how its first joint bends, how far it goes aside there, and how the middle and
the last joint bend. Bends are measured from a straight finger in line with the palm; aside from rest, positive away
from the hand's middle (for the middle finger: towards the thumb). A thumb's first number is how far it comes across,
in front of the palm, and its second how far it stands off beside it, both measured from rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.body.body import Body, mean_shape
from solver.body.finger_chain import FINGERS, JOINTS, Array, bent_points, rest_points
from solver.body.hands import MIRROR, Hands
from solver.body.whole_rig import FINGER_JOINTS
from solver.errors import PoserError
from solver.kinematics.rotations import from_rotation_vector
from solver.memoise import memoised
from solver.rig.roles import ARMS, SIDES

FIRST, ASIDE, MIDDLE, LAST = range(4)
# Degrees that joints reach by themselves: of the thumb, and of the four others. Norms of the American Academy of
# Orthopaedic Surgeons: thumb MCP 0-60, IP 0-80 (and up to 15 back), fingers' MCP 20 back to 90, PIP 0-110 (usual: 100),
# DIP 0-80. Eaton's "Normal range of motion" (e-hand.com/nor/nor002.htm) has the same, but the thumb's MCP 10 back to
# 55, and fingers' MCP up to 45 back, which takes a push. The thumb's root: Cooney et al. (1981) measured 53 to bend, 42
# to go aside, 17 to roll; about the hand's own axes, from rest with the thumb halfway in front of the palm, that is
# from within the palm's plane to in front of the middle finger.
_THUMB = ((-48.0, 45.0), (-38.0, 32.0), (-10.0, 60.0), (-15.0, 80.0))
_OTHERS = ((-20.0, 90.0), (-20.0, 24.0), (0.0, 110.0), (0.0, 80.0))
LOWEST, HIGHEST = np.moveaxis(np.array([_THUMB, *[_OTHERS] * 4]), -1, 0)  # (5, 4) each
OUTWARD = np.array([1.0, 1.0, 1.0, -1.0, -1.0])  # aside is towards the thumb of these, away from it of those
_DOWN = np.array([0.0, -1.0, 0.0])  # where palms face at rest


@dataclass(frozen=True)
class Hinges:
    """The left hand's axes, each (5, 3, 3) by finger and joint: along the bone, towards which and about which it bends.

    rest: (5, 3) degrees by which the joints are bent at rest.
    """

    along: Array
    palmward: Array
    across: Array
    rest: Array


def has_fingers(body: Body) -> bool:
    """Whether a body has joints for its fingers."""
    return FINGER_JOINTS[0] in body.whole_rig(mean_shape(body)).names


@memoised(4)
def hinges_of(body: Body) -> Hinges:
    """The hinges of a body's fingers, of its mean shape; PoserError for one without finger joints."""
    if not has_fingers(body):
        raise PoserError("This body has no finger joints. Choose another body to pose its hands.")
    points = rest_fingers(body)
    along, palmward, across = np.zeros((3, 5, 3, 3))
    rest = np.zeros((5, 3))
    for f, finger in enumerate(FINGERS):
        bones = np.diff(points[f"left_{finger}"], axis=0)
        bones /= np.linalg.norm(bones, axis=1, keepdims=True)
        if finger == "thumb":  # it bends in its own plane
            about = np.cross(bones[1], bones[2])
            frames = [(bone, np.cross(about - (about @ bone) * bone, bone)) for bone in bones]
            bent = [0.0, *(np.degrees(np.arccos(a @ b)) for a, b in pairwise(bones))]
        else:
            frames = [(bone, _DOWN - (_DOWN @ bone) * bone) for bone in bones]
            steep = np.degrees(np.arcsin(-bones[:, 1]))
            bent = [steep[0], steep[1] - steep[0], steep[2] - steep[1]]
        rest[f] = bent
        for part, (bone, to) in enumerate(frames):
            along[f, part], palmward[f, part] = bone, to / np.linalg.norm(to)
            across[f, part] = np.cross(bone, palmward[f, part])
    return Hinges(along, palmward, across, rest)


def angles_of(hands: Hands, hinges: Hinges) -> Array:
    """(2, 5, 4) degrees, the left hand first: how fingers are held, within what joints reach."""
    local = hands.rotations.astype(np.float64)[JOINTS]
    local[1] = MIRROR @ local[1] @ MIRROR
    way = (local @ hinges.along[..., None])[..., 0]  # (2, 5, 3, 3)
    x, y, z = (np.sum(way * axis, axis=-1) for axis in (hinges.along, hinges.palmward, hinges.across))
    found = np.empty((2, 5, 4))
    found[..., [FIRST, MIDDLE, LAST]] = np.degrees(np.arctan2(y, x)) + hinges.rest
    found[..., ASIDE] = -OUTWARD * np.degrees(np.arctan2(z, np.hypot(x, y)))[..., 0]
    root = local[:, 0, 0]
    found[:, 0, FIRST] = np.degrees(np.arctan2(root[:, 2, 1], root[:, 1, 1]))
    found[:, 0, ASIDE] = -np.degrees(np.arctan2(root[:, 0, 2], root[:, 0, 0]))
    return np.clip(found, LOWEST, HIGHEST)


def hands_of(angles: ArrayLike, hinges: Hinges) -> Hands:
    """Hands whose fingers are bent to these angles, (2, 5, 4) degrees, clipped to what joints reach."""
    return Hands(turns_of(np.asarray(angles, dtype=np.float64), hinges).astype(np.float32))


def hands_bent(hands: Hands, angles: ArrayLike, hinges: Hinges) -> Hands:
    """Hands with other angles, which keep whatever else their joints had, such as a thumb's roll from a photo."""
    old = turns_of(angles_of(hands, hinges), hinges).astype(np.float64)
    new = turns_of(np.asarray(angles, dtype=np.float64), hinges).astype(np.float64)
    unmoved = np.abs(new - old).max(axis=(1, 2)) < 1e-7
    turned = new @ np.swapaxes(old, 1, 2) @ hands.rotations
    kept = np.where(unmoved[:, None, None], hands.rotations, turned)
    return Hands(kept.astype(np.float32))


def turns_of(angles: Array, hinges: Hinges) -> Array:
    """(30, 3, 3) of (2, 5, 4) degrees."""
    local = _left_turns(angles, hinges, np.arange(len(FINGERS)))
    local[1] = MIRROR @ local[1] @ MIRROR
    turns = np.empty((len(FINGER_JOINTS), 3, 3))
    turns[JOINTS] = local
    return turns


def finger_turns(angles: Array, hinges: Hinges, side: int, finger: int) -> Array:
    """(N, 3, 3, 3) the turns of one finger's three joints. angles: (N, 4) degrees. side: 0 left, 1 right."""
    local = _left_turns(angles[:, None], hinges, np.array([finger]))[:, 0]
    return np.asarray(MIRROR @ local @ MIRROR if side else local)


def _left_turns(angles: Array, hinges: Hinges, fingers: NDArray[np.intp]) -> Array:
    """(N, F, 3, 3, 3) the turns of the joints of N left hands. angles: (N, F, 4) degrees. fingers: (F,), which."""
    within, thumb = np.clip(angles, LOWEST[fingers], HIGHEST[fingers]), fingers == 0
    bends = within[..., [FIRST, MIDDLE, LAST]] - hinges.rest[fingers]
    bends[:, thumb, 0] = 0.0
    local = _about(bends[..., None] * hinges.across[fingers])
    aside = OUTWARD[fingers] * within[..., ASIDE]
    aside[:, thumb] = 0.0
    local[:, :, 0] = local[:, :, 0] @ _about(aside[..., None] * hinges.palmward[fingers, 0])
    over, off = within[:, thumb, FIRST, None] * [1.0, 0.0, 0.0], within[:, thumb, ASIDE, None] * [0.0, -1.0, 0.0]
    local[:, thumb, 0] = _about(over) @ _about(off)
    return local


def _about(degrees: Array) -> Array:
    return np.asarray(from_rotation_vector(np.radians(degrees)), dtype=np.float64)


def finger_points(hands: Hands, body: Body) -> Array:
    """(2, 5, 4, 3) metres in the T-pose: each finger's joints and tip, of the mean body."""
    return bent_points(body, mean_shape(body), hands)


def wrist_place(body: Body) -> Array:
    """(3,) metres, the left wrist of the mean body in the T-pose."""
    rig = body.whole_rig(mean_shape(body))
    return rig.rest_positions[rig.index(ARMS[0].end)].astype(np.float64)


def rest_fingers(body: Body) -> dict[str, Array]:
    """(4, 3) metres by side and finger: its three joints on the mean body at rest, and its tip."""
    points = rest_points(body, mean_shape(body))
    return {f"{side}_{name}": points[s, f] for s, side in enumerate(SIDES) for f, name in enumerate(FINGERS)}
