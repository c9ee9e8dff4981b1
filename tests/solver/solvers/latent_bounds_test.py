"""What DragPoser's search holds beside effectors: floor, box, distance; and what counts more than what."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.errors import UnknownName
from solver.ik.memory import FRESH, Memory
from solver.ik.options import PROPOSAL_ALONE, Options
from solver.ik.pipeline.pipeline import Solver
from solver.ik.problem import IKProblem
from solver.ik.solver import ProposalRequest
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.solvers.catalog import (
    BALANCE,
    DRAGPOSER_OPTIONS,
    FEET,
    FLOOR,
    HANDS,
    HANDS_APART,
    ROOM,
    SOLVERS,
    load_solver,
)
from solver.solvers.latent import latent_search
from solver.solvers.latent.bound_kernels import add_bounds, energy_of_bounds
from solver.solvers.latent.bounds import FLESH_OF, Bound, Box, Distance, Floor, above, at_height, rows_of_bounds
from solver.solvers.latent.dragposer import DragPoser, dragposer
from solver.solvers.latent.latent_pose import ROOT, LatentBody
from solver.solvers.latent.shares import shares_of
from tests.solver.ik_samples import body_skeleton, natural

SKELETON = body_skeleton()
BASE = natural()
AT = forward_kinematics(SKELETON, BASE)
ALONE = {PROPOSAL_ALONE.id: True}
INF = float("inf")
HELD_M = 0.01  # bounds pull, so they give a little


@pytest.fixture(scope="module")
def solver() -> Solver:
    return load_solver("dragposer")


def asked(joint: str, *way: float) -> Position:
    return Position(joint, AT.positions[SKELETON.index(joint)] + np.float32(way))


def joints_of(pose: Pose) -> np.ndarray:
    return forward_kinematics(SKELETON, pose).positions[:22]


def solved(solver: Solver, effectors: tuple[Effector, ...], options: Options) -> np.ndarray:
    return joints_of(solver.solve(IKProblem.without_masks(SKELETON, effectors, BASE), FRESH, options).pose)


def apart(positions: np.ndarray) -> float:
    return float(np.linalg.norm(positions[SKELETON.index("left_wrist")] - positions[SKELETON.index("right_wrist")]))


@pytest.mark.parametrize(
    "bounds",
    [
        (Distance("left_wrist", "right_knee", 0.2), Distance("head", "pelvis", 0.7)),
        (Box((-0.1, 1.3, -0.1), (0.1, INF, 0.05), ("head", "left_ankle")),),
        (Floor(0.5),),
        (above("head", "pelvis", 0.5), at_height(("left_foot",), 0.4, 0.1)),
    ],
    ids=["distance", "box", "floor", "where no sensor tells of the pelvis"],
)
def test_the_derivative_of_a_bound_is_that_of_its_energy(bounds: tuple[Bound, ...]) -> None:
    proposer = dragposer()
    free, local, rng = (15, 20), np.array(BASE.rotations, np.float64), np.random.default_rng(1)
    decode = proposer._space.decoder(SKELETON.offsets[:22], exact=True)
    made = LatentBody(SKELETON, decode, np.float64(BASE.root_position), local[0], local, free)
    unknowns = 24 + ROOT + 3 * len(free)
    place = made.start(rng.normal(size=24)).moved(0.1 * rng.normal(size=unknowns))
    rows = rows_of_bounds(SKELETON, bounds)
    body, rates = made.with_derivative(place)
    normal, right = np.zeros((unknowns, unknowns)), np.zeros(unknowns)
    add_bounds(rows, made.tree, body, rates, normal, right)
    assert np.abs(right).max() > 1.0
    found = []
    for step in 1e-5 * np.eye(unknowns):
        ahead, back = (energy_of_bounds(rows, made.posed(place.moved(way))) for way in (step, -step))
        found.append((ahead - back) / 4e-5)
    assert right == pytest.approx(found, rel=1e-3, abs=1e-4 * np.abs(right).max())
    assert (np.linalg.eigvalsh(normal + np.tril(normal, -1).T) > -1e-6 * np.abs(normal).max()).all()


@pytest.mark.slow
def test_no_joint_goes_below_the_floor(solver: Solver) -> None:
    down = (asked("pelvis", 0, -0.45, 0),)
    assert solved(solver, down, ALONE)[:, 1].min() < -0.2, "the whole body sinks where nothing holds it"
    held = solved(solver, down, {**ALONE, FLOOR.id: True})
    assert held[:, 1].min() > 0.0
    for name, flesh in FLESH_OF.items():
        assert held[SKELETON.index(name), 1] > flesh - HELD_M
    assert solved(solver, down, {FLOOR.id: True})[:, 1].min() > -0.1, "the exact stage moves what is missed, no more"


@pytest.mark.slow
def test_the_floor_changes_nothing_above_it(solver: Solver) -> None:
    up = (asked("left_wrist", 0, 0.3, 0.1), asked("left_ankle", 0, 0.3, 0.2), asked("right_ankle", 0, 0.2, 0))
    free = solved(solver, up, ALONE)
    assert free[:, 1].min() > max(FLESH_OF.values())
    assert (free == solved(solver, up, {**ALONE, FLOOR.id: True})).all()


def test_the_body_stays_within_its_room(solver: Solver) -> None:
    reach = (asked("left_wrist", 0.2, 0.5, 0.1),)
    out = {room: np.abs(solved(solver, reach, {**ALONE, ROOM.id: room})[:, [0, 2]] - AT.positions[0, [0, 2]]).max()
           for room in (0.0, 0.4)}  # fmt: skip
    assert out[0.0] > 0.5
    assert out[0.4] < 0.4 + HELD_M


@pytest.mark.parametrize("alone", [True, False])
def test_the_hands_stay_as_far_apart_as_in_the_base_pose(solver: Solver, alone: bool) -> None:
    reach = (asked("left_wrist", 0.2, 0.3, 0.3),)
    options = {PROPOSAL_ALONE.id: alone}
    assert apart(solved(solver, reach, options)) > apart(AT.positions) + 0.2
    held = solved(solver, reach, {**options, HANDS_APART.id: True})
    assert apart(held) == pytest.approx(apart(AT.positions), abs=HELD_M)


def follow(solver: Solver, options: Options, *way: float) -> tuple[np.ndarray, np.ndarray]:
    """Joints at the first and the last frame of a motion: the left wrist goes away from where the base pose has it."""
    found, memory = [], FRESH
    for share in np.linspace(0.0, 1.0, 20):
        effectors = (asked("left_wrist", *(share * np.array(way))), asked("pelvis", 0, 0, 0))
        problem = replace(IKProblem.without_masks(SKELETON, effectors, BASE), step_s=1 / 30)
        solution = solver.solve(problem, memory, {**ALONE, **options})
        memory = solution.memory
        found.append(joints_of(solution.pose))
    return found[0], found[-1]


@pytest.mark.slow
def test_a_motion_keeps_the_hands_as_far_apart_as_in_its_first_frame(solver: Solver) -> None:
    way = (0.1, 0.4, 0.3)
    first, last = follow(solver, {}, *way)
    assert abs(apart(last) - apart(first)) > 0.05
    first, last = follow(solver, {HANDS_APART.id: True}, *way)
    assert apart(last) == pytest.approx(apart(first), abs=HELD_M)


@pytest.mark.slow
def test_a_motion_stays_in_the_room_about_where_it_began(solver: Solver) -> None:
    for room, least, most in ((0.0, 0.55, 1.0), (0.4, 0.3, 0.45)):
        first, last = follow(solver, {ROOM.id: room}, 0.5, 0.3, 0.0)
        assert least < np.abs(last[:, [0, 2]] - first[0, [0, 2]]).max() < most


@pytest.mark.slow
def test_bounds_of_ones_own_are_held_in_every_search() -> None:
    bounds = Distance("left_wrist", "head", 0.3), Box((-INF, 0.6, -INF), (INF,) * 3, ("left_knee",))
    own = DragPoser(dragposer()._weights, bounds=bounds)
    problem = IKProblem.without_masks(SKELETON, (asked("right_wrist", 0, 0.1, 0.1),), BASE)
    at = joints_of(own.propose(ProposalRequest(problem)).pose)
    gap = np.linalg.norm(at[SKELETON.index("left_wrist")] - at[SKELETON.index("head")])
    assert gap == pytest.approx(0.3, abs=HELD_M)
    assert at[SKELETON.index("left_knee"), 1] > 0.6 - HELD_M


def test_a_bound_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="above its high corner"):
        Box((0.0, 1.0, 0.0), (1.0, 0.5, 1.0))
    with pytest.raises(UnknownName, match="third_wrist"):
        rows_of_bounds(SKELETON, [Distance("third_wrist", "head", 0.3)])


def missed(solver: Solver, options: Options) -> tuple[float, float]:
    """Metres and radians by which hips and the pelvis's turn are missed, which contradict each other."""
    turn = Rotation("pelvis", from_rotation_vector([0.0, 0.9, 0.0]).astype(np.float32))
    hips = tuple(asked(name, 0, 0, 0) for name in ("left_hip", "right_hip"))
    problem = IKProblem.without_masks(SKELETON, (turn, *hips), BASE)
    joints = forward_kinematics(SKELETON, solver.solve(problem, FRESH, {**ALONE, **options}).pose)
    place = np.linalg.norm(joints.positions[SKELETON.index("right_hip")] - hips[1].target)
    return float(place), float(geodesic_angle(joints.rotations[0], turn.target))


