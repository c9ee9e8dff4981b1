"""Skeletons of glTF files as they stand or move, for any rig whose joints can be recognised.

A file's skins say where the joints are when they are bound, its nodes how they stand. A BVH file says the same with its
rest pose and frames, so both are brought to our body in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.hierarchy import BvhJoint
from solver.formats.bvh.mapping import mapped
from solver.formats.bvh.people import people_of
from solver.formats.gltf.animation import USUAL_FPS, Curves, concurrent_animations, read_curves
from solver.formats.gltf.content import AGAIN, Gltf, read_gltf, refusing_damage
from solver.formats.gltf.nodes import StandingNodes, next_above, node_parents, with_all_above
from solver.formats.told import is_ours, name_in, told_in
from solver.kinematics.rotations import geodesic_angle, nearest_rotation, to_euler
from solver.rig.joint_map_file import NO_MAPS, JointMaps
from solver.size_limits import MAX_CURVE_VALUES, MAX_JOINTS, MAX_PEOPLE

Array = NDArray[np.floating]

_CHANNELS = ("Xposition", "Yposition", "Zposition", "Zrotation", "Xrotation", "Yrotation")
_FARTHEST = 1e6
_MOST_SKINS = 1000
_MOST_BOUND = 50_000  # joints of all skins: a hundred garments of a skeleton of hundreds of joints
_MOST_SPACES = 8  # of its meshes, and of what is above its joints, in which a skin may be bound
_SAME_SIZE = 0.02  # share by which bones as bound and as they stand may differ in length
_LYING = 0.5  # times as high as wide; a T-pose is about as high as wide, and a lying one a third
_ABOUT = np.diag([-1.0, 1.0, -1.0, 1.0])  # VRM's people faced the other way before its version 1
_NO_PEOPLE = "Export the rig with its skin and its bones, or choose another file"


class GltfPeople(NamedTuple):
    """people: each skeleton in which a human body is recognised, with its nodes as places. left_out: the names of those
    in which none is. bound: for the nodes of all skeletons (4, 4), where they are bound. above: (4, 4), how the file's
    world stands in ours. moved: what its first animation does over time; None without one.
    """

    people: list[BvhFile]
    left_out: list[str]
    gltf: Gltf
    bound: dict[int, Array]
    above: Array
    moved: Curves | None


def read_skeletons(path: Path, maps: JointMaps = NO_MAPS) -> GltfPeople:
    """The people of a file, with its first animation. InputRefused for a file that has none, or is damaged.

    maps: what is known about skeletons beforehand.
    """
    return skeletons_in(read_gltf(path), maps)


def skeletons_in(gltf: Gltf, maps: JointMaps = NO_MAPS) -> GltfPeople:
    """Like `read_skeletons`, for a file that has been read already."""
    with refusing_damage(gltf.path, "cannot be read: it is not valid glTF ({})"):
        return _people(gltf, maps)


def holds_skeleton(path: Path) -> bool:
    """Whether a file has a skin, or joints and nothing visible. InputRefused for a file that is damaged."""
    content = read_gltf(path).content
    return bool(content.get("skins")) or bool(content.get("nodes") and not content.get("meshes"))


def _people(gltf: Gltf, maps: JointMaps) -> GltfPeople:
    nodes = gltf.content.get("nodes", [])
    skins = gltf.content.get("skins", [])
    if not skins and gltf.content.get("meshes"):
        raise InputRefused(gltf.path, "holds a mesh without a skeleton", _NO_PEOPLE)
    if not skins:  # bones alone, as Mixamo sends a motion “without skin”
        skins = [{"joints": list(range(len(nodes)))}]
    parents = node_parents(nodes)
    above = _ABOUT if "VRM" in (gltf.content.get("extensions") or {}) else np.eye(4)
    still = StandingNodes(nodes, parents, {}, above=above)
    _check_sizes(gltf, skins)
    meshes: dict[Any, list[int]] = {}
    for place, node in enumerate(nodes):
        meshes.setdefault(node.get("skin"), []).append(place)
    bound = [_bound(gltf, skin, meshes.get(number, []), still) for number, skin in enumerate(skins)]
    names = node_names(gltf)
    first, others = concurrent_animations(gltf.content.get("animations") or [])
    found: list[BvhFile] = []
    refused: list[tuple[str, InputRefused]] = []
    read: Curves | None = None
    bindings: list[dict[int, Array]] = []
    held = 0
    for group in _together(bound):
        by_size = sorted(group, key=lambda number: len(bound[number]))  # the largest one decides
        joints = {place: matrix for number in by_size for place, matrix in bound[number].items()}
        bindings.append(joints)
        name = str(skins[by_size[-1]].get("name") or f"skin {by_size[-1] + 1}")
        standing = _skeleton(gltf, names, joints, still, USUAL_FPS, name)
        try:
            _ = mapped(standing, maps).joint_map
        except InputRefused as error:
            refused.append((name, error))
            continue
        if read is None and first:
            read = read_curves(gltf, first)
        on_the_way = with_all_above(joints, parents)
        if read and not on_the_way.isdisjoint(read.moved):
            held += read.frames * len(on_the_way) * len(_CHANNELS)
            if held > MAX_CURVE_VALUES:
                raise InputRefused(gltf.path, "moves too many joints for too long", "Export a shorter part")
            moving = StandingNodes(nodes, parents, read.moved, read.frames, above)
            standing = _skeleton(gltf, names, joints, moving, read.fps, name, _notes(first, others))
        several = people_of(standing, maps)
        if len(several) == 1 and is_ours(gltf.content):
            skin = skins[by_size[-1]]
            standing = replace(standing, person=name_in(skin), told=told_in(skin))
        found += several if len(several) > 1 else [mapped(standing, maps)]
        if len(found) > MAX_PEOPLE:
            raise InputRefused(gltf.path, f"holds more than {MAX_PEOPLE} people", "Export fewer people")
    if not found:
        raise refused[0][1]
    everywhere = {place: matrix for joints in bindings for place, matrix in joints.items()}
    return GltfPeople(found, [name for name, _ in refused], gltf, everywhere, above, read)


def _check_sizes(gltf: Gltf, skins: list[dict[str, Any]]) -> None:
    if any(len(skin["joints"]) > MAX_JOINTS for skin in skins):
        raise InputRefused(gltf.path, f"has more than {MAX_JOINTS} joints", "Export fewer joints")
    if len(skins) > _MOST_SKINS:
        raise InputRefused(gltf.path, f"has more than {_MOST_SKINS:,} skins", "Export fewer people")
    if sum(len(skin["joints"]) for skin in skins) > _MOST_BOUND:
        raise InputRefused(gltf.path, f"has more than {_MOST_BOUND:,} joints in its skins", "Export fewer people")


def _notes(first: list[dict[str, Any]], others: list[dict[str, Any]]) -> tuple[str, ...]:
    if not others:
        return ()
    name = str(first[0].get("name") or "without a name")
    return (f"of {1 + len(others)} animations the first was read (“{name}”)",)


def _together(bound: list[dict[int, Array]]) -> list[list[int]]:
    """The skins in groups that share joints: clothes and hair are moved by the skeleton that moves the body."""
    groups: list[tuple[set[int], list[int]]] = []
    for number, joints in enumerate(bound):
        shared = [group for group in groups if group[0] & set(joints)]
        rest = [group for group in groups if not group[0] & set(joints)]
        merged = set(joints).union(*(group[0] for group in shared))
        groups = [*rest, (merged, sorted([number, *(n for group in shared for n in group[1])]))]
    return sorted(group for _, group in groups)


def _skeleton(
    gltf: Gltf,
    names: dict[int, str],
    bound: dict[int, Array],
    nodes: StandingNodes,
    fps: float,
    name: str,
    notes: tuple[str, ...] = (),
) -> BvhFile:
    """A skeleton's joints as in a BVH file: offsets as they are bound, and each frame's turns from there."""
    order = [place for place in nodes.order if place in bound]
    if len(order) > MAX_JOINTS:
        raise InputRefused(gltf.path, f"has more than {MAX_JOINTS} joints", "Export fewer joints")
    parents = next_above(bound, nodes.parents)
    worlds = {place: nodes.world(place) for place in order}
    for world in worlds.values():
        _check_places(gltf, world, name)
    turns = {
        place: nearest_rotation(worlds[place][:, :3, :3] @ np.linalg.inv(bound[place][:3, :3])) for place in order
    }  # of the joint from where it is bound to where it stands, in the world
    joints, values = [], []
    for place in order:
        parent = parents[place]
        offset, local, where = bound[place][:3, 3], turns[place], worlds[place][:, :3, 3]
        if parent >= 0:
            back = np.swapaxes(turns[parent], -1, -2)
            offset, local = offset - bound[parent][:3, 3], back @ local
            where = np.einsum("fij,fj->fi", back, where - worlds[parent][:, :3, 3])
        x, y, z = (float(part) for part in offset)
        above = order.index(parent) if parent >= 0 else -1
        joints.append(BvhJoint(names.get(place, f"node {place}"), above, (x, y, z), _CHANNELS, None))
        values += [where, np.degrees(to_euler("ZXY", local))]
    frames = np.concatenate(values, axis=1)
    return BvhFile(str(gltf.path), tuple(joints), 1.0 / fps, frames, notes, places=tuple(order))


def node_names(gltf: Gltf) -> dict[int, str]:
    """The nodes' names; for a VRM file's human bones VRM's names, whatever their own."""
    names = {place: str(node["name"]) for place, node in enumerate(gltf.content["nodes"]) if node.get("name")}
    extensions = gltf.content.get("extensions") or {}
    told = []
    for kind in ("VRMC_vrm", "VRMC_vrm_animation"):
        bones = ((extensions.get(kind) or {}).get("humanoid") or {}).get("humanBones") or {}
        told += [(bone, one.get("node")) for bone, one in bones.items()]
    older = ((extensions.get("VRM") or {}).get("humanoid") or {}).get("humanBones") or []
    told += [(one.get("bone"), one.get("node")) for one in older]
    return names | {int(node): str(bone) for bone, node in told if bone and node is not None}


