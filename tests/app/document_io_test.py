"""Scenes: what is saved comes back, what is unknown is kept, what is wrong is refused with its place."""

from __future__ import annotations

import base64
import errno
import hashlib
import json
import os
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from document_samples import documents, random_photo
from hypothesis import given, settings

from app.document.create import new_character, new_document
from app.document.edits import chain, import_motion
from app.document.io import load_scene, read_scene_text, save_scene, scene_text
from app.document.state import Document
from solver.errors import InputRefused
from solver.kinematics.pose import Motion

ROOT = Path(__file__).resolve().parents[2]
SCENE = Path("/scenes/scene.json")
SCHEMA = json.loads((ROOT / "docs/scene.schema.json").read_text(encoding="utf-8"))


def as_json(document: Document) -> dict[str, Any]:
    return json.loads(scene_text(document, SCENE.parent))


def read(value: Any) -> Document:
    return read_scene_text(json.dumps(value), SCENE)


@given(documents())
@settings(max_examples=30, deadline=None)
def test_reading_what_was_written_gives_the_same_document(document: Document) -> None:
    text = scene_text(document, SCENE.parent)
    again = read_scene_text(text, SCENE)
    assert again == document
    assert scene_text(again, SCENE.parent) == text


@given(documents())
@settings(max_examples=15, deadline=None)
def test_what_is_written_follows_the_schema(document: Document) -> None:
    jsonschema.validate(as_json(document), SCHEMA)


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_a_saved_scene_opens_as_the_same_document(tmp_path: Path) -> None:
    document = new_document()
    save_scene(tmp_path / "scene.json", document)
    assert load_scene(tmp_path / "scene.json") == document
    assert [p.name for p in tmp_path.iterdir()] == ["scene.json"]


def test_the_scene_of_version_1_still_opens() -> None:
    document = load_scene(ROOT / "tests/data/scene_v1.json")
    anna, walker = document.characters
    assert (anna.name, anna.shape.gender, anna.effectors[0].pinned) == ("Anna", "female", True)
    assert anna.pose.root_position[1] == pytest.approx(0.9, abs=0.2)
    assert walker.motion is not None
    assert (len(walker.motion), walker.frame) == (3, 1)
    assert walker.pose == walker.motion.pose(1)
    assert document.photo is not None
    assert document.photo.camera.image_size == (1920, 1080)
    assert document.extra == {"x-studio": {"shot": 7}}


def test_unknown_keys_are_kept_wherever_they_stand() -> None:
    value = as_json(replace(new_document(), photo=random_photo(np.random.default_rng(1), "/scenes/a.jpg")))
    character, photo = value["characters"][0], value["photo"]
    for place in (
        value, character, character["shape"], character["pose"], character["pose"]["rotations"],
        character["base_pose"], character["preserve"], character["effectors"][2], photo, photo["camera"],
    ):  # fmt: skip
        place["x-later"] = {"kept": [1, "two"]}
    assert as_json(read(value)) == value


def test_leftovers_of_an_effector_go_with_it() -> None:
    value = as_json(new_document())
    value["characters"][0]["effectors"][0]["x-later"] = 1
    document = read(value)
    character = document.characters[0]
    fewer = document.with_character(replace(character, effectors=character.effectors[1:]))
    assert "x-later" not in scene_text(fewer, SCENE.parent)


def test_a_hand_written_scene_needs_only_what_it_says() -> None:
    pose = as_json(new_document())["characters"][0]["pose"]
    document = read(
        {"format": "contrapposto-scene", "version": 1, "characters": [{"id": "a", "name": "A", "pose": pose}]}
    )
    character = document.characters[0]
    assert character.base_pose == character.pose
    assert (character.body, character.solver, character.effectors) == ("anny", "dls", ())


