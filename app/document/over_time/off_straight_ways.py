"""How hands, feet and bodies leave their straight ways between keys."""

from __future__ import annotations

from collections.abc import Sequence

from app.document.model.actor import Actor
from app.document.model.between import Knot
from app.document.over_time.arcs import Arcs
from app.document.over_time.ground import Ground
from app.document.over_time.steps import NO_STEPS, Steps
from app.document.posing.stances import stance_of
from solver.body.catalog import load_body
from solver.kinematics.skeleton import Skeleton


def arcs_and_steps(
    actor: Actor, skeleton: Skeleton, knots: Sequence[Knot], ground: Ground | None
) -> tuple[Arcs | None, Steps]:
    """How hands and feet leave their straight ways between the knots of a gap; over a source motion they do not.
    ground: what feet stand on besides the floor."""
    clip = actor.clip
    if clip.source is not None:
        return None, NO_STEPS
    keys = [knot.key for knot in knots if knot.key is not None]
    if not clip.between.steps:
        return Arcs.between(skeleton, keys), NO_STEPS
    feet = stance_of(load_body(actor.build.body), actor.build.shape, None, actor.posing.solver_options).feet
    return Arcs.between(skeleton, keys), Steps.between(skeleton, keys, clip.fps, feet, ground)
