"""Where a thing that a hand carries comes to: it stops at, and slides along, other things and people in its way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.posing.contact_patches import own_limb
from app.document.posing.holds.set_down import held_up
from app.document.posing.placing import skin_of
from solver.body.catalog import load_body
from solver.contact.solids import Solid
from solver.effectors.contact import Contact
from solver.effectors.sources import is_on_prop
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS

Array = NDArray[np.float64]
STEP_M = 0.02  # metres by which a thing goes on
FINEST_M = 0.004  # likewise at least, where something thin is in its way
THIRD = 0.3  # of what is thin, as a step: its near side is then still the nearest
FINE_M, MOST, ON_SKIN = 0.02, 12_000, 500  # metres between points within a thing, how many at most, and on its skin
TOUCHES = 0.002  # metres that it may be within something
AGAIN = 4  # times that it is pushed out of what it has come into, as in a corner
FLESH_M = 0.3  # metres of a body about its joints
OF_ARM = 0.2  # the share of its weight from which skin belongs to an arm
ASIDE_M = 0.3  # metres that a thing slides aside at most on one way
NUDGE = 1e-4  # metres, for slopes


class _InTheWay(NamedTuple):
    """solids: of other things. skin: (N, 3) metres, of people. own: (P, 3) metres, points of the thing where it was.
    parts: the thing's solids there."""

    solids: tuple[Solid, ...]
    skin: Array
    own: Array
    parts: tuple[Solid, ...]

    def deepest(self, shift: Array) -> tuple[float, Array]:
        """Metres from the thing to what is nearest, negative inside, with the thing moved by (3,) metres, and which way
        it has to go to come out, (3,) unit."""
        least, way = np.inf, np.zeros(3)
        for solid in self.solids:
            there = self.own + shift
            off = solid.distances(there)
            if float(off.min()) < least:
                least, way = float(off.min()), _slope(solid, there[off.argmin()])
        for part in self.parts if len(self.skin) else ():
            there = self.skin - shift
            off = part.distances(there)
            if float(off.min()) < least:
                least, way = float(off.min()), -_slope(part, there[off.argmin()])
        return least, way


def held_off(document: Document, wanted: Prop) -> Prop:
    """The prop where it is wanted, but stopped by what is on its way there from where it is now, along which it slides:
    any solid thing that is seen, the floor, and people, but for the arms that hold it. What it is in already it may
    leave."""
    now = next((prop for prop in document.props if prop.id == wanted.id), wanted)
    wanted = held_up(document, wanted)
    if not (np.array_equal(now.turn, wanted.turn) and np.array_equal(now.size, wanted.size)):
        return wanted
    way = (wanted.place - now.place).astype(np.float64)
    far = float(np.linalg.norm(way))
    solids = tuple(_solids_beside(document, now, way))
    skin = _skin_beside(document, now, way)
    if far < NUDGE or not (solids or len(skin)):
        return wanted
    about = _InTheWay(solids, skin, _points_of(now), tuple(now.solids()))
    thinnest = min((float(solid.size.min()) for solid in (*solids, *about.parts)), default=1.0)
    count = int(np.ceil(far / max(min(STEP_M, THIRD * thinnest), FINEST_M)))
    allowed, shift = min(-TOUCHES, about.deepest(np.zeros(3))[0]), np.zeros(3)
    for _ in range(count):
        there = _pushed_out(about, shift + way / count, allowed)
        if there is None:
            break
        shift = there
    return now.moved(shift) if not np.allclose(shift, way, atol=NUDGE) else wanted


def _pushed_out(about: _InTheWay, shift: Array, allowed: float) -> Array | None:
    """(3,) metres: a shift of the thing after which it is in nothing, near to `shift`; None for none."""
    for _ in range(AGAIN):
        deep, out = about.deepest(shift)
        if deep >= allowed - NUDGE:
            return shift
        shift = shift + (allowed - deep) * out
    return shift if about.deepest(shift)[0] >= allowed - NUDGE else None


