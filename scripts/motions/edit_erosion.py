"""The figures of protocol M for other edits: a hand or a foot of each clip moved in its middle, with nothing kept.

python -m scripts.motions.edit_erosion [EDIT…] [--data data/mocap.npz] [--split test] [--clips N]
    [--solvers skelik,protores,…] [--each]

Three keys, 18 frames apart, as `solver/evaluation/motion_edits.json` has them: the first and the last add nothing, and
the one between them moves the limb's end, as the person faces then. Pelvis and the ends of the other limbs are asked
to be where the motion has them. Columns are explained in docs/benchmark-edits.md; worst is the clip that erodes most.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from scripts.arguments import add_parts, script_parser, some_of, with_part
from scripts.drags.drag_measures import ALL_SOLVERS
from scripts.drags.drag_tables import print_row
from scripts.motions.edits_between_keys import LIMBS
from scripts.motions.motion_edit_drags import Drag, spread
from scripts.motions.recorded_motions import motions_of_split
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.evaluation.edited_motion import between_keys
from solver.evaluation.edits import heading
from solver.evaluation.motion_edits import EditedClip, MotionEdit
from solver.evaluation.motion_figures import motion_figures
from solver.ik.preserve_modes import GLOBAL
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import load_solver
from solver.training.data.dataset import load_pose_data

EASE = 18  # frames from each key to the next
DRAGS = {**LIMBS, "hand up a little": Drag(LIMBS["hand up"].joint, (0.03, 0.25, 0.08))}
FIGURES = {"edited_mm": 2, "erosion_mm": 1, "jerk": 0, "skate_cm": 2}


def edited_clips(clips: list[tuple[int, Motion]], name: str) -> Iterator[EditedClip]:
    """The clips that are long enough, each with that edit in its middle."""
    drag, body = DRAGS[name], load_body(DEFAULT_BODY)
    for number, motion in clips:
        middle = len(motion) // 2
        frames = (middle - EASE, middle, middle + EASE)
        if frames[0] < 1 or frames[-1] > len(motion) - 2:
            continue
        way = from_rotation_vector([0.0, heading(motion.pose(middle)), 0.0]) @ np.array(drag.way)
        edit = MotionEdit(name, str(number), drag.joint, frames, np.array([np.zeros(3), way, np.zeros(3)]))
        yield EditedClip(edit, motion, body, BodyShape())


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each edit and solver."""
    parser = script_parser(__file__, __doc__)
    add_parts(parser, "edits", DRAGS)
    parser.add_argument("--data", type=Path, default=Path("data/mocap.npz"))
    parser.add_argument("--split", default="test")
    parser.add_argument("--clips", type=int, default=1000, metavar="N", help="spread over the split (default: all)")
    parser.add_argument("--solvers", type=some_of(ALL_SOLVERS), default=["skelik", "protores"])
    parser.add_argument("--each", action="store_true", help="a row for each clip as well")
    given = parser.parse_args(arguments)
    motions = list(spread(list(motions_of_split(load_pose_data(given.data), given.split)), given.clips))
    print_row("edit", "solver", "clips", "edited end mm", "erosion mm", "jerk m/s³", "foot skate cm", "worst mm")
    for name in with_part(DRAGS, given.edits):
        clips = list(edited_clips(motions, name))
        for solver in given.solvers:
            answers = [between_keys(load_solver(solver), clip, GLOBAL) for clip in clips]
            each = [motion_figures([clip], [poses]) for clip, poses in zip(clips, answers, strict=True)]
            for clip, figures in zip(clips, each, strict=True) if given.each else ():
                print_row(f"  {name}, clip {clip.edit.clip}", solver, "1", *_cells(figures), "")
            worst = max(figures["erosion_mm"] for figures in each)
            print_row(name, solver, f"{len(clips)}", *_cells(motion_figures(clips, answers)), f"{worst:.1f}")


def _cells(figures: dict[str, float]) -> list[str]:
    return [f"{figures[name]:.{digits}f}" if name in figures else "" for name, digits in FIGURES.items()]


if __name__ == "__main__":
    main()
