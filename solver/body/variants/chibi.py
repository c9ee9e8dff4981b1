"""A chibi, nearly three heads high: the embedded body as a child, with other sizes of bones and another face.

A rule of our own, smooth everywhere: bones change their size by a table, blended by the skin's weights; trunk and limbs
lose their muscles and small details; and the face grows, shrinks and moves around a few points, less the further away.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.body.variants.rest import Array, Bones, RestBody, Skin, between, on_floor, scales_of
from solver.body.variants.smoothing import NAVEL, NIPPLES, edges_of, flattened, smoothed
from solver.kinematics.skeleton import SMPL_JOINTS

CHILDLIKE = 0.85  # of the way from the adult to the child
# Along x, y and z. Arms lie along x and legs along y: they get shorter and keep their girth.
SCALES = {
    "pelvis": (0.86, 0.62, 0.90),
    "spine1": (0.88, 0.62, 0.92),
    "spine2": (0.82, 0.62, 0.86),
    "spine3": (0.74, 0.66, 0.80),
    "neck": (0.62, 0.90, 0.62),
    "head": (1.62, 1.52, 1.50),
    "collar": (0.62, 0.74, 0.80),
    "shoulder": (0.60, 0.90, 0.90),
    "elbow": (0.58, 0.92, 0.92),
    "wrist": (0.84, 0.96, 0.90),
    "hand": (0.80, 0.96, 0.90),
    "hip": (0.88, 0.54, 0.90),
    "knee": (0.94, 0.52, 0.94),
    "ankle": (1.04, 0.90, 0.86),
    "foot": (1.04, 0.90, 0.86),
}  # fmt: skip


DETAILED = ("head", "wrist", "hand", "ankle", "foot")  # are not smoothed
SMOOTHINGS = 24


class Pull(NamedTuple):
    """A place of the face that grows: `away` from the middle between the eyes, x outwards on both sides.

    away, reach: in distances between the eyes; at `reach` from the place 0.6 of the effect is left. scales: along x, y
    and z. shift: by how much the place moves, in the same unit.
    """

    away: tuple[float, float, float]
    reach: float
    scales: tuple[float, float, float]
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)


FACE = (
    Pull((0.50, 0.00, 0.00), 0.42, (1.55, 1.55, 1.55)),  # eyes
    Pull((0.00, -0.62, 0.45), 0.30, (0.60, 0.62, 0.50)),  # nose
    Pull((0.00, -1.15, 0.35), 0.34, (0.80, 0.80, 0.90), (0.0, 0.06, 0.0)),  # mouth
    Pull((0.36, -1.10, 0.20), 0.14, (1.00, 1.00, 1.00), (0.02, 0.09, 0.0)),  # its corners
    Pull((0.00, -1.75, 0.10), 0.60, (0.72, 0.80, 0.90)),  # chin
    Pull((0.85, -0.85, -0.25), 0.50, (1.20, 1.05, 1.15)),  # cheeks
    Pull((0.00, 0.90, -0.70), 1.20, (1.14, 1.10, 1.10)),  # skull
)


def chibi(adult: RestBody, child: RestBody, skin: Skin) -> RestBody:
    """The chibi of one gender, standing on the floor."""
    rest = Bones(scales_of(SCALES), skin).rest(between(adult, child, CHILDLIKE))
    head = SMPL_JOINTS.index("head")
    eyes = rest.rigid[[skin.rigid.index(f"{side}_eye_smplhf") for side in ("left", "right")]]
    detailed = skin.weights[:, [j for j, name in enumerate(SMPL_JOINTS) if _is_detailed(name)]].sum(axis=1)
    edges = edges_of(skin.faces)
    flat = flattened(rest.skin, edges, adult.skin, (*NIPPLES, NAVEL))
    soft = smoothed(flat, edges, 1.0 - detailed, SMOOTHINGS)
    moved = soft + skin.weights[:, head, None] * _pulled(soft, eyes)
    rigid = rest.rigid + (skin.carriers == head)[:, None] * _pulled(rest.rigid, eyes)
    return on_floor(rest._replace(skin=moved, rigid=rigid))


def _is_detailed(joint: str) -> bool:
    return joint in DETAILED or joint.partition("_")[2] in DETAILED


def _pulled(points: Array, eyes: Array) -> Array:
    """(N, 3) metres by which points of the head move. eyes: (2, 3), the left one first."""
    middle, apart = eyes.mean(axis=0), float(np.linalg.norm(eyes[0] - eyes[1]))
    moves = np.zeros(points.shape)
    for pull in FACE:
        for side in (1.0, -1.0) if pull.away[0] else (1.0,):
            way = (points - middle) / apart - np.multiply(pull.away, (side, 1.0, 1.0))
            felt = np.exp(-0.5 * (way**2).sum(axis=1) / pull.reach**2)
            grown = (np.array(pull.scales) - 1.0) * way + np.multiply(pull.shift, (side, 1.0, 1.0))
            moves += apart * felt[:, None] * grown
    return moves
