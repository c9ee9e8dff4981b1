"""How the head of people who stand is turned while a hand is dragged, of which head nothing is asked.

python -m scripts.drags.head_turns [POSE…] [--drags NAME,…] [--bodies neutral,female,…] [--solvers dls,smplik,…]
    [--half tune] [--each]

New people, and people in the library's poses of those who stand, have the left hand dragged in even steps of 2 cm, by
shares of the stature, as they face. Angles are of the head at the end of the drag, changed from the start, in degrees:
yaw toward the dragged hand, pitch up and roll toward that hand, as the chest sees it and as the world does, in the
mean. Turned is how far the chest sees it turned from the start, in the mean and at worst; way, how far the worst step
turns it in the world. Steps are those of the joint that moves most, the worst of a drag.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.document.model.document import Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from scripts.drags.arm_drags import EACH, study_standing
from scripts.drags.contact_depths import FIRST
from scripts.drags.drag_measures import ALL_SOLVERS, Array, apart, places_of
from scripts.drags.drag_steps import drag_steps, handle, straight
from scripts.drags.drag_study import Row, drag_parser
from scripts.drags.drag_tables import mean_and_worst
from solver.body.measures import stature
from solver.kinematics.rotations import geodesic_angle
from solver.rig.level_feet import heading
from solver.rig.rig import rig_of
from solver.rig.roles import Role

STEP_M = 0.02  # metres
DRAGS = {
    "up": (0.0, 0.62, 0.0),
    "up ahead": (0.0, 0.55, 0.2),
    "up aside": (0.25, 0.55, 0.0),
    "over the head": (-0.2, 0.62, 0.0),
    "up back": (0.0, 0.55, -0.1),
    "ahead": (0.0, 0.25, 0.35),
    "aside": (0.4, 0.25, 0.0),
    "across": (-0.3, 0.3, 0.2),
    "down ahead": (0.0, -0.25, 0.25),
    "down": (0.05, -0.3, 0.1),
}  # the way of the left hand, in statures, as people face


@dataclass
class Turned(Row):
    """Degrees, and metres of steps: each drag adds (3,) to how the chest and the world see it, one number to others."""

    chest: list[Array] = field(default_factory=list)
    world: list[Array] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    way: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        chest, world = (np.mean(each, axis=0) for each in (self.chest, self.world))
        return [
            f"{len(self.whole)}", *(f"{one:.0f}" for one in (*chest, *world)),
            *mean_and_worst(self.whole), f"{max(self.way):.0f}", *mean_and_worst(100 * np.array(self.steps)),
        ]  # fmt: skip


COLUMNS = (
    "drags", "from the chest, yaw°", "pitch", "roll", "in the world, yaw", "pitch", "roll", "turned", "worst", "way",
    "steps cm", "worst",
)  # fmt: skip


def turns_of(document: Document) -> tuple[Array, Array]:
    """(3, 3) twice: how the head is turned as the chest sees it, and in the world."""
    person = document.character(FIRST)
    rig, world = rig_of(skeleton_of(person)), joints_of(person).rotations.astype(np.float64)
    head, chest = world[rig.index(Role.HEAD)], world[rig.index(Role.SPINE3)]
    return chest.T @ head, head


def yaw_pitch_roll(turn: Array) -> Array:
    """(3,) degrees of a turn: toward +X, up, and tilted toward +X."""
    ahead, side = turn[:, 2], turn[:, 0]
    return np.degrees([np.arctan2(ahead[0], ahead[2]), np.arcsin(np.clip(ahead[1], -1, 1)), -np.arcsin(side[1])])


def drag(document: Document, way: Array) -> Turned:
    """Drag the left hand of the first one, and measure."""
    person = document.character(FIRST)
    rig = rig_of(skeleton_of(person))
    faces = heading(person.pose.rotations[0].astype(np.float64))
    document, id = handle(document, rig, Role.LEFT_WRIST)
    (began_chest, began), was, worst, most = turns_of(document), places_of(document), 0.0, 0.0
    chest, turned = began_chest, began
    for reached in drag_steps(document, id, straight(faces @ way * stature(body_of(person), person.shape), STEP_M)):
        document, now = reached.document, places_of(reached.document)
        worst, was = max(worst, apart(now, was)), now
        chest, head = turns_of(document)
        most, turned = max(most, float(np.degrees(geodesic_angle(turned, head)))), head
    by_chest = yaw_pitch_roll(chest) - yaw_pitch_roll(began_chest)
    by_world = yaw_pitch_roll(faces.T @ turned) - yaw_pitch_roll(faces.T @ began)
    whole = float(np.degrees(geodesic_angle(began_chest, chest)))
    return Turned([by_chest], [by_world], [whole], [most], [worst])


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each drag and solver."""
    parser = drag_parser(__file__, __doc__, ALL_SOLVERS, each=EACH)
    study_standing(Turned, COLUMNS, parser, tuple(DRAGS), lambda of, name: drag(of, np.array(DRAGS[name])), arguments)


if __name__ == "__main__":
    main()
