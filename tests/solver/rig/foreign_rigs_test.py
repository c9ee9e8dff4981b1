"""Rigs of many programs are recognised by their names, or by how they stand where those say nothing."""

from __future__ import annotations

from time import process_time

import numpy as np
import pytest
from foreign_rigs import NAMED, UNNAMED, ForeignRig, dog, foreign_rig, named_dog

from solver.errors import InputRefused
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.joint_recognition import JointMap, recognise_joints
from solver.rig.shape_recognition import recognise_by_shape

Z_UP = from_rotation_vector([np.pi / 2, 0, 0])


def recognised(rig: ForeignRig, places: np.ndarray | None = None) -> dict[str, str]:
    found = recognise_joints(rig.names, rig.parents, "a.bvh", places)
    return {role: rig.names[j] for role, j in found.joints.items()}


@pytest.mark.parametrize("program", NAMED)
def test_every_joint_is_found_by_its_name(program: str) -> None:
    rig = foreign_rig(NAMED[program])
    assert recognised(rig) == rig.by_role


@pytest.mark.parametrize("program", UNNAMED)
@pytest.mark.parametrize(
    "turn", [np.eye(3), Z_UP, from_rotation_vector([0, 2.0, 0]), -1.0 * Z_UP @ np.diag([1.0, -1.0, -1.0]) * -1.0]
)
def test_joints_whose_names_say_nothing_are_found_by_how_they_stand(program: str, turn: np.ndarray) -> None:
    rig = foreign_rig(UNNAMED[program])
    assert recognised(rig, 100.0 * rig.places @ turn.T) == rig.by_role


def test_nothing_is_found_by_names_that_say_nothing_where_the_rest_pose_is_not_known() -> None:
    rig = foreign_rig(UNNAMED["German"])
    with pytest.raises(InputRefused, match=r"a\.bvh: no human body was recognised in its skeleton"):
        recognised(rig)


def test_left_and_right_are_told_by_the_toes_not_by_the_order_in_the_file() -> None:
    rig = foreign_rig(UNNAMED["German"])
    names = [name.replace("links", "zwei").replace("rechts", "eins") for name in rig.names]
    mirrored = rig.places * [-1.0, 1.0, 1.0]
    found = recognise_joints(names, rig.parents, "a.bvh", mirrored).joints
    assert names[found["left_knee"]] == "Unterschenkel_eins"
    assert names[found["right_wrist"]] == "Hand_zwei"


def test_without_toes_nothing_tells_left_from_right() -> None:
    rig = foreign_rig(UNNAMED["German"].replace(" > Zehen_{Z}=f", "").replace("{Z}", "{Z}x"))
    assert recognised_or_none(rig) is None
    named = foreign_rig(UNNAMED["Khronos' RiggedFigure"].replace(" > leg_joint_{L}_5=f", ""))
    assert recognised(named, named.places) == named.by_role, "its names say the sides"


def recognised_or_none(rig: ForeignRig) -> JointMap | None:
    try:
        return recognise_joints(rig.names, rig.parents, "a.bvh", rig.places)
    except InputRefused:
        return None


def _hand() -> ForeignRig:
    names, parents, places = ["w"], [-1], [(0.0, 0.0, 0.0)]
    for finger in range(5):
        for i in range(4):
            names.append(f"f{finger}{i}")
            parents.append(0 if i == 0 else len(names) - 2)
            places.append((0.02 * (finger - 2), 0.08 + 0.03 * i, 0.0))
    return ForeignRig(names, parents, [], np.array(places))


@pytest.mark.parametrize("thing", [dog, _hand], ids=["a dog", "a hand"])
def test_what_is_no_human_body_is_refused_in_plain_words(thing) -> None:
    rig = thing()
    with pytest.raises(
        InputRefused, match="no human body was recognised in its skeleton, neither by the joints' names"
    ):
        recognise_joints(rig.names, rig.parents, "a.bvh", rig.places)