def _bound(gltf: Gltf, skin: dict[str, Any], meshes: Sequence[int], nodes: StandingNodes) -> dict[int, Array]:
    """joint -> (4, 4): where the skin's joints are when it is bound, in the world; as they stand if it does not say.

    meshes: the nodes of the meshes that it moves.

    The matrices are in the mesh's space. For some programs that is the world, for others the space of the mesh's node,
    or of the node above the skeleton: the one is taken in which bones are as long as they stand, and in which turning
    the skeleton's first joint brings it there, which it does not where the node above is scaled unevenly; then one in
    which it does not lie, as nobody is bound so. None of these depends on the pose in which the nodes stand; what still
    fits is taken as it is turned least.
    """
    places = skin["joints"]
    if len(set(places)) != len(places):
        raise ValueError("a joint stands twice in its skin")
    stand = np.stack([nodes.world(place)[0] for place in places])
    if "inverseBindMatrices" not in skin:
        return dict(zip(places, stand, strict=True))
    _check_places(gltf, stand, str(skin.get("name", "")))
    matrices = gltf.numbers(skin["inverseBindMatrices"], "MAT4", most=len(places))
    if len(matrices) < len(places):
        raise ValueError("inverse bind matrices are not one for each joint")
    bound = np.linalg.inv(np.swapaxes(matrices.reshape(-1, 4, 4), -1, -2))
    _check_places(gltf, bound, str(skin.get("name", "")))
    own = set(places)
    first = {j: nodes.parents[place] for j, place in enumerate(places) if nodes.parents[place] not in own}
    spaces = [nodes.above, *_spaces(nodes, meshes), *_spaces(nodes, first.values())]
    links = _links(places, nodes.parents)
    below = [(j, nodes.above if node < 0 else nodes.world(node)[0]) for j, node in first.items()]
    best = min((space @ bound for space in spaces), key=lambda placed: _unlike(placed, stand, links, below))
    best[:, :3, 3] *= _enlarged(best, stand, links) or 1.0
    return dict(zip(places, best, strict=True))


