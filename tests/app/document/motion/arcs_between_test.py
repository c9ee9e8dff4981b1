"""Between keys without a motion beneath, hands swing in arcs, and nothing gives way to them."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from document_samples import only
from motion_samples import places

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.over_time.arcs import Arcs
from app.document.over_time.in_betweens import document_completed
from app.document.posing.create import new_document
from app.document.posing.fitting_effectors import new_effector
from solver.kinematics.skeleton import SMPL_JOINTS

HAND, OTHER, ELBOW, SHOULDER, ANKLE = (
    SMPL_JOINTS.index(name) for name in ("left_wrist", "right_wrist", "left_elbow", "left_shoulder", "left_ankle")
)
UP, ABOVE_HEAD = 20, (0.12, 0.8, 0.0)  # the frame of a key, and metres
Step = tuple[int, str, tuple[float, float, float]]  # a frame, a joint, and metres by which it is moved there


@cache
def keyed(solver: str, frames: int, *steps: Step) -> Document:
    """Somebody who stands, and at later frames has joints elsewhere than at the key before; solved in between."""
    document = edits.set_solver("c1", solver)(edits.set_clip_length("c1", frames)(new_document()))
    for frame, joint, by in steps:
        document = document.at_frame("c1", frame)
        held = next((e for e in only(document).effectors if (e.joint, e.kind) == (joint, "position")), None)
        if held is None:
            held = new_effector(only(document), "position", joint, id="made")
            document = edits.add_effector("c1", held)(document)
        strict = edits.make_strict("c1", [held.id])
        target = edits.set_target("c1", held.id, held.target + np.array(by, np.float32))
        document = edits.chain(strict, target, edits.solve("c1"))(document)
    return document_completed(document)


def by_joints(document: Document) -> np.ndarray:
    return places(edits.set_in_between("c1", by="joints")(document))


def aside(path: np.ndarray) -> np.ndarray:
    """(N,) metres from the straight line between the ends of a path (N, 3)."""
    along = (path[-1] - path[0]) / np.linalg.norm(path[-1] - path[0])
    away = path - path[0]
    return np.asarray(np.linalg.norm(away - np.outer(away @ along, along), axis=1))


def elbow(shown: np.ndarray) -> np.ndarray:
    """(F,) degrees between the upper arm and the forearm, 180 for a straight arm."""
    upper, fore = shown[:, SHOULDER] - shown[:, ELBOW], shown[:, HAND] - shown[:, ELBOW]
    cosine = (upper * fore).sum(axis=1) / np.linalg.norm(upper, axis=1) / np.linalg.norm(fore, axis=1)
    return np.asarray(np.degrees(np.arccos(cosine)))


@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_a_hand_raised_above_the_head_swings_out_to_the_side_and_no_elbow_folds(solver: str) -> None:
    shown = places(keyed(solver, UP + 1, (UP, "left_wrist", ABOVE_HEAD)))
    way = np.linalg.norm(shown[UP, HAND] - shown[0, HAND])
    assert 0.15 * way < aside(shown[:, HAND]).max() <= 0.5 * way
    bent = elbow(shown)
    assert bent.min() > min(bent[0], bent[UP]) - 3


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_the_other_arm_and_the_head_go_as_their_joints_turn_while_a_hand_is_raised(solver: str) -> None:
    document = keyed(solver, UP + 1, (UP, "left_wrist", ABOVE_HEAD))
    shown, joints = places(document), by_joints(document)
    off = np.linalg.norm(shown - joints, axis=-1)
    assert off[:, [OTHER, SMPL_JOINTS.index("head")]].max() < 0.03


@pytest.mark.slow
def test_keys_are_met_and_nothing_pops_at_them() -> None:
    steps = ((12, "left_wrist", (0.1, 0.7, 0.1)), (24, "left_wrist", (-0.3, 0.1, 0.2)))
    document = keyed("dls", 37, *steps, (36, "left_wrist", (0.3, -0.6, 0.0)))
    shown = places(document)
    for key in only(document).clip.keys:
        held = next(e for e in key.effectors if e.joint == "left_wrist")
        assert shown[key.frame, HAND] == pytest.approx(held.target, abs=2e-3)
    bends = np.linalg.norm(np.diff(shown, 2, axis=0), axis=-1)
    assert bends.max() < 1.3 * np.linalg.norm(np.diff(by_joints(document), 2, axis=0), axis=-1).max()


@pytest.mark.slow
def test_a_hand_that_both_keys_hold_in_one_place_stays_there_and_sets_off_without_a_jerk() -> None:
    steps: tuple[Step, ...] = (
        (10, "left_wrist", (0.1, 0.4, 0.3)), (20, "pelvis", (0.0, -0.25, 0.0)), (32, "left_wrist", (0.2, 0.3, -0.2)),
    )  # fmt: skip
    shown = places(keyed("dls", 33, *steps))
    held = shown[10:21, HAND]
    assert np.abs(held - held[0]).max() < 2e-3
    speeds = np.linalg.norm(np.diff(shown[:, HAND], axis=0), axis=-1)
    assert speeds[20] < 0.25 * speeds[20:].max()


@pytest.mark.slow
def test_a_hand_that_hardly_moves_swings_no_further_than_half_its_way() -> None:
    by = (0.0, 0.02, 0.0)
    document = keyed("dls", 31, (10, "left_wrist", (0.1, 0.5, 0.2)), (30, "pelvis", (0.0, -0.3, 0.0)))
    document = document.at_frame("c1", 30)
    hand = next(e for e in only(document).effectors if e.joint == "left_wrist")
    higher = edits.set_target("c1", hand.id, hand.target + np.array(by, np.float32))
    document = edits.chain(higher, edits.solve("c1"))(document)
    path = places(document_completed(document))[10:31, HAND]
    assert np.linalg.norm(path - path[0], axis=1).max() < 0.035
    joints = by_joints(document)[10:31, HAND]
    assert np.linalg.norm(joints - joints[0], axis=1).max() > 0.05


def test_a_foot_that_does_not_step_goes_straight_from_place_to_place() -> None:
    document = edits.set_in_between("c1", steps=False)(keyed("dls", 21, (20, "left_ankle", (0.1, 0.0, 0.35))))
    path = places(document_completed(document))[:, ANKLE]
    assert aside(path).max() < 2e-3
    assert np.ptp(path[:, 1]) < 2e-3


def test_one_key_alone_swings_nothing() -> None:
    person = only(new_document())
    skeleton = skeleton_of(person)
    arcs = Arcs.between(skeleton, person.clip.keys)
    wrist = next(e for e in person.effectors if e.joint == "left_wrist")
    assert arcs.of(skeleton, wrist, wrist.target[None], np.arange(3)) is None


def test_both_gaps_beside_a_key_take_the_same_share_of_the_swing_at_it() -> None:
    document = keyed(
        "dls", 31, (10, "left_wrist", (0.1, 0.4, 0.3)), (20, "pelvis", (0.0, -0.2, 0.0)),
        (30, "left_wrist", (0.2, 0.3, 0.0)),
    )  # fmt: skip
    person = only(document)
    skeleton, keys = skeleton_of(person), person.clip.keys
    wrist = next(e for e in keys[1].effectors if e.joint == "left_wrist")
    targets = np.stack([next(e for e in key.effectors if e.joint == "left_wrist").target for key in keys])
    for first, last in pairwise((slice(0, 3), slice(1, 4))):
        one, other = (
            Arcs.between(skeleton, keys[part]).of(skeleton, wrist, targets[part], np.array([10, 20]))
            for part in (first, last)
        )
        assert one is not None
        assert other is not None
        assert one.shares[1] == pytest.approx(other.shares[1], abs=1e-9)
