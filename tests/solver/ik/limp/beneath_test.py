"""How high what is beneath somebody is: the floor, or the top of a thing below, or of that which they are within."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.contact.distance_grid import distance_grid
from solver.contact.solids import Solid, SolidForm
from solver.ik.limp.beneath import DEEP, heights_beneath
from solver.ik.limp.upright_spans import upright_span
from solver.kinematics.rotations import from_rotation_vector

PLACE = (0.1, 0.6, -0.2)
SIZES = {SolidForm.BOX: (0.5, 0.3, 0.8), SolidForm.BALL: (0.6, 0.6, 0.6), SolidForm.CYLINDER: (0.4, 0.7, 0.4)}
TURNS = {"upright": (0.0, 0.4, 0.0), "tilted": (0.7, 0.3, 0.4), "on its side": (np.pi / 2, 0.0, 0.0)}


def solid(form: SolidForm, turn: str = "upright", place: tuple[float, float, float] = PLACE) -> Solid:
    turned = np.asarray(from_rotation_vector(np.array(TURNS[turn])), np.float32)
    return Solid(form, np.array(SIZES[form], np.float32), np.array(place, np.float32), turned)


def around() -> NDArray[np.float64]:
    """(N, 3) metres, in and about the solids."""
    return np.random.default_rng(3).uniform((-0.6, 0.0, -0.9), (0.8, 1.4, 0.5), (400, 3))


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("form", SIZES)
def test_a_plumb_line_is_within_a_solid_between_where_it_enters_and_leaves_it(form: SolidForm, turn: str) -> None:
    thing, points = solid(form, turn), around()
    low, high = upright_span(thing, points)
    hit = low < high
    assert 0.05 < hit.mean() < 0.9
    for ends in (low, high):
        assert thing.distances(points[hit] * [1.0, 0.0, 1.0] + ends[hit, None] * [0.0, 1.0, 0.0]) == pytest.approx(
            0.0, abs=1e-6
        )
    heights = np.linspace(0.0, 1.4, 57)
    for x, _, z in points[~hit]:
        line = np.stack([np.full(57, x), heights, np.full(57, z)], axis=1)
        assert thing.distances(line).min() > -1e-6, "it misses it"


@pytest.mark.parametrize("form", SIZES)
def test_what_is_above_a_thing_is_borne_by_its_top_and_what_is_beside_or_below_it_by_the_floor(form: SolidForm) -> None:
    thing = solid(form)
    x, middle, z = PLACE
    top = middle + SIZES[form][1] / 2.0
    found = heights_beneath([thing], [(x, 1.5, z), (x + 0.5, 1.5, z), (x, 0.01, z)])
    assert found == pytest.approx([top, 0.0, 0.0])


def test_out_of_things_that_are_in_one_another_one_comes_straight_up_through_all() -> None:
    low, high = solid(SolidForm.BOX, place=(0.0, 0.2, 0.0)), solid(SolidForm.BOX, place=(0.0, 0.45, 0.0))
    for things in ([low, high], [high, low]):
        assert heights_beneath(things, [(0.0, 0.15, 0.0)]) == pytest.approx([0.6])
    just_below = 0.6 - DEEP / 2.0
    assert heights_beneath([low, high], [(0.0, just_below, 0.0)]) == pytest.approx([just_below]), "it lies there"
    assert heights_beneath([low], [(0.0, 1.0, 0.0)]) == pytest.approx([0.35])


def test_nothing_is_beneath_but_the_floor_where_there_is_no_thing() -> None:
    assert heights_beneath([], [(0.0, 1.0, 0.0)]).tolist() == [0.0]
    assert len(heights_beneath([solid(SolidForm.BALL)], np.empty((0, 3)))) == 0


@pytest.mark.slow
def test_of_a_mesh_and_a_box_whichever_is_met_first_bears_to_a_millimetre() -> None:
    corner = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = np.array([f for a, b, c, d in quads for f in ((a, b, c), (a, c, d))])
    grid = distance_grid(corner, faces)
    mesh = Solid(
        SolidForm.GRID, np.array([0.4, 0.4, 0.4], np.float32), np.array([0.0, 0.3, 0.0], np.float32), grid=grid
    )
    box = Solid(SolidForm.BOX, np.array([0.4, 0.2, 0.4], np.float32), np.array([0.0, 0.9, 0.0], np.float32))
    points = [(0.0, 1.5, 0.0), (0.0, 0.75, 0.0), (0.0, 0.35, 0.0), (0.5, 0.75, 0.0), (0.0, 0.05, 0.0)]
    found = heights_beneath([box, mesh], points)
    assert found == pytest.approx([1.0, 0.5, 0.5, 0.0, 0.0], abs=2e-3)
    assert heights_beneath([mesh], points) == pytest.approx([0.5, 0.5, 0.5, 0.0, 0.0], abs=2e-3)
