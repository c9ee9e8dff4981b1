"""What seldom happens to a document: ids that are taken, arrivals from far away, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from document_samples import given_effectors, random_photo, two_new_people

from app.document import edits
from app.document.edits.props import new_prop
from app.document.exchange.export import export_meshes, export_pose_json, format_of, placed_props
from app.document.exchange.import_placement import added_people, placed_beside_others, placed_in_empty_scene
from app.document.exchange.open_file import LEFT_OUT, open_file
from app.document.exchange.pose_exchange import pose_file_edit
from app.document.exchange.preselection import reasons_to_leave_out
from app.document.exchange.skinned_export import export_skinned
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import History
from app.document.posing.create import new_character, new_document
from app.document.posing.fitting_effectors import new_effector, new_effectors
from app.document.posing.placing import place_of, room_beside
from app.document.posing.solving import can_have_other, is_proposal, residuals_of
from app.document.posing.tied_groups import answers_of, tied_groups
from app.document.scene_file.io import changed_on_disk, load_scene, save_scene
from app.document.scene_file.photo_link import sha256_of
from solver.camera import PinholeCamera
from solver.effectors.kinds import LookAt
from solver.effectors.sources import JointSource
from solver.errors import InputRefused, PoserError, UnknownName
from solver.files.json_checks import parse_json
from solver.ik.residuals import residuals
from solver.kinematics.rotations import from_rotation_vector
from solver.size_limits import MAX_PEOPLE


def photographed(document: Document) -> Document:
    """The document with a photo that was taken from 4 m in front of it and 1.6 m above the floor, looking down."""
    turn = from_rotation_vector(np.array([-0.15, 0.0, 0.0]))
    camera = PinholeCamera(np.float32([0.3, 1.6, 4.0]), turn, 1200.0, (640.0, 480.0), (1280, 960))
    photo = replace(random_photo(np.random.default_rng(0), "/photos/a.jpg"), camera=camera)
    return edits.set_photo(photo)(document)


def test_ids_that_are_taken_are_refused_and_nothing_is_added() -> None:
    document = two_new_people()
    first = document.characters[0]
    with pytest.raises(PoserError, match=first.id):
        edits.add_character(first)(document)
    taken = replace(new_effector(first, "position", "head"), id=first.effectors[0].id)
    with pytest.raises(PoserError, match=taken.id):
        edits.add_effector(first.id, taken)(document)
    with pytest.raises(PoserError):
        edits.add_effector(first.id, replace(taken, id=""))(document)


def test_new_effectors_for_several_joints_have_ids_of_their_own() -> None:
    character = new_document().characters[0]
    made = new_effectors(character, "rotation", ["head", "left_knee", "head"])
    ids = [e.id for e in (*character.effectors, *made)]
    assert len(set(ids)) == len(ids)
    assert [e.joint for e in made] == ["head", "left_knee", "head"]


def test_a_result_that_changes_nothing_is_taken_and_tells_nobody() -> None:
    history = History(new_document())
    told: list[Document] = []
    history.subscribe(told.append)
    before = history.document
    assert history.amend(history.revision, lambda document: document)
    assert (history.document, told) == (before, [])


def test_ties_between_people_make_the_groups() -> None:
    document = two_new_people()
    document = edits.add_character(new_character(document))(document)
    a, b, c = document.characters
    tie = replace(new_effector(a, "position", "left_wrist"), source=JointSource(c.id, "right_wrist"))
    a = replace(a, effectors=(*a.effectors, tie))
    assert [{each.id for each in group} for group in tied_groups((a, b, c))] == [{a.id, c.id}, {b.id}]
    answers = answers_of((a, c), {})
    assert set(answers) == {a.id, c.id}
    alone = answers_of((b,), {})
    assert set(alone) == {b.id}
    assert alone[b.id].effectors == b.effectors


def test_another_pose_is_looked_for_only_where_something_is_asked() -> None:
    document = edits.set_solver("c1", "dls")(new_document())
    character = document.characters[0]
    assert can_have_other(character)
    assert not can_have_other(None)
    assert not can_have_other(replace(character, effectors=()))
    ids = [e.id for e in character.effectors]
    assert not can_have_other(edits.make_loose("c1", ids)(document).characters[0])
    assert not is_proposal(replace(character, solver_options={"raw": True}))


def test_somebody_who_arrives_far_away_is_put_beside_those_who_are_there_with_their_photo() -> None:
    document = photographed(new_document())
    stranger = edits.move_character("c1", (500.0, 0.0, 300.0))(photographed(new_document()))
    photo = stranger.photo
    assert photo is not None

    def arrive(target: Document) -> Document:
        target = edits.add_character(replace(stranger.characters[0], id="c2"))(target)
        return edits.add_photo(photo)(target)

    after = placed_beside_others(arrive)(document)
    (new,) = added_people(document, after)
    way = np.array([*place_of(new)]) - place_of(document.characters[0])
    assert 0.5 < np.linalg.norm(way) < 6.0, "near, but in no picture of the other photo"
    shift = new.pose.root_position - stranger.characters[0].pose.root_position
    assert after.photos[0] == document.photo
    assert after.photos[1].camera.position - photo.camera.position == pytest.approx(shift, abs=1e-3)
    alone = placed_in_empty_scene(arrive)(document)
    assert [c.id for c in alone.characters] == ["c2"]
    assert alone.photos == (photo,)


def test_an_arrival_that_brings_nobody_moves_nothing() -> None:
    document = photographed(two_new_people())
    more = edits.add_photo(random_photo(np.random.default_rng(1), "/photos/b.jpg"))
    assert placed_beside_others(more)(document) == more(document)


@pytest.mark.slow
def test_room_is_found_for_where_a_path_begins_where_the_whole_of_it_fits_nowhere() -> None:
    across = np.stack([np.linspace(-40, 40, 100), np.zeros(100)], axis=1)
    wall = np.stack([np.zeros(101), np.linspace(-60, 60, 101)], axis=1)
    shift = room_beside([wall], across)
    assert np.linalg.norm(wall - (across[0] + shift), axis=1).min() > 0.5
    assert np.linalg.norm(wall[:, None] - (across + shift)[None], axis=-1).min() < 0.9


def test_meshes_are_written_one_for_each_person(tmp_path: Path) -> None:
    document = two_new_people()
    files = export_meshes(tmp_path / "out.obj", document.characters, "obj")
    assert [file.name for file in files] == [f"out_{c.name}.obj" for c in document.characters]
    lines = files[1].read_text().splitlines()
    points = np.array([line.split()[1:4] for line in lines if line.startswith("v ")], dtype=float)
    assert points[:, [0, 2]].mean(axis=0) == pytest.approx(place_of(document.characters[1]), abs=0.1)
    assert points[:, 1].min() == pytest.approx(0.0, abs=0.02)
    with pytest.raises(UnknownName, match="obj"):
        format_of("out.obj", "jpeg2000")


def test_a_person_who_is_unsure_or_small_is_not_chosen_beforehand() -> None:
    large, small = (100.0, 100.0, 500.0, 900.0), (0.0, 0.0, 30.0, 60.0)
    assert reasons_to_leave_out([0.9, 0.5, 0.9], [large, large, small], (1000, 1000)) == ("", "unsure", "small")
    assert reasons_to_leave_out([0.9], [small], (200, 200)) == ("",)
    assert reasons_to_leave_out([0.95], [(500.0, 500.0, 100.0, 100.0)], (1000, 1000)) == ("small",)
    assert reasons_to_leave_out([], [], (10, 10)) == ()


def test_a_scene_holds_no_more_people_than_a_file_may() -> None:
    actor = new_document().actors[0]
    crowd = tuple(replace(actor, identity=replace(actor.identity, id=f"c{n}")) for n in range(MAX_PEOPLE + 1))
    assert len(Document(crowd[:-1]).actors) == MAX_PEOPLE
    with pytest.raises(PoserError, match=str(MAX_PEOPLE)):
        Document(crowd)


def test_whether_a_file_changed_is_told_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    seen_then = save_scene(path, new_document())
    assert not changed_on_disk(path, seen_then)
    assert not changed_on_disk(path, "")
    path.write_text(path.read_text() + "\n")
    assert changed_on_disk(path, seen_then)
    path.unlink()
    assert not changed_on_disk(path, seen_then)
    assert sha256_of(tmp_path) == ""


def test_a_scene_that_could_not_be_opened_again_never_replaces_one_that_can(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    save_scene(path, new_document())
    kept = path.read_bytes()
    photo = replace(random_photo(np.random.default_rng(0), str(tmp_path / "a.jpg")), sha256="not a fingerprint")
    with pytest.raises(InputRefused, match="Nothing was written"):
        save_scene(path, edits.set_photo(photo)(new_document()))
    assert path.read_bytes() == kept


def test_all_photos_are_looked_for_where_the_scene_is_now(tmp_path: Path) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    home.mkdir()
    document = new_document()
    for name in ("a.png", "b.png"):
        (home / name).write_bytes(name.encode())
        photo = random_photo(np.random.default_rng(0), str(home / name))
        document = edits.add_photo(replace(photo, sha256=sha256_of(home / name)))(document)
    save_scene(home / "scene.json", document)
    home.rename(away)
    opened = load_scene(away / "scene.json")
    assert [photo.path for photo in opened.photos] == [str(away / "a.png"), str(away / "b.png")]
    assert edits.set_photo(None)(opened).photos == opened.photos[1:]
    save_scene(away / "scene.json", edits.set_photo(None)(opened))
    assert [Path(photo.path).name for photo in load_scene(away / "scene.json").photos] == ["b.png"]


def test_people_of_a_pose_file_come_in_whole_or_are_refused_by_the_joint_that_is_foreign(tmp_path: Path) -> None:
    path = export_pose_json(tmp_path / "people.json", two_new_people())
    text = path.read_text()
    after = pose_file_edit(parse_json(text, path), path, None)(new_document())
    assert len(after.characters) == 3
    with pytest.raises(InputRefused, match="tail"):
        pose_file_edit(parse_json(text.replace('"left_hand"', '"tail"'), path), path, None)
    with pytest.raises(InputRefused, match="nobody|no people"):
        pose_file_edit(parse_json(json.dumps({**json.loads(text), "people": []}), path), path, None)


def test_people_of_a_pose_file_look_at_each_other_and_not_at_whoever_has_their_id(tmp_path: Path) -> None:
    two = two_new_people()
    first, second = two.characters
    at = joints_of(first).positions[15]
    look = LookAt("head", at, source=JointSource(first.id, "head"), id="look")
    path = export_pose_json(tmp_path / "people.json", given_effectors(second.id, [look])(two))
    there = new_document()
    assert there.characters[0].id == first.id
    after = pose_file_edit(parse_json(path.read_text(), path), path, None)(there)
    _, came, looking = after.characters
    (source,) = (effector.source for effector in looking.effectors)
    assert isinstance(source, JointSource)
    assert (source.character, source.joint) == (came.id, "head")


def test_a_glb_with_a_person_and_a_prop_says_that_the_prop_is_left_out(tmp_path: Path) -> None:
    document = new_document()
    document = edits.add_prop(new_prop(document, "box"))(document)
    (path,) = export_skinned(tmp_path / "both.glb", document.characters, things=placed_props(document))
    assert LEFT_OUT in open_file(path).hint
    (path,) = export_skinned(tmp_path / "alone.glb", document.characters)
    assert open_file(path).hint == ""


def test_how_far_a_network_alone_is_off_is_told_as_it_is() -> None:
    character = edits.set_solver("c1", "smplik")(new_document()).characters[0]
    raw = replace(character, solver_options={"raw": True})
    assert is_proposal(raw)
    measured = residuals_of(raw)
    assert measured == residuals(skeleton_of(raw), raw.pose, raw.effectors)
    assert len(measured) == len(raw.effectors)
