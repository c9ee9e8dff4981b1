"""The pictures of solvers: one question to each of them, asked strictly, with a tolerance, and with the pose kept."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPixmap

from app.document import edits
from app.document.posing.solver_comparison import answer_of
from scripts.pictures.manual_studio import Picture, Studio, row
from solver.ik.preserve_modes import GLOBAL, LOCAL, PreserveMode
from solver.rig.roles import Role
from solver.solvers.catalog import SOLVERS

CELL = (180, 256)  # logical pixels of one figure
MIDDLE = (0.0, 0.77, 0.1)


def solvers(studio: Studio, mode: PreserveMode = GLOBAL, tolerance: float = 0.0) -> QPixmap:
    """One hand pulled down, out of a pose with both arms up, by every solver for posing."""
    return row([(spec.title, _pulled(studio, spec.id, mode, tolerance)) for spec in SOLVERS if not spec.baseline])


def comparison(studio: Studio) -> QPixmap:
    """The comparison beside the figure that it is for."""
    studio.fresh()
    studio.posture(5, 10)
    studio.move(Role.RIGHT_WRIST, (-0.2, 0.35, 0.25))
    studio.move(Role.LEFT_WRIST, (0.15, -0.25, 0.2))
    studio.session.select(studio.person.id)
    studio.look(target=(0.0, 0.86, 0.0), distance=5.2, yaw=0.45, pitch=0.12)
    studio.rest_pointer()
    studio.strike(Qt.Key.Key_V, Qt.KeyboardModifier.ShiftModifier)
    gallery = studio.editor.pose_browsers.comparison.gallery
    assert gallery is not None
    studio.until(lambda: gallery.search.isEnabled() and all(t.drawn for t in gallery.tiles if t.verdict))
    studio.settle()
    picture = studio.screen(studio.area(gallery).united(studio.area(studio.view)))
    studio.editor.pose_browsers.close()
    return picture


def _pulled(studio: Studio, solver: str, mode: PreserveMode, tolerance: float) -> QPixmap:
    studio.fresh()
    studio.look(target=MIDDLE, distance=9.2, yaw=0.35, pitch=0.1)
    session, id = studio.session, studio.person.id
    session.edit("Solver", edits.set_solver(id, solver))
    studio.posture(1, 11)
    session.edit("Mode", edits.set_preserve_mode(id, mode))
    hand = studio.effector(Role.LEFT_WRIST)
    session.edit("Tolerance", edits.set_tolerance(id, hand.id, tolerance))
    studio.move(Role.LEFT_WRIST, (0.25, -0.7, 0.45))
    # as in the comparison, whatever was shown
    answer = answer_of(session.document, studio.person, solver, lambda: True).solution
    assert answer is not None
    session.take_solution("Take", id, studio.person.frame, answer, solver)
    session.set_view(ghost=True)
    session.select(id)
    studio.rest_pointer()
    middle = studio.area(studio.view).topLeft() + studio.pixel(MIDDLE)
    width, height = CELL
    return studio.screen(QRect(middle.x() - width // 2, middle.y() - height // 2, width, height))


SOLVER_PICTURES: dict[str, Picture] = {
    "comparison": comparison,
    "solvers": solvers,
    "solvers-tolerance": partial(solvers, tolerance=0.9),
    "solvers-kept": partial(solvers, mode=LOCAL),
}
