"""What a scene may hold, from files and by edits: whatever can be open can be saved, and opened again."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from document_samples import document_of, given_effectors

from app.document import edits
from app.document.model.document import Document
from app.document.posing.create import new_character, new_document
from app.document.scene_file.io import load_scene, read_scene_text, save_scene, scene_text
from solver.effectors.kinds import Position, Rotation
from solver.errors import InputRefused, PoserError
from solver.kinematics.pose import Motion
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.size_limits import MAX_EFFECTORS, MAX_FRAMES, MAX_PEOPLE

SCENE = Path("/scenes/scene.json")
DOCUMENT = new_document()
ANN = DOCUMENT.characters[0]


def standing_still(frames: int) -> Motion:
    rotations = np.broadcast_to(np.eye(3, dtype=np.float32), (frames, 24, 3, 3))
    return Motion(np.zeros((frames, 3), np.float32), rotations)


def people(count: int, **changes: Any) -> Document:
    return document_of(*(replace(ANN, id=f"c{i}", **changes) for i in range(count)))


def walking(count: int, motion: Motion, **changes: Any) -> Document:
    return edits.chain(*(edits.import_motion(f"c{i}", motion) for i in range(count)))(people(count, **changes))


def test_all_frames_of_a_scene_are_counted_before_they_are_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    two = json.loads(scene_text(walking(2, standing_still(3)), Path("/scenes")))
    for module in ("scene_file.poses", "scene_file.read", "model.document"):
        monkeypatch.setattr(f"app.document.{module}.MAX_FRAMES", 5)
    two["characters"][1]["clip"]["source"]["rotations"] = "not even unpacked"
    with pytest.raises(
        InputRefused, match=r"characters\[1\].clip.source.frames: the motions of the scene have more than 5"
    ):
        read_scene_text(json.dumps(two), SCENE)
    document = edits.import_motion("c0", standing_still(3))(people(2))
    with pytest.raises(PoserError, match="The motions of a scene hold up to 5 frames together"):
        edits.import_motion("c1", standing_still(3))(document)


def test_a_small_file_of_a_million_frames_is_refused() -> None:
    scene = json.loads(scene_text(walking(1, standing_still(1)), Path("/scenes")))
    scene["characters"][0]["clip"]["source"]["frames"] = MAX_FRAMES + 1
    with pytest.raises(InputRefused, match=r"clip.source.frames: .* more than 200,000 frames"):
        read_scene_text(json.dumps(scene), SCENE)


def test_edits_keep_to_what_a_scene_file_may_hold() -> None:
    full = people(MAX_PEOPLE, effectors=())
    with pytest.raises(PoserError, match="A scene holds up to 100 people"):
        edits.add_character(new_character(full))(full)
    many = given_effectors("c1", [Position("head", (0, 1, 0))] * MAX_EFFECTORS)(DOCUMENT)
    with pytest.raises(PoserError, match="would have more than 1,000 effectors"):
        edits.add_effector("c1", Position("head", (0, 1, 0), id="one more"))(many)


def test_fresh_ids_beside_foreign_ones_do_not_grow_too_long_to_be_saved(tmp_path: Path) -> None:
    scene = json.loads(scene_text(DOCUMENT, tmp_path))
    effectors = scene["characters"][0]["clip"]["keys"][0]["effectors"]
    effectors[0]["id"], effectors[1]["id"], effectors[2]["id"] = "e" + "9" * 199, "", "e999999999"
    (tmp_path / "a.json").write_text(json.dumps(scene), encoding="utf-8")
    document = load_scene(tmp_path / "a.json")
    save_scene(tmp_path / "b.json", document)
    ids = [effector.id for effector in load_scene(tmp_path / "b.json").characters[0].effectors]
    assert len(set(ids)) == len(ids)


def test_a_look_at_target_at_the_end_of_the_world_is_refused_in_one_line() -> None:
    gaze = next(e for e in ANN.effectors if e.kind == "lookat")
    with pytest.raises(PoserError, match="a look-at effector on the head would be more than 1,000 km away") as no:
        edits.set_target(ANN.id, gaze.id, (0, 0, 1e30))(DOCUMENT)
    assert "\n" not in str(no.value)


@pytest.mark.usefixtures("compiled_solver")
@pytest.mark.parametrize("place", ["pose", "motion"])
def test_rotations_of_few_decimals_can_be_posed_on_from(place: str) -> None:
    """Each error alone is one that a file may have; along the joints they add up to what no effector could follow."""
    turned = np.array([[0.705, -0.705, 0], [0.705, 0.705, 0], [0, 0, 0.999]])
    document = walking(1, standing_still(2), effectors=(Rotation("left_hand", np.eye(3), id="turn"),))
    scene = json.loads(scene_text(document, Path("/scenes")))
    person = scene["characters"][0]
    if place == "pose":
        person["clip"]["keys"][0]["pose"]["rotations"] = dict.fromkeys(SMPL_JOINTS, tuple(turned.ravel()))
    else:
        rotations = np.tile(turned, (2, 24, 1, 1)).astype("<f4").tobytes()
        person["clip"]["source"]["rotations"] = base64.b64encode(zlib.compress(rotations)).decode()
    read = read_scene_text(json.dumps(scene), SCENE)
    if place == "motion":
        read = read.at_frame(person["id"], 1)
    assert np.isfinite(edits.solve(person["id"])(read).characters[0].pose.rotations).all()
