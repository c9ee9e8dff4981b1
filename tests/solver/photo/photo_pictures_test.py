"""From whole pictures to people: renderings of the body, and photographs where they are available."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from photo_samples import Camera, body, joints, level_camera, natural, on_floor, rendered
from PIL import Image
from read_once import people_of
from sample_files import BESIDE, TWO_PEOPLE, photographs

from solver.body.body import Body
from solver.body.floor import posed_vertices
from solver.errors import PoserError
from solver.estimates import plug_ins
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo import accuracy, reprojection
from solver.photo.accuracy import SHARED_JOINTS, downscaled, measure, read_truth, with_bone_lengths_of
from solver.photo.estimate import estimate_people
from solver.photo.fit.evidence import body_points
from solver.photo.image_file import PhotoImage, load_image
from solver.photo.likelihood_threshold import LIKELIHOOD_THRESHOLD
from solver.photo.people import PhotoResult
from solver.photo.reprojection import fitted_points, middle_offset, posed_points

PICTURES = photographs(
    baseball_several_people=(4, 6),
    two_men_sitting=(2, 2),
    two_on_chairs=(2, 2),
    skier=(1, 5),
    studio_step=(1, 1),
    studio_sitting_floor=(1, 1),
)
# How far the fit's joints and its marked points may be from the truth, millimetres, and how near to the landmarks.
MEASURED = [(TWO_PEOPLE, 66.0, 66.0)]
MEASURED += [
    (file, joints, points)
    for file, joints, points in (
        (BESIDE / "photos" / "studio_step.jpg", 66.0, 60.0),
        (BESIDE / "photos" / "studio_sitting_floor.jpg", 100.0, 100.0),
    )
    if file.is_file()
]


@pytest.fixture(autouse=True)
def photos_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many tests measure one, and only 8 effectors are looked for."""
    for module in (accuracy, reprojection, plug_ins):
        monkeypatch.setattr(module, "estimate_people", people_of)
    monkeypatch.setattr(accuracy, "EFFECTORS", (8,))


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.usefixtures("qapp")
def test_a_rendered_body_is_found_and_posed_as_it_was() -> None:
    camera, pose = level_camera(), natural(2, 0.5, spread=0.8)
    result = estimate_people(rendered(camera, pose), body())
    assert len(result.people) == 1
    person = result.people[0]
    assert person.score > 0.8
    assert pa_mpjpe_mm(joints(person.pose), joints(pose)) < 80
    apart = np.linalg.norm(result.camera.project(joints(person.pose)) - camera.pixels(joints(pose)), axis=1)
    assert apart.mean() < 12


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.usefixtures("qapp")
def test_two_rendered_people_stand_beside_each_other_as_they_did() -> None:
    camera = level_camera(distance=4.5)
    left, right = natural(1, 0.3, (-0.8, 0.0)), natural(2, -0.4, (0.8, -0.8))
    result = estimate_people(rendered(camera, left, right), body())
    assert len(result.people) == 2
    found = sorted((p.pose for p in result.people), key=lambda pose: pose.root_position[0])
    apart = found[1].root_position - found[0].root_position
    assert apart == pytest.approx(right.root_position - left.root_position, abs=0.5)
    for person in result.people:
        assert posed_vertices(body(), person.shape, person.pose)[:, 1].min() == pytest.approx(0.0, abs=1e-3)


NOISE = np.random.default_rng(1).integers(0, 256, (200, 300, 3)).astype(np.uint8)


@pytest.mark.slow
def test_a_picture_with_nobody_gives_no_people_and_a_camera_all_the_same() -> None:
    result = people_of(PhotoImage(NOISE, "noise", ""), body())
    assert result.people == ()
    assert result.camera.image_size == (300, 200)
    assert result.camera.focal_px == pytest.approx(50 / 43.2666 * np.hypot(300, 200))


def test_the_focal_length_is_the_one_asked_for_then_the_cameras_own() -> None:
    blank = np.zeros((40, 60, 3), np.uint8)
    unseen = lambda: True  # nobody needs to be looked for  # noqa: E731
    assert estimate_people(PhotoImage(blank, "", "", 77.0), body(), cancelled=unseen).camera.focal_px == 77.0
    assert estimate_people(PhotoImage(blank, "", "", 77.0), body(), 99.0, cancelled=unseen).camera.focal_px == 99.0
    with pytest.raises(PoserError, match="focal length"):
        estimate_people(PhotoImage(blank, "", ""), body(), focal_px=float("nan"))


@pytest.mark.slow
def test_the_command_says_in_one_line_that_nobody_was_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from app.cli.main import main

    picture, scene = tmp_path / "sky.png", tmp_path / "sky.json"
    Image.fromarray(NOISE).save(picture)
    assert main(["photo", str(picture), "-o", str(scene)]) == 1
    said = capsys.readouterr()
    assert len(said.err.strip().splitlines()) == 1
    assert "sky.png" in said.err
    assert "nobody" in said.err
    assert not scene.exists()


@pytest.mark.slow
def test_the_command_names_finds_that_may_be_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from app.cli.main import main

    def unsure_of_the_second(image: PhotoImage, body: Body, *_: object) -> PhotoResult:
        found = people_of(image, body)
        first, second = found.people
        return replace(found, people=(first, replace(second, score=LIKELIHOOD_THRESHOLD - 0.01)))

    monkeypatch.setattr(plug_ins, "estimate_people", unsure_of_the_second)
    assert main(["photo", str(TWO_PEOPLE), "-o", str(tmp_path / "two.json")]) == 0
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Person ")]
    assert ["may be nobody" in line for line in said] == [False, True]


