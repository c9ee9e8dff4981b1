"""How well motions of other programs' rigs come in: `python -m scripts.rigs.foreign_rigs [RIG …]`.

One motion is written as BVH on every rig of foreign_rigs.txt, with several rest poses, axes, units and orders of
angles, and read back. Joints that the rig lacks do not turn. It prints by how many millimetres the worst joint is off
in the worst frame, after the turn about the vertical and the shift that fit best, on how many rigs no joint is off by
more than 5 and 20 mm, and how many of the files would bring up a question about their joints.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import one_of, script_parser
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.errors import InputRefused
from solver.formats.bvh.mapping import question_about
from solver.formats.bvh.people import people_of
from solver.formats.bvh.read import parse_bvh, to_motion
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector, to_euler
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import Role

RIGS = Path(__file__).with_suffix(".txt")
ROLES = {
    "P": Role.PELVIS, "S1": Role.SPINE1, "S2": Role.SPINE2, "S3": Role.SPINE3, "N": Role.NECK, "H": Role.HEAD,
    "c": "collar", "s": "shoulder", "e": "elbow", "w": "wrist", "h": "hip", "k": "knee", "a": "ankle", "f": "foot",
}  # fmt: skip
SIDES = {
    "left": {"S": "Left", "s": "left", "L": "L", "l": "l", "x": "lft", "X": "Lft", "J": "左", "G": "izq", "Z": "links"},
    "right": {
        "S": "Right", "s": "right", "L": "R", "l": "r", "x": "rgt", "X": "Rgt", "J": "右", "G": "der", "Z": "rechts",
    },
}  # fmt: skip
ARM, LEG = ("shoulder", "elbow", "wrist", "hand"), ("hip", "knee", "ankle", "foot")
FRAMES, COMPARED = 12, 22
Z_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
Array = NDArray[np.floating]


class Rig(NamedTuple):
    """names and parents, parents first. roles: of each joint, our name, or "" where it stands for none of ours."""

    names: list[str]
    parents: list[int]
    roles: list[str]


class Rest(NamedTuple):
    """arms, legs: radians by which they hang or straddle. turned: (3, 3), how the body stands. axes: (3, 3), ours to
    the file's. scale: of its units to a metre. order: of its angles."""

    arms: float = 0.0
    legs: float = 0.0
    turned: Array = np.eye(3)
    axes: Array = np.eye(3)
    scale: float = 100.0
    order: str = "ZXY"


def _about(x: float, y: float) -> Array:
    return np.asarray(from_rotation_vector(np.radians([x, y, 0.0])))


RESTS = {
    "T, cm": Rest(),
    "A, m": Rest(np.radians(45), np.radians(12), scale=1.0),
    "hanging, inches": Rest(np.radians(80), scale=1 / 0.0254, order="XYZ"),
    "T, Z up": Rest(axes=Z_UP, order="XYZ"),
    "A, Z up, to the back": Rest(np.radians(40), axes=Z_UP @ _about(0, 180), scale=1 / 0.0254, order="ZYX"),
    "T, facing +X": Rest(turned=_about(0, 90), order="YXZ"),
    "A, facing -Z": Rest(np.radians(50), turned=_about(0, 180), scale=1.0),
    "lying": Rest(np.radians(30), turned=_about(-90, 0)),
}


def main(arguments: list[str] | None = None) -> None:
    """Print a row for each rig."""
    rigs = read_rigs(RIGS.read_text(encoding="utf-8"))
    parser = script_parser(__file__, __doc__)
    parser.add_argument("rigs", nargs="*", type=one_of(rigs), metavar="RIG", help="of foreign_rigs.txt (default: all)")
    names = parser.parse_args(arguments).rigs
    skeleton = load_body(DEFAULT_BODY).skeleton(BodyShape())
    motion = swaying()
    found, questions = {}, 0
    print("| rig | " + " | ".join(RESTS) + " |\n| -- |" + " --: |" * len(RESTS))
    for name, rig in rigs.items():
        if names and name not in names:
            continue
        found[name] = [off_mm(rig, rest, skeleton, motion) for rest in RESTS.values()]
        questions += sum(asks(rig, rest, skeleton, motion) for rest in RESTS.values())
        told = ("refused" if np.isnan(off) else f"{off:.0f}" for off in found[name])
        print(f"| {name} | {' | '.join(told)} |", flush=True)
    for most in (5, 20):
        near = sum(not np.isnan(offs).any() and max(offs) <= most for offs in found.values())
        print(f"\n{near} of {len(found)} rigs within {most} mm")
    print(f"\n{questions} of {len(found) * len(RESTS)} files bring up a question")


