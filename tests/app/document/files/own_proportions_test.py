"""Somebody in the proportions of their own character keeps these through files of every kind that hold a body."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.document import edits
from app.document.exchange.export import export_bvh, export_pose_json, export_smpl
from app.document.exchange.onto.own_skin_file import drawn_as, own_skin_in
from app.document.exchange.open_file import open_file
from app.document.exchange.own.own_pose import own_matrices
from app.document.exchange.skinned_export import export_skinned
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_character
from app.document.posing.solving import solved
from app.document.scene_file.io import load_scene, save_scene
from solver.body.catalog import is_fitted
from solver.effectors.kinds import Position
from solver.errors import InputRefused
from solver.formats.smpl.npz import OUR_FITTED
from solver.rig.roles import LEGS, LIMBS


def opened(path: Path) -> Character:
    edit = open_file(path).edit
    assert edit is not None
    return edit(Document()).characters[-1]


@pytest.mark.parametrize("solver", ["smplik", "dls", "protores", "skelik"])
def test_the_robots_own_joints_come_to_the_handles(solver: str, robot: Path) -> None:
    person = opened(robot)
    handles = {e.joint: e for e in person.effectors if isinstance(e, Position)}
    places, goals = joints_of(person).positions, {}
    document = edits.set_solver(person.id, solver)(edits.add_character(person)(Document()))
    for limb in LIMBS:
        goals[limb.end] = places[skeleton_of(person).index(limb.end)] + [0.02, 0.16 * (limb is LEGS[0]), 0.05]
        document = edits.set_target(person.id, handles[limb.end].id, goals[limb.end])(document)
    after = solved(document.character(person.id))
    assert after.own_skin is not None
    rig = after.own_skin.rig()
    worlds = own_matrices(after, after.own_skin) @ np.linalg.inv(rig.binds)
    for role, goal in goals.items():
        node = (rig.person.places or ())[rig.person.joint_map.joints[role]]
        bone = rig.bones.tolist().index(node)
        assert np.linalg.norm(worlds[bone, :3, 3] - goal) < 1e-3, role


def test_somebody_posed_here_gets_the_body_of_the_character_that_is_chosen_in_one_step(robot: Path) -> None:
    person = new_character(Document(), name="Ann")
    found = own_skin_in(robot, person.name)
    (drawn,) = drawn_as(person.id, found)(edits.add_character(person)(Document())).characters
    assert (drawn.own_skin, drawn.body, drawn.shape) == (found.skin, opened(robot).body, found.shape)
    assert np.array_equal(drawn.pose.rotations[1:], person.pose.rotations[1:])
    assert joints_of(drawn).positions[:, 1].min() > 0.0, "feet stay above the floor"


def test_whoever_has_a_body_of_official_files_keeps_it(robot: Path) -> None:
    official = replace(new_character(Document(), name="Ann"), body="smpl:/somewhere")
    found = own_skin_in(robot, official.name)
    (drawn,) = drawn_as(official.id, found)(Document().with_characters([official])).characters
    assert (drawn.own_skin, drawn.body) == (found.skin, official.body)


def test_a_scene_a_pose_and_a_motion_for_other_programs_keep_the_body(robot: Path, tmp_path: Path) -> None:
    person = opened(robot)
    assert is_fitted(person.body)
    document = edits.add_character(person)(Document())
    save_scene(tmp_path / "a.scene.json", document)
    (again,) = load_scene(tmp_path / "a.scene.json").characters
    assert (again.body, again.shape) == (person.body, person.shape)
    assert np.array_equal(joints_of(again).positions, joints_of(person).positions)
    export_pose_json(tmp_path / "pose.json", document)
    export_smpl(tmp_path / "a.npz", [person])
    export_skinned(tmp_path / "a.glb", [person])
    for name in ("pose.json", "a.npz", "a.glb"):
        back = opened(tmp_path / name)
        assert back.body == person.body, name
        assert np.abs(joints_of(back).positions - joints_of(person).positions).max() < 2e-3, name


def test_a_motion_for_other_programs_that_names_an_impossible_body_is_refused(robot: Path, tmp_path: Path) -> None:
    export_smpl(tmp_path / "a.npz", [opened(robot)])
    arrays = dict(np.load(tmp_path / "a.npz"))
    for said in (np.frombuffer(b"anny:rig:short", np.uint8), np.frombuffer(b"anny", np.uint8), np.zeros(3)):
        np.savez(tmp_path / "b.npz", **{**arrays, OUR_FITTED: said})
        with pytest.raises(InputRefused, match="does not name a body of this program"):
            open_file(tmp_path / "b.npz")


def test_its_bvh_file_is_as_tall(robot: Path, tmp_path: Path) -> None:
    person = opened(robot)
    (path,) = export_bvh(tmp_path / "a.bvh", [person])
    back = opened(path)
    heights = [float(np.ptp(skeleton_of(each).rest_positions[:, 1])) for each in (person, back)]
    assert heights[1] == pytest.approx(heights[0], rel=0.03)
