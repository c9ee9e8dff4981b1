"""Somebody who leans on a thin wall does not come through it with the limb that lies there; nor in a drag along it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from solved_together import solved_and_missed

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Character, Document
from app.document.model.figure import body_of
from app.document.model.prop_spots import spot_of
from app.document.posing.contact_patches import contact_of, patches_of, place_of_patch
from app.document.posing.create import new_document
from scripts.contacts.surface_drags import drag
from solver.body.floor import posed_vertices
from solver.body.hands import skin_with
from solver.body.shape_presets import SHAPE_PRESETS, ShapePreset
from solver.ik import exact
from solver.ik.descent import Descent
from solver.ik.memory import Memory
from solver.ik.passing import Way
from solver.rig.roles import Role

AWAY, THICK = 0.45, 0.2  # metres from the pelvis to the wall beside it, and through the wall
FLESH = 0.03  # metres that skin may be pressed in
SOFT = 0.035  # likewise, where the thickest calf gives
FURTHER = [0.002 * step for step in range(-6, 7)]  # metres from the wall, besides
OFF = {"left_upper_arm": 0.002, "left_calf": 0.06}  # metres: heel and shin keep some calves a little off the wall
BODIES = [preset for preset in SHAPE_PRESETS if preset.name in ("Average", "Child", "Strong", "Heavy", "Elder")]


def beside_a_wall(preset: ShapePreset, solver: str, further: float = 0.0) -> Document:
    document = new_document()
    document = edits.take_preset(document.characters[0], preset)(document)
    document = document.with_character(replace(document.characters[0], solver=solver))
    x, _, z = document.characters[0].pose.root_position.tolist()
    wall = replace(
        new_prop(document, "box"),
        size=np.array([THICK, 2.2, 2.4], np.float32),
        place=np.array([x + AWAY + further + THICK / 2, 0.0, z], np.float32),
    )
    return add_prop(wall)(document)


def leaning(document: Document, patch: str) -> tuple[Document, float]:
    """With a patch on the wall at its height, solved; and metres by which the worst strict effector is missed."""
    return solved_and_missed(held_on_wall(document, patch))


def held_on_wall(document: Document, patch: str, ahead: float = 0.0) -> Document:
    """With a patch held on the wall at its height, so many metres further ahead."""
    (person,), (wall,) = document.characters, document.props
    place = place_of_patch(person, patches_of(person)[patch])
    place[0] = wall.place[0] - THICK / 2
    place[2] += ahead
    source, place, facing = spot_of(wall, wall.frame.own(place), np.array([-1.0, 0.0, 0.0]))
    contact = replace(contact_of(patches_of(person)[patch], place, facing), source=source)
    return edits.hold(person.id, contact)(document)


def within(person: Character, document: Document) -> float:
    """Metres that the deepest skin is within the wall."""
    body, (wall,) = body_of(person), document.props[-1].solids()
    skin = posed_vertices(body, person.shape, person.pose, rest=skin_with(body, person.shape, person.hands))
    return -float(wall.distances(skin.astype(np.float64)).min())


@pytest.mark.parametrize("solver", ["smplik", "dls"])
@pytest.mark.parametrize("patch", OFF)
@pytest.mark.parametrize("preset", BODIES, ids=lambda preset: preset.name)
def test_the_limb_that_lies_on_a_wall_stays_on_this_side_of_it(preset: ShapePreset, patch: str, solver: str) -> None:
    after, missed = leaning(beside_a_wall(preset, solver), patch)
    assert within(after.characters[0], after) < FLESH
    assert missed < OFF[patch]


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["smplik", "dls"])
@pytest.mark.parametrize("preset", BODIES, ids=lambda preset: preset.name)
def test_a_calf_comes_to_a_wall_whose_distance_is_a_little_more_or_less(preset: ShapePreset, solver: str) -> None:
    """At one distance in seven it was left up to 18 cm off, for the sake of the other foot, which was 2 mm off."""
    for further in FURTHER:
        after, missed = leaning(beside_a_wall(preset, solver, further), "left_calf")
        assert missed < OFF["left_calf"]
        assert within(after.characters[0], after) < SOFT


def test_a_knee_that_is_taken_along_a_wall_comes_there_the_way_it_did_a_step_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ways, through = list[tuple[int, int, int]](), exact.through_things

    def told(*given: Any) -> tuple[Descent, int]:
        found, iterations = through(*given)
        ways.append((given[-1], found.state.way, iterations))
        return found, iterations

    monkeypatch.setattr(exact, "through_things", told)
    document, memories = beside_a_wall(BODIES[0], "dls"), dict[str, Memory]()
    first = list[tuple[int, int, int]]()
    for step in range(2):
        document = held_on_wall(document, Role.LEFT_KNEE, 0.01 * step)
        document, missed = solved_and_missed(document, memories)
        assert missed < 0.002
        first = first or list(ways)
    again = [taken for before, way, taken in ways[len(first) :] if before == way == Way.BESIDE]
    anew = [taken for before, way, taken in first if way == Way.BESIDE != before]
    assert again, "the way is remembered from step to step"
    assert max(again) < min(anew), "no other way is tried before it"


@pytest.mark.parametrize("body", ["female", "male"])
def test_a_calf_that_is_led_to_a_box_from_below_is_lifted_over_its_edge(body: str) -> None:
    """It was stopped by the front of the box, with the knee on top, 11 to 14 cm off."""
    for _, off, within_box, _, lost in drag("box", "left_calf", body, "dls", seated=False):
        assert off < 0.2
        assert within_box < 100 * FLESH
        assert lost < 0.2
