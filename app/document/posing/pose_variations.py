"""Variations of a character's pose: which base poses there are to start from, and what they lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, zip_longest

import numpy as np

from app.document.model.document import Character, Document
from app.document.model.figure import skeleton_of
from app.document.posing.solving import problem_of
from app.document.posing.sources import ties_in
from app.document.posing.surroundings import solid_surroundings
from app.document.posing.touched_surfaces import props_of, with_square_hands
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.placement import placed
from solver.ik.multi_solve.postures import poses_like, postures, random_poses
from solver.ik.multi_solve.variations import Variations, pick_different, variations
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.solvers.catalog import usable_solver

FRAMES = 240  # of each clip, looked at
NEAREST = 24
SPREAD = 24
DRAWN = 48
MODELS = 60  # poses to mix a pose with, to find more like it


def variations_of(
    document: Document, character: Character, model: Pose | None, cancelled: Callable[[], bool]
) -> Variations:
    """Clearly different poses for the character's effectors; with a `model`, more like that pose. Everybody else stays.

    They start at poses of the document's clips, those with the nearest effectors first, at postures the program makes,
    and at random draws. cancelled: asked now and then; ends the search.
    """
    asked = problem_of(character, surroundings=solid_surroundings(document, character))
    problem = with_square_hands(asked, character, props_of(document), character.pose, 1.0)
    solver = usable_solver(character.solver, problem).solver
    bases = base_poses(document, character)
    if model is not None:
        bases = poses_like(problem.skeleton, model, bases[:MODELS])
    return variations(
        problem, solver, bases, character.pose, model=model, cancelled=cancelled, options=character.solver_options,
        ties=ties_in(document, character),
    )  # fmt: skip


def base_poses(document: Document, character: Character) -> list[Pose]:
    """Poses to start from, taken from each source in turn."""
    skeleton = skeleton_of(character)
    clips = list(_of_clips(document, len(skeleton)))
    nearest = _nearest(skeleton, clips, character.effectors)
    spread = [clips[i] for i in pick_different(clips, nearest, SPREAD)]
    turns = zip_longest(nearest, spread, postures(skeleton), random_poses(skeleton, DRAWN))
    return [pose for pose in chain.from_iterable(turns) if pose is not None]


def _of_clips(document: Document, joints: int) -> Iterator[Pose]:
    for actor in document.actors:
        for key in actor.clip.keys:
            yield from (pose for pose in (key.pose, key.base_pose) if len(pose.rotations) == joints)
        source = actor.clip.source
        if source is not None and source.motion.rotations.shape[1] == joints:
            count = len(source.motion)
            for frame in np.unique(np.linspace(0, count - 1, min(count, FRAMES)).round().astype(int)):
                yield source.motion.pose(int(frame))


def _nearest(skeleton: Skeleton, poses: Sequence[Pose], effectors: Sequence[Effector]) -> list[Pose]:
    """The poses that have the effectors' joints most nearly as they are asked for, no two alike."""
    points = [e for e in effectors if e.is_active and isinstance(e, PointEffector)]
    if len(points) < 2 or not poses:
        return []

    def far(pose: Pose) -> float:
        joints = forward_kinematics(skeleton, placed(skeleton, pose, points))
        return sum(float(np.linalg.norm(e.held_at(skeleton, joints) - e.target)) for e in points)

    ranked = sorted(poses, key=far)[: 2 * NEAREST]
    return [ranked[i] for i in sorted(pick_different(ranked, [], NEAREST))]
