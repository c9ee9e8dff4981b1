"""Foot skate: how fast soles slide along the floor while their foot is on it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.document.curves.motions import motions_of
from app.document.curves.values import Array, Curves, Line
from app.document.model.actor import Actor
from solver.body.catalog import load_body
from solver.kinematics.joint_paths import joint_paths, velocities
from solver.kinematics.pose import Motion
from solver.rig.contacts import LOW_M, STANDING, foot_contacts_of
from solver.rig.rig import Rig
from solver.rig.roles import LEGS

NO_CONTACT = "No foot comes near the floor in this motion, so none can slide on it."


class Soles(NamedTuple):
    """The soles of a motion, the left one first. heights: (F, 2) metres, of the lower of heel and ball.

    speeds: (F, 2) metres a second, how fast that one goes along the floor.
    """

    heights: Array
    speeds: Array


def skate_curves(actor: Actor) -> Curves:
    """A line for each foot where the motion before the edit has it on the floor; if there is none, the motion shown."""
    motions = motions_of(actor)
    rig, body = motions.rig, load_body(actor.build.body)
    vertices = body.vertices(actor.build.shape)
    sole_m = float(vertices[body.sole_vertices, 1].min())
    first = motions.before or motions.after
    contacts = foot_contacts_of(rig, first, sliding=True)
    if not contacts:
        return Curves(lacks=NO_CONTACT)
    feet = [leg.tip for leg in LEGS]
    spans = tuple((feet.index(contact.foot), contact.first, contact.last) for contact in contacts)
    on = np.zeros((len(first), 2), bool)
    for foot, start, end in spans:
        on[start : end + 1, foot] = True
    soles = soles_of(rig, first, sole_m)
    highest = float(np.percentile(soles.heights.min(axis=1), STANDING)) + LOW_M

    def slide(motion: Motion) -> Array:
        mine = soles if motion is first else soles_of(rig, motion, sole_m)
        return np.where(on & (mine.heights < highest), mine.speeds, np.nan)

    after, before = motions.both(slide)
    return Curves(
        "m/s",
        tuple(
            Line(f"{leg.side.capitalize()} foot", after[:, foot], None if before is None else before[:, foot])
            for foot, leg in enumerate(LEGS)
        ),
        spans,
    )


def soles_of(rig: Rig, motion: Motion, sole_m: float) -> Soles:
    """The soles of a motion of at least two frames. sole_m: how high they are in the rest pose."""
    joints = [rig.joint(role) for leg in LEGS for role in (leg.end, leg.tip)]
    ways = joint_paths(rig, motion, joints)
    below = np.zeros((len(joints), 3))
    below[:, 1] = sole_m - rig.rest_positions[joints, 1]  # at rest a body's joints have the world's axes
    points = ways.positions + np.einsum("fjab,jb->fja", ways.rotations, below)
    along = np.linalg.norm(velocities(points, motion.fps)[..., [0, 2]], axis=-1)
    heights = points[..., 1].reshape(-1, len(LEGS), 2)
    lower = heights.argmin(axis=-1)[..., None]
    return Soles(
        np.take_along_axis(heights, lower, -1)[..., 0],
        np.take_along_axis(along.reshape(heights.shape), lower, -1)[..., 0],
    )
