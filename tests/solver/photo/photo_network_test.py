"""Finding people in the picture: where the networks look, how looks become people, and which files they come from."""

from __future__ import annotations

import io
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ai_edge_litert.interpreter import Interpreter
from PIL import Image

from solver.errors import InputRefused
from solver.photo.detection import extract_models, models
from solver.photo.detection.blazepose import (
    LANDMARK_SIDE,
    MIRRORED,
    Detections,
    Landmarks,
    Region,
    anchors,
    crop,
    region_of,
    run_network,
)
from solver.photo.detection.duplicates import newly_found, without_parts, without_prints
from solver.photo.detection.inpainting import without_people
from solver.photo.detection.people2d import find_people
from solver.photo.detection.plausibility import certainty
from solver.photo.detection.regions import distinct_looks, distinct_regions, iou, weighted_nms
from solver.photo.detection.repeated_looks import with_close_details
from solver.photo.detection.rounds import search_patterns
from solver.photo.detection.tiles import SearchPattern, rotated_back, tile_boxes
from solver.photo.detection.turned_looks import box_of


def test_the_anchors_are_those_that_the_detector_was_trained_with() -> None:
    places = anchors()
    assert places.shape == (2254, 2)
    assert places.min() == pytest.approx(0.5 / 28)
    assert places.max() == pytest.approx(1 - 0.5 / 28)
    assert np.array_equal(places[0], places[1])  # two a cell at the finest stride
    assert len(np.unique(places[-6:], axis=0)) == 1  # six at the coarsest


@pytest.mark.parametrize("name", [models.FULL, models.HEAVY])
def test_without_the_outline_a_landmark_network_says_the_same_of_everything_else(name: str) -> None:
    whole = Interpreter(model_path=str(models.model_path(name)), num_threads=1)
    whole.allocate_tensors()
    look = np.random.default_rng(0).random((LANDMARK_SIDE, LANDMARK_SIDE, 3), np.float32)
    whole.set_tensor(whole.get_input_details()[0]["index"], look[None])
    whole.invoke()
    outputs = {detail["name"]: whole.get_tensor(detail["index"]) for detail in whole.get_output_details()}
    outline = outputs.pop(models.OUTLINE[name])
    assert outline.shape == (1, LANDMARK_SIDE, LANDMARK_SIDE, 1)
    read = run_network(name, look)
    assert read.keys() == outputs.keys()
    for output, values in read.items():
        np.testing.assert_array_equal(values, outputs[output])


def test_a_region_is_centred_on_the_hips_and_turned_with_the_body() -> None:
    upright = region_of(np.array([100.0, 200.0]), np.array([100.0, 120.0]))
    assert upright.centre == (100.0, 200.0)
    assert upright.angle == pytest.approx(0.0)
    assert upright.side == pytest.approx(200.0)
    lying = region_of(np.array([100.0, 200.0]), np.array([180.0, 200.0]))
    top = lying.to_picture(np.array([[0.5, 0.0]]))[0]
    assert top == pytest.approx([200.0, 200.0])  # "up" of the square is where the head lies


def test_points_of_a_region_come_back_from_the_picture() -> None:
    region = Region((320.0, 210.0), 180.0, 0.7)
    unit = np.random.default_rng(0).uniform(size=(9, 2))
    picture = region.to_picture(unit)
    back = (picture - region.centre) @ region.turn / region.side + 0.5
    assert back == pytest.approx(unit)


@pytest.mark.parametrize("size", [(640, 480), (300, 1200), (64, 64)])
def test_tiles_cover_every_pixel_at_every_scale(size: tuple[int, int]) -> None:
    boxes = list(tile_boxes(*size))
    assert boxes[0] == (0.0, 0.0, *size)
    covered = np.zeros((size[1], size[0]), dtype=bool)
    for left, top, right, bottom in boxes[1:]:
        assert 0 <= left < right <= size[0]
        assert 0 <= top < bottom <= size[1]
        covered[int(np.ceil(top)) : int(bottom), int(np.ceil(left)) : int(right)] = True
    assert covered.mean() > 0.98


def _detections(*boxes: tuple[float, float, float, float, float]) -> Detections:
    rows = np.array(boxes)
    return Detections(rows[:, 4], rows[:, :4], np.repeat(rows[:, None, :2], 4, axis=1))


def test_boxes_that_overlap_become_one_weighted_by_their_scores() -> None:
    found = weighted_nms([_detections((0, 0, 10, 10, 0.9), (2, 0, 12, 10, 0.3)), _detections((50, 50, 60, 60, 0.5))])
    assert found.scores == pytest.approx([0.9, 0.5])
    assert found.boxes[0] == pytest.approx([0.5, 0, 10.5, 10])
    assert found.boxes[1] == pytest.approx([50, 50, 60, 60])


