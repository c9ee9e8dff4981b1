"""Poses to choose from stand as the person would: variations, other solutions and what other solvers say."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest
from document_samples import only

from app.document import edits
from app.document.edits.props import new_prop
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import Entry, poses_of, shelf_of
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, skeleton_of
from app.document.posing import pose_variations
from app.document.posing.create import new_character, new_document
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.posing.pose_variations import variations_of
from app.document.posing.solver_comparison import answer_of
from app.document.posing.solving import other_solution_of
from app.document.posing.sources import ties_in
from app.document.posing.surroundings import asks_the_same, same_surroundings, solid_surroundings
from app.document.posing.tied_groups import answers_of
from app.document.posing.touched_surfaces import skins_of
from app.library import folders
from solver.body.body import BodyShape
from solver.body.floor import posed_vertices
from solver.body.hands import skin_with
from solver.contact.balance import balance
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position, Rotation
from solver.effectors.resolve import Context, Figure, resolved
from solver.effectors.sources import FloorSource, JointSource, PropSource
from solver.ik.memory import Memory
from solver.ik.multi_solve.variations import variations
from solver.ik.options import BALANCE, SOLID_BODY
from solver.ik.solution import IKSolution
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose

SOLVERS = pytest.mark.parametrize("solver", ["dls", "smplik"])
JUMP_M = 0.01
NOBODY = np.zeros(3, np.float32)


def never() -> bool:
    return False


@cache
def standing(solver: str, hold: str = "", balanced: str = "off") -> Document:
    """A new person, solved, who holds on to itself, or is kept in balance."""
    document = edits.set_solver("c1", solver)(new_document())
    document = edits.set_solver_option("c1", BALANCE.id, balanced)(document)
    if hold:
        document = edits.take_hold("c1", next(each for each in COMMON_HOLDS if each.id == hold))(document)
    answer = answers_of((only(document),), {})["c1"]
    return edits.with_solution("c1", answer.solution, answer.effectors)(document)


@cache
def varied(solver: str, hold: str = "", balanced: str = "off") -> tuple[IKSolution, ...]:
    """Variations of them, which take seconds to find: where they hold on to themselves, half as many as are shown."""
    document = standing(solver, hold, balanced)
    with pytest.MonkeyPatch.context() as patch:
        if hold:
            patch.setattr(pose_variations, "variations", partial(variations, count=6))
        return tuple(variations_of(document, only(document), None, never).solutions)


def lowest(person: Character, pose: Pose) -> float:
    body, rest = body_of(person), skin_with(body_of(person), person.shape, person.hands)
    return float(posed_vertices(body, person.shape, pose, rest=rest)[:, 1].min())


def held(person: Character, pose: Pose) -> float:
    """Metres, how far the worst contact is from the skin that it is on, with the body in a pose."""
    skeleton, skins = skeleton_of(person), skins_of((person,))
    world = forward_kinematics(skeleton, pose)
    context = Context(figures={person.id: Figure(skeleton, world)}, skins=skins)
    contacts = [resolved(e, context) for e in person.effectors if isinstance(e, Contact)]
    return max(e.residual(skeleton, world) for e in contacts)


def goes_on(document: Document, solution: IKSolution, memory: Memory) -> float:
    """Metres, how far the joint moves that moves most when a pose that was taken is solved once more."""
    taken = edits.take_solution("c1", solution)(document)
    person = only(taken)
    assert person.pose == solution.pose
    again = answers_of((person,), {"c1": memory})["c1"].solution.pose
    before, after = (forward_kinematics(skeleton_of(person), pose).positions for pose in (solution.pose, again))
    return float(np.linalg.norm(after - before, axis=1).max())


@SOLVERS
def test_every_variation_keeps_out_of_the_floor_and_stays_when_it_was_taken(solver: str) -> None:
    document, found = standing(solver), varied(solver)
    assert len(found) == 12
    assert min(lowest(only(document), one.pose) for one in found) > -0.0015
    assert max(goes_on(document, one, one.memory) for one in found) < JUMP_M


@SOLVERS
def test_every_variation_is_in_balance_where_that_is_strict(solver: str) -> None:
    document, found = standing(solver, balanced="strict"), varied(solver, balanced="strict")
    person = only(document)
    assert len(found) == 12
    skeleton = skeleton_of(person)
    margins = [balance(body_of(person), person.shape, forward_kinematics(skeleton, one.pose)).margin for one in found]
    assert min(margin for margin in margins if margin is not None) > 0.005
    assert max(goes_on(document, one, one.memory) for one in found) < JUMP_M


@pytest.mark.slow
@SOLVERS
@pytest.mark.parametrize(("hold", "within", "jump"), [("hips", 3e-3, JUMP_M), ("crossed", 4e-3, 0.065)])
def test_hands_on_the_own_body_are_on_it_in_every_variation(solver: str, hold: str, within: float, jump: float) -> None:
    document, found = standing(solver, hold), varied(solver, hold)
    assert len(found) == 6
    assert max(held(only(document), one.pose) for one in found) < within
    assert max(goes_on(document, one, one.memory) for one in found) < jump


@pytest.mark.slow
def test_targets_are_on_the_skin_that_was_taken() -> None:
    document, one = standing("dls", "hips"), varied("dls", "hips")[0]
    taken = edits.take_solution("c1", one)(document)
    skeleton = skeleton_of(only(taken))
    world = forward_kinematics(skeleton, one.pose)
    assert max(e.residual(skeleton, world) for e in only(taken).effectors if isinstance(e, Contact)) < 3e-3
    assert asks_the_same(only(taken), only(document)), "it is the same question"


@pytest.mark.sweep("smplik")
@SOLVERS
def test_the_other_solution_holds_on_and_keeps_out_of_the_floor(solver: str) -> None:
    document = standing(solver, "hips")
    person = only(document)
    one = other_solution_of(person, never, ties=ties_in(document, person))
    assert one is not None
    assert held(person, one.pose) < 3e-3
    assert lowest(person, one.pose) > -0.0015
    assert goes_on(document, one, one.memory) < JUMP_M


@pytest.mark.parametrize("solver", ["dls", "smplik", "fabrik"])
def test_what_a_solver_says_in_the_comparison_holds_on_and_stays_when_it_was_taken(solver: str) -> None:
    document = standing("smplik", "hips")
    answer = answer_of(document, only(document), solver, never).solution
    assert answer is not None
    assert lowest(only(document), answer.pose) > -0.0015
    assert held(only(document), answer.pose) < 3e-3
    assert goes_on(edits.set_solver("c1", solver)(document), answer, answer.memory) < JUMP_M


@pytest.mark.slow
def test_poses_to_choose_from_keep_out_of_what_stands_around_a_solid_body() -> None:
    document = edits.set_solver_option("c1", SOLID_BODY.id, True)(standing("dls"))
    person = only(document)
    behind = replace(new_prop(document, "box"), place=np.float32([0, 0, -0.6]), size=np.float32([3, 2, 0.8]))
    walled = edits.add_prop(behind)(document)
    free, kept = (variations_of(each, person, None, never).solutions for each in (document, walled))
    skeleton = skeleton_of(person)
    backs = [
        min(float(forward_kinematics(skeleton, one.pose).positions[:, 2].min()) for one in each)
        for each in (free, kept)
    ]
    assert backs[0] < -0.21
    assert backs[1] > -0.2


@cache
def shipped() -> dict[str, Entry]:
    return {entry.name: entry for entry in shelf_of(folders.shipped_folder()).entries}


@pytest.mark.parametrize(("solver", "most"), [("dls", 0.01), ("smplik", 0.06)])
@pytest.mark.parametrize(
    "name", ["Pray", "Crawl", "Kneel upright", "Recline on one side", "Sword lunge", "Push-up, low"]
)
def test_a_pose_of_the_library_stays_when_it_is_first_solved(name: str, solver: str, most: float) -> None:
    document = edits.set_solver("c1", solver)(new_document())
    person = only(take_pose("c1", poses_of(shipped()[name]), Taking())(document))
    solved = answers_of((person,), {})["c1"].solution.pose
    before, after = (forward_kinematics(skeleton_of(person), pose).positions for pose in (person.pose, solved))
    assert np.linalg.norm(after - before, axis=1).max() < most


def test_a_question_is_the_same_wherever_its_sources_are_and_another_one_for_other_targets() -> None:
    person = only(new_document())
    wrist, floor = Position("left_wrist", NOBODY), Position("left_wrist", NOBODY, source=FloorSource())

    def asking(*effectors: object) -> Character:
        return replace(person, effectors=effectors)  # type: ignore[arg-type]

    aside = np.float32([1, 0, 0])
    assert asks_the_same(asking(floor), asking(replace(floor, target=aside)))
    assert not asks_the_same(asking(wrist), asking(replace(wrist, target=aside)))
    assert not asks_the_same(asking(wrist), asking(wrist, floor))
    assert not asks_the_same(asking(floor), asking(Rotation("left_wrist", np.eye(3), source=FloorSource())))
    assert asks_the_same(asking(wrist, replace(floor, enabled=False)), asking(wrist))


def test_what_is_around_counts_only_for_the_people_it_concerns() -> None:
    document = edits.add_character(new_character(new_document(), "Ben"))(new_document())
    box = new_prop(document, "box")
    document = edits.add_prop(box)(document)
    alone = document.characters[0]
    tied = replace(alone, effectors=(Position("left_wrist", NOBODY, source=JointSource("c2", "head")),))
    on_box = replace(alone, effectors=(Position("left_wrist", NOBODY, source=PropSource(box.id, NOBODY)),))
    solid = replace(alone, solver_options={SOLID_BODY.id: True})
    grown = edits.set_shape("c2", BodyShape(np.float32([2] + [0] * 9)))(document)
    moved = edits.remove_prop(box.id)(document)
    assert same_surroundings(document, document, tied)
    same = [same_surroundings(document, grown, each) for each in (alone, tied, on_box, solid)]
    assert same == [True, False, True, False]
    same = [same_surroundings(document, moved, each) for each in (alone, tied, on_box, solid)]
    assert same == [True, True, False, False]
    assert solid_surroundings(document, solid)
