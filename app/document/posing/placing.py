"""Where people stand: a free place beside the others, and a whole person moved or turned on the floor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document.model.actor import actor_of, with_clip
from app.document.model.document import Character
from app.document.model.figure import body_of
from app.document.model.placement import Placement
from app.document.posing.fitting_effectors import with_feet_as_it_lies
from solver.body.floor import lowest_point, posed_vertices
from solver.body.hands import skin_with
from solver.ik.options import SOLID_FLOOR
from solver.kinematics.pose import Pose
from solver.kinematics.rigid_motion import RigidMotion

ON_FLOOR = 1e-5  # metres
UPRIGHT = 1.0 - 1e-6  # the cosine of a tilt, which single precision leaves
ARM_SPAN = 1.2  # metres between people who are placed side by side

NEIGHBOURS = 5.0  # metres: people who are no further apart stand as their files say
PATH_POINTS = 100  # of everybody together

Place = tuple[float, float]


def place_of(character: Character) -> Place:
    """Where a character stands on the floor: x and z of its pelvis, metres."""
    return float(character.pose.root_position[0]), float(character.pose.root_position[2])


def places_of(characters: Sequence[Character]) -> list[Place]:
    """Where characters stand or come by on the floor, in their poses and along their motions and keys."""
    return [(float(x), float(z)) for path in (paths_of(characters) if characters else ()) for x, z in path]


def free_place(taken: Iterable[Place]) -> Place:
    """The place nearest to the middle with room to all that are taken, tried on its left and right by turns."""
    others = list(taken)
    step = 0
    while True:
        x = ARM_SPAN * ((step + 1) // 2) * (1 if step % 2 else -1)
        if all(np.hypot(x - other_x, other_z) > 0.75 * ARM_SPAN for other_x, other_z in others):
            return x, 0.0
        step += 1


def paths_of(characters: Sequence[Character]) -> list[NDArray[np.float64]]:
    """For each character (N, 2) x and z in metres of the pelvis over the floor, in its pose and along its motion."""
    return [_path(character, max(1, PATH_POINTS // len(characters))) for character in characters]


def _path(character: Character, most: int) -> NDArray[np.float64]:
    roots = character.pose.root_position[None]
    clip = character.clip
    if clip.source is not None:
        step = max(1, len(clip) // most)
        roots = np.concatenate([roots, clip.placement.points(clip.source.path[::step])])
    elif len(clip.keys) > 1:
        keyed = [key.pose.root_position for key in clip.keys[:: max(1, len(clip.keys) // most)]]
        roots = np.concatenate([roots, clip.placement.points(np.stack(keyed))])
    return roots[:, [0, 2]].astype(np.float64)


def room_beside(paths: Sequence[NDArray[np.floating]], path: NDArray[np.floating]) -> tuple[float, float]:
    """How far to move somebody's path (N, 2) over the floor, x and z in metres, so that it has room to all `paths`.

    Not at all if it has room and is near them; else to the free place nearest to where it begins, or to where the first
    of the others begins if that is far away. A path too long to find room for gets room for its beginning.
    """
    if not paths:
        return 0.0, 0.0
    taken = np.concatenate(paths)

    def room(shift: tuple[float, float], points: NDArray[np.floating]) -> float:
        return float(np.linalg.norm((points + shift)[:, None] - taken[None], axis=-1).min())

    near = room((0.0, 0.0), path) <= NEIGHBOURS
    wish = (0.0, 0.0) if near else tuple(paths[0][0] - path[0])
    for points in (path, path[:1]):
        for x, z in _STEPS:
            shift = (float(wish[0] + x), float(wish[1] + z))
            if room(shift, points) > 0.75 * ARM_SPAN:
                return shift
    return float(wish[0]), float(wish[1])


def _steps(most: int) -> tuple[Place, ...]:
    """Shifts over the floor, the shortest first, to the side before forwards and back."""
    whole = [(i, j) for i in range(-most, most + 1) for j in range(-most, most + 1)]
    whole.sort(key=lambda step: (step[0] ** 2 + step[1] ** 2, abs(step[1]), -step[1], -step[0]))
    return tuple((ARM_SPAN * i, ARM_SPAN * j) for i, j in whole)


_STEPS = _steps(25)  # up to 30 m to each side


def moved(character: Character, shift: ArrayLike) -> Character:
    """The whole character moved by (3,) metres: all its keys, motion and targets, so that a solve changes nothing."""
    return _placed(character, character.clip.placement.moved(shift))


def turned(character: Character, angle: float) -> Character:
    """The whole character turned about the vertical through its pelvis, radians, positive from +Z to +X."""
    return _placed(character, character.clip.placement.turned(angle, character.pose.root_position))


def goes_whole(character: Character) -> bool:
    """Whether somebody who is moved as a whole takes all frames along: a still person, and whoever follows a recorded
    motion. Somebody animated by keys alone goes elsewhere at one frame, where that is posed as anything else is."""
    return len(character.clip) == 1 or character.clip.source is not None


def brought(character: Character, shift: ArrayLike, angle: float = 0.0, whole: bool | None = None) -> Character:
    """The character turned about the vertical through its pelvis, radians, and moved by (3,) metres. whole: with all
    its keys and motion, or at its frame alone; None as `goes_whole` says."""
    if goes_whole(character) if whole is None else whole:
        return moved(turned(character, angle) if angle else character, shift)
    turn = Placement(angle).rigid.turn
    pelvis = character.pose.root_position.astype(np.float64)
    way = RigidMotion(turn, pelvis - turn @ pelvis + np.asarray(shift, np.float64))
    return _carried(character, way) if angle or np.any(way.shift) else character


def tipped(character: Character, rotation: ArrayLike) -> Character:
    """The character at its frame tipped by (3, 3) about the point below its pelvis on the floor, or at the height that
    it stands or floats at, and raised or lowered until its skin is as far above the floor as it was: it falls over and
    comes to lie. Other keys stay."""
    (x, z), low = place_of(character), lowest_skin(character)
    turn = RigidMotion.about(np.asarray(rotation, np.float64), np.array([x, max(low, 0.0), z]))
    fallen = _carried(character, turn)
    drop = RigidMotion(np.eye(3), np.array([0.0, low - lowest_skin(fallen), 0.0]))
    return with_feet_as_it_lies(_carried(fallen, drop), character.pose)


def carried(character: Character, way: RigidMotion, whole: bool = True) -> Character:
    """The character as somebody who goes that way carries it: with all its keys, or its frame alone if it is tipped or
    not `whole`."""
    if way.turn[1, 1] < UPRIGHT or not whole:
        return _carried(character, way)
    placement, angle = character.clip.placement, float(np.arctan2(way.turn[0, 2], way.turn[0, 0]))
    x, y, z = way.points(np.asarray(placement.shift))
    return _placed(character, Placement(placement.turn + angle, (float(x), float(y), float(z))))


def _carried(character: Character, way: RigidMotion) -> Character:
    return replace(
        character,
        pose=carried_pose(character.pose, way),
        base_pose=carried_pose(character.base_pose, way),
        effectors=tuple(effector.moved_by(way) for effector in character.effectors),
    )


def carried_pose(pose: Pose, way: RigidMotion) -> Pose:
    """The pose moved and turned as a whole."""
    rotations = np.array(pose.rotations)
    rotations[0] = way.turn @ rotations[0]
    root = way.points(pose.root_position.astype(np.float64))
    return Pose(np.asarray(root, np.float32), rotations.astype(np.float32))


def skin_of(character: Character) -> NDArray[np.float32]:
    """(V, 3) metres: somebody's skin in their pose, with fingers as they are held."""
    body = body_of(character)
    return posed_vertices(body, character.shape, character.pose, rest=skin_with(body, character.shape, character.hands))


