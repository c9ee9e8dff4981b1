"""From the people of a photo to characters: poses kept, effectors recovered, the photo behind them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from app.benchmark.sample import two_people
from app.document import edits
from app.document.exchange import people
from app.document.exchange.import_placement import placed_beside_others
from app.document.exchange.people import RecoveryOptions, people_edit, photo_of
from app.document.exchange.photo_document import about_panorama
from app.document.model.document import GUESSED, NOTED, SET, Character, Document
from app.document.model.figure import joints_of
from app.document.posing.create import new_document
from app.document.posing.placing import place_of
from solver.body.catalog import load_body
from solver.camera import PinholeCamera
from solver.errors import PoserError
from solver.focal_length import guessed_px
from solver.photo.detection.blazepose import Face, Landmarks
from solver.photo.fit.least_squares import Fit
from solver.photo.image_file import PhotoImage, load_image
from solver.photo.people import EstimatedPerson
from solver.solvers.recovery import RecoveryResult, recover_effectors


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> PhotoImage:
    path = tmp_path_factory.mktemp("photo") / "team.png"
    Image.new("RGB", (64, 48), "grey").save(path)
    return load_image(path)


def landmarks(spread_m: float) -> Landmarks:
    """What looks that disagree by so much everywhere, and twice as much at the left wrist, would say."""
    spread = np.full((33, 3), spread_m)
    spread[15] *= 2
    return Landmarks(0.9, np.zeros((39, 2)), np.ones(33), np.zeros((33, 3)), spread)


def fit_of(character: Character) -> Fit:
    return Fit(*(np.asarray(v, float) for v in (character.pose.root_position, character.pose.rotations, np.zeros(10))))


@pytest.fixture(scope="module")
def result() -> Any:
    """What an estimator would say of two people who reach with their hands, seen from 4 m."""
    people = tuple(
        EstimatedPerson(0.9, (0.0, 0.0, 9.0, 9.0), c.shape, c.pose, landmarks(0.02), fit_of(c), on_floor=True)
        for c in two_people().characters
    )
    camera = PinholeCamera([0, 1.2, 4], np.eye(3), 60.0, (32.0, 24.0), (64, 48))
    return SimpleNamespace(camera=camera, people=people)


def test_who_was_posed_as_a_child_gets_a_childs_body(image: PhotoImage, result: Any) -> None:
    child = replace(result.people[0], smaller=load_body("anny:child"))
    mixed = SimpleNamespace(camera=result.camera, people=(child, result.people[1]))
    document = people_edit(image, mixed, recovery=RecoveryOptions(2, 0.0))(Document())
    assert [character.body for character in document.characters] == ["anny:child", "anny"]


def test_each_person_becomes_a_character_in_its_pose_with_few_effectors(image: PhotoImage, result: Any) -> None:
    document = people_edit(image, result, recovery=RecoveryOptions(max_effectors=6, threshold_m=0.0))(Document())
    assert len(document.characters) == 2
    for character, person in zip(document.characters, result.people, strict=True):
        assert character.pose == character.base_pose == person.pose
        assert character.shape == person.shape
        assert len(character.effectors) == 6
        assert len({e.id for e in character.effectors}) == 6
    assert len({c.id for c in document.characters}) == 2


def test_only_a_pose_that_eight_handles_leave_far_off_gets_more_and_a_number_that_was_chosen_is_kept_to(
    image: PhotoImage, result: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def recover(*pose: Any, max_effectors: int, more: int, **rest: Any) -> RecoveryResult:
        asked.append(more)
        return recover_effectors(*pose, max_effectors=1, **rest)

    monkeypatch.setattr(people, "recover_effectors", recover)
    for most in (8, 7, 9):
        people_edit(image, result, [0], recovery=RecoveryOptions(most))
    assert asked == [2, 0, 0]


def test_a_person_with_a_visible_face_gets_a_handle_where_they_look(image: PhotoImage, result: Any) -> None:
    across = np.linspace(0.0, 40.0, 468)
    face = Face(1.0, np.stack([across, across, np.zeros(468)], axis=1))
    one = result.people[0]
    for presence, looks in ((1.0, True), (0.2, False)):
        seen = replace(landmarks(0.02), face=replace(face, presence=presence))
        person = replace(one, landmarks=seen)
        facing = SimpleNamespace(camera=result.camera, people=(person,))
        (character,) = people_edit(image, facing, recovery=RecoveryOptions(6, 0.0))(Document()).characters
        aims = [effector for effector in character.effectors if effector.kind == "lookat"]
        assert len(character.effectors) == 6
        assert bool(aims) == looks
        if aims:
            world = joints_of(character)
            ahead = aims[0].target - world.positions[15]
            ahead /= np.linalg.norm(ahead)
            assert world.rotations[15][:, 2] @ ahead == pytest.approx(1.0, abs=1e-2)
            fewer = people_edit(image, facing, recovery=RecoveryOptions(6, 0.0, frozenset({"position"})))(Document())
            assert all(e.kind == "position" for e in fewer.characters[0].effectors)


def test_solving_after_the_photo_changes_next_to_nothing(image: PhotoImage, result: Any) -> None:
    document = people_edit(image, result, [0], recovery=RecoveryOptions(5, 0.0))(Document())
    (before,) = document.characters
    after = edits.solve(before.id)(document).character(before.id)
    assert joints_of(after).positions == pytest.approx(joints_of(before).positions, abs=5e-3)


def test_the_photo_and_its_camera_come_along(image: PhotoImage, result: Any) -> None:
    photo = people_edit(image, result, [1], recovery=RecoveryOptions(2, 0.0))(Document()).photo
    assert photo is not None
    assert Path(photo.path).is_absolute()
    assert photo.path == str(Path(image.path))
    assert photo.sha256 == image.sha256
    assert (photo.camera.focal_px, photo.camera.image_size) == (60.0, (64, 48))


@pytest.mark.parametrize(("in_the_file", "said"), [(60.0, NOTED), (70.0, SET), (None, SET)])
def test_where_the_focal_length_comes_from_is_kept(
    image: PhotoImage, result: Any, in_the_file: float | None, said: str
) -> None:
    photo = photo_of(replace(image, focal_px=in_the_file), result.camera)
    assert photo.focal_from == said


def test_a_focal_length_that_nobody_noted_is_a_guess(image: PhotoImage, result: Any) -> None:
    usual = replace(result.camera, focal_px=guessed_px(image.size))
    assert photo_of(replace(image, focal_px=None), usual).focal_from == GUESSED


def test_of_a_panorama_the_terminal_says_whose_its_lens_is(image: PhotoImage, result: Any) -> None:
    wide, own = replace(image, rgb=np.zeros((300, 900, 3), np.uint8), focal_px=None), result.camera
    guess = replace(own, focal_px=guessed_px(wide.size), image_size=wide.size)
    assert about_panorama(image, own) == ""
    assert "one of 28 mm, a guess" in about_panorama(wide, guess)
    assert "from the file" in about_panorama(replace(wide, focal_px=guess.focal_px), guess)
    assert "as the estimator says" in about_panorama(wide, replace(guess, focal_px=500.0))


def test_only_chosen_people_are_added_beside_those_already_there(image: PhotoImage, result: Any) -> None:
    document = people_edit(image, result, [1], recovery=RecoveryOptions(2, 0.0))(new_document())
    assert [c.name for c in document.characters] == ["Person 1", "Person 2"]
    assert document.characters[1].pose == result.people[1].pose


def test_added_people_stand_beside_the_others_and_their_camera_goes_with_them(image: PhotoImage, result: Any) -> None:
    edit = people_edit(image, result, recovery=RecoveryOptions(2, 0.0))
    alone = edit(Document())
    (first,) = new_document().characters
    after = placed_beside_others(edit)(new_document())
    assert after.characters[0] == first
    shift = after.characters[1].pose.root_position - alone.characters[0].pose.root_position
    assert shift[1] == 0.0
    assert np.hypot(*shift[[0, 2]]) > 0.5
    assert after.photo is not None
    assert alone.photo is not None
    assert after.photo.camera.position - alone.photo.camera.position == pytest.approx(shift, abs=1e-6)
    places = [place_of(c) for c in after.characters]
    assert np.hypot(*np.subtract(places[1:], places[0]).T).min() > 0.8
    again = placed_beside_others(edit)(after)
    assert again.photo == after.photo, "the scene keeps the photo that it has, and its camera"
    assert len(again.photos) == 2, "and the new one after it"
    later = again.photos[1].camera.position - alone.photo.camera.position
    moved = again.characters[3].pose.root_position - alone.characters[0].pose.root_position
    assert later == pytest.approx(moved, abs=1e-6)
    assert len(again.characters) == 5


def test_a_person_who_is_not_there_is_refused(image: PhotoImage, result: Any) -> None:
    with pytest.raises(PoserError, match="no person 3 in the photo; 2 were found"):
        people_edit(image, result, [2])


def test_the_progress_is_told_person_by_person(image: PhotoImage, result: Any) -> None:
    told: list[tuple[float, str]] = []
    people_edit(
        image, result, recovery=RecoveryOptions(1, 0.0), progress=lambda share, text: told.append((share, text))
    )
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert 0.0 <= shares[0] <= shares[-1] <= 1.0
    assert "2 of 2" in told[-1][1]


def test_the_characters_keep_their_effectors_through_a_file(image: PhotoImage, result: Any, tmp_path: Path) -> None:
    from app.document.scene_file.io import load_scene, save_scene

    document = people_edit(image, result, [0], recovery=RecoveryOptions(4, 0.0))(Document())
    save_scene(tmp_path / "s.json", document)
    again = load_scene(tmp_path / "s.json")
    assert again == document


@pytest.mark.slow
def test_what_the_looks_disagree_on_is_held_loosely(image: PhotoImage, result: Any) -> None:
    recovery = RecoveryOptions(24, 0.0, frozenset({"position"}))
    (person,) = people_edit(image, result, [0], recovery=recovery)(Document()).characters
    loose = {effector.joint: effector.tolerance for effector in person.effectors}
    assert {"left_wrist", "right_wrist"} <= set(loose)
    assert loose["left_wrist"] > loose["right_wrist"] > 0
    assert {effector.kind for effector in person.effectors} == {"position"}
