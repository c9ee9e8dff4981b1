"""Hands that are dragged onto the other arm with S held, in the real window by real keys and mouse moves.

xvfb-run -a -s "-screen 0 1280x800x24" .venv/bin/python -m scripts.contacts.other_arm_drags [forearm crossed]
    [--bodies female,…] [--solvers dls,smplik] [--each]

Of somebody new who stands: forearm, the right hand goes to places down the hanging left forearm; crossed, the right
hand goes to the left upper arm and then the left one to the right upper arm. Hands: how many lie on the body in the
end. Off: by how many millimetres these are missed, mean and worst. Missed: how many by over 1 cm. Untold: how many of
these without a reason. Trunk: degrees that the chest turns, mean and worst.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.document.posing.solving import reasons_of
from scripts.arguments import add_parts, with_part
from scripts.contacts.own_skin_drags import MISSED, SOLVERS, joint, turned
from scripts.contacts.own_skin_walks import PIXELS, STANDING, Walker, posed
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import mean_and_worst
from scripts.pictures.manual_studio import LEFT, NO_KEYS, studio_window
from scripts.pointer import move_held
from solver.effectors.contact import Contact
from solver.effectors.sources import Tie
from solver.rig.roles import ARMS

YAWS = (0.0, 0.4)  # radians
SHARES = {"forearm": (0.2, 0.35, 0.5, 0.6), "crossed": (0.4, 0.55, 0.7)}  # of the way down the bone


class Reacher(Walker):
    """Leads either hand to the other arm."""

    def led(self, side: int, upper: bool, share: float) -> None:
        """Drag a hand to the bone of the other arm. side: of the hand, 0 left, 1 right."""
        arm, other = ARMS[side], ARMS[1 - side]
        a, b = (joint(self.person, role) for role in (other.line[:2] if upper else other.line[1:]))
        start, end = (
            np.array(self.pixel(each).toTuple(), float) for each in (joint(self.person, arm.end), a + share * (b - a))
        )
        pixels = [QPoint(*np.round(each).astype(int).tolist()) for each in (start, end)]
        QTest.mousePress(self.view, LEFT, NO_KEYS, pixels[0])
        move_held(self.view, pixels[0] + QPoint(3, -3))
        self.until_solved()
        QTest.keyPress(self.view, Qt.Key.Key_S)
        steps = max(1, round(float(np.linalg.norm(end - start)) / PIXELS))
        for n in range(1, steps + 1):
            move_held(self.view, QPoint(*np.round(start + (end - start) * n / steps).astype(int).tolist()))
            self.until_solved()
        QTest.mouseRelease(self.view, LEFT, NO_KEYS, pixels[1])
        QTest.keyRelease(self.view, Qt.Key.Key_S)
        self.until_solved()

    def hands(self) -> Iterator[tuple[float, bool]]:
        """Of each hand on the body, by how many metres it is missed, and whether a reason is told."""
        left = self.session.finding.residuals
        told = reasons_of(self.person, left, lambda: False) or ()
        for e, one, why in zip(self.person.effectors, left, told, strict=True):
            if isinstance(e, Contact) and isinstance(e.source, Tie):
                yield one.value, why is not None


COLUMNS = ("hands", "off mm", "worst", "missed", "untold", "trunk °", "worst")


@dataclass
class HandsRow(Row):
    """What is gathered of some drags. off: metres. told: of each hand, whether a reason is. trunk: degrees."""

    off: list[float] = field(default_factory=list)
    told: list[bool] = field(default_factory=list)
    trunk: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        missed = [told for off, told in zip(self.off, self.told, strict=True) if off > MISSED]
        off = mean_and_worst(1e3 * np.array(self.off), digits=0) if self.off else ["", ""]
        return [
            str(len(self.off)), *off, str(len(missed)), str(missed.count(False)),
            *mean_and_worst(self.trunk, digits=0),
        ]  # fmt: skip


def main() -> None:
    """Print a row for each task, body and solver."""
    parser = drag_parser(__file__, __doc__, SOLVERS, each="drag")
    add_parts(parser, "tasks", tuple(SHARES))
    given = parser.parse_args()
    named = {f"{task}, {body}": (task, body) for task in with_part(SHARES, given.tasks) for body in given.bodies}
    with studio_window() as editor:
        reacher = Reacher(editor)

        def measure(name: str, solver: str) -> Iterator[tuple[str, HandsRow]]:
            task, body = named[name]
            for yaw, share in product(YAWS, SHARES[task]):
                reacher.open_pose(posed(STANDING, body, solver))
                reacher.looking_at_body(yaw)
                began = reacher.person
                for side in (1,) if task == "forearm" else (1, 0):
                    reacher.led(side, task == "crossed", share)
                hands = list(reacher.hands())
                off, told = [off for off, _ in hands], [told for _, told in hands]
                yield f"{yaw}, {share}", HandsRow(off, told, [turned(began, reacher.person)])

        print_drags(HandsRow, COLUMNS, given.solvers, list(named), measure, given.each)


if __name__ == "__main__":
    main()