def _slope(solid: Solid, place: Array) -> Array:
    """(3,) unit, out of a solid at a place (3,) metres."""
    steps = NUDGE * np.eye(3)
    rise = solid.distances(place + steps) - solid.distances(place - steps)
    long = float(np.linalg.norm(rise))
    return np.asarray(rise / long, np.float64) if long > 0.0 else np.array([0.0, 1.0, 0.0])


def _points_of(prop: Prop) -> Array:
    """(N, 3) metres, points on a thing and all through it."""
    apart = max(FINE_M, float(np.prod(prop.size.astype(np.float64)) / MOST) ** (1.0 / 3.0))
    ways = [np.linspace(0.0, 1.0, int(np.ceil(size / apart)) + 1) for size in prop.size]
    grid = prop.frame.points(np.stack(np.meshgrid(*ways, indexing="ij"), axis=-1).reshape(-1, 3) - [0.5, 0.0, 0.5])
    outside = np.min([solid.distances(grid) for solid in prop.solids()], axis=0, initial=np.inf) > 0.0
    skin = prop.frame.points(prop.surface.vertices)
    return np.concatenate([skin[:: max(len(skin) // ON_SKIN, 1)], grid[~outside]])


def _solids_beside(document: Document, prop: Prop, way: Array) -> Iterator[Solid]:
    """What is solid of all that is seen and that a thing may come into on its way, (3,) metres."""
    reach = _reach(prop, way)
    for other in document.props:
        if (
            other.visible
            and other.id != prop.id
            and _beside(other.middle[None], prop.middle, way) < reach + _half(other)
        ):
            yield from (
                solid
                for solid in other.solids()  # only of those: what is solid of a mesh takes a second or two to find
                if _beside(solid.place[None].astype(np.float64), prop.middle, way)
                < reach + float(np.linalg.norm(solid.size)) / 2.0
            )


def _skin_beside(document: Document, prop: Prop, way: Array) -> Array:
    """(N, 3) metres, people's skin where a thing may come on its way, without the arms that hold it."""
    reach, found = _reach(prop, way), [np.zeros((0, 3))]
    for person in document.characters:
        if not person.visible or (arms := _arms_at(person, prop)) is None:
            continue
        if _beside(joints_of(person).positions.astype(np.float64), prop.middle, way) < reach + FLESH_M:
            borne = load_body(person.body).weights[:, list(arms)].sum(axis=1)
            skin = skin_of(person)[borne < OF_ARM].astype(np.float64)
            found.append(skin[_all_beside(skin, prop.middle, way) < reach])
    return np.concatenate(found)


def _arms_at(person: Character, prop: Prop) -> frozenset[int] | None:
    """The indices of the joints of those arms of somebody that touch a thing; None if anything else of them does."""
    contacts: Sequence[Contact] = [e for e in person.effectors if isinstance(e, Contact) and e.is_active]
    rig, found = rig_of(skeleton_of(person)), frozenset[int]()
    for joint in {e.joint for e in contacts if is_on_prop(e.source, prop.id)}:
        role = rig.role_of(joint)
        if not any(role in arm.joints for arm in ARMS):
            return None
        found |= own_limb(person, joint)
    return found


def _reach(prop: Prop, way: Array) -> float:
    """Metres beside a way, (3,) metres, within which a thing comes that slides along what it meets there."""
    return _half(prop) + min(float(np.linalg.norm(way)), ASIDE_M)


def _half(prop: Prop) -> float:
    return float(np.linalg.norm(prop.size)) / 2.0


def _beside(places: Array, start: Array, way: Array) -> float:
    return float(_all_beside(places, start, way).min())


def _all_beside(places: Array, start: Array, way: Array) -> Array:
    """(N,) metres from places (N, 3) to the line from a start, (3,) metres, by a way, (3,) metres."""
    along = np.clip((places - start) @ way / max(float(way @ way), 1e-12), 0.0, 1.0)
    return np.asarray(np.linalg.norm(places - start - along[:, None] * way, axis=1), np.float64)
