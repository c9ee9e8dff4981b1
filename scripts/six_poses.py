"""Six poses, each made in the real window by a few real mouse drags and keys, measured and drawn for the manual.

xvfb-run -a -s "-screen 0 2400x1500x24" .venv/bin/python -m scripts.six_poses [NAME…] [-o FOLDER]
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSettings, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest

from app.document.model.document import Character
from app.document.posing.solving import body_of, joints_of
from app.services.settings import SettingsStore
from app.window.editor import Editor
from app.window.start import make_application, open_window
from scripts.manual_studio import LEFT, Studio, move
from solver.body.floor import posed_vertices
from solver.body.hands import skin_with
from solver.rig.roles import Role

STEPS = 24  # moves of the pointer in one drag
IMAGES = Path(__file__).resolve().parent.parent / "docs" / "manual" / "images"


@dataclass(frozen=True)
class Drag:
    """A drag of a joint, or of its handle, to where `by` metres are in the view. role: the joint's. axis: a key that
    holds the drag to an axis."""

    role: str
    by: tuple[float, float, float]
    axis: Qt.Key | None = None


@dataclass(frozen=True)
class Press:
    """A key over the view, after a click on a joint where one is named, which counts as well."""

    key: Qt.Key
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier


Action = Drag | Press


@dataclass(frozen=True)
class Recipe:
    """A pose: how many actions it may take, and those that make it. look: yaw of the picture, radians."""

    most: int
    actions: tuple[Action, ...]
    look: float = 0.7


SIDE = Press(Qt.Key.Key_3)  # from the right: forward is to the viewer's right
X, Y, Z = Qt.Key.Key_X, Qt.Key.Key_Y, Qt.Key.Key_Z

RECIPES = {
    "sit": Recipe(6, (SIDE, Drag(Role.PELVIS, (0.0, -0.48, -0.25)), Drag(Role.LEFT_WRIST, (0, -0.1, 0.1)))),
    "kick": Recipe(8, (Drag(Role.RIGHT_ANKLE, (0.0, 0.0, 0.75), Z), Drag(Role.RIGHT_ANKLE, (0.0, 0.85, 0.0), Y))),
    "kneel": Recipe(
        8,
        (
            Drag(Role.PELVIS, (0.0, -0.3, 0.0), Y),
            Drag(Role.RIGHT_ANKLE, (0.0, 0.0, -0.5), Z),
            Drag(Role.PELVIS, (0.0, -0.15, 0.0), Y),
        ),
    ),
    "stride": Recipe(
        8,
        (
            Drag(Role.RIGHT_ANKLE, (0.0, 0.0, 0.35), Z),
            Drag(Role.LEFT_ANKLE, (0.0, 0.0, -0.35), Z),
            Drag(Role.LEFT_WRIST, (0, 0, 0.3), Z),
            Drag(Role.RIGHT_WRIST, (0, 0, -0.3), Z),
        ),
    ),
    "lie": Recipe(
        5,
        (
            SIDE,
            Drag(Role.HEAD, (0.0, -1.45, -0.9)),
            Drag(Role.PELVIS, (0.0, -0.85, 0.0)),
        ),
    ),
}


class Animator(Studio):
    """Makes poses as a user does, and counts what that takes."""

    def __init__(self, editor: Editor) -> None:
        super().__init__(editor)
        self.actions = 0

    def perform(self, action: Action) -> None:
        """One action with mouse or key."""
        self.actions += 1
        if isinstance(action, Press):
            self.strike(action.key, action.keys)
            return
        effector = next((e for e in self.person.effectors if (e.joint, e.kind) == (action.role, "position")), None)
        at = self.place_of(action.role) if effector is None else np.asarray(effector.target)
        start, end = self.pixel(at), self.pixel(at + np.asarray(action.by))
        way = end - start
        QTest.mousePress(self.view, LEFT, Qt.KeyboardModifier.NoModifier, start)
        for step in range(1, STEPS + 1):
            if step == 3 and action.axis is not None:
                QTest.keyClick(self.view, action.axis)
            move(self.view, start + QPoint(round(way.x() * step / STEPS), round(way.y() * step / STEPS)))
            QTest.qWait(10)
        QTest.mouseRelease(self.view, LEFT, Qt.KeyboardModifier.NoModifier, end)
        self.settle()

    def place_of(self, role: str) -> np.ndarray:
        """(3,) metres, a joint of the active person."""
        from app.document.posing.solving import skeleton_of

        return np.asarray(joints_of(self.person).positions[skeleton_of(self.person).index(role)], np.float64)


def lowest_mm(person: Character) -> float:
    """Millimetres of the lowest skin above the floor."""
    body = body_of(person)
    skin = posed_vertices(body, person.shape, person.pose, rest=skin_with(body, person.shape, person.hands))
    return float(1e3 * skin[:, 1].min())


def picture(animator: Animator, yaw: float) -> QPixmap:
    """The person as it is now, from somewhere in front."""
    animator.session.select(animator.person.id)
    middle = joints_of(animator.person).positions.mean(axis=0)
    animator.look(target=tuple(float(v) for v in middle), distance=4.2, yaw=yaw, pitch=0.15)
    animator.rest_pointer()
    area = animator.area(animator.view)
    at = area.topLeft() + animator.pixel(middle)
    return animator.screen(QRect(at.x() - 260, at.y() - 260, 520, 520) & area)


def made(animator: Animator, recipe: Recipe) -> None:
    """Make the pose in a fresh scene."""
    animator.fresh()
    animator.actions = 0
    for action in recipe.actions:
        animator.perform(action)


def main() -> None:
    """Make the poses that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(RECIPES))
    parser.add_argument("-o", "--out", type=Path, default=IMAGES, metavar="FOLDER")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        application = make_application()
        store = SettingsStore(QSettings(str(Path(folder, "settings.ini")), QSettings.Format.IniFormat))
        editor = open_window(application, store)
        QTest.qWait(500)
        editor.warm_up()
        editor.service.wait(120)
        animator = Animator(editor)
        try:
            for name in given.names or RECIPES:
                made(animator, RECIPES[name])
                print(
                    f"{name}: {animator.actions} actions, lowest skin {lowest_mm(animator.person):.1f} mm", flush=True
                )
                for e, r in zip(animator.person.effectors, animator.session.finding.residuals, strict=False):
                    print("   ", e.joint, e.kind, "loose" if e.loose else "", r.state, f"{r.value:.3f}")
                shot = picture(animator, RECIPES[name].look)
                shot.save(str(given.out / f"pose-{name}.png"))
        finally:
            editor.session.history.mark_saved()
            editor.shut_down()
            application.quit()


if __name__ == "__main__":
    main()
