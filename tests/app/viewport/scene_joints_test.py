"""One edit's frame asks for the joints of each pose once: solver, document, scene, picking and panels share them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from document_samples import two_new_people
from window_driver import settled, until

from app.benchmark.scene_times import STEPS, scene_times
from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.solving import solved
from app.services.view_state import ViewState
from app.viewport.pointing.under_pointer import joint_at
from app.viewport.scene_builder import Look, SceneBuilder
from app.window.editor import Editor
from solver.body.catalog import fitted_body_id
from solver.body.kept_volume import load_compiled
from solver.effectors.form_ids import AIM
from solver.kinematics import fk_kernels
from solver.rig.fewer_joints import TIPS
from solver.rig.roles import ARMS, LEGS, Role

LOOK = Look("#d9a98b", "#4a5568")


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[np.ndarray]:
    """The root positions of every pose whose joints were computed, from any thread."""
    counted: list[np.ndarray] = []
    walk: Callable[..., None] = fk_kernels.forward_many

    def counting(parents: np.ndarray, offsets: np.ndarray, roots: np.ndarray, *rest: np.ndarray) -> None:
        counted.extend(roots.copy())
        walk(parents, offsets, roots, *rest)

    monkeypatch.setattr(fk_kernels, "forward_many", counting)
    return counted


@pytest.fixture
def two() -> Document:
    return two_new_people()


def dragged(document: Document, by: float) -> Document:
    character = document.characters[0]
    hand = character.effectors[0]
    moved = edits.set_target(character.id, hand.id, hand.target + np.float32([0, by, by]))(document)
    return moved.with_character(solved(moved.character(character.id)))


def test_the_figure_the_handles_and_the_dots_are_where_the_documents_joints_are(two: Document) -> None:
    document = dragged(two, 0.1)
    character = document.characters[0]
    scene = SceneBuilder().build(document, ViewState(character=character.id), LOOK)
    assert scene.figures[0].joints is joints_of(character).positions
    joints = joints_of(character)
    for effector, handle in zip(character.effectors, scene.handles, strict=True):
        if effector.form == AIM:  # its line begins between the eyes
            head = joints.positions[skeleton_of(character).index("head")]
            assert 0.05 < np.linalg.norm(handle.held_position - head) < 0.15
        else:
            assert np.shares_memory(handle.held_position, joints.positions)
    named = [joints_of(character).positions[skeleton_of(character).index(id[1])] for id in scene.joints.ids]
    assert np.array_equal(scene.joints.positions, named)


def test_a_solved_edit_and_its_scene_compute_the_new_pose_once(two: Document, walks: list[np.ndarray]) -> None:
    builder = SceneBuilder()
    hand = two.characters[0].effectors[0].id
    view = ViewState(character=two.characters[0].id, effectors=frozenset({hand}))
    document = dragged(two, 0.05)
    builder.build(document, view, LOOK)
    for step in range(3):
        walks.clear()
        document = dragged(document, 0.02 + 0.01 * step)
        builder.build(document, view, LOOK)
        pose = document.characters[0].pose
        assert sum(np.array_equal(root, pose.root_position) for root in walks) == 1


def test_a_scene_is_built_after_a_solve_without_hundreds_of_small_steps(two: Document) -> None:
    load_compiled()
    builder, view = SceneBuilder(), ViewState(character=two.characters[0].id)
    builder.build(dragged(two, 0.05), view, LOOK)
    document, steps = dragged(two, 0.06), Counter[str]()
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, argument: steps.update([event]))
    try:
        builder.build(document, view, LOOK)
    finally:
        sys.setprofile(before)
    assert steps["call"] + steps["c_call"] < 420, "calls of Python or of compiled code, felt in every drag"


def test_a_scene_of_unchanged_people_computes_nothing(two: Document, walks: list[np.ndarray]) -> None:
    document = dragged(two, 0.05)
    SceneBuilder().build(document, ViewState(character=document.characters[0].id), LOOK)
    walks.clear()
    view = ViewState(character=document.characters[1].id, joints=frozenset({"left_elbow"}))
    SceneBuilder().build(document, view, LOOK)
    assert walks == []


def test_an_edit_in_the_window_computes_the_shown_pose_once(editor: Editor, walks: list[np.ndarray]) -> None:
    editor.warm_up()
    session = editor.session
    settled(session)
    character = session.active
    assert character is not None
    hand = character.effectors[0]
    session.set_view(effectors=frozenset({hand.id}))
    walks.clear()
    frames: list[float] = []
    editor.viewport.painted.connect(frames.append)
    session.edit("Move", edits.set_target(character.id, hand.id, hand.target + np.float32(0.1)), solve=True)
    settled(session)
    frames.clear()
    until(lambda: bool(frames))
    shown = session.document.characters[0]
    assert shown.pose is not character.pose
    assert editor.viewport.scene.figures[0].joints is joints_of(shown).positions
    assert sum(np.array_equal(root, shown.pose.root_position) for root in walks) == 1


def test_another_shape_of_the_same_pose_moves_the_joints_that_are_drawn(two: Document) -> None:
    builder, view = SceneBuilder(), ViewState(character=two.characters[0].id)
    before = builder.build(two, view, LOOK).figures[0].joints
    character = two.characters[0]
    taller = replace(character, shape=replace(character.shape, betas=np.array([2.0] + [0.0] * 9)))
    after = builder.build(two.with_character(taller), view, LOOK).figures[0].joints
    assert np.abs(before - after).max() > 0.05


@pytest.mark.slow
def test_the_bench_measures_frames_that_differ() -> None:
    times = scene_times()
    assert len(times) == STEPS
    assert min(times) > 0.0


def test_joints_that_a_character_lacks_have_no_dots_and_are_not_meant_by_a_press(two: Document) -> None:
    somebody, lacks = two.characters[0], (Role.NECK, *TIPS)
    rest = skeleton_of(somebody).rest_positions
    character = replace(somebody, body=fitted_body_id(rest, somebody.shape, None, lacks))
    scene = SceneBuilder().build(two.with_character(character), ViewState(character=character.id), LOOK)
    shown = {name for _, name in scene.joints.ids}
    assert shown
    assert not shown & set(lacks)
    joints = joints_of(character).positions
    for role, meant in ((LEGS[0].tip, LEGS[0].end), (ARMS[1].tip, ARMS[1].end), (Role.NECK, Role.SPINE3)):
        j = skeleton_of(character).index(role)
        assert joint_at(character, j, joints[j] - np.float32([0.0, 0.02, 0.0])) == meant
