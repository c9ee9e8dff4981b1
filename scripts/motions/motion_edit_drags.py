"""How far a hand that nobody touches goes along when a joint of a recorded motion is dragged, by what is kept of it.

python -m scripts.motions.motion_edit_drags [EDIT…] [--data data/mocap.npz] [--split test] [--clips N] [--frames N]
    [--kept 0:0,0:0.5,0.2:0.5] [--solvers smplik,dls,…] [--each]

Motions are edited at frames spread evenly over each, every time as it was recorded. Of all joints place and shape are
kept, with those strengths; by default with none, with half of the shape, and as of a motion that the window opens. The
joint is dragged in eight steps, as the person faces. “Beyond” is by how much the target is farther from the shoulder or
the hip, as that was, than the limb is long. “Hand” is the untouched hand that moves most: in the world, or measured
from the pelvis if that is what is dragged; and as the chest sees it, which leaves out where the trunk takes it.
“Trunk” is how far the chest turns, “spine” how much of that is its bending over the pelvis. “Down” is how far the
pelvis sinks, “feet” how far the ankle that is held goes that goes farthest. Without “worst” it is the mean over the
frames; “ms” is the median processor time of a step. Missed: frames in which the dragged joint ends more than a
millimetre from where it was put.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_document
from app.document.posing.mirroring import heading
from scripts.arguments import add_parts, script_parser, some_of, with_part
from scripts.drags.contact_depths import FIRST
from scripts.drags.drag_measures import ALL_SOLVERS, MET, Array, Samples
from scripts.drags.drag_steps import drag_steps, handle
from scripts.drags.drag_tables import mean_and_worst, percent_over, percentiles, print_row
from scripts.motions.recorded_motions import motions_of_split
from solver.ik.preserve_modes import LOCAL
from solver.kinematics.fk import WorldJoints
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, LEGS, Role
from solver.solvers.catalog import DEFAULT_SOLVER
from solver.training.data.dataset import load_pose_data

STEPS = 8
KEPT = "0:0,0:0.5,0.2:0.5"


class Drag(NamedTuple):
    """A joint, and the way it goes: metres to the person's left, up and ahead."""

    joint: Role
    way: tuple[float, float, float]


EDITS = {
    "hand up": Drag(Role.LEFT_WRIST, (0.05, 0.45, 0.15)),
    "hand ahead": Drag(Role.LEFT_WRIST, (0.0, 0.1, 0.5)),
    "hand down": Drag(Role.LEFT_WRIST, (0.0, -0.6, 0.2)),
    "hand across": Drag(Role.LEFT_WRIST, (-0.5, 0.25, 0.2)),
    "hips down": Drag(Role.PELVIS, (0.0, -0.2, 0.05)),
    "hips aside": Drag(Role.PELVIS, (0.25, -0.05, 0.0)),
    "foot up": Drag(Role.LEFT_ANKLE, (0.1, 0.3, 0.2)),
}


@dataclass
class Moves(Samples):
    """Metres and degrees, one of each for a drag."""

    beyond: list[float] = field(default_factory=list)
    hand: list[float] = field(default_factory=list)
    of_chest: list[float] = field(default_factory=list)
    trunk: list[float] = field(default_factory=list)
    spine: list[float] = field(default_factory=list)
    down: list[float] = field(default_factory=list)
    feet: list[float] = field(default_factory=list)
    missed: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        hand, of_chest, feet = (mean_and_worst(100 * np.array(some)) for some in (self.hand, self.of_chest, self.feet))
        turned = [f"{np.mean(some):.0f}" for some in (self.trunk, self.spine)]
        beyond, down = (f"{100 * np.mean(some):.1f}" for some in (self.beyond, self.down))
        return [
            f"{len(self.hand)}",
            beyond,
            *hand,
            *of_chest,
            *turned,
            down,
            *feet,
            percent_over(self.missed, MET),
            *percentiles(self.took, 50),
        ]


COLUMNS = (
    "drags", "beyond cm", "hand cm", "worst", "by the chest cm", "worst", "trunk °", "spine °", "down cm", "feet cm",
    "worst", "missed %", "ms",
)  # fmt: skip


class Kept(NamedTuple):
    """How firmly all joints keep place and shape."""

    place: float
    shape: float


def as_kept(text: str) -> list[Kept]:
    """An argument's type: strengths of place and shape, with a colon between the two and commas between pairs."""
    return [Kept(*map(float, pair.split(":", 1))) for pair in text.split(",")]


def moving(motion: Motion, solver: str, kept: Kept) -> Document:
    """Somebody who has the motion, of which that much is kept."""
    return edits.chain(
        edits.set_solver(FIRST, solver),
        edits.import_motion(FIRST, motion),
        edits.set_preserve_mode(FIRST, LOCAL),
        edits.set_preserve_strength(FIRST, kept.place, "place"),
        edits.set_preserve_strength(FIRST, kept.shape, "shape"),
    )(new_document())


