"""From a target's source to plain numbers: the one function that knows of other figures, photos and streams."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.camera import PinholeCamera
from solver.effectors.contact import ANY_WAY, Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import TurnEffector
from solver.effectors.sources import FloorSource, JointSource, PropSource, RaySource, SkinSource, StreamSource, Tie
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import nearest_rotation
from solver.kinematics.skeleton import Skeleton

if TYPE_CHECKING:
    from solver.effectors.skin import Skin

Array = NDArray[np.floating]
_ALONG_FLOOR, _UP = np.array([1.0, 0.0, 1.0], np.float32), np.array([0.0, 1.0, 0.0], np.float32)
AT_REST = 1e-6  # metres, or of a rotation's entries: a target as near as this to what its source gives stays


class Figure(NamedTuple):
    """A character as targets on it need it: its skeleton, and where its joints are now."""

    skeleton: Skeleton
    world: WorldJoints


class Sample(NamedTuple):
    """The latest sample of a stream. place: (3,) metres. turn: (3, 3) R_world_tracker, None without one."""

    place: Array
    turn: Array | None = None


class Prop(NamedTuple):
    """A thing to lie on. place: (3,) metres, its middle. turn: (3, 3) R_world_prop. size: (3,) metres. is_round:
    whether it is about an axis of its own."""

    place: Array
    turn: Array
    size: Array
    is_round: bool = False


NO_PROPS: Mapping[str, Prop] = MappingProxyType({})


@dataclass(frozen=True)
class Context:
    """What targets may come from. figures: by the character's id. cameras: of the photos. samples: by stream.

    skins: by the character's id, for those whose skin is touched. props: by their ids.
    """

    figures: Mapping[str, Figure] = field(default_factory=dict)
    cameras: Sequence[PinholeCamera] = ()
    samples: Mapping[str, Sample] = field(default_factory=dict)
    skins: Mapping[str, Skin] = field(default_factory=dict)
    props: Mapping[str, Prop] = field(default_factory=dict)


def resolved(effector: Effector, context: Context) -> Effector:
    """The effector with its target where its source puts it now.

    Returns the effector itself if that changes nothing, or if it has no source or a silent one: a figure that is
    gone, a stream that has not begun, a tracker without a turn for an effector that turns. A loose one goes along with
    its own body instead.
    """
    if effector.source is None or effector.loose:
        return effector
    surface = _surface(effector, context)
    if surface is not None:
        return _on_surface(effector, *surface)
    place, turn = _place_and_turn(effector, context)
    found = turn if isinstance(effector, TurnEffector) else place
    if found is None:
        return effector
    target = np.asarray(found, dtype=np.float32)  # compared as it is kept: far away that rounds by more than AT_REST
    return effector if np.abs(target - effector.target).max() < AT_REST else replace(effector, target=target)


def has_sources(effectors: Iterable[Effector]) -> bool:
    """Whether any target has to be resolved again before a solve."""
    return any(effector.source is not None and effector.is_active for effector in effectors)


def tied_figures(effectors: Iterable[Effector]) -> frozenset[str]:
    """Ids of the figures whose joints or skin are the targets of effectors that ask for something."""
    return frozenset(e.source.character for e in effectors if isinstance(e.source, Tie) and e.is_active)


def props_under(effectors: Iterable[Effector]) -> frozenset[str]:
    """Ids of the props that the targets of effectors that ask for something are on."""
    return frozenset(e.source.prop for e in effectors if isinstance(e.source, PropSource) and e.is_active)


def carrying_joint(source: Tie, context: Context) -> str:
    """The joint that the target goes along with; for skin, the one that carries most of it. "" if it is not known."""
    if isinstance(source, JointSource):
        return source.joint
    skin, figure = context.skins.get(source.character), context.figures.get(source.character)
    if skin is None or figure is None or not skin.has_triangle(source.triangle):
        return ""
    return figure.skeleton.names[skin.carrier(source.triangle, source.shares)]


def _on_surface(effector: Effector, place: Array, normal: Array) -> Effector:
    target = np.asarray(place, dtype=np.float32)
    at_rest = bool(np.abs(target - effector.target).max() < AT_REST)
    if not isinstance(effector, Contact):
        return effector if at_rest or isinstance(effector, TurnEffector) else replace(effector, target=target)
    facing = np.asarray(normal, dtype=np.float32)
    if at_rest and np.abs(facing - effector.facing).max() < AT_REST:
        return effector
    return effector.onto(target, facing)


def _surface(effector: Effector, context: Context) -> tuple[Array, Array] | None:
    """Where the surface is that the effector lies on, (3,) metres, and its normal there, (3,) or zeros."""
    match effector.source:
        case FloorSource() if effector.target.shape == (3,):
            return effector.target * _ALONG_FLOOR, _UP
        case SkinSource(character, triangle, shares, lift) if character in context.skins.keys() & context.figures:
            skin = context.skins[character]
            if skin.has_triangle(triangle):
                at, outward = skin.point_at(triangle, shares, context.figures[character].world)
                return at + lift * outward, outward
        case JointSource(character, joint, offset, turn) if isinstance(effector, Contact):
            found = context.figures.get(character)
            if found is not None and joint in found.skeleton.names:
                at, turned = (part[found.skeleton.index(joint)] for part in found.world[:2])
                return at + turned @ offset, turned @ turn[:, 1]
        case PropSource(prop, place, normal) if prop in context.props:
            thing = context.props[prop]
            at = thing.place + thing.turn @ (place * thing.size)
            return at, _outward(thing, normal) if normal.any() else ANY_WAY
    return None


def _outward(thing: Prop, normal: Array) -> Array:
    """(3,) unit, the normal of a slope in the world when the prop has this size."""
    sloped = normal / thing.size
    return thing.turn @ (sloped / np.linalg.norm(sloped))


def _place_and_turn(effector: Effector, context: Context) -> tuple[Array | None, Array | None]:
    match effector.source:
        case JointSource(character, joint, offset, turn) if character in context.figures:
            skeleton, world = context.figures[character]
            if joint not in skeleton.names:
                return None, None
            j = skeleton.index(joint)
            rotation = world.rotations[j]
            return world.positions[j] + rotation @ offset, nearest_rotation(rotation @ turn)
        case RaySource(pixel, distance, photo) if photo < len(context.cameras):
            start, direction = context.cameras[photo].ray(pixel)
            return start + distance * direction, None
        case StreamSource(stream) if stream in context.samples:
            place, turned = context.samples[stream]
            known = nearest_rotation(turned) if turned is not None and np.isfinite(turned).all() else None
            return place if np.isfinite(place).all() else None, known
    return None, None
