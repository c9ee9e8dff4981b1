"""People with a solid body between keys that have them within themselves, as crossed legs and hands on thighs are."""

from __future__ import annotations

from functools import cache

import pytest

from scripts.motions.poses_between_keys import FOLDER, LAST, Measured, keyed, measured
from scripts.motions.walks_between_keys import PEOPLE

pytestmark = pytest.mark.usefixtures("compiled_solver")
SITTING = FOLDER / "Sitting on a chair"


@cache
def crossing(solver: str) -> Measured:
    """Legs are crossed within 36 frames, through where hands and thighs are."""
    person = PEOPLE["male"]._replace(solver=solver)
    return measured(keyed(person, {0: SITTING / "Sit upright.json", LAST: SITTING / "Sit, legs crossed.json"}))


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_nothing_leaps_beside_a_key_that_has_the_body_within_itself_nor_shakes_on_the_way(solver: str) -> None:
    assert crossing(solver).jerk < 1500  # where each frame comes out of itself anew, it is above 8,000


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_on_the_way_the_body_is_hardly_deeper_within_itself_than_at_the_keys(solver: str) -> None:
    assert crossing(solver).deeper < 25  # passing through itself, legs are deeper by 60
