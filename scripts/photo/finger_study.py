"""How well fingers are read from a photo, on renderings of our body with randomly bent fingers.

python -m scripts.photo.finger_study [--count 60] [--seed 0]

Prints, for the hands that are read, grouped by how far their fingers are bent, by how many degrees the middle bones of
the four fingers are off: as read, for a relaxed hand, and for the flat hand of the rest pose.
"""

from __future__ import annotations

import sys
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from app.services.screen import drawing
from rendering.camera.camera import PhotoView
from rendering.drawing.offscreen import render_image
from rendering.scene.values import Figure, Mesh, Scene
from scripts.arguments import script_parser
from solver.body.body import Body, BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.hands import MIRROR, Hands, relaxed_hands, skin_with
from solver.body.whole_rig import FINGER_JOINTS
from solver.camera import PinholeCamera
from solver.errors import PoserError
from solver.ik.pose_prior import natural_pose
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.detection.people2d import find_people
from solver.photo.fingers import hands_seen
from solver.photo.fit.observed_rotations import palm_rotations
from solver.rig.roles import ARMS, SIDES

Array = NDArray[np.float64]
SIDE, FOCAL = 1000, 1100.0  # pixels
FINGERS = ("index", "middle", "ring", "pinky")
BENT = {1: 70.0, 2: 90.0, 3: 55.0}  # degrees of a fist's joints
GROUPS = (0.0, 45.0, 90.0, 180.0)  # degrees by which the middle bones of a hand are bent


def drawn_hands(rng: np.random.Generator) -> Hands:
    """Both hands between flat and a fist, their fingers a little apart from one another."""
    turns: dict[str, NDArray[np.floating]] = {joint: np.eye(3) for joint in FINGER_JOINTS}
    for side in SIDES:
        all_of_them = rng.uniform()
        for finger in FINGERS:
            share = np.clip(all_of_them + rng.normal(0, 0.15), 0, 1)
            for number, most in BENT.items():
                turn = from_rotation_vector([0.0, 0.0, -np.radians(most * share)])
                turns[f"{side}_{finger}{number}"] = turn if side == SIDES[0] else MIRROR @ turn @ MIRROR
    return Hands(np.stack([turns[joint] for joint in FINGER_JOINTS]))


def drawn_pose(body: Body, rng: np.random.Generator) -> Pose:
    """A person who stands with raised arms, the hands turned any way."""
    pose = natural_pose(body.skeleton(BodyShape()))
    local = pose.rotations.astype(np.float64)
    local[0] = from_rotation_vector([0.0, rng.uniform(-0.8, 0.8), 0.0])
    for sign, arm in zip((1.0, -1.0), ARMS, strict=True):
        twist = from_rotation_vector([rng.uniform(-0.75, 0.75), 0.0, 0.0])
        shoulder, elbow, wrist = (SMPL_JOINTS.index(role) for role in (arm.root, arm.hinge, arm.end))
        local[shoulder] = from_rotation_vector([0.0, 0.0, sign * rng.uniform(-0.2, 0.8)]) @ twist
        local[elbow] = from_rotation_vector([0.0, 0.0, sign * rng.uniform(0.3, 1.2)]) @ twist
        local[wrist] = from_rotation_vector(rng.normal(0, 0.2, 3))
    return Pose(np.array([0.0, 0.95, 0.0], np.float32), local.astype(np.float32))


def rendered(body: Body, pose: Pose, hands: Hands, rng: np.random.Generator) -> NDArray[np.uint8]:
    """(SIDE, SIDE, 3) the person in front of the studio's background."""
    shape = BodyShape()
    skeleton = body.skeleton(shape)
    mesh = Mesh(skin_with(body, shape, hands), body.faces, body.weights, body.suit_mask)
    places = forward_kinematics(skeleton, pose).positions
    figure = Figure(0, mesh, skinning_matrices(skeleton, pose), places, skeleton.parents)
    eye = np.array([0.0, 1.2, rng.uniform(2.6, 3.6)])
    lens = PinholeCamera(eye, np.eye(3, dtype=np.float32), FOCAL, (SIDE / 2, SIDE / 2), (SIDE, SIDE))
    pixels = render_image(Scene((figure,), grid=False), PhotoView(lens), (SIDE, SIDE))
    return np.ascontiguousarray(np.asarray(Image.fromarray(pixels).convert("RGB")))


def middle_bones(hands: Hands, side: str) -> Array:
    """(4, 3, 3) how the middle bones of four fingers are turned in the hand."""
    turn = hands.by_joint()
    return np.stack([turn[f"{side}_{finger}1"] @ turn[f"{side}_{finger}2"] for finger in FINGERS]).astype(np.float64)


def degrees(a: Array, b: Array) -> float:
    """The mean angle between rotations (N, 3, 3)."""
    off = to_rotation_vector(np.swapaxes(a, -1, -2) @ b)
    return float(np.degrees(np.linalg.norm(off, axis=-1)).mean())


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--count", type=int, default=60, help="pictures (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="for all random choices (default: 0)")
    given = parser.parse_args(arguments)
    if given.count < 1 or given.seed < 0:
        parser.error("--count is 1 or more, --seed 0 or more")
    rng, body, relaxed = np.random.default_rng(given.seed), load_body(DEFAULT_BODY), relaxed_hands()
    rows, hands = [], 0
    try:
        with drawing():
            for _ in range(given.count):
                true = drawn_hands(rng)
                found = find_people(rendered(body, drawn_pose(body, rng), true, rng))
                for side, hand in zip(SIDES, found[0].hands if found else (), strict=False):
                    hands += 1
                    if hand is None or palm_rotations(hand, side) is None:
                        continue
                    truth, flat = middle_bones(true, side), np.tile(np.eye(3), (4, 1, 1))
                    read = middle_bones(hands_seen(found[0], body), side)
                    rows.append([degrees(other, truth) for other in (flat, read, middle_bones(relaxed, side))])
    except PoserError as error:
        print(error, file=sys.stderr)
        return 1
    table = np.array(rows).reshape(-1, 3)
    print(f"{len(table)} of {hands} hands are read.")
    for low, high in (*pairwise(GROUPS), (GROUPS[0], GROUPS[-1])):
        some = table[(table[:, 0] >= low) & (table[:, 0] < high)]
        if len(some):
            flat, read, ease = some.mean(axis=0)
            off = f"{read:.1f} as read, {ease:.1f} relaxed, {flat:.1f} flat"
            print(f"bent by {low:.0f} to {high:.0f}: {len(some)} hands, off {off}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
