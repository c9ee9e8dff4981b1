"""A foot that is dragged onto a box or stairs with S held, in the real window by real keys and mouse moves.

xvfb-run -a -s "-screen 0 1280x800x24" .venv/bin/python -m scripts.contacts.step_drags [THING…]
    [--bodies female,…] [--solvers dls,smplik] [--each]

Somebody new stands before a box or stairs. The left ankle is pressed, S goes down, and the pointer goes 8 pixels at a
time over the floor, up the front, over the top and back. Others: how far the joint that moves most of all but that leg
goes from one shown pose to the next, in cm, the 95th percentile and the worst, and the share of moves that take it over
5 cm; which joint that is at worst stands in the rows of --each. Pelvis: likewise, of the pelvis alone. Foot: of that
foot, which goes from surface to surface. Missed: of the moves, how many leave the foot over 1 cm off where it is asked
to be. Left: how far the joint that went furthest is off where the drag began, once it came back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise, product

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from scripts.arguments import add_parts, with_part
from scripts.contacts.own_skin_drags import MISSED, Hand, joint
from scripts.drags.contact_depths import new_person
from scripts.drags.drag_measures import FAR, Array
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import percent_over, percentiles
from scripts.pictures.manual_studio import LEFT, NO_KEYS, studio_window
from scripts.pointer import move_held
from solver.effectors.contact import Contact
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, Role

Place = tuple[float, float, float]
LOW_BOX, BOX, STAIRS = "low box", "box", "stairs"
SIZES: dict[str, Place] = {LOW_BOX: (0.6, 0.2, 0.6), BOX: (0.6, 0.4, 0.6), STAIRS: (1.0, 0.85, 1.4)}
AHEAD = 0.25  # metres from the ankles to the front of it
STEP = 8  # pixels
VIEWS = ((1.3, 0.2), (2.2, 0.35))  # yaw and pitch, radians: from the left, and from behind
LEG = LEGS[0]
COLUMNS = (
    "drags", "others cm, p95", "worst", "over 5 cm %", "pelvis cm, p95", "worst", "foot cm, p95", "worst", "missed %",
    "left cm",
)  # fmt: skip


@dataclass
class StepRow(Row):
    """Metres; each move adds one number, and each drag one to left."""

    others: list[float] = field(default_factory=list)
    pelvis: list[float] = field(default_factory=list)
    foot: list[float] = field(default_factory=list)
    missed: list[bool] = field(default_factory=list)
    left: list[float] = field(default_factory=list)
    most: list[str] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        others, pelvis, foot = (100 * np.array(values) for values in (self.others, self.pelvis, self.foot))
        return [
            str(len(self.left)), *percentiles(others, 95, 100), percent_over(self.others, FAR, digits=1),
            *percentiles(pelvis, 95, 100), *percentiles(foot, 95, 100), f"{100 * np.mean(self.missed):.0f}",
            f"{100 * max(self.left):.1f}",
        ]  # fmt: skip


class Foot(Hand):
    """Drags the left foot about."""

    def __init__(self, editor: Editor) -> None:
        super().__init__(editor)
        self.shown: list[Array] = []
        self.session.solved.connect(self._note)

    def _note(self) -> None:
        if self.session.active is not None:
            self.shown.append(joints_of(self.person).positions.astype(np.float64))

    def track(self, goals: list[Array]) -> list[QPoint]:
        """Pixels from place to place, and back."""
        line = [np.array(self.pixel(each).toTuple(), np.float64) for each in goals]
        found: list[Array] = []
        for a, b in pairwise(line):
            count = max(1, round(float(np.linalg.norm(b - a)) / STEP))
            found += [a + (b - a) * (n + 1) / count for n in range(count)]
        return [QPoint(*np.round(each).astype(int).tolist()) for each in (*found, *found[-2::-1], line[0])]

    def stepped(self, goals: list[Array]) -> StepRow:
        """Drag the foot from place to place, and back."""
        began, row = joint_places(self), StepRow()
        rig = rig_of(skeleton_of(self.person))
        leg = list(map(rig.index, (LEG.hinge, LEG.end, LEG.tip)))
        others = np.setdiff1d(np.arange(len(rig)), leg)
        start, track = self.pixel(joint(self.person, LEG.end)), self.track([joint(self.person, LEG.end), *goals])
        QTest.mousePress(self.view, LEFT, NO_KEYS, start)
        move_held(self.view, start + QPoint(3, -3))
        self.until_solved()
        QTest.keyPress(self.view, Qt.Key.Key_S)
        for pixel in track:
            was = joint_places(self)
            self.shown = [was]
            move_held(self.view, pixel)
            self.until_solved()
            for one, other in pairwise((*self.shown, joint_places(self))):
                ways = np.linalg.norm(other - one, axis=1)
                if not ways.any():
                    continue
                if ways[others].max() > max(row.others, default=0.0):
                    row.most = [f"{rig.names[others[ways[others].argmax()]]} at {len(row.missed)}"]
                row.others.append(float(ways[others].max()))
                row.pelvis.append(float(ways[0]))
                row.foot.append(float(ways[leg[1:]].max()))
            row.missed.append(self.foot_off() > MISSED)
        QTest.mouseRelease(self.view, LEFT, NO_KEYS, track[-1])
        QTest.keyRelease(self.view, Qt.Key.Key_S)
        self.until_solved()
        row.left.append(float(np.linalg.norm(joint_places(self) - began, axis=1).max()))
        return row

    def foot_off(self) -> float:
        """Metres by which the foot misses where it is held."""
        names = rig_of(skeleton_of(self.person)).names_of((LEG.end, LEG.tip))
        told = zip(self.person.effectors, self.session.finding.residuals, strict=True)
        return max((float(r.value) for e, r in told if isinstance(e, Contact) and e.joint in names), default=0.0)


def joint_places(foot: Foot) -> Array:
    """(J, 3) metres."""
    return joints_of(foot.person).positions.astype(np.float64)


def before_thing(thing: str, body: str, solver: str) -> tuple[Document, list[Array]]:
    """Somebody new before a box or stairs, and (3,) metres of places over it."""
    document = Document().with_characters((new_person(body, solver),))
    ankle = joint(document.characters[0], LEG.end)
    x, _, z = (float(v) for v in ankle)
    size = SIZES[thing]
    middle = (x - 0.1, 0.0, z + AHEAD + size[2] / 2)
    prop = replace(new_prop(document, STAIRS if thing == STAIRS else "box", middle), size=np.array(size))
    prop = replace(prop, place=np.array(middle, np.float32))
    if thing == STAIRS:  # they rise to where they face away from
        heights = np.unique(np.round(prop.surface.vertices[:, 1], 5))
        rise, run = size[1] / (len(heights) - 1), size[2] / (len(heights) - 1)
        treads = [np.array([x, (n + 1) * rise, z + AHEAD + (n + 0.6) * run]) for n in range(2)]
    else:
        treads = [np.array([x, size[1], z + AHEAD + far]) for far in (0.1, 0.35)]
    ahead = np.array([x, 0.0, z + 0.12])
    return edits.add_prop(prop)(document), [ahead, *treads]


def main() -> None:
    """Print a row for each thing and solver."""
    parser = drag_parser(__file__, __doc__, each="drag")
    add_parts(parser, "things", tuple(SIZES))
    given = parser.parse_args()
    with studio_window() as editor:
        foot = Foot(editor)

        def measure(thing: str, solver: str) -> Iterator[tuple[str, StepRow]]:
            for body, view in product(given.bodies, VIEWS):
                document, goals = before_thing(thing, body, solver)
                foot.open_pose(document)
                foot.session.select(document.characters[0].id)
                middle = joint(foot.person, Role.PELVIS) * [1, 0.7, 1] + [0, 0, 0.3]
                foot.view.set_camera(
                    OrbitCamera(target=tuple(middle.tolist()), distance=3.6, yaw=view[0], pitch=view[1])
                )
                foot.editor.refresh()
                one = foot.stepped(goals)
                yield f"{body}, {view[0]}, {' '.join(one.most)}", one

        print_drags(StepRow, COLUMNS, given.solvers, list(with_part(SIZES, given.things)), measure, given.each)


if __name__ == "__main__":
    main()