def test_nothing_detected_stays_nothing() -> None:
    empty = Detections(np.zeros(0), np.zeros((0, 4)), np.zeros((0, 4, 2)))
    assert len(weighted_nms([empty]).scores) == 0
    assert distinct_regions(weighted_nms([empty])) == []


def test_overlap_is_intersection_over_union() -> None:
    box = np.array([0.0, 0.0, 2.0, 2.0])
    assert iou(box, np.array([[0, 0, 2, 2], [1, 0, 3, 2], [5, 5, 6, 6]], dtype=float)) == pytest.approx(
        [1.0, 1 / 3, 0.0]
    )


def _person(presence: float = 0.9, shift: float = 0.0, spread: float | None = None) -> Landmarks:
    rng = np.random.default_rng(3)
    pixels = rng.uniform(100, 300, size=(39, 2)) + shift
    disagreement = None if spread is None else np.full((33, 3), spread)
    return Landmarks(presence, pixels, np.ones(33), rng.normal(size=(33, 3)), disagreement)


def _standing(at: tuple[float, float] = (200.0, 200.0), size: float = 200.0, presence: float = 1.0) -> Landmarks:
    """Somebody upright who several looks agree on, as high as size in pixels."""
    places = {0: (0.0, -0.72), 11: (0.17, -0.47), 12: (-0.17, -0.47), 13: (0.2, -0.24), 14: (-0.2, -0.24)}
    places |= {15: (0.2, -0.02), 16: (-0.2, -0.02), 23: (0.1, 0.0), 24: (-0.1, 0.0), 25: (0.1, 0.39), 26: (-0.1, 0.39)}
    places |= {27: (0.1, 0.76), 28: (-0.1, 0.76)}
    order = [*range(11, 17), *range(23, 29)]
    flat = np.array(
        [
            places[m if m in order else 0 if m < 11 else m - 4 if 28 < m < 33 else 23 if m > 32 else 15]
            for m in range(39)
        ]
    )
    world = np.concatenate([flat[:33], np.zeros((33, 1))], axis=1)
    one = Landmarks(presence, flat * size / 1.5 + at, np.ones(33), world)
    return replace(one, looks=(one, one))


def test_one_person_seen_twice_is_one_and_neighbours_stay_two() -> None:
    sure, weaker = _standing(), _standing(at=(204.0, 200.0), presence=0.9)
    assert newly_found([weaker, sure], [], 0.0) == [sure]
    assert len(newly_found([sure, _standing(at=(320.0, 200.0))], [], 0.0)) == 2
    assert newly_found([weaker], [sure], 0.0) == []


def test_somebody_read_again_upside_down_or_from_what_was_left_of_them_is_nobody_new() -> None:
    sure = _standing()
    inverted = replace(sure, presence=0.95, pixels=2 * sure.pixels.mean(axis=0) - sure.pixels)
    assert newly_found([inverted, sure], [], -9.0) == [sure]
    assert newly_found([_standing(at=(205.0, 200.0), size=50.0)], [sure], -9.0) == []


def test_a_small_figure_in_front_of_another_is_a_person() -> None:
    assert len(newly_found([_standing(), _standing(at=(205.0, 200.0), size=60.0)], [], 0.0)) == 2


def test_a_look_that_repeats_another_is_left_out() -> None:
    first = _standing()
    assert distinct_looks([first, _standing(at=(202.0, 200.0)), _standing(at=(240.0, 200.0))])[0] is first
    assert len(distinct_looks([first, _standing(at=(202.0, 200.0)), _standing(at=(240.0, 200.0))])) == 2


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_what_is_detected_in_a_turned_picture_comes_back_to_its_place(quarters: int) -> None:
    dots = np.zeros((60, 100), np.uint8)
    dots[20, 70] = 255
    turned = np.rot90(dots, quarters)
    row, column = (int(i[0]) for i in np.nonzero(turned))
    box = np.array([[column, row, column + 1.0, row + 1.0]])
    found = Detections(np.ones(1), box, np.full((1, 4, 2), [column + 0.5, row + 0.5]))
    back = rotated_back(found, quarters, (100, 60))
    np.testing.assert_allclose(back.points, np.full((1, 4, 2), [70.5, 20.5]))
    np.testing.assert_allclose(back.boxes, [[70, 20, 71, 21]])


def test_where_somebody_tiny_or_many_were_found_smaller_parts_of_the_picture_are_searched() -> None:
    large, tiny = _standing(size=300.0), _standing(size=60.0)
    usual, closely = (search_patterns(1, known, (1500, 1000)) for known in ([large], [large, tiny]))
    assert closely[: len(usual)] == usual
    assert [max(way.grids) for way in closely[len(usual) :]] == [8]
    assert search_patterns(1, [large] * 8, (1500, 1000)) == closely
    assert search_patterns(1, [large] * 7, (1500, 1000)) == usual
    assert search_patterns(0, [], (1500, 1000)) == (SearchPattern(0),)