@pytest.mark.parametrize(("tail", "lies"), [("Tail1", True), ("Tail1", False), ("PonyTail", True)])
def test_an_animal_whose_joints_have_human_names_is_refused(tail: str, lies: bool) -> None:
    rig = named_dog(tail)
    places = rig.places.copy()
    if not lies:  # a person with a tail
        places[:, 1] += 3.0 * places[:, 2]
    if tail == "Tail1" and lies:
        with pytest.raises(InputRefused, match=r"a\.bvh: its skeleton is that of an animal on four legs\. Choose"):
            recognise_joints(rig.names, rig.parents, "a.bvh", places)
    else:
        assert recognise_joints(rig.names, rig.parents, "a.bvh", places).joints


@pytest.mark.slow
def test_a_thousand_limbs_that_are_all_alike_take_no_time() -> None:
    """Sixteen from the root, and sixteen from the end of each of them."""
    parents, places = [-1], [np.zeros(3)]

    def grow(parent: int, *way: float) -> int:
        parents.append(parent)
        places.append(places[parent] + way)
        return len(parents) - 1

    circle = [(np.cos(a), np.sin(a)) for a in np.linspace(0, 6, 16)]
    for root in [grow(0, x, 0.0, z) for x, z in circle]:
        for x, z in circle:
            grow(grow(grow(root, x, 1.0, z), 0.0, 1.0, 0.0), 0.0, 1.0, 0.0)
    start = process_time()
    assert recognise_by_shape(parents, np.array(places), [""] * len(parents)) == {}
    assert process_time() - start < 5.0


class Stick:
    """Somebody of straight lines who stands and looks along +Z; further lines may hang from any joint."""

    def __init__(self, toes: float = 0.15, longer: float = 1.0, apart: bool = False) -> None:
        """longer: how many times as long the left leg is. apart: the legs hang from a joint beside the trunk."""
        self.parents, self.places = [-1], [np.array([0.0, 1.0, 0.0])]
        self.chest = self.line(0, (0, 0.25, 0), (0, 0.25, 0))
        self.line(self.chest, (0, 0.1, 0), (0, 0.1, 0))
        hips = self.line(0, (0, -0.02, 0)) if apart else 0
        for side, leg in ((1, longer), (-1, 1.0)):
            self.line(hips, (0.1 * side, -0.05, 0), (0, -0.45 * leg, 0), (0, -0.45 * leg, 0), (0, -0.05, toes))
            self.line(self.chest, (0.15 * side, 0, 0), (0.28 * side, 0, 0), (0.26 * side, 0, 0), (0.1 * side, 0, 0))

    def line(self, above: int, *bones: tuple[float, float, float]) -> int:
        """Adds joints in a row; the last one."""
        for bone in bones:
            self.places.append(self.places[above] + bone)
            self.parents.append(above)
            above = len(self.parents) - 1
        return above

    def found(self, sides: list[str] | None = None) -> dict[str, int]:
        return recognise_by_shape(self.parents, np.array(self.places), sides or [""] * len(self.parents))


def test_somebody_of_straight_lines_is_recognised() -> None:
    body = Stick().found()
    assert (body["pelvis"], body["neck"], body["head"]) == (0, 3, 4)
    assert [body[f"left_{part}"] for part in ("hip", "knee", "ankle", "foot")] == [5, 6, 7, 8]
    assert [body[f"right_{part}"] for part in ("shoulder", "elbow", "wrist")] == [17, 18, 19]


def test_legs_are_alike() -> None:
    assert Stick(longer=1.03).found()
    assert Stick(longer=1.2).found() == {}


def test_feet_that_hardly_point_anywhere_do_not_tell_left_from_right() -> None:
    stick = Stick(toes=0.02)
    assert stick.found() == {}
    sides = ["left" if place[0] > 0.01 else "right" if place[0] < -0.01 else "" for place in stick.places]
    assert stick.found(sides)["left_hip"] == 5


def test_a_long_train_hides_no_limbs() -> None:
    stick = Stick()
    stick.line(0, *[(0, -0.02, -0.8)] * 4)
    assert stick.found()["left_hip"] == 5


def test_wings_longer_than_legs_are_not_taken_for_legs() -> None:
    stick = Stick()
    for side in (1, -1):
        stick.line(0, (0.1 * side, 0, -0.1), (0.7 * side, 0.1, 0), (0.7 * side, 0.1, 0), (0.1 * side, 0, 0))
    assert stick.found()["left_hip"] == 5


def test_arms_hang_from_where_the_trunk_goes_on_above_the_legs() -> None:
    assert Stick(apart=True).found() == {}
