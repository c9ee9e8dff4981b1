"""Feet that stand at two keys in different places step there: they stay, swing over, and stay."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from app.document import edits
from app.document.curves.curves import curves_of
from app.document.curves.values import MISS, CurveRequest
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.over_time.in_betweens import document_completed
from app.document.over_time.steps import Steps
from app.document.posing.contact_patches import UP, contact_of, patches_of
from app.document.posing.create import new_character
from app.document.posing.solving import with_solution
from app.document.posing.tied_groups import answers_of
from app.document.posing.touched_surfaces import props_of
from app.document.scene_file.io import load_scene, save_scene
from solver.body.body import BodyShape
from solver.effectors.sources import FloorSource, PropSource
from solver.ik.options import SOLID_FLOOR
from solver.kinematics.fk import forward_kinematics
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

Array = NDArray[np.floating]
LAST, LEFT, RIGHT, LIES_M = (
    30,
    0,
    1,
    0.004,
)  # frame of the second key; metres above where it lies, of a ball on the floor


def animated(body: str = "female", solver: str = "smplik") -> Document:
    """Somebody who stands, with a key at the first frame, looked at in the last one."""
    person = replace(new_character(Document(), shape=BodyShape(gender=body), solid_floor=True), solver=solver)  # type: ignore[arg-type]
    document = edits.set_clip_length("c1", LAST + 1)(Document().with_characters((person,)))
    document = edits.set_key("c1", 0)(document) if document.actor("c1").clip.key(0) is None else document
    return document.at_frame("c1", LAST)


def posed(document: Document) -> Document:
    """Solved at its frame, where that is a key from then on."""
    people = document.characters
    answer = answers_of(people, {}, props=props_of(document))["c1"]
    return document.with_character(with_solution(people[0], answer.solution, answer.effectors))


def put(document: Document, foot: int, by: tuple[float, float, float]) -> Document:
    """The ankle's place moved by (3,) metres at the frame looked at."""
    rig = rig_of(skeleton_of(document.character("c1")))
    joint = rig.name(LEGS[foot].end)
    ankle = next(e for e in document.character("c1").effectors if e.joint == joint and e.kind == "position")
    return edits.set_target("c1", ankle.id, (ankle.target + by).astype(np.float32))(document)


def balls(document: Document) -> Array:
    """(N, 2, 3) metres, where the balls of both feet are, all between the keys being solved."""
    document = document_completed(document)
    motion, rig = document.actor("c1").motion(), rig_of(skeleton_of(document.character("c1")))
    assert motion is not None
    feet = [rig.joint(leg.tip) for leg in LEGS]
    return np.array([forward_kinematics(rig, motion.pose(f)).positions[feet] for f in range(len(motion))], np.float64)


def slid(way: Array) -> float:
    """Metres that a ball of a foot (N, 3) goes over the floor while it is on it."""
    low = way[:, 1] < min(way[0, 1], way[-1, 1]) + LIES_M
    went = np.linalg.norm(np.diff(way[:, [0, 2]], axis=0), axis=1)
    return float(went[low[1:] & low[:-1]].sum())


@pytest.mark.parametrize(("body", "solver"), [("female", "smplik"), ("male", "dls")])
def test_a_foot_that_is_put_ahead_at_the_second_key_is_lifted_over(body: str, solver: str) -> None:
    ways = balls(posed(put(animated(body, solver), LEFT, (0.0, 0.0, 0.4))))
    assert ways[-1, LEFT] - ways[0, LEFT] == pytest.approx([0.0, 0.0, 0.4], abs=0.01)
    assert ways[:, LEFT, 1].max() > ways[0, LEFT, 1] + 0.08
    assert slid(ways[:, LEFT]) < 0.03
    assert np.ptp(ways[:, RIGHT], axis=0).max() < 2e-3, "the other one stays"
    speed = np.linalg.norm(np.diff(ways[:, LEFT], axis=0), axis=1)
    assert speed[:3].max() < 0.02, "it begins slowly"


def test_of_two_feet_the_one_behind_steps_first() -> None:
    document = posed(put(animated(), LEFT, (0.0, 0.0, -0.15)))
    document = edits.delete_keys("c1", [0])(document)  # it stands so from the first frame on
    document = edits.set_key("c1", 0)(document.at_frame("c1", 0)).at_frame("c1", LAST)
    document = edits.place_together([document.character("c1")], (0.0, 0.0, 0.35), 0.0, whole=False)(document)
    ways = balls(posed(document))
    highest = ways[..., 1].argmax(axis=0)
    assert highest[LEFT] < LAST / 2 < highest[RIGHT]
    assert (ways[:, :, 1].max(axis=0) > ways[0, :, 1] + 0.05).all()
    assert max(slid(ways[:, foot]) for foot in (LEFT, RIGHT)) < 0.03


