"""Whole people dragged onto a seat: who is held sits there, whatever is dragged along and whichever frames move.

Who is only brought nearer to one sits there as posed if they sit, whatever they hold.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import entry_of, poses_of
from app.document.model.document import Document
from app.document.model.prop_spots import spot_of
from app.document.posing.contact_patches import UP, contact_of, patches_of, place_of_patch
from app.document.posing.create import new_character
from app.document.posing.placing import lowest_skin
from app.document.posing.rest.as_posed import ways_as_posed
from app.viewport.tools.root_drag import RootGrab, grab_root
from app.viewport.tools.surface_drag import Spot
from app.viewport.tools.whole_landing import seated
from rendering.camera.camera import OrbitCamera, View
from solver.resources import resource_folder

LOW_M = 0.3  # a seat lower than the one of the pose


@pytest.fixture(scope="module")
def two() -> Document:
    """Somebody in the air as on a chair, somebody who stands beside, and a low box."""
    pose = poses_of(entry_of(resource_folder("assets", "poses") / "Sitting on a chair" / "Sit upright.json"))
    sitter = new_character(Document())
    stander = new_character(Document().with_characters((sitter,)))
    document = take_pose("c1", pose, Taking())(Document().with_characters((sitter, stander)))
    box = new_prop(document, "box")
    box = replace(box.sized((box.size[0], LOW_M, box.size[2])), place=np.array([-1.5, 0.0, 0.0], np.float32))
    return add_prop(box)(document)


def onto_the_box(document: Document, grab: RootGrab) -> Document:
    source, at, normal = spot_of(document.props[0], np.array([0.0, 1.0, 0.0]), UP)
    return seated(grab, patches_of(grab.people[0])["seat"], Spot(at, normal, source))(document)


def taken(document: Document, *ids: str) -> RootGrab:
    people = tuple(map(document.character, ids))
    place = people[0].pose.root_position * (1.0 - UP)
    return grab_root(people, place, "move", (400.0, 300.0), View(OrbitCamera(), 800.0, 600.0))


def apart(document: Document) -> float:
    """Metres over the floor between both."""
    one, other = (person.pose.root_position[[0, 2]] for person in document.characters)
    return float(np.linalg.norm(one - other))


@pytest.mark.parametrize("spun", [0.0, 1.5])
def test_of_several_people_the_one_who_is_held_sits_however_the_wheel_turned_them(two: Document, spun: float) -> None:
    there = onto_the_box(two, replace(taken(two, "c1", "c2"), spun=spun))
    sitter, stander = there.characters
    assert place_of_patch(sitter, patches_of(sitter)["seat"]) == pytest.approx([-1.5, LOW_M, 0.0], abs=1e-4)
    assert lowest_skin(stander) == pytest.approx(0.0, abs=1e-3), "not in the floor by as much as the seat is lower"
    assert apart(there) == pytest.approx(apart(two), abs=1e-4)


def test_at_all_frames_nobody_sinks_into_the_floor_for_the_seat_of_one(two: Document) -> None:
    document = edits.chain(edits.set_clip_length("c1", 31), edits.set_key("c1", 0), edits.set_key("c1", 30))(two)
    document = document.at_frame("c1", 30)
    there = onto_the_box(document, replace(taken(document, "c1"), whole=True))
    first, last = (there.at_frame("c1", frame).character("c1") for frame in (0, 30))
    assert lowest_skin(first) == pytest.approx(0.0, abs=1e-3)
    assert first.pose.root_position[[0, 2]] == pytest.approx(last.pose.root_position[[0, 2]], abs=1e-4)
    assert place_of_patch(last, patches_of(last)["seat"])[1] == pytest.approx(LOW_M, abs=1e-4)


def test_who_stands_and_holds_a_seat_that_is_too_far_away_does_not_sit_as_posed_there(two: Document) -> None:
    source, at, normal = spot_of(two.props[0], np.array([0.0, 1.0, 0.0]), UP)
    ways = []
    for person in two.characters:
        seat = replace(contact_of(patches_of(person)["seat"], at, normal), source=source)
        ways.append(ways_as_posed(edits.hold(person.id, seat)(two).character(person.id), at)[0])
    assert [len(each) > 0 for each in ways] == [True, False]
