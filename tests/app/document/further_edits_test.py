"""Edits of a body by its stature and weight, of its sides, and of handles that come home."""

from __future__ import annotations

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Character, Document
from app.document.posing.create import new_document
from app.document.posing.solving import body_of, joints_of, skeleton_of
from solver.body.measures import stature, weight
from solver.rig.roles import ARMS

LEFT, RIGHT = (frozenset(map(str, arm.joints)) for arm in ARMS)


def only(document: Document) -> Character:
    return document.characters[0]


def test_a_stature_and_a_weight_are_met_by_the_shape() -> None:
    document = new_document()
    id = only(document).id
    tall = only(edits.set_stature(id, 1.85)(document))
    assert stature(body_of(tall), tall.shape) == pytest.approx(1.85, abs=0.005)
    heavy = only(edits.set_weight(id, 80.0)(document))
    assert weight(body_of(heavy), heavy.shape) == pytest.approx(80.0, abs=0.5)


def test_a_handle_comes_home_to_where_the_body_has_it() -> None:
    document = new_document()
    id, hand = only(document).id, only(document).effectors[0]
    away = edits.set_target(id, hand.id, hand.target + np.float32([0, 3, 0]))(document)
    home = only(edits.bring_home(id, [hand.id])(away))
    at = joints_of(home).positions[skeleton_of(home).index(hand.joint)]
    assert home.effector(hand.id).target == pytest.approx(at, abs=1e-5)
    assert home.pose == only(away).pose


def test_a_side_is_copied_and_both_are_exchanged() -> None:
    document = new_document()
    id, skeleton = only(document).id, skeleton_of(only(document))
    left, right = skeleton.index("left_elbow"), skeleton.index("right_elbow")
    copied = only(edits.copy_side(id, RIGHT)(document))
    assert copied.pose.rotations[left] == pytest.approx(only(document).pose.rotations[left])
    exchanged = only(edits.mirror_joints(id, LEFT | RIGHT)(document))
    back = only(edits.mirror_joints(id, LEFT | RIGHT)(edits.mirror_joints(id, LEFT | RIGHT)(document)))
    assert back.pose.rotations == pytest.approx(only(document).pose.rotations, abs=1e-5)
    assert exchanged.pose.rotations[right] == pytest.approx(copied.pose.rotations[right], abs=1e-5)