def test_closer_looks_may_show_that_somebody_is_a_part_of_somebody_larger() -> None:
    large, arm = _standing(), _standing(at=(205.0, 210.0), size=100.0)
    child = _standing(at=(205.0, 210.0), size=60.0)
    assert without_parts([arm, large]) == [large]
    assert without_parts([child, large]) == [child, large], "somebody small may stand before them"
    assert len(without_parts([large, _standing(at=(320.0, 200.0), size=100.0)])) == 2


def test_of_two_readings_of_the_same_size_the_one_found_first_stays_whichever_is_larger() -> None:
    smaller, larger = _standing(), _standing(at=(204.0, 200.0), size=208.0)
    assert without_parts([smaller, larger]) == [smaller]
    assert without_parts([larger, smaller]) == [larger]
    unsure = next(one for p in np.linspace(1, 0, 101) if certainty(one := _standing(presence=float(p))) < 0.5)
    assert without_parts([unsure, larger]) == [larger], "unless it is much less sure"


def test_a_person_painted_over_takes_the_colours_around_and_nothing_else_changes() -> None:
    picture = np.full((400, 400, 3), (40, 120, 200), np.uint8)
    person = _standing()
    body = picture.copy()
    body[100:300, 180:220] = 255
    painted = np.asarray(without_people(Image.fromarray(body), [person]))
    chest = tuple(person.pixels[[11, 12, 23, 24]].mean(axis=0).astype(int))
    assert np.abs(painted[chest[1], chest[0]].astype(int) - (40, 120, 200)).max() < 60
    assert (painted[:, :120] == body[:, :120]).all()
    whole = Image.fromarray(body)
    assert without_people(whole, []) is whole


def _wearer() -> Landmarks:
    person = _person(0.95)
    person.pixels[[11, 12, 24, 23]] = [[250.0, 150.0], [150.0, 150.0], [160.0, 260.0], [240.0, 260.0]]
    return person


def _small(of: Landmarks, at: tuple[float, float], size: float) -> Landmarks:
    return replace(of, pixels=(of.pixels - of.pixels[:13].mean(axis=0)) * size + at, presence=0.9)


def test_a_tiny_person_on_somebodys_chest_is_a_print() -> None:
    wearer = _wearer()
    assert without_prints([wearer, _small(wearer, (200.0, 200.0), 0.1)]) == [wearer]


@pytest.mark.parametrize(("at", "size"), [((200.0, 200.0), 0.3), ((300.0, 200.0), 0.1), ((200.0, 148.0), 0.1)])
def test_a_child_in_the_arms_a_neighbour_and_a_face_over_a_shoulder_are_people(
    at: tuple[float, float], size: float
) -> None:
    wearer = _wearer()
    assert len(without_prints([wearer, _small(wearer, at, size)])) == 2


def test_a_new_picture_is_never_taken_for_one_that_is_gone() -> None:
    region = Region(np.array([300.0, 300.0]), 600.0, 0.0)
    for shade in range(0, 250, 5):  # each picture may lie where the one before lay
        assert crop(Image.new("RGB", (600, 600), (shade, shade, shade)), region, 64).max() == shade


def test_what_several_looks_do_not_agree_on_is_nobody() -> None:
    sure = _standing()
    assert certainty(sure) > 3
    assert certainty(replace(sure, presence=0.3)) < 1
    elsewhere = replace(sure.looks[0], pixels=sure.pixels + [60.0, 0.0])
    assert certainty(replace(sure, looks=(sure.looks[0], elsewhere))) < certainty(sure) - 1
    assert newly_found([replace(sure, presence=0.3)], [], 1.0) == []


def test_a_find_with_bones_too_short_or_another_way_in_space_than_in_the_picture_is_hardly_a_person() -> None:
    sure = _standing()
    assert certainty(replace(sure, world=0.3 * sure.world)) < certainty(sure) - 4
    assert certainty(replace(sure, world=sure.world[:, [1, 0, 2]])) < certainty(sure) - 4


def test_a_person_the_heavy_network_does_not_see_stays_as_the_quick_one_saw_them() -> None:
    first = _person(0.95)
    again = replace(_person(0.8), looks=(first, first, first))
    closer = with_close_details(Image.new("RGB", (400, 400)), again)
    assert closer.looks == again.looks
    assert closer.presence == again.presence
    assert np.array_equal(closer.pixels, first.pixels)