@pytest.mark.parametrize(("aside", "first"), [(0.4, LEFT), (-0.4, RIGHT)])
def test_sideways_the_foot_on_that_side_steps_first_and_legs_do_not_cross(aside: float, first: int) -> None:
    document = animated()
    document = edits.place_together([document.character("c1")], (aside, 0.0, 0.0), 0.0, whole=False)(document)
    ways = balls(posed(document))
    highest = ways[..., 1].argmax(axis=0)
    assert highest[first] < LAST / 2 < highest[1 - first]
    assert (ways[:, :, 1].max(axis=0) > ways[0, :, 1] + 0.05).all()
    assert (ways[:, LEFT, 0] - ways[:, RIGHT, 0]).min() > 0.15, "neither foot comes past the other"


def test_it_slides_where_feet_are_not_to_step_and_the_choice_is_saved(tmp_path: Path) -> None:
    document = edits.set_in_between("c1", steps=False)(posed(put(animated(), LEFT, (0.0, 0.0, 0.4))))
    save_scene(tmp_path / "scene.json", document)
    ways = balls(load_scene(tmp_path / "scene.json"))
    assert ways[:, LEFT, 1].max() < ways[0, LEFT, 1] + LIES_M
    assert slid(ways[:, LEFT]) > 0.35
    again = edits.set_in_between("c1", steps=True)(document)
    assert balls(again)[:, LEFT, 1].max() > ways[0, LEFT, 1] + 0.08


@pytest.mark.parametrize("by", [(0.0, 0.3, 0.3), (0.0, 0.0, 0.03)])
def test_a_foot_that_is_up_at_a_key_or_hardly_goes_anywhere_does_not_step(by: tuple[float, float, float]) -> None:
    document = posed(put(animated(), LEFT, by))
    keys = document.actor("c1").clip.keys
    assert len(keys) == 2
    assert Steps.between(skeleton_of(document.character("c1")), keys, 30.0).swings == ()


def test_the_foot_that_stands_steps_before_the_other_one_kicks_and_as_it_comes_down() -> None:
    document = posed(put(put(animated(), LEFT, (0.2, 0.0, 0.0)), RIGHT, (0.0, 0.5, 0.4)))
    ways = balls(document)
    assert slid(ways[:, LEFT]) < 0.03
    skeleton, (one, kick) = skeleton_of(document.character("c1")), document.actor("c1").clip.keys
    (before,) = Steps.between(skeleton, (one, kick), 30.0).swings
    (after,) = Steps.between(skeleton, (replace(kick, frame=0), replace(one, frame=LAST)), 30.0).swings
    assert (before.leg, after.leg) == (LEFT, LEFT)
    assert before.end < LAST / 2 < after.start
    assert Steps.between(skeleton, (one, replace(kick, frame=8)), 30.0).swings == (), "without time for it"
    assert Steps.between(skeleton, (kick, replace(kick, frame=60)), 30.0).swings == (), (
        "with the other one up all along"
    )


def test_who_lies_does_not_step() -> None:
    person, turned = animated().character("c1"), np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])
    lies = edits.tip_over([person], turned)(animated()).character("c1").pose
    key = replace(animated().actor("c1").clip.keys[0], pose=lies)
    there = replace(key, frame=LAST, pose=replace(lies, root_position=lies.root_position + np.float32([0, 0, 0.3])))
    assert Steps.between(skeleton_of(person), (key, there), 30.0).swings == ()


def test_a_sole_goes_from_the_floor_onto_a_box_over_its_edge() -> None:
    document = animated()
    box = replace(new_prop(document, "box"), place=np.array([0.1, 0.0, 0.55]), size=np.array([0.6, 0.25, 0.6]))
    document = add_prop(box)(document)
    person = document.character("c1")
    ankle = next(e for e in person.effectors if e.joint == "left_ankle" and e.kind == "position")
    on = contact_of(patches_of(person)["left_sole"], box.frame.points((0.0, 1.0, -0.2)), UP, like=ankle)
    on = replace(on, source=PropSource(box.id, np.array([0.0, 0.5, -0.2]), UP))
    ways = balls(posed(edits.hold("c1", on, instead_of=ankle.id)(document)))[:, LEFT]
    over = ways[ways[:, 2] > 0.25]
    assert over[:, 1].min() > 0.25, "the toes do not go through the box"
    assert ways[:, 1].max() > ways[-1, 1] + 0.05


