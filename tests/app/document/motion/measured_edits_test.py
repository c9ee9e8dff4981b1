"""What the benchmark measures of edited motions is what the application shows, but for how heads are turned.

Whoever stands keeps their look there while a hand is dragged, where the benchmark has what the network proposes.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from document_samples import only
from motion_samples import raised, strolling

from app.document import edits
from app.document.over_time.in_betweens import document_completed
from app.document.posing.create import new_document
from app.document.posing.fitting_effectors import new_effector
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.evaluation.edited_motion import between_keys
from solver.evaluation.motion_edits import EditedClip, MotionEdit
from solver.evaluation.protocols import EDIT_HANDLES
from solver.ik.preserve_modes import GLOBAL, LOCAL, PreserveMode
from solver.solvers.catalog import load_solver

FRAMES = (20, 30, 40)


@pytest.mark.sweep
@pytest.mark.parametrize("mode", [GLOBAL, LOCAL])
@pytest.mark.parametrize("solver", ["dls", "protores"])
def test_an_edit_is_measured_as_it_is_shown(solver: str, mode: PreserveMode) -> None:
    document = new_document()
    handles = (new_effector(only(document), kind, joint, id=f"{joint} {kind}") for joint, kind in EDIT_HANDLES)
    document = document.with_character(
        replace(only(document), effectors=tuple(handles), solver=solver, solver_options={})
    )
    document = edits.chain(edits.set_preserve_mode("c1", mode), edits.import_motion("c1", strolling()))(document)
    document = edits.chain(edits.set_key("c1", FRAMES[0]), edits.set_key("c1", FRAMES[2]))(document)
    document = document_completed(raised(document.at_frame("c1", FRAMES[1])))
    actor = document.actors[0]
    assert [key.frame for key in actor.clip.keys] == [0, *FRAMES]
    assert actor.clip.source is not None

    edit = MotionEdit("raised hand", "", "left_wrist", FRAMES, np.array([[0, 0, 0], [0, 0.3, 0.1], [0, 0, 0]]))
    clip = EditedClip(edit, actor.clip.source.motion, load_body("anny"), BodyShape())
    measured = between_keys(load_solver(solver), clip, mode)
    compared = [j for j in range(len(clip.skeleton)) if clip.skeleton.names[j] not in ("neck", "head")]
    for frame, pose in zip(edit.inside, measured.each(), strict=True):
        shown = actor.at(int(frame)).pose
        assert pose.root_position == pytest.approx(shown.root_position, abs=1e-4)
        assert pose.rotations[compared] == pytest.approx(shown.rotations[compared], abs=5e-3)
