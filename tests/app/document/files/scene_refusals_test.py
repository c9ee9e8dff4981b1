"""A wrong scene is refused with file, place and reason, in the layout of today and in that of version 1."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from document_samples import many_sided, packed, random_photo
from scene_v1 import as_version_1

from app.document.model.document import Document
from app.document.posing.create import new_document
from app.document.scene_file.io import load_scene, read_scene_text, scene_text
from solver.errors import InputRefused

SCENE = Path("/scenes/scene.json")


def as_json(document: Document) -> dict[str, Any]:
    return json.loads(scene_text(document, SCENE.parent))


def read(value: Any) -> Document:
    return read_scene_text(json.dumps(value), SCENE)


def broken(change: Any) -> dict[str, Any]:
    """A scene of version 1 with something changed in it."""
    photo = random_photo(np.random.default_rng(1), "/scenes/a.jpg")
    value = as_version_1(as_json(replace(new_document(), photos=(photo,))))
    character = value["characters"][0]
    character["base_pose"] = json.loads(json.dumps(character["base_pose"]))
    change(value, character)
    return value


PACKED = {"fps": 30, "frames": 1, "joints": 24, "encoding": "float32-le zlib base64", "rotations": ""}
REFUSED = {
    "another format": (lambda d, c: d.update(format="other"), "format"),
    "a need that nobody can meet": (lambda d, c: d.update(needs=["tails"]), r"needs\[0\].*“tails”.*newer version"),
    "no version": (lambda d, c: d.pop("version"), "version is missing"),
    "characters that are not a list": (lambda d, c: d.update(characters={}), "characters"),
    "a missing joint": (lambda d, c: c["pose"]["rotations"].pop("left_knee"), r"\[0\].pose.rotations: .*left_knee"),
    "no pose": (lambda d, c: c.pop("pose"), r"characters\[0\].pose is missing"),
    "a matrix of eight numbers": (lambda d, c: c["pose"]["rotations"]["head"].pop(), r"rotations.head has 8 numbers"),
    "a matrix that mirrors": (
        lambda d, c: c["base_pose"]["rotations"].update(neck=[1, 0, 0, 0, 1, 0, 0, 0, -1]),
        "neck is not a rotation",
    ),
    "an absurd number": (lambda d, c: c["pose"].update(root_position=[1e300, 0, 0]), r"root_position\[0\]"),
    "a text for a number": (lambda d, c: c["pose"].update(root_position=["1", 0, 0]), r"root_position\[0\]"),
    "a strange joint": (lambda d, c: c["effectors"][0].update(joint="tail"), r"effectors\[0\].joint: .*tail"),
    "a tolerance of 2": (lambda d, c: c["effectors"][0].update(tolerance=2), r"effectors\[0\].tolerance"),
    "betas beyond people": (lambda d, c: c["shape"].update(betas=[9.0] * 10), r"shape.betas\[0\]"),
    "an unknown gender": (lambda d, c: c["shape"].update(gender="robot"), "shape.gender"),
    "a solver that is not a name": (lambda d, c: c.update(solver=["magic"]), "solver: a list is not a text"),
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
        r"motion.root_positions does not hold the 3 numbers",
    ),
    "a motion that unpacks to more than it says": (
        lambda d, c: c.update(motion={**PACKED, "root_positions": packed(np.zeros(10_000))}),
        r"motion.root_positions does not hold the 3 numbers",
    ),
    "a motion with a number that is none": (
        lambda d, c: c.update(motion={**PACKED, "root_positions": packed(np.full(3, np.nan))}),
        "motion.root_positions holds a number that is not finite",
    ),
    "a million million frames": (
        lambda d, c: c.update(motion={**PACKED, "frames": 10**12, "root_positions": ""}),
        "motion.frames",
    ),
}


REFUSED_TODAY = {
    "no clip": (lambda d, c: c.pop("clip"), r"characters\[0\].clip is missing"),
    "no key": (lambda d, c: c["clip"].update(keys=[]), r"characters\[0\].clip: a clip needs at least one key"),
    "two keys at a frame": (lambda d, c: c["clip"].update(keys=c["clip"]["keys"][:1] * 2), "clip: .*order of their"),
    "a key behind the end": (lambda d, c: c["clip"]["keys"][1].update(frame=9), "clip: .*within the source"),
    "a frame behind the end": (lambda d, c: c.update(frame=4), r"characters\[0\].frame: 4 is not between 0 and 3"),
    "a key before the start": (lambda d, c: c["clip"]["keys"][0].update(frame=-1), r"clip.keys\[0\].frame: -1"),
    "a pose without a joint": (
        lambda d, c: c["clip"]["keys"][1]["pose"]["rotations"].pop("head"),
        r"characters\[0\].clip.keys\[1\].pose.rotations: .*head",
    ),
    "a motion of other joints": (
        lambda d, c: c["clip"]["source"]["joints"].append("tail"),
        "clip.source.joints are not the joints of the body",
    ),
    "a shift out of the world": (
        lambda d, c: c["clip"]["placement"].update(shift=[0, 0, 1e9]),
        r"clip.placement.shift\[2\]: .* is not between",
    ),
    "a rate of nothing": (lambda d, c: c["clip"].update(fps=0), "clip.fps: 0 is not between"),
    "a camera without lens": (lambda d, c: d["photos"][1]["camera"].update(focal_px=0), r"photos\[1\].camera.focal"),
    "a need that nobody can meet": (lambda d, c: d.update(needs=["tails"]), r"needs\[0\].*“tails”.*newer version"),
}


@pytest.mark.parametrize("case", REFUSED_TODAY)
def test_a_wrong_scene_of_today_is_refused_with_file_place_and_reason(case: str) -> None:
    change, message = REFUSED_TODAY[case]
    value = as_json(many_sided())
    change(value, value["characters"][0])
    with pytest.raises(InputRefused, match=message) as refusal:
        read(value)
    assert "scene.json" in str(refusal.value)


@pytest.mark.parametrize("case", REFUSED)
def test_a_wrong_scene_is_refused_with_file_place_and_reason(case: str) -> None:
    change, message = REFUSED[case]
    with pytest.raises(InputRefused, match=message) as refusal:
        read(broken(change))
    assert "scene.json" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_scene_without_people_is_refused_with_a_way_out(tmp_path: Path) -> None:
    path = tmp_path / "half.json"
    path.write_text(json.dumps({"format": "contrapposto-scene", "version": 2}))
    with pytest.raises(InputRefused, match=r"half.json, characters is missing\. .*docs/scene-format\.md") as refusal:
        load_scene(path)
    assert refusal.value.place == "characters"


def test_what_already_names_a_way_out_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "tails.json"
    path.write_text(json.dumps(as_json(new_document()) | {"needs": ["tails"]}))
    with pytest.raises(InputRefused, match="newer version") as refusal:
        load_scene(path)
    assert "scene-format" not in str(refusal.value)
