"""Several bodies in one tree of joints are told apart by names, and one body stays whole."""

from __future__ import annotations

import time

import pytest
from foreign_rigs import NAMED, ForeignRig, foreign_rig

from solver.rig.within_one_root import bodies_within


def below_one_root(*rigs: ForeignRig) -> tuple[list[str], list[int]]:
    names, parents = ["Scene"], [-1]
    for rig in rigs:
        first = len(names)
        names += rig.names
        parents += [parent + first if parent >= 0 else 0 for parent in rig.parents]
    return names, parents


@pytest.mark.parametrize("program", NAMED)
def test_one_body_is_one_whatever_is_around_it(program: str) -> None:
    rig = foreign_rig(NAMED[program])
    assert len(bodies_within(rig.names, rig.parents)) == 1


@pytest.mark.parametrize("program", NAMED)
def test_two_bodies_below_one_root_have_all_their_joints_and_none_of_the_other(program: str) -> None:
    rigs = foreign_rig(NAMED[program]), foreign_rig(NAMED["Motive"])
    names, parents = below_one_root(*rigs)
    first, second = bodies_within(names, parents)
    border = 1 + len(rigs[0].names)
    roles = {j for j, role in enumerate(rigs[0].roles, 1) if role}
    assert roles <= set(first.joints)
    assert max(first.joints) < border
    assert second.joints == [0, *range(border, len(names))]
    assert first.shared == second.shared == {0}


def test_a_thousand_forks_with_limbs_of_nobody_take_no_time() -> None:
    limbs = [f"{side}_{part}" for side in ("left", "right") for part in ("hip", "knee", "shoulder", "elbow")]
    names, parents, up = ["root"], [-1], 0
    for j in range(499):
        names += [limbs[j % 8], "spine"]
        parents += [up, up]
        up = len(names) - 1
    began = time.process_time()
    assert bodies_within(names, parents) == []
    assert time.process_time() - began < 3.0
