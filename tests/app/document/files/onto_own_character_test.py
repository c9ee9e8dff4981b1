"""A character of ours goes onto the user's own file: which of its people, which name, what is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gltf_changes import exported, moving, posed
from odd_rigs import exchanged, lame, two_people, written

from app.document import edits
from app.document.exchange.onto.own_character import export_onto, own_character_in
from app.document.exchange.open_file import EXCHANGED, JointsUnclear, open_file
from app.document.exchange.skinned_export import export_skinned
from app.document.model.document import Character, Document
from app.document.posing.create import new_document
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.hand_presets import preset_hands
from solver.body.hands import relaxed_hands
from solver.errors import InputRefused
from solver.formats.bvh.file import BvhJointsUnknown
from solver.kinematics.rotations import geodesic_angle
from solver.rig.joint_map_file import NO_MAPS


def somebody() -> Character:
    return posed().characters[0]


def read(path: Path, place: int = 0) -> Character:
    edit = open_file(path).edit
    assert edit is not None
    return edit(Document()).characters[place]


def off(character: Character, other: Character) -> float:
    """Radians by which the joint is off that is off most; hands and feet are left out, which a rig may lack."""
    return float(geodesic_angle(character.pose.rotations[:20], other.pose.rotations[:20]).max())


def test_the_one_of_its_people_is_posed_whose_name_it_is_or_the_one_who_is_meant(tmp_path: Path) -> None:
    own = own_character_in(two_people(tmp_path / "team.bvh"))
    own = own._replace(names=["Ann", "Ben"])
    for name, person, place, said in (
        ("Ben", None, 1, "team.bvh holds 2 people: Ben is posed, the other one stays."),
        ("Zoe", None, 0, "team.bvh holds 2 people: Ann is posed, the other one stays."),
        ("Ann", 1, 1, ""),
        ("Ann", 7, 0, "team.bvh holds 2 people: Ann is posed, the other one stays."),
    ):
        who = replace(somebody(), name=name)
        assert export_onto(tmp_path / "new.bvh", who, own, person=person).hint == said
        assert off(read(tmp_path / "new.bvh", place), who) < np.radians(0.1)
        assert off(read(tmp_path / "new.bvh", 1 - place), who) > np.radians(5)


def test_a_whole_motion_has_the_fingers_as_they_were_posed(tmp_path: Path) -> None:
    (rig,) = export_skinned(tmp_path / "rig.glb", posed().characters, fingers=True)
    (who,) = moving().characters
    fist = preset_hands("fist", load_body(DEFAULT_BODY))
    export_onto(tmp_path / "fist.glb", replace(who, hands=fist), own_character_in(rig), whole_motion=True)
    export_onto(tmp_path / "usual.glb", who, own_character_in(rig), whole_motion=True)
    held = read(tmp_path / "fist.glb").hands
    assert held is not None
    assert geodesic_angle(held.rotations, fist.rotations).max() < np.radians(0.5)
    assert read(tmp_path / "usual.glb").hands != held


def test_a_whole_motion_or_the_pose_that_is_shown(tmp_path: Path) -> None:
    own, (who,) = own_character_in(exported(tmp_path, posed())), moving().characters
    export_onto(tmp_path / "motion.glb", who, own, whole_motion=True)
    assert len(read(tmp_path / "motion.glb").clip) == len(who.clip)
    export_onto(tmp_path / "pose.vrm", who, own)
    pose = read(tmp_path / "pose.vrm")
    assert (len(pose.clip), off(pose, who) < np.radians(0.1)) == (1, True)
    still = new_document().characters[0]
    export_onto(tmp_path / "still.glb", still, own, whole_motion=True)
    assert off(read(tmp_path / "still.glb"), still) < np.radians(0.1)


def test_fingers_go_along_once_they_were_posed(tmp_path: Path) -> None:
    (rig,) = export_skinned(tmp_path / "a.glb", posed().characters, fingers=True)
    own, who = own_character_in(rig), somebody()
    fist = replace(who, hands=preset_hands("fist", load_body(DEFAULT_BODY)))
    for name, character, posed_fingers in (("relaxed", who, False), ("fist", fist, True)):
        back = read(export_onto(tmp_path / f"{name}.glb", character, own).file).hands
        assert back is not None
        assert character.hands is not None
        fingers = geodesic_angle(back.rotations, fist.hands.rotations).max()  # type: ignore[union-attr]
        assert (fingers < np.radians(2)) == posed_fingers


def with_moving_fingers() -> Character:
    """Somebody who makes a fist over nine frames; in the first the fingers are as every new person's."""
    fist = preset_hands("fist", load_body(DEFAULT_BODY))
    document = edits.set_clip_length("c1", 9)(new_document()).at_frame("c1", 8)
    return edits.set_hands("c1", fist)(document).at_frame("c1", 0).characters[0]


def test_fingers_that_are_posed_at_one_frame_go_along_at_all_of_them(tmp_path: Path) -> None:
    (rig,) = export_skinned(tmp_path / "a.glb", [replace(somebody(), hands=None)], fingers=True)  # they are stretched
    own, who = own_character_in(rig), with_moving_fingers()
    whole = read(export_onto(tmp_path / "motion.glb", who, own, whole_motion=True).file)
    first = read(export_onto(tmp_path / "frame.glb", who, own).file)
    for back in (whole, first):
        assert back.hands is not None
        assert geodesic_angle(back.hands.rotations, relaxed_hands().rotations).max() < np.radians(2)


def test_names_that_would_replace_the_file_or_say_another_kind_are_refused(tmp_path: Path) -> None:
    rig = written(tmp_path / "hero.bvh")
    own, before = own_character_in(rig), rig.read_bytes()
    with pytest.raises(InputRefused, match="is your character's own file, which would be replaced. Give another name"):
        export_onto(rig, somebody(), own)
    with pytest.raises(InputRefused, match=r"the posed hero\.bvh is a BVH file. Give it a name that ends in \.bvh"):
        export_onto(tmp_path / "hero.glb", somebody(), own)
    glb = own_character_in(exported(tmp_path, posed()))
    with pytest.raises(InputRefused, match=r"the posed a\.glb is a GLB file. Give it a name that ends in \.glb"):
        export_onto(tmp_path / "new.bvh", somebody(), glb)
    assert rig.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.glb", "hero.bvh"]


def test_a_file_that_is_not_a_character_is_refused(tmp_path: Path) -> None:
    (tmp_path / "chair.obj").write_text("v 0 0 0\n")
    with pytest.raises(InputRefused, match="is not a character with a skeleton. Choose a BVH, GLB, glTF or VRM file"):
        own_character_in(tmp_path / "chair.obj")


def test_sides_that_look_exchanged_are_asked_about_or_said(tmp_path: Path) -> None:
    rig = exchanged(tmp_path / "hero.bvh")
    with pytest.raises(JointsUnclear) as unclear:
        own_character_in(rig, NO_MAPS, ask_joints=True)
    assert len(unclear.value.questions) == 1
    assert export_onto(tmp_path / "new.bvh", somebody(), own_character_in(rig)).hint == EXCHANGED


def test_joints_that_nobody_knows_are_asked_about_or_refused(tmp_path: Path) -> None:
    strange = lame(tmp_path / "strange.bvh")
    with pytest.raises(BvhJointsUnknown):
        own_character_in(strange)
    with pytest.raises(JointsUnclear):
        own_character_in(strange, NO_MAPS, ask_joints=True)
