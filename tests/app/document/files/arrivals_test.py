"""Who comes into a document from a file: to where there is room, in a body at hand, with a photo it can name."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from document_samples import many_sided, only
from motion_samples import walker
from PIL import Image
from scipy.spatial import cKDTree

from app.document import edits
from app.document.edits import clear_place
from app.document.edits.props import new_prop
from app.document.exchange.export import export_pose_json
from app.document.exchange.import_placement import placed_at, placed_before_photo, placed_beside_others
from app.document.exchange.people import photo_of
from app.document.exchange.pose_exchange import pose_file_edit
from app.document.model.document import Document, Photo
from app.document.model.figure import body_of
from app.document.model.history import Edit
from app.document.posing import placing
from app.document.posing.create import new_document
from app.document.posing.placing import moved, room_beside
from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera
from solver.errors import InputRefused, PoserError
from solver.files.json_checks import parse_json
from solver.kinematics.pose import Pose
from solver.photo.image_file import load_image
from solver.size_limits import FARTHEST_M, MAX_ALL_EFFECTORS, MAX_EFFECTORS

CAMERA = PinholeCamera(np.float32([0.0, 1.0, 4.0]), np.eye(3), 800.0, (320.0, 240.0), (640, 480))


def at_the_edge() -> Document:
    """Somebody who stands where a scene ends: a step further to the side is beyond it."""
    document = new_document()
    person = replace(only(document), effectors=())
    way = FARTHEST_M - 0.1 - abs(float(person.pose.root_position[0]))
    return edits.move_character("c1", (way, 0.0, 0.0))(document.with_character(person))


def arriving(document: Document) -> Edit:
    """The edit that adds the document's one person."""
    return edits.add_character(replace(only(document), id="newcomer", name="Ann"))


@pytest.mark.parametrize("stranger", [new_document, walker], ids=["standing", "walking"])
def test_a_person_who_would_stand_beyond_the_end_of_a_scene_is_refused_by_name(stranger: object) -> None:
    newcomer = arriving(stranger())  # type: ignore[operator]
    with pytest.raises(PoserError, match=r"“Ann” cannot be put beside the others.*new scene"):
        placed_beside_others(newcomer)(at_the_edge())


def test_where_all_is_full_somebody_arrives_where_the_first_of_the_others_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(placing, "_STEPS", [step for step in placing._STEPS if np.linalg.norm(step) < 8.0])
    across = np.arange(-12.0, 12.0, 0.8)
    crowd = np.stack(np.meshgrid(across, across), axis=-1).reshape(-1, 2)
    crowd = crowd[np.argsort(np.linalg.norm(crowd, axis=1))]
    near, far = np.zeros((1, 2)), np.array([[500.0, 500.0]])
    assert room_beside([crowd], near) == (0.0, 0.0)
    assert far[0] + room_beside([crowd], far) == pytest.approx(crowd[0])


def inside(document: Document, id: str) -> float:
    """Metres by which the nearest prop is clear of somebody's skin; negative where it is in it."""
    person = document.character(id)
    skin = posed_vertices(body_of(person), person.shape, person.pose).astype(np.float64)
    solids = [solid for prop in document.props for solid in prop.solids()]
    return min(float(solid.distances(skin).min()) for solid in solids)


@pytest.mark.parametrize("landing", [False, True], ids=["opened", "dropped"])
@pytest.mark.parametrize("ids", [["a"], ["a", "b"]], ids=["one", "two"])
def test_nobody_arrives_in_a_prop(ids: list[str], landing: bool) -> None:
    def come(document: Document) -> Document:
        for place, id in enumerate(ids):
            person = moved(replace(only(new_document()), id=id, name=id), (1.2 * place, 0.0, 0.0))
            document = edits.add_character(person)(document)
        return document

    def arrived(document: Document) -> Document:
        return (placed_at(come, (3.0, 0.0, 0.5)) if landing else placed_beside_others(come))(document)

    before = new_document()
    free = arrived(before)
    for id in ids:  # something large stands where each would come
        x, _, z = free.character(id).pose.root_position
        box = replace(new_prop(before, "box"), size=np.array([0.6, 1.0, 0.6]), place=np.array([x, 0.0, z]))
        before = edits.add_prop(box)(before)
    assert min(inside(edits.chain(*map(edits.add_prop, before.props))(free), id) for id in ids) < 0.0
    after = arrived(before)
    assert all(inside(after, id) > 0.0 for id in ids)
    roots = [[document.character(id).pose.root_position for id in ids] for document in (free, after)]
    assert np.ptp(np.subtract(*roots), axis=0) == pytest.approx(0.0, abs=1e-5), "they keep together"
    assert np.linalg.norm(np.subtract(*roots)[0]) < 2.0, "and near"


def test_a_prop_elsewhere_moves_nobody_who_is_dropped() -> None:
    def come(document: Document) -> Document:
        for place, id in enumerate("ab"):
            person = moved(replace(only(new_document()), id=id, name=id), (1.2 * place, 0.0, 0.0))
            document = edits.add_character(person)(document)
        return document

    free = new_document()
    beside = edits.add_prop(replace(new_prop(free, "box"), place=np.array([6.0, 0.0, 0.0])))(free)
    middle_on_somebody = placed_at(come, only(free).pose.root_position * [1, 0, 1] + [0.6, 0.0, 0.0])
    assert middle_on_somebody(beside).characters == middle_on_somebody(free).characters


