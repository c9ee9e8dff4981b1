"""A figure in front of a picture without people: natural in size, its feet in the lower part, seen from eye height."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from app.document import edits
from app.document.exchange.backdrop import backdrop_edit, behind_edit
from app.document.exchange.import_placement import placed_before_photo, placed_beside_others
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.posing.create import new_character, new_document
from app.document.scene_file.io import load_scene, save_scene
from solver.camera import PinholeCamera
from solver.photo.image_file import load_image


@pytest.mark.parametrize("size", [(640, 480), (480, 640), (1600, 400), (200, 1200)])
@pytest.mark.parametrize("lens", [0.5, 1.2, 4.0])  # focal length by the picture's diagonal: wide, usual, long
def test_the_figure_stands_in_the_middle_with_its_feet_in_the_lower_part(tmp_path, size, lens) -> None:
    Image.new("RGB", size, "grey").save(tmp_path / "wall.png")
    image = load_image(tmp_path / "wall.png")
    document = backdrop_edit(image, lens * float(np.hypot(*size)))(Document())
    (figure,) = document.characters
    assert document.photo is not None
    points = document.photo.camera.project(joints_of(figure).positions) / size
    assert 0.02 < points.min() < points.max() < 0.98, "whole in the picture"
    assert points[0, 0] == pytest.approx(0.5, abs=0.02)
    assert 0.8 < points[:, 1].max() < 0.9
    tall = np.ptp(points[:, 1])
    assert 0.15 < tall < 0.7
    assert tall > 0.55 or size[0] < size[1] / 2
    assert document.photo.camera.position[1] == pytest.approx(1.5)
    save_scene(tmp_path / "s.json", document)
    assert load_scene(tmp_path / "s.json") == document


def test_people_already_there_stay_as_they_are(tmp_path) -> None:
    Image.new("RGB", (64, 48), "grey").save(tmp_path / "wall.png")
    before = new_document()
    after = backdrop_edit(load_image(tmp_path / "wall.png"), 60.0)(before)
    assert after.characters[0] is before.characters[0]
    assert len(after.characters) == 2


def test_a_photo_already_there_stays_where_nobody_is_left_before_it(tmp_path) -> None:
    Image.new("RGB", (64, 48), "grey").save(tmp_path / "wall.png")
    edit = backdrop_edit(load_image(tmp_path / "wall.png"), 60.0)
    (person,) = edit(Document()).characters
    bare = edits.remove_character(person.id)(edit(Document()))
    after = placed_before_photo(placed_beside_others(edit))(bare)
    assert after.photos[1:] == bare.photos, "behind the new one"
    assert len(after.photos) == 2


def placed(x: float, turn: float) -> Document:
    """Somebody x metres to the left of the middle, turned to its left by so many radians."""
    document = new_document()
    (person,) = document.characters
    moved = edits.chain(edits.move_character(person.id, (x, 0.0, 0.3)), edits.turn_character(person.id, turn))
    return moved(document)


@pytest.mark.parametrize("turn", [0.0, 2.0])
def test_behind_a_scene_a_picture_sees_the_people_it_is_about_and_nobody_is_added_or_moved(
    tmp_path, turn: float
) -> None:
    Image.new("RGB", (640, 480), "grey").save(tmp_path / "wall.png")
    before = placed(2.5, turn)
    before = edits.add_character(new_character(before))(before)
    image = load_image(tmp_path / "wall.png")
    for first in ("c1", "c2"):
        after = behind_edit(image, 700.0, first)(before)
        assert after.actors == before.actors
        assert after.photo is not None
        points = after.photo.camera.project(joints_of(after.character(first)).positions) / (640, 480)
        assert 0.02 < points.min() < points.max() < 0.98
        assert points[0, 0] == pytest.approx(0.5, abs=0.02)


def test_a_picture_comes_after_the_photos_that_are_there_and_is_chosen(tmp_path) -> None:
    names = ("one.png", "two.png", "three.png")
    document = new_document()
    for name in names:
        Image.new("RGB", (64, 48), "grey").save(tmp_path / name)
        document = behind_edit(load_image(tmp_path / name), 60.0)(document)
    assert [Path(photo.path).name for photo in document.photos] == ["three.png", "two.png", "one.png"]
    empty = behind_edit(load_image(tmp_path / "one.png"), 60.0)(Document())
    assert empty.characters == ()
    assert empty.photo is not None


def test_the_camera_of_a_photo_alone_sees_the_active_person_as_it_saw_the_surest(tmp_path) -> None:
    Image.new("RGB", (640, 480), "grey").save(tmp_path / "side.png")
    seen, here = placed(-1.0, 2.2).characters[0], placed(3.0, -0.7)
    lens = PinholeCamera(np.float32([1.0, 1.5, 4.0]), np.eye(3, dtype=np.float32), 600.0, (320.0, 240.0), (640, 480))
    result = SimpleNamespace(camera=lens, people=(SimpleNamespace(pose=seen.pose),))
    after = behind_edit(load_image(tmp_path / "side.png"), 600.0, "c1", result)(here)  # type: ignore[arg-type]
    assert after.actors == here.actors
    assert after.photo is not None
    camera = after.photo.camera
    pixels = camera.project(joints_of(after.characters[0]).positions)
    assert pixels == pytest.approx(lens.project(joints_of(seen).positions), abs=0.1)
    assert camera.rotation[1] == pytest.approx([0.0, 1.0, 0.0], abs=1e-6), "as level as it was"
