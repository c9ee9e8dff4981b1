"""Changed copies of frozen values: as dataclasses.replace makes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from ik_samples import body_skeleton, natural

from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.values import changed

FORWARD = np.array([0.0, 0.0, 1.0], np.float32)


@dataclass(frozen=True)
class Unchecked:
    """A value that checks nothing of itself."""

    count: int = 1
    name: str = ""


@pytest.mark.parametrize(
    ("effector", "changes"),
    [
        (Position("head", FORWARD), {"target": 2 * FORWARD, "pinned": True}),
        (Position("head", FORWARD, FORWARD), {"offset": np.zeros(3)}),
        (Rotation("head", np.eye(3, dtype=np.float32)), {"tolerance": 0.5}),
        (LookAt("head", FORWARD), {"loose": True}),
        (Contact("left_wrist", FORWARD, normal=FORWARD, facing=-FORWARD), {"facing": np.zeros(3)}),
        (Contact("left_wrist", FORWARD), {"enabled": False, "id": "c"}),
    ],
)
def test_a_changed_effector_is_what_replacing_makes_of_it(effector: Effector, changes: dict[str, Any]) -> None:
    told: list[Callable[[Effector], bool]] = [
        lambda e: e.is_active,
        lambda e: e.is_strict,
        lambda e: e.lies_flat,
        lambda e: e.holds_joint,
    ]
    for ask in told:
        ask(effector)  # what it has worked out is not kept for the changed one
    made, wanted = changed(effector, **changes), replace(effector, **changes)
    assert made == wanted != effector
    assert [ask(made) for ask in told] == [ask(wanted) for ask in told]


def test_what_a_value_has_worked_out_is_worked_out_anew_for_the_changed_one() -> None:
    skeleton, pose = body_skeleton(), natural()
    problem = IKProblem.without_masks(skeleton, (Position("head", FORWARD),), pose)
    was = forward_kinematics(skeleton, pose).positions
    moved = changed(pose, root_position=pose.root_position + FORWARD)
    assert np.allclose(forward_kinematics(skeleton, moved).positions, was + FORWARD, atol=1e-6)
    assert not problem.has_masks
    assert changed(problem, preserve_position=np.ones(len(skeleton))).has_masks


def test_changes_are_checked_as_a_new_value_is() -> None:
    with pytest.raises(ValueError, match="tolerance must lie between 0 and 1"):
        changed(Position("head", FORWARD), tolerance=2.0)
    with pytest.raises(ValueError, match="not finite"):
        changed(Pose(FORWARD, np.eye(3, dtype=np.float32)[None]), root_position=np.full(3, np.nan))
    with pytest.raises(TypeError, match="Position has no field aim, colour"):
        changed(Position("head", FORWARD), colour="red", aim=1)


def test_a_value_that_checks_nothing_is_changed_as_well() -> None:
    assert changed(Unchecked(name="one"), count=2) == Unchecked(2, "one")
