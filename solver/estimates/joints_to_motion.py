"""From joints' places to a motion of our body: frame after frame, by the photo's fit, with the joints as marks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import cast

import numpy as np
from numpy.typing import NDArray

from solver.body.body import SHAPE_COMPONENTS, Body, BodyShape
from solver.body.bone_lengths import Lengths, bone_lengths
from solver.errors import InputRefused
from solver.estimates.joint_films import JointFilm
from solver.formats.motion_report import MotionReport
from solver.formats.smpl.motion import mid_hips
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.memoise import memoised
from solver.photo.fit.evidence import BodyPoints, Evidence, visible_points
from solver.photo.fit.fit import fit_person
from solver.photo.fit.least_squares import Fit, Weights, minimise
from solver.rig.roles import ARMS, LEGS, SMPL_ROLES, Limb, Role

Array = NDArray[np.float64]
Progress = Callable[[float, str], None]
# BlazePose's numbers of the joints, by which the fit finds its start; of head and hands only that needs more.
_MARKS = {
    Role.LEFT_SHOULDER: 11, Role.RIGHT_SHOULDER: 12, Role.LEFT_ELBOW: 13, Role.RIGHT_ELBOW: 14, Role.LEFT_WRIST: 15,
    Role.RIGHT_WRIST: 16, Role.LEFT_HIP: 23, Role.RIGHT_HIP: 24, Role.LEFT_KNEE: 25, Role.RIGHT_KNEE: 26,
    Role.LEFT_ANKLE: 27, Role.RIGHT_ANKLE: 28, Role.LEFT_FOOT: 31, Role.RIGHT_FOOT: 32, Role.HEAD: 0,
}  # fmt: skip
_HEAD_HALF, _HAND = 0.08, 0.3  # metres to an ear; share of the forearm to the knuckles
# Places are trusted to some millimetres; neither floor nor view counts, as there is no camera.
_CLOSE = Weights(pixel=0.05, lateral=0.006, depth=0.006, shape=0.05, floor=5.0, below=5.0, inside=0.1, turn=0.002,
                 limit=0.1)  # fmt: skip
_STEPS = 12
_FAR, _FOCAL = 5.0, 1000.0  # metres and pixels of the camera that the fit wants
_LOST = 0.03  # metres by which a joint may be off until the fit begins anew
_STILL = 1e-4  # metres: a pelvis that moves less over a whole film has been put to one place
_SHORTEST = 1e-6
_NO_LENGTH = 1e-3  # of the legs' length, below which a bone has no direction


@dataclass(frozen=True, eq=False)
class _Goals:
    """Where the joints of a body of some shape should be, frame by frame. at: (T, 3) about the middle of the hips."""

    body: Body
    shape: BodyShape
    points: BodyPoints
    at: Mapping[Role, Array]

    @classmethod
    def of(cls, body: Body, shape: BodyShape, points: BodyPoints, film: Mapping[Role, Array], leg: float) -> _Goals:
        """Of a film's joints, whose legs have that length."""
        rest = body.skeleton(shape).rest_positions.astype(np.float64)
        own = dict(zip(SMPL_ROLES, rest, strict=True))
        return cls(body, shape, points, _at_own_lengths(film, own, body.rig(shape).leg_length / leg))

    def seen(self, frame: int) -> Evidence:
        """What a camera would see of them."""
        return _seen({role: place[frame] for role, place in self.at.items()}, self.points)

    def fit_from(self, frame: int, start: Fit) -> Fit:
        """The nearest pose from another one."""
        return minimise(self.body, self.seen(frame), start, _CLOSE, _STEPS, self.shape)

    def worst(self, frame: int, fit: Fit) -> float:
        """How far off the joint is, metres, that is off the most."""
        skeleton = self.body.skeleton(self.shape)
        there = forward_kinematics(skeleton, _pose(-fit.rotations[0] @ mid_hips(skeleton), fit.rotations)).positions
        off = np.linalg.norm(there[self.points.joint] - self.seen(frame).world, axis=1)
        return float(off[self.points.trust > 0].max())


