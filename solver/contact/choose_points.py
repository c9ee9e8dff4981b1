"""Which vertices of a body stand for its skin where it touches something: the ones that stick out.

`python -m solver.contact.choose_points`: chooses those of the embedded body anew and writes
assets/body/contact_vertices.json.

The skin is on one side of a plane if its outermost vertex is. So vertices are chosen until no other of a body part
sticks out further than the chosen ones by more than `STICKS_OUT` in any direction: in many poses over the whole range
of each joint and some with knees bent as far as they go, in many shapes, with open, relaxed and closed hands; nor by
more than `HELD_STICKS_OUT` with hands held in any other way that can be chosen.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from solver.body.body import SHAPE_COMPONENTS, Body, BodyShape
from solver.body.fingers import has_fingers
from solver.body.floor import posed_vertices
from solver.body.hand_presets import HAND_PRESETS, preset_hands
from solver.body.hands import Hands, relaxed_hands, skin_with
from solver.kinematics.limits import joint_limits
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.resources import resource_folder
from solver.rig.roles import ARMS, LEGS, Role

Array = NDArray[np.floating]
FILE = resource_folder("assets", "body") / "contact_vertices.json"
STICKS_OUT, HELD_STICKS_OUT = 0.002, 0.003  # metres
POSES, DIRECTIONS = 1500, 250
HELD = 5  # for every so many poses, one more with a hand held in another way
SHAPES = 2.0  # standard deviations
FURTHEST = 2.4  # radians: of joints that have wider ranges, or none
KNEELING, BENT = 60, 2.0  # extra poses with both knees bent by at least so many radians, as when sitting on the heels
FINGERS_CLOSED = 1.3  # radians, each of a finger's joints


def evenly_spread(count: int) -> NDArray[np.float32]:
    """(count, 3) directions, evenly spread."""
    up = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    turn, aside = np.pi * (1.0 + 5.0**0.5) * np.arange(count), np.sqrt(1.0 - up**2)
    return np.stack([aside * np.cos(turn), aside * np.sin(turn), up], axis=1).astype(np.float32)


def chosen_vertices(body: Body, poses: int = POSES, directions: int = DIRECTIONS) -> NDArray[np.int32]:
    """(N,) indices of the chosen vertices, ascending; the same for the same body."""
    genders = body.genders
    rng, ways = np.random.default_rng(0), evenly_spread(directions)
    skeleton = body.skeleton(BodyShape(gender=genders[0]))
    carrier = body.weights.argmax(axis=1)
    parts = [np.flatnonzero(np.isin(carrier, [skeleton.index(j) for j in part])) for part in _parts(skeleton.names)]
    parts = [part for part in parts if len(part)]  # a model may have no skin of its own for a part
    limits = joint_limits(skeleton.names)
    low, high = np.clip(limits.low, -FURTHEST, 0.0), np.clip(limits.high, 0.0, FURTHEST)
    usual = (None, relaxed_hands(), _closed())
    held = [preset_hands(id, body) for id in HAND_PRESETS] if has_fingers(body) else []
    chosen: list[NDArray[np.intp]] = [np.empty(0, np.intp) for _ in parts]
    for i in range(poses + (max(len(held), poses // HELD) if held else 0)):
        shape, pose = BodyShape(gender=genders[0]), rest_pose(skeleton)
        if i:
            shape = _drawn_shape(rng, genders[i % len(genders)])
            pose = _turned(skeleton, limits.frames, rng.uniform(low, high) * rng.uniform(0.0, 1.0, (len(low), 1)))
        hands = usual[i % len(usual)] if i < poses else held[i % len(held)]
        skin = posed_vertices(body, shape, pose, rest=skin_with(body, shape, hands))
        for p, part in enumerate(parts):
            chosen[p] = _with_more(chosen[p], skin, part, ways, STICKS_OUT if i < poses else HELD_STICKS_OUT)
    hinges = {skeleton.index(leg.hinge) for leg in LEGS if leg.hinge in skeleton.names}
    thighs = [p for p, part in enumerate(parts) if hinges & set(carrier[part].tolist())]
    for skin in _kneeling(body, min(poses, KNEELING)):
        for p in thighs:
            chosen[p] = _with_more(chosen[p], skin, parts[p], ways, STICKS_OUT)
    return np.unique(np.concatenate(chosen)).astype(np.int32)


def _kneeling(body: Body, poses: int) -> Iterator[Array]:
    """The skin (V, 3) in poses with knees bent nearly as far as they go.

    Poses drawn from all ranges hardly ever have them so, and then flesh from behind the knee comes down to the floor.
    """
    rng, genders = np.random.default_rng(1), body.genders
    skeleton = body.skeleton(BodyShape(gender=genders[0]))
    limits = joint_limits(skeleton.names)
    low, high = np.clip(limits.low, -FURTHEST, 0.0), np.clip(limits.high, 0.0, FURTHEST)
    knees = [skeleton.index(leg.hinge) for leg in LEGS if leg.hinge in skeleton.names]
    for i in range(poses):
        vectors = rng.uniform(low, high)
        vectors[knees] = 0.0
        for knee in knees:
            axis = int(limits.high[knee].argmax())
            vectors[knee, axis] = rng.uniform(BENT, max(float(limits.high[knee, axis]), BENT))
        shape = _drawn_shape(rng, genders[i % len(genders)])
        yield posed_vertices(body, shape, _turned(skeleton, limits.frames, vectors), rest=skin_with(body, shape, None))


def _drawn_shape(rng: np.random.Generator, gender: str) -> BodyShape:
    return BodyShape((SHAPES * rng.uniform(-1.0, 1.0, SHAPE_COMPONENTS)).astype(np.float32), gender)


def _turned(skeleton: Skeleton, frames: Array, vectors: Array) -> Pose:
    """Joints turned by vectors (J, 3), radians, in the frames (J, 3, 3) of their limits."""
    rotations = frames @ from_rotation_vector(vectors) @ np.swapaxes(frames, 1, 2)
    return Pose(rest_pose(skeleton).root_position, rotations.astype(np.float32))


def _with_more(
    chosen: NDArray[np.intp], skin: Array, part: NDArray[np.intp], ways: Array, out: float
) -> NDArray[np.intp]:
    """The chosen vertices of a part, and as many more as it takes until none sticks out by more than `out` metres."""
    heights = skin[part] @ ways.T
    top = heights.max(axis=0)
    reached = (skin[chosen] @ ways.T).max(axis=0) if len(chosen) else np.full(len(ways), -np.inf)
    more: list[int] = []
    while (top - reached).max() > out:
        best = int(heights[:, (top - reached).argmax()].argmax())
        more.append(int(part[best]))
        reached = np.maximum(reached, heights[best])
    return np.concatenate([chosen, np.array(more, np.intp)])


def _parts(joints: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The body's parts, each of which may lie on the floor by itself."""
    pairs = [pair for arm in ARMS for pair in ((arm.root, arm.hinge), (arm.end, arm.tip))]
    pairs += [pair for leg in LEGS for pair in ((leg.root, leg.hinge), (leg.end, leg.tip))]
    # what bends least is one part: the roots of limbs also count as trunk, because they are its corners
    trunk = tuple(j for j in joints if not any(j in pair for pair in pairs) and j != Role.HEAD)
    roots = tuple(limb.root for limb in (*ARMS, *LEGS))
    return [(Role.NECK, Role.HEAD), (*trunk, *roots), *pairs]


def _closed() -> Hands:
    """Fists, more or less, out of which knuckles stick."""
    half = len(relaxed_hands().rotations) // 2
    turn = np.asarray(from_rotation_vector(np.array([0.0, 0.0, FINGERS_CLOSED])), dtype=np.float32)
    return Hands(np.stack([*[turn.T] * half, *[turn] * half]))


def main() -> None:
    """Choose for the embedded body and write the file."""
    from solver.body.catalog import DEFAULT_BODY, load_body

    argparse.ArgumentParser(prog="python -m solver.contact.choose_points", description=__doc__).parse_args()
    chosen = chosen_vertices(load_body(DEFAULT_BODY))
    FILE.write_text(json.dumps({"vertices": chosen.tolist()}) + "\n", encoding="utf-8")
    print(f"{len(chosen)} vertices in {FILE}")


if __name__ == "__main__":
    main()
