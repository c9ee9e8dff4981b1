"""The benchmark as a page: the command, the tables, the aims, the pictures and how to read them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from solver.evaluation.evaluate import PostureRows, Results, device
from solver.evaluation.protocols import ALL_PROTOCOLS, MotionProtocol
from solver.evaluation.tables import COLUMNS, markdown_table, posture_table
from solver.evaluation.trials import Protocol

# What the shipped network is meant to stay below in protocol R on the test split.
AIMS: dict[str, dict[str, float]] = {
    "smplik:raw": {"mpjpe_mm": 60.0, "ge_rad": 0.26},
    "smplik": {"mpjpe_mm": 38.0, "pa_mpjpe_mm": 42.0, "ge_rad": 0.25, "effector_mm": 2.0, "solve_ms_p95": 3.0},
}

BY_CLASS = ("mpjpe_mm", "ge_rad", "kept_m", "kept_rad", "erosion_mm")  # what is shown for each class of problems

READING = """\
## How to read it

- **Rows.** `name` is a solver as the application uses it, followed by the exact stage; `name:raw` is the solver's own
  answer alone. `dls` is the exact stage from the base pose, so it has no raw row.
- **Base pose.** Except in protocols B, N and M, every solver is given the same base pose: the natural mean pose, moved
  as one rigid piece to fit the effectors. Nothing else says where the body stands. Targets are exact, with tolerance 0,
  and the true pose meets them all.
- **Errors.** MPJPE is the mean distance between predicted and true joints, PA-MPJPE the same after the similarity
  transform that fits best. Geodesic is the mean angle between local rotations, including the root. L2 root and L2
  joints are ProtoRes' squared errors. All are over the 22 body joints, whose positions are recomputed by forward
  kinematics.
- **Effector** (in mm) and the columns in degrees are the errors of the effectors that were given. *Foot* is the
  distance of the lowest sole point from the floor, and *penetration* the part of it below the floor; both count only
  poses whose true soles are within 1 cm of the floor.
- **Posture classes** are found from the geometry of the true pose: the height of the pelvis relative to leg length, the
  lean of the trunk, the height of the knees relative to the pelvis, and which parts of the body are near the floor.
  `evaluate` prints all figures of each class, also in its JSON.
- **Libraries.** With `--library` the poses are those of a library. Poses are still, and every person in a file counts
  as one. `--split test` takes every fourth pose of each folder, by name, which `train prepare` never learns from.
  Protocols N and M need clips. The poses that come with the program were made by SMPL-IK and the exact stage from about
  ten effectors, so the figures flatter both: compare SMPL-IK's networks by them, not SMPL-IK with others.
- **Protocol B.** The base pose is another pose of the split, on the same body. It is moved over the floor to where the
  pelvis of the true pose is, and faces as it was recorded. Constraints are pins. *Off base* is how far the 19 joints
  without a constraint, and their local rotations, are from the base pose. The modes say what is kept: Global nothing,
  Local place and shape, Place freeze place, Pose freeze shape. smplik and protores propose without knowing the base
  pose; only the exact stage after them keeps it. The row `base pose` shows it unchanged.
- **Protocol M.** The end of one limb of a recorded motion is moved off by three keys: two that add nothing, and between
  them one with an offset, approached and left along a smooth curve. `solver/evaluation/motion_edits.json` lists clips,
  frames and offsets. At every frame a solver is given the place of the edited wrist or ankle, and, where the motion has
  them, the pelvis with its rotation and the ends of the other limbs; its base pose is the motion's. `name` makes the
  edit as the application does between keys. `name:frames` solves each frame for itself with the exact stage, and
  `name:raw` without it; both know nothing of the neighbouring frames. Global keeps nothing: there `protores:frames` has
  nothing but the effectors, which is what SKEL-IK compares itself with. Local keeps place and shape of trunk and head,
  for limbs follow the effectors on them.
- **Figures of protocol M.** *Edited end* is how far the edited wrist or ankle is from its place; *effector* is the mean
  over all five places that are asked for. *Erosion* is how far the joints outside the edited limb are from the motion.
  Jerk is the third derivative of all joints' places, from three frames before the edit to three after it. *Foot skate*
  is how far the ball of a planted foot moves over the floor from one frame to the next; contacts are found in the
  source motion. All are means over the frames that the edits change. The row `source motion` shows it unedited.
- **Protocol N.** The base pose is another pose of the same clip, over the same place on the floor and facing the same
  way. Targets are places of wrists, or of wrists, ankles and head: those of the true pose, or (*about the start pose*)
  drawn around the base pose with a standard deviation of 11 cm on each axis, where many cannot be reached. *Bones* is
  the most by which any bone is too long or too short: poses are rotations of a skeleton, so it is rounding. Model bytes
  are those of model.onnx.
