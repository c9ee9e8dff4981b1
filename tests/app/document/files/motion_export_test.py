"""Motions are exported as they are shown: the source, its placement and every key; still people hold still."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from body_samples import official
from document_samples import random_pose
from gltf_reader import read_glb

from app.cli.main import main
from app.document import edits
from app.document.exchange.export import export_bvh, export_pose_json, export_smpl
from app.document.exchange.open_file import open_file
from app.document.exchange.skinned_export import export_skinned
from app.document.model.document import Document
from app.document.model.figure import body_of, joints_of
from app.document.model.finger_curve import hands_at_frames
from app.document.model.prop import Prop
from app.document.model.prop_clip import PropClip, PropKey
from app.document.over_time.in_betweens import document_completed
from app.document.over_time.retiming.cut import cut_to
from app.document.over_time.shown_motion import shown_motion
from app.document.posing.create import new_character, new_document
from app.document.posing.fingertips import with_hands_throughout
from app.document.scene_file.io import save_scene
from solver.body.body import GENDERS, BodyShape
from solver.body.catalog import VARIANTS, official_body_id
from solver.body.floor import posed_vertices
from solver.body.hands import HandMotion
from solver.formats.pose_json.write import read_pose_json
from solver.kinematics.pose import Motion

FRAMES = 5


@pytest.fixture
def edited() -> Document:
    """Somebody who walks, stands elsewhere, and was posed by hand at the third frame, which is looked at; and another
    one who stands still."""
    rng = np.random.default_rng(3)
    poses = [random_pose(rng, 0.3) for _ in range(FRAMES)]
    motion = Motion(np.stack([p.root_position for p in poses]), np.stack([p.rotations for p in poses]), 24.0)
    document = edits.import_motion("c1", motion)(new_document())
    document = edits.move_character("c1", (0.5, 0.0, -0.2))(document)
    document = edits.turn_character("c1", 0.7)(document).at({"c1": 2})
    document = edits.set_pose("c1", random_pose(rng, 0.4))(document)
    document = edits.add_character(new_character(document, name="Still"))(document)
    return document_completed(document).at({"c1": 2})


def shown_joints(document: Document, id: str = "c1") -> np.ndarray:
    """(F, J, 3) metres, as the window shows them frame by frame."""
    frames = range(len(document.actor(id).clip))
    return np.stack([joints_of(document.actor(id).at(frame)).positions for frame in frames])


def test_a_motion_is_what_is_shown_frame_by_frame(edited: Document) -> None:
    character = edited.character("c1")
    motion = shown_motion(character)
    assert motion is not None
    posed = [joints_of(replace(character, pose=motion.pose(frame))).positions for frame in range(FRAMES)]
    assert np.stack(posed) == pytest.approx(shown_joints(edited), abs=1e-6)
    assert motion.fps == 24.0
    assert shown_motion(edited.character("c2")) is None


def test_keys_without_a_source_are_a_motion_too() -> None:
    document = new_document()
    rng = np.random.default_rng(5)
    clip = document.actor("c1").clip
    key = replace(clip.keys[0], frame=4, pose=random_pose(rng, 0.4))
    actor = replace(document.actor("c1"), clip=replace(clip, keys=(clip.keys[0], key), fps=12.0))
    document = document_completed(replace(document, actors=(actor,)))
    actor = document.actor("c1")
    motion = shown_motion(document.character("c1"))
    assert motion is not None
    assert (len(motion), motion.fps) == (5, 12.0)
    for frame in range(5):
        assert np.array_equal(motion.pose(frame).rotations, actor.at(frame).pose.rotations)


def test_a_pose_file_takes_every_frame_along_and_opens_as_that_motion(edited: Document, tmp_path: Path) -> None:
    export_pose_json(tmp_path / "poses.json", edited, whole_motion=True)
    opened = open_file(tmp_path / "poses.json")
    assert opened.edit is not None
    again = opened.edit(Document())
    assert [c.name for c in again.characters] == [c.name for c in edited.characters]
    assert again.character("c1").frame == 2
    assert again.actor("c1").clip.fps == 24.0
    assert shown_joints(again) == pytest.approx(shown_joints(edited), abs=1e-5)
    assert len(again.actor("c2").clip) == 1
    held = [[e.kind for e in document.character("c1").effectors] for document in (again, edited)]
    assert held[0] == held[1]


def test_a_pose_file_goes_to_the_chosen_person(edited: Document, tmp_path: Path) -> None:
    alone = edited.with_characters(edited.characters[:1])
    export_pose_json(tmp_path / "ann.json", alone, whole_motion=True)
    opened = open_file(tmp_path / "ann.json", "c2")
    assert opened.edit is not None
    after = opened.edit(edited)
    assert shown_joints(after, "c2") == pytest.approx(shown_joints(edited, "c1"), abs=1e-5)


def test_the_frame_shown_keeps_the_base_pose_that_was_set(edited: Document, tmp_path: Path) -> None:
    based = edits.on_character("c1", lambda c: replace(c, base_pose=random_pose(np.random.default_rng(8), 0.2)))(edited)
    export_pose_json(tmp_path / "a.json", based, whole_motion=True)
    opened = open_file(tmp_path / "a.json")
    assert opened.edit is not None
    again = opened.edit(Document()).character("c1")
    assert again.base_pose.rotations == pytest.approx(based.character("c1").base_pose.rotations, abs=1e-6)
    assert again.pose.rotations == pytest.approx(based.character("c1").pose.rotations, abs=1e-6)


@pytest.mark.slow
def test_the_command_line_writes_motions_where_it_is_asked(edited: Document, tmp_path: Path) -> None:
    save_scene(tmp_path / "scene.json", edited)
    for flags, frames in ((["--motion"], FRAMES), ([], None)):
        target = tmp_path / "out.json"
        assert main(["export", str(tmp_path / "scene.json"), "-o", str(target), *flags]) == 0
        first, second = read_pose_json(target).people
        assert (None if first.motion is None else len(first.motion)) == frames
        assert second.motion is None


@pytest.mark.sweep
@pytest.mark.parametrize("height", [-2.0, 0.0, 2.0])
def test_an_amass_file_of_our_body_opens_as_that_motion(edited: Document, tmp_path: Path, height: float) -> None:
    betas = np.zeros(10, np.float32)
    betas[0] = height
    document = document_completed(edits.set_shape("c1", BodyShape(betas))(edited))
    (file,) = export_smpl(tmp_path / "walk.npz", document.characters[:1], whole_motion=True)
    opened = open_file(file, "c1")
    assert opened.edit is not None
    again = opened.edit(document)
    assert shown_joints(again) == pytest.approx(shown_joints(document), abs=1e-4)
    assert again.actor("c1").clip.fps == 24.0


@pytest.mark.sweep
@pytest.mark.parametrize("gender", GENDERS)
@pytest.mark.parametrize("suffix", ["bvh", "npz"])
def test_what_was_written_opens_as_somebody_new_of_the_same_body_and_every_joint_is_where_it_was(
    edited: Document, tmp_path: Path, suffix: str, gender: str
) -> None:
    shape = BodyShape(np.random.default_rng(4).normal(size=10).astype(np.float32), gender)
    document = document_completed(edits.set_shape("c1", shape)(edited))
    write = export_smpl if suffix == "npz" else partial(export_bvh, names="smpl", unit="cm")
    (file,) = write(tmp_path / f"walk.{suffix}", document.characters[:1], whole_motion=True)
    opened = open_file(file)
    assert opened.edit is not None
    again = opened.edit(Document())
    assert again.characters[0].shape.gender == gender
    assert again.characters[0].shape.betas == pytest.approx(shape.betas, abs=0.005)
    assert shown_joints(again, again.characters[0].id) == pytest.approx(shown_joints(document), abs=1e-4)


WRITERS = {"npz": export_smpl, "glb": export_skinned}


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_child_in_a_file_of_this_program_opens_as_that_child_in_its_place(suffix: str, tmp_path: Path) -> None:
    child = new_character(Document(), "Ben", "anny:child", BodyShape(gender="female"))
    placed = edits.move_character(child.id, (1.4, 0.3, -0.5))(edits.add_character(child)(Document()))
    (file,) = WRITERS[suffix](tmp_path / f"out.{suffix}", placed.characters)
    opened = open_file(file)
    assert opened.edit is not None
    again = opened.edit(Document())
    assert (again.characters[0].body, again.characters[0].shape.gender) == ("anny:child", "female")
    assert again.characters[0].name == "Ben", "whatever the file is called"
    assert shown_joints(again, again.characters[0].id) == pytest.approx(shown_joints(placed, child.id), abs=1e-4)


@pytest.mark.parametrize("body", VARIANTS)
@pytest.mark.parametrize(("names", "unit"), [("smpl", "m"), ("mixamo", "cm")])
def test_the_bones_of_a_bvh_file_say_whether_it_is_a_child(body: str, names: str, unit: str, tmp_path: Path) -> None:
    person = new_character(Document(), "Ben", body, BodyShape(gender="female"))
    placed = edits.move_character(person.id, (1.4, 0.3, -0.5))(edits.add_character(person)(Document()))
    (file,) = export_bvh(tmp_path / "out.bvh", placed.characters, names, unit)
    opened = open_file(file)
    assert opened.edit is not None
    again = opened.edit(Document()).characters[0]
    assert (again.body, again.shape) == (body, person.shape)
    assert joints_of(again).positions == pytest.approx(joints_of(person).positions + (1.4, 0.3, -0.5), abs=1e-4)


@pytest.mark.parametrize(("kind", "width"), [("SMPL", 156), ("SMPLX", 165)])
def test_an_official_body_keeps_its_betas_and_its_own_origin(
    edited: Document, tmp_path: Path, kind: str, width: int
) -> None:
    """`trans` is where SMPL has it: the pelvis' place less the rest pelvis of the file itself."""
    pytest.importorskip("smplx")
    model = official(kind)
    np.savez(tmp_path / f"{kind}_NEUTRAL.npz", **model)  # type: ignore[arg-type]
    shape = BodyShape(np.linspace(-1, 1, 10).astype(np.float32))
    character = new_character(edited, "Own", official_body_id(tmp_path), shape)
    (file,) = export_smpl(tmp_path / "own.npz", [character])
    with np.load(file) as arrays:
        assert arrays["poses"].shape == (1, width)
        assert arrays["betas"][:10] == pytest.approx(shape.betas)
        x, y, z = character.pose.root_position
        rest = model["J_regressor"][0] @ (model["v_template"] + model["shapedirs"][..., :10] @ shape.betas)
        assert arrays["trans"][0] == pytest.approx([x, -z, y] - rest, abs=1e-5)