def _check_places(gltf: Gltf, places: Array, name: str) -> None:
    if not (np.abs(places) <= _FARTHEST).all():
        raise InputRefused(gltf.path, "a joint stands nowhere, or kilometres away (NaN)", AGAIN, name)


def _spaces(nodes: StandingNodes, places: Iterable[int]) -> list[Array]:
    """The spaces of some nodes, equal ones once, and no more of them than can be tried."""
    found: dict[bytes, Array] = {}
    for place in dict.fromkeys(places):
        if place >= 0 and len(found) < _MOST_SPACES:
            space = nodes.world(place)[0]
            found[space.tobytes()] = space
    return list(found.values())


def _links(places: list[int], parents: Any) -> list[tuple[int, int]]:
    """Pairs of a joint and the next joint above it, as indices into the skin's joints."""
    index = {place: j for j, place in enumerate(places)}
    return [(index[place], index[above]) for place, above in next_above(index, parents).items() if above >= 0]


def _enlarged(placed: Array, stand: Array, links: list[tuple[int, int]]) -> float:
    """How many times as long bones are as they stand, in the middle of all by their lengths: the pelvis may have moved
    away from a joint above it, and hands with their many short bones may be enlarged. 0 where they have no length."""
    if not links:
        return 0.0
    lengths = np.array([_lengths(at, np.array(links)) for at in (placed, stand)])
    known = lengths[:, lengths[0] > 0]
    if not known.size:
        return 0.0
    ratios = known[1] / known[0]
    order = ratios.argsort()
    upto = known[0, order].cumsum()
    return float(ratios[order[np.searchsorted(upto, upto[-1] / 2)]])