def lowest_skin(character: Character) -> float:
    """Metres above the floor, with fingers as they are held: stretched, those of a hand that lies would be in it."""
    body = body_of(character)
    rest = skin_with(body, character.shape, character.hands)
    return lowest_point(body, character.shape, character.pose, rest=rest)


def above_floor(people: Iterable[Character], shift: ArrayLike) -> NDArray[np.float64]:
    """The (3,) metres by which people are moved together, going down no farther than to where the skin of the first
    person whom a solid floor holds lies on it; people below it already go no deeper."""
    kept = np.array(shift, np.float64)
    if kept[1] < 0:
        held = [lowest_skin(each) for each in people if SOLID_FLOOR.of(each.solver_options)]
        kept[1] = max([kept[1], *(-max(lowest, 0.0) for lowest in held)])
    return kept


def standing_on_floor(character: Character) -> Character:
    """The whole character raised or lowered until the lowest point of its skin is on the floor; at its frame alone if
    it is animated by keys alone."""
    lowest = lowest_skin(character)
    return character if abs(lowest) < ON_FLOOR else brought(character, (0.0, -lowest, 0.0))


def _placed(character: Character, placement: Placement) -> Character:
    clip = actor_of(character).clip
    return with_clip(character, clip.placed(placement), character.frame)
