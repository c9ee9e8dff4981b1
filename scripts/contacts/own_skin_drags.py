"""Hands that are dragged over their owner's own legs with S held, in the real window by real keys and mouse moves.

xvfb-run -a -s "-screen 0 1280x800x24" .venv/bin/python -m scripts.contacts.own_skin_drags [POSE…]
    [--bodies female,…] [--solvers dls,smplik] [--each]

The right wrist is dragged to a place on a leg, S goes down, and the pointer wanders about there, as of somebody who
looks for the place. Trunk: degrees that the chest turns from where the drag found it, at most while S is held, the mean
of the drags and the worst. Apart: pixels, and centimetres there, between the pointer and the place that the hand is
held on, as drawn in the end; the mean and the worst. Missed: of the drags, those whose hand is more than 1 cm off that
place. Astray: those that end on anything but that leg. Steps: of the joint that moves most from one move of the pointer
to the next, the 95th percentile and the worst.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.document.model.character import Character
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import own_limb
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from rendering.picking.skin_picking import hit_skin
from rendering.shapes.posed_skin import posed_skin
from scripts.arguments import add_parts, with_part
from scripts.drags.contact_depths import FIRST
from scripts.drags.drag_measures import Array
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import mean_and_worst, percentiles
from scripts.drags.kneel_drags import entries
from scripts.drags.lying_drags import taken
from scripts.pictures.manual_studio import LEFT, NO_KEYS, Studio, studio_window
from scripts.pointer import move_held
from solver.effectors.contact import Contact
from solver.effectors.resolve import Context, Figure, resolved
from solver.effectors.sources import SkinSource
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, Limb, Role

SOLVERS = ("smplik", "dls")
POSES = ("Hug the knees", "Deep squat", "Sit, one knee up", "Straddle sit", "Hide", "Superhero landing")
VIEWS = ((0.0, 0.1), (0.6, 0.25), (-0.9, 0.2))  # yaw and pitch, radians
PLACES = ((0, 0.6), (1, 0.02), (1, 0.4), (1, 0.7))  # the bone down a leg, and the share of its way
MOVES = 4  # of the pointer to the place, before S goes down
WANDERS = ((0, 0), (3, 2), (6, 6), (-4, 5), (-2, -6), (2, -2), (0, 0))  # pixels about it
RIGHT = ARMS[1]
NEAR = 0.02  # metres from a place within which the pointer counts as on it
MISSED = 0.01  # metres
ASIDE = 0.14  # metres from a leg's line within which all of its skin lies


COLUMNS = (
    "drags", "trunk °", "worst", "apart px", "worst", "cm", "worst", "missed", "astray", "steps cm, p95", "worst",
)  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """Of one drag. trunk: degrees. apart: pixels and metres. missed: metres. astray: whether it ended elsewhere. steps:
    metres, one for each move with S."""

    trunk: float
    apart: tuple[float, float]
    missed: float
    astray: bool
    steps: tuple[float, ...]


@dataclass
class OutcomeRow(Row):
    """What is gathered of some drags."""

    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        every = self.outcomes
        trunk = np.array([each.trunk for each in every])
        apart = np.array([each.apart for each in every]) * [1, 100]
        steps = 100 * np.concatenate([each.steps for each in every])
        return [
            str(len(every)), *mean_and_worst(trunk, digits=0), *mean_and_worst(apart[:, 0], digits=0),
            *mean_and_worst(apart[:, 1], digits=1), str(sum(each.missed > MISSED for each in every)),
            str(sum(each.astray for each in every)), *percentiles(steps, 95, 100),
        ]  # fmt: skip


def joint(person: Character, role: Role) -> Array:
    """(3,) metres."""
    return np.asarray(joints_of(person).positions[rig_of(skeleton_of(person)).index(role)], np.float64)


def turned(before: Character, after: Character) -> float:
    """Degrees that the chest has turned."""
    chest = rig_of(skeleton_of(before)).index(Role.SPINE3)
    first, last = (joints_of(each).rotations[chest] for each in (before, after))
    return float(np.degrees(np.arccos(np.clip((np.trace(first.T @ last) - 1) / 2, -1, 1))))


class Hand(Studio):
    """Drags the right hand about."""

    def __init__(self, editor: Editor) -> None:
        super().__init__(editor)
        self.session.set_view(symmetry=False, handles=True)

    @property
    def wrist(self) -> str:
        """The name of the joint that is dragged."""
        return rig_of(skeleton_of(self.person)).names_of((RIGHT.end,))[0]

    def open_pose(self, document: Document) -> None:
        """Show a document."""
        self.session.history.mark_saved()
        self.session.open(document)
        self.session.set_view(symmetry=False, handles=True, ghost=False)
        self.solved()

    def seen_from(self, yaw: float, pitch: float) -> None:
        """Look at the person's knees."""
        knees = (joint(self.person, LEGS[0].hinge) + joint(self.person, Role.PELVIS)) / 2
        self.view.set_camera(OrbitCamera(target=tuple(knees.tolist()), distance=3.2, yaw=yaw, pitch=pitch))
        self.editor.refresh()

    def goals(self) -> Iterator[tuple[Limb, Array]]:
        """The leg and (3,) metres of the places on the legs that are to be seen."""
        person, view = self.person, self.view.current_view
        figure = next(each for each in self.view.scene.figures if each.id == FIRST and not each.ghost)
        skin = posed_skin(figure)
        arm = own_limb(person, self.wrist)
        for leg in reversed(LEGS):
            for bone, share in PLACES:
                start, end = (joint(person, role) for role in (leg.root, leg.hinge, leg.end)[bone : bone + 2])
                middle = start + share * (end - start)
                direction = view.ray(view.project(middle))[1]
                near = skin[np.linalg.norm(np.cross(skin - middle, direction), axis=1) < NEAR]
                near = near[np.linalg.norm(near - middle, axis=1) < ASIDE]
                if not len(near):
                    continue
                goal = np.asarray(near[((near - middle) @ direction).argmin()], np.float64)
                pixel = np.round(view.project(goal))
                met = hit_skin(*view.ray(pixel), figure, arm)
                if met is not None and np.linalg.norm(met.place - goal) < NEAR:
                    yield leg, met.place

    def dragged(self, leg: Limb, goal: Array) -> Outcome | None:
        """Drag the hand onto that place; None if something else is taken hold of, or nothing touches."""
        began = self.person
        held = [e for e in began.effectors if e.joint == self.wrist and e.holds_joint]
        start, end = self.pixel(held[0].target if held else joint(began, RIGHT.end)), self.pixel(goal)
        QTest.mousePress(self.view, LEFT, NO_KEYS, start)
        for number in range(1, MOVES + 1):
            move_held(self.view, start + QPoint(*(round(x * number / MOVES) for x in (end - start).toTuple())))
            self.until_solved()
        QTest.keyPress(self.view, Qt.Key.Key_S)
        self.until_solved()
        trunk, steps, was = turned(began, self.person), [], joints_of(self.person).positions
        for aside in WANDERS:
            move_held(self.view, end + QPoint(*aside))
            self.until_solved()
            now = joints_of(self.person).positions
            steps.append(float(np.linalg.norm(now - was, axis=1).max()))
            trunk, was = max(trunk, turned(began, self.person)), now
        QTest.mouseRelease(self.view, LEFT, NO_KEYS, end)
        QTest.keyRelease(self.view, Qt.Key.Key_S)
        self.until_solved()
        person = self.person
        found = [e for e in person.effectors if e.joint == self.wrist and isinstance(e, Contact)]
        if not found:
            return None
        contact = found[0]
        left = next(
            r.value for e, r in zip(person.effectors, self.session.finding.residuals, strict=True) if e is contact
        )
        context = Context({FIRST: Figure(skeleton_of(person), joints_of(person))})
        there = np.asarray(resolved(contact, context).target, np.float64)
        on = contact.source
        view = self.view.current_view
        origin, direction = view.ray(np.array(end.toTuple(), np.float64))
        pixels = float(np.linalg.norm(view.project(there) - np.array(end.toTuple())))
        apart = float(np.linalg.norm(np.cross(there - origin, direction)))
        hip, knee, ankle = (joint(person, role) for role in (leg.root, leg.hinge, leg.end))
        astray = not isinstance(on, SkinSource) or min(beside(there, hip, knee), beside(there, knee, ankle)) > ASIDE
        return Outcome(trunk, (pixels, apart), left, astray, tuple(steps))

    def until_solved(self) -> None:
        """Wait until the solver rests."""
        while self.session.solving or not self.session.service.idle():
            QTest.qWait(2)
        QTest.qWait(1)

    @contextmanager
    def taken_back(self) -> Iterator[None]:
        """Undo in the end what has been done within."""
        before = len(self.session.history.steps())
        yield
        while len(self.session.history.steps()) > before:
            self.session.undo()
            self.until_solved()