def test_where_everything_is_full_of_a_prop_people_arrive_where_they_would(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clear_place, "FAR_M", 2.5)
    document = new_document()
    hill = replace(new_prop(document, "box"), size=np.array([30.0, 1.0, 30.0]))
    free, full = (
        placed_beside_others(arriving(new_document()))(each) for each in (document, edits.add_prop(hill)(document))
    )
    assert full.character("newcomer") == free.character("newcomer")


def test_all_people_of_a_scene_have_no_more_effectors_than_a_file_may() -> None:
    person = only(new_document())
    wrist = person.effectors[0]
    crowded = replace(person, effectors=tuple(replace(wrist, id=f"e{n}") for n in range(MAX_EFFECTORS)))
    most = MAX_ALL_EFFECTORS // MAX_EFFECTORS
    full = Document().with_characters(replace(crowded, id=f"c{n}") for n in range(most))
    assert len(full.actors) == most
    with pytest.raises(PoserError, match=f"{MAX_ALL_EFFECTORS:,} effectors"):
        edits.add_character(replace(person, id="one more"))(full)


@pytest.mark.parametrize("wanted", ["smpl:/somebody/elses/folder", "tomorrows"], ids=["not to be read", "unknown"])
def test_a_person_whose_body_is_not_to_be_had_comes_in_the_one_at_hand(wanted: str, tmp_path: Path) -> None:
    path = export_pose_json(tmp_path / "ann.json", new_document())
    text = path.read_text(encoding="utf-8")
    assert '"anny"' in text
    path.write_text(text.replace('"anny"', f'"{wanted}"'), encoding="utf-8")
    after = pose_file_edit(parse_json(path.read_text(encoding="utf-8"), path), path, None)(Document())
    assert only(after).body == "anny"
    pose = only(new_document()).pose
    assert only(after).pose.root_position == pytest.approx(pose.root_position)
    assert only(after).pose.rotations == pytest.approx(pose.rotations, abs=1e-6)


@pytest.mark.skipif(os.name != "posix", reason="names of bytes as on Unix")
def test_a_photo_whose_name_a_scene_could_not_hold_is_refused_with_what_to_do(tmp_path: Path) -> None:
    good, bad = tmp_path / "team.png", tmp_path / os.fsdecode(b"team\xff.png")
    try:
        for path in (good, bad):
            Image.new("RGB", (64, 48), "grey").save(path)
    except OSError:
        pytest.skip("this file system takes no such name")
    photo = photo_of(load_image(good), CAMERA)
    assert (photo.path, photo.camera) == (str(good), CAMERA)
    with pytest.raises(InputRefused, match=r"not UTF-8.*Rename it"):
        photo_of(load_image(bad), CAMERA)


def test_of_a_document_with_everything_nothing_is_lost_on_the_way_in() -> None:
    document = many_sided()
    stranger = replace(only(document), id="newcomer")
    after = placed_beside_others(edits.add_character(stranger))(document)
    arrived = after.character("newcomer")
    assert [e.source for e in arrived.effectors] == [e.source for e in stranger.effectors]
    assert arrived.clip.source is stranger.clip.source
    assert len(arrived.clip.keys) == len(stranger.clip.keys)


def test_a_photo_that_comes_along_is_put_behind_the_scene_and_without_one_nothing_changes_there() -> None:
    first, second = (Photo(name, digit * 64, CAMERA) for name, digit in (("first.png", "1"), ("second.png", "2")))
    scene = edits.set_photo(first)(new_document())
    assert placed_before_photo(edits.add_photo(second))(scene).photos == (second, first)
    newcomer = arriving(new_document())
    assert placed_before_photo(newcomer)(scene) == newcomer(scene)


@pytest.mark.parametrize("landing", [False, True], ids=["opened", "dropped"])
def test_people_who_arrive_together_are_clear_of_somebody_heavy_with_the_arms_out(landing: bool) -> None:
    document = new_document()
    person = only(document)
    heavy = next(preset for preset in edits.presets_for(person) if preset.name == "Heavy")
    document = edits.take_preset(person, heavy)(document)
    wide = replace(
        only(document), pose=Pose(person.pose.root_position, np.tile(np.eye(3, dtype=np.float32), (24, 1, 1)))
    )
    document = document.with_character(wide)

    def come(before: Document) -> Document:
        for id in ("a", "b"):
            there = moved(replace(wide, id=id, name=id), (0.0, 0.0, 1.2 * (id == "b")))
            before = edits.add_character(there)(before)
        return before

    place = placed_at(come, (0.4, 0.0, 0.5)) if landing else placed_beside_others(come)
    after = place(document)
    skins = {c.id: posed_vertices(body_of(c), c.shape, c.pose) for c in after.characters}
    for id in ("a", "b"):
        gap = np.min(cKDTree(skins["c1"]).query(skins[id])[0])
        assert gap > 0.05
    apart = after.character("b").pose.root_position - after.character("a").pose.root_position
    assert apart == pytest.approx([0.0, 0.0, 1.2], abs=1e-4)
