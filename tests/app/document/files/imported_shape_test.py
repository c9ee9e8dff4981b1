"""Who comes with a skeleton of their own gets the shape that fits its bones; who is there keeps theirs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.document.exchange.open_file import open_file
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.posing.create import new_document
from solver.body.body import BodyShape
from solver.body.bone_lengths import bone_lengths
from solver.body.catalog import load_body
from solver.formats.bvh.write import write_bvh
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import SMPL_JOINTS

BODY = load_body("anny")
TALL = BodyShape(np.array([2, 0, 0, 1.5, -1, 0, 0, 0, 0, 0], np.float32))


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    """A BVH file of somebody tall with long legs and short arms, in centimetres, with Mixamo's names."""
    path, turns = tmp_path / "walk.bvh", np.tile(np.eye(3, dtype=np.float32), (24, 1, 1))
    skeleton = BODY.skeleton(TALL)
    pose = Pose(skeleton.rest_positions[0], turns)
    write_bvh(path, skeleton, pose, names="mixamo", unit="cm")
    return path


def test_a_bvh_skeleton_gives_its_shape_to_the_new_person(walk: Path) -> None:
    opened = open_file(walk)
    assert opened.edit is not None
    person = opened.edit(Document()).characters[0]
    ours = bone_lengths(dict(zip(SMPL_JOINTS, BODY.skeleton(person.shape).rest_positions, strict=True)))
    theirs = bone_lengths(dict(zip(SMPL_JOINTS, BODY.skeleton(TALL).rest_positions, strict=True)))
    assert ours == pytest.approx(theirs, abs=2e-3)
    assert "from the lengths of the bones" in opened.report
    # in T-pose they stand where the file's joints stand
    assert np.linalg.norm(joints_of(person).positions - BODY.skeleton(TALL).rest_positions, axis=1).max() < 0.01


def test_somebody_who_is_there_keeps_their_shape(walk: Path) -> None:
    document = new_document()
    opened = open_file(walk, document.characters[0].id)
    assert opened.edit is not None
    assert opened.edit(document).characters[0].shape == BodyShape()
    assert "Body shape" not in opened.report


def test_the_paper_s_estimator_can_be_asked_for(walk: Path) -> None:
    shapes = []
    for name in ("least-squares", "smpl-si"):
        edit = open_file(walk, shape_by=name).edit
        assert edit is not None
        shapes.append(edit(Document()).characters[0].shape.betas)
    assert shapes[0][3] == pytest.approx(1.5, abs=0.5)
    assert np.abs(shapes[1] - shapes[0]).max() > 0.2
