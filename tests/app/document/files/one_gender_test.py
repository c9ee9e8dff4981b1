"""A folder of official files that lacks some genders: people get one that it has, with hands, contacts and files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from document_samples import only

from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import body_of
from app.document.posing.contact_patches import patches_of
from app.document.posing.create import new_document
from app.document.posing.solving import solution_of, with_solution
from app.document.scene_file.io import load_scene, save_scene
from solver.body.catalog import official_body_id
from solver.body.floor import posed_vertices
from solver.body.hand_presets import preset_hands
from solver.body.measures import stature, with_stature
from solver.body.shape_presets import SHAPE_PRESETS
from solver.errors import PoserError
from solver.ik.options import SOLID_BODY
from tests.solver.body_samples import official

pytest.importorskip("smplx")


@pytest.fixture(scope="module")
def body(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with a male SMPL-X file alone."""
    folder = tmp_path_factory.mktemp("male")
    np.savez(folder / "SMPLX_MALE.npz", **official("SMPLX"))  # type: ignore[arg-type]
    return official_body_id(folder)


@pytest.fixture
def man(body: str) -> Character:
    return new_document(body).characters[0]


def test_somebody_new_has_the_gender_that_is_there_and_stands_on_the_floor(man: Character) -> None:
    assert man.shape.gender == "male"
    assert abs(posed_vertices(body_of(man), man.shape, man.pose)[:, 1].min()) < 0.005


def test_fingers_and_stature_of_that_body_can_be_changed(man: Character) -> None:
    fist = preset_hands("fist", body_of(man))
    assert not np.allclose(fist.rotations, man.hands.rotations)
    taller = with_stature(body_of(man), man.shape, 1.9)
    assert taller.gender == "male"
    assert abs(stature(body_of(man), taller) - 1.9) < 0.01


def test_of_the_bodies_by_name_that_body_can_become_the_average_one_alone(man: Character) -> None:
    (average,) = edits.presets_for(man)
    assert average.name == "Average"
    moved = edits.take_preset(man, average)(new_document(man.body)).characters[0]
    assert (moved.body, moved.shape.gender) == (man.body, "male")
    child = next(preset for preset in SHAPE_PRESETS if preset.name == "Child")
    with pytest.raises(PoserError, match=f"“Child” is for another body than {man.name} has"):
        edits.take_preset(man, child)


@pytest.mark.slow
def test_that_body_has_patches_of_skin_and_can_be_solid(body: str) -> None:
    document = edits.set_solver_option("c1", SOLID_BODY.id, True)(new_document(body))
    assert patches_of(only(document))
    solved = with_solution(only(document), solution_of(only(document)))
    assert np.isfinite(solved.pose.rotations).all()


def test_a_scene_with_that_body_is_saved_and_opened(body: str, tmp_path: Path) -> None:
    document = new_document(body)
    save_scene(tmp_path / "scene.json", document)
    again = load_scene(tmp_path / "scene.json", [body])
    assert again.characters[0].shape == document.characters[0].shape