def test_a_motion_of_thousands_of_frames_is_stored_compactly(tmp_path: Path) -> None:
    document = new_document()
    frames = 2000
    rotations = np.broadcast_to(document.characters[0].pose.rotations, (frames, 24, 3, 3))
    document = import_motion("c1", Motion(np.zeros((frames, 3)), rotations))(document)
    save_scene(tmp_path / "walk.json", document)
    assert (tmp_path / "walk.json").stat().st_size < 4 * frames * 24 * 9 / 2
    assert load_scene(tmp_path / "walk.json") == document


def broken(change: Any) -> dict[str, Any]:
    value = as_json(replace(new_document(), photo=random_photo(np.random.default_rng(1), "/scenes/a.jpg")))
    change(value, value["characters"][0])
    return value


PACKED = {"fps": 30, "frames": 1, "joints": 24, "encoding": "float32-le zlib base64", "rotations": ""}
REFUSED = {
    "another format": (lambda d, c: d.update(format="other"), "format"),
    "a newer version": (lambda d, c: d.update(version=2, min_reader_version=2), "newer version of Contrapposto"),
    "no version": (lambda d, c: d.pop("version"), "version: is missing"),
    "characters that are no list": (lambda d, c: d.update(characters={}), "characters"),
    "a missing joint": (lambda d, c: c["pose"]["rotations"].pop("left_knee"), r"\[0\].pose.rotations: .*left_knee"),
    "no pose": (lambda d, c: c.pop("pose"), r"characters\[0\].pose: is missing"),
    "a matrix of eight numbers": (lambda d, c: c["pose"]["rotations"]["head"].pop(), r"rotations.head: has 8 numbers"),
    "a matrix that mirrors": (
        lambda d, c: c["base_pose"]["rotations"].update(neck=[1, 0, 0, 0, 1, 0, 0, 0, -1]),
        "neck: is not a rotation",
    ),
    "an absurd number": (lambda d, c: c["pose"].update(root_position=[1e300, 0, 0]), r"root_position\[0\]"),
    "a text for a number": (lambda d, c: c["pose"].update(root_position=["1", 0, 0]), r"root_position\[0\]"),
    "a strange joint": (lambda d, c: c["effectors"][0].update(joint="tail"), r"effectors\[0\].joint: .*tail"),
    "a tolerance of 2": (lambda d, c: c["effectors"][0].update(tolerance=2), r"effectors\[0\].tolerance"),
    "betas beyond people": (lambda d, c: c["shape"].update(betas=[9.0] * 10), r"shape.betas\[0\]"),
    "an unknown gender": (lambda d, c: c["shape"].update(gender="robot"), "shape.gender"),
    "an unknown solver": (lambda d, c: c.update(solver="magic"), "solver"),
    "an unknown body": (lambda d, c: c.update(body="nobody"), r"characters\[0\].body"),
    "a colour that is none": (lambda d, c: c.update(color="red"), "color: .*#rrggbb"),
    "an id twice": (lambda d, c: d.update(characters=[c, c]), r"characters\[1\].id: “c1” is the id"),
    "a stranger to preserve": (lambda d, c: c["preserve"].update(place=["tail"]), r"preserve.place\[0\]"),
    "too many characters": (lambda d, c: d.update(characters=[c] * 101), "more than 100"),
    "too many effectors": (lambda d, c: c.update(effectors=c["effectors"] * 300), "more than 1000"),
    "a hash that is none": (lambda d, c: d["photo"].update(sha256="00"), "photo.sha256"),
    "a camera without lens": (lambda d, c: d["photo"]["camera"].update(focal_px=0), "photo.camera.focal_px"),
    "a damaged motion": (lambda d, c: c.update(motion={**PACKED, "root_positions": "????"}), "the packed"),
    "a motion cut short": (
        lambda d, c: c.update(motion={**PACKED, "root_positions": packed(np.zeros(2))}),
        r"motion.root_positions: does not hold the 3 numbers",
    ),
    "a motion that unpacks to more than it says": (
        lambda d, c: c.update(motion={**PACKED, "root_positions": packed(np.zeros(10_000))}),
        r"motion.root_positions: does not hold the 3 numbers",
    ),
    "a motion with a number that is none": (
        lambda d, c: c.update(motion={**PACKED, "root_positions": packed(np.full(3, np.nan))}),
        "motion.root_positions: holds a number that is not finite",
    ),
    "a million million frames": (
        lambda d, c: c.update(motion={**PACKED, "frames": 10**12, "root_positions": ""}),
        "motion.frames",
    ),
}


