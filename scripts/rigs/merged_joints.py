"""How far a rig with fewer joints than our body is drawn from the handles: `python -m scripts.rigs.merged_joints`.

Bodies of ours are written as BVH with joints merged into those above them: with none to five joints of the spine, and
without collars, toes or neck. Each file is read as anybody's own character, gets the body that its bones ask for, and
is posed by that body. It prints, of ten poses and three bodies, by how many millimetres the rig's joints are off ours:
the mean, and the worst in the worst pose. `--half a` or `--half b` takes every other rig, so that what is chosen on one
half can be judged on the other.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import script_parser
from scripts.rigs.foreign_rigs import Rest, Rig, swaying, written
from scripts.rigs.skinned_rigs import PROPORTIONS, in_proportions
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.formats.bvh.motion import relation_of
from solver.formats.bvh.onto_rig import OwnMotion
from solver.formats.bvh.world import BvhWorld
from solver.formats.mesh.own_body import body_without_skin
from solver.formats.mesh.own_character import posed, read_own_character
from solver.formats.pose_json.write import read_pose_json
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import ARMS, FEET, LEGS, LIMBS, SPINE, Limb, Role

POSES = (
    "Standing/A-pose", "Standing/Contrapposto", "Gesturing/Bow", "Standing/Arms crossed", "Crouching/Deep squat",
    "Sitting on a chair/Thinker", "Sitting on a chair/Sit upright", "Sitting on the floor/Reach for the toes",
    "Standing/Look up at the sky", "Dancing/Twist",
)  # fmt: skip
LOW, MIDDLE, HIGH = SPINE
SPINES: dict[str, tuple[str, ...]] = {
    "none": (),
    "1 low": (LOW,), "1 middle": (MIDDLE,), "1 high": (HIGH,), "2, ends": (LOW, HIGH),
    "2, low": (LOW, MIDDLE), "2, high": (MIDDLE, HIGH), "3": SPINE,
    "4": (LOW, "", MIDDLE, HIGH), "5": (LOW, "", MIDDLE, "", HIGH),
}  # fmt: skip
NECKLESS = Role.NECK.value
WITHOUT = ((), ("collars",), ("toes",), (NECKLESS,), ("collars", "toes"), ("collars", "toes", NECKLESS))
COLUMNS = ("mean", "wrists", "ankles", "toes", Role.HEAD.value, "elbows and knees", "trunk")
NAMES = {"hip": "UpLeg", "knee": "Leg", "ankle": "Foot", "foot": "ToeBase", "collar": "Shoulder", "shoulder": "Arm",
         "elbow": "ForeArm", "wrist": "Hand"}  # fmt: skip
Array = NDArray[np.float64]


def main(arguments: list[str] | None = None) -> None:
    """Print a row for each rig."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--half", choices=("a", "b"), help="every other rig (default: all)")
    parser.add_argument(
        "--proportions", choices=list(PROPORTIONS), default="ours", help="of the bodies (default: ours)"
    )
    asked = parser.parse_args(arguments)
    half, longer = asked.half, PROPORTIONS[asked.proportions]
    bodies, worst = [in_proportions(body, longer) for body in _bodies()], []
    print("| spine | without | " + " | ".join(COLUMNS) + " |\n| -- | -- |" + " --: |" * len(COLUMNS))
    for number, (spine, without) in enumerate(product(SPINES, WITHOUT)):
        if half and (number + number // len(WITHOUT)) % 2 != "ab".index(half):
            continue
        rig = merged(SPINES[spine], without)
        found = [off_mm(rig, body) for body in bodies]
        worst.append([np.mean([row[0] for row in found]), *np.max([row[1:] for row in found], axis=0)])
        told = " | ".join(f"{v:.1f}" for v in worst[-1])
        print(f"| {spine} | {', '.join(without) or '–'} | {told} |", flush=True)
    print("| **mean** | | " + " | ".join(f"{v:.1f}" for v in np.nanmean(worst, axis=0)) + " |")
    print("| **worst** | | " + " | ".join(f"{v:.1f}" for v in np.nanmax(worst, axis=0)) + " |")


def merged(spine: tuple[str, ...], without: tuple[str, ...]) -> Rig:
    """A rig named as HumanIK names joints, with these joints of the spine (names of ours, "" for its own)."""
    rig = Rig([], [], [])

    def add(name: str, parent: int, role: str) -> int:
        rig.names.append(name)
        rig.parents.append(parent)
        rig.roles.append(role)
        return len(rig.names) - 1

    pelvis = chest = add("Hips", -1, Role.PELVIS)
    for number, role in enumerate(spine):
        chest = add(f"Spine{number or ''}", chest, role)
    neck = chest if NECKLESS in without else add("Neck", chest, Role.NECK)
    add("Head", neck, Role.HEAD)

    def limb(one: Limb, above: int) -> None:
        for role in one.joints[:-1] if one in ARMS else one.joints:
            if not (role == one.girdle and "collars" in without) and not (role in FEET[1::2] and "toes" in without):
                above = add(one.side.capitalize() + NAMES[role.part], above, role)

    for one in LIMBS:
        limb(one, pelvis if one in LEGS else chest)
    return rig


def off_mm(rig: Rig, skeleton: Skeleton) -> Array:
    """What stands in the columns, for a rig made from one body; the mean of all poses, else of the worst."""
    with TemporaryDirectory() as folder:
        file, again = Path(folder) / "rig.bvh", Path(folder) / "posed.bvh"
        file.write_text(written(rig, Rest(), skeleton, swaying()), encoding="utf-8")
        own = read_own_character(file, True)
        (person,) = own.people
        id, fit = body_without_skin(person, load_body(DEFAULT_BODY))
        ours = load_body(id).skeleton(fit.shape)
        motion = _poses(ours)
        again.write_bytes(posed(own, 0, OwnMotion(ours, motion)))
        (back,) = read_own_character(again, True).people
        related = relation_of(person, ours)
        world = BvhWorld(back, slice(None))
        joints = range(len(rig.names))
        there = np.stack([world.position(j) for j in joints], axis=1) @ related.upright.T * related.scale
    here = forward_kinematics_batch(ours.parents, ours.offsets, motion.root_positions, motion.rotations).positions
    off = {
        role: 1e3 * np.linalg.norm(there[:, j] - here[:, ours.index(role)], axis=1)
        for j, role in enumerate(rig.roles)
        if role
    }
    parts = (
        [limb.end for limb in ARMS], [limb.end for limb in LEGS], [limb.tip for limb in LEGS], [Role.HEAD],
        [limb.hinge for limb in LIMBS], [role for role in off if role in (*SPINE, *(arm.root for arm in ARMS))],
    )  # fmt: skip
    worst = [max((float(off[role].max()) for role in part if role in off), default=np.nan) for part in parts]
    return np.array([np.mean(list(off.values())), *worst])


def _poses(skeleton: Skeleton) -> Motion:
    folder = Path("assets/poses")
    rotations = []
    for name in POSES:
        rotations.append(read_pose_json(folder / f"{name}.json").people[0].pose.rotations)
    places = np.tile(skeleton.rest_positions[:1], (len(rotations), 1))
    return Motion(places, np.stack(rotations), 30.0)


def _bodies() -> list[Skeleton]:
    body = load_body(DEFAULT_BODY)
    rng = np.random.default_rng(3)
    shapes = [BodyShape(), *(BodyShape(rng.normal(size=10).astype(np.float32), g) for g in ("male", "female"))]
    return [body.skeleton(shape) for shape in shapes]


if __name__ == "__main__":
    main()
