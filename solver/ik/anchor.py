"""How the pose shown differs from what its solver proposed, and how far effectors have moved since.

An anchor holds that difference for the effectors as they are. Near them the difference is added to a proposal, further
away less and less of it. So a drag begins at the pose that is there (a photo's, a file's), and a drag there and back
leaves no trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT, TURN
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import largest_turn
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.values import FloatArray

FADE_M = 0.3  # metres that an effector moves, after which a third of the difference is left
JUMP = np.radians(10.0)  # more than this, plus `RATE` times how far effectors moved, is a jump
RATE = np.radians(1200.0)  # per metre
TURNS_ROUND = np.radians(200.0)  # per metre: a proposal turns round about the vertical no faster
SMALL_STEP_M = 0.05  # metres that effectors move at most in a step in which nothing has a reason to be thrown
STILL_M = 1e-4  # metres that effectors move, up to which nothing is dragged


@dataclass(frozen=True, eq=False)
class Anchor:
    """A pose shown, seen from what was proposed: root (3,) metres, turns (J, 3) rotation vectors; and where.

    firm: joints whose difference does not fade for as long as a proposal has them as posed.
    """

    effectors: tuple[Effector, ...]
    root: FloatArray
    turns: FloatArray
    firm: frozenset[int] = frozenset()

    def applied_to(
        self, proposed: Pose, effectors: Sequence[Effector], as_posed: Sequence[tuple[Sequence[int], float]] = ()
    ) -> Pose:
        """What was proposed for `effectors`, with as much of the difference as is left there.

        as_posed: joints that it has as posed, and how far it does, 0..1.
        """
        share = self.share_left(effectors)
        left = np.full((len(self.turns), 1), share)
        for line, kept in as_posed:
            if self.firm.issuperset(line):
                left[line] = share + (1.0 - share) * kept
        rotations = proposed.rotations @ from_rotation_vector(left * self.turns)
        return Pose(proposed.root_position + np.float32(share) * self.root, rotations.astype(np.float32))

    def share_left(self, effectors: Sequence[Effector]) -> float:
        """How much of the difference is left at these effectors, from 0 to 1."""
        return float(np.exp(-distance_moved(self.effectors, effectors) / FADE_M))


def anchor(shown: Pose, proposed: Pose, effectors: Sequence[Effector], firm: frozenset[int] = frozenset()) -> Anchor:
    """The anchor at these effectors. firm: joints that both poses have as they were posed."""
    turns = to_rotation_vector(np.swapaxes(proposed.rotations, -1, -2) @ shown.rotations)
    return Anchor(tuple(effectors), shown.root_position - proposed.root_position, turns.astype(np.float32), firm)


def anchor_between(
    start: Anchor | None, end: Anchor | None, share: float, effectors: tuple[Effector, ...]
) -> Anchor | None:
    """The anchor at these effectors that is a share of the way from one to the other; at 1, `end` itself. None is the
    anchor of a pose shown as it was proposed."""
    if share >= 1.0 or (start is None and end is None):
        return end
    left = [
        (np.float32(part * one.share_left(effectors)), one)
        for one, part in ((start, 1.0 - share), (end, share))
        if one is not None
    ]
    root = np.sum([part * one.root for part, one in left], axis=0)
    turns = np.sum([part * one.turns for part, one in left], axis=0)
    firm = _with_firm_turns(turns, start, end, share)
    return Anchor(effectors, np.asarray(root, np.float32), np.asarray(turns, np.float32), firm)


def anchor_toward(
    start: Anchor | None, end: Anchor | None, share: float, there: Sequence[Effector], effectors: tuple[Effector, ...]
) -> Anchor | None:
    """The anchor at `there`, where `end` is, whose difference at these effectors is a share of the way from what is
    left of `start` to what is left of `end`. None is the anchor of a pose shown as it was proposed."""
    if start is end:
        return end
    size = float(np.exp(distance_moved(there, effectors) / FADE_M))
    parts = [
        (np.float32(part), one)
        for one, part in (
            (start, (1.0 - share) * size * start.share_left(effectors) if start is not None else 0.0),
            (end, share),
        )
        if one is not None
    ]
    root = np.sum([part * one.root for part, one in parts], axis=0)
    turns = np.sum([part * one.turns for part, one in parts], axis=0)
    firm = _with_firm_turns(turns, start, end, share)
    return Anchor(tuple(there), np.asarray(root, np.float32), np.asarray(turns, np.float32), firm)


def _with_firm_turns(turns: FloatArray, start: Anchor | None, end: Anchor | None, share: float) -> frozenset[int]:
    """The joints that are firm in both anchors, whose turns are set to a share of the way between them."""
    if start is None or end is None:
        return frozenset()
    firm = start.firm & end.firm
    which = sorted(firm)
    turns[which] = (1.0 - share) * start.turns[which] + share * end.turns[which]
    return firm


def distance_moved(before: Sequence[Effector], after: Sequence[Effector]) -> float:
    """How far the effector that moved most has moved, metres; angles as an arm carries them. New ones count as 0."""
    known, farthest = {effector_key(e): e for e in before if e.is_active}, 0.0
    for now in after:
        then = known.get(effector_key(now)) if now.is_active else None
        if then is not None and then is not now:
            farthest = max(farthest, now.distance_from(then))
    return farthest


def small_step(
    skeleton: Skeleton, before: Sequence[Effector], after: Sequence[Effector], shown: Pose, most_m: float = SMALL_STEP_M
) -> float | None:
    """Metres that effectors move at most from one solve to the next, if that is a small step of a drag; else None.
    most_m: what is no small step any more.

    New effectors move from where the pose shown has them; 0 if a joint is taken hold of and nothing moves. It is no
    small step if nothing changes, if something is let go of or newly held on a surface, if what is held is set down
    elsewhere, or if a new effector is a turn or a look.
    """
    first = _firmly_asked(before)
    known = {key for key, _, _ in first}
    new = [e for e in after if e.is_active and effector_key(e) not in known]
    if not first <= _firmly_asked(after) or any(isinstance(e, Contact) or e.form != POINT for e in new):
        return None
    if distance_moved(before, [e for e in after if isinstance(e, Contact)]) > STILL_M:
        return None
    moved = distance_moved(before, after)
    if new:
        there = effectors_at_pose(skeleton, shown, new)
        moved = max(moved, *(e.distance_from(at) for e, at in zip(new, there, strict=True)))
    if moved <= STILL_M:
        return 0.0 if new and _not_places(before) == _not_places(after) else None
    return moved if moved < most_m else None


def nothing_moves(before: Sequence[Effector], after: Sequence[Effector]) -> bool:
    """Whether nothing new is asked, nor anything elsewhere; what was asked may be asked less firmly, or no more."""
    known = {effector_key(e) for e in before if e.is_active}
    return {effector_key(e) for e in after if e.is_active} <= known and distance_moved(before, after) <= STILL_M


def _not_places(effectors: Sequence[Effector]) -> set[tuple[tuple[str, str, str], bytes]]:
    """What is asked beside places, and with what target."""
    return {(effector_key(e), e.target.tobytes()) for e in effectors if e.is_active and e.form != POINT}


def all_still_pull(before: Sequence[Effector], after: Sequence[Effector]) -> bool:
    """Whether all that pulled before still pulls, so that the body has no reason to fall into another pose."""
    return {effector_key(e) for e in before if e.is_active} <= {effector_key(e) for e in after if e.is_active}


def effector_key(effector: Effector) -> tuple[str, str, str]:
    """What identifies an effector in two problems."""
    return effector.id, effector.joint, effector.kind


def soft_turns(effectors: Iterable[Effector]) -> dict[tuple[str, str, str], Effector]:
    """Those among the effectors that ask for a turn and are not strict, as those of feet that follow from how people
    stand, by `effector_key`."""
    return {effector_key(e): e for e in effectors if e.is_active and e.form == TURN and not e.is_strict}


def effectors_at_pose(skeleton: Skeleton, pose: Pose, effectors: Sequence[Effector]) -> tuple[Effector, ...]:
    """The effectors with their targets where `pose` has them."""
    world = forward_kinematics(skeleton, pose)
    return tuple(effector.at_pose(skeleton, world) for effector in effectors)


def hardly_moved(before: Sequence[Effector], after: Sequence[Effector]) -> bool:
    """Whether the same is asked, of places that are no further than a small step away."""
    return _firmly_asked(after) == _firmly_asked(before) and distance_moved(before, after) < SMALL_STEP_M


def _firmly_asked(effectors: Sequence[Effector]) -> set[tuple[tuple[str, str, str], bool, float]]:
    """What is asked, and how firmly, wherever it is to be."""
    return {(effector_key(e), e.pinned, e.tolerance) for e in effectors if e.is_active}


def jumps(before: Pose, after: Pose, moved_m: float) -> bool:
    """Whether a joint turns more than the effectors' way explains."""
    return largest_turn(before, after) > JUMP + RATE * moved_m


def without_jump(before: Pose, proposed: Pose, moved_m: float) -> Pose:
    """A proposal that goes no further from the one before than the effectors' way explains: itself if it does not,
    turned round less about the vertical if that is all, or else the one before."""
    slower = _turned_less(before, proposed, TURNS_ROUND * moved_m) if moved_m else proposed
    return before if jumps(before, slower, moved_m) else slower


def _turned_less(before: Pose, proposed: Pose, most: float) -> Pose:
    """The proposal turned about the vertical by no more than `most` radians from the one before; itself if it is not.

    Of somebody of whose feet only the places are asked, networks propose to turn right round, which carries hands
    further than any joint turns.
    """
    change = proposed.rotations[0].astype(np.float64) @ before.rotations[0].T
    turn = float(np.arctan2(change[0, 2] - change[2, 0], change[0, 0] + change[2, 2]))
    if abs(turn) <= most:
        return proposed
    back = from_rotation_vector((np.copysign(most, turn) - turn) * np.array([0.0, 1.0, 0.0]))
    rotations = proposed.rotations.copy()
    rotations[0] = back @ rotations[0]
    return Pose(proposed.root_position, rotations)