@pytest.mark.slow
@pytest.mark.parametrize(("file", "least", "most"), PICTURES, ids=[entry[0].stem for entry in PICTURES])
def test_all_people_of_a_photograph_are_found_and_stand_on_the_floor(file: Path, least: int, most: int) -> None:
    result = people_of(load_image(file), body())
    assert least <= len(result.people) <= most
    for person in result.people:
        heights = posed_vertices(body(), person.shape, person.pose)[:, 1]
        assert heights.min() == pytest.approx(0.0, abs=0.02)
        assert person.on_floor
        assert person.score > LIKELIHOOD_THRESHOLD
        assert 0.5 < np.ptp(heights) < 2.2
        assert 1.0 < np.linalg.norm(person.pose.root_position - result.camera.position) < 40.0
        fitted, placed = (
            middle_offset(person, body_points(body()), pixels)
            for pixels in (fitted_points(body(), result, person), posed_points(body(), result, person, person.pose))
        )
        assert placed < min(0.02, fitted + 0.005)  # nobody leaves the picture for the floor


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.usefixtures("qapp")
def test_the_people_of_a_scene_made_from_a_picture_cover_those_on_the_picture(tmp_path: Path) -> None:
    from app.cli.main import main
    from app.document import edits
    from app.document.model.figure import joints_of
    from app.document.scene_file.io import load_scene

    camera = Camera(np.array([0.0, 1.9, 4.0]), np.array(from_rotation_vector([-0.2, 0.0, 0.0])), 900.0, (1000, 800))
    near, far, on_a_box = natural(1, 0.3, spread=0.8), natural(2, -0.4, spread=0.8), natural(4, 0.2, spread=0.8)
    true = [on_floor(near, (-0.9, 0.6)), on_floor(on_a_box, (0.2, -0.8), 0.45), on_floor(far, (2.6, -4.5))]
    Image.fromarray(rendered(camera, *true).rgb).save(tmp_path / "group.png")
    assert main(["photo", str(tmp_path / "group.png"), "-o", str(tmp_path / "group.json"), "-q"]) == 0
    document = load_scene(tmp_path / "group.json")
    assert document.photo is not None
    seen = document.photo.camera
    assert len(document.characters) == len(true)
    for character in document.characters:
        solved = edits.solve(character.id)(document).character(character.id)  # as when a handle is first touched
        for shown in (character, solved):
            places = seen.project(joints_of(shown).positions.astype(float))
            offs = []
            for pose in true:
                wanted = camera.pixels(joints(pose))
                offs.append(np.median(np.linalg.norm(places - wanted, axis=1)) / np.linalg.norm(np.ptp(wanted, axis=0)))
            assert min(offs) < 0.025


def test_a_folder_without_pictures_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert accuracy.main(["--photos", str(tmp_path), "--on-picture"]) == 1
    said = capsys.readouterr().err
    assert str(tmp_path) in said
    assert len(said.strip().splitlines()) == 1


@pytest.mark.slow
def test_the_command_prints_how_everybody_in_a_folder_covers_the_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "two.jpg").write_bytes(TWO_PEOPLE.read_bytes())
    assert accuracy.main(["--photos", str(tmp_path), "--on-picture"]) == 0
    lines = capsys.readouterr().out.strip().splitlines()
    assert [line.split()[:2] for line in lines] == [["two.jpg", "1"], ["two.jpg", "2"]]
    for line in lines:
        columns = dict(re.findall(r"(fit|floor|shown|outline) ([\d.]+)", line))
        assert 0.0 < float(columns["fit"]) < 1.5
        assert float(columns["shown"]) == pytest.approx(float(columns["floor"]), abs=0.05)
        assert float(columns["shown"]) < 1.5
        assert 60.0 < float(columns["outline"]) < 100.0


@pytest.mark.slow
@pytest.mark.parametrize(("file", "joints", "points"), MEASURED, ids=[entry[0].stem for entry in MEASURED])
def test_the_fit_is_nearer_to_the_truth_than_the_landmarks_and_few_effectors_keep_it(
    file: Path, joints: float, points: float
) -> None:
    row = measure(load_image(file), read_truth(file.parent)[file.name], body())
    assert row["fit"] < joints
    assert row["its marked points"] < points
    assert row["fit"] < 0.95 * row["landmarks"]
    assert row["its marked points"] < 0.9 * row["landmarks"]  # the same points of a body
    assert row["fit in its bones"] < 0.95 * row["landmarks in its bones"]
    assert row["8 effectors"] < row["fit"] + 20


@pytest.mark.slow
@pytest.mark.parametrize("file", [MEASURED[-1][0]], ids=[MEASURED[-1][0].stem])  # where it is there, one who sits
def test_somebody_is_read_the_same_from_a_smaller_copy(file: Path) -> None:
    image, truth = load_image(file), read_truth(file.parent)[file.name]
    row = measure(downscaled(image, 0.5), truth, body())
    assert row["fit"] < 120
    assert row["8 effectors"] < row["fit"] + 20


def test_bones_of_other_lengths_keep_their_directions() -> None:
    pose, other = (
        (joints(natural(seed)) * size)[[SMPL_JOINTS.index(n) for n in SHARED_JOINTS]] for seed, size in ((1, 1), (2, 2))
    )
    built = with_bone_lengths_of(pose, other)
    at = {name: i for i, name in enumerate(SHARED_JOINTS)}
    for start, end in (("left_hip", "left_knee"), ("right_shoulder", "right_elbow"), ("right_elbow", "right_wrist")):
        own, new, like = (points[at[end]] - points[at[start]] for points in (pose, built, other))
        assert new / np.linalg.norm(new) == pytest.approx(own / np.linalg.norm(own))
        assert np.linalg.norm(new) == pytest.approx(np.linalg.norm(like))
    assert pa_mpjpe_mm(with_bone_lengths_of(pose, pose), pose) == pytest.approx(0.0, abs=0.01)
