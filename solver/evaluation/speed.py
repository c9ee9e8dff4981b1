"""What solving costs on this machine: pure functions that measure and return figures."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.floor_points import floor_points
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.ik.exact import refine
from solver.ik.kernel_arrays import joint_model_of
from solver.ik.memory import FRESH, Memory
from solver.ik.pose_prior import natural_pose, pose_prior
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.limits import BEND, KNEES, joint_limits
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import LIMBS, Role
from solver.solvers.catalog import load_solver
from solver.solvers.recovery import recover_effectors

FIVE = (*(limb.end for limb in LIMBS), Role.HEAD)
TWELVE = (*FIVE, Role.PELVIS, Role.SPINE3, *(limb.hinge for limb in LIMBS), Role.NECK)

DRAG_STEP = 0.005  # metres between two mouse moves


@dataclass(frozen=True)
class Figure:
    """The result of `count` runs, in `unit`. aim: what the median should stay below, None without an aim.

    ratio: of the median to the time of a fixed piece of work in the same run, None if that was not measured.
    """

    name: str
    median: float
    p95: float
    count: int
    aim: float | None = None
    unit: str = "ms"
    ratio: float | None = None


def figure(name: str, values: Sequence[float], aim: float | None = None, unit: str = "ms") -> Figure:
    """Median and 95th percentile of measured values."""
    return Figure(name, float(np.median(values)), float(np.percentile(values, 95)), len(values), aim, unit)


def timing(name: str, times_s: Sequence[float], aim_ms: float | None = None) -> Figure:
    """Median and 95th percentile of measured seconds, in milliseconds."""
    return figure(name, [1e3 * seconds for seconds in times_s], aim_ms)


def random_poses(skeleton: Skeleton, count: int, seed: int = 0) -> list[Pose]:
    """Poses drawn around the natural one with the spread of motion capture, every joint within its recorded limits."""
    return list(islice(_drawn(skeleton, seed), count))


def takeable_poses(skeleton: Skeleton, count: int, seed: int = 0) -> list[Pose]:
    """As `random_poses`, without those that bend a knee backwards, as recordings do by a few degrees: no solve of a
    still pose bends one so."""
    limits, least = joint_limits(skeleton.names), joint_model_of(skeleton).low[:, BEND]
    knees = [j for j, name in enumerate(skeleton.names) if name in KNEES]

    def is_takeable(pose: Pose) -> bool:
        return bool((limits.coordinates(pose.rotations)[knees, BEND] >= least[knees]).all())

    return list(islice(filter(is_takeable, _drawn(skeleton, seed)), count))


def _drawn(skeleton: Skeleton, seed: int) -> Iterator[Pose]:
    rng, prior, limits = np.random.default_rng(seed), pose_prior(skeleton.names), joint_limits(skeleton.names)
    factors, natural = np.linalg.cholesky(prior.covariance + 1e-8 * np.eye(3)), natural_pose(skeleton)
    while True:
        turns = np.einsum("jik,jk->ji", factors, rng.standard_normal((len(skeleton), 3)))
        rotations = prior.mean @ from_rotation_vector(turns)
        if limits.excess(rotations).max() < 0.1:
            shift = rng.uniform(-0.2, 0.2, 3).astype(np.float32)
            yield Pose(natural.root_position + shift, rotations.astype(np.float32))


def positions_of(skeleton: Skeleton, pose: Pose, joints: Sequence[str]) -> tuple[Position, ...]:
    """Position effectors at where these joints are in `pose`."""
    places = forward_kinematics(skeleton, pose).positions
    return tuple(Position(name, places[skeleton.index(name)]) for name in joints)


def free_problem(skeleton: Skeleton, effectors: Sequence[Effector], base: Pose) -> IKProblem:
    """A problem that preserves nothing of its base pose."""
    return IKProblem.without_masks(skeleton, effectors, base)


def bench_solver(solver_id: str, count: int = 200) -> list[Figure]:
    """Cold from the rest pose and while dragging, with 5 and 12 position effectors."""
    solver = load_solver(solver_id)
    skeleton = load_body("anny").skeleton(BodyShape())
    poses = random_poses(skeleton, count)
    solver.solve(free_problem(skeleton, positions_of(skeleton, poses[0], FIVE), rest_pose(skeleton)))
    figures = []
    for joints, aim in ((FIVE, 1.0), (TWELVE, None)):
        problems = [free_problem(skeleton, positions_of(skeleton, p, joints), rest_pose(skeleton)) for p in poses]
        times = [_seconds(lambda problem=problem: solver.solve(problem)) for problem in problems]  # type: ignore[misc]
        figures.append(timing(f"{solver_id}, {len(joints)} effectors, cold", times, aim))
    for joints, aim in ((FIVE, 0.2), (TWELVE, None)):
        times = []
        memory: Memory = FRESH
        for problem in _drag(skeleton, joints, count):
            started = time.perf_counter()
            memory = solver.solve(problem, memory).memory
            times.append(time.perf_counter() - started)
        figures.append(timing(f"{solver_id}, {len(joints)} effectors, dragging", times[1:], aim))
    return figures


def bench_learned(solver_id: str, count: int = 200) -> list[Figure]:
    """The network alone, the exact stage after it and both together, with 5 and 12 position effectors."""
    solver = load_solver(solver_id)
    skeleton = load_body("anny").skeleton(BodyShape())
    poses, base = random_poses(skeleton, count + 1), natural_pose(skeleton)
    figures = []
    for joints in (FIVE, TWELVE):
        problems = [free_problem(skeleton, positions_of(skeleton, pose, joints), base) for pose in poses]
        times: list[tuple[float, float, float]] = []
        for problem in problems:
            started = time.perf_counter()
            proposal = solver.propose(problem)
            proposed = time.perf_counter()
            refine(problem, proposal)
            refined = time.perf_counter()
            solver.solve(problem)
            times.append((proposed - started, refined - proposed, time.perf_counter() - refined))
        name = f"{solver_id}, {len(joints)} effectors"
        network, exact, whole = zip(*times[1:], strict=True)
        figures += [timing(f"{name}, network alone", network), timing(f"{name}, exact stage", exact)]
        figures.append(timing(f"{name}, whole solve", whole, 3.0))
    return figures


def bench_recovery(solver_id: str = "dls", count: int = 5, aim_ms: float = 300.0) -> Figure:
    """Recovery of 8 effectors from random poses."""
    skeleton = load_body("anny").skeleton(BodyShape())
    poses = random_poses(skeleton, count + 1, seed=1)
    times = [
        _seconds(lambda pose=pose: recover_effectors(skeleton, BodyShape(), pose, solver_id, threshold_m=0.0))  # type: ignore[misc]
        for pose in poses
    ]
    return timing(f"{solver_id}, recovery of 8 effectors", times[1:], aim_ms)


def bench_dls() -> list[Figure]:
    """All figures of the classical solver."""
    return [*bench_solver("dls"), *bench_floor("dls", 1.5), bench_recovery("dls")]


def bench_smplik() -> list[Figure]:
    """All figures of the learned solver. Raises InputRefused if its weights cannot be used."""
    return [*bench_learned("smplik"), *bench_floor("smplik", 1.5), bench_recovery("smplik", aim_ms=200.0)]


def _drag(skeleton: Skeleton, joints: Sequence[str], count: int) -> Iterator[IKProblem]:
    base = natural_pose(skeleton)
    effectors = positions_of(skeleton, base, joints)
    direction = np.array([0.3, 0.8, 0.5], np.float32)
    for i in range(count):
        way = DRAG_STEP * (50 - abs(i % 100 - 50))
        moved = replace(effectors[0], target=effectors[0].target + way * direction)
        yield free_problem(skeleton, (moved, *effectors[1:]), base)


def bench_floor(solver_id: str, aim_ms: float, count: int = 200) -> list[Figure]:
    """The whole solve of 12 position effectors, for poses whose lowest skin is on a solid floor, without memory.

    First poses that can be taken; then, without an aim, all that are drawn, of which a third bend a knee backwards.
    """
    skeleton, name = load_body("anny").skeleton(BodyShape()), f"{solver_id}, 12 effectors, on a solid floor"
    takeable, every = takeable_poses(skeleton, count + 1), random_poses(skeleton, count + 1)
    return [
        timing(name, _floor_times(solver_id, takeable)[1:], aim_ms),
        timing(f"{name}, any knees", _floor_times(solver_id, every)[1:]),
    ]


def _floor_times(solver_id: str, poses: Sequence[Pose]) -> list[float]:
    solver, body, shape = load_solver(solver_id), load_body("anny"), BodyShape()
    skeleton, floor = body.skeleton(shape), floor_points(body, shape)
    base, times = natural_pose(skeleton), []
    for pose in poses:
        lift = -floor.lowest(forward_kinematics(skeleton, pose))
        lying = replace(pose, root_position=pose.root_position + np.array([0.0, lift, 0.0], np.float32))
        problem = replace(free_problem(skeleton, positions_of(skeleton, lying, TWELVE), base), floor=floor)
        times.append(_seconds(lambda problem=problem: solver.solve(problem)))  # type: ignore[misc]
    return times


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
