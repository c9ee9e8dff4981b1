"""How far somebody drawn with the skin of a file reaches, whom cameras are to have in view, and which way they face."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.exchange.import_placement import placed_beside_others
from app.document.exchange.open_file import open_file
from app.document.exchange.own.own_reach import drawn_points, own_reach, with_flesh
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, whole_points
from app.document.posing.create import new_document
from app.services.view_state import ViewState
from app.viewport.scene_builder import Look, SceneBuilder
from rendering.shapes.posed_skin import posed_skin
from scripts.rigs.robot import robot_glb


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory) -> Character:
    path = tmp_path_factory.mktemp("mine") / "robot.glb"
    path.write_bytes(robot_glb())
    edit = open_file(path).edit
    assert edit is not None
    return edit(Document()).characters[0]


def test_all_of_the_own_skin_is_within_what_is_said_to_be_drawn(robot: Character) -> None:
    document = edits.add_character(robot)(Document())
    (figure,) = SceneBuilder().build(document, ViewState(handles=False), Look("#ffffff", "#ffffff")).figures
    places = posed_skin(figure)
    for points in (drawn_points(robot), with_flesh(robot, 0.1)):
        assert np.all(points.min(axis=0) <= places.min(axis=0) + 1e-4)
        assert np.all(points.max(axis=0) >= places.max(axis=0) - 1e-4)


def test_somebody_of_ours_or_drawn_as_ours_reaches_no_further_than_the_body(robot: Character) -> None:
    assert robot.own_skin is not None
    ours = replace(robot, own_skin=replace(robot.own_skin, shown=False))
    for person in (*new_document().characters, ours):
        assert len(own_reach(person)) == 0
        np.testing.assert_array_equal(drawn_points(person), whole_points(person))


@pytest.mark.parametrize("turn", [0.0, np.pi], ids=["as people do at rest", "the other way"])
def test_an_avatar_comes_facing_as_those_do_who_are_there(robot: Character, turn: float) -> None:
    (person,) = new_document().characters
    there = edits.place_together([person], (0.0, 0.0, 0.0), turn, whole=True)(new_document())
    come = edits.add_character(replace(robot, id="robot"))
    together = placed_beside_others(come)(there)
    ahead = [joints_of(each).rotations[0][:, 2] for each in together.characters]
    assert ahead[0] @ ahead[1] > 0.9
    assert placed_beside_others(come)(Document()).characters[0].pose == robot.pose, "alone as its file has it"
