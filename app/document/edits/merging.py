"""Two people of the document who are one in the photo: found twice, and made one again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.edits.effectors import on_every_effector
from app.document.in_photo.photo_membership import own_photo
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.contact_patches import own_limb
from app.document.posing.holds.retying import retied
from solver.camera import PinholeCamera
from solver.effectors.effector import Effector
from solver.effectors.sources import JointSource, SkinSource, Tie
from solver.errors import PoserError
from solver.photo.sighting import Sighting, turned_round
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS

Array = NDArray[np.float64]
# How far apart two people's joints may be in the photo, on average and as a share of their extent, to be one. Of 72
# pairs of people in renderings (scripts.photo.photo_renderings) the closest, a dancing couple, is at 0.14.
SAME = 0.12
_LIMBS = tuple((*limb.line, limb.tip) for limb in (*ARMS, *LEGS))


def twin_of(document: Document, id: str) -> Character | None:
    """Another visible person who lies over this one in the photo that this one was read off, or else in the one behind
    the scene, so that both are likely one; the nearest of several.

    It counts even where left and right are exchanged: a person who is found twice is easily read as turned round.
    None where there is nobody like that, or no photo.
    """
    if not document.photos:
        return None
    character = document.character(id)
    photo = document.photos[own_photo(character, document)]
    mine = _in_photo(character, photo.camera)
    if mine is None:
        return None
    found: list[tuple[float, Character]] = []
    for other in document.characters:
        theirs = _in_photo(other, photo.camera) if other.id != id and other.visible else None
        if theirs is None:
            continue
        extent = max(float(np.linalg.norm(np.ptp(part.reshape(-1, 2), axis=0))) for part in (mine, theirs))
        apart = min(float(np.linalg.norm(mine - way, axis=2).mean()) for way in (theirs, theirs[[1, 0, 3, 2]]))
        if apart < SAME * extent:
            found.append((apart / extent, other))
    return min(found, key=lambda pair: pair[0])[1] if found else None


def merged(document: Document, id: str, other: str) -> Document:
    """The document with the other person gone, and all that was tied to them tied to the first.

    The first one stays as it is, pose and all: the user has seen which reading of the picture is better, and chooses by
    which person is active. What they held on to of the other they hold on to of themselves, except on the same limb: a
    hand would follow its own skin. What networks saw of both in one photo is put together, taking the surer of each two
    points; where only the other one was seen, that is taken over. PoserError for somebody merged with themselves.
    """
    stays, goes = document.character(id), document.character(other)
    if stays.id == goes.id:
        raise PoserError(f"{stays.name} cannot be merged with themselves. Choose somebody else.")
    after = document.with_character(replace(stays, sighting=together(stays.sighting, goes.sighting)))
    after = after.with_characters(character for character in after.characters if character.id != other)

    def tied_anew(holder: str, effector: Effector) -> Effector:
        source = effector.source
        if not isinstance(source, Tie) or source.character != other:
            return effector
        anew = retied(effector, holder, stays, goes.body)
        return replace(anew, source=None) if holder == stays.id and _on_own_limb(stays, anew) else anew

    return on_every_effector(after, tied_anew)


def _on_own_limb(person: Character, effector: Effector) -> bool:
    """Whether an effector goes along with the limb that it moves."""
    source = effector.source
    if isinstance(source, JointSource):
        joint = skeleton_of(person).index(source.joint)
    elif isinstance(source, SkinSource):
        body = body_of(person)
        joint = int(np.argmax(source.shares @ body.weights[body.faces[source.triangle]]))
    else:
        return False
    return joint in own_limb(person, effector.joint)


def together(mine: Sighting | None, theirs: Sighting | None) -> Sighting | None:
    """What was seen of one person who was found twice; if in two photos, the first one's stays.

    If they were seen turned round the second time, left and right go by the first.
    """
    if mine is None or theirs is None:
        return mine or theirs
    if mine.photo != theirs.photo:
        return mine
    theirs = _as_first_seen(mine, theirs)
    points = {point.name: point for point in theirs.points}
    for point in mine.points:
        if point.name not in points or point.confidence >= points[point.name].confidence:
            points[point.name] = point
    return replace(mine, points=tuple(points.values()))


def _as_first_seen(mine: Sighting, theirs: Sighting) -> Sighting:
    """What was seen the second time, turned round if its points then lie nearer to those of the first time."""
    ways = (theirs, turned_round(theirs))
    first, *others = ({point.name: np.array(point.pixel) for point in way.points} for way in (mine, *ways))
    shared = [name for name in first if all(name in other for other in others)]
    apart = [sum(float(np.linalg.norm(first[name] - other[name])) for name in shared) for other in others]
    return ways[1] if apart[1] < apart[0] else theirs


def _in_photo(character: Character, camera: PinholeCamera) -> Array | None:
    """(4, N, 2) pixels of the limbs' joints, arms before legs, left before right; None where not all are seen."""
    rig = rig_of(skeleton_of(character))
    if rig.lacking([role for limb in _LIMBS for role in limb]):
        return None
    places = joints_of(character).positions
    pixels = np.stack([camera.project(places[[rig.joint(role) for role in limb]]) for limb in _LIMBS])
    return pixels if np.isfinite(pixels).all() else None
