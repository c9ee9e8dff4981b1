"""Unity's left-handed world and ours: known places and turns, there and back."""

from __future__ import annotations

import numpy as np
import pytest

from solver.formats.vmc.unity import from_unity, to_unity
from solver.kinematics.rotations import from_quaternion_xyzw, from_rotation_vector

HALF = np.sqrt(0.5)


def test_what_is_on_somebodys_right_in_unity_is_on_their_right_here() -> None:
    """In Unity somebody who faces +Z has the right hand at +x; here it is the left that is at +X."""
    places, _ = from_unity([[0.7, 1.4, 0.2]], [[0, 0, 0, 1]])
    assert places.tolist() == pytest.approx(np.float32([[-0.7, 1.4, 0.2]]))


# Unity's own words, “Quaternion.Euler” with one angle of 90 degrees: where does that turn its axes? By its left-handed
# rule a turn about y brings forward (z) to the right (x), one about x forward to down, one about z right to up.
KNOWN = {
    "about y: who looked ahead looks to the right": ((0, HALF, 0, HALF), (0, 0, 1), (-1, 0, 0)),
    "about x: who looked ahead looks down": ((HALF, 0, 0, HALF), (0, 0, 1), (0, -1, 0)),
    "about z: who had the right hand out has it up": ((0, 0, HALF, HALF), (-1, 0, 0), (0, 1, 0)),
    "none": ((0, 0, 0, 1), (0.6, 0, 0.8), (0.6, 0, 0.8)),
    "half a turn about y": ((0, 1, 0, 0), (0, 0, 1), (0, 0, -1)),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_turns_do_to_a_direction_what_unity_does(name: str) -> None:
    quaternion, before, after = KNOWN[name]
    _, (rotation,) = from_unity([[0, 0, 0]], [quaternion])
    assert (rotation @ before).tolist() == pytest.approx(after, abs=1e-6)


def test_the_order_is_x_y_z_w_and_not_w_first() -> None:
    """Read as w, x, y, z this quaternion is a turn about another axis."""
    _, (rotation,) = from_unity([[0, 0, 0]], [[0.1, 0.2, 0.3, 0.9273618495]])
    mirror = np.diag([-1.0, 1.0, 1.0])
    assert np.allclose(rotation, mirror @ from_quaternion_xyzw([0.1, 0.2, 0.3, 0.9273618495]) @ mirror, atol=1e-6)


def test_places_and_turns_come_back_from_unity_as_they_went() -> None:
    random = np.random.default_rng(0)
    places = random.normal(size=(500, 3)).astype(np.float32)
    turns = from_rotation_vector(random.normal(size=(500, 3)) * 2)
    back = from_unity(*to_unity(places, turns))
    assert np.array_equal(back.positions, places)
    assert np.abs(back.rotations - turns).max() < 1e-6


def test_what_moves_together_in_unity_moves_together_here() -> None:
    """A chain of transforms gives the same place whether it is walked there and converted, or converted and walked."""
    random = np.random.default_rng(1)
    quaternions = random.normal(size=(2, 4))
    places = random.normal(size=(2, 3))
    there = [from_quaternion_xyzw(q) for q in quaternions]
    end = places[0] + there[0] @ places[1]
    ours = from_unity(places, quaternions)
    here = ours.positions[0] + ours.rotations[0] @ ours.positions[1]
    assert here.tolist() == pytest.approx(from_unity(end, [0, 0, 0, 1]).positions, abs=1e-6)
    product = ours.rotations[0] @ ours.rotations[1]
    mirror = np.diag([-1.0, 1.0, 1.0])
    assert np.allclose(product, mirror @ there[0] @ there[1] @ mirror, atol=1e-6)


def test_what_comes_from_unity_cannot_be_written_to() -> None:
    frames = from_unity([[0, 0, 0]], [[0, 0, 0, 1]])
    assert not any(array.flags.writeable for array in frames)
