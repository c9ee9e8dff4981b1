"""A foot that leaves the floor between keys, however fast, comes off its toes little by little."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from document_samples import only
from motion_samples import places

from app.document import edits
from app.document.model.document import Document
from app.document.over_time.in_betweens import document_completed
from app.document.posing.create import new_document
from app.document.posing.fitting_effectors import new_effector
from solver.kinematics.skeleton import SMPL_JOINTS

KICK, LAST = (0.0, 0.5, 0.5), 12  # metres, a frame
HOPS = (8, 16)  # frames of a crouch, and of the person in the air


def placed(document: Document, frame: int, joint: str, by: tuple[float, float, float]) -> Document:
    """With a joint moved at a frame, and solved there."""
    document = document.at_frame("c1", frame)
    held = next((e for e in only(document).effectors if (e.joint, e.kind) == (joint, "position")), None)
    if held is None:
        held = new_effector(only(document), "position", joint)
        document = edits.add_effector("c1", held)(document)
    target = edits.set_target("c1", held.id, held.target + np.array(by, np.float32))
    return edits.chain(target, edits.solve("c1"))(document)


def still(solver: str, frames: int) -> Document:
    return edits.set_solver("c1", solver)(edits.set_clip_length("c1", frames)(new_document()))


@cache
def kicking(solver: str) -> Document:
    return document_completed(placed(still(solver, LAST + 1), LAST, "right_ankle", KICK))


@cache
def hopping(solver: str) -> Document:
    crouch, air = HOPS
    document = placed(still(solver, 2 * air + 1), crouch, "pelvis", (0.0, -0.3, 0.0))
    document = placed(document, air, "pelvis", (0.0, 0.3, 0.0))
    document = edits.move_characters(["c1"], (0.0, 0.3, 0.0))(document)
    landing = edits.chain(edits.copy_keys("c1", [crouch], 2 * air - crouch), edits.copy_keys("c1", [0], 2 * air))
    return document_completed(landing(document))


def of(document: Document, joint: str) -> np.ndarray:
    return np.asarray(places(document)[:, SMPL_JOINTS.index(joint)])


def steps(path: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(np.diff(path, axis=0), axis=1))


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_the_toes_of_a_kick_do_not_flip_and_the_body_does_not_jolt(solver: str) -> None:
    document = kicking(solver)
    ankle, ball = of(document, "right_ankle"), of(document, "right_foot")
    assert steps(ball).max() < 1.2 * steps(ankle).max()
    assert np.linalg.norm(np.diff(ball, 2, axis=0), axis=1).max() < 0.035
    assert np.linalg.norm(np.diff(of(document, "pelvis"), 2, axis=0), axis=1).max() < 0.03


@pytest.mark.slow
def test_the_heel_leaves_the_floor_before_the_toes() -> None:
    document = kicking("dls")
    ankle, ball = of(document, "right_ankle")[:, 1], of(document, "right_foot")[:, 1]
    early = 2
    assert ankle[early] - ankle[0] > 0.03
    assert ball[early] - ball[0] < 0.55 * (ankle[early] - ankle[0])


@pytest.mark.parametrize("stand", ["flat", "free"])
def test_a_foot_that_was_told_how_to_stand_keeps_to_that(stand: str) -> None:
    chosen = edits.set_solver_option("c1", "stands_right", stand)(still("dls", LAST + 1))
    document = document_completed(placed(chosen, LAST, "right_ankle", KICK))
    ankle, ball = of(document, "right_ankle")[:, 1], of(document, "right_foot")[:, 1]
    assert ball - ankle == pytest.approx(np.full(LAST + 1, ball[0] - ankle[0]), abs=0.02), "level"


@pytest.mark.slow
def test_a_hop_leaves_the_floor_and_comes_down_in_the_same_way() -> None:
    document = hopping("dls")
    for side in ("left", "right"):
        ankle, ball = of(document, f"{side}_ankle"), of(document, f"{side}_foot")
        assert steps(ball).max() < 1.4 * steps(ankle).max()
    heights = of(document, "left_foot")[:, 1]
    assert heights == pytest.approx(heights[::-1], abs=0.01)
