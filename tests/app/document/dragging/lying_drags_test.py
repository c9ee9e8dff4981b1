"""People who lie or sit on the floor stay down while something else of theirs is dragged; their feet follow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.document import edits
from app.document.library.shelf import shelf_of
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_character
from app.document.posing.fitting_effectors import lies_on_floor
from app.document.scene_file.io import load_scene, save_scene
from scripts.drags.contact_depths import FIRST
from scripts.drags.lying_drags import PULLS, Pull, drag, entries, is_within_reach, taken
from scripts.drags.tipped_falls import drag_tipped, tipped_or_posed
from solver.resources import resource_folder
from solver.rig.roles import Role

SOLVERS = ("dls", "smplik")
UP = (0.0, 0.7, 0.0)  # metres


def lying(name: str, solver: str = "dls", body: str = "male") -> Document:
    (entry,) = entries([name])
    return taken(entry, body, solver)


def test_ankles_that_an_older_scene_has_strict_in_somebody_who_lies_stay_strict_when_it_is_opened(
    tmp_path: Path,
) -> None:
    document = lying("Lie on the back")
    ankles = [e.id for e in document.character(FIRST).effectors if e.joint in ("left_ankle", "right_ankle")]
    assert all(document.character(FIRST).effector(id).loose for id in ankles)
    save_scene(tmp_path / "scene.json", edits.make_strict(FIRST, ankles)(document))
    opened = load_scene(tmp_path / "scene.json").character(FIRST)
    assert lies_on_floor(opened, opened.pose)
    assert not any(opened.effector(id).loose for id in ankles)


def standing() -> Character:
    return replace(new_character(Document(), solid_floor=True), id=FIRST)


def test_whoever_kneels_does_not_sit_on_the_floor_with_the_skin_at_the_knee() -> None:
    folders = {"Kneeling": False, "Sitting on the floor": True}
    found = [entry for entry in shelf_of(resource_folder("assets", "poses")).entries if entry.folder in folders]
    for entry in found:
        person = taken(entry, "neutral", "dls").character(FIRST)
        assert lies_on_floor(person, person.pose) == folders[entry.folder], entry.name
    assert {entry.folder for entry in found} == set(folders)


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_back_stays_down_and_the_foot_slides_in_as_a_knee_is_dragged_up(solver: str) -> None:
    before = lying("Lie on the back", solver)
    after, moves = drag(before, PULLS["left knee up"])
    assert moves.left[0] < 0.01
    assert moves.turned[0] < np.radians(10)
    assert moves.missed[0] < 1e-3
    ankle = skeleton_of(after.character(FIRST)).index("left_ankle")
    was, now = (joints_of(each.character(FIRST)).positions[ankle] for each in (before, after))
    assert np.linalg.norm(now - was) > 0.1
    assert now[1] - was[1] < 0.05, "it stays on the floor"


@pytest.mark.sweep
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("pose", ["Lie face down", "Sleep on the side", "Lie, knees up", "Starfish"])
def test_somebody_who_lies_stays_down_as_an_arm_is_lifted(solver: str, pose: str) -> None:
    _, moves = drag(lying(pose, solver), PULLS["right wrist up"])
    assert moves.left[0] < 0.02
    assert moves.turned[0] < np.radians(10)
    assert moves.missed[0] < 1e-3


def test_a_seat_stays_on_the_floor_as_a_hand_reaches_for_the_knee() -> None:
    _, moves = drag(lying("Straddle sit", "smplik"), PULLS["left hand to right knee"])
    assert moves.left[0] < 0.03
    assert moves.missed[0] < 1e-3


def test_a_pelvis_that_is_dragged_up_takes_the_trunk_off_the_floor() -> None:
    _, moves = drag(lying("Lie on the back", "smplik"), Pull(Role.PELVIS, (0.0, 0.7, 0.0)))
    assert moves.missed[0] < 1e-3
    assert moves.left[0] > 0.3


def test_a_trunk_slides_along_the_floor_with_the_pelvis() -> None:
    before = lying("Lie on the back", "smplik")
    after, moves = drag(before, Pull(Role.PELVIS, (0.4, 0.0, 0.0)))
    assert moves.left[0] < 0.02
    chest = skeleton_of(after.character(FIRST)).index("spine3")
    was, now = (joints_of(each.character(FIRST)).positions[chest] for each in (before, after))
    assert now[0] - was[0] > 0.3


def test_ankles_follow_once_somebody_lies_and_are_held_again_once_up() -> None:
    person = lying("Lie on the back").character(FIRST)
    ankles = [e for e in person.effectors if e.joint.endswith("ankle")]
    assert len(ankles) == 4
    assert all(e.loose for e in ankles)
    upright = edits.paste_pose(FIRST, standing())(Document().with_characters((person,))).character(FIRST)
    assert not lies_on_floor(upright, upright.pose)
    assert not any(e.loose for e in upright.effectors if e.joint.endswith("ankle"))


def test_an_ankle_that_was_touched_stays_strict_from_one_lying_pose_to_the_next() -> None:
    document = lying("Lie on the back")
    person = document.character(FIRST)
    touched = next(e.id for e in person.effectors if e.joint == "left_ankle")
    document = edits.make_strict(FIRST, [touched])(document)
    other = lying("Lie, knees up").character(FIRST)
    after = edits.paste_pose(FIRST, other)(document).character(FIRST)
    assert not after.effector(touched).loose


def test_somebody_tipped_onto_the_floor_has_feet_that_follow() -> None:
    document = Document().with_characters((standing(),))
    over = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    fallen = edits.tip_over([document.characters[0]], over)(document).characters[0]
    assert lies_on_floor(fallen, fallen.pose)
    assert all(e.loose for e in fallen.effectors if e.joint.endswith("ankle"))


def test_a_drag_that_only_getting_up_could_follow_is_no_ordinary_one() -> None:
    document = lying("Lie on the back")
    assert is_within_reach(document, PULLS["left knee up"])
    assert not is_within_reach(document, Pull(Role.LEFT_KNEE, (0.0, 0.6, 0.0)))


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_trunk_that_lies_gives_way_where_a_knee_would_be_missed(solver: str) -> None:
    _, moves = drag(lying("Lie, knees up", solver), PULLS["left knee up"])
    assert moves.missed[0] < 1e-3


def test_a_back_that_is_pressed_into_the_floor_throws_no_leg() -> None:
    _, moves = drag(lying("Lie on the back"), Pull(Role.PELVIS, (0.0, -0.06, 0.0)))
    assert max(moves.steps) < 0.02


def test_whoever_is_pulled_up_from_a_bed_gets_up_evenly_with_the_trunk() -> None:
    rises = drag_tipped(tipped_or_posed("pulled up from a bed, Lie, knees up", "male", "smplik"), Role.PELVIS, UP)
    assert max(rises.steps) < 0.1
    assert rises.turned[0] > 45.0


def test_whoever_is_prone_on_the_elbows_on_a_bed_turns_no_further_than_a_hand_takes_them() -> None:
    prone = tipped_or_posed("on a bed, Prone on the elbows", "male", "smplik")
    assert drag_tipped(prone, Role.LEFT_WRIST, (0.0, 0.1, 0.0)).turned[0] < 8.0
