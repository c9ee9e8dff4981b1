"""How far the hips and all else stray between keys when a hand or a foot of a recorded motion is moved at one key.

python -m scripts.motions.edits_between_keys [EDIT…] [--data data/mocap.npz] [--split test] [--clips N]
    [--solvers smplik,dls,…] [--by-itself] [--each]

In the middle of each clip the limb is moved by itself, as a drag in the window moves it, and what is kept of the motion
is what is kept of one that the window opens. Measured are the frames up to half a second from there. Hips: how far
they are from where they were recorded, at most and in the mean of those frames, and at the key itself. Others: the
same of all joints beside the edited limb, in mm. Jerk is that of the pelvis and of all joints, m/s³, and the worst of
any joint. With --by-itself nothing draws the hips to the recording between keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

import numpy as np

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.over_time.shown_motion import shown_motion
from app.document.posing.mirroring import heading
from app.document.posing.tied_groups import answers_of
from scripts.arguments import add_parts, script_parser, some_of, with_part
from scripts.drags.contact_depths import FIRST
from scripts.drags.drag_measures import ALL_SOLVERS
from scripts.drags.drag_steps import handle, target_of
from scripts.drags.drag_study import Row, print_drags
from scripts.drags.drag_tables import mean_and_worst
from scripts.motions.motion_edit_drags import EDITS, Drag, Kept, moving, spread
from scripts.motions.recorded_motions import motions_of_split
from solver.ik.multi_solve.only_limb import only_limb
from solver.ik.preserve_modes import limb_of
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.solvers.catalog import DEFAULT_SOLVER
from solver.training.data.dataset import load_pose_data

AS_OPENED = Kept(0.2, 0.5)
AROUND_S = 0.5
LIMBS = {name: drag for name, drag in EDITS.items() if "hips" not in name}


@dataclass
class Strays(Row):
    """Metres and m/s³, one of each for an edit."""

    most: list[float] = field(default_factory=list)
    mean: list[float] = field(default_factory=list)
    at_key: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    pelvis_jerk: list[float] = field(default_factory=list)
    jerk: list[float] = field(default_factory=list)
    worst_jerk: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        jerks = (self.pelvis_jerk, self.jerk, self.worst_jerk)
        return [
            f"{len(self.most)}", *mean_and_worst(100 * np.array(self.most)),
            *(f"{100 * np.mean(some):.1f}" for some in (self.mean, self.at_key)),
            f"{1000 * np.mean(self.others):.1f}", *(f"{np.mean(some):.0f}" for some in jerks),
        ]  # fmt: skip


COLUMNS = (
    "edits", "hips, most cm", "worst", "mean", "at the key", "others mm", "jerk, pelvis", "all", "worst of an edit",
)  # fmt: skip


def edited(document: Document, drag: Drag) -> Document:
    """The limb moved by itself at the frame that is looked at."""
    person = document.character(FIRST)
    rig, turn = rig_of(skeleton_of(person)), from_rotation_vector([0.0, heading(joints_of(person).rotations[0]), 0.0])
    document, id = handle(document, rig, drag.joint)
    target = (target_of(document, id) + turn @ drag.way).astype(np.float32)
    person = (document := edits.set_target(FIRST, id, target)(document)).character(FIRST)
    alone = replace(only_limb(skeleton_of(person), rig.name(drag.joint), person.pose), gives_way=True)
    answer = answers_of((person,), {}, holds={FIRST: alone})[FIRST]
    return edits.with_solution(FIRST, answer.solution, answer.effectors)(document)


def strays(document: Document, drag: Drag, frame: int) -> Strays:
    """What an edit at that frame leads to about it."""
    person = document.character(FIRST)
    skeleton, shown, source = skeleton_of(person), shown_motion(person), person.clip.source
    assert shown is not None
    assert source is not None
    around = round(AROUND_S * shown.fps)
    part = slice(max(frame - around, 0), frame + around + 1)
    after, before = (
        forward_kinematics_batch(skeleton.parents, skeleton.offsets, each.root_positions[part], each.rotations[part])
        .positions.astype(np.float64)
        for each in (shown, person.clip.placement.motion(source.motion))
    )  # fmt: skip
    apart = np.linalg.norm(after - before, axis=-1)
    limb = limb_of(skeleton, rig_of(skeleton).index(drag.joint))
    jerks = np.linalg.norm(np.diff(after, 3, axis=0) * shown.fps**3, axis=-1)
    return Strays(
        most=[float(apart[:, 0].max())],
        mean=[float(apart[:, 0].mean())],
        at_key=[float(apart[frame - part.start, 0])],
        others=[float(np.delete(apart, list(limb), axis=1).mean())],
        pelvis_jerk=[float(jerks[:, 0].mean())],
        jerk=[float(jerks.mean())],
        worst_jerk=[float(jerks.max())],
    )


def of_clip(motion: Motion, solver: str, drag: Drag) -> Strays:
    """The motion edited in its middle, and measured."""
    frame = len(motion) // 2
    return strays(edited(moving(motion, solver, AS_OPENED).at_frame(FIRST, frame), drag), drag, frame)


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each edit and solver."""
    parser = script_parser(__file__, __doc__)
    add_parts(parser, "edits", LIMBS)
    parser.add_argument("--data", type=Path, default=Path("data/mocap.npz"))
    parser.add_argument("--split", default="test")
    parser.add_argument("--clips", type=int, default=1000, metavar="N", help="spread over the split (default: all)")
    parser.add_argument("--solvers", type=some_of(ALL_SOLVERS), default=[DEFAULT_SOLVER], help="default: the usual one")
    parser.add_argument("--by-itself", action="store_true", help="draw hips nowhere between keys")
    parser.add_argument("--each", action="store_true", help="a row for each edit of a clip")
    given = parser.parse_args(arguments)
    clips = list(spread(list(motions_of_split(load_pose_data(given.data), given.split)), given.clips))

    def measured(name: str, solver: str) -> Iterator[tuple[str, Strays]]:
        for number, motion in clips:
            yield f"clip {number}", of_clip(motion, solver, LIMBS[name])

    by_itself = patch("solver.ik.multi_solve.between_keys.with_hips_going_on", list)
    with by_itself if given.by_itself else nullcontext():
        print_drags(Strays, COLUMNS, given.solvers, list(with_part(LIMBS, given.edits)), measured, given.each)


if __name__ == "__main__":
    main()
