"""A hand that is led over its owner's own skin with S held, in the real window by real keys and mouse moves.

xvfb-run -a -s "-screen 0 1280x800x24" .venv/bin/python -m scripts.contacts.own_skin_walks [WALK…]
    [--poses NAME,…] [--bodies female,…] [--solvers dls,smplik] [--each]

The right wrist is pressed, S goes down, and the pointer goes from part to part of the body as it was drawn then, 12
pixels at a time. Feet, trunk, other arm: how far an ankle goes, at most, by how many degrees the chest turns, and how
far the other wrist goes; mean of the walks, and worst. Steps: of the joint that moves most from one move of the pointer
to the next, once the hand is on skin, the 95th percentile and the worst. Missed: of those moves, how many leave the
hand over 1 cm off, in percent. Astray: how many bring it onto nothing of the body.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise, product

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.document.library.shelf import shelf_of
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of
from rendering.camera.camera import OrbitCamera
from scripts.arguments import add_list, add_parts, with_part
from scripts.contacts.own_skin_drags import MISSED, RIGHT, SOLVERS, Hand, joint, turned
from scripts.drags.contact_depths import new_person
from scripts.drags.drag_measures import Array
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import mean_and_worst, percentiles
from scripts.drags.lying_drags import taken
from scripts.pictures.manual_studio import LEFT, NO_KEYS, studio_window
from scripts.pointer import move_held
from solver.effectors.contact import Contact
from solver.effectors.sources import Tie
from solver.resources import resource_folder
from solver.rig.roles import ARMS, LEGS, Role

STANDING = "Standing"  # as new people do
POSES = (STANDING, "Sit upright", "Deep squat")
PIXELS = 12
YAWS = (0.0, 0.6)  # radians from which the body is looked at
LEFT_ARM = ARMS[0]
Place = tuple[Role, Role, float]  # from a joint to another one, that share of the way
THIGH, OTHER_THIGH = ((leg.root, leg.hinge, 0.5) for leg in reversed(LEGS))
BELLY: Place = (Role.SPINE1, Role.SPINE2, 0.5)
CHEST: Place = (Role.SPINE3, Role.NECK, 0.3)
HIP: Place = (Role.PELVIS, Role.RIGHT_HIP, 1.0)
FOREARM, UPPER_ARM = (LEFT_ARM.hinge, LEFT_ARM.end, 0.5), (LEFT_ARM.root, LEFT_ARM.hinge, 0.5)
HEAD: Place = (Role.NECK, Role.HEAD, 1.0)
WALKS: dict[str, tuple[Place, ...]] = {
    "hip, belly, chest": (HIP, BELLY, CHEST),
    "thigh, belly": (THIGH, BELLY),
    "thigh, other thigh": (THIGH, OTHER_THIGH),
    "belly, forearm": (BELLY, FOREARM),
    "chest, upper arm, forearm": (CHEST, UPPER_ARM, FOREARM),
    "chest, head": (CHEST, HEAD),
}


COLUMNS = (
    "walks", "feet cm", "worst", "trunk °", "worst", "other arm cm", "worst", "steps cm, p95", "worst", "missed %",
    "astray %",
)  # fmt: skip


@dataclass
class WalkRow(Row):
    """What is gathered of some walks; metres and degrees."""

    feet: list[float] = field(default_factory=list)
    trunk: list[float] = field(default_factory=list)
    other: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    missed: list[bool] = field(default_factory=list)
    astray: list[bool] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        feet, other, steps = (100 * np.array(values) for values in (self.feet, self.other, self.steps))
        return [
            str(len(feet)), *mean_and_worst(feet), *mean_and_worst(self.trunk, digits=0),
            *mean_and_worst(other, digits=0), *percentiles(steps, 95, 100), f"{100 * np.mean(self.missed):.0f}",
            f"{100 * np.mean(self.astray):.0f}",
        ]  # fmt: skip


class Walker(Hand):
    """Leads the right hand over the body."""

    def looking_at_body(self, yaw: float) -> None:
        """Look at the person's middle."""
        middle = (joint(self.person, Role.PELVIS) + joint(self.person, Role.SPINE3)) / 2
        self.view.set_camera(OrbitCamera(target=tuple(middle.tolist()), distance=3.2, yaw=yaw, pitch=0.15))
        self.editor.refresh()

    def track(self, places: tuple[Place, ...]) -> list[QPoint]:
        """Pixels from place to place."""
        start, ends = joint(self.person, RIGHT.end), []
        for first, last, share in places:
            a, b = joint(self.person, first), joint(self.person, last)
            ends.append(a + share * (b - a))
        line = [np.array(self.pixel(each).toTuple(), np.float64) for each in (start, *ends)]
        found: list[Array] = []
        for a, b in pairwise(line):
            count = max(1, round(float(np.linalg.norm(b - a)) / PIXELS))
            found += [a + (b - a) * (n + 1) / count for n in range(count)]
        return [QPoint(*np.round(each).astype(int).tolist()) for each in found]

    def walked(self, places: tuple[Place, ...]) -> WalkRow:
        """Lead the hand there."""
        began, row = self.person, WalkRow()
        start, track = self.pixel(joint(began, RIGHT.end)), self.track(places)
        QTest.mousePress(self.view, LEFT, NO_KEYS, start)
        move_held(self.view, start + QPoint(3, -3))
        self.until_solved()
        QTest.keyPress(self.view, Qt.Key.Key_S)
        feet = trunk = other = 0.0
        was, on = None, False
        for pixel in track:
            move_held(self.view, pixel)
            self.until_solved()
            now, held = joints_of(self.person).positions, self.off()
            on |= held is not None
            if on:
                if was is not None:
                    row.steps.append(float(np.linalg.norm(now - was, axis=1).max()))
                row.astray.append(held is None)
                row.missed.append(held is not None and held > MISSED)
                feet = max(feet, *(self.gone(began, leg.end) for leg in LEGS))
                trunk, other = max(trunk, turned(began, self.person)), max(other, self.gone(began, LEFT_ARM.end))
                was = now
        QTest.mouseRelease(self.view, LEFT, NO_KEYS, track[-1])
        QTest.keyRelease(self.view, Qt.Key.Key_S)
        self.until_solved()
        if on:
            row.feet.append(feet)
            row.trunk.append(trunk)
            row.other.append(other)
        return row

    def gone(self, began: Character, role: Role) -> float:
        """Metres that a joint has gone since."""
        return float(np.linalg.norm(joint(self.person, role) - joint(began, role)))

    def off(self) -> float | None:
        """Metres or radians by which the hand misses where it is held on the body; None where it is not."""
        person = self.person
        for e, left in zip(person.effectors, self.session.finding.residuals, strict=True):
            if e.joint == self.wrist and isinstance(e, Contact) and isinstance(e.source, Tie):
                return float(left.value)
        return None


def posed(name: str, body: str, solver: str) -> Document:
    """A new person, standing or in a pose of the library."""
    if name == STANDING:
        return Document().with_characters((new_person(body, solver),))
    shelf = shelf_of(resource_folder("assets", "poses"))
    return taken(next(entry for entry in shelf.entries if entry.name == name), body, solver)


def main() -> None:
    """Print a row for each walk and solver."""
    parser = drag_parser(__file__, __doc__, SOLVERS, each="walk")
    add_parts(parser, "walks", tuple(WALKS))
    add_list(parser, "--poses", POSES)
    given = parser.parse_args()
    with studio_window() as editor:
        hand = Walker(editor)

        def measure(walk: str, solver: str) -> Iterator[tuple[str, WalkRow]]:
            for pose, body in product(given.poses, given.bodies):
                hand.open_pose(posed(pose, body, solver))
                for yaw in YAWS:
                    hand.looking_at_body(yaw)
                    with hand.taken_back():
                        one = hand.walked(WALKS[walk])
                    if not one.is_empty:
                        yield f"{pose}, {body}, {yaw}", one

        print_drags(WalkRow, COLUMNS, given.solvers, list(with_part(WALKS, given.walks)), measure, given.each)


if __name__ == "__main__":
    main()