def test_places_weigh_against_turns_as_one_likes(solver: Solver) -> None:
    places, even, turns = (missed(solver, {BALANCE.id: value}) for value in (-1.0, 0.0, 1.0))
    assert places[0] < even[0] < turns[0]
    assert places[1] > even[1] > turns[1]


@pytest.mark.slow
def test_what_counts_more_is_met_better(solver: Solver) -> None:
    """A hand and a foot are asked to be farther apart than the body is long."""
    apart_from = (asked("left_wrist", 0, 1.6, 0), asked("left_ankle", 0, -0.3, 0))

    def off(options: Options) -> tuple[float, float]:
        at = solved(solver, apart_from, {**ALONE, **options})
        hand, foot = (float(np.linalg.norm(at[SKELETON.index(e.joint)] - e.target)) for e in apart_from)
        return hand, foot

    even, hands, feet = off({}), off({HANDS.id: 4.0}), off({FEET.id: 4.0})
    assert hands[0] < even[0] < feet[0]
    assert feet[1] < even[1] < hands[1]


def test_what_is_asked_of_fingers_and_toes_counts_as_of_hands_and_feet() -> None:
    names = ("left_hand", "right_foot", "left_elbow", "pelvis", "spine2")
    found = shares_of(SKELETON, [asked(name, 0, 0, 0) for name in names], {HANDS.id: 3.0, FEET.id: 0.0})
    assert list(found) == [3.0, pytest.approx(1e-3), 1.0, 1.0, 1.0]


