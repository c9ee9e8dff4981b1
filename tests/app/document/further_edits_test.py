"""Edits of a body by its stature and weight, of its sides, and of handles that come home."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.create import new_document
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.placing import lowest_skin
from app.document.posing.sides import copied_across, exchanged, limb_joints, out_of_floor, part_joints
from app.document.posing.solving import solution_of, with_solution
from solver.body.measures import stature, weight
from solver.effectors.kinds import Position
from solver.ik.options import SOLID_FLOOR, with_option
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


def leaning() -> Character:
    """Somebody whose pelvis leans, as it was dragged aside and down."""
    person = only(new_document())
    pelvis = new_effector(person, Position.kind, "pelvis")
    aside = replace(pelvis, target=pelvis.target + np.float32([0.15, -0.3, 0.0]))
    person = replace(person, effectors=(*person.effectors, aside))
    return with_solution(person, solution_of(person))


def test_legs_come_out_of_a_solid_floor_when_the_torso_that_carries_them_is_mirrored_alone() -> None:
    person = leaning()
    torso = part_joints(person, ["pelvis"])
    mirrored = exchanged(person, torso)
    assert lowest_skin(mirrored) < -0.02
    hold = out_of_floor(mirrored, torso)
    assert hold is not None
    assert lowest_skin(with_solution(mirrored, solution_of(mirrored, hold=hold))) > -0.002


def test_a_leg_that_is_copied_into_a_solid_floor_is_held_above_it_and_comes_out_alone() -> None:
    person = leaning()
    joints = limb_joints(person, (), "left")
    assert out_of_floor(person, joints) is None
    copied = copied_across(person, joints)
    assert lowest_skin(copied) < -0.02
    hold = out_of_floor(copied, joints)
    assert hold is not None
    assert {"pelvis", "right_ankle", "left_wrist"} <= hold.frozen
    out = with_solution(copied, solution_of(copied, hold=hold))
    assert lowest_skin(out) > -0.002
    foot = next(e for e in out.effectors if e.joint == "left_ankle" and isinstance(e, Position))
    assert joints_of(out).positions[skeleton_of(out).index("left_ankle")] == pytest.approx(foot.target, abs=1e-3)
    airy = replace(copied, solver_options=with_option(copied.solver_options, SOLID_FLOOR.id, False))
    assert out_of_floor(airy, joints) is None


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
