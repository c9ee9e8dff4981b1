"""Effectors tied to somebody who is somebody else from now on: merged, copied, or come with a file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from copies import copy_of

from app.document import edits
from app.document.edits.props import add_prop
from app.document.exchange.export import export_pose_json
from app.document.exchange.pose_exchange import pose_file_edit
from app.document.model.document import Document
from app.document.model.prop import Prop
from app.document.posing.create import new_character, new_document
from app.document.posing.holds.retying import retied
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.effectors.sources import JointSource, PropSource, SkinSource
from solver.files.json_checks import parse_json

AT, SHARES = np.float32([0, 1, 0]), np.full(3, 1 / 3, np.float32)
OTHER_TRIANGLES = "smpl:/somewhere"


def on_own_skin() -> Document:
    """Somebody with a palm on the own skin."""
    held = Contact("left_wrist", AT, id="held", patch="left_palm", source=SkinSource("c1", 4000, SHARES))
    return edits.add_effector("c1", held)(new_document())


@pytest.mark.parametrize(
    ("was", "now", "stays"),
    [
        ("anny", "anny", True),
        ("anny:child", "anny", True),
        ("anny", "anny:chibi", True),
        (OTHER_TRIANGLES, "anny", False),
    ],
)
def test_a_hold_on_skin_goes_on_only_on_the_same_triangles(was: str, now: str, stays: bool) -> None:
    owner = replace(new_character(new_document(), "Ben", body=now), id="c2")
    held = Contact("left_wrist", AT, source=SkinSource("c9", 4000, SHARES))
    assert retied(held, "c1", owner, was).source == (SkinSource("c2", 4000, SHARES) if stays else None)
    assert np.array_equal(retied(held, "c1", owner, was).target, AT)


def test_a_joint_that_is_lacking_or_the_effectors_own_is_not_followed() -> None:
    owner = new_document().characters[0]
    for joint, holder, stays in (
        ("head", "c2", True), ("left_wrist", "c2", True), ("left_wrist", "c1", False), ("tail", "c2", False),
    ):  # fmt: skip
        held = retied(Position("left_wrist", AT, source=JointSource("c9", joint)), holder, owner, "anny")
        assert held.source == (JointSource("c1", joint) if stays else None)
    free = Position("left_wrist", AT)
    assert retied(free, "c2", owner, "anny") is free


@pytest.mark.parametrize(("body", "stays"), [("anny", True), (OTHER_TRIANGLES, False)])
def test_a_pose_file_of_a_body_that_is_not_there_lets_go_of_its_skin(tmp_path: Path, body: str, stays: bool) -> None:
    path = export_pose_json(tmp_path / "pose.json", on_own_skin())
    written = json.loads(path.read_text())
    written["people"][0]["body"]["model"] = body
    after = pose_file_edit(parse_json(json.dumps(written), path), path, None)(new_document())
    came = after.characters[-1]
    assert came.id != "c1"
    assert came.effector("held").source == (SkinSource(came.id, 4000, SHARES) if stays else None)


def test_a_pose_file_lets_go_of_a_prop_that_did_not_come_along_though_another_has_its_name(tmp_path: Path) -> None:
    prop = Prop("p1", "Box", "box", np.ones(3))
    on_prop = Contact("left_wrist", AT, id="held", patch="left_palm", source=PropSource("p1", np.float32([0, 0.5, 0])))
    path = export_pose_json(tmp_path / "pose.json", edits.add_effector("c1", on_prop)(add_prop(prop)(new_document())))
    after = pose_file_edit(parse_json(path.read_text(), path), path, None)(add_prop(prop)(new_document()))
    held = after.characters[-1].effector("held")
    assert held.source is None
    assert np.allclose(held.target, AT)


def test_a_copy_holds_its_own_skin() -> None:
    document = on_own_skin()
    copy = copy_of(document, "c1")
    assert copy.effector("held").source == SkinSource(copy.id, 4000, SHARES)
