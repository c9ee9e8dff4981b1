"""What lies on somebody's skin, laid on the skin of the new body they have got."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.model.document import Character
from app.document.model.figure import body_of, skeleton_of
from app.document.posing.holds.retying import retied
from solver.contact.skins import nearest_point, skin
from solver.effectors.effector import Effector
from solver.effectors.skin import Skin
from solver.effectors.sources import SkinSource, Tie
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import rest_pose


def reskinned(effector: Effector, holder: str, before: Character, after: Character) -> Effector:
    """An effector tied to somebody who has got a body with other triangles, tied to the same place of that body.

    On skin that is the point nearest to where the old one was, with both bodies at rest and the way there from its
    joint scaled by the bodies' heights; the lift stays. If the new body lacks the joint, it is as `retied` leaves it.
    holder: the id of the effector's owner.
    """
    source = effector.source
    if not isinstance(source, Tie) or source.character != before.id:
        return effector
    if isinstance(source, SkinSource):
        moved = _moved(source, before, after)
        return retied(effector, holder, after, before.body) if moved is None else replace(effector, source=moved)
    return retied(effector, holder, after, before.body)


def _moved(source: SkinSource, before: Character, after: Character) -> SkinSource | None:
    old, new = (skin(body_of(each), each.shape) for each in (before, after))
    if not old.has_triangle(source.triangle):
        return None
    carrier, skeleton = skeleton_of(before).names[old.carrier(source.triangle, source.shares)], skeleton_of(after)
    if carrier not in skeleton.names:
        return None
    was, now = (forward_kinematics(each, rest_pose(each)) for each in (skeleton_of(before), skeleton))
    place, _ = old.point_at(source.triangle, source.shares, was)
    way = place - was.positions[skeleton_of(before).index(carrier)]
    there = now.positions[skeleton.index(carrier)] + way * (_height(new) / _height(old))
    point = nearest_point(new, now, there)
    return replace(source, triangle=point.triangle, shares=point.shares)


def _height(of: Skin) -> float:
    return float(np.ptp(of.vertices[:, 1]))
