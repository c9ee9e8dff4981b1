"""A glTF file's rig in pose after pose of ours: the places of its nodes, worked out once and then only turned.

Below a joint that a pose turns, everything stands still in that joint's frame, unless a joint above is scaled otherwise
along its axes. So two poses are worked out as a file is written; what the first one says about the frames must hold in
the second. Where it does not, each pose is worked out in full.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.onto_rig import OwnMotion, RigRelation, onto_rig, rig_relation, world_turns
from solver.formats.gltf.nodes import StandingNodes, node_parents, parents_first
from solver.formats.gltf.posed_nodes import mover_of, posed_nodes
from solver.formats.gltf.skeletons import GltfPeople
from solver.kinematics.pose import Motion
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import from_rotation_vector, nearest_rotation
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import Role

Array = NDArray[np.float64]
_OFF = 1e-5  # metres and shares by which both ways may differ
_BENT = 0.4  # radians, about as much as joints turn in the poses that are tried


class PosedRig:
    """A rig posed as one body of ours poses it. own: any pose of that body. bones: (B,) nodes; binds: (B, 4, 4), from a
    surface at rest into each of them."""

    def __init__(
        self, found: GltfPeople, person: BvhFile, own: OwnMotion, bones: NDArray[np.intp], binds: Array
    ) -> None:
        self._found, self._person, self._bones, self._binds = found, person, bones, binds
        self._of = own.skeleton, own.fingers
        self._parents = node_parents(found.gltf.content["nodes"])
        rig = self._rig = rig_relation(person, own)
        self._to_ours = np.eye(4)
        self._to_ours[:3, :3] = rig.related.scale * rig.related.upright
        self._frames = _Frames(self._parents, person, rig)
        places = person.places or ()
        self._has_mover = mover_of(person, places[rig.carrier], self._parents) is not None
        first, second = (_tried(own, seed) for seed in (1, 2))
        self._frames.learn(*self._turned(first), self._worlds(first), bones, binds)
        off = np.abs(self._quick(second) - self._whole(second))
        self.quick = bool(off.max(initial=0.0) < _OFF)

    def is_of(self, own: OwnMotion) -> bool:
        """Whether it is the same body, with its fingers if they go along."""
        return _same(self._of[0], own.skeleton) and _same(self._of[1], own.fingers)

    def matrices(self, own: OwnMotion) -> Array:
        """(B, 4, 4): from the surface at rest into our world, for a motion of one frame."""
        return self._quick(own) if self.quick else self._whole(own)

    def _quick(self, own: OwnMotion) -> Array:
        moved = self._rig.moved(own) if self._has_mover else None
        return np.asarray(self._to_ours @ self._frames.placed(*self._turned(own), moved))

    def _whole(self, own: OwnMotion) -> Array:
        return np.asarray(self._to_ours @ self._worlds(own)[self._bones] @ self._binds)

    def _turned(self, own: OwnMotion) -> tuple[Array, Array]:
        """(K, 3, 3) how the rig's joints are turned, and (3,) the middle between its hips."""
        turned = world_turns(self._rig, own)
        return self._rig.turns(turned)[0], self._rig.middle(own.motion)[0]

    def _worlds(self, own: OwnMotion) -> Array:
        """(N, 4, 4) of all nodes, in the file's world, as they are written."""
        nodes = self._found.gltf.content["nodes"]
        parts = posed_nodes(self._found, self._person, onto_rig(self._person, own), self._parents)
        standing = StandingNodes(nodes, self._parents, parts, above=self._found.above)
        return np.stack([standing.world(node)[0] for node in range(len(nodes))])


class _Frames:
    """The frames that move a rig: K joints that are turned; one that carries them, if that is none of them; and the
    world, in which all stands that hangs from none."""

    def __init__(self, parents: list[int], person: BvhFile, rig: RigRelation) -> None:
        places = person.places or ()
        turned = [places[j] for j in rig.joints.tolist()]
        self._carrier = places[rig.carrier]
        extra = [] if self._carrier in turned else [self._carrier]
        self._nodes = [*turned, *extra]
        self._follows = -1 if not extra else turned.index(places[rig.related.found.joints[Role.PELVIS]])
        self._legs = [self._nodes.index(places[leg]) for leg in rig.legs]
        number = {node: k for k, node in enumerate(self._nodes)}
        self._frame_of = [-1] * len(parents)
        for node in parents_first(parents):
            above = self._frame_of[parents[node]] if parents[node] >= 0 else -1
            self._frame_of[node] = number.get(node, above)
        count = len(self._nodes)
        self._above = [self._frame_of[parents[n]] if parents[n] >= 0 else -1 for n in self._nodes]
        self._way = np.zeros((count, count))  # which joints' steps lead to each of them
        for k in range(count):
            step = k
            while step >= 0:
                self._way[k, step] = 1.0
                step = self._above[step]

    def learn(self, turns: Array, hips: Array, worlds: Array, bones: NDArray[np.intp], binds: Array) -> None:
        """Take one pose: how joints are turned (K, 3, 3), and where all nodes (N, 4, 4) then are."""
        if self._follows >= 0:
            self._lag = turns[self._follows].T @ nearest_rotation(worlds[self._carrier][:3, :3])
        frames = self._frames(turns)
        places = worlds[self._nodes][:, :3, 3]
        before = np.concatenate([places, np.zeros((1, 3))])[self._above]
        self._steps = np.einsum("kji,kj->ki", frames[self._above], places - before)
        self._steps[self._nodes.index(self._carrier)] = 0.0  # it goes where the hips are wanted
        whole = self._whole(frames, hips)
        self._hung = np.array([self._frame_of[bone] for bone in bones], np.intp)
        self._held = np.linalg.inv(whole[self._hung]) @ worlds[bones] @ binds

    def placed(self, turns: Array, hips: Array, moved: RigidMotion | None) -> Array:
        """(B, 4, 4): from the surface at rest into the file's world. moved: what hangs from none of K."""
        whole = self._whole(self._frames(turns), hips)
        if moved is not None:
            whole[-1, :3, :3], whole[-1, :3, 3] = moved
        return np.asarray(whole[self._hung] @ self._held)

    def _frames(self, turns: Array) -> Array:
        """(K + 1 or 2, 3, 3), the world's last."""
        extra = [] if self._follows < 0 else [turns[self._follows] @ self._lag]
        return np.concatenate([turns, *(one[None] for one in extra), np.eye(3)[None]])

    def _whole(self, frames: Array, hips: Array) -> Array:
        places = self._way @ np.einsum("kij,kj->ki", frames[self._above], self._steps)
        places += hips - places[self._legs].mean(axis=0)
        whole = np.tile(np.eye(4), (len(frames), 1, 1))
        whole[:, :3, :3], whole[:-1, :3, 3] = frames, places
        return whole


def _same(one: Skeleton | None, other: Skeleton | None) -> bool:
    if one is other or one is None or other is None:
        return one is other
    return one.names == other.names and np.array_equal(one.offsets, other.offsets)


def _tried(own: OwnMotion, seed: int) -> OwnMotion:
    """The body in a pose in which every joint is bent."""
    random = np.random.default_rng(seed)
    vectors = random.normal(0.0, _BENT, (len(own.skeleton), 3))
    root = random.normal(0.0, 1.0, (1, 3)).astype(np.float32)
    turns = from_rotation_vector(vectors).astype(np.float32)
    moved = RigidMotion(from_rotation_vector([0.0, 0.5, 0.0]), np.array([1.0, 0.0, 2.0])) if seed > 1 else None
    return OwnMotion(own.skeleton, Motion(root, turns[None]), own.whole, own.turned, moved)
