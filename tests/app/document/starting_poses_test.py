"""The poses that come with the program: each can be used, stands on the floor, and bends no joint too far."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import Entry, poses_of, shelf_of
from app.document.model.figure import body_of
from app.document.posing.create import new_document
from scripts.starting_poses.record import FLOOR, ball, flat, hand, hips, one, right_hand
from scripts.starting_poses.solve import BODY, SHAPE, hands_with, solved
from solver.body.floor import lowest_sole_point, posed_vertices
from solver.contact.intersections import Skinned, intersections
from solver.kinematics.limits import joint_limits
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.resources import resource_folder

ROOT = resource_folder("assets", "poses")
SHELF = shelf_of(ROOT)
IN_THE_AIR = 0.5  # metres: nobody jumps or climbs higher


def people(entries: tuple[Entry, ...] = SHELF.entries) -> list[tuple[str, np.ndarray, float]]:
    """Of everybody: the pose's name, the joints' rotations, and how high the lowest point of the skin is."""
    found = []
    for entry in entries:
        for person in poses_of(entry).people:
            skin = posed_vertices(BODY, person.shape, person.pose, only=np.arange(0, len(BODY.weights), 3, np.int32))
            found.append((entry.name, person.pose.rotations, float(skin[:, 1].min())))
    return found


@pytest.fixture(scope="module")
def everybody() -> list[tuple[str, np.ndarray, float]]:
    return people()


def test_there_are_a_hundred_and_each_can_be_found() -> None:
    assert SHELF.trouble == ""
    assert len(SHELF.entries) >= 100
    assert [entry.path.name for entry in SHELF.entries if entry.trouble or not entry.tags or not entry.folder] == []
    assert len({entry.name for entry in SHELF.entries}) == len(SHELF.entries)


@pytest.mark.slow
def test_nobody_is_below_the_floor_and_people_above_it_jump_or_climb(
    everybody: list[tuple[str, np.ndarray, float]],
) -> None:
    assert {name: low for name, _, low in everybody if not -0.001 < low < IN_THE_AIR + 0.01} == {}
    high = {name for name, _, low in everybody if low > 0.01}
    classes = {entry.folder for entry in SHELF.entries if entry.name in high}
    assert classes <= {"Jumping", "Climbing", "Running", "Sitting on a box", "Two people"}


def test_no_joint_is_bent_beyond_its_range(everybody: list[tuple[str, np.ndarray, float]]) -> None:
    limits = joint_limits(SMPL_JOINTS)
    beyond = {name: np.degrees(limits.excess(rotations).max()) for name, rotations, _ in everybody}
    assert {name: degrees for name, degrees in beyond.items() if degrees > 4.0} == {}


def test_files_are_small() -> None:
    sizes = {entry.path.name: entry.path.stat().st_size for entry in SHELF.entries}
    assert {name: size for name, size in sizes.items() if size > 15_000} == {}


def test_two_people_bring_the_second_one_along() -> None:
    hug = next(entry for entry in SHELF.entries if entry.name == "Hug")
    assert hug.people == 2
    after = take_pose("c1", poses_of(hug), Taking())(new_document())
    assert [character.name for character in after.characters] == ["Person 1", "Person 2"]
    assert all(abs(lowest_sole_point(body_of(c), c.shape, c.pose)) < 0.02 for c in after.characters)


def test_a_record_is_solved_onto_the_floor_with_its_hands_where_it_says() -> None:
    found = solved(
        one(
            hips=hips(0, 0.5, -0.1, 30),
            left_foot=flat(0.12, 0.1),
            right_foot=ball(-0.12, -0.2, lift=30),
            right_hand=right_hand(-0.16, FLOOR, 0.4, "ahead", "down"),
            left_hand=hand(0.16, 0.5, 0.3),
        )
    )
    assert found.missed < 0.01
    assert abs(found.floating) < 0.005
    assert posed_vertices(BODY, SHAPE, found.pose)[:, 1].min() == pytest.approx(0.0, abs=1e-5)


def deepest(pose: Pose) -> float:
    """Metres that skin of somebody so posed is in other skin of theirs."""
    ((_, depths),) = intersections([Skinned(BODY, SHAPE, pose, hands_with(("relaxed", "relaxed")))], floor=False)
    return float(depths.max())


def test_a_hand_that_a_record_puts_into_the_belly_stays_out_of_a_solid_body() -> None:
    into = one(hips=hips(0, 0.92, 0), left_foot=flat(0.1, 0), right_foot=flat(-0.1, 0), left_hand=hand(0.05, 1.1, 0.04))
    assert deepest(solved(into).pose) > 0.04
    assert deepest(solved(replace(into, solid=0.008)).pose) < 0.005


@pytest.mark.slow
def test_nobody_in_the_library_is_two_centimetres_within_themselves() -> None:
    people = [(entry.name, person.pose) for entry in SHELF.entries for person in poses_of(entry).people]
    assert {name: deep for name, pose in people if (deep := deepest(pose)) > 0.02} == {}


def test_the_shipped_poses_lie_where_the_program_looks() -> None:
    assert isinstance(ROOT, Path)
    assert (ROOT / "Standing" / "Stand at ease.json").is_file()