def beside(place: Array, start: Array, end: Array) -> float:
    """Metres from a place to a line from one to the other."""
    way = end - start
    share = np.clip((place - start) @ way / (way @ way), 0, 1)
    return float(np.linalg.norm(place - start - share * way))


def main() -> None:
    """Print a row for each pose and solver."""
    parser = drag_parser(__file__, __doc__, SOLVERS, each="drag")
    add_parts(parser, "poses", POSES)
    given = parser.parse_args()
    named = {entry.name: entry for name in POSES for entry in entries([f"/{name}"])}
    with studio_window() as editor:
        hand = Hand(editor)

        def measure(pose: str, solver: str) -> Iterator[tuple[str, OutcomeRow]]:
            for body in given.bodies:
                hand.open_pose(taken(named[pose], body, solver))
                for view in VIEWS:
                    hand.seen_from(*view)
                    for leg, goal in list(hand.goals()):
                        with hand.taken_back():
                            outcome = hand.dragged(leg, goal)
                        if outcome is not None:
                            yield f"{body} {view} {leg.name} {np.round(goal, 2)}", OutcomeRow([outcome])

        print_drags(OutcomeRow, COLUMNS, given.solvers, list(with_part(named, given.poses)), measure, given.each)


if __name__ == "__main__":
    main()