def test_the_command_line_writes_a_file_for_each_as_amass_has_it(edited: Document, tmp_path: Path) -> None:
    save_scene(tmp_path / "scene.json", edited)
    assert main(["export", str(tmp_path / "scene.json"), "-o", str(tmp_path / "both.npz"), "--motion"]) == 0
    frames = [len(np.load(tmp_path / f"both_{name}.npz")["trans"]) for name in ("Person 1", "Still")]
    assert frames == [FRAMES, 1]


@pytest.mark.parametrize("fingers", [False, True])
def test_a_glb_file_shows_the_frame_looked_at_and_plays_every_frame(
    edited: Document, tmp_path: Path, fingers: bool
) -> None:
    flat = document_completed(edited.with_character(with_hands_throughout(edited.character("c1"), None)))
    character = flat.character("c1")
    body = body_of(character)
    (file,) = export_skinned(tmp_path / "ann.glb", [character], whole_motion=True, fingers=fingers)
    gltf = read_glb(file)
    shown = [posed_vertices(body, character.shape, flat.actor("c1").at(frame).pose) for frame in range(FRAMES)]
    assert np.abs(gltf.skin_at() - shown[2]).max() < 1e-4
    for frame, skin in enumerate(shown):
        assert np.abs(gltf.skin_at(frame / 24.0) - skin).max() < 1e-4
    assert len(gltf.joints_at()) == (57 if fingers else 24)


