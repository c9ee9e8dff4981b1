"""Whatever opens can be saved and opened again; anything else is refused with file, place and reason."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from document_samples import random_pose
from PIL import Image

from app.document import edits
from app.document.exchange.backdrop import backdrop_edit
from app.document.exchange.export import export_bvh, export_pose_json
from app.document.exchange.open_file import open_file
from app.document.model.document import Document
from app.document.posing.create import new_document
from app.document.scene_file.io import load_scene, read_scene_text, save_scene, scene_text
from solver.errors import InputRefused, PoserError
from solver.kinematics.pose import Motion
from solver.photo.image_file import load_image

PLACES = [0.0, 9.98e5, 9.9905e5, 3e9]


def bvh(folder: Path, place: float, frame_time: str = "0.0333333") -> Path:
    """Two frames of somebody, in the second one that many metres away."""
    pose = new_document().characters[0].pose
    motion = Motion(np.stack([pose.root_position] * 2), np.stack([pose.rotations] * 2))
    people = edits.import_motion("c1", motion)(new_document()).characters
    (file,) = export_bvh(folder / "far.bvh", people, whole_motion=True)
    lines = file.read_text().splitlines()
    lines[-1] = f"{place!r} {lines[-1].partition(' ')[2]}"
    text = "\n".join(f"Frame Time: {frame_time}" if line.startswith("Frame Time") else line for line in lines)
    file.write_text(text + "\n")
    return file


def amass(folder: Path, place: float) -> Path:
    trans = np.array([[0, 0, 0.9], [place, 0, 0.9]])
    np.savez(folder / "far.npz", poses=np.zeros((2, 156)), trans=trans, mocap_framerate=120.0)
    return folder / "far.npz"


def pose_json(folder: Path, place: float, effectors: bool = False) -> Path:
    export_pose_json(folder / "far.json", new_document())
    content = json.loads((folder / "far.json").read_text())
    (person,) = content["people"]
    person["root"]["translation"][0] = person["base_pose"]["root"]["translation"][0] = place
    if effectors:
        for effector in person["effectors"]:
            if effector["type"] != "rotation":
                effector["target"][0] = place
    else:
        del person["effectors"]
    (folder / "far.json").write_text(json.dumps(content))
    return folder / "far.json"


def taken(file: Path, document: Document) -> tuple[Document | None, str]:
    """The document with the file's people in it, or why not."""
    try:
        opened = open_file(file)
        assert opened.edit is not None
        return opened.edit(document), ""
    except PoserError as error:
        return None, str(error)


MAKERS = {
    "bvh": bvh,
    "amass": amass,
    "pose": pose_json,
    "pose and effectors": lambda folder, place: pose_json(folder, place, True),
}


@pytest.mark.sweep
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", MAKERS)
def test_a_file_of_somebody_far_away_is_refused_or_can_be_saved(tmp_path: Path, kind: str, place: float) -> None:
    file = MAKERS[kind](tmp_path, place)
    far = edits.move_character("c1", (9.99e5, 0, 0))(new_document())
    for document in (Document(), new_document(), far):
        after, refusal = taken(file, document)
        if after is None:
            assert place >= 9.98e5 or document is far
            assert file.name in refusal or "new scene" in refusal
            continue
        assert place < 1e6
        for frame in (0, 1):
            after = after.at_frame(after.characters[-1].id, frame)
            save_scene(tmp_path / "scene.json", after)
            again = load_scene(tmp_path / "scene.json")
            assert again == after
            assert again.frames == after.frames


def test_a_motion_too_far_away_is_refused_with_its_frame_and_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match=r"far\.bvh, frame 2: the pelvis is farther than 999 km .*file's unit"):
        open_file(bvh(tmp_path, 1e7))


def test_the_scene_reader_and_the_importers_keep_the_same_bound(tmp_path: Path) -> None:
    pose = random_pose(np.random.default_rng(0), 0.2)
    roots = np.array([[0, 1, 0], [0, 1, 9.9905e5]])
    motion = Motion(roots, np.stack([pose.rotations] * 2))
    text = scene_text(edits.import_motion("c1", motion)(new_document()), tmp_path)
    with pytest.raises(
        InputRefused, match=r"characters\[0\]\.clip\.source\.root_positions: frame 2: the pelvis is farther"
    ):
        read_scene_text(text, tmp_path / "scene.json")


@pytest.mark.parametrize("frame_time", ["0.00001", "1000", "0"])
def test_odd_frame_times_that_open_can_be_saved(tmp_path: Path, frame_time: str) -> None:
    opened = open_file(bvh(tmp_path, 1.0, frame_time))
    assert opened.edit is not None
    after = opened.edit(Document())
    save_scene(tmp_path / "scene.json", after)
    assert load_scene(tmp_path / "scene.json") == after


@pytest.mark.skipif(os.name != "posix", reason="names of files are bytes on POSIX alone")
def test_a_name_that_is_no_text_opens_as_a_motion_and_is_refused_as_a_photo(tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/w\xffalk.bvh"))
    bvh(tmp_path, 1.0).rename(odd)
    opened = open_file(odd)
    assert opened.edit is not None
    after = opened.edit(Document())
    assert after.characters[0].name == "w?alk"
    save_scene(tmp_path / "scene.json", after)
    photo = odd.with_suffix(".png")
    Image.new("RGB", (64, 48)).save(os.fsencode(photo))
    image = load_image(photo)
    with pytest.raises(InputRefused, match="not UTF-8"):
        backdrop_edit(image, 60.0)(Document())
    fine = replace(image, path=str(tmp_path / "fine.png"))
    save_scene(tmp_path / "scene.json", backdrop_edit(fine, 60.0)(Document()))
