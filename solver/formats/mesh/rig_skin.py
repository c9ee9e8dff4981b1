"""The user's own character as it is drawn: its surface at rest, and the matrices that a pose of ours gives it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.body.whole_rig import moving_joint
from solver.errors import InputRefused
from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.fingers import finger_joints
from solver.formats.bvh.motion import leg_length
from solver.formats.bvh.onto_rig import OwnMotion
from solver.formats.gltf.content import AGAIN, gltf_in, refusing_damage
from solver.formats.gltf.nodes import StandingNodes, node_parents
from solver.formats.gltf.skeletons import GltfPeople, skeletons_in
from solver.formats.gltf.surfaces import Surface, surfaces_of
from solver.formats.mesh.packed_skin import JOINTS, OURS, PELVIS, places_of
from solver.formats.mesh.posed_rig import PosedRig
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.joint_map_file import NO_MAPS, JointMaps
from solver.rig.roles import SMPL_ROLES, Role

Array = NDArray[np.float64]
_KEPT = 32  # rigs of the bodies that posed it last, with and without fingers
MAX_BONES = 341  # that move a skin: as many as a graphics card takes
_MOST_WEIGHTS = 24_000_000  # of all vertices and bones, about 500 MB while they are drawn
LEG_M = 0.85  # metres: the length of legs that a surface at rest is brought to, whatever the file's unit
_SAME = 1e-5  # of binds in metres, which count as one


@dataclass(frozen=True, eq=False)
class RigSkin:
    """A person's surface. vertices: (V, 3) metres, about as large as a person, as bound. normals: (V, 3) unit, None
    where the file has none. faces: (F, 3). weights: (V, B) float32, rows sum to 1. colors: (V, 3) linear float32.

    two_sided: whether any of it is to be seen from both sides. bones: (B,) the nodes that move it; binds: (B, 4, 4)
    from the surface at rest into theirs. joints: (B,) which of our 24 joints each bone goes with.
    """

    found: GltfPeople
    person: BvhFile
    vertices: NDArray[np.float32]
    normals: NDArray[np.float32] | None
    faces: NDArray[np.int32]
    weights: NDArray[np.float32]
    colors: NDArray[np.float32]
    two_sided: bool
    bones: NDArray[np.intp]
    binds: Array
    joints: NDArray[np.intp]
    _rigs: list[PosedRig] = field(default_factory=list)

    @cached_property
    def has_fingers(self) -> bool:
        """Whether fingers that are posed can be seen on it."""
        return bool(finger_joints(self.person))

    @cached_property
    def boxes(self) -> tuple[NDArray[np.intp], Array]:
        """(N,) bones that carry a part of it, and (N, 8, 3) metres, the corners of a box around each part at rest."""
        carried = self.weights.argmax(axis=1)
        bones = np.unique(carried)
        ends = np.array([[part.min(axis=0), part.max(axis=0)] for part in (self.vertices[carried == b] for b in bones)])
        corners = [[ends[:, i, 0], ends[:, j, 1], ends[:, k, 2]] for i, j, k in product((0, 1), repeat=3)]
        return bones, np.moveaxis(np.array(corners, np.float64), -1, 0)

    def matrices(self, own: OwnMotion) -> Array:
        """(B, 4, 4): from the surface at rest into our world, for a motion of one frame: where the nodes of a posed
        file stand, as large as our body's legs make it."""
        for rig in self._rigs:
            if rig.is_of(own):
                return rig.matrices(own)
        rig = PosedRig(self.found, self.person, own, self.bones, self.binds)
        self._rigs[:] = [rig, *self._rigs[: _KEPT - 1]]
        return rig.matrices(own)


def read_rig_skin(packed: bytes, name: str) -> RigSkin:
    """What `packed_skin` wrote. name: of the character's file, for messages. InputRefused if that is damaged, or asks
    for another file: whoever sent a scene must not decide what is read."""
    return _or_refused(Path(name), lambda: _read(packed, Path(name)))


def rig_skin(found: GltfPeople, person: BvhFile) -> RigSkin:
    """The skin of one of a file's people. InputRefused for somebody without one, or that cannot be drawn."""
    return _or_refused(found.gltf.path, lambda: _rig_skin(found, person))


def _or_refused(path: Path, make: Callable[[], RigSkin]) -> RigSkin:
    with refusing_damage(path, "its skin is not valid ({})"):
        try:
            return make()
        except np.linalg.LinAlgError:
            raise InputRefused(path, "its skin is bound to a joint without any size", AGAIN) from None


def _read(packed: bytes, path: Path) -> RigSkin:
    gltf = gltf_in(packed, path)
    if any("uri" in part for key in ("buffers", "images") for part in gltf.content.get(key) or ()):
        raise InputRefused(path, "its packed skin asks for another file", AGAIN)
    ours = (gltf.content.get("extras") or {}).get(OURS) or {}
    maps = JointMaps(everywhere=_labels(ours[JOINTS]), source=path.name) if JOINTS in ours else NO_MAPS
    found = skeletons_in(gltf, maps)
    for person in found.people:
        if places_of(person)[person.joint_map.joints[Role.PELVIS]] == ours.get(PELVIS):
            return rig_skin(found, person)
    raise InputRefused(path, "its skin has lost its skeleton", AGAIN)


def _rig_skin(found: GltfPeople, person: BvhFile) -> RigSkin:
    surfaces = surfaces_of(found, person)
    if not surfaces:
        raise InputRefused(found.gltf.path, "has no skin", AGAIN)
    return _RigSkins(found, person).of(surfaces)


