"""Hands that are dragged onto the other arm with S held, in the real window by real keys and mouse moves.

xvfb-run -a -s "-screen 0 1280x800x24" .venv/bin/python -m scripts.other_arm_drags [forearm crossed]
    [--bodies female,…] [--solvers dls,smplik] [--each]

Of somebody new who stands: forearm, the right hand goes to places down the hanging left forearm; crossed, the right
hand goes to the left upper arm and then the left one to the right upper arm. Hands: how many lie on the body in the
end. Off: by how many millimetres these are missed, mean and worst. Missed: how many by over 1 cm. Untold: how many of
these without a reason. Trunk: degrees that the chest turns, mean and worst.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.document.posing.solving import reasons_of
from scripts.arguments import add_list, add_parts, script_parser
from scripts.contact_depths import BODIES
from scripts.drag_tables import mean_and_worst
from scripts.manual_studio import LEFT, NO_KEYS, move, studio_window
from scripts.own_skin_drags import MISSED, SOLVERS, joint, turned
from scripts.own_skin_walks import PIXELS, STANDING, Walker, posed
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
        move(self.view, pixels[0] + QPoint(3, -3))
        self.until_solved()
        QTest.keyPress(self.view, Qt.Key.Key_S)
        steps = max(1, round(float(np.linalg.norm(end - start)) / PIXELS))
        for n in range(1, steps + 1):
            move(self.view, QPoint(*np.round(start + (end - start) * n / steps).astype(int).tolist()))
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


def main() -> None:
    """Print a row for each task, body and solver."""
    parser = script_parser(__file__, __doc__)
    add_parts(parser, "tasks", tuple(SHARES))
    add_list(parser, "--bodies", BODIES)
    add_list(parser, "--solvers", SOLVERS)
    parser.add_argument("--each", action="store_true", help="print each drag")
    arguments = parser.parse_args()
    print("drag | body | solver | hands | off mm | worst | missed | untold | trunk ° | worst")
    with studio_window() as editor:
        reacher = Reacher(editor)
        for task in (name for name in SHARES if not arguments.tasks or any(part in name for part in arguments.tasks)):
            for body in arguments.bodies:
                for solver in arguments.solvers:
                    print(
                        f"{task} | {body} | {solver} | {row(reacher, task, body, solver, arguments.each)}", flush=True
                    )


def row(reacher: Reacher, task: str, body: str, solver: str, each: bool) -> str:
    """The figures of some drags."""
    found, trunk = list[tuple[float, bool]](), list[float]()
    for yaw in YAWS:
        for share in SHARES[task]:
            reacher.open_pose(posed(STANDING, body, solver))
            reacher.looking_at_body(yaw)
            began = reacher.person
            for side in (1,) if task == "forearm" else (1, 0):
                reacher.led(side, task == "crossed", share)
            hands = list(reacher.hands())
            found += hands
            trunk.append(turned(began, reacher.person))
            if each:
                print(f"  {yaw}, {share} | {[round(1e3 * off, 1) for off, _ in hands]} | {trunk[-1]:.0f}", flush=True)
    missed = [told for off, told in found if off > MISSED]
    off = mean_and_worst(1e3 * np.array([off for off, _ in found]), digits=0)
    return " | ".join(map(str, (len(found), *off, len(missed), missed.count(False), *mean_and_worst(trunk, digits=0))))


if __name__ == "__main__":
    main()