def read_rigs(text: str) -> dict[str, Rig]:
    """The rigs of the text by name."""
    parts = re.split(r"^\[(.+)\]$", re.sub(r"^#.*$", "", text, flags=re.MULTILINE), flags=re.MULTILINE)
    return {name: _rig(tree) for name, tree in zip(parts[1::2], parts[2::2], strict=True)}


def _rig(tree: str) -> Rig:
    children: dict[str, list[str]] = {}
    roles: dict[str, str] = {}
    for line in filter(None, map(str.strip, tree.splitlines())):
        for side, spelt in SIDES.items() if "{" in line else (("", {}),):
            one = re.sub(r"\{(\w)\}", lambda mark, spelt=spelt: spelt[mark.group(1)], line)  # type: ignore[misc]
            groups = [[_joint(token, side, roles) for token in group.split()] for group in one.split(">")]
            for (*_, above), below in pairwise(groups):
                known = children.setdefault(above, [])
                known.extend(name for name in below if name not in known)
    rig = Rig([], [], [])

    def visit(name: str, parent: int) -> None:
        mine = len(rig.names)
        rig.names.append(name)
        rig.parents.append(parent)
        rig.roles.append(roles.get(name, ""))
        for child in children.get(name, ()):
            visit(child, mine)

    visit(next(iter(children)), -1)
    return rig


def _joint(token: str, side: str, roles: dict[str, str]) -> str:
    name, _, role = token.replace("~", " ").partition("=")
    if role[:1] in ("L", "R") and role[1:] in ROLES:
        side, role = {"L": "left", "R": "right"}[role[0]], role[1:]
    if role:
        roles[name] = f"{side}_{ROLES[role]}" if side and role.islower() else str(ROLES[role])
    return name


def swaying() -> Motion:
    """Somebody who stands, sways and walks on a little, and turns every joint."""
    rng = np.random.default_rng(4)
    phase, speed = rng.uniform(0, 2 * np.pi, (24, 3)), rng.integers(1, 3, (24, 3))
    time = np.linspace(0, 2 * np.pi, FRAMES, endpoint=False)[:, None, None]
    vectors = 0.3 * np.sin(speed * time + phase) + 0.15 * rng.normal(size=(24, 3))
    vectors[:, 0] *= 0.3
    path = np.stack([0.1 * np.sin(time[:, 0, 0]), 0.95 + 0 * time[:, 0, 0], 0.2 * time[:, 0, 0]], axis=-1)
    return Motion(path.astype(np.float32), from_rotation_vector(vectors).astype(np.float32), 30.0)


def off_mm(rig: Rig, rest: Rest, skeleton: Skeleton, motion: Motion) -> float:
    """How far off the worst joint is in the worst frame once the motion is read back; NaN if it is refused."""
    lacking = [j for j, name in enumerate(skeleton.names) if name not in rig.roles]
    turns = motion.rotations.copy()
    turns[:, lacking] = np.eye(3)
    motion = replace(motion, rotations=turns)
    try:
        back, _ = to_motion(parse_bvh(written(rig, rest, skeleton, motion), "rig.bvh"), skeleton)
    except InputRefused:
        return float("nan")
    there, here = (
        forward_kinematics_batch(skeleton.parents, skeleton.offsets, each.root_positions, each.rotations).positions
        for each in (motion, back)
    )
    a, b = (each - each.mean(axis=(0, 1)) for each in (there, here))
    angle = np.arctan2(
        (b[..., 2] * a[..., 0] - b[..., 0] * a[..., 2]).sum(), (b[..., 0] * a[..., 0] + b[..., 2] * a[..., 2]).sum()
    )
    apart = (np.linalg.norm(a - b @ _about(0, np.degrees(turn)).T, axis=-1) for turn in (angle, -angle))
    return 1000.0 * min(float(each[:, :COMPARED].max()) for each in apart)


def asks(rig: Rig, rest: Rest, skeleton: Skeleton, motion: Motion) -> bool:
    """Whether somebody would be asked about the file's joints."""
    people = people_of(parse_bvh(written(rig, rest, skeleton, motion), "rig.bvh"))
    return any(question_about(person) is not None for person in people)