def dragged(document: Document, drag: Drag) -> Moves:
    """Drag a joint of the motion's frame that is looked at, and measure what it leads to."""
    person = document.character(FIRST)
    rig, before = rig_of(skeleton_of(person)), joints_of(person)
    turn = from_rotation_vector([0.0, heading(before.rotations[0]), 0.0])
    document, id = handle(document, rig, drag.joint)
    took = []
    for step in drag_steps(document, id, (turn @ drag.way * k / STEPS for k in range(1, STEPS + 1))):
        document = step.document
        took.append(step.took)
    return moves(rig, drag.joint, before, joints_of(document.character(FIRST)), turn @ drag.way, took)


def moves(rig: Rig, joint: Role, before: WorldJoints, after: WorldJoints, way: Array, took: list[float]) -> Moves:
    """What a drag of a joint led to. way: (3,) metres that it was dragged. took: milliseconds of each step."""
    hands, feet = ([rig.index(limb.end) for limb in limbs if limb.end is not joint] for limbs in (ARMS, LEGS))
    at, pelvis, chest = (rig.index(role) for role in (joint, Role.PELVIS, Role.SPINE3))
    gone = after.positions - before.positions
    seen = [seen_from(joints, chest) for joints in (before, after)]
    spine = [joints.rotations[pelvis].T @ joints.rotations[chest] for joints in (before, after)]
    return Moves(
        beyond=[beyond(rig, joint, before, way)],
        hand=[longest(gone[hands] - (gone[pelvis] if at == pelvis else 0.0))],
        of_chest=[longest((seen[1] - seen[0])[hands])],
        trunk=[float(np.degrees(geodesic_angle(before.rotations[chest], after.rotations[chest])))],
        spine=[float(np.degrees(geodesic_angle(*spine)))],
        down=[float(-gone[pelvis, 1])],
        feet=[longest(gone[feet])],
        missed=[float(np.linalg.norm(gone[at] - way))],
        took=took,
    )


def beyond(rig: Rig, joint: Role, before: WorldJoints, way: Array) -> float:
    """Metres that the end of a limb is dragged out of its reach; 0 for other joints."""
    for limb in (*ARMS, *LEGS):
        if limb.end is joint:
            root, hinge, end = (before.positions[rig.index(role)] for role in (limb.root, limb.hinge, limb.end))
            length = np.linalg.norm(hinge - root) + np.linalg.norm(end - hinge)
            return max(0.0, float(np.linalg.norm(end + way - root) - length))
    return 0.0


def seen_from(joints: WorldJoints, joint: int) -> Array:
    """(J, 3) metres: where joints are in the frame of one."""
    return (joints.positions - joints.positions[joint]) @ joints.rotations[joint]


def longest(ways: Array) -> float:
    """The length of the longest of (N, 3) metres."""
    return float(np.linalg.norm(ways, axis=1).max())


def frames_of(count: int, of: int) -> list[int]:
    """`count` frames spread evenly over a clip of `of` frames, none at its ends."""
    return [of * each // (count + 1) for each in range(1, count + 1)]


def spread(motions: list[Motion], count: int) -> Iterator[tuple[int, Motion]]:
    """At most `count` of the motions with their numbers, spread evenly."""
    for each in np.unique(np.linspace(0, len(motions) - 1, min(count, len(motions))).round().astype(int)).tolist():
        yield each, motions[each]


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each edit, solver and strength."""
    parser = script_parser(__file__, __doc__)
    add_parts(parser, "edits", EDITS)
    parser.add_argument("--data", type=Path, default=Path("data/mocap.npz"))
    parser.add_argument("--split", default="test")
    parser.add_argument("--clips", type=int, default=1000, metavar="N", help="spread over the split (default: all)")
    parser.add_argument("--frames", type=int, default=3, metavar="N", help="of each clip (default: 3)")
    parser.add_argument(
        "--kept", type=as_kept, default=as_kept(KEPT), metavar="PLACE:SHAPE,…", help=f"(default: {KEPT})"
    )
    parser.add_argument("--solvers", type=some_of(ALL_SOLVERS), default=[DEFAULT_SOLVER], help="default: the usual one")
    parser.add_argument("--each", action="store_true", help="a row for each drag")
    given = parser.parse_args(arguments)
    clips = list(spread(list(motions_of_split(load_pose_data(given.data), given.split)), given.clips))
    print_row("edit", "solver", "place", "shape", *COLUMNS)
    for name, drag in with_part(EDITS, given.edits).items():
        for solver in given.solvers:
            for kept in given.kept:
                every, told = Moves(), (f"{kept.place:g}", f"{kept.shape:g}")
                for number, motion in clips:
                    document = moving(motion, solver, kept)
                    for frame in frames_of(given.frames, len(motion)):
                        one = dragged(document.at_frame(FIRST, frame), drag)
                        every.add(one)
                        if given.each:
                            print_row(f"  clip {number}, frame {frame + 1}", solver, *told, *one.cells)
                print_row(name, solver, *told, *every.cells)


if __name__ == "__main__":
    main()
