"""Between keys over a recorded motion hips go on as they were recorded, and frames beside a key go on from its pose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from document_samples import only, whole_motion
from motion_samples import raised, walker

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.over_time import in_betweens
from app.document.over_time.in_betweens import document_completed
from app.document.posing.tied_groups import answers_of
from solver.ik.multi_solve import between_keys
from solver.ik.multi_solve.only_limb import only_limb
from solver.ik.multi_solve.steady_elbows import worst_jerk
from solver.ik.preserve_modes import LOCAL
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Poses
from solver.kinematics.skeleton import SMPL_JOINTS

KEY = 30


def hand_moved(document: Document, way: Sequence[float] = (0.0, 0.5, 0.1)) -> Document:
    """The left hand moved as a drag does it, raised by half a metre: the arm moves alone as far as it reaches."""
    wrist = next(e for e in only(document).effectors if e.joint == "left_wrist")
    target = wrist.target + np.array(way, np.float32)  # type: ignore[attr-defined]
    document = edits.set_target("c1", wrist.id, target)(document)
    person = only(document)
    hold = replace(only_limb(skeleton_of(person), "left_wrist", person.pose), gives_way=True)
    answer = answers_of((person,), {}, holds={"c1": hold})["c1"]
    return edits.with_solution("c1", answer.solution, answer.effectors)(document)


@pytest.mark.parametrize(("solver", "metres"), [("dls", 0.005), pytest.param("smplik", 0.02, marks=pytest.mark.slow)])
def test_hips_of_a_walker_whose_hand_is_raised_go_on_as_recorded(solver: str, metres: float) -> None:
    document = hand_moved(edits.set_solver("c1", solver)(walker()).at_frame("c1", KEY))
    person = only(document_completed(document))
    assert person.clip.source is not None
    off = np.linalg.norm(whole_motion(person).root_positions - person.clip.source.motion.root_positions, axis=1)
    assert off[KEY] < 1e-4, "the arm was enough"
    assert off.max() < metres


def off_the_way(document: Document, frame: int) -> float:
    """Metres by which the joint stands out that does so most, between the frames before and behind."""
    skeleton, shown = skeleton_of(only(document)), whole_motion(only(document))
    around = slice(frame - 1, frame + 2)
    before, there, behind = forward_kinematics_batch(
        skeleton.parents, skeleton.offsets, shown.root_positions[around], shown.rotations[around]
    ).positions.astype(np.float64)
    return float(np.linalg.norm(there - (before + behind) / 2, axis=1).max())


REACHED, OUT_OF_REACH = (0.0, -0.3, 0.3), (0.0, 0.9, 0.4)


@pytest.mark.parametrize("way", [REACHED, OUT_OF_REACH], ids=["reached", "out of reach"])
def test_frames_beside_a_key_go_on_from_its_pose_without_a_jump(way: Sequence[float]) -> None:
    document = edits.set_solver("c1", "dls")(walker())
    moved = document_completed(hand_moved(edits_kept(document).at_frame("c1", KEY), way))
    assert off_the_way(moved, KEY) < 0.04


@pytest.mark.parametrize(
    ("way", "most"), [((-0.3, 0.3, -0.1), 2000), pytest.param((-0.3, 0.8, -0.1), 5000, marks=pytest.mark.slow)],
    ids=["to the chest", "past the shoulder"],
)  # fmt: skip
def test_an_elbow_does_not_turn_over_beside_a_key_whose_hand_goes_close_by_the_shoulder(
    way: Sequence[float], most: float
) -> None:
    document = edits_kept(edits.set_solver("c1", "dls")(walker())).at_frame("c1", KEY)
    moved = document_completed(hand_moved(document, way))
    shown = whole_motion(only(moved))
    assert worst_jerk(skeleton_of(only(moved)), Poses(shown.root_positions, shown.rotations), shown.fps) < most
    wrist, source = SMPL_JOINTS.index("left_wrist"), only(moved).clip.source
    assert source is not None
    skeleton = skeleton_of(only(moved))
    after, before = (
        forward_kinematics_batch(skeleton.parents, skeleton.offsets, each.root_positions, each.rotations).positions
        for each in (shown, source.motion)
    )
    assert np.linalg.norm((after - before)[KEY - 5, wrist]) > 0.2, "the hand is on its way"


def test_an_elbow_does_not_turn_over_where_frames_go_on_that_were_solved_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(in_betweens, "CHUNK", 9)
    document = edits_kept(edits.set_solver("c1", "dls")(walker())).at_frame("c1", KEY)
    moved = only(document_completed(hand_moved(document, (-0.3, 0.3, -0.1))))
    shown = whole_motion(moved)
    assert worst_jerk(skeleton_of(moved), Poses(shown.root_positions, shown.rotations), shown.fps) < 2000, "m/s³"


def test_what_a_network_alone_says_between_keys_has_no_arms_brought_to_their_hands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_: object) -> Poses:
        raise AssertionError("it is not what the network says")

    document = edits_kept(edits.set_solver("c1", "smplik")(walker())).at_frame("c1", KEY)
    document = hand_moved(document, (-0.3, 0.3, -0.1))
    document = edits.set_solver_option("c1", "raw", True)(document)
    monkeypatch.setattr(between_keys, "with_hands_home", never)
    monkeypatch.setattr(between_keys, "JERKS_BY", -1e9)
    assert document_completed(document).actors[0].spans()


def test_a_hand_that_two_keys_raise_alike_stays_raised_by_as_much_between_them() -> None:
    document = edits_kept(edits.set_solver("c1", "dls")(walker()))
    for frame in (10, 40):
        document = hand_moved(document.at_frame("c1", frame), (0.0, 0.4, 0.0))
    person = only(document_completed(document))
    skeleton, source, wrist = skeleton_of(person), person.clip.source, SMPL_JOINTS.index("left_wrist")
    assert source is not None
    after, before = (
        forward_kinematics_batch(skeleton.parents, skeleton.offsets, each.root_positions, each.rotations).positions
        for each in (whole_motion(person), source.motion)
    )
    raised_by = (after - before)[10:41, wrist]
    assert raised_by == pytest.approx(np.tile([0.0, 0.4, 0.0], (31, 1)), abs=2e-3)


def test_a_hand_goes_to_where_a_key_has_it_that_does_not_reach_its_target() -> None:
    document = raised(edits.set_solver("c1", "dls")(walker()).at_frame("c1", KEY))
    wrist = next(e for e in only(document).effectors if e.joint == "left_wrist")
    further = wrist.target + np.array([0.0, 0.4, 0.0], np.float32)  # type: ignore[attr-defined]
    document = document_completed(edits.set_target("c1", wrist.id, further)(document))
    assert off_the_way(document, KEY) < 0.04


def edits_kept(document: Document) -> Document:
    """As a motion that the window opens is kept: place and shape of all, softly."""
    return edits.chain(
        edits.set_preserve_mode("c1", LOCAL),
        edits.set_preserve_strength("c1", 0.2, "place"),
        edits.set_preserve_strength("c1", 0.5, "shape"),
    )(document)