def test_a_persons_box_stays_within_the_picture_and_leaves_out_what_is_hidden() -> None:
    person = _person()
    hidden = person.visibility.copy()
    hidden[5] = 0.0
    person.pixels[5] = 5000.0
    left, top, right, bottom = box_of(replace(person, visibility=hidden), (600, 280))
    assert 60 < left < right < 340
    assert 60 < top < bottom == 280


def test_left_and_right_landmarks_change_places_in_a_mirror() -> None:
    assert sorted(MIRRORED) == list(range(33))
    assert [MIRRORED[i] for i in MIRRORED] == list(range(33))
    assert MIRRORED[11] == 12
    assert MIRRORED[32] == 31
    assert MIRRORED[0] == 0


@pytest.mark.sweep("plain")
@pytest.mark.parametrize("kind", ["gradient", "plain"])
def test_a_picture_with_nobody_on_it_gives_nobody(kind: str) -> None:
    picture = {
        "gradient": np.broadcast_to(np.linspace(0, 255, 320)[None, :, None], (240, 320, 3)),
        "plain": np.full((240, 320, 3), 90),
    }[kind].astype(np.uint8)
    assert find_people(np.ascontiguousarray(picture)) == []


@pytest.mark.slow
def test_the_search_tells_how_far_it_is_and_can_be_stopped() -> None:
    picture = np.zeros((120, 160, 3), np.uint8)
    shares: list[float] = []
    assert find_people(picture, shares.append) == []
    assert shares == sorted(shares)
    assert 0 < shares[0] <= shares[-1] <= 1
    looked: list[float] = []
    assert find_people(picture, looked.append, lambda: True) == []
    assert looked == []


def _archive(path: Path, source: str, files: dict[str, bytes]) -> Path:
    """A wheel or a package with these models in their places."""
    if source == models.WHEEL:
        with zipfile.ZipFile(path, "w") as wheel:
            for name, data in files.items():
                wheel.writestr(models.MODELS[name].place, data)
    else:
        with tarfile.open(path, "w:gz") as package:
            for name, data in files.items():
                info = tarfile.TarInfo(models.MODELS[name].place)
                info.size = len(data)
                package.addfile(info, io.BytesIO(data))
    return path


def _models_of(source: str) -> list[str]:
    return [name for name, model in models.MODELS.items() if model.archive == source]


SOURCES = pytest.mark.parametrize("source", [models.WHEEL, models.PACKAGE])


@SOURCES
def test_another_archive_is_refused_and_nothing_is_written(tmp_path: Path, source: str) -> None:
    other = _archive(tmp_path / "other.archive", source, dict.fromkeys(_models_of(source), b"something else"))
    with pytest.raises(InputRefused, match=r"other\.archive"):
        extract_models.extract(other, tmp_path / "models")
    empty = _archive(tmp_path / "empty.archive", source, {})
    with pytest.raises(InputRefused, match=r"empty\.archive"):
        extract_models.extract(empty, tmp_path / "models")
    assert not (tmp_path / "models").exists()


@pytest.mark.parametrize("content", [b"", b"no zip at all", b"\x1f\x8b\x08 cut off"])
def test_what_is_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    wheel = tmp_path / "broken.whl"
    wheel.write_bytes(content)
    with pytest.raises(InputRefused, match=r"broken\.whl"):
        extract_models.extract(wheel, tmp_path / "models")


@SOURCES
def test_an_archive_that_is_damaged_in_the_middle_is_refused(tmp_path: Path, source: str) -> None:
    noise = np.random.default_rng(0).bytes(60_000)
    damaged = _archive(tmp_path / "damaged", source, dict.fromkeys(_models_of(source), noise))
    data = bytearray(damaged.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 40] = bytes(40)
    damaged.write_bytes(data)
    with pytest.raises(InputRefused, match="damaged"):
        extract_models.extract(damaged, tmp_path / "models")
    assert not (tmp_path / "models").exists()


def test_an_archive_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="no such file"):
        extract_models.extract(tmp_path / "gone.whl", tmp_path / "models")


@pytest.mark.slow
@SOURCES
def test_the_models_come_out_of_their_archive_byte_by_byte(tmp_path: Path, source: str) -> None:
    files = {name: models.model_path(name).read_bytes() for name in _models_of(source)}
    extract_models.extract(_archive(tmp_path / "right", source, files), tmp_path / "models")
    assert {path.name: path.read_bytes() for path in (tmp_path / "models").iterdir()} == files


def test_a_damaged_or_missing_model_is_refused_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "pose_detection.tflite"
    data = bytearray(models.model_path(name).read_bytes())
    data[1000] ^= 1
    monkeypatch.setattr(models, "FOLDER", tmp_path)
    with pytest.raises(InputRefused, match=r"cannot be read"):
        models.model_path(name)
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputRefused, match=r"extract_models"):
        models.model_path(name)