def test_a_glb_file_of_a_still_person_has_no_animation_and_the_colours_of_the_view(
    edited: Document, tmp_path: Path
) -> None:
    files = export_skinned(
        tmp_path / "all.glb", edited.characters, ("#ffffff", "#000000"), whole_motion=True, together=False
    )
    assert [file.name for file in files] == ["all_Person 1.glb", "all_Still.glb"]
    content = read_glb(files[1]).content
    assert "animations" not in content
    colors = {m["name"]: m["pbrMetallicRoughness"]["baseColorFactor"] for m in content["materials"]}
    assert colors == {"skin": [1.0, 1.0, 1.0, 1.0], "suit": [0.0, 0.0, 0.0, 1.0]}
    counts = [content["accessors"][p["indices"]]["count"] for p in content["meshes"][0]["primitives"]]
    assert sum(counts) == body_of(edited.characters[1]).faces.size


def test_two_who_fight_and_one_who_looks_on_in_one_glb_file_come_back_as_they_were(
    edited: Document, tmp_path: Path
) -> None:
    rng = np.random.default_rng(8)
    poses = [random_pose(rng, 0.4) for _ in range(FRAMES)]
    motion = Motion(np.stack([p.root_position for p in poses]), np.stack([p.rotations for p in poses]), 24.0)
    ben = new_character(edited, "Ben", "anny:child", BodyShape(gender="male"))
    fight = edits.import_motion(ben.id, motion)(edits.add_character(ben)(edited))
    fight = edits.turn_character(ben.id, -2.0)(edits.move_character(ben.id, (0.4, 0.0, 0.9))(fight))
    (file,) = export_skinned(tmp_path / "fight.glb", fight.characters, whole_motion=True, fingers=True)
    opened = open_file(file)
    assert opened.edit is not None
    again = opened.edit(Document())
    assert [character.name for character in again.characters] == ["Person 1", "Still", "Ben"]
    assert [actor.clip.fps for actor in again.actors if len(actor.clip) > 1] == [24.0, 24.0]
    for before, after in zip(fight.actors, again.actors, strict=True):
        assert shown_joints(again, after.id) == pytest.approx(shown_joints(fight, before.id), abs=1e-4)


