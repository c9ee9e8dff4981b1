"""A person with hundreds of pinned effectors: opened, dragged, searched for another pose, and closed meanwhile."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from document_samples import given_effectors
from PySide6.QtCore import QTimer
from window_driver import laid_out, settled, until

from app.document import edits
from app.document.model.figure import joints_of
from app.document.posing.create import new_document
from app.document.scene_file.io import save_scene
from app.window.editor import Editor
from solver.effectors.kinds import Position
from solver.ik.exact import Refined, refine
from solver.ik.memory import ExactState
from solver.ik.multi_solve import solve_from_proposal
from solver.ik.problem import IKProblem
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import SMPL_JOINTS

PINS = 500


def scene_of_many_pins(folder: Path) -> Path:
    document = new_document()
    person, rng = document.characters[0], np.random.default_rng(0)
    places = joints_of(person).positions
    pins = [Position(SMPL_JOINTS[i % 24], places[i % 24] + rng.normal(0, 0.05, 3), pinned=True) for i in range(PINS)]
    save_scene(folder / "pins.json", given_effectors(person.id, pins)(document))
    return folder / "pins.json"


@pytest.mark.slow
@pytest.mark.gl
def test_hundreds_of_pinned_effectors_are_opened_dragged_and_given_up_with_the_window_alive(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, alive = editor.session, 0

    def beat() -> None:
        nonlocal alive
        alive += 1

    pulse = QTimer(interval=10)
    pulse.timeout.connect(beat)
    pulse.start()
    editor.files.open_path(scene_of_many_pins(tmp_path))
    until(lambda: session.document.characters[0].name != "" and len(session.document.characters[0].effectors) == PINS)
    panel = editor.panels.effectors
    until(lambda: len(panel.rows) == PINS)
    assert alive >= 8  # the rows came in between, not in one go

    person = session.document.characters[0]
    pin = person.effectors[5]
    for lift in (0.1, 0.2, 0.3):
        session.edit("Move", edits.set_target(person.id, pin.id, pin.target + [0, lift, 0]), "drag", solve=True)
        laid_out()
    session.close_step()
    settled(session)
    states = {residual.state for residual in session.finding.residuals}
    assert "unreachable" in states  # pins that contradict each other are told so

    starts: list[Pose] = []

    def counted(problem: IKProblem, start: Pose, state: ExactState) -> Refined:
        starts.append(start)
        return refine(problem, start, state)

    monkeypatch.setattr(solve_from_proposal, "refine", counted)
    session.request_other()
    until(lambda: bool(starts))
    session.service.forget()
    begun = len(starts)
    assert session.service.wait(60)
    assert len(starts) <= begun + 1  # the one under way, not all of some forty
    assert session.service.take() == []