def film_lengths(film: JointFilm) -> Lengths:
    """The lengths of the bones, in metres by the unit that makes legs a person's."""
    middle = film.places[:: max(1, len(film.places) // 100)]
    found = [bone_lengths(dict(zip(map(str, film.roles), frame, strict=True))) for frame in middle]
    lengths = {pair: float(np.median([one[pair] for one in found])) for pair in found[0]}
    unit = float(10.0 ** -np.clip(np.round(np.log10(max(_leg(film), _SHORTEST) / 0.8)), -1, 3))
    return {pair: unit * length for pair, length in lengths.items() if length > _SHORTEST}


def film_to_motion(
    film: JointFilm, body: Body, shape: BodyShape, progress: Progress | None = None
) -> tuple[Motion, MotionReport]:
    """The film on a body of that shape and size, and what was understood; each frame on the floor if its pelvis was put
    to one place. InputRefused for legs without length. progress: share and text."""
    leg = _leg(film)
    if leg <= _SHORTEST:
        raise InputRefused(film.source, "has legs without length", "Save its joints again")
    at = {role: film.places[:, i] for i, role in enumerate(film.roles)}
    _check_limbs(film, at)
    points = _points(cast(Hashable, body), film.roles)
    goals, mean = (_Goals.of(body, of, points, at, leg) for of in (shape, BodyShape()))
    skeleton, scale = body.skeleton(shape), body.rig(shape).leg_length / leg
    fits: list[Fit] = []
    for frame in range(len(film.places)):
        if progress and frame % 20 == 0:
            progress(frame / len(film.places), f"Posing frame {frame + 1} of {len(film.places)}")
        fits.append(_fitted(goals, mean, frame, fits[-1:]))
    for frame in range(len(fits) - 2, -1, -1):  # what was lost may be found from the frame after it
        if goals.worst(frame, fits[frame]) > _LOST:
            fits[frame] = _fitted(goals, mean, frame, [fits[frame + 1]], fits[frame])
    hips = scale * _middle(at, LEGS)
    turns = np.stack([fit.rotations for fit in fits])
    roots = hips - turns[:, 0] @ mid_hips(skeleton)
    if len(hips) > 1 and np.ptp(scale * at[Role.PELVIS], axis=0).max() < _STILL:
        for root, turned in zip(roots, turns, strict=True):
            root[1] -= forward_kinematics(skeleton, _pose(root, turned)).positions[:, 1].min()
    report = MotionReport(f"{len(film.roles)} joints", "its own", scale, film.up, len(hips), film.fps, notes=film.notes)
    return Motion(roots.astype(np.float32), turns.astype(np.float32), film.fps), report


def _middle(at: Mapping[Role, Array], limbs: tuple[Limb, ...]) -> Array:
    """Between the roots of both: shoulders or hips."""
    return np.asarray((at[limbs[0].root] + at[limbs[1].root]) / 2)


def _at_own_lengths(at: Mapping[Role, Array], rest: Mapping[Role, Array], scale: float) -> dict[Role, Array]:
    """Where the joints would be, about the middle of the hips, if limbs pointed as in the film and were as long as at
    rest in another skeleton; trunk and head `scale` times as large. Places (T, 3); rest (3,)."""
    trunk = scale * (_middle(at, ARMS) - _middle(at, LEGS))
    goals = {Role.HEAD: scale * (at[Role.HEAD] - _middle(at, LEGS))}
    for limbs, start in ((LEGS, np.zeros_like(trunk)), (ARMS, trunk)):
        left, right = (limb.root for limb in limbs)
        across = scale * (at[left] - at[right]) / 2
        goals |= {left: start + across, right: start - across}
        for limb in limbs:
            for above, below in pairwise((*limb.line, *((limb.tip,) if limb.tip in at else ()))):
                goals[below] = goals[above] + _as_long(at[below] - at[above], rest[below] - rest[above])
    return goals


def _as_long(vectors: Array, own: Array) -> Array:
    """(T, 3) vectors whose median length is that of `own`."""
    usual = float(np.median(np.linalg.norm(vectors, axis=1)))
    return vectors * (float(np.linalg.norm(own)) / max(usual, _SHORTEST))


def _check_limbs(film: JointFilm, at: Mapping[Role, Array]) -> None:
    """InputRefused where a limb has no direction."""
    for limb in (*ARMS, *LEGS):
        for above, below in pairwise(limb.line):
            lengths = np.linalg.norm(at[below] - at[above], axis=1)
            if lengths.min() < _NO_LENGTH * _leg(film):
                place = f"frame {int(lengths.argmin()) + 1}"
                raise InputRefused(film.source, "has two joints of a limb at one place", "Leave that frame out", place)


def _pose(root: Array, turns: Array) -> Pose:
    return Pose(root.astype(np.float32), turns.astype(np.float32))


def _leg(film: JointFilm) -> float:
    at = {role: film.places[:, i] for i, role in enumerate(film.roles)}
    bones = [at[b] - at[a] for leg in LEGS for a, b in ((leg.root, leg.hinge), (leg.hinge, leg.end))]
    return float(np.median(np.linalg.norm(bones, axis=-1), axis=1).sum()) / 2


@memoised(4)
def _points(body: Body, roles: tuple[Role, ...]) -> BodyPoints:
    """The joints among the roles, then the ears and knuckles by which the fit begins, without any trust."""
    kept = [role for role in _MARKS if role in roles]
    marks = [*(_MARKS[role] for role in kept), 7, 8, 19, 20]
    joints = [SMPL_ROLES.index(role) for role in (*kept, Role.HEAD, Role.HEAD, *(arm.end for arm in ARMS))]
    offsets = np.zeros((len(joints), 3))
    offsets[-4:, 0] = [_HEAD_HALF, -_HEAD_HALF, _HEAD_HALF, -_HEAD_HALF]
    if not {Role.LEFT_FOOT, Role.RIGHT_FOOT} <= set(roles):
        marks += [31, 32]
        joints += [SMPL_ROLES.index(leg.tip) for leg in LEGS]
        offsets = np.concatenate([offsets, np.zeros((2, 3))])
    carriers = [max(SMPL_PARENTS[j], 0) if i < len(kept) else j for i, j in enumerate(joints)]
    trust = np.array([1.0] * len(kept) + [0.0] * (len(joints) - len(kept)))
    visible = visible_points(body)
    return BodyPoints(
        np.array(marks), np.array(joints), np.array(carriers), offsets, trust,
        visible.contact_joint, visible.contact_offset, visible.contact_share,
    )  # fmt: skip


def _seen(at: dict[Role, Array], points: BodyPoints) -> Evidence:
    """Joints about the middle of the hips, metres, as if a camera saw them from afar."""
    named = {_MARKS[role]: place for role, place in at.items() if role in _MARKS}
    side = at[Role.LEFT_SHOULDER] - at[Role.RIGHT_SHOULDER]
    side = side / max(float(np.linalg.norm(side)), _SHORTEST) * _HEAD_HALF
    named |= {7: named[0] + side, 8: named[0] - side}
    for number, arm in zip((19, 20), ARMS, strict=True):
        named[number] = at[arm.end] + _HAND * (at[arm.end] - at[arm.hinge])
    for number, leg in zip((31, 32), LEGS, strict=True):
        named.setdefault(number, at[leg.end] + np.array([0.0, -0.05, 0.0]) + _forward(at) * 0.13)
    world = np.stack([named[int(mark)] for mark in points.landmark])
    seen = world - [0.0, 0.0, _FAR]
    pixels = _FOCAL * seen[:, :2] / -seen[:, 2:]
    size = max(float(np.linalg.norm(np.ptp(pixels, axis=0))), 1.0)
    return Evidence(points, pixels, world, 0.05 * points.trust + 1e-6, points.trust, size, _FOCAL)


def _forward(at: dict[Role, Array]) -> Array:
    """Where the pelvis faces, a unit vector."""
    way = np.cross(at[Role.LEFT_HIP] - at[Role.RIGHT_HIP], at[Role.LEFT_SHOULDER] + at[Role.RIGHT_SHOULDER])
    return np.asarray(way / max(float(np.linalg.norm(way)), _SHORTEST))


def _fitted(goals: _Goals, mean: _Goals, frame: int, near: list[Fit], so_far: Fit | None = None) -> Fit:
    """The body on the joints of a frame: from the fit of a frame near it, or anew where that leaves a joint far off."""
    tried = [goals.fit_from(frame, fit) for fit in near] + ([so_far] if so_far else [])
    best = min(tried, key=lambda fit: goals.worst(frame, fit), default=None)
    if best is not None and (so_far is not None or goals.worst(frame, best) < _LOST):
        return best
    anew = replace(fit_person(mean.body, mean.seen(frame), _CLOSE), betas=np.zeros(SHAPE_COMPONENTS))
    tried.append(goals.fit_from(frame, anew))
    return min(tried, key=lambda fit: goals.worst(frame, fit))