def test_a_body_without_a_suit_is_all_skin(edited: Document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = body_of(edited.characters[0])
    monkeypatch.setattr(type(body), "suit_mask", property(lambda self: np.zeros(len(self.weights), np.float32)))
    (file,) = export_skinned(tmp_path / "bare.glb", edited.characters[:1])
    assert [m["name"] for m in read_glb(file).content["materials"]] == ["skin"]


@pytest.mark.slow
def test_the_command_line_writes_a_skeleton_unless_the_skin_alone_is_wanted(edited: Document, tmp_path: Path) -> None:
    save_scene(tmp_path / "scene.json", edited)
    command = ["export", str(tmp_path / "scene.json"), "-o", str(tmp_path / "a.glb"), "--character", "c1"]
    assert main([*command, "--motion", "--names", "mixamo", "--fingers"]) == 0
    gltf = read_glb(tmp_path / "a.glb")
    assert {"mixamorig:Hips", "mixamorig:LeftHandIndex1"} <= set(gltf.joints_at())
    assert len(gltf.content["animations"]) == 1
    assert main([*command, "--static"]) == 0
    assert "skins" not in read_glb(tmp_path / "a.glb").content


def test_a_still_pose_that_lasts_is_exported_for_as_long_as_it_lasts() -> None:
    document = new_document()
    assert shown_motion(document.character("c1")) is None
    lasting = edits.set_clip_length("c1", FRAMES)(document).character("c1")
    motion = shown_motion(lasting)
    assert motion is not None
    assert len(motion) == FRAMES
    for frame in range(FRAMES):
        assert motion.pose(frame) == lasting.pose


def test_a_part_of_a_motion_is_what_is_shown_there_frame_by_frame(edited: Document) -> None:
    part = cut_to(edited, 1 / 24.0, 3 / 24.0)
    assert shown_joints(part) == pytest.approx(shown_joints(edited)[1:4], abs=1e-5)
    assert part.character("c1").frame == 1, "the frame that is looked at stays so"
    assert part.character("c1").pose == edited.character("c1").pose
    assert part.character("c1").effectors == edited.character("c1").effectors
    assert part.character("c2") == edited.character("c2"), "who stands still stays as they are"
    assert cut_to(edited, 3 / 24.0, 4 / 24.0).character("c1").frame == 0, "or the nearest that is left"
    (still,) = shown_joints(cut_to(edited, 9.0, 10.0))
    assert still == pytest.approx(shown_joints(edited)[-1], abs=1e-5), "what ends earlier has its last frame"


def test_fingers_and_props_are_cut_with_the_motion() -> None:
    document = new_document()
    rests = np.tile(np.eye(3, dtype=np.float32), (FRAMES, 24, 1, 1))
    bent = HandMotion(np.linspace(0.0, 1.0, FRAMES, dtype=np.float32)[:, None, None] * np.ones((30, 3), np.float32))
    motion = Motion(np.tile(np.float32([0, 1, 0]), (FRAMES, 1)), rests, 24.0)
    document = edits.import_motion("c1", motion, hands=bent)(document)
    ways = [PropKey(frame, np.float32([frame, 0, 0]), np.eye(3, dtype=np.float32)) for frame in (0, 4)]
    box = Prop("p1", "Box", "box", np.full(3, 0.3, np.float32), clip=PropClip(tuple(ways), 24.0))
    part = cut_to(replace(document, props=(box,)).at({"c1": 3, box.slot: 3}), 1 / 24.0, 3 / 24.0)
    turned = hands_at_frames(part.actor("c1").clip)
    assert turned == pytest.approx(hands_at_frames(document.actor("c1").clip)[1:4], abs=1e-5)
    (cut,) = part.props
    assert cut.clip is not None
    assert box.clip is not None
    shown = box.clip.over(np.arange(1, 4))[0][:, 0]
    assert cut.clip.over(np.arange(3))[0][:, 0] == pytest.approx(shown, abs=1e-5)
    assert cut.place[0] == pytest.approx(shown[2], abs=1e-5)


def test_the_command_line_writes_frames_as_the_timeline_counts_them(
    edited: Document, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene, target = tmp_path / "a.json", tmp_path / "b.bvh"
    save_scene(scene, edited)
    export = ["export", str(scene), "-o", str(target), "--character", "c1"]
    assert main([*export, "--motion", "--range", "2-4"]) == 0
    assert "Frames: 3\n" in target.read_text()
    assert main([*export, "--motion", "--range", "2-6"]) == 1
    assert "a.json has no frame 6: its motion has 5 frames. Give --range a part of 1-5." in capsys.readouterr().err
    for wrong in (["--range", "2-4"], ["--motion", "--range", "4-2"], ["--motion", "--range", "0-2"]):
        assert main([*export, *wrong]) == 2
    assert main(["render", str(scene), "-o", str(tmp_path / "c.png"), "--range", "2-3"]) == 1