def _labels(said: object) -> dict[str, str | None]:
    roles = {role.value for role in SMPL_ROLES}
    named = said.items() if isinstance(said, dict) else ()
    return {role: label for role, label in named if role in roles and isinstance(label, str | None)}


class _RigSkins:
    """Puts surfaces together."""

    def __init__(self, found: GltfPeople, person: BvhFile) -> None:
        self._found, self._person = found, person
        nodes = found.gltf.content["nodes"]
        self._parents = node_parents(nodes)
        self._still = StandingNodes(nodes, self._parents, {}, above=np.asarray(found.above, np.float64))
        rest = {name: person.rest_positions[j] for name, j in person.joint_map.joints.items()}
        self._size = np.diag([LEG_M / leg_length(rest, person.source)] * 3 + [1.0])
        self._joints = self._our_joints()
        self._bones: dict[tuple[int, bytes], int] = {}
        self._binds: list[Array] = []

    def of(self, surfaces: list[Surface]) -> RigSkin:
        """All surfaces as one."""
        parts, borne, start = [], [], 0
        for surface in surfaces:
            to_rest, columns = self._bound(surface)
            turn, count = to_rest[:3, :3], len(surface.vertices)
            vertices = surface.vertices @ turn.T + to_rest[:3, 3]
            normals = None if surface.normals is None else _unit(surface.normals @ np.linalg.inv(turn))
            faces = surface.faces + start
            outside = faces if np.linalg.det(turn) > 0 else faces[:, ::-1]
            parts.append((vertices, normals, outside, surface.colors))
            skinned = surface.skin is not None
            weights = surface.weights if skinned else np.ones((count, 1))
            joints = surface.joints if skinned else np.zeros((count, 1), np.intp)
            borne.append((start, columns[joints], weights))
            start += count
        if len(self._binds) > MAX_BONES:
            raise InputRefused(
                self._found.gltf.path,
                f"its skin hangs on {len(self._binds)} bones, and at most {MAX_BONES} can be drawn",
                "Join its meshes, or export fewer bones",
            )
        if start * len(self._binds) > _MOST_WEIGHTS:
            reason = f"its skin has {start:,} vertices on {len(self._binds)} bones, too many to be posed"
            raise InputRefused(self._found.gltf.path, reason, "Reduce its meshes, or export fewer bones")
        weights = np.zeros((start, len(self._binds)), np.float32)
        for first, columns, shares in borne:
            np.add.at(weights, (first + np.arange(len(columns))[:, None], columns), shares)
        normals = None if any(part[1] is None for part in parts) else np.concatenate([part[1] for part in parts])
        bones = np.array([node for node, _ in self._bones], np.intp)
        return RigSkin(
            self._found,
            self._person,
            np.concatenate([part[0] for part in parts]).astype(np.float32),
            None if normals is None else normals.astype(np.float32),
            np.concatenate([part[2] for part in parts]).astype(np.int32),
            weights,
            np.concatenate([part[3] for part in parts]).astype(np.float32),
            any(surface.two_sided for surface in surfaces),
            bones,
            np.array(self._binds),
            np.array([self._joints[node] for node in bones], np.intp),
        )

    def _bound(self, surface: Surface) -> tuple[Array, NDArray[np.intp]]:
        """(4, 4): from a surface's space to rest, in metres; and which bone each joint of its skin is, -1 for those
        that it does not hang on."""
        bound, gltf = self._found.bound, self._found.gltf
        if surface.skin is None:
            node = surface.node
            above = node
            while above not in bound:  # it hangs from a joint, or it would not be one of the surfaces
                above = self._parents[above]
            from_joint = np.linalg.inv(self._still.world(above)[0]) @ self._still.world(node)[0]
            to_rest = self._size @ bound[above] @ from_joint
            return to_rest, np.array([self._bone(node, np.linalg.inv(to_rest))], np.intp)
        skin = gltf.content["skins"][surface.skin]
        joints = skin["joints"]
        inverse = np.tile(np.eye(4), (len(joints), 1, 1))
        if "inverseBindMatrices" in skin:
            told = gltf.numbers(skin["inverseBindMatrices"], "MAT4", most=len(joints))
            inverse = np.swapaxes(told.reshape(-1, 4, 4), -1, -2)
        shares = np.bincount(surface.joints.ravel(), surface.weights.ravel(), len(joints))
        most = int(shares.argmax())
        to_rest = self._size @ bound[joints[most]] @ inverse[most]
        back = np.linalg.inv(to_rest)
        columns = [self._bone(node, inverse[j] @ back) if shares[j] > 0 else -1 for j, node in enumerate(joints)]
        return to_rest, np.array(columns, np.intp)

    def _bone(self, node: int, bind: Array) -> int:
        """The number of a bone, one for each node and bind."""
        key = node, np.round(bind / _SAME).tobytes()
        if key not in self._bones:
            self._bones[key] = len(self._binds)
            self._binds.append(bind)
        return self._bones[key]

    def _our_joints(self) -> list[int]:
        """For each node which of our 24 joints it goes with: its own, else that of the next node above with one."""
        places, found = places_of(self._person), self._person.joint_map.joints
        own = {places[j]: moving_joint(name) for name, j in finger_joints(self._person).items()}
        own |= {places[j]: name for name, j in found.items()}
        joints = []
        for start in range(len(self._parents)):
            node = start
            while node >= 0 and node not in own:
                node = self._parents[node]
            joints.append(SMPL_JOINTS.index(own.get(node, Role.PELVIS.value)))
        return joints


def _unit(vectors: Array) -> Array:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0, length, 1.0))
