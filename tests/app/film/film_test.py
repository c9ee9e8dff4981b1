"""Films: which moments they show and from where, the files that come of them, and what keeps one from being made."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
from motion_samples import raised, strolling, walker
from PIL import Image
from PySide6.QtWidgets import QApplication

from app.cli.main import main
from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.over_time.in_betweens import completed
from app.document.posing.create import new_character, new_document
from app.document.scene_file.io import save_scene
from app.film import film_file
from app.film.film import Film, images_of, middle_of, reach_of, shots, turned
from app.film.film_file import check_film, gif_bytes, mp4_bytes, write_film
from rendering.camera.camera import OrbitCamera, PhotoView, View
from solver.body.body import BodyShape
from solver.camera import PinholeCamera
from solver.errors import InputRefused, PoserError
from solver.kinematics.pose import Motion

CAMERA = OrbitCamera()


@pytest.fixture(scope="module")
def two() -> Document:
    """Somebody who strolls for two seconds at 30 frames a second, and somebody beside who stands."""
    document = walker()
    return edits.add_character(new_character(document))(document)


def images(count: int, size: tuple[int, int] = (64, 48)) -> Iterator[np.ndarray]:
    """A red square that moves over a blue ground."""
    width, height = size
    for number in range(count):
        pixels = np.full((height, width, 4), (20, 40, 200, 255), np.uint8)
        at = 4 + number * (width - 24) // count
        pixels[8:24, at : at + 16] = (230, 30, 20, 255)
        yield pixels


def test_a_film_lasts_as_long_as_the_longest_motion_at_its_own_rate(two: Document) -> None:
    assert images_of(Film(fps=30.0), two) == 60
    assert images_of(Film(fps=10.0), two) == 20
    assert images_of(Film(fps=25.0, turntable=True, seconds=2.0), two) == 50
    times = [shot.document.frames["c1"] for shot in shots(Film(fps=15.0), two, CAMERA)]
    assert times == [*range(0, 59, 2)]
    assert all(shot.camera is CAMERA for shot in shots(Film(), two, CAMERA))


def test_a_person_with_a_shorter_motion_stays_at_its_end(two: Document) -> None:
    fast = Motion(strolling(3).root_positions, strolling(3).rotations, 30.0)
    document = edits.import_motion("c2", fast)(two)
    *_, last = shots(Film(fps=30.0), document, CAMERA)
    assert last.document.frames == {"c1": 59, "c2": 2}


def test_a_span_of_time_is_shown_alone(two: Document) -> None:
    film = Film(fps=15.0, span=(0.5, 1.1))
    assert [shot.document.frames["c1"] for shot in shots(film, two, CAMERA)] == [*range(15, 34, 2)]
    assert images_of(film, two) == 10


def test_nobody_moves_is_said_and_that_a_turntable_would() -> None:
    with pytest.raises(PoserError, match="Nobody in the scene moves.*turntable"):
        images_of(Film(), new_document())
    hidden = edits.set_visible("c1", False)(walker())
    with pytest.raises(PoserError, match="Nobody"):
        images_of(Film(), hidden)


def test_a_turntable_goes_once_round_the_people_who_stay_in_the_middle(two: Document) -> None:
    film = Film(fps=10.0, turntable=True, seconds=2.0)
    camera = replace(CAMERA, target=(1.0, 0.8, 0.3), distance=6.0)
    seen = [*shots(film, two, camera)]
    assert seen[0].camera == camera
    middle = middle_of(two, camera)
    places = [View(shot.camera, 800, 600).project(middle) for shot in seen]
    assert np.ptp(places, axis=0).max() < 1e-6
    steps = np.diff([shot.camera.yaw for shot in seen])
    assert steps == pytest.approx(2 * np.pi / 20)
    again = turned(seen[-1].camera, middle, steps[0])
    assert again.eye == pytest.approx(camera.eye, abs=1e-9)


def test_a_turntable_is_not_seen_through_a_photo(two: Document) -> None:
    photo = PhotoView(PinholeCamera([0.0, 1.0, 4.0], np.eye(3), 600.0, (320.0, 240.0), (640, 480)))
    with pytest.raises(PoserError, match="cannot be made through a photo's camera"):
        next(shots(Film(turntable=True), two, photo))


@pytest.mark.parametrize("film", [Film(), Film(turntable=True)], ids=["motion", "turntable"])
def test_the_camera_of_the_command_line_has_everybody_in_view_all_the_time(two: Document, film: Film) -> None:
    from app.viewport.picture import camera_of

    camera = camera_of(two, "angle", 1.5, reach_of(film, two))
    for shot in shots(film, two, camera):
        for character in shot.document.characters:
            spots = View(shot.camera, 900, 600).project(joints_of(character).positions)
            assert (spots > 0).all()
            assert (spots < [900, 600]).all()


def test_a_camera_for_a_film_has_every_image_in_view_with_keys_in_betweens_other_rates_and_shapes() -> None:
    document = raised(walker().at_frame("c1", 20))
    document = replace(document, actors=(completed(document.actor("c1")),))
    other = new_character(document)
    motion = replace(strolling(24), fps=24.0)
    document = edits.chain(
        edits.add_character(other),
        edits.import_motion(other.id, motion),
        edits.set_shape(other.id, BodyShape(np.array([2.0] + [0.0] * 9, np.float32))),
        edits.place_together([other], (2.0, 0.0, 1.0), 1.0),
        edits.set_stride(other.id, 0.5),
    )(document)
    film = Film(fps=20.0)
    assert images_of(film, document) < 60, "each image counts"
    reach = reach_of(film, document)
    for shot in shots(film, document, CAMERA):
        for character in shot.document.characters:
            for place in joints_of(character).positions:
                assert np.linalg.norm(reach - place, axis=1).min() < 1e-4


def test_a_turntable_round_nobody_has_a_camera_too() -> None:
    nobody = edits.set_visible("c1", False)(new_document())
    assert len(reach_of(Film(turntable=True), nobody)) == 0
    assert middle_of(nobody, CAMERA) == pytest.approx(CAMERA.target)


def test_a_gif_plays_over_and_over_for_as_long_as_it_should(tmp_path: Path) -> None:
    write_film(tmp_path / "a.gif", images(12), 12, 30.0)
    with Image.open(tmp_path / "a.gif") as gif:
        assert (gif.n_frames, gif.size, gif.info["loop"]) == (12, (64, 48), 0)
        lengths = []
        for number, wanted in enumerate(images(12)):
            gif.seek(number)
            lengths.append(gif.info["duration"])
            found = np.asarray(gif.convert("RGB")).astype(int)
            assert np.abs(found - wanted[..., :3]).max() < 12
    assert set(lengths) <= {30, 40}
    assert sum(lengths) == 400


def test_a_transparent_gif_shows_what_is_behind() -> None:
    pixels = next(images(1))
    pixels[:, 40:, 3] = 0
    pixels[:, 30:40, 3] = 200
    other = pixels.copy()
    other[:, :10, 3] = 0
    with Image.open(io.BytesIO(gif_bytes(iter([pixels, other]), 2, 10.0, transparent=True))) as gif:
        for number, clear in enumerate((pixels, other)):
            gif.seek(number)
            assert np.array_equal(np.asarray(gif.convert("RGBA"))[..., 3] == 0, clear[..., 3] == 0)


def test_what_stands_still_adds_next_to_nothing_to_a_gif_and_every_image_is_right() -> None:
    ground = np.full((240, 320, 4), 255, np.uint8)
    ground[..., :3] = np.linspace((40, 50, 60), (90, 105, 120), 240)[:, None]
    frames = []
    for number in range(12):
        frame = ground.copy()
        for left in (20, 280):  # far apart: the smallest box around what changes is nearly the whole image
            frame[10 + 15 * number : 30 + 15 * number, left : left + 20, :3] = (210, 190, 170)
        frames.append(frame)
    alone = len(gif_bytes(iter(frames[:1]), 1, 10.0))
    whole = gif_bytes(iter(frames), 12, 10.0)
    assert len(whole) < 2 * alone
    with Image.open(io.BytesIO(whole)) as gif:
        for number, wanted in enumerate(frames):
            gif.seek(number)
            assert np.abs(np.asarray(gif.convert("RGB")).astype(int) - wanted[..., :3]).max() < 12


def test_a_small_person_before_a_large_ground_keeps_its_shades() -> None:
    pixels = np.zeros((200, 200, 4), np.uint8)
    pixels[..., 2] = np.linspace(40, 120, 200)[:, None]
    pixels[..., 3] = 255
    shades = np.linspace((90, 50, 40), (250, 190, 160), 20)
    pixels[90:110, 90:110, :3] = shades[:, None]
    with Image.open(io.BytesIO(gif_bytes(iter([pixels]), 1, 10.0))) as gif:
        found = np.asarray(gif.convert("RGB")).astype(int)[90:110, 90:110]
    assert np.abs(found.mean(axis=1) - shades).max() < 8


@pytest.mark.parametrize("size", [(64, 48), (65, 49)], ids=["even", "odd"])
def test_an_mp4_film_shows_every_image_in_its_colours(size: tuple[int, int]) -> None:
    with av.open(io.BytesIO(mp4_bytes(images(12, size), 24.0))) as film:
        stream = film.streams.video[0]
        assert (stream.codec_context.name, float(stream.average_rate or 0)) == ("h264", 24.0)
        found = [frame.to_ndarray(format="rgb24") for frame in film.decode(video=0)]
    assert len(found) == 12
    for ours, theirs in zip(images(12, size), found, strict=True):
        assert theirs.shape == (48, 64, 3)
        off = np.abs(theirs.astype(int) - ours[:48, :64, :3])
        assert np.median(off) <= 2
        assert off.mean() < 6


def test_a_film_that_breaks_off_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    def broken() -> Iterator[np.ndarray]:
        yield from images(2)
        raise KeyboardInterrupt

    for name in ("a.gif", "a.mp4"):
        (tmp_path / name).write_bytes(b"before")
        with pytest.raises(KeyboardInterrupt):
            write_film(tmp_path / name, broken(), 5, 10.0)
        assert (tmp_path / name).read_bytes() == b"before"
    assert len([*tmp_path.iterdir()]) == 2


@pytest.mark.parametrize(
    ("name", "count", "fps", "size", "transparent", "refusal"),
    [
        ("a.avi", 9, 25.0, (64, 48), False, r"no moving picture \(.gif, .mp4\)"),
        ("a.mp4", 9, 25.0, (64, 48), True, "cannot be transparent. Choose GIF, or a background"),
        ("a.gif", 9, 60.0, (64, 48), False, "60 frames a second is not between 1 and 50"),
        ("a.mp4", 9, 500.0, (64, 48), False, "500 frames a second is not between 1 and 120"),
        ("a.mp4", 9, 25.0, (5000, 48), False, "sides of 2 to 4,096 pixels"),
        ("a.gif", 900, 25.0, (1280, 720), False, "900 images of 1280 x 720 pixels are too much for a GIF.*MP4"),
    ],
)
def test_what_cannot_be_a_film_is_said_before_anything_is_drawn(
    name: str, count: int, fps: float, size: tuple[int, int], transparent: bool, refusal: str
) -> None:
    with pytest.raises(InputRefused, match=refusal):
        check_film(name, count, fps, size, transparent)


def test_without_the_library_for_mp4_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film_file, "find_spec", lambda name: None)
    with pytest.raises(PoserError, match="need the library “av”.*or choose GIF"):
        check_film("a.mp4", 9, 25.0, (64, 48), False)
    check_film("a.gif", 9, 25.0, (64, 48), False)


@pytest.mark.gl
@pytest.mark.parametrize("suffix", ["gif", "mp4"])
def test_the_command_line_plays_the_motion(qapp: QApplication, tmp_path: Path, suffix: str) -> None:
    save_scene(tmp_path / "scene.json", walker())
    target = tmp_path / f"walk.{suffix}"
    assert main(["render", str(tmp_path / "scene.json"), "-o", str(target), "--fps", "5", "--size", "160x120"]) == 0
    with av.open(str(target)) as film:
        found = [frame.to_ndarray(format="rgb24").astype(int) for frame in film.decode(video=0)]
    assert len(found) == 10
    assert found[0].shape == (120, 160, 3)
    assert np.abs(found[0] - found[-1]).max() > 60, "somebody walked"


@pytest.mark.gl
def test_the_command_line_films_each_frame_once_at_the_motions_own_rate(qapp: QApplication, tmp_path: Path) -> None:
    save_scene(tmp_path / "scene.json", walker())
    target = tmp_path / "walk.mp4"
    assert main(["render", str(tmp_path / "scene.json"), "-o", str(target), "--range", "1-7", "--size", "40x30"]) == 0
    with av.open(str(target)) as film:
        assert film.streams.video[0].average_rate == 30
        assert len(list(film.decode(video=0))) == 7


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.gl
@pytest.mark.parametrize(
    "command",
    [["render", "--size", "40x30"], pytest.param(["export"], marks=pytest.mark.slow)],
    ids=["render", "export, at its size"],
)
def test_on_a_terminal_a_film_shows_how_much_of_it_is_drawn(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    save_scene(tmp_path / "scene.json", walker(8))
    monkeypatch.setattr(sys, "stderr", Terminal())
    (word, *options), target = command, tmp_path / "walk.gif"
    assert main([word, str(tmp_path / "scene.json"), "-o", str(target), *options]) == 0
    assert isinstance(sys.stderr, Terminal)
    shares = [int(share) for share in re.findall(r"(\d+)%", sys.stderr.getvalue())]
    assert len(shares) >= 3
    assert shares == sorted(shares)
    assert sys.stderr.getvalue().endswith("\r\x1b[K\r"), "the line is gone at the end"


@pytest.mark.gl
def test_the_command_line_turns_round_the_people_on_nothing(qapp: QApplication, tmp_path: Path) -> None:
    save_scene(tmp_path / "scene.json", new_document())
    target = tmp_path / "round.gif"
    arguments = ["--turntable", "--seconds", "1", "--fps", "8", "--size", "120x120", "--transparent"]
    assert main(["render", str(tmp_path / "scene.json"), "-o", str(target), *arguments]) == 0
    with Image.open(target) as gif:
        assert gif.n_frames == 8
        shapes = []
        for number in range(8):
            gif.seek(number)
            shapes.append(np.asarray(gif.convert("RGBA"))[..., 3] > 0)
    widths = [np.ptp(np.flatnonzero(shape.any(axis=0))) for shape in shapes]
    assert all(not shape[:, 0].any() and not shape[0].any() and shape.any() for shape in shapes)
    assert len({shape.tobytes() for shape in shapes}) == 8
    assert max(widths) > 1.15 * min(widths), "from the side a person is narrower than from the front"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["-o", "OUT.gif"],
            1,
            "Nobody in the scene moves, so there is no motion to show. Make a turntable instead: from",
        ),
        (["-o", "OUT.jpg"], 1, "out.jpg: the suffix names nothing that can be drawn (.png, .gif, .mp4). Change it."),
        (["-o", "OUT.png", "--turntable"], 1, "a turntable moves, and a PNG file does not"),
        (["-o", "OUT.mp4", "--turntable", "--transparent"], 1, "an MP4 film cannot be transparent"),
        (["-o", "OUT.gif", "--turntable", "--fps", "fast"], 2, "“fast” is not a number above 0"),
        (["-o", "OUT.gif", "--turntable", "--seconds", "0"], 2, "“0” is not a number above 0"),
    ],
)
def test_a_film_that_cannot_be_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    save_scene(tmp_path / "scene.json", new_document())
    named = [argument.replace("OUT", str(tmp_path / "out")) for argument in arguments]
    assert main(["render", str(tmp_path / "scene.json"), *named]) == code
    assert message in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["scene.json"]
