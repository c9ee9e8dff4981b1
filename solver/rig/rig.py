"""A rig: a skeleton, the frames of its joints at rest, and what its joints mean."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused, PoserError
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.roles import LEGS, Limb, Role
from solver.values import FloatArray, frozen_array

_SAME_PLACE = 0.01  # metres: joints without a role this near to each other's mirror image are a pair
_TURNED = 1e-6


class LacksRole(PoserError):
    """A rig has no joint with the role asked for."""


@dataclass(frozen=True, eq=False)
class Rig(Skeleton):
    """A skeleton whose joints are known by their roles, whatever their names.

    roles: J roles, None for a joint that has none; no role twice. rest_rotations: (J, 3, 3) R_world_joint of the rest
    pose; the offsets are seen in the parent's frame, so that forward kinematics is that of any skeleton. The default is
    the world's axes for every joint. merged: roles of joints that the character whose body this is lacks: they are part
    of the joint above, and solvers do not bend them.
    """

    roles: tuple[Role | None, ...] = ()
    rest_rotations: FloatArray | None = None
    merged: frozenset[Role] = frozenset()

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.roles) != len(self.names):
            raise ValueError(f"{len(self.roles)} roles for {len(self.names)} joints")
        known = [role for role in self.roles if role is not None]
        if len(set(known)) != len(known):
            raise ValueError("two joints have the same role")
        if self.rest_rotations is not None:
            turns = frozen_array(self.rest_rotations, (len(self.names), 3, 3), "rest rotations")
            if np.abs(np.swapaxes(turns, -1, -2) @ turns - np.eye(3)).max() > 1e-3 or np.linalg.det(turns).min() < 0:
                raise ValueError("rest rotations are not rotation matrices")
            plain = np.abs(turns - np.eye(3)).max() < _TURNED
            object.__setattr__(self, "rest_rotations", None if plain else turns)

    @property
    def rest_frames(self) -> FloatArray | None:
        """(J, 3, 3) R_world_joint at rest; None if every joint has the world's axes."""
        return self.rest_rotations

    def find(self, role: Role) -> int | None:
        """The index of the joint with that role; None if no joint has it."""
        return self._by_role.get(role)

    def joint(self, role: Role) -> int:
        """The index of the joint with that role; LacksRole if no joint has it."""
        found = self._by_role.get(role)
        if found is None:
            raise LacksRole(f"The skeleton has no {role.words}.")
        return found

    def name(self, role: Role) -> str:
        """The name of the joint with that role; LacksRole if no joint has it."""
        return self.names[self.joint(role)]

    def names_of(self, roles: Iterable[Role]) -> tuple[str, ...]:
        """The names of the joints with these roles, those that the rig has."""
        return tuple(self.names[self._by_role[role]] for role in roles if role in self._by_role)

    def role_of(self, name: str) -> Role | None:
        """The role of the joint of that name; None without one. UnknownName for a joint that is not there."""
        return self.roles[self.index(name)]

    def lacking(self, roles: Iterable[Role]) -> tuple[Role, ...]:
        """The roles that no joint has."""
        return tuple(role for role in roles if role not in self._by_role)

    def limb_length(self, limb: Limb) -> float:
        """Metres from the limb's root over its hinge to its end; LacksRole if one of these is not there."""
        line = self.rest_positions[[self.joint(role) for role in limb.line]].astype(np.float64)
        return float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())

    @property
    def leg_length(self) -> float:
        """Metres from hip to knee to ankle, the mean of both legs; LacksRole if a joint of theirs is not there."""
        return float(np.mean([self.limb_length(leg) for leg in LEGS]))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """J keys by which tables of joints (limits, the pose prior) know them: the role, or the name without one."""
        return tuple(role or name for role, name in zip(self.roles, self.names, strict=True))

    @cached_property
    def mirror_order(self) -> tuple[int, ...]:
        """For each joint the index of the one on the other side.

        By role; a joint without one by its place in the rest pose. A joint without a counterpart is its own.
        """
        order = [self._counterpart(j) for j in range(len(self))]
        return tuple(other if order[other] == j else j for j, other in enumerate(order))

    def mirrored_name(self, name: str) -> str:
        """The joint on the other side; a name that no joint has is its own."""
        return self.names[self.mirror_order[self.index(name)]] if name in self.names else name

    def _counterpart(self, joint: int) -> int:
        role = self.roles[joint]
        if role is not None:
            return self._by_role.get(role.mirrored, joint)
        places = self.rest_positions
        away = np.linalg.norm(places - places[joint] * np.array([-1, 1, 1], np.float32), axis=1)
        away[[j for j, other in enumerate(self.roles) if other is not None]] = np.inf
        nearest = int(np.argmin(away))
        return nearest if away[nearest] < _SAME_PLACE else joint

    @cached_property
    def own_names(self) -> tuple[str, ...]:
        """The names of the joints that the character has: all but the merged ones."""
        return tuple(name for name, role in zip(self.names, self.roles, strict=True) if role not in self.merged)

    @cached_property
    def merged_joints(self) -> tuple[int, ...]:
        """Indices of the joints with merged roles."""
        return tuple(j for j, role in enumerate(self.roles) if role in self.merged)

    @cached_property
    def _by_role(self) -> dict[Role, int]:
        return {role: j for j, role in enumerate(self.roles) if role is not None}


@memoised(64, by_identity=True)
def rig_of(skeleton: Skeleton) -> Rig:
    """The rig of a skeleton: itself if it is one; otherwise its joints are recognised by their names.

    A skeleton in which no human body is recognised has no roles. Made once for each skeleton object of the last few.
    """
    if isinstance(skeleton, Rig):
        return skeleton
    return Rig(skeleton.names, skeleton.parents, skeleton.offsets, roles_of_names(skeleton.names, skeleton.parents))


def mid_hips(skeleton: Skeleton) -> NDArray[np.float64]:
    """(3,) metres from the pelvis to the middle between the hips, of a skeleton whose joints have our names."""
    places = skeleton.rest_positions.astype(np.float64)
    hips = sum(places[skeleton.index(leg.root)] for leg in LEGS) / 2
    return np.asarray(hips - places[0])


def roles_of_names(names: tuple[str, ...], parents: tuple[int, ...]) -> tuple[Role | None, ...]:
    """One role for each joint, or None: by our own names, else as in another program's file."""
    values = {role.value: role for role in Role}
    direct = tuple(values.get(name) for name in names)
    if any(direct):
        return direct
    from solver.rig.joint_recognition import recognise_joints  # not needed for our own bodies

    try:
        found = recognise_joints(names, parents, "skeleton").joints
    except InputRefused:
        return (None,) * len(names)
    by_joint = {j: values[name] for name, j in found.items()}
    return tuple(by_joint.get(j) for j in range(len(names)))