- **Naturalness.** Prior energy is the squared distance from the mean pose, measured in the spread of motion capture and
  divided by the degrees of freedom: recorded poses have about 1. *Beyond limits* is how far the worst joint is beyond
  the human range. *Nearest pose* is the root mean square distance of the joints to the nearest pose of the training
  split, turned about the vertical.
- **Times** are wall-clock times of one solve on one thread, after warm-up. A network from the folder of a training run
  is run by torch in float32, an exported one as the program runs it.
- **FABRIK and CCD** use no joint limits and no prior of likely poses. FABRIK here moves rigid bones in a whole tree
  with a free root; a rotation effector turns its joint directly. CCD turns each joint so that all effectors beyond it
  fit best.
"""


def report(
    results: Results, other_bodies: Results | None, command: str, pictures: Mapping[str, str], swept: int
) -> str:
    """The page as Markdown.

    other_bodies: the same run with random bodies. pictures: file by title, relative to the page. swept: poses in the
    picture of errors over effectors.
    """
    parts = [
        "# Benchmark\n\nEvery solver solves the same poses, with the same effectors, on the same body. "
        "This page was made by\n\n"
        f"    {command}\n\non {device()}: {_counts(results)}. Two runs give the same figures, except for the times."
    ]
    for id, figures in results.figures.items():
        title = f"## Protocol {id}: {ALL_PROTOCOLS[id].title}"
        solved = f"{results.problems[id]} {ALL_PROTOCOLS[id].words[1]}s"
        parts.append(f"{title}\n\n{solved}.\n\n{markdown_table(figures)}")
        parts += [f"Left out: `{name}`. {reason}" for name, reason in results.left_out[id].items()]
        if id == "R":
            parts += aims(figures)
        parts += by_class(ALL_PROTOCOLS[id], results.postures[id])
    parts += [f"Protocol {id} was not measured. {reason}" for id, reason in results.absent.items()]
    if other_bodies is not None:
        for id, figures in other_bodies.figures.items():
            title = f"## Protocol {id} on random bodies"
            text = "Ten shape parameters from N(0, 1), clipped at 3, and a gender for each pose."
            counts = f"{other_bodies.problems[id]} problems of {_counts(other_bodies)}."
            parts.append(f"{title}\n\n{text} {counts}\n\n{markdown_table(figures)}")
    if pictures:
        parts.append("## Pictures")
        parts += [f"![{title}]({file})\n\n*{title}.*" for title, file in pictures.items()]
        parts.append(
            f"The pictures over the number of effectors use {swept} poses. Joints are drawn at random, so some limbs "
            "have no effector. With rotations only, the position of the pelvis is given too, because rotations do not "
            "say where the body is."
        )
    return "\n\n".join([*parts, READING])


def by_class(protocol: Protocol | MotionProtocol, postures: Mapping[str, PostureRows]) -> list[str]:
    """The main figures of a protocol by class of its problems, a small table for each; empty without problems."""
    rows = {posture: (found.poses, found.figures) for posture, found in postures.items()}
    present = {metric for _, figures in rows.values() for values in figures.values() for metric in values}
    shown = [metric for metric in BY_CLASS if metric in present]
    if not shown:
        return []
    return [
        f"By {protocol.classes}, in brackets the number of {protocol.words[0]}s:",
        *(posture_table(rows, m) for m in shown),
    ]


def aims(figures: Mapping[str, Mapping[str, float]]) -> list[str]:
    """A table of aims and of what is reached; empty where no contestant has aims."""
    rows = []
    for name, wanted in AIMS.items():
        for metric, limit in wanted.items():
            value = figures.get(name, {}).get(metric)
            if value is not None:
                heading, decimals = COLUMNS[metric]
                verdict = "reached" if value < limit else "missed"
                rows.append(f"| `{name}` | {heading} | < {limit:g} | {value:.{decimals}f} | {verdict} |")
    head = ["| row | figure | aim | measured | |", "| --- | --- | --: | --: | --- |"]
    return ["\n".join(["### Aims", "", *head, *rows])] if rows else []


def picture_files(page: Path) -> dict[str, Path]:
    """Where the pictures of a page are."""
    folder = page.parent / "images"
    return {
        "Error over the number and kind of effectors": folder / "benchmark-effectors.png",
        "Error over solve time": folder / "benchmark-times.png",
    }


def _counts(results: Results) -> str:
    counts = []
    if results.poses:
        stand = f"({results.standing} stand on the floor)"
        counts.append(f"{_number(results.poses, 'pose')} of {_number(results.clips, results.settings.holds)} {stand}")
    if results.edits:
        counts.append(f"{_number(results.edits, 'edit')} of motions")
    chosen = " and ".join(counts)
    if results.settings.max_poses is not None:
        chosen += f", drawn with seed {results.settings.seed}"
    return chosen


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
