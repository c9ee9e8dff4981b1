"""Frames between keys, solved: each is a problem of its own, and all of them are solved so that keys are met as posed.

The solver proposes a pose twice, for a frame's effectors and for the base pose's own: the difference of the two is laid
over the base pose, less of it the further the effectors go, as in a drag. What this misses at the keys is added along a
curve of its own, so that the keys are met as they were posed, and a frame at which nothing is added is its base pose
itself. Then the exact stage brings the effectors home. What it keeps is the base pose as the keys have changed that,
along a curve from key to key: at a key nothing draws the body away from the key's pose, and it goes on from there
without a jump. Over a recorded motion hips lean to there more firmly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.ik.multi_solve.recorded_hips import with_hips_going_on
from solver.ik.multi_solve.steady_elbows import JERK_FRAMES, JERKS, JERKS_BY, with_hands_home, worst_jerk
from solver.ik.options import NO_OPTIONS, Options
from solver.ik.problem import IKProblem
from solver.kinematics.curves import curve_through, rotation_curve_through
from solver.kinematics.knees_ahead import with_knees_ahead
from solver.kinematics.pose import Pose, Poses
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import Skeleton

if TYPE_CHECKING:
    from solver.ik.multi_solve.solve_from_proposal import Ties
    from solver.ik.pipeline.pipeline import Solver  # it imports compiled code

Array = NDArray[np.float64]
Frames = NDArray[np.int64]
Problems = Callable[[Frames], list[IKProblem]]
InStep = Callable[[Sequence[IKProblem], Poses, Poses], Poses]

SMOOTH_S = 0.1  # seconds to each side over which proposals are smoothed
PUSH_S, PUSHED = 0.2, 4.0  # seconds to each side of pushes out of the body, and how far they go, as they get less so
PUSHES, WAITS, TRIED = 10, 2, 3  # of them at most, those in a row that may win nothing, and those that are finished
DEEP_M, DEEP_JERK = 1e-3, 1e5  # metres in the body that may stay; m/s³ that a metre of it counts as


class KeyedLayer(NamedTuple):
    """What keys add to poses beneath. knots: (K,) frames. moved: (K, 3) metres. turned: (K, J, 3, 3), in joints' own
    axes."""

    knots: Frames
    moved: Array
    turned: Array

    @classmethod
    def between(cls, knots: Frames, beneath: Sequence[Pose], wanted: Sequence[Pose]) -> KeyedLayer:
        """What makes of the poses beneath, one at each knot, the ones that are wanted there."""
        below, above = Poses.of(beneath), Poses.of(wanted)
        turned = np.swapaxes(below.rotations, -1, -2).astype(np.float64) @ above.rotations
        return cls(knots, above.roots.astype(np.float64) - below.roots, turned)

    def on(self, poses: Poses, frames: Frames) -> Poses:
        """The poses of some frames with what is added there, along a curve through the knots."""
        roots = poses.roots + curve_through(self.knots, self.moved, frames)
        rotations = poses.rotations @ rotation_curve_through(self.knots, self.turned, frames)
        return Poses(roots.astype(np.float32), rotations.astype(np.float32))


class BetweenKeys:
    """The solve of the frames between some keys: what all of them share.

    problems: gives those of any frames in a row, some of them a little before or after the keys. knots: (K,) frames,
    rising, of the keys and of where they have faded. posed: the pose at each, None where that is the base pose. fps:
    frames a second. recorded: whether base poses are a motion's. ties: what targets go along with; None if they stay.
    in_step: what people who walk make of proposals, from problems and the poses that are kept.
    """

    def __init__(
        self,
        solver: Solver[Any],
        problems: Problems,
        knots: Frames,
        posed: Sequence[Pose | None],
        fps: float,
        options: Options = NO_OPTIONS,
        recorded: bool = False,
        ties: Ties | None = None,
        in_step: InStep | None = None,
    ) -> None:
        # not needed to show the window
        from solver.ik.multi_solve.in_between_standing import Standing, depths_within

        self._solver, self._problems, self._knots, self._options = solver, problems, knots, options
        self._ties, self._recorded, self._fps, self._in_step = ties, recorded, fps, in_step
        self._margin = round(SMOOTH_S * fps) if solver.spec.proposes else 0
        proposed, beneath, asked, shown = [], [], [], []
        for knot, pose in zip(knots, posed, strict=True):
            (problem,), laid = self._layered(np.array([knot]))
            wanted = problem.base_pose if pose is None else pose
            proposed.append(laid.each()[0])
            beneath.append(problem.base_pose)
            asked.append(problem)
            shown.append(wanted)
        self._shown, self._last = list(zip(knots.tolist(), shown, strict=True)), list[tuple[int, Pose]]()
        self._over_proposals = KeyedLayer.between(knots, proposed, shown)
        self._over_base = KeyedLayer.between(knots, beneath, shown)
        self._standing = Standing.of(knots, asked, shown, fps, recorded)
        self._within = depths_within(asked, shown)

    def solved(self, frames: Frames) -> Poses:
        """The solved poses of frames in a row.

        Where they jerk more than the curves of the joints do, an elbow may have turned over: they are solved once more
        about arms whose hands are where they should be, and the smoother of the two is taken, going on from the frames
        that were solved last, if these are just before. A body that may not pass through itself may come out of itself
        on another side at each frame: see `_calmed`. What a network says alone stays as it is.
        """
        from solver.ik.multi_solve.in_between_standing import as_deep_as_keys

        problems, laid = self._layered(frames)
        under = Poses.of([problem.base_pose for problem in problems])
        skeleton = problems[0].skeleton
        proposals = with_knees_ahead(skeleton, self._over_proposals.on(laid, frames), under)
        problems = self._standing.between(problems, frames, self._problems)
        problems = as_deep_as_keys(problems, frames, self._knots, self._within)
        kept = with_knees_ahead(skeleton, self._over_base.on(under, frames), under)
        if self._in_step is not None:
            proposals = self._in_step(problems, kept, proposals)
        found = self._finished(problems, proposals, kept)
        solves = self._solver.spec.exact and not self._solver.shows_proposal_alone(self._options)
        jerk = self._jerk(skeleton, frames, found, self._last)
        if solves and jerk > JERKS * self._jerk(skeleton, frames, kept) + JERKS_BY:
            other = self._finished(problems, with_hands_home(problems, proposals), with_hands_home(problems, kept))
            found = other if self._jerk(skeleton, frames, other, self._last) < jerk else found
            found = self._calmed(problems, frames, found, kept)
        self._last = [*zip(frames.tolist(), found.each(), strict=True)][-JERK_FRAMES:]
        return found

    def _finished(self, problems: Sequence[IKProblem], proposals: Poses, kept: Poses) -> Poses:
        """What the exact stage makes of proposals, with `kept` as base poses."""
        problems = [replace(problem, base_pose=pose) for problem, pose in zip(problems, kept.each(), strict=True)]
        if self._recorded:
            problems = with_hips_going_on(problems)
        if self._ties is None or not any(self._ties.has_self_ties(problem.effectors) for problem in problems):
            return Poses.of(self._solver.finish(problems, proposals.each(), self._options))
        return Poses.of(finish_with_self_ties(self._solver, problems, proposals.each(), self._ties, self._options))

    def _calmed(self, problems: Sequence[IKProblem], frames: Frames, found: Poses, kept: Poses) -> Poses:
        """Jerking frames of a solid body smoothed over time, eased out of the body by pushes that are smooth over time
        as well, and effectors met, if that at least halves the jerk; else as they are."""
        if not any(problem.obstacles is not None and problem.obstacles.avoids_itself for problem in problems):
            return found
        from solver.ik.multi_solve.in_between_standing import as_deep_as

        before = self._jerk(problems[0].skeleton, frames, found, self._last)
        best, least = found, np.inf
        for cost, even in self._eased_out(problems, frames, found, kept):
            if least <= cost:
                break
            calm = self._finished(as_deep_as(problems, even.each()), even, even)
            jerk, deep = self._uneven(problems, frames, calm)
            if jerk < 0.5 * before and jerk + DEEP_JERK * deep.max() < least:
                best, least = calm, jerk + DEEP_JERK * float(deep.max())
        return best

    def _eased_out(
        self, problems: Sequence[IKProblem], frames: Frames, found: Poses, kept: Poses
    ) -> list[tuple[float, Poses]]:
        """Found frames smoothed over time and pushed out of the body ever more, with how much they jerk and are in it,
        the best first. Only frames in which it is within itself are solved for a push."""
        at_keys = [bool((self._knots == beside).any()) for beside in (frames[0] - 1, frames[-1] + 1)]
        ends, least, waited, tried = (at_keys[0], at_keys[1]), np.inf, 0, list[tuple[float, Poses]]()
        even = evened(kept, found, max(round(SMOOTH_S * self._fps), 1), ends)
        for _ in range(PUSHES):
            jerk, deep = self._uneven(problems, frames, even)
            cost = jerk + DEEP_JERK * float(deep.max())
            tried.append((cost, even))
            least, waited = (cost, 0) if cost < least else (least, waited + 1)
            if deep.max() < DEEP_M or waited > WAITS:
                break
            within = np.flatnonzero(deep).tolist()
            inside = Poses(even.roots[within], even.rotations[within])
            roots, rotations = even.roots.copy(), even.rotations.copy()
            roots[within], rotations[within] = self._finished([problems[each] for each in within], inside, inside)
            even = evened(even, Poses(roots, rotations), round(PUSH_S * self._fps), ends, PUSHED)
        return sorted(tried, key=lambda each: each[0])[:TRIED]

    def _uneven(self, problems: Sequence[IKProblem], frames: Frames, poses: Poses) -> tuple[float, Array]:
        """The worst jerk of frames in a row, m/s³, and (N,) metres that the body is within itself in each, beyond what
        its problem allows."""
        from solver.ik.multi_solve.in_between_standing import depths_within

        depths = depths_within(problems, poses.each())
        deep = np.zeros(len(frames)) if depths is None else depths.max(axis=(1, 2))
        return self._jerk(problems[0].skeleton, frames, poses, self._last), deep

    def _jerk(self, skeleton: Skeleton, frames: Frames, poses: Poses, last: Sequence[tuple[int, Pose]] = ()) -> float:
        """The worst jerk of frames in a row, m/s³, the keys next to them included. last: frames that were solved before
        these, and count if they end there."""
        ends = [[shown for knot, shown in self._shown if knot == beside] for beside in (frames[0] - 1, frames[-1] + 1)]
        before = [pose for _, pose in last] if last and last[-1][0] == frames[0] - 1 else ends[0]
        return worst_jerk(skeleton, Poses.of([*before, *poses.each(), *ends[1]]), self._fps)

    def _layered(self, frames: Frames) -> tuple[list[IKProblem], Poses]:
        """The problems of frames in a row, and their proposals laid over the base poses.

        What proposals add is smoothed over a few frames to each side: each proposal is made on its own, and where a
        network puts a limb of which nothing is asked may differ from frame to frame.
        """
        margin = self._margin
        wide = np.concatenate([frames[0] - np.arange(margin, 0, -1), frames, frames[-1] + 1 + np.arange(margin)])
        problems = self._problems(wide)
        under = Poses.of([problem.base_pose for problem in problems])
        own = problems[margin : margin + len(frames)]
        if not self._solver.spec.proposes:
            return own, under
        said = Poses.of(self._solver.propose_over_base(problems, self._options))
        turned = to_rotation_vector(np.swapaxes(under.rotations, -1, -2) @ said.rotations)
        inside = slice(margin, margin + len(frames))
        roots = under.roots[inside] + smoothed(said.roots - under.roots, margin)
        rotations = under.rotations[inside] @ from_rotation_vector(smoothed(turned, margin))
        return own, Poses(roots.astype(np.float32), rotations.astype(np.float32))


def finish_with_self_ties(
    solver: Solver[Any], problems: Sequence[IKProblem], proposals: Sequence[Pose], ties: Ties, options: Options
) -> list[Pose]:
    """As `Solver.finish`, with hands that lie on the body where each frame's body has come to be."""
    from solver.ik.multi_solve.solve_from_proposal import solve_from_proposal

    if not solver.spec.exact or solver.shows_proposal_alone(options):
        return list(proposals)
    asked = [solver.exact_problem(problem) for problem in problems]
    with ThreadPoolExecutor(2) as pool:  # the compiled part runs without Python's lock
        found = pool.map(
            lambda problem, proposal: solve_from_proposal(problem, proposal, ties).refined.pose, asked, proposals
        )
        return list(found)