def written(rig: Rig, rest: Rest, skeleton: Skeleton, motion: Motion) -> str:
    """The motion on the rig as BVH text; the root and the pelvis have places in every frame."""
    fk = forward_kinematics_batch(skeleton.parents, skeleton.offsets, motion.root_positions, motion.rotations)
    places, count = rig_places(rig, skeleton), len(rig.names)
    turns = np.empty((len(motion), count, 3, 3))  # of what each joint carries, in our world
    frames, offsets = np.empty((count, 3, 3)), np.empty((count, 3))  # of the file's joints in our T-pose
    for j, (role, parent) in enumerate(zip(rig.roles, rig.parents, strict=True)):
        turns[:, j] = fk.rotations[:, skeleton.index(role)] if role else turns[:, parent] if parent >= 0 else np.eye(3)
        frames[j] = rest_turn(next((r for r in roles_above(rig, j) if r), ""), rest) @ rest.turned.T @ rest.axes.T
        offsets[j] = rest.scale * (
            frames[parent].T @ (places[j] - places[parent]) if parent >= 0 else rest.axes @ places[j]
        )
    world = np.einsum("ij,fkjl,klm->fkim", rest.axes, turns, frames)
    pelvis, place = rig.roles.index(Role.PELVIS), np.tile(offsets[0], (len(motion), 1))
    for j in _line(rig, pelvis)[1:-1]:
        place = place + np.einsum("fij,j->fi", world[:, rig.parents[j]], offsets[j])
    lines, columns = ["HIERARCHY"], []
    children = [[j for j, parent in enumerate(rig.parents) if parent == above] for above in range(count)]

    def block(j: int, word: str) -> None:
        parent, told = rig.parents[j], j in (0, pelvis)
        channels = (["Xposition", "Yposition", "Zposition"] if told else []) + [f"{a}rotation" for a in rest.order]
        lines.extend([f"{word} {rig.names[j]}", "{", "OFFSET " + " ".join(f"{v:.6f}" for v in offsets[j])])
        lines.append(f"CHANNELS {len(channels)} " + " ".join(channels))
        above = world[:, parent] if parent >= 0 else np.broadcast_to(np.eye(3), (len(motion), 3, 3))
        if told:
            goal = motion.root_positions @ rest.axes.T * rest.scale
            away = np.einsum("fji,fj->fi", above, goal - place if parent >= 0 else goal)
            columns.append(away if j == pelvis else np.tile(offsets[j], (len(motion), 1)))
        columns.append(np.degrees(to_euler(rest.order, np.swapaxes(above, -1, -2) @ world[:, j])))
        for child in children[j]:
            block(child, "JOINT")
        lines.append("}")

    block(0, "ROOT")
    lines += ["MOTION", f"Frames: {len(motion)}", "Frame Time: 0.033333"]
    rows = np.concatenate(columns, axis=1)
    return "\n".join([*lines, *(" ".join(f"{value:.6f}" for value in row) for row in rows)]) + "\n"


def _line(rig: Rig, joint: int) -> list[int]:
    """The root, and so on down to the joint."""
    line = [joint]
    while rig.parents[line[0]] >= 0:
        line.insert(0, rig.parents[line[0]])
    return line


def roles_above(rig: Rig, joint: int) -> list[str]:
    """The roles of a joint and of those above it, the joint's own first."""
    return [rig.roles[j] for j in reversed(_line(rig, joint))]


def rig_places(rig: Rig, skeleton: Skeleton) -> Array:
    """(J, 3) metres in our T-pose; joints that we lack are half way to the next one below, or a little aside."""
    places = np.zeros((len(rig.names), 3))
    for j, (role, parent) in enumerate(zip(rig.roles, rig.parents, strict=True)):
        if role:
            places[j] = skeleton.rest_positions[skeleton.index(role)]
        elif parent >= 0:
            below = (k for k in range(j + 1, len(rig.names)) if rig.roles[k] and j in _line(rig, k))
            next_role = rig.roles[found] if (found := next(below, -1)) >= 0 else ""
            if not next_role:
                places[j] = places[parent] + [0.01 * np.sign(places[parent, 0]), 0.04, 0.02]
            elif any(roles_above(rig, parent)):
                places[j] = (places[parent] + skeleton.rest_positions[skeleton.index(next_role)]) / 2
            else:
                places[j] = places[parent]
    return places


def rest_turn(role: str, rest: Rest) -> Array:
    """How a joint's frame in the T-pose is turned back from the file's rest pose."""
    side, _, part = role.partition("_")
    way = 1.0 if side == "left" else -1.0
    bent = way * rest.arms if part in ARM else -way * rest.legs if part in LEG else 0.0
    return np.asarray(from_rotation_vector(np.array([0.0, 0.0, bent])))


if __name__ == "__main__":
    main()
