"""How smoothly people with a solid body go from one pose of the library to another between two keys.

python -m scripts.motions.poses_between_keys [--bodies female,male,…] [--half a|b]
    [--classes Fighting,…] [--each] [--smoothed-alone]

Jerk: m/s³ of any joint at any frame, keys included, at most. Deeper: mm that the body is within itself, by the balls
that fill it, beyond what the poses at the keys are. Slides: mm that skin of a foot on the floor goes over it. Time:
milliseconds of a processor for a frame. --half: every other pair of poses. --smoothed-alone: frames that jerk are only
smoothed, and not eased out of the body.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.model.document import Document
from app.document.model.figure import body_of, skeleton_of
from app.document.over_time.in_betweens import document_completed
from app.document.posing.create import new_character
from app.document.posing.solving import floor_of
from scripts.arguments import script_parser, some_of
from scripts.motions.walks_between_keys import FPS, ON_M, PEOPLE, Person, slid
from solver.body.body import BodyShape
from solver.contact.obstacles import body_alone
from solver.contact.solid_body import solid_body
from solver.formats.pose_json.write import read_pose_json
from solver.ik.multi_solve import between_keys
from solver.ik.options import SOLID_BODY
from solver.kinematics.fk import forward_kinematics
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

FOLDER = Path(__file__).parents[2] / "assets" / "poses"
CLASSES = ("Sitting on a chair", "Sitting on the floor", "Standing", "Fighting")
EVERY = sorted(each.name for each in FOLDER.iterdir() if each.is_dir())
LAST = 36  # the second key's frame


class Measured(NamedTuple):
    """Of one pair of poses, in the units of the table."""

    jerk: float
    deeper: float
    slides: float
    time: float


def keyed(person: Person, keys: Mapping[int, Path | None], solid: bool = True) -> Document:
    """Somebody with a pose of the library at each of some frames, in order of time; None for how a new person stands.
    solid: whether the body is."""
    betas = np.array([person.height] + [0.0] * 9, np.float32)
    shape = BodyShape(betas, gender=person.gender)  # type: ignore[arg-type]
    there = replace(new_character(Document(), body=person.body, shape=shape, solid_floor=True), solver=person.solver)
    document = edits.set_solver_option("c1", SOLID_BODY.id, solid)(Document().with_characters((there,)))
    document = edits.set_clip_length("c1", max(keys) + 1)(document)
    document = edits.chain(*(edits.set_key("c1", frame) for frame in keys))(document)
    for frame, path in keys.items():
        if path is not None:
            document = take_pose("c1", read_pose_json(path), Taking())(document.at_frame("c1", frame))
    return document


def measured(document: Document) -> Measured:
    """What the frames between the keys do."""
    person, began = document.character("c1"), process_time()
    motion = document_completed(document).actor("c1").motion()
    took, skeleton = process_time() - began, skeleton_of(person)
    assert motion is not None
    worlds = [forward_kinematics(skeleton, motion.pose(frame)) for frame in range(len(motion))]
    jerks = np.diff(np.array([world.positions for world in worlds], np.float64), 3, axis=0) * FPS**3
    alone = body_alone(solid_body(body_of(person), person.shape, person.hands))
    gaps = [alone.least_gap(world) for world in worlds]
    deeper = max(min(gaps[0], gaps[-1], 0.0) - min(gaps), 0.0)
    options, rig = document.actor("c1").posing.solver_options, rig_of(skeleton)
    floor = floor_of(person.body, person.shape, person.hands, options)
    assert floor is not None
    skins = np.array([floor.places(world) for world in worlds])
    feet = [np.isin(floor.carriers, [rig.joint(leg.end), rig.joint(leg.tip)]) for leg in LEGS]
    slides = max(slid(skins[:, mine], skins[:, mine, 1] < ON_M) for mine in feet)
    return Measured(float(np.linalg.norm(jerks, axis=-1).max()), 1000.0 * deeper, slides, 1000.0 * took / (LAST - 1))


def main() -> None:
    """Print the table."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--bodies", type=some_of(PEOPLE), default=list(PEOPLE), help=f"default: {', '.join(PEOPLE)}")
    parser.add_argument("--classes", type=some_of(EVERY), default=list(CLASSES), help=f"default: {', '.join(CLASSES)}")
    parser.add_argument("--half", choices=("a", "b"), help="every other pair of poses (default: all)")
    parser.add_argument("--each", action="store_true", help="a row for each pair")
    parser.add_argument("--smoothed-alone", action="store_true", help="bodies are not eased out of themselves")
    asked = parser.parse_args()
    if asked.smoothed_alone:
        between_keys.PUSHES = 1
    print(
        f"{'body':8} {'pairs':>5}  jerk, mean and most   over 1500  deeper, mean and most  slides, likewise  ms a frame"
    )
    for name in asked.bodies:
        pairs = [pair for kind in asked.classes for pair in pairwise(sorted((FOLDER / kind).glob("*.json")))]
        pairs = pairs["ab".index(asked.half) :: 2] if asked.half else pairs
        rows = []
        for one, other in pairs:
            rows.append(measured(keyed(PEOPLE[name], {0: one, LAST: other})))
            if asked.each:
                print(f"  {one.stem} → {other.stem}: " + ", ".join(f"{value:.0f}" for value in rows[-1]), flush=True)
        jerk, deeper, slides, time = np.array(rows).T
        print(
            f"{name:8} {len(rows):5}  {jerk.mean():8.0f} {jerk.max():8.0f} {(jerk > 1500).sum():12}"
            f" {deeper.mean():12.1f} {deeper.max():8.1f} {slides.mean():9.1f} {slides.max():7.1f} {time.mean():11.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