def smoothed(values: NDArray[np.floating], margin: int) -> Array:
    """(N + 2 margin, ...) values at frames in a row as (N, ...), each a mean of those about it, the near ones first."""
    weights = np.hanning(2 * margin + 3)[1:-1]
    windows = np.lib.stride_tricks.sliding_window_view(values, 2 * margin + 1, axis=0)
    return np.asarray(windows @ (weights / weights.sum()), np.float64)


def evened(
    under: Poses, above: Poses, margin: int, at_keys: tuple[bool, bool] = (True, True), gain: float = 1.0
) -> Poses:
    """Poses in a row with what they are beside those under them smoothed over `margin` frames to each side: each was
    found on its own, and a limb may come round something sooner in one frame than in the next.

    at_keys: whether both are the same just before the first one and just after the last one; else they go on there.
    gain: how many times as far as that they are moved.
    """

    def wide(values: Array) -> Array:
        before, after = (end * (not there) for end, there in zip((values[:1], values[-1:]), at_keys, strict=True))
        return np.concatenate([np.repeat(before, margin, axis=0), values, np.repeat(after, margin, axis=0)])

    moved = wide(above.roots.astype(np.float64) - under.roots)
    turned = wide(to_rotation_vector(np.swapaxes(under.rotations, -1, -2) @ above.rotations).astype(np.float64))
    roots = under.roots + gain * smoothed(moved, margin)
    rotations = under.rotations @ from_rotation_vector(gain * smoothed(turned, margin))
    return Poses(roots.astype(np.float32), rotations.astype(np.float32))
