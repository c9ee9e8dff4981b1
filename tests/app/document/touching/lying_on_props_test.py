"""Props that people lie on, or may not pass through: who is in whose way, who is solved again, who is let go of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.cli.main import main
from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.clip import Key
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.posing.contact_patches import UP, contact_of, patches_of
from app.document.posing.create import new_document
from app.document.posing.sources import with_resolved_targets
from app.document.posing.surroundings import obstacles_of, solid_surroundings
from app.document.scene_file.io import load_scene, save_scene
from app.services.solve_requests import props_by_id, slots_to_solve
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.effectors.sources import PropSource
from solver.ik.options import SOLID_BODY


@pytest.fixture
def scene() -> Document:
    """A person before a box, on which it is to sit."""
    document = new_document()
    x, _, z = document.characters[0].pose.root_position.tolist()
    box = replace(new_prop(document, "box"), place=np.array([x, 0.0, z - 0.35]))
    document = edits.add_prop(box)(document)
    return edits.hold("c1", contact_on(document, box))(document)


def contact_on(document: Document, box: Prop) -> Contact:
    patch = patches_of(document.characters[0])["seat"]
    top = contact_of(patch, box.frame.points((0.0, 1.0, 0.2)), UP)
    return replace(top, source=PropSource(box.id, np.array([0.0, 0.5, 0.2]), UP))


def held(document: Document) -> Contact:
    (found,) = [e for e in document.characters[0].effectors if isinstance(e, Contact)]
    return found


def solid(document: Document) -> Document:
    return edits.set_solver_option("c1", SOLID_BODY.id, True)(document)


def test_a_solid_body_heeds_visible_props_also_the_one_it_sits_on(scene: Document) -> None:
    ball = new_prop(scene, "ball", (2.0, 0.0, 0.0))
    hidden = replace(new_prop(scene, "box", (3.0, 0.0, 0.0)), id="p9", visible=False)
    scene = edits.chain(edits.add_prop(ball), edits.add_prop(hidden))(scene)
    sat_on = solid_surroundings(scene, scene.characters[0])
    assert (sat_on.props, sat_on.rests) == ((), (scene.props[0],))
    scene = solid(scene)
    surroundings = solid_surroundings(scene, scene.characters[0])
    assert [prop.id for prop in surroundings.props] == [ball.id]
    assert surroundings.rests == sat_on.rests
    obstacles = obstacles_of(scene.characters[0], surroundings)
    assert obstacles is not None
    assert obstacles.things == ball.solids()
    loose = edits.remove_effectors("c1", [held(scene).id])(scene)
    assert len(solid_surroundings(loose, loose.characters[0]).props) == 2


def test_a_contact_goes_where_the_prop_goes(scene: Document) -> None:
    box = scene.props[0]
    assert with_resolved_targets(scene) is scene
    after = edits.chain(edits.move_prop(box.id, (0.5, 0.0, 0.1)), edits.set_prop_size(box.id, (0.5, 0.6, 0.5)))(scene)
    now = held(with_resolved_targets(after))
    assert now.target == pytest.approx(after.props[0].frame.points((0.0, 1.0, 0.2)), abs=1e-5)
    assert now.facing == pytest.approx(UP, abs=1e-6)


def test_only_a_person_lying_on_a_changed_prop_is_solved_again_and_at_every_key(scene: Document) -> None:
    box = scene.props[0]
    actor = scene.actors[0]
    first = actor.clip.keys[0]
    keys = (first, Key(4, first.pose, first.base_pose, first.effectors), Key(8, first.pose, first.base_pose, ()))
    scene = replace(scene, actors=(replace(actor, clip=replace(actor.clip, keys=keys)),))
    assert slots_to_solve(scene, edits.move_prop(box.id, (0.1, 0.0, 0.0))(scene)) == {("c1", 0), ("c1", 4)}
    assert slots_to_solve(scene, edits.set_prop_color(box.id, "#102030")(scene)) == set()
    assert slots_to_solve(scene, edits.add_prop(new_prop(scene, "ball"))(scene)) == set()
    assert set(props_by_id(scene)) == {box.id}
    assert not props_by_id(replace(scene, props=()))


def test_what_lay_on_a_prop_that_is_gone_stays_in_the_air(scene: Document) -> None:
    box = scene.props[0]
    place = Position("left_wrist", UP, id="hand", source=PropSource(box.id, UP))
    after = edits.chain(edits.add_effector("c1", place), edits.remove_prop(box.id))(scene)
    assert held(after) == replace(held(scene), source=None)
    assert after.characters[0].effector("hand").source is None


def test_names_are_those_of_people_and_props(scene: Document) -> None:
    assert scene.names == {"c1": scene.characters[0].name, scene.props[0].id: "Box"}


def test_the_command_line_seats_people_on_props(scene: Document, tmp_path: Path) -> None:
    moved = edits.move_prop(scene.props[0].id, (0.05, 0.05, 0.0))(scene)
    start, end = tmp_path / "start.json", tmp_path / "end.json"
    save_scene(start, solid(moved))
    assert main(["solve", str(start), "-o", str(end), "-q"]) == 0
    after = load_scene(end)
    person, box = after.characters[0], after.props[0]
    contact = next(e for e in person.effectors if isinstance(e, Contact))
    seat = contact.held_at(skeleton_of(person), joints_of(person))
    assert seat == pytest.approx(box.frame.points((0.0, 1.0, 0.2)), abs=2e-3)
