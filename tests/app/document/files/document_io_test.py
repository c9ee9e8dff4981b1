"""Scenes: what is saved comes back, what is unknown is kept, what is wrong is refused with its place."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from document_samples import documents, many_sided, packed, random_photo
from hypothesis import given, settings
from scene_v1 import as_version_1

from app.document import edits
from app.document.edits import chain, import_motion
from app.document.model.document import Document
from app.document.posing.create import new_character, new_document
from app.document.scene_file.documentation import generated_files, schema
from app.document.scene_file.io import load_scene, read_scene_text, save_scene, scene_text
from app.document.scene_file.read import newer_version
from solver.errors import InputRefused
from solver.kinematics.pose import Motion
from solver.kinematics.skeleton import SMPL_JOINTS

ROOT = Path(__file__).resolve().parents[4]
SCENE = Path("/scenes/scene.json")
SCHEMA = schema()


def as_json(document: Document) -> dict[str, Any]:
    return json.loads(scene_text(document, SCENE.parent))


def read(value: Any) -> Document:
    return read_scene_text(json.dumps(value), SCENE)


@given(documents())
@settings(max_examples=3, deadline=None)
def test_reading_what_was_written_gives_the_same_document(document: Document) -> None:
    comes_back(document)


@pytest.mark.slow
@given(documents())
@settings(max_examples=15, deadline=None)
def test_reading_what_was_written_gives_the_same_of_many_documents(document: Document) -> None:
    comes_back(document)


def comes_back(document: Document) -> None:
    text = scene_text(document, SCENE.parent)
    again = read_scene_text(text, SCENE)
    assert again == document
    assert scene_text(again, SCENE.parent) == text


@pytest.mark.slow
@given(documents())
@settings(max_examples=6, deadline=None)
def test_what_is_written_follows_the_schema(document: Document) -> None:
    jsonschema.validate(as_json(document), SCHEMA)


def test_what_has_several_keys_and_photos_comes_back_and_follows_the_schema() -> None:
    document = many_sided()
    again = read(as_json(document))
    assert again == document
    assert again.frames == {"c1": 2}
    jsonschema.validate(as_json(document), SCHEMA)


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_documents_are_those_that_the_table_makes() -> None:
    for path, text in generated_files(ROOT).items():
        told = f"{path.name} is out of date: run python -m app.document.scene_file.documentation"
        assert path.read_text(encoding="utf-8") == text, told


def test_every_key_that_is_written_has_a_sentence_in_the_document() -> None:
    page = (ROOT / "docs/scene-format.md").read_text(encoding="utf-8")

    def keys(value: Any) -> set[str]:
        within = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return (set(value) if isinstance(value, dict) else set()).union(*map(keys, within))

    made = keys(as_json(many_sided())) - set(SMPL_JOINTS) - {"depth", "mood", "raw"}
    assert not {key for key in made if f"| `{key}` |" not in page}


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
    assert walker.clip.source is not None
    assert (len(walker.clip), walker.frame) == (3, 1)
    assert walker.pose == walker.clip.source.motion.pose(1)
    assert document.photo is not None
    assert document.photo.camera.image_size == (1920, 1080)
    assert document.extra == {"x-studio": {"shot": 7}}


@pytest.mark.slow
@given(documents())
@settings(max_examples=15, deadline=None)
def test_what_version_1_wrote_of_a_document_reads_as_that_document(document: Document) -> None:
    for character in document.characters:  # fingers did not move then
        document = edits.hold_hands_throughout(character.id)(document)
    assert read(as_version_1(as_json(document))) == document


def test_the_scene_of_version_2_still_opens() -> None:
    document = load_scene(ROOT / "tests/data/scene_v2.json")
    walker, anna = document.actors
    assert walker.clip.source is not None
    assert [key.frame for key in walker.clip.keys] == [0, 2]
    assert (len(walker.clip), document.frames[walker.id]) == (4, 2)
    assert walker.clip.placement.shift == (1.0, 0.0, 0.5)
    assert anna.posing.solver == "dls"
    assert [e.kind for e in anna.at(0).effectors] == ["position", "rotation", "lookat"]
    assert [photo.opacity for photo in document.photos] == [0.5, 1.0]
    assert document.extra == {"x-studio": {"shot": 7}}


def test_how_strongly_people_show_over_the_photo_is_kept_where_it_is_not_full(tmp_path: Path) -> None:
    document = replace(many_sided(), body_opacity=0.35)
    save_scene(tmp_path / "scene.json", document)
    assert load_scene(tmp_path / "scene.json").body_opacity == 0.35
    assert "body_opacity" not in as_json(many_sided())
    assert read(as_json(many_sided())).body_opacity == 1.0


def test_unknown_keys_are_kept_wherever_they_stand() -> None:
    value = as_json(many_sided())
    character, photo = value["characters"][0], value["photos"][1]
    clip = character["clip"]
    key = clip["keys"][1]
    for place in (
        value, character, character["shape"], clip, clip["placement"], clip["source"], clip["source"]["shape"], key,
        key["pose"], key["pose"]["rotations"], key["base_pose"], key["preserve"], key["effectors"][2], photo,
        photo["camera"], key["effectors"][0]["source"],
    ):  # fmt: skip
        place["x-later"] = {"kept": [1, "two"]}
    assert as_json(read(value)) == value


def test_unknown_keys_of_version_1_are_kept_wherever_they_stood() -> None:
    photo = random_photo(np.random.default_rng(1), "/a.jpg")
    document = replace(new_document(), photos=(photo,))
    value = as_version_1(as_json(edits.reset_to_base("c1")(document)))
    character, shown = value["characters"][0], value["photo"]
    character["base_pose"] = json.loads(json.dumps(character["pose"]))
    for place in (
        value, character, character["shape"], character["pose"], character["pose"]["rotations"],
        character["preserve"], character["effectors"][2], shown, shown["camera"],
    ):  # fmt: skip
        place["x-later"] = {"kept": [1, "two"]}
    again = as_json(read(value))
    assert json.dumps(again).count('"x-later": {"kept": [1, "two"]}') == 9
    assert "x-later" in again["characters"][0]["clip"]["keys"][0]["pose"]["rotations"]
    assert "x-later" in again["photos"][0]["camera"]


def test_leftovers_of_an_effector_go_with_it() -> None:
    value = as_json(new_document())
    value["characters"][0]["clip"]["keys"][0]["effectors"][0]["x-later"] = 1
    document = read(value)
    character = document.characters[0]
    fewer = document.with_character(replace(character, effectors=character.effectors[1:]))
    assert "x-later" not in scene_text(fewer, SCENE.parent)


def test_a_hand_written_scene_needs_only_what_it_says() -> None:
    pose = as_json(new_document())["characters"][0]["clip"]["keys"][0]["pose"]
    first = read({"format": "contrapposto-scene", "version": 1, "characters": [{"id": "a", "name": "A", "pose": pose}]})
    second = read(
        {"format": "contrapposto-scene", "version": 2, "characters": [{"id": "A", "clip": {"keys": [{"pose": pose}]}}]}
    )
    assert first.characters[0].pose == second.characters[0].pose
    assert second.characters[0].name == "A"
    character = first.characters[0]
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
    value.update({"version": 7, "min_reader_version": 6, "x-layers": [1, 2]})
    document = read(value)
    assert document.extra["x-layers"] == [1, 2]
    assert newer_version(document) == 7
    assert as_json(document) == value


def test_a_huge_file_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with open(path, "wb") as file:
        file.truncate((256 << 20) + 1)
    with pytest.raises(InputRefused, match="larger than 256 MB"):
        load_scene(path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="folder does not exist"):
        save_scene(tmp_path / "nowhere" / "scene.json", Document())


def photo_document(path: Path, content: bytes) -> Document:
    photo = replace(random_photo(np.random.default_rng(2), str(path)), sha256=hashlib.sha256(content).hexdigest())
    return replace(new_document(), photos=(photo,))


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
        document = chain(lambda d, c=character: d.with_characters((*d.characters, c)))(document)
    save_scene(tmp_path / "three.json", document)
    assert [c.name for c in load_scene(tmp_path / "three.json").characters] == ["Anna", "Ben", "Anna 2"]


def test_a_motion_in_another_order_of_joints_is_the_same_motion() -> None:
    document = many_sided()
    value = as_json(document)
    source = value["characters"][0]["clip"]["source"]
    rotations = np.frombuffer(zlib.decompress(base64.b64decode(source["rotations"])), "<f4").reshape(4, 24, 9)
    source["joints"].reverse()
    source["rotations"] = packed(np.ascontiguousarray(rotations[:, ::-1]))
    assert read(value) == document
