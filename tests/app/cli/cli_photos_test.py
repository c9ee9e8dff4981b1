"""Protocol P as used: pictures drawn by the script, read and measured by the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageFilter
from read_once import people_of

from app.cli.main import main
from scripts.photo import photo_renderings
from solver.photo.detection.regions import iou
from solver.photo.measuring import measure
from solver.photo.measuring.truth import FILE, TruePerson, TruePicture, read_renderings

pytestmark = [pytest.mark.gl]
CLIPS = Path(__file__).parents[2] / "data" / "clips"
SMALL = "--long-side", "320", "--seed", "20"  # one person, then two


def run(*arguments: object) -> int:
    return main(["evaluate", *map(str, arguments)])


@pytest.fixture(autouse=True)
def pictures_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many tests measure one."""
    monkeypatch.setattr(measure, "estimate_people", people_of)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("renderings")
    options = "--bvh", str(CLIPS), "-o", str(folder), "--count", "2", *SMALL
    assert photo_renderings.main(list(options)) == 0
    return folder


@pytest.mark.slow
def test_pictures_hold_the_people_that_their_truth_names(drawn: Path) -> None:
    single, group = read_renderings(drawn)
    assert (single.kind, len(single.people)) == ("single", 1)
    assert group.kind == "group near"
    assert 2 <= len(group.people) <= 6
    for picture in (single, group):
        with Image.open(drawn / picture.name) as image:
            assert image.size == picture.camera.image_size
        for person in picture.people:
            assert (person.pixels > 0).all()
            assert (person.pixels < picture.camera.image_size).all()


@pytest.mark.slow
def test_the_same_seed_draws_the_same_pictures(drawn: Path, tmp_path: Path) -> None:
    options = "--bvh", str(CLIPS), "-o", str(tmp_path), "--count", "1", *SMALL
    assert photo_renderings.main(list(options)) == 0
    assert (tmp_path / "0000.jpg").read_bytes() == (drawn / "0000.jpg").read_bytes()


def drawn_kinds(folder: Path, kinds: list[str], long_side: int) -> tuple[TruePicture, ...]:
    """A picture of each kind, in their order."""
    options = ["--bvh", str(CLIPS), "-o", str(folder), "--count", str(len(kinds)), "--long-side", str(long_side)]
    assert photo_renderings.main([*options, "--only", *kinds]) == 0
    pictures = read_renderings(folder)
    assert [picture.kind for picture in pictures] == kinds
    return pictures


@pytest.mark.slow
def test_kinds_that_are_asked_for_are_drawn_in_turn_as_hard_to_find_as_they_say(tmp_path: Path) -> None:
    kinds = ["lying", "one behind another", "tiny", "far away"]
    pictures = drawn_kinds(tmp_path, kinds, 640)
    lying, behind, tiny, far = (picture.people for picture in pictures)
    assert any(person.posture.startswith("lying") for person in lying)
    first, second = (box(person.pixels) for person in behind)
    assert iou(first, second[None])[0] > 0.1
    assert all(12 < np.ptp(person.pixels[:, 1]) < 75 for person in tiny)
    assert len(far) <= 2
    assert all(np.ptp(person.pixels[:, 1]) < 640 / 30 for person in far)


@pytest.mark.slow
def test_places_are_drawn_without_the_people_in_them(drawn: Path, tmp_path: Path) -> None:
    options = "--bvh", str(CLIPS), "-o", str(tmp_path), "--count", "1", *SMALL, "--nobody"
    assert photo_renderings.main(list(options)) == 0
    (empty,) = read_renderings(tmp_path)
    full = read_renderings(drawn)[0]
    assert empty.people == ()
    assert (empty.kind, empty.camera.focal_px) == (full.kind, full.camera.focal_px)
    assert (tmp_path / empty.name).read_bytes() != (drawn / full.name).read_bytes()


@pytest.mark.slow
def test_people_in_postures_that_are_asked_for_are_drawn_alone(tmp_path: Path) -> None:
    options = "--bvh", str(CLIPS), "-o", str(tmp_path), "--count", "4", "--long-side", "320"
    assert photo_renderings.main([*options, "--postures", "sitting", "kneeling"]) == 0
    pictures = read_renderings(tmp_path)
    assert all(len(picture.people) == 1 for picture in pictures)
    assert {picture.people[0].posture for picture in pictures} == {"sitting", "kneeling"}


@pytest.mark.slow
def test_the_young_are_children_and_teenagers_beside_somebody_grown_up(tmp_path: Path) -> None:
    options = "--bvh", str(CLIPS), "-o", str(tmp_path), "--count", "4", "--long-side", "320", "--young", "1"
    assert photo_renderings.main([*options, "--only", "group near"]) == 0
    firsts, others = list[TruePerson](), list[TruePerson]()
    for picture in read_renderings(tmp_path):
        firsts.append(picture.people[0])
        others += picture.people[1:]
    assert {person.body for person in firsts} == {"anny"}
    assert {person.body for person in others} == {"anny:child", "anny:youth"}
    children = [person for person in others if person.body == "anny:child"]
    assert np.mean([*map(thigh, children)]) < 0.85 * np.mean([*map(thigh, firsts)])


def thigh(person: TruePerson) -> float:
    """Metres from the left hip to the knee."""
    return float(np.linalg.norm(person.joints[4] - person.joints[1]))


def test_more_young_people_than_all_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        photo_renderings.main(["--bvh", str(CLIPS), "-o", str(tmp_path), "--young", "1.5"])
    assert "--young is a share of people, 0 to 1" in capsys.readouterr().err