def test_a_sole_held_on_the_floor_at_both_keys_steps_as_well() -> None:
    document = animated()
    ankle = next(e for e in document.character("c1").effectors if e.joint == "left_ankle" and e.kind == "position")

    def on_floor(document: Document, ahead: float) -> Document:
        place = np.array([ankle.target[0], 0.0, ankle.target[2] + 0.05 + ahead])
        sole = contact_of(patches_of(document.character("c1"))["left_sole"], place, UP, like=ankle)
        sole = replace(sole, source=FloorSource())
        return posed(edits.hold("c1", sole, instead_of=ankle.id)(document))

    first = on_floor(document.at_frame("c1", 0), 0.0)
    ways = balls(on_floor(first.at_frame("c1", LAST), 0.35))[:, LEFT]
    assert ways[:, 1].max() > ways[0, 1] + 0.05
    assert slid(ways) < 0.03


def test_a_sole_held_at_one_place_of_a_cart_rides_on_it() -> None:
    document = animated().at_frame("c1", 0)
    person = document.character("c1")
    ankle = next(e for e in person.effectors if e.joint == "left_ankle" and e.kind == "position")
    cart = replace(new_prop(document, "box"), place=np.array([0.1, 0.0, 0.1]), size=np.array([0.4, 0.02, 0.6]))
    document = add_prop(cart)(document)
    document = edits.animate_prop(cart.id, LAST + 1)(document)
    on = contact_of(patches_of(person)["left_sole"], cart.frame.points((0.0, 1.0, -0.1)), UP, like=ankle)
    on = replace(on, source=PropSource(cart.id, np.array([0.0, 0.5, -0.1]), UP))
    document = posed(edits.hold("c1", on, instead_of=ankle.id)(document))
    later = document.at({"c1": LAST, document.prop(cart.id).slot: LAST})
    document = edits.move_prop(cart.id, (0.0, 0.0, 0.35))(later)
    ways = balls(posed(document))[:, LEFT]
    assert ways[-1, 2] - ways[0, 2] == pytest.approx(0.35, abs=0.02)
    assert np.ptp(ways[:, 1]) < LIES_M, "it is not lifted off"


def test_who_may_sink_into_the_floor_steps_as_well() -> None:
    document = posed(put(animated(), LEFT, (0.0, 0.0, 0.4)))
    document = edits.set_solver_option("c1", SOLID_FLOOR.id, False)(document)
    ways = balls(document)
    assert ways[:, LEFT, 1].max() > ways[0, LEFT, 1] + 0.08


def test_a_rig_without_toes_has_no_steps() -> None:
    document = posed(put(animated(), LEFT, (0.0, 0.0, 0.4)))
    rig, keys = rig_of(skeleton_of(document.character("c1"))), document.actor("c1").clip.keys
    toeless = replace(rig, roles=tuple(None if role == LEGS[LEFT].tip else role for role in rig.roles))
    assert len(Steps.between(rig, keys, 30.0).swings) == 1
    assert Steps.between(toeless, keys, 30.0).swings == ()


def test_the_curve_of_the_error_goes_by_the_step() -> None:
    document = document_completed(posed(put(animated(), LEFT, (0.0, 0.0, 0.4))))
    actor = document.actor("c1")
    ankle = next(e for e in actor.clip.keys[-1].effectors if e.joint == "left_ankle" and e.kind == "position")
    (line,) = curves_of(actor, CurveRequest(MISS, effector=ankle.id)).lines
    assert np.nanmax(line.after) < 5.0, "millimetres: the foot is where it is asked to be"


def test_between_keys_too_near_for_two_steps_feet_glide() -> None:
    document = edits.set_clip_length("c1", 20)(animated().at_frame("c1", 0))
    document = edits.place_together([document.at_frame("c1", 12).character("c1")], (0.0, 0.0, 0.3), 0.0, whole=False)(
        document.at_frame("c1", 12)
    )
    skeleton, keys = skeleton_of(document.character("c1")), document.actor("c1").clip.keys
    assert Steps.between(skeleton, keys, 30.0).swings == ()
    assert len(Steps.between(skeleton, keys, 5.0).swings) == 2, "as many frames take longer"