def test_what_is_not_set_changes_nothing(solver: Solver) -> None:
    effectors = (asked("left_wrist", 0.1, 0.3, 0.1), asked("pelvis", 0, -0.1, 0))
    usual = {option.id: option.default for option in DRAGPOSER_OPTIONS}
    assert (solved(solver, effectors, {}) == solved(solver, effectors, usual)).all()
    assert SOLVERS["dragposer"].options == DRAGPOSER_OPTIONS


def test_feet_stay_by_the_floor_where_no_sensor_tells_of_the_pelvis(solver: Solver) -> None:
    """Somebody who wears sensors on head and wrists bends down, and does not sink."""
    memory = FRESH
    for down in np.linspace(0.0, 0.35, 20):
        effectors = tuple(asked(name, 0, -down, 0.3 * down) for name in ("head", "left_wrist", "right_wrist"))
        solution = solver.solve(
            replace(IKProblem.without_masks(SKELETON, effectors, BASE), step_s=1 / 30), memory, ALONE
        )
        memory = solution.memory
    at = joints_of(solution.pose)
    for foot in ("left_ankle", "right_ankle"):
        assert abs(at[SKELETON.index(foot), 1] - FLESH_OF[foot]) < 0.1


@pytest.mark.slow
def test_a_search_that_nothing_mends_does_not_start_again_for_ever(
    solver: Solver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trackers that sink below the floor contradict it for as long as they do."""
    searches: list[int] = []
    memory: Memory = FRESH
    plain = latent_search.search

    def counted(*given: object, **named: object) -> latent_search.SearchResult:
        searches.append(1)
        return plain(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("solver.solvers.latent.dragposer.search", counted)
    six = ("head", "left_wrist", "right_wrist", "pelvis", "left_ankle", "right_ankle")
    for frame in range(50):
        if frame == 35:
            searches.clear()
        effectors = tuple(asked(name, 0, -0.25 * min(frame / 10, 1.0), 0) for name in six)
        problem = replace(IKProblem.without_masks(SKELETON, effectors, BASE), step_s=1 / 30)
        memory = solver.solve(problem, memory, {**ALONE, FLOOR.id: True}).memory
    assert len(searches) == 15
