"""Things that are carried stop at what is in their way, slide along it, and leave what they are in already."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from solved_together import solved

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.document import Document
from app.document.model.prop import Prop
from app.document.model.prop_spots import nearest_on
from app.document.posing.contact_patches import contact_of, own_limb, patches_of
from app.document.posing.create import new_character, new_document
from app.document.posing.holds.grasping import hand_around
from app.document.posing.holds.held_off import held_off
from app.document.posing.placing import moved, skin_of
from solver.body.catalog import load_body

CUP, AHEAD = (-0.2, 1.0, 0.35), (0.6, 0.0, 0.0)
WALL, BOARD = (0.2, 0.6, 0.6), (0.01, 0.6, 0.6)
Steps = NDArray[np.float64]


def with_things(*things: tuple[str, tuple[float, float, float], tuple[float, float, float]]) -> Document:
    """A cup in the air, and things by kind, size and middle, metres."""
    document = new_document()
    for kind, size, middle in (("cup", (0.075, 0.105, 0.075), CUP), *things):
        prop = new_prop(document, kind).sized(np.array(size))
        document = edits.add_prop(prop.moved(np.array(middle) - prop.middle))(document)
    return document


def carried(document: Document, shift: tuple[float, float, float], steps: int = 1) -> Document:
    """With the cup carried on, in so many steps of a drag."""
    start = document.props[0]
    for step in range(1, steps + 1):
        document = edits.carry_to(start.moved(np.array(shift) * step / steps))(document)
    return document


def gap(document: Document) -> float:
    """Metres between the cup and the other things."""
    cup, *others = document.props
    points = cup.frame.points(cup.surface.vertices)
    return min(float(solid.distances(points).min()) for other in others for solid in other.solids())


@pytest.mark.parametrize("size", [WALL, BOARD])
@pytest.mark.parametrize("steps", [1, 12])
def test_a_cup_stops_at_a_wall_however_thin_and_however_fast(size: tuple[float, float, float], steps: int) -> None:
    after = carried(with_things(("box", size, (0.15, 1.0, 0.35))), AHEAD, steps)
    assert after.props[0].middle[0] < 0.15 - size[0] / 2 - 0.03
    assert abs(gap(after)) < 0.003


def test_a_cup_slides_along_what_it_comes_to_aslant() -> None:
    after = carried(with_things(("box", WALL, (0.15, 1.0, 0.35))), (0.6, 0.1, 0.12), 12)
    assert after.props[0].middle[1:] == pytest.approx([1.1, 0.47], abs=0.01)
    assert abs(gap(after)) < 0.003


def test_in_a_corner_it_stays() -> None:
    document = with_things(("box", WALL, (0.15, 1.0, 0.35)), ("box", (0.6, 0.6, 0.2), (0.0, 1.0, 0.6)))
    after = carried(document, (0.5, 0.0, 0.5), 10)
    assert gap(after) > -0.003
    assert np.linalg.norm(after.props[0].middle - CUP) < 0.3


def test_it_goes_where_nothing_is_in_its_way_and_turned_where_it_is_wanted() -> None:
    document = with_things(("box", WALL, (0.15, 1.0, 0.35)))
    assert carried(document, (0.0, 0.2, 0.0)).props[0].middle == pytest.approx([-0.2, 1.2, 0.35])
    cup = document.props[0]
    turned = cup.turned_to([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]).moved((0.3, 0.0, 0.0))
    assert held_off(document, turned).place == pytest.approx(turned.place)


def test_it_leaves_what_it_is_in_already() -> None:
    document = with_things(("box", WALL, (-0.15, 1.0, 0.35)))
    assert gap(document) < -0.03
    assert gap(carried(document, (-0.4, 0.0, 0.0), 8)) > 0.05


def test_what_is_hidden_is_not_in_its_way() -> None:
    document = with_things(("box", WALL, (0.15, 1.0, 0.35)))
    document = edits.set_prop_visible(document.props[1].id, False)(document)
    assert carried(document, AHEAD).props[0].middle[0] == pytest.approx(0.4, abs=1e-4)


def in_the_right_hand(document: Document) -> Document:
    cup, person = document.props[0], document.characters[0]
    contact = hand_around(person, cup, "right_wrist", nearest_on(cup, cup.middle + [-0.1, 0.0, -0.05])[0])
    assert contact is not None
    return solved(edits.take_in_hand("c1", contact)(document))


@pytest.mark.parametrize("way", [(0.2, 0.2, -0.4), (0.1, -0.35, -0.4), (0.2, 0.55, -0.4)])
@pytest.mark.parametrize("steps", [1, 20])
def test_it_does_not_go_into_the_one_who_holds_it(way: tuple[float, float, float], steps: int) -> None:
    document = in_the_right_hand(with_things())
    person, start = document.characters[0], document.props[0]
    arm = list(own_limb(person, "right_wrist"))
    skin = skin_of(person)[load_body(person.body).weights[:, arm].sum(axis=1) < 0.2]

    def off(thing: Prop) -> float:
        return min(float(solid.distances(skin).min()) for solid in thing.solids())

    assert min(off(start.moved(np.array(way) * share)) for share in np.linspace(0.5, 1.0, 20)) < -0.0005
    after = carried(document, way, steps).props[0]
    assert off(after) > -0.003
    assert np.linalg.norm(after.middle - start.middle) > 0.1


def test_what_lies_on_a_lap_as_well_moves_on_through_its_owner() -> None:
    document = in_the_right_hand(with_things())
    thing = document.props[0]
    source, at, normal = nearest_on(thing, thing.middle + [0.0, 0.0, -0.1])
    chest = contact_of(patches_of(document.characters[0])["chest"], at, normal)
    document = edits.hold("c1", replace(chest, source=source))(document)
    assert carried(document, (0.2, 0.2, -0.4)).props[0].middle == pytest.approx(thing.middle + (0.2, 0.2, -0.4))


def beside(document: Document, x: float) -> Document:
    """With another person, whose chest is ahead of the cup."""
    other = new_character(document)
    document = edits.add_character(other)(document)
    root = other.pose.root_position
    return document.with_character(moved(other, np.array([x - root[0], 0.0, CUP[2] - root[2]])))


def depth(document: Document, thing: Prop) -> float:
    skin = skin_of(document.characters[1])
    return min(float(solid.distances(skin).min()) for solid in thing.solids())


@pytest.mark.parametrize("steps", [1, 20])
def test_it_does_not_go_into_another_person(steps: int) -> None:
    document = beside(with_things(), 0.6)
    after = carried(document, (0.8, 0.0, 0.0), steps)
    assert min(depth(document, document.props[0].moved((x, 0.0, 0.0))) for x in np.arange(0.5, 0.8, 0.02)) < -0.02
    assert depth(after, after.props[0]) > -0.003
