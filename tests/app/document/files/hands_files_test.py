"""Fingers that move, in files: BVH of several programs, SMPL's .npz, pose JSON and GLB, and back again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from document_samples import only
from gltf_reader import read_glb
from motion_samples import strolling

from app.document import edits
from app.document.exchange.export import export_bvh, export_pose_json, export_smpl
from app.document.exchange.open_file import open_file
from app.document.exchange.skinned_export import export_skinned
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.model.finger_curve import hands_at_frames, hands_move
from app.document.over_time.shown_motion import shown_hands
from app.document.posing.create import new_document
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.finger_chain import fingers_in_world
from solver.body.floor import posed_vertices
from solver.body.hand_presets import preset_hands
from solver.body.hands import HandMotion, Hands, relaxed_hands, skin_with
from solver.errors import InputRefused
from solver.formats.bvh.fingers import bvh_hands, finger_joints
from solver.formats.bvh.read import parse_bvh
from solver.formats.smpl.motion import smpl_hands
from solver.formats.smpl.npz import read_smpl_npz
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle, to_rotation_vector

BODY = load_body("anny")
FRAMES = 8


def fingering() -> Document:
    """Somebody who strolls, closes both hands meanwhile, and spreads them at the fifth frame."""
    fist = preset_hands("fist", BODY)
    ways = [relaxed_hands().mixed(fist, share) for share in np.linspace(0, 1, FRAMES)]
    hands = HandMotion(np.stack([to_rotation_vector(way.rotations) for way in ways]))
    document = edits.import_motion("c1", strolling(FRAMES), hands=hands)(new_document())
    return edits.set_hands("c1", preset_hands("spread", BODY))(document.at_frame("c1", 4)).at_frame("c1", 2)


def opened(path: Path) -> Document:
    edit = open_file(path).edit
    assert edit is not None
    return edit(Document())


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """Degrees by which finger joints of two documents differ at most."""
    return float(np.degrees(geodesic_angle(one, other)).max())


def points(document: Document, frame: int) -> np.ndarray:
    """(2, 5, 4, 3) metres, where the fingers are in the world at a frame."""
    character = only(document.at({only(document).id: frame}))
    hands = character.hands
    assert hands is not None
    return fingers_in_world(BODY, character.shape, hands, joints_of(character))


def fingers(document: Document) -> np.ndarray:
    return hands_at_frames(only(document).clip)


@pytest.mark.parametrize("names", ["smpl", "humanik", "mixamo"])
def test_bvh_brings_every_frame_of_the_fingers_back(tmp_path: Path, names: str) -> None:
    document = fingering()
    (file,) = export_bvh(tmp_path / "a.bvh", document.characters, names, whole_motion=True, fingers=True)
    again = opened(file)
    assert hands_move(only(again).clip)
    assert apart(fingers(again), fingers(document)) < 0.1
    assert only(again).clip.keys[0].hands == only(again).hands


UNREAL = {"thumb": "thumb_0{}_{}", "index": "index_0{}_{}", "middle": "middle_0{}_{}", "ring": "ring_0{}_{}",
          "pinky": "pinky_0{}_{}"}  # fmt: skip


def _unreal(finger: str, part: int, side: str) -> str:
    return UNREAL[finger].format(part, side[0])


def _vrm(finger: str, part: int, side: str) -> str:
    name = {"pinky": "Little"}.get(finger, finger.capitalize())
    return f"{side.capitalize()}{name}{('Proximal', 'Intermediate', 'Distal')[part - 1]}"


def _biped(finger: str, part: int, side: str) -> str:
    number = ("thumb", "index", "middle", "ring", "pinky").index(finger)
    return f"Bip01 {side[0].upper()} Finger{number}{'' if part == 1 else part - 1}".replace(" ", "_")


@pytest.mark.parametrize("spell", [_unreal, _vrm, _biped], ids=["unreal", "vrm", "biped"])
def test_fingers_are_known_by_the_names_of_other_programs(tmp_path: Path, spell) -> None:  # type: ignore[no-untyped-def]
    document = fingering()
    (file,) = export_bvh(tmp_path / "a.bvh", document.characters, "humanik", whole_motion=True, fingers=True)
    text = file.read_text()
    for side in ("left", "right"):
        for finger in UNREAL:
            for part in (1, 2, 3):
                name = f"{side.capitalize()}Hand{finger.capitalize()}{part}"
                text = text.replace(f"{name}\n", f"{spell(finger, part, side)}\n")
    file.write_text(text)
    assert apart(fingers(opened(file)), fingers(document)) < 0.1


def test_a_bvh_file_whose_fingers_stay_at_rest_says_nothing_of_them(tmp_path: Path) -> None:
    document = edits.import_motion("c1", strolling(FRAMES), hands=Hands(np.tile(np.eye(3), (30, 1, 1))))(new_document())
    (file,) = export_bvh(tmp_path / "a.bvh", document.characters, whole_motion=True, fingers=True)
    assert only(opened(file)).hands == relaxed_hands()


def test_a_file_with_the_fingers_of_one_hand_leaves_the_other_at_ease(tmp_path: Path) -> None:
    document = fingering()
    (file,) = export_bvh(tmp_path / "a.bvh", document.characters, whole_motion=True, fingers=True)
    text = file.read_text()
    for finger in UNREAL:
        text = text.replace(f"JOINT right_{finger}", "JOINT right_other")
    file.write_text(text)
    again = fingers(opened(file))
    assert apart(again[:, :15], fingers(document)[:, :15]) < 0.1
    assert apart(again[:, 15:], np.tile(relaxed_hands().rotations[15:], (FRAMES, 1, 1, 1))) < 0.1


def test_bones_of_fingers_that_stand_another_way_at_rest_point_where_the_files_do(tmp_path: Path) -> None:
    """A motion comes back as it was from a skeleton whose left index finger rests bent by a right angle."""
    document = fingering()
    (file,) = export_bvh(tmp_path / "a.bvh", document.characters, "mixamo", whole_motion=True, fingers=True)
    lines = file.read_text().splitlines()
    place = next(i for i, line in enumerate(lines) if line.endswith("mixamorig:LeftHandIndex2"))
    x, y, z = map(float, lines[place + 2].split()[1:])
    lines[place + 2] = f"\\tOFFSET {y} {-x} {z}".replace("\\t", "\t")
    file.write_text("\n".join(lines))
    again = opened(file)
    before, after = points(document, 6), points(again, 6)
    bones = [p[0, 1, 1] - p[0, 1, 0] for p in (before, after)]
    turned = np.degrees(np.arccos(bones[0] @ bones[1] / np.prod([np.linalg.norm(b) for b in bones])))
    assert turned > 60, "the finger of the file points elsewhere"
    assert apart(fingers(again)[:, 3:], fingers(document)[:, 3:]) < 0.1


def test_npz_brings_every_frame_of_the_fingers_back_with_hands_that_do_not_turn(tmp_path: Path) -> None:
    document = fingering()
    (file,) = export_smpl(tmp_path / "a.npz", document.characters, whole_motion=True)
    again = opened(file)
    assert apart(fingers(again), fingers(document)) < 0.1
    assert again.actors[0].clip.source.motion.rotations[:, 22:] == pytest.approx(  # type: ignore[union-attr]
        np.broadcast_to(np.eye(3), (FRAMES, 2, 3, 3)), abs=1e-6
    )


def test_pose_json_brings_every_frame_of_the_fingers_back(tmp_path: Path) -> None:
    document = fingering()
    export_pose_json(tmp_path / "a.json", document, whole_motion=True)
    again = opened(tmp_path / "a.json")
    assert apart(fingers(again), fingers(document)) < 0.1
    assert only(again).frame == 2
    content = json.loads((tmp_path / "a.json").read_text())
    del content["people"][0]["motion"]["hands"]
    (tmp_path / "one.json").write_text(json.dumps(content))
    one = only(opened(tmp_path / "one.json"))
    assert not hands_move(one.clip)
    assert one.hands is not None
    assert apart(one.hands.rotations, fingers(document)[2]) < 0.1


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("joints", ["left_toe"], "not joints of fingers"),
        ("joints", ["left_index1", "left_index1"], "not joints of fingers"),
        ("rotations", [], "has 0 frames"),
    ],
)
def test_fingers_in_pose_json_that_do_not_fit_are_refused_by_their_place(
    tmp_path: Path, key: str, value: list[object], says: str
) -> None:
    export_pose_json(tmp_path / "a.json", fingering(), whole_motion=True)
    content = json.loads((tmp_path / "a.json").read_text())
    content["people"][0]["motion"]["hands"][key] = value
    (tmp_path / "a.json").write_text(json.dumps(content))
    with pytest.raises(InputRefused, match=says) as refused:
        opened(tmp_path / "a.json")
    assert "motion.hands" in str(refused.value)


def test_glb_plays_the_fingers(tmp_path: Path) -> None:
    document = fingering()
    (file,) = export_skinned(tmp_path / "a.glb", document.characters, whole_motion=True, fingers=True)
    gltf = read_glb(file)
    for frame in (0, 3, 4, 7):
        character = only(document.at_frame("c1", frame))
        rest = skin_with(BODY, character.shape, character.hands)
        skin = posed_vertices(BODY, character.shape, character.pose, rest=rest)
        away = np.linalg.norm(gltf.skin_at(frame / 30.0) - skin, axis=1)
        assert np.median(away) < 1e-4
        assert away.max() < 0.012, "where fingers and wrist share a vertex"


def test_what_is_exported_of_somebody_whose_hands_are_still_is_one_way(tmp_path: Path) -> None:
    assert shown_hands(only(new_document())) == relaxed_hands()
    (file,) = export_smpl(tmp_path / "a.npz", new_document().characters)
    assert apart(only(opened(file)).hands.rotations, relaxed_hands().rotations) < 0.1  # type: ignore[union-attr]


def test_a_file_of_the_24_joints_says_nothing_of_fingers(tmp_path: Path) -> None:
    (file,) = export_bvh(tmp_path / "a.bvh", fingering().characters, whole_motion=True)
    assert only(opened(file)).hands == relaxed_hands()
    assert not hands_move(only(opened(file)).clip)
    bare = edits.import_motion("c1", strolling(FRAMES), hands=Hands(np.tile(np.eye(3), (30, 1, 1))))(new_document())
    (file,) = export_smpl(tmp_path / "a.npz", bare.characters, whole_motion=True)
    assert only(opened(file)).hands == relaxed_hands()


def test_every_other_frame_of_a_file_has_its_fingers(tmp_path: Path) -> None:
    (path,) = export_smpl(tmp_path / "a.npz", fingering().characters, whole_motion=True)
    file = read_smpl_npz(path)
    every, other = smpl_hands(file), smpl_hands(file.thinned(2))
    assert isinstance(every, HandMotion)
    assert isinstance(other, HandMotion)
    assert len(other) == FRAMES // 2
    assert np.array_equal(other.vectors, every.vectors[::2])
    flat = replace(file, fingers=None)
    assert smpl_hands(flat.thinned(2)) is None


def test_a_hand_that_turned_as_one_piece_goes_on_doing_so(tmp_path: Path) -> None:
    character = only(new_document())
    turned = np.array(character.pose.rotations)
    turned[22] = from_rotation_vector(np.array([0.0, 0.0, 0.4]))
    pose = Pose(character.pose.root_position, turned)
    at_rest = Hands(np.tile(np.eye(3), (30, 1, 1)))
    (file,) = export_smpl(tmp_path / "a.npz", [replace(character, pose=pose, hands=at_rest)])
    again = only(opened(file))
    assert again.pose.rotations[22] == pytest.approx(turned[22], abs=1e-5)
    assert again.hands == relaxed_hands()


def test_where_a_files_rest_pose_is_no_stance_fingers_are_left_alone(tmp_path: Path) -> None:
    """Every bone of the skeleton along one line tells nothing of how fingers stand."""
    (path,) = export_bvh(tmp_path / "a.bvh", fingering().characters, "mixamo", whole_motion=True, fingers=True)
    lines = []
    for line in path.read_text().splitlines():
        if line.strip().startswith("OFFSET"):
            length = np.linalg.norm(np.array(line.split()[1:], float))
            line = f"{line[: line.index('OFFSET')]}OFFSET 0.0 {length:.6f} 0.0"
        lines.append(line)
    bvh = parse_bvh("\n".join(lines), "a.bvh")
    assert finger_joints(bvh)
    assert bvh_hands(bvh, BODY.whole_rig(BodyShape())) is None


@pytest.mark.parametrize("names", ["smpl", "mixamo"])
def test_a_glb_skeleton_holds_its_fingers_as_it_stands(tmp_path: Path, names: str) -> None:
    document = fingering()
    (file,) = export_skinned(tmp_path / "a.glb", document.characters, names=names, fingers=True)
    held = only(opened(file)).hands
    assert held is not None
    assert apart(held.rotations, fingers(document)[2]) < 0.1