def packed(array: np.ndarray) -> str:
    return base64.b64encode(zlib.compress(array.astype("<f4").tobytes())).decode()


@pytest.mark.parametrize("case", REFUSED)
def test_a_wrong_scene_is_refused_with_file_place_and_reason(case: str) -> None:
    change, message = REFUSED[case]
    with pytest.raises(InputRefused, match=message) as refusal:
        read(broken(change))
    assert "scene.json" in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "too early|empty|not valid"),
        ("{", "too early"),
        ('{"format": "contrapposto-scene", "version": 1, "characters": [NaN]}', "NaN"),
        ('{"format": "contrapposto-scene", "version": 1, "version": 2}', "twice"),
        ("[" * 100_000, "nested"),
        ("[1, 2]", "not a scene"),
    ],
)
def test_broken_json_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputRefused, match=message):
        read_scene_text(text, SCENE)


def test_a_scene_of_a_later_version_that_old_readers_may_open_is_opened_and_keeps_its_news() -> None:
    value = as_json(new_document())
    value.update({"version": 7, "min_reader_version": 1, "x-layers": [1, 2]})
    assert read(value).extra == {"x-layers": [1, 2]}


def test_a_huge_file_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with open(path, "wb") as file:
        file.truncate((256 << 20) + 1)
    with pytest.raises(InputRefused, match="larger than 256 MB"):
        load_scene(path)


def test_a_full_disk_leaves_the_old_scene_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "scene.json"
    save_scene(path, new_document())
    old = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputRefused, match="disk is full"):
        save_scene(path, Document())
    assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="folder does not exist"):
        save_scene(tmp_path / "nowhere" / "scene.json", Document())


def photo_document(path: Path, content: bytes) -> Document:
    photo = replace(random_photo(np.random.default_rng(2), str(path)), sha256=hashlib.sha256(content).hexdigest())
    return replace(new_document(), photo=photo)


def test_the_photo_is_found_again_when_the_folder_moves(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    (old / "photos").mkdir(parents=True)
    (old / "photos" / "team.jpg").write_bytes(b"picture")
    save_scene(old / "scene.json", photo_document(old / "photos" / "team.jpg", b"picture"))
    old.rename(new)
    photo = load_scene(new / "scene.json").photo
    assert photo is not None
    assert photo.path == str(new / "photos" / "team.jpg")


def test_a_photo_that_moved_beside_the_scene_is_found_by_its_content(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    save_scene(tmp_path / "scene.json", photo_document(tmp_path / "photos" / "team.jpg", b"picture"))
    (tmp_path / "photos" / "team.jpg").write_bytes(b"another picture of that name")
    (tmp_path / "team.jpg").write_bytes(b"picture")
    photo = load_scene(tmp_path / "scene.json").photo
    assert photo is not None
    assert photo.path == str(tmp_path / "team.jpg")


def test_a_scene_whose_photo_is_lost_opens_all_the_same(tmp_path: Path) -> None:
    document = photo_document(tmp_path / "gone.jpg", b"picture")
    save_scene(tmp_path / "scene.json", document)
    assert load_scene(tmp_path / "scene.json") == document


def test_several_people_come_back_in_order(tmp_path: Path) -> None:
    document = Document()
    for name in ("Anna", "Ben", "Anna"):
        character = new_character(document, name=name)
        document = chain(lambda d, c=character: replace(d, characters=(*d.characters, c)))(document)
    save_scene(tmp_path / "three.json", document)
    assert [c.name for c in load_scene(tmp_path / "three.json").characters] == ["Anna", "Ben", "Anna 2"]
