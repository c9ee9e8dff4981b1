"""On a new machine the comparison of solvers says which of them is being prepared, and how long all take."""

from __future__ import annotations

import threading
from typing import Any

import numba
import pytest
from PySide6.QtCore import Qt
from window_driver import strike, until

from app.dialogs.comparison import PREPARING, SOLVING, STOPPED, WAITING, Comparison
from app.document.posing.solver_comparison import SolverAnswer, answer_of
from app.window.controls import comparison_control
from app.window.controls.comparison_control import ASKED, ASKING, COMPILING
from app.window.controls.gallery_control import MINUTES
from app.window.editor import Editor
from solver.solvers.catalog import SOLVERS

pytestmark = [pytest.mark.gl, pytest.mark.slow]
FEW = ("dls", "fabrik", "ccd")
COMPILED = "fabrik"


@pytest.fixture
def gates(monkeypatch: pytest.MonkeyPatch) -> dict[str, threading.Event]:
    """Three solvers, each of which answers once it is let; one of them has machine code made first, real code."""
    gates = {id: threading.Event() for id in FEW}

    def answer_when_let(*asked: Any) -> SolverAnswer:
        if asked[2] == COMPILED:
            assert numba.njit(lambda number: number + 1)(1) == 2
        assert gates[asked[2]].wait(60.0)
        return answer_of(*asked)

    monkeypatch.setattr(comparison_control, "answer_of", answer_when_let)
    monkeypatch.setattr(comparison_control, "SOLVERS", [spec for spec in SOLVERS if spec.id in FEW])
    return gates


def compared(editor: Editor) -> Comparison:
    """Compare the solvers, by the key."""
    strike(editor, Qt.Key.Key_V, Qt.KeyboardModifier.ShiftModifier)
    gallery = editor.pose_browsers.comparison.gallery
    assert gallery is not None
    return gallery


def test_a_solver_that_is_compiled_first_says_so_and_how_long_that_takes(
    editor: Editor, gates: dict[str, threading.Event]
) -> None:
    gallery = compared(editor)
    ids, said = [tile.spec.id for tile in gallery.tiles], ASKING
    for number, tile in enumerate(gallery.tiles):
        compiled = ids[number] == COMPILED
        until(lambda tile=tile, why=PREPARING if compiled else SOLVING: tile.refusal == why)  # type: ignore[misc]
        said = COMPILING.format(MINUTES) if compiled else said
        assert gallery.text.text() == said
        assert {other.refusal for other in gallery.tiles[number + 1 :]} <= {WAITING}
        gates[ids[number]].set()
        until(lambda tile=tile: tile.drawn)  # type: ignore[misc]
    until(lambda: gallery.text.text() == ASKED)


def test_one_that_is_being_prepared_is_not_solved_when_one_stops(
    editor: Editor, gates: dict[str, threading.Event]
) -> None:
    gallery = compared(editor)
    gates["dls"].set()
    (tile,) = (tile for tile in gallery.tiles if tile.spec.id == COMPILED)
    until(lambda: tile.refusal == PREPARING)
    gallery.stop.click()
    assert [one.refusal for one in gallery.tiles if one.spec.id != "dls"] == [STOPPED, STOPPED]
    for gate in gates.values():
        gate.set()
    until(lambda: not editor.jobs.busy)
    assert tile.refusal == STOPPED
