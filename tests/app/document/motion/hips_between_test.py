"""Between keys over a recorded motion hips go on as they were recorded."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from document_samples import only, whole_motion
from motion_samples import walker

from app.document import edits
from app.document.model.document import Document
from app.document.over_time.in_betweens import document_completed
from app.document.posing.solving import skeleton_of
from app.document.posing.tied_groups import answers_of
from solver.ik.multi_solve.only_limb import only_limb

KEY = 30


def hand_raised(document: Document) -> Document:
    """The left hand raised by half a metre as a drag does it: the arm moves alone as far as it reaches."""
    wrist = next(e for e in only(document).effectors if e.joint == "left_wrist")
    target = wrist.target + np.array([0.0, 0.5, 0.1], np.float32)  # type: ignore[attr-defined]
    document = edits.set_target("c1", wrist.id, target)(document)
    person = only(document)
    hold = replace(only_limb(skeleton_of(person), "left_wrist", person.pose), gives_way=True)
    answer = answers_of((person,), {}, holds={"c1": hold})["c1"]
    return edits.with_solution("c1", answer.solution, answer.effectors)(document)


@pytest.mark.parametrize(("solver", "metres"), [("dls", 0.005), pytest.param("smplik", 0.02, marks=pytest.mark.slow)])
def test_hips_of_a_walker_whose_hand_is_raised_go_on_as_recorded(solver: str, metres: float) -> None:
    document = hand_raised(edits.set_solver("c1", solver)(walker()).at_frame("c1", KEY))
    person = only(document_completed(document))
    assert person.clip.source is not None
    off = np.linalg.norm(whole_motion(person).root_positions - person.clip.source.motion.root_positions, axis=1)
    assert off[KEY] < 1e-4, "the arm was enough"
    assert off.max() < metres
