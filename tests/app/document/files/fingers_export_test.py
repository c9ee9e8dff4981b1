"""BVH with jaw, eyes and fingers, where that is asked for; everything else writes the 24 joints as ever."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pybvh
import pytest

from app.cli.main import main
from app.dialogs.export_dialog import ExportDialog
from app.document import edits
from app.document.exchange.export import export_bvh
from app.document.exchange.open_file import open_file
from app.document.exchange.pose_exchange import pose_file_of
from app.document.model.document import Document
from app.document.model.figure import body_of, joints_of
from app.document.posing.create import new_character, new_document
from app.document.posing.fingertips import with_hands_throughout
from app.document.scene_file.io import load_scene, save_scene
from app.services.settings import Settings
from app.window.editor import Editor
from solver.body.hands import relaxed_hands
from solver.body.whole_rig import as_whole_pose
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS


@pytest.fixture
def posed() -> Document:
    """Somebody with bent arms, turned hands and a motion."""
    document = new_document()
    vectors = np.random.default_rng(6).normal(size=(4, 24, 3)) * 0.4
    roots = np.repeat(document.characters[0].pose.root_position[None], 4, axis=0)
    return edits.import_motion("c1", Motion(roots, from_rotation_vector(vectors), 24.0), frame=1)(document)


def joints_in(file: Path) -> list[str]:
    return [line.split()[1] for line in file.read_text().splitlines() if line.split()[0] in ("ROOT", "JOINT")]


def test_without_asking_a_bvh_has_the_24_joints(posed: Document, tmp_path: Path) -> None:
    (file,) = export_bvh(tmp_path / "plain.bvh", posed.characters)
    assert sorted(joints_in(file)) == sorted(SMPL_JOINTS)


@pytest.mark.parametrize("names", ["smpl", "humanik", "mixamo"])
def test_with_fingers_every_joint_is_where_the_body_has_it(posed: Document, tmp_path: Path, names: str) -> None:
    (file,) = export_bvh(tmp_path / "hands.bvh", posed.characters, names, whole_motion=True, fingers=True)
    written = joints_in(file)
    assert len(written) == len(set(written)) == 57
    character = posed.characters[0]
    rig = body_of(character).whole_rig(character.shape)
    motion = posed.actor("c1").motion()
    assert motion is not None
    expected = forward_kinematics(rig, as_whole_pose(rig, motion.pose(3), relaxed_hands().by_joint())).positions
    theirs = pybvh.read_bvh_file(file, world_up="+y")
    found = dict(zip(theirs.joint_names, theirs.joint_positions()[3], strict=True))
    spelt = {
        "smpl": ("left_index3", "right_thumb2", "left_eye_smplhf", "jaw", "right_hand"),
        "humanik": ("LeftHandIndex3", "RightHandThumb2", "LeftEye", "Jaw", "RightFingerBase"),
        "mixamo": tuple(
            f"mixamorig:{n}" for n in ("LeftHandIndex3", "RightHandThumb2", "LeftEye", "Jaw", "RightFingerBase")
        ),
    }
    for ours, name in zip(spelt["smpl"], spelt[names], strict=True):
        assert found[name] == pytest.approx(expected[rig.index(ours)], abs=2e-4)


@pytest.mark.parametrize("names", ["smpl", "humanik", "mixamo"])
def test_a_bvh_with_fingers_opens_as_the_same_pose(posed: Document, tmp_path: Path, names: str) -> None:
    (file,) = export_bvh(tmp_path / "hands.bvh", posed.characters, names, fingers=True)
    opened = open_file(file, "c1")
    assert opened.edit is not None
    flat = edits.set_pose("c1", new_character(posed).pose)(posed)
    again, before = joints_of(opened.edit(flat).character("c1")), joints_of(posed.character("c1"))
    assert again.positions == pytest.approx(before.positions, abs=1e-4)


def test_scenes_and_pose_files_hold_the_24_joints(posed: Document, tmp_path: Path) -> None:
    (person,) = pose_file_of(posed, tmp_path).people
    assert person.pose.rotations.shape == (24, 3, 3)
    flat = posed.with_character(with_hands_throughout(posed.characters[0], None))
    save_scene(tmp_path / "scene.json", flat)
    assert "index1" not in (tmp_path / "scene.json").read_text()
    assert load_scene(tmp_path / "scene.json").characters[0].pose.rotations == pytest.approx(
        posed.characters[0].pose.rotations, abs=1e-6
    )


@pytest.mark.slow
def test_the_command_line_and_the_dialog_ask_for_fingers(posed: Document, editor: Editor, tmp_path: Path) -> None:
    save_scene(tmp_path / "scene.json", posed)
    assert main(["export", str(tmp_path / "scene.json"), "-o", str(tmp_path / "out.bvh"), "--fingers"]) == 0
    assert len(joints_in(tmp_path / "out.bvh")) == 57
    dialog = ExportDialog(editor.session, Settings(), (800, 600), "bvh", editor.window)
    assert dialog.choice().fingers is False
    dialog.fingers.click()
    assert dialog.choice().fingers is True
    dialog.deleteLater()


def test_a_hand_that_turns_takes_its_fingers_along() -> None:
    character = new_document().characters[0]
    rig = body_of(character).whole_rig(character.shape)
    turned = np.array(character.pose.rotations)
    turned[SMPL_JOINTS.index("left_hand")] = from_rotation_vector([0.0, 0.0, 0.9])
    before = forward_kinematics(rig, as_whole_pose(rig, character.pose)).positions
    after = forward_kinematics(rig, as_whole_pose(rig, Pose(character.pose.root_position, turned))).positions
    moved = np.linalg.norm(after - before, axis=1) > 1e-3
    names = {name for name, far in zip(rig.names, moved, strict=True) if far}
    assert names == {f"left_{f}{i}" for f in ("index", "pinky", "ring", "thumb") for i in (1, 2, 3)} | {
        "left_middle2",
        "left_middle3",
    }
