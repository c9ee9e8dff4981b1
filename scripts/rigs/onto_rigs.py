"""How exactly motions of ours go back onto other programs' rigs: `python -m scripts.rigs.onto_rigs [RIG …]`.

A motion is written as BVH on every rig of foreign_rigs.txt with the rest poses of `foreign_rigs`, read, and put onto
the same file again. Then another motion, of another length and rate, is put onto it. It prints, of all rest poses of
a rig, the largest differences: by how many millimetres a joint of the file moved although nobody edited it, and by
how many degrees one of ours turned; and by how many degrees a joint of the rig is turned otherwise than ours in the
other motion (but for spines; rigs with fewer joints than ours turn limbs and neck otherwise, so that hands and head are
where ours are), and by how many millimetres the hips are off.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from scripts.arguments import one_of, script_parser
from scripts.rigs.foreign_rigs import RESTS, RIGS, Rest, Rig, read_rigs, swaying, written
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.formats.bvh.motion import relation_of
from solver.formats.bvh.onto_rig import OwnMotion
from solver.formats.bvh.read import to_motion
from solver.formats.bvh.world import BvhWorld
from solver.formats.mesh.own_character import posed, read_own_character
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import LEGS, SPINE

COLUMNS = ("joint moved, mm", "ours turned, °", "edited: turned otherwise, °", "edited: hips off, mm")
FRAMES, RATE = 7, 24.0


def main(arguments: list[str] | None = None) -> None:
    """Print a row for each rig."""
    rigs = read_rigs(RIGS.read_text(encoding="utf-8"))
    parser = script_parser(__file__, __doc__)
    parser.add_argument("rigs", nargs="*", type=one_of(rigs), metavar="RIG", help="of foreign_rigs.txt (default: all)")
    names = parser.parse_args(arguments).rigs or list(rigs)
    skeleton = load_body(DEFAULT_BODY).skeleton(BodyShape())
    print("| rig | " + " | ".join(COLUMNS) + " |\n| -- |" + " --: |" * len(COLUMNS))
    worst = np.zeros(len(COLUMNS))
    for name in names:
        found = np.max([off(rigs[name], rest, skeleton) for rest in RESTS.values()], axis=0)
        worst = np.maximum(worst, found)
        print(f"| {name} | {_row(found)} |", flush=True)
    print(f"| **worst of {len(names)}** | {_row(worst)} |")


def off(rig: Rig, rest: Rest, skeleton: Skeleton) -> tuple[float, float, float, float]:
    """What stands in the columns, for one rest pose of a rig."""
    with TemporaryDirectory() as folder:
        file, again = Path(folder) / "rig.bvh", Path(folder) / "posed.bvh"
        file.write_text(written(rig, rest, skeleton, swaying()), encoding="utf-8")
        own = read_own_character(file, True)
        (person,) = own.people
        motion, _ = to_motion(person, skeleton)
        again.write_bytes(posed(own, 0, OwnMotion(skeleton, motion)))
        (back,) = read_own_character(again, True).people
        before, after = (BvhWorld(each, slice(None)) for each in (person, back))
        joints = person.joint_map.joints
        moved = max(np.linalg.norm(before.position(j) - after.position(j), axis=1).max() for j in joints.values())
        turned = geodesic_angle(motion.rotations, to_motion(back, skeleton)[0].rotations).max()

        other = _other()
        again.write_bytes(posed(own, 0, OwnMotion(skeleton, other)))
        world, related = BvhWorld(read_own_character(again, True).people[0], slice(None)), relation_of(person, skeleton)
    ours = forward_kinematics_batch(skeleton.parents, skeleton.offsets, other.root_positions, other.rotations)
    otherwise = max(
        geodesic_angle(
            related.upright @ world.rotation(j) @ related.alignment.corrections[name],
            ours.rotations[:, skeleton.index(name)],
        ).max()
        for name, j in joints.items()
        if name not in SPINE
    )
    hips = sum(world.position(joints[leg.root]) for leg in LEGS) / 2 @ related.upright.T * related.scale
    there = sum(ours.positions[:, skeleton.index(leg.root)] for leg in LEGS) / 2
    away = np.linalg.norm(hips - there, axis=1).max()
    return 1e3 * moved / rest.scale, float(np.degrees(turned)), float(np.degrees(otherwise)), 1e3 * float(away)


def _other() -> Motion:
    rng = np.random.default_rng(9)
    path = rng.normal(0, 0.2, (FRAMES, 3)) + [1.0, 0.9, 0.3]
    turns = from_rotation_vector(rng.normal(0, 0.35, (FRAMES, 24, 3)))
    return Motion(path.astype(np.float32), turns.astype(np.float32), RATE)


def _row(found: np.ndarray) -> str:
    return " | ".join(f"{value:.5f}" for value in found)


if __name__ == "__main__":
    main()