def test_kinds_and_postures_are_not_asked_for_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--bvh", str(CLIPS), "-o", str(tmp_path), "--only", "tiny", "--postures", "kneeling"]
    with pytest.raises(SystemExit):
        photo_renderings.main(options)
    assert "--postures draws singles: leave out --only" in capsys.readouterr().err


@pytest.mark.slow
def test_portraits_are_seen_from_above_below_and_as_near_as_a_selfie(tmp_path: Path) -> None:
    kinds = ["near from above", "near from below", "selfie"]
    pictures = drawn_kinds(tmp_path, kinds, 320)
    above, below, selfie = (picture.camera for picture in pictures)
    heads = [picture.people[0].joints[15] for picture in pictures]
    assert above.position[1] > heads[0][1]
    assert below.position[1] < heads[1][1]
    assert 0.4 < np.linalg.norm(selfie.position - heads[2]) < 0.9
    for picture, head in zip(pictures, heads, strict=True):
        assert (picture.camera.project(head) < picture.camera.image_size).all()


@pytest.mark.slow
def test_statues_are_the_same_people_in_the_same_places_of_one_colour(drawn: Path, tmp_path: Path) -> None:
    options = "--bvh", str(CLIPS), "-o", str(tmp_path), "--count", "2", *SMALL, "--statues"
    assert photo_renderings.main(list(options)) == 0
    marble, bronze = read_renderings(tmp_path)
    assert (marble.kind, bronze.kind) == ("marble", "bronze")
    for statues, people in zip((marble, bronze), read_renderings(drawn), strict=True):
        assert [one.joints.tolist() for one in statues.people] == [one.joints.tolist() for one in people.people]
    assert warmths(tmp_path / marble.name, marble) < 0.5 * warmths(drawn / marble.name, marble)


def warmths(path: Path, picture: TruePicture) -> float:
    """How far the most different joints of somebody are apart in the ratio of blue to red, the mean of all people."""
    with Image.open(path) as image:
        smooth = np.asarray(image.convert("RGB").filter(ImageFilter.BoxBlur(2)), np.float64) + 8.0
    ratio = np.log(smooth[..., 2] / smooth[..., 0])
    at = [person.pixels[[4, 5, 12, 15, 18, 19]].astype(int) for person in picture.people]
    return float(np.mean([np.ptp(ratio[places[:, 1], places[:, 0]]) for places in at]))


def box(pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.concatenate([pixels.min(axis=0), pixels.max(axis=0)])


@pytest.mark.slow
def test_each_half_gets_a_table_by_kind_and_posture(drawn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = drawn / "page.md"
    assert run("--protocol", "P", "--renderings", drawn, "--report", page) == 0
    printed = capsys.readouterr().out
    assert page.read_text(encoding="utf-8").startswith(printed)
    for heading in ("the half “tune”", "the half “report”", "| single | 1 | 1 | 0 | 0 |", "| standing |", "fit mm"):
        assert heading in printed


@pytest.mark.slow
def test_one_half_is_measured_alone_and_its_figures_are_those_of_somebody_found(
    drawn: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    half = read_renderings(drawn)[0].half
    assert run("--renderings", drawn, "--half", half, "--json") == 0
    measured = json.loads(capsys.readouterr().out)["P"]
    assert [row["picture"] for row in measured["pictures"]] == ["0000.jpg"]
    (person,) = measured["people"]
    assert person["found"] is True
    assert person["figures"]["fit"] < 60.0  # millimetres, of somebody who stands before the camera
    assert person["figures"]["posed on truth"] < 3.0  # per cent of the extent


@pytest.mark.slow
def test_photographs_count_people_of_whom_nothing_is_known(
    drawn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(drawn / "0000.jpg", tmp_path / "somebody.jpg")
    assert run("--photos", tmp_path) == 0
    printed = capsys.readouterr().out
    assert "| somebody.jpg | 1 |" in printed
    assert "missed" not in printed


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--renderings", "."), FILE),
        (("--renderings", "damaged"), "cannot be used as the truth of renderings"),
        (("--renderings", "older"), "is of version 0"),
        (("--renderings", "empty"), "there is no picture in it"),
        (("--renderings", "gone"), "0000.jpg"),
        (("--photos", ".", "--half", "tune"), "Photographs have no halves"),
        (("--photos", "older"), "there is no picture in it"),
        (("--photos", ".", "--protocol", "R"), "measured by protocol P alone"),
        (("--bvh", ".", "--protocol", "P"), "--photos or --renderings"),
        (("--library", ".", "--protocol", "P"), "--photos or --renderings"),
    ],
)
def test_what_cannot_be_measured_is_refused_with_a_way_out(
    drawn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...], reason: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "picture.png").touch()
    truth = (drawn / FILE).read_text(encoding="utf-8")
    for name, text in (
        ("damaged", truth[: len(truth) // 2]),
        ("older", truth.replace('"version": 1', '"version": 0')),
        ("empty", json.dumps({**json.loads(truth), "pictures": []})),
        ("gone", truth),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / FILE).write_text(text, encoding="utf-8")
    assert run(*options) != 0
    said = capsys.readouterr()
    assert reason in said.err
    assert "Traceback" not in said.err
    assert not said.out


def test_a_half_without_a_picture_is_refused(drawn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads((drawn / FILE).read_text(encoding="utf-8"))
    data["pictures"] = [row for row in data["pictures"] if row["half"] == "tune"]
    (tmp_path / FILE).write_text(json.dumps(data), encoding="utf-8")
    assert run("--renderings", tmp_path, "--half", "report") != 0
    assert "belongs to the half “report”" in capsys.readouterr().err
