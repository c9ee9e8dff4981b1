"""Opening and exporting: what a file is, where it goes, and that what was exported can be opened again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from document_samples import random_pose, whole_motion

from app.document import edits
from app.document.exchange.export import FORMATS, chosen_characters, export_bvh, export_pose_json, files_for, format_of
from app.document.exchange.file_kind import kind_of
from app.document.exchange.open_file import open_file
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.posing.create import new_character, new_document
from app.document.scene_file.io import load_scene, save_scene
from solver.body.body import BodyShape
from solver.errors import InputRefused, PoserError, UnknownName
from solver.kinematics.pose import Motion


def posed(seed: int = 0) -> Document:
    """Two people in random poses and shapes, the second one with a motion."""
    rng = np.random.default_rng(seed)
    document = Document()
    for name in ("Anna", "Ben"):
        shape = BodyShape(rng.normal(0, 1, 10).astype(np.float32), "female" if name == "Anna" else "male")
        character = new_character(document, name=name, shape=shape)
        document = edits.add_character(character)(document)
        document = edits.set_pose(character.id, random_pose(rng, 0.5))(document)
    poses = [random_pose(rng, 0.5) for _ in range(4)]
    motion = Motion(np.stack([p.root_position for p in poses]), np.stack([p.rotations for p in poses]), 24.0)
    return edits.import_motion("c2", motion, frame=2)(document)


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.jpg", b"\xff\xd8\xff\xe0 and so on", "photo"),
        ("a.bin", b"\x89PNG\r\n\x1a\n", "photo"),
        ("walk.txt", b"HIERARCHY\nROOT Hips", "bvh"),
        ("walk.bvh", b"\xef\xbb\xbf  hierarchy\r\n", "bvh"),
        ("scene", b'\n {"format": 1}', "json"),
        ("walk", b"PK\x03\x04 and so on", "npz"),
        ("text.npz", b"hello there", "npz"),
        ("text.jpg", b"hello there", "photo"),
        ("text.bvh", b"hello there", "bvh"),
    ],
)
def test_the_content_says_what_a_file_is_and_then_the_suffix(
    tmp_path: Path, name: str, content: bytes, kind: str
) -> None:
    (tmp_path / name).write_bytes(content)
    assert kind_of(tmp_path / name) == kind


def test_an_empty_file_is_refused_as_such_whatever_its_suffix(tmp_path: Path) -> None:
    (tmp_path / "a.bvh").touch()
    with pytest.raises(InputRefused, match=r"a\.bvh is empty\. Save or copy it again"):
        kind_of(tmp_path / "a.bvh")


def test_a_file_of_no_known_kind_is_refused_with_what_would_open(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(InputRefused, match=r"notes.txt .*a photo .*a scene .*BVH"):
        open_file(tmp_path / "notes.txt")
    with pytest.raises(InputRefused, match="there is no such file"):
        open_file(tmp_path / "none.bvh")
    with pytest.raises(InputRefused, match="is a folder"):
        open_file(tmp_path)


def test_a_scene_opens_as_a_document_and_a_photo_is_left_to_the_estimator(tmp_path: Path) -> None:
    save_scene(tmp_path / "s.json", posed())
    opened = open_file(tmp_path / "s.json")
    assert opened.document == posed()
    assert opened.document is not None
    assert opened.document.frames == posed().frames
    assert opened.edit is None
    (tmp_path / "a.png").write_bytes(b"\x89PNG")
    assert open_file(tmp_path / "a.png").photo == tmp_path / "a.png"


@pytest.mark.parametrize("frames", [1, 2])
def test_what_was_guessed_of_a_motion_is_told_and_of_a_single_pose_nothing(tmp_path: Path, frames: int) -> None:
    (file,) = export_bvh(tmp_path / "a.bvh", posed().characters[1:], whole_motion=True)
    head, _, motion = file.read_text().partition("MOTION\n")
    lines = motion.splitlines()[2 : 2 + frames]
    file.write_text(head + "\n".join(["MOTION", f"Frames: {frames}", "Frame Time: 0", *lines]) + "\n")
    told = "The frame time is 0; 30 frames a second were assumed."
    assert open_file(file).hint == (told if frames > 1 else "")


def test_an_exported_pose_comes_back_through_bvh_on_the_same_body(tmp_path: Path) -> None:
    document = posed()
    (file,) = export_bvh(tmp_path / "anna.bvh", document.characters[:1])
    flat = edits.set_pose("c1", new_character(document).pose)(document)
    opened = open_file(file, "c1")
    assert opened.edit is not None
    assert "1 frame" in opened.report
    again = opened.edit(flat).character("c1")
    assert joints_of(again).positions == pytest.approx(joints_of(document.character("c1")).positions, abs=1e-4)
    assert again.base_pose == again.pose


def test_a_motion_is_exported_whole_or_as_the_frame_shown(tmp_path: Path) -> None:
    ben = posed().character("c2")
    export_bvh(tmp_path / "shown.bvh", [ben])
    export_bvh(tmp_path / "whole.bvh", [ben], whole_motion=True)
    assert "Frames: 1\n" in (tmp_path / "shown.bvh").read_text()
    text = (tmp_path / "whole.bvh").read_text()
    assert "Frames: 4\n" in text
    opened = open_file(tmp_path / "whole.bvh", "c2")
    assert opened.edit is not None
    again = whole_motion(opened.edit(posed()).character("c2"))
    assert (len(again), again.fps) == (4, pytest.approx(24.0, rel=1e-4))


def test_a_motion_without_a_character_gets_a_new_one_named_after_the_file(tmp_path: Path) -> None:
    export_bvh(tmp_path / "slow walk.bvh", [posed().character("c2")], whole_motion=True)
    opened = open_file(tmp_path / "slow walk.bvh")
    assert opened.edit is not None
    after = opened.edit(new_document())
    assert [c.name for c in after.characters] == ["Person 1", "slow walk"]
    assert after.characters[1].clip.source is not None


def test_an_amass_file_opens_as_a_motion_of_somebody_who_stands(tmp_path: Path) -> None:
    poses = np.zeros((5, 156))
    poses[:, 0] = np.pi / 2  # upright where Z is up
    np.savez(tmp_path / "stand.npz", poses=poses, trans=np.tile([0.0, 0.0, 0.91], (5, 1)), mocap_framerate=120.0)
    opened = open_file(tmp_path / "stand.npz")
    assert opened.edit is not None
    assert "5 frames at 120" in opened.report
    somebody = opened.edit(new_document()).characters[1]
    assert somebody.name == "stand"
    assert somebody.clip.source is not None
    assert len(somebody.clip) == 5
    joints = joints_of(somebody).positions
    assert joints[15, 1] > joints[0, 1] + 0.5  # the head is above the pelvis
    assert 0.0 < joints[10, 1] < 0.1  # the feet are near the floor


def test_exported_people_come_back_through_pose_json_with_body_and_effectors(tmp_path: Path) -> None:
    document = posed()
    export_pose_json(tmp_path / "poses.json", document)
    opened = open_file(tmp_path / "poses.json")
    assert opened.edit is not None
    again = opened.edit(Document())
    for one, other in zip(again.characters, document.characters, strict=True):
        assert (one.name, one.shape) == (other.name, other.shape)
        assert joints_of(one).positions == pytest.approx(joints_of(other).positions, abs=1e-5)
        assert [(e.joint, e.kind, e.id) for e in one.effectors] == [(e.joint, e.kind, e.id) for e in other.effectors]


def test_one_pose_goes_to_the_character_that_is_chosen(tmp_path: Path) -> None:
    document = posed()
    export_pose_json(tmp_path / "anna.json", document.with_characters(document.characters[:1]))
    opened = open_file(tmp_path / "anna.json", "c2")
    assert opened.edit is not None
    after = opened.edit(document)
    assert len(after.characters) == 2
    assert after.character("c2").pose.rotations == pytest.approx(document.character("c1").pose.rotations, abs=1e-5)
    assert after.character("c2").shape == document.character("c2").shape


def test_a_failed_open_leaves_the_document_alone(tmp_path: Path) -> None:
    (tmp_path / "bad.bvh").write_text("HIERARCHY\nROOT pelvis\n{\n OFFSET 0 0 zero\n")
    with pytest.raises(InputRefused, match="bad.bvh, line 4"):
        open_file(tmp_path / "bad.bvh", "c1")


def test_several_characters_are_written_to_files_with_their_names(tmp_path: Path) -> None:
    files = export_bvh(tmp_path / "team.bvh", posed().characters)
    assert [f.name for f in files] == ["team_Anna.bvh", "team_Ben.bvh"]
    assert all(f.exists() for f in files)
    assert files_for(Path("a.b/team.bvh"), posed().characters[:1]) == [Path("a.b/team.bvh")]


def test_where_a_later_file_cannot_be_written_the_message_says_which_were(tmp_path: Path) -> None:
    (tmp_path / "team_Ben.bvh").mkdir()
    with pytest.raises(InputRefused, match=r"team_Ben\.bvh .* is a folder\. team_Anna\.bvh was written before it\."):
        export_bvh(tmp_path / "team.bvh", posed().characters)
    assert (tmp_path / "team_Anna.bvh").is_file()
    (tmp_path / "pair_Anna.bvh").mkdir()
    with pytest.raises(InputRefused, match="Nothing was written"):
        export_bvh(tmp_path / "pair.bvh", posed().characters)


def test_characters_are_chosen_by_name_or_id() -> None:
    document = posed()
    assert [c.name for c in chosen_characters(document)] == ["Anna", "Ben"]
    assert [c.name for c in chosen_characters(document, ["Ben"])] == ["Ben"]
    assert [c.name for c in chosen_characters(document, ["c1"])] == ["Anna"]
    with pytest.raises(UnknownName, match="Zoe.*Known: Anna, Ben"):
        chosen_characters(document, ["Zoe"])
    with pytest.raises(PoserError, match="nothing to export"):
        chosen_characters(Document())


def test_the_suffix_or_the_wish_decides_the_format() -> None:
    assert format_of("a.BVH") == "bvh"
    assert format_of("a.txt", "json") == "json"
    with pytest.raises(InputRefused, match=r"a\.doc: .*\.bvh, .*\.png"):
        format_of("a.doc")
    with pytest.raises(UnknownName, match=r"“doc”.*bvh"):
        format_of("a.doc", "doc")
    for name in (".bvh", "bvh", "walk."):
        with pytest.raises(InputRefused, match="the name has no suffix that says the format"):
            format_of(name)


def test_several_people_are_not_written_into_a_device_which_has_nothing_beside_it() -> None:
    people = chosen_characters(posed())
    with pytest.raises(InputRefused, match="takes one file, and each of 2 people would have one"):
        files_for(Path("/dev/null"), people)
    assert files_for(Path("/dev/null"), people[:1]) == [Path("/dev/null")]


@pytest.mark.parametrize("suffix", [*FORMATS, "jpg", "gltf"])
def test_no_format_goes_into_a_file_that_is_named_as_another(suffix: str) -> None:
    for wanted in FORMATS:
        if wanted == suffix:
            assert format_of(f"a.{suffix.upper()}", wanted) == wanted
            continue
        with pytest.raises(InputRefused, match=rf"^a\.{suffix}: what is written is .* \.{suffix}.*\.{wanted}"):
            format_of(f"a.{suffix}", wanted)


def test_a_scene_is_the_same_after_a_journey_through_the_disk(tmp_path: Path) -> None:
    save_scene(tmp_path / "one.json", posed(7))
    save_scene(tmp_path / "two.json", load_scene(tmp_path / "one.json"))
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
