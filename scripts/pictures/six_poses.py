"""Six poses, each made in the real window by a few real mouse drags, keys and menu clicks, measured and drawn.

xvfb-run -a -s "-screen 0 2400x1500x24" .venv/bin/python -m scripts.pictures.six_poses [NAME…] -o FOLDER
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.look.mnemonics import unmarked
from app.viewport.root_place import root_place
from app.window.editor import Editor
from rendering.shapes.gizmo import outline
from scripts.arguments import one_of, script_parser
from scripts.pictures.manual_studio import LEFT, NO_KEYS, Studio, row, stacked, studio_window
from scripts.pictures.six_recipes import PROP, RECIPES, ROOT, TIP, Action, Choose, Click, Drag, Press, Recipe
from scripts.pointer import move_held
from solver.body.floor import posed_vertices
from solver.body.kept_volume import skin_for
from solver.evaluation.standing.skin_intersection import self_intersection_depth

STEPS = 16  # moves of the pointer in one drag
WIDTH, HEIGHT = 264, 288  # logical pixels of one pose's picture
MIDDLE = 0.86  # metres above the floor


class Animator(Studio):
    """Makes poses as a user does, and counts the actions."""

    def __init__(self, editor: Editor) -> None:
        super().__init__(editor)
        self.actions = 0

    def make(self, recipe: Recipe) -> None:
        """Make the pose in a fresh scene, in the view that it opens with."""
        self.fresh()
        self.session.set_view(symmetry=False, handles=True)
        self.look(target=(0.0, 0.9, 0.0), distance=4.6, yaw=0.6, pitch=0.2)
        self.actions = 0
        for action in recipe.actions:
            self.perform(action)

    def perform(self, action: Action) -> None:
        """One action with mouse or key."""
        self.actions += 1
        if isinstance(action, Press):
            self.strike(action.key, action.keys)
        elif isinstance(action, Choose):
            self.choose(action)
        else:
            at = self.grip(action)
            if isinstance(action, Click):
                QTest.mouseClick(self.view, LEFT, NO_KEYS, self.pixel(at))
            else:
                self.pull(self.pixel(at), self.pixel(at + np.asarray(action.by)), action)
        self.settle()

    def choose(self, action: Choose) -> None:
        """Open a menu of the menu bar and click a command in it."""
        bar = self.editor.window.menuBar()
        title = next(each for each in bar.actions() if unmarked(each.text()) == action.menu)
        QTest.mouseClick(bar, LEFT, NO_KEYS, bar.actionGeometry(title).center())
        menu = title.menu()
        assert isinstance(menu, QMenu)
        self.until(menu.isVisible)
        command = next(each for each in menu.actions() if unmarked(each.text()).split("\t")[0] == action.title)
        QTest.mouseClick(menu, LEFT, NO_KEYS, menu.actionGeometry(command).center())

    def pull(self, start: QPoint, end: QPoint, drag: Drag) -> None:
        """Drag in the view; keys are struck on the way."""
        QTest.mousePress(self.view, LEFT, NO_KEYS, start)
        for step in range(1, STEPS + 1):
            if step == 3 and drag.axis is not None:
                QTest.keyClick(self.view, drag.axis)
            if step == STEPS - 3 and drag.onto:
                QTest.keyPress(self.view, Qt.Key.Key_S)
            share = step / STEPS
            way = end - start
            move_held(self.view, start + QPoint(round(way.x() * share), round(way.y() * share)))
            QTest.qWait(10)
            self.solved()  # on slow machines too
        if drag.typed:
            QTest.keyClicks(self.view, drag.typed)
            QTest.keyClick(self.view, Qt.Key.Key_Return)
        QTest.mouseRelease(self.view, LEFT, NO_KEYS, end)
        if drag.onto:
            QTest.keyRelease(self.view, Qt.Key.Key_S)

    def grip(self, on: Drag | Click) -> np.ndarray:
        """(3,) metres: the handle, the joint, a lower corner of the prop's front, the cross or its ring."""
        if on.role == PROP:
            return self.session.document.props[-1].frame.points((0.42, 0.1, 0.5))
        if on.role == ROOT:
            return root_place(self.person) + [0.27, 0.0, 0.02]
        if on.role == TIP:
            self.editor.session_view.refresh()
            gizmo = self.view.scene.gizmo
            assert gizmo is not None
            ring = outline(gizmo, TIP, self.view.current_view)
            return max(ring, key=lambda at: float(at[1] + at[2]))  # high and ahead, clear of the other rings
        kind = on.kind if isinstance(on, Drag) else "position"
        for effector in self.person.effectors:
            if (effector.joint, effector.kind) == (on.role, kind):
                return np.asarray(effector.target, np.float64)
        return joints_of(self.person).positions[skeleton_of(self.person).index(on.role)].astype(np.float64)

    def picture(self, recipe: Recipe) -> QPixmap:
        """The person as they are now, without handles, with the feet at the same height in each picture."""
        self.session.set_view(handles=False, prop="")
        self.session.select(self.person.id)
        joints = joints_of(self.person).positions
        x, z = ((joints.min(axis=0) + joints.max(axis=0)) / 2)[[0, 2]]
        self.look(target=(float(x), MIDDLE, float(z)), distance=9.5, yaw=recipe.yaw, pitch=0.14)
        self.rest_pointer()
        middle = self.area(self.view).topLeft() + self.pixel((x, MIDDLE, z))
        picture = self.screen(QRect(middle.x() - WIDTH // 2, middle.y() - HEIGHT // 2, WIDTH, HEIGHT))
        self.session.set_view(handles=True)
        return picture


@dataclass(frozen=True)
class Measures:
    """Of a pose: actions taken; metres of the lowest skin above the floor, of skin inside itself, and by which the
    worst strict effector is missed (radians for rotations)."""

    actions: int
    lowest: float
    within: float
    missed: float

    @property
    def row(self) -> str:
        """As a row of the manual's table."""
        return f"{self.actions} | {1e3 * self.lowest:.1f} | {1e3 * self.within:.1f} | {1e3 * self.missed:.1f}"


def measured(animator: Animator) -> Measures:
    """The measures of the pose made last."""
    person = animator.person
    residuals = zip(person.effectors, animator.session.finding.residuals, strict=True)
    strict = [r.value for e, r in residuals if not e.loose and e.tolerance == 0.0 and e.enabled]
    depth = self_intersection_depth(body_of(person), person.shape, person.pose, person.hands)
    return Measures(animator.actions, float(skin_of(person)[:, 1].min()), depth, max(strict, default=0.0))


def skin_of(person: Character) -> np.ndarray:
    """(V, 3) metres, the skin in the world, fingers as they are held."""
    body = body_of(person)
    return posed_vertices(body, person.shape, person.pose, rest=skin_for(body, person.shape, person.hands, person.pose))


def six_poses(studio: Studio) -> QPixmap:
    """All of them, for the manual."""
    return sheet(Animator(studio.editor), list(RECIPES))


def sheet(animator: Animator, names: list[str]) -> QPixmap:
    """Make poses, print their measures, and show them three in a row."""
    shown = []
    for name in names:
        animator.make(RECIPES[name])
        print(f"| {RECIPES[name].title} | {measured(animator).row} |", flush=True)
        shown.append((RECIPES[name].title, animator.picture(RECIPES[name])))
    return stacked([row(shown[at : at + 3]) for at in range(0, len(shown), 3)])


def main() -> None:
    """Make the poses named, or all; print a table and draw them on one sheet."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("names", nargs="*", type=one_of(RECIPES), metavar="NAME", help=f"of: {', '.join(RECIPES)}")
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="FOLDER")
    given = parser.parse_args()
    with studio_window() as editor:
        sheet(Animator(editor), given.names or list(RECIPES)).save(str(given.out / "six-poses.png"))


if __name__ == "__main__":
    main()