def _lengths(placed: Array, links: NDArray[np.intp]) -> Array:
    """(L,) of each bone, metres: measured along the axes of the joint above, times its scale, so that it is the same in
    every pose, also where a joint or what is above it is scaled unevenly. 0 below a joint without any size."""
    joints, spaces = placed[links[:, 0]], placed[links[:, 1]]
    scales = _scales(spaces)
    lengths, sized = np.zeros(len(links)), scales > 0
    away = np.linalg.solve(spaces[sized], joints[sized, :, 3:])[:, :3, 0]
    lengths[sized] = scales[sized] * np.linalg.norm(away, axis=-1)
    return lengths


def _scales(spaces: Array) -> Array:
    """(...) the mean scales of spaces (..., 4, 4) or (..., 3, 3), 0 of one that is flat."""
    return np.asarray(np.cbrt(np.abs(np.linalg.det(spaces[..., :3, :3]))))


def _unlike(
    placed: Array, stand: Array, links: list[tuple[int, int]], below: list[tuple[int, Array]]
) -> tuple[bool, bool, bool, float]:
    """How unlike joints as bound are to joints as they stand: in size, in shape, then whether they lie, and how they
    are turned.

    below: for each joint that hangs from none of the others, the space in which it hangs.
    """
    larger = _enlarged(placed, stand, links)
    other_size = larger <= 0 or abs(np.log(larger)) > _SAME_SIZE
    other_shape = any(_sheared(placed[joint], stand[joint], space) for joint, space in below)
    turned = geodesic_angle(*(nearest_rotation(part[:, :3, :3]) for part in (placed, stand)))
    return bool(other_size), other_shape, _lies(placed), float(np.mean(turned))


def _lies(placed: Array) -> bool:
    """Whether joints spread out far less upwards than sideways, as of nobody who is bound standing, arms out or not."""
    spread = np.ptp(placed[:, :3, 3], axis=0)
    return bool(spread[1] < _LYING * spread.max())


def _sheared(placed: Array, stand: Array, space: Array) -> bool:
    """Whether a joint that hangs in a space cannot be brought to where it is placed by turning and moving it alone."""
    if _scales(np.stack([placed, stand, space])).min() <= 0:
        return False
    now, then = (np.linalg.solve(space, part)[:3, :3] for part in (stand, placed))
    then = then / np.linalg.norm(now, axis=0)  # a joint's own scale is along its own axes
    return bool(np.abs(then.T @ then / _scales(then) ** 2 - np.eye(3)).max() > _SAME_SIZE)
