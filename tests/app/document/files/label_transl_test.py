"""Where a label's SMPL parameters put people: on the picture, for whoever reads them as SMPL's."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from labelling_driver import CAMERA, scene_of
from PIL import Image

from app.document.exchange.label import label_of, write_label
from app.document.exchange.open_file import open_file
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from solver.body.body import BodyShape
from solver.formats.smpl.motion import MEAN_BODIES
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import SMPL_ROLES, Role

HIPS = [SMPL_ROLES.index(role) for role in (Role.LEFT_HIP, Role.RIGHT_HIP)]


@pytest.fixture
def document(tmp_path: Path) -> Document:
    """Two people of other shapes than the mean, turned and leaning, in a picture."""
    Image.new("RGB", CAMERA.image_size, "gray").save(tmp_path / "team.png")
    document = scene_of(tmp_path / "team.png", 2)
    people = []
    for sign, one in zip((-1.0, 1.0), document.characters, strict=True):
        rotations = np.array(one.pose.rotations)
        rotations[0] = from_rotation_vector(np.array([0.5, 0.8 * sign, 0.3]))
        place = one.pose.root_position + np.float32([0.6 * sign, -0.1, -1.0])
        shape = BodyShape(np.float32([sign, -sign, *8 * [0.5]]))
        people.append(replace(one, shape=shape, pose=replace(one.pose, root_position=place, rotations=rotations)))
    return document.with_characters(people)


def written(document: Document, folder: Path) -> dict[str, Any]:
    label = label_of(document, folder, checked=True)
    write_label(folder / "team.json", label)
    return label


def pixels(document: Document) -> np.ndarray:
    camera = document.photos[0].camera
    return np.array([camera.project(joints_of(one).positions) for one in document.characters])


def test_smpl_s_mean_body_has_its_hips_where_the_person_has_them(document: Document, tmp_path: Path) -> None:
    mean = MEAN_BODIES["SMPL"]
    for one in written(document, tmp_path)["people"]:
        turn = from_rotation_vector(np.array(one["global_orient"]))
        hips = np.array(one["transl"]) + mean.pelvis + turn @ mean.hips
        np.testing.assert_allclose(hips, np.array(one["joints_3d_world"])[HIPS].mean(axis=0), atol=1e-6)


@pytest.mark.slow
def test_the_arrays_of_a_label_open_on_the_picture_with_the_shape_of_each_person(
    document: Document, tmp_path: Path
) -> None:
    written(document, tmp_path)
    found = open_file(tmp_path / "team.npz")
    assert found.edit is not None
    np.testing.assert_allclose(pixels(found.edit(Document())), pixels(document), atol=0.5)


def test_a_label_of_the_first_version_opens_where_it_was(document: Document, tmp_path: Path) -> None:
    label = written(document, tmp_path)
    label["version"] = 1
    for one, person in zip(label["people"], document.characters, strict=True):
        rest = scene_of(tmp_path / "team.png").characters[0]
        at_rest = replace(rest, shape=person.shape, body=person.body)
        one["transl"] = (np.array(one["joints_3d_world"])[0] - skeleton_of(at_rest).offsets[0]).tolist()
    (tmp_path / "team.json").write_text(json.dumps(label), encoding="utf-8")
    found = open_file(tmp_path / "team.json")
    assert found.edit is not None
    np.testing.assert_allclose(pixels(found.edit(Document())), pixels(document), atol=0.05)
