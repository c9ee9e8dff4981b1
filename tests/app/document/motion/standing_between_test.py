"""How people stand between keys: on the floor, on feet that roll, with hands that stay on what they hold."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from document_samples import only, whole_motion
from motion_samples import strolling, walker

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.over_time.in_betweens import document_completed, missing
from app.document.over_time.tracks import is_held
from app.document.posing.contact_patches import contact_of, patches_of
from app.document.posing.create import new_document
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.posing.tied_groups import answers_of
from app.document.posing.touched_surfaces import skins_of
from solver.body.floor import posed_vertices
from solver.body.hand_presets import preset_hands
from solver.body.hands import skin_with
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position
from solver.effectors.resolve import Context, Figure, resolved
from solver.effectors.sources import FloorSource, JointSource, PropSource, SkinSource
from solver.ik.options import BALANCE, PROPOSAL_ALONE, SOLID_BODY, SOLID_FLOOR
from solver.kinematics.fk import forward_kinematics, forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import geodesic_angle
from solver.kinematics.skeleton import SMPL_JOINTS

IN_FLOOR = -0.005
UP = np.float32([0, 1, 0])
SOLVERS = pytest.mark.parametrize("solver", ["dls", "smplik"])


def solved(document: Document) -> Document:
    """The document with its person solved at the frame looked at, targets on the person included."""
    answer = answers_of((only(document),), {})["c1"]
    return edits.with_solution("c1", answer.solution, answer.effectors)(document)


def moved(document: Document, joint: str, by: tuple[float, float, float]) -> Document:
    """The place asked of a joint moved, and asked strictly; a new one where there is none."""
    if not any(e.joint == joint and isinstance(e, Position) for e in only(document).effectors):
        added = new_effector(only(document), "position", joint, id=joint)
        document = edits.add_effector("c1", added)(document)
    asked = next(e for e in only(document).effectors if e.joint == joint and isinstance(e, Position))
    change = edits.set_target("c1", asked.id, asked.target + np.float32(by))
    return edits.chain(edits.make_strict("c1", [asked.id]), change)(document)


def still(solver: str, frames: int) -> Document:
    """A new person, with keys at the first and the last of some frames."""
    document = edits.set_solver("c1", solver)(edits.set_clip_length("c1", frames)(new_document()))
    return edits.set_key("c1", frames - 1)(document).at_frame("c1", frames - 1)


def shown(document: Document) -> Motion:
    return whole_motion(only(document_completed(document)))


def heights(document: Document, motion: Motion) -> np.ndarray:
    """(F,) metres, of the lowest skin at each frame."""
    person = only(document)
    body, rest = body_of(person), skin_with(body_of(person), person.shape, person.hands)
    poses = (motion.pose(frame) for frame in range(len(motion)))
    return np.array([posed_vertices(body, person.shape, pose, rest=rest)[:, 1].min() for pose in poses])


def places(document: Document, motion: Motion) -> np.ndarray:
    skeleton = skeleton_of(only(document))
    return forward_kinematics_batch(
        skeleton.parents, skeleton.offsets, motion.root_positions, motion.rotations
    ).positions


def jerks(document: Document, motion: Motion) -> np.ndarray:
    """(F - 3,) metres per second cubed, of the joint that jerks most."""
    return np.linalg.norm(np.diff(places(document, motion), 3, axis=0), axis=-1).max(axis=1) * motion.fps**3


@cache
def stepping(solver: str) -> Document:
    """Somebody who crouches with a hand near the floor, and then stands on the ball of the rear foot."""
    document = still(solver, 41)
    document = edits.set_key("c1", 20)(document).at_frame("c1", 20)
    document = solved(moved(moved(document, "pelvis", (0, -0.5, -0.05)), "left_wrist", (0.1, -0.75, 0.35)))
    document = document.at_frame("c1", 40)
    return solved(moved(moved(document, "left_ankle", (0, 0, 0.35)), "right_ankle", (0, 0.06, 0)))


@SOLVERS
def test_between_keys_no_skin_goes_through_the_floor_and_nothing_jerks(solver: str) -> None:
    document = stepping(solver)
    motion = shown(document)
    assert heights(document, motion).min() > IN_FLOOR
    assert jerks(document, motion).max() < 1500


@SOLVERS
def test_a_foot_whose_ankle_rises_from_key_to_key_rolls_onto_its_ball(solver: str) -> None:
    document = solved(moved(still(solver, 21), "right_ankle", (0, 0.1, 0)))
    person, motion = only(document), shown(document)
    skeleton = skeleton_of(person)
    pitches = []
    for frame in range(0, 21, 4):
        turn = forward_kinematics(skeleton, motion.pose(frame)).rotations[skeleton.index("right_ankle")]
        pitches.append(float(np.degrees(np.arctan2(-turn[1, 2], turn[1, 1]))))
    assert (np.diff(pitches) > 1.0).all()
    ball = places(document, motion)[:, skeleton.index("right_foot"), 1]
    assert np.abs(ball - ball[0]).max() < 0.005


def test_over_a_motion_feet_that_keys_leave_alone_stay_as_they_were_recorded() -> None:
    document = edits.set_solver("c1", "dls")(walker()).at_frame("c1", 30)
    document = solved(moved(document, "pelvis", (0, -0.2, 0)))
    source = only(document).clip.source
    assert source is not None
    motion, skeleton = shown(document), skeleton_of(only(document))
    for frame in (20, 25, 35, 40):
        now, before = (forward_kinematics(skeleton, each.pose(frame)) for each in (motion, source.motion))
        for joint in ("left_ankle", "right_ankle"):
            j = skeleton.index(joint)
            assert geodesic_angle(now.rotations[j], before.rotations[j]) < np.radians(3)
    assert jerks(document, motion).max() < 1.01 * jerks(document, source.motion).max()


def sunken(document: Document) -> Document:
    """The walker of a document, with all of the motion 3 cm in the floor and a hand raised at frame 30."""
    walk = strolling()
    document = edits.import_motion("c1", replace(walk, root_positions=walk.root_positions - 0.03 * UP))(document)
    return solved(moved(document.at_frame("c1", 30), "left_wrist", (0, 0.3, 0.1)))


@pytest.mark.slow
def test_a_motion_in_the_floor_comes_out_of_it_little_by_little() -> None:
    document = sunken(edits.set_solver("c1", "dls")(new_document()))
    motion = shown(document)
    low = heights(document, motion)
    first = min(stretch.first for stretch in missing(document.actors[0]))
    assert low[first - 1] < -0.025
    assert np.abs(np.diff(low[first - 1 : 25])).max() < 0.016
    assert low[first + 3 : 30].min() > IN_FLOOR


def test_a_person_standing_below_or_above_keeps_out_of_the_worlds_floor() -> None:
    lowered = edits.move_character("c1", (0, -0.03, 0))(stepping("dls"))
    assert missing(lowered.actors[0]), "the floor is elsewhere for them now"
    low = heights(lowered, shown(lowered))
    assert low[[0, 20, 40]].max() < -0.02, "keys stay as they are"
    assert low[4:16].min() > IN_FLOOR


def test_where_the_floor_is_not_solid_it_holds_nobody_up() -> None:
    document = edits.set_solver_option("c1", SOLID_FLOOR.id, False)(stepping("dls"))
    motion = shown(edits.move_character("c1", (0, -0.03, 0))(document))
    assert heights(document, motion)[10] < -0.02


def test_other_hands_are_solved_anew_where_the_floor_holds_their_skin() -> None:
    document = document_completed(stepping("dls"))
    fists = edits.set_hands("c1", preset_hands("fist", body_of(only(document))))
    assert missing(fists(document).actors[0])
    free = document_completed(edits.set_solver_option("c1", SOLID_FLOOR.id, False)(stepping("dls")))
    assert not missing(fists(free).actors[0])


@pytest.mark.slow
def test_balance_is_the_keys_own_affair() -> None:
    strict = edits.set_solver_option("c1", BALANCE.id, "strict")(stepping("dls"))
    assert shown(strict).pose(30) == shown(stepping("dls")).pose(30)


def held(document: Document, motion: Motion) -> np.ndarray:
    """(F,) metres, how far the worst contact is from its surface, found anew at each frame."""
    person = only(document)
    skeleton, skins = skeleton_of(person), skins_of((person,))
    worst = []
    for frame in range(len(motion)):
        world = forward_kinematics(skeleton, motion.pose(frame))
        context = Context(figures={"c1": Figure(skeleton, world)}, skins=skins)
        contacts = [e for e in person.effectors if isinstance(e, Contact)]
        worst.append(max(resolved(e, context).residual(skeleton, world) for e in contacts))
    return np.array(worst)


def holding(solver: str, hold: str) -> Document:
    """Hands that hold the own body at both of two keys, while hips go down and aside."""
    common = next(each for each in COMMON_HOLDS if each.id == hold)
    document = edits.set_solver("c1", solver)(edits.set_clip_length("c1", 21)(new_document()))
    document = solved(edits.take_hold("c1", common)(document))
    document = edits.set_key("c1", 20)(document).at_frame("c1", 20)
    return solved(moved(document, "pelvis", (0.15, -0.2, 0)))


@pytest.mark.sweep("smplik")
@SOLVERS
def test_hands_on_the_hips_stay_there_while_the_hips_move(solver: str) -> None:
    document = holding(solver, "hips")
    motion = shown(document)
    assert held(document, motion).max() < 1e-3
    assert jerks(document, motion).max() < 200


def test_hands_on_the_body_move_with_the_network_alone_as_it_says() -> None:
    document = edits.set_solver_option("c1", PROPOSAL_ALONE.id, True)(holding("smplik", "hips"))
    assert held(document, shown(document))[10] > 2e-3


@pytest.mark.slow
def test_a_palm_on_the_floor_stays_while_a_motion_goes_on_beneath() -> None:
    document = edits.set_solver("c1", "dls")(walker())
    for frame in (20, 40):
        document = edits.open_hand("c1", "left_palm")(document.at_frame("c1", frame))
        person = only(document)
        at = np.float32([0.25, 0, 1.3])
        contact = replace(contact_of(patches_of(person)["left_palm"], at, UP), source=FloorSource())
        document = moved(edits.hold("c1", contact)(document), "pelvis", (0, -0.6, 0))
        document = solved(document)
    motion = shown(document)
    person, skeleton = only(document), skeleton_of(only(document))
    contact = next(e for e in person.effectors if isinstance(e, Contact))
    off = [contact.residual(skeleton, forward_kinematics(skeleton, motion.pose(frame))) for frame in range(20, 41)]
    assert max(off) < 2e-3


def test_a_contact_that_one_key_has_goes_to_where_the_other_one_has_the_palm() -> None:
    document = still("dls", 21)
    person = only(document)
    at = joints_of(person).positions[SMPL_JOINTS.index("left_wrist")] + np.float32([0, 0.1, 0.35])
    facing = np.float32([0, 0, -1])
    document = solved(edits.hold("c1", contact_of(patches_of(person)["left_palm"], at, facing))(document))
    motion = shown(document)
    turns = forward_kinematics_batch(
        skeleton_of(person).parents, skeleton_of(person).offsets, motion.root_positions, motion.rotations
    ).rotations[:, SMPL_JOINTS.index("left_wrist")]
    assert geodesic_angle(turns[1:], turns[:-1]).max() < np.radians(20)
    assert geodesic_angle(turns[20], turns[0]) > np.radians(30)
    walk = edits.set_solver("c1", "dls")(walker()).at_frame("c1", 30)
    walk = solved(
        edits.hold("c1", contact_of(patches_of(person)["left_palm"], at + np.float32([0, 0, 1]), facing))(walk)
    )
    assert jerks(walk, shown(walk)).max() < 4000


@SOLVERS
def test_a_look_far_aside_is_left_as_softly_as_it_is_posed(solver: str) -> None:
    document = edits.set_solver("c1", solver)(walker()).at_frame("c1", 30)
    person = only(document)
    look = next(e for e in person.effectors if isinstance(e, LookAt))
    aside = joints_of(person).positions[SMPL_JOINTS.index("head")] + np.float32([2.0, 0, -0.6])
    document = edits.chain(edits.make_strict("c1", [look.id]), edits.set_target("c1", look.id, aside))(document)
    document = solved(document)
    assert jerks(document, shown(document)).max() < 1700, "as much as the walk itself has"


def test_a_solid_body_is_solid_between_keys_too() -> None:
    document = edits.set_solver_option("c1", SOLID_BODY.id, True)(still("dls", 21))
    wrist = joints_of(only(document)).positions[SMPL_JOINTS.index("left_wrist")]
    across = np.float32([-0.35, wrist[1], 0.12]) - wrist
    document = solved(moved(document, "left_wrist", tuple(across)))
    free = edits.set_solver_option("c1", SOLID_BODY.id, False)(document)
    apart = places(document, shown(document)) - places(free, shown(free))
    assert np.linalg.norm(apart[5:16], axis=-1).max() > 0.02
    assert jerks(document, shown(document)).max() < 6000


def test_only_one_surface_at_both_keys_is_held() -> None:
    def on(source: object) -> Effector:
        return Position("left_wrist", UP, source=source)  # type: ignore[arg-type]

    same = (
        (FloorSource(), FloorSource()),
        (PropSource("p", UP), PropSource("p", -UP)),
        (SkinSource("c1", 1, UP), SkinSource("c1", 2, UP)),
        (JointSource("c2", "head"), JointSource("c2", "head", UP)),
    )
    other = (
        (FloorSource(), PropSource("p", UP)),
        (PropSource("p", UP), PropSource("q", UP)),
        (SkinSource("c1", 1, UP), SkinSource("c2", 1, UP)),
        (JointSource("c2", "head"), JointSource("c2", "neck")),
        (JointSource("c2", "head"), None),
        (None, None),
    )
    assert all(is_held([on(a), on(b)]) for a, b in same)
    assert not any(is_held([on(a), on(b)]) for a, b in other)
    assert not is_held([on(FloorSource())])
