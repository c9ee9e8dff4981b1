"""Several bodies in one tree of joints are told apart by names or by shape, and one body stays whole."""

from __future__ import annotations

import time

import numpy as np
import pytest
from foreign_rigs import NAMED, UNNAMED, ForeignRig, foreign_rig

from solver.rig.within_one_root import bodies_within


def below_one_root(*rigs: ForeignRig) -> tuple[list[str], list[int], np.ndarray]:
    """One tree of several rigs, a metre apart."""
    names, parents, places = ["Scene"], [-1], [np.zeros((1, 3))]
    for number, rig in enumerate(rigs):
        first = len(names)
        names += rig.names
        parents += [parent + first if parent >= 0 else 0 for parent in rig.parents]
        places.append(rig.places + [number, 0.0, 0.0])
    return names, parents, np.concatenate(places)


@pytest.mark.parametrize("program", NAMED)
def test_one_body_is_one_whatever_is_around_it(program: str) -> None:
    rig = foreign_rig(NAMED[program])
    assert len(bodies_within(rig.names, rig.parents, rig.places)) == 1


@pytest.mark.parametrize("program", NAMED)
def test_two_bodies_below_one_root_have_all_their_joints_and_none_of_the_other(program: str) -> None:
    rigs = foreign_rig(NAMED[program]), foreign_rig(NAMED["Motive"])
    names, parents, places = below_one_root(*rigs)
    first, second = bodies_within(names, parents, places)
    border = 1 + len(rigs[0].names)
    roles = {j for j, role in enumerate(rigs[0].roles, 1) if role}
    assert roles <= set(first.joints)
    assert max(first.joints) < border
    assert second.joints == [0, *range(border, len(names))]
    assert first.shared == second.shared == {0}


@pytest.mark.parametrize("program", UNNAMED)
@pytest.mark.parametrize("people", [1, 2, 3])
def test_bodies_whose_names_say_nothing_are_told_apart_by_shape(program: str, people: int) -> None:
    rig = foreign_rig(UNNAMED[program])
    names, parents, places = below_one_root(*[rig] * people)
    found = bodies_within(names, parents, places)
    size = len(rig.names)
    starts = range(1, 1 + people * size, size)
    assert [body.joints for body in found] == [[0, *range(start, start + size)] for start in starts]
    assert all(body.shared == ({0} if people > 1 else set()) for body in found)


def test_somebody_of_no_name_below_a_group_within_a_group_is_found() -> None:
    rig = foreign_rig(UNNAMED["German"])
    names, parents, places = below_one_root(rig, rig)
    group = [-1, 0, *(parent + 1 for parent in parents[1:])]
    both = bodies_within(["World", "Group", *names[1:]], group, np.concatenate([np.zeros((1, 3)), places]))
    assert [len(body.joints) for body in both] == [2 + len(rig.names)] * 2


def test_parts_that_are_nobody_s_divide_nobody() -> None:
    rig = foreign_rig(UNNAMED["German"])
    names, parents, places = below_one_root(rig)
    lamp = ["post", "arm a", "arm b", "bulb a", "bulb b"]
    stand = np.array([[3, 0, 0], [3, 1, 0], [3, 1, 0], [2.7, 1.2, 0], [3.3, 1.2, 0]])
    first = len(names)
    parents += [0, first, first, first + 1, first + 2]
    (body,) = bodies_within([*names, *lamp], parents, np.concatenate([places, stand]))
    assert set(range(1, first)) <= set(body.joints)


@pytest.mark.slow
def test_a_thousand_forks_with_limbs_of_nobody_take_no_time() -> None:
    limbs = [f"{side}_{part}" for side in ("left", "right") for part in ("hip", "knee", "shoulder", "elbow")]
    names, parents, up = ["root"], [-1], 0
    for j in range(499):
        names += [limbs[j % 8], "spine"]
        parents += [up, up]
        up = len(names) - 1
    began = time.process_time()
    assert bodies_within(names, parents, np.zeros((len(names), 3))) == []
    assert time.process_time() - began < 3.0
