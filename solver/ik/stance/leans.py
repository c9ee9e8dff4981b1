"""What a solve leans to beside what is asked: effectors of the solver's own, each as firm as it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike

from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised, memoised_on_value
from solver.rig.rig import Rig
from solver.rig.roles import Role


class Strength(NamedTuple):
    """weight: stiffness per m² or rad² near the target. force: the hardest pull. fading: how that fades far from the
    target, see minimise_kernels; by default it is the same however far that is."""

    weight: float
    force: float
    fading: float = 0.5

    def times(self, share: float) -> Strength:
        """A share of it."""
        return Strength(self.weight * share, self.force * share, self.fading)


class Lean(NamedTuple):
    """One thing that a solve leans to. How far it is missed is not reported."""

    effector: Effector
    strength: Strength


def joints_asked(skeleton: Skeleton, effectors: Sequence[Effector], form: int) -> frozenset[int]:
    """The joints of which something of that form is asked."""
    return frozenset(skeleton.index(e.joint) for e in effectors if e.is_active and e.form == form)


@memoised(16, by_identity=True)  # several rules of a solve ask it of the same effectors
def strict_places(skeleton: Skeleton, effectors: tuple[Effector, ...]) -> Mapping[int, PointEffector]:
    """What asks strictly where a joint itself is to be, by the joint."""
    strict = [e for e in effectors if e.holds_joint and e.is_active and e.is_strict]
    return {skeleton.index(e.joint): cast(PointEffector, e) for e in strict}  # others hold no joint in its place


def asked_at(effectors: tuple[Effector, ...], one: PointEffector, place: ArrayLike) -> tuple[Effector, ...]:
    """The effectors with one of them asking for another place, (3,) metres."""
    there = replace(one, target=np.asarray(place, np.float32))
    return tuple(there if e is one else e for e in effectors)


def joints_with(rig: Rig, roles: Sequence[Role]) -> tuple[int, ...]:
    """The joints with these roles, those that the rig has."""
    known, asked = _known_joints(rig), tuple(roles)
    found = known.get(asked)
    if found is None:
        found = known[asked] = tuple(map(rig.index, rig.names_of(asked)))
    return found


@memoised_on_value
def _known_joints(rig: Rig) -> dict[tuple[Role, ...], tuple[int, ...]]:
    """What `joints_with` has found: rules ask it of the same few limbs dozens of times in a solve."""
    return {}
