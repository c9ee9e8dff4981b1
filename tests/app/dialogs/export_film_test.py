"""Films of the view, by the export dialog: what it asks, what comes of it, and giving up half-way."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from dialog_driver import answering, button, export_or_cancel, naming
from export_driver import typed
from full_disk import files_at_most
from motion_samples import look_at_frame, strolling
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QPushButton
from window_driver import strike, until

from app.dialogs import messages
from app.dialogs.export_dialog import ExportDialog
from app.document import edits
from app.film.film_file import film_rate
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera

pytestmark = pytest.mark.gl

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
Doing = Callable[[ExportDialog], None]


@pytest.fixture
def walking(editor: Editor) -> Editor:
    """The window with somebody who walks for two seconds."""
    editor.session.edit("Walk", edits.import_motion("c1", strolling(60)))
    editor.refresh()
    return editor


def film_page(dialog: ExportDialog) -> None:
    QTest.mouseClick(next(b for b in dialog.format.findChildren(QPushButton) if b.text() == "Film"), LEFT)


def sized(width: int, height: int, fps: int) -> Doing:
    def do(dialog: ExportDialog) -> None:
        QTest.mouseClick(dialog.film.proportions, LEFT, pos=QPoint(8, dialog.film.proportions.height() // 2))
        for box, value in ((dialog.film.fps, fps), (dialog.film.width_px, width), (dialog.film.height_px, height)):
            typed(box, value)

    return do


def staying(dialog: ExportDialog) -> None:
    """The camera is not to step back."""
    box = dialog.film.whole
    QTest.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))


def chosen(field: Callable[[ExportDialog], QComboBox], id: str) -> Doing:
    """Go to an entry by the arrow keys."""

    def do(dialog: ExportDialog) -> None:
        box = field(dialog)
        box.setFocus()
        QTest.keyClick(box, Qt.Key.Key_Home)
        while box.currentData() != id:
            before = box.currentIndex()
            QTest.keyClick(box, Qt.Key.Key_Down)
            assert box.currentIndex() != before, f"there is no {id}"

    return do


def start(
    editor: Editor, target: Path, monkeypatch: pytest.MonkeyPatch, *doings: Doing, then: tuple[Path, ...] = ()
) -> None:
    """Ctrl+E, the film's page, what is done there, and its button. then: names given where that one is refused."""
    naming(monkeypatch, target, *then)

    def answer(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)  # before, the window behind it would take keys for its own
        for do in (film_page, *doings):
            do(dialog)
        export_or_cancel(dialog)

    with answering(answer, kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, CTRL)


def frames_of(file: Path) -> list[np.ndarray]:
    with av.open(str(file)) as film:
        return [frame.to_ndarray(format="rgb24").astype(int) for frame in film.decode(video=0)]


@pytest.mark.slow
def test_the_motion_is_played_as_the_view_shows_it_and_the_window_stays_where_it_was(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_at_frame(walking.session, "c1", 7)
    told: list[float] = []
    walking.jobs.progressed.connect(lambda share, text: told.append(share))
    start(walking, tmp_path / "walk.mp4", monkeypatch, staying, sized(320, 200, 10))
    until(lambda: not walking.jobs.busy)
    found = frames_of(tmp_path / "walk.mp4")
    assert len(found) == 20
    assert told == pytest.approx(np.arange(1, 21) / 20)
    still = walking.viewport.grab_image((320, 200), transparent=False)[..., :3].astype(int)
    near = [np.abs(image - still).mean() for image in found]
    assert int(np.argmin(near)) == 2, "frame 8 of 60 is nearest to the third image of 20"
    assert walking.session.view.frames["c1"] == 7


@pytest.mark.slow
def test_the_camera_steps_back_for_people_leaving_the_picture_and_stays_where_it_is_asked_to(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_at_frame(walking.session, "c1", 0)
    walking.viewport.set_camera(replace(OrbitCamera(), target=(0.0, 0.9, 0.0), yaw=1.5, distance=4.2))
    asked: list[bool] = []

    def look(dialog: ExportDialog) -> None:
        asked.append(dialog.film.whole.isVisible() and dialog.film.whole.isChecked())

    start(walking, tmp_path / "back.mp4", monkeypatch, look, sized(320, 320, 2))
    until(lambda: not walking.jobs.busy)
    start(walking, tmp_path / "there.mp4", monkeypatch, staying, sized(320, 320, 2))
    until(lambda: not walking.jobs.busy)
    assert asked == [True], "everybody is in view before it begins"
    back, there = frames_of(tmp_path / "back.mp4"), frames_of(tmp_path / "there.mp4")
    skin = [[int((image[..., 0] > image[..., 2] + 15).sum()) for image in film] for film in (back, there)]
    assert min(skin[0]) > 0.7 * max(skin[0]), "whole in every image"
    assert skin[1][-1] < 0.5 * skin[1][0], "out of the picture in the end"


@pytest.mark.slow
def test_a_film_made_while_nobody_is_in_view_shows_them_all_the_same(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walking.viewport.set_camera(replace(OrbitCamera(), target=(30.0, 0.9, 0.0), distance=4.2))
    start(walking, tmp_path / "found.mp4", monkeypatch, sized(320, 320, 2))
    until(lambda: not walking.jobs.busy)
    skin = [int((image[..., 0] > image[..., 2] + 15).sum()) for image in frames_of(tmp_path / "found.mp4")]
    assert min(skin) > 1000


@pytest.mark.slow
def test_the_camera_goes_from_one_view_that_was_kept_to_the_next(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offered(dialog: ExportDialog) -> None:
        camera = dialog.film.camera
        said.append((camera.isVisible(), camera.itemText(1), camera.model().item(1).isEnabled()))  # type: ignore[attr-defined]

    def hint(dialog: ExportDialog) -> None:
        said.append((dialog.film.whole.isVisible(), dialog.hint.text()))

    said: list[tuple[object, ...]] = []
    walking.viewport.set_camera(replace(OrbitCamera(), target=(0.0, 0.9, 0.0), distance=8.0))
    strike(walking, Qt.Key.Key_2, CTRL)
    start(walking, tmp_path / "still.mp4", monkeypatch, offered, staying, sized(320, 320, 2))
    until(lambda: not walking.jobs.busy)
    walking.viewport.set_camera(replace(OrbitCamera(), target=(0.0, 0.9, 1.0), distance=3.0))
    strike(walking, Qt.Key.Key_4, CTRL)
    through = chosen(lambda dialog: dialog.film.camera, True)  # type: ignore[arg-type]
    start(walking, tmp_path / "shot.mp4", monkeypatch, offered, through, hint, sized(320, 320, 2))
    until(lambda: not walking.jobs.busy)
    assert said == [
        (True, "Goes through your views (keep two first: Ctrl+2, Ctrl+4)", False),
        (True, "Goes through your views 2 and 4", True),
        (False, "A moving picture without handles; its camera goes from each of your views to the next."),
    ]
    still = chosen(lambda dialog: dialog.film.shown, "still")  # type: ignore[arg-type]
    start(walking, tmp_path / "past.mp4", monkeypatch, still, sized(320, 320, 2))
    until(lambda: not walking.jobs.busy)
    for film in ("shot.mp4", "past.mp4"):
        skin = [int((image[..., 0] > image[..., 2] + 15).sum()) for image in frames_of(tmp_path / film)]
        assert skin[-1] > 3 * skin[0] > 0, "it comes closer"
    assert len(skin) == 12, "six seconds"


def test_a_folder_that_cannot_be_written_to_is_refused_before_anything_is_drawn(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    drawn: list[float] = []
    monkeypatch.setattr(messages, "refuse", lambda parent, text: said.append(text))
    walking.jobs.progressed.connect(lambda share, text: drawn.append(share))
    start(walking, tmp_path / "gone" / "walk.mp4", monkeypatch, sized(160, 120, 10))
    until(lambda: not walking.jobs.busy)
    assert ["its folder does not exist" in text for text in said] == [True]
    assert drawn == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit to the size of files")
def test_a_film_that_the_disk_has_no_room_for_leaves_the_old_file_and_is_not_drawn_again_for_another_name(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new, room = tmp_path / "old.mp4", tmp_path / "new.mp4", ExitStack()
    old.write_bytes(b"an older film")
    said: list[str] = []
    drawn: list[str] = []

    def told(_parent: object, text: str) -> None:
        room.close()
        said.append(text)

    monkeypatch.setattr(messages, "refuse", told)
    walking.jobs.progressed.connect(lambda share, text: drawn.append(text))
    room.enter_context(files_at_most(1000))
    start(walking, old, monkeypatch, sized(160, 120, 10), then=(new,))
    until(lambda: not walking.jobs.busy)
    assert [text.startswith(f"{old} cannot be written: ") for text in said] == [True]
    assert "The file there is unchanged. Save on another disk." in said[0]
    assert old.read_bytes() == b"an older film"
    assert len(frames_of(new)) == 20
    assert len([text for text in drawn if text.startswith("Drawing ")]) == 20, "each was drawn once"


@pytest.mark.slow
def test_the_range_that_is_played_is_what_is_offered_first(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walking.session.set_view(range_s=(0.5, 1.0))
    asked: list[Any] = []
    start(
        walking, tmp_path / "part.mp4", monkeypatch,
        lambda d: asked.append([d.film.shown.itemData(i) for i in range(d.film.shown.count())]), sized(160, 120, 10),
    )  # fmt: skip
    until(lambda: not walking.jobs.busy)
    assert asked == [["span", "motion", "turntable"]]
    assert len(frames_of(tmp_path / "part.mp4")) == 6


@pytest.mark.slow
def test_a_turntable_needs_no_motion_and_may_be_transparent(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}

    def look(dialog: ExportDialog) -> None:
        asked["shows"] = [dialog.film.shown.itemData(i) for i in range(dialog.film.shown.count())]
        asked["seconds"] = dialog.film.seconds.isVisible()
        asked["clear before"] = dialog.film.transparent.isVisible()

    def clear(dialog: ExportDialog) -> None:
        typed(dialog.film.seconds, "1,5")
        asked["typed"] = dialog.film.seconds.text()
        box = dialog.film.transparent
        QTest.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))

    gif = chosen(lambda d: d.film.file, "gif")
    start(editor, tmp_path / "round.gif", monkeypatch, look, gif, sized(160, 120, 6), clear)
    until(lambda: not editor.jobs.busy)
    assert asked == {"shows": ["turntable"], "seconds": True, "clear before": False, "typed": "1.5 s"}
    with Image.open(tmp_path / "round.gif") as film:
        assert (film.n_frames, film.size) == (9, (160, 120))
        alpha = np.asarray(film.convert("RGBA"))[..., 3]
    assert alpha[0, 0] == 0
    assert (alpha == 255).sum() > 300


@pytest.mark.sweep("Cancel")
@pytest.mark.parametrize("by", ["Cancel", "Esc over the view", "Esc in the timeline"])
def test_a_film_that_is_given_up_leaves_no_file(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    drawn: list[str] = []

    def stop(share: float, text: str) -> None:
        drawn.append(text)
        if len(drawn) != 3:
            return
        walking.job_bar.show()  # at once: it lets short work pass
        if by == "Cancel":
            QTest.mouseClick(walking.job_bar.cancel, LEFT)
        else:
            QTest.keyClick(walking.viewport if "view" in by else walking.panels.timeline.track, Qt.Key.Key_Escape)

    walking.jobs.progressed.connect(stop)
    start(walking, tmp_path / "walk.gif", monkeypatch, chosen(lambda d: d.film.file, "gif"), sized(160, 120, 25))
    until(lambda: not walking.jobs.busy)
    assert drawn[0] == "Drawing walk.gif: frame 1 of 50"
    assert len(drawn) < 20
    assert not (tmp_path / "walk.gif").exists()
    assert walking.viewport.grab_image((64, 48)).any(), "the view draws on"


def test_a_film_that_cannot_be_is_refused_before_it_begins(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda parent, text: said.append(text))
    start(walking, tmp_path / "nowhere" / "walk.avi", monkeypatch, sized(160, 120, 10))
    until(lambda: not walking.jobs.busy)
    assert len(said) == 1
    assert "walk.avi.mp4 cannot be written: its folder does not exist." in said[0]


def test_the_dialog_says_that_ghosts_in_the_view_are_in_a_film_until_they_are_switched_off(walking: Editor) -> None:
    said = []

    def look(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)
        film_page(dialog)
        said.append("Ghosts that the view shows are in it: B, Shift+B" in dialog.hint.text())
        button("Cancel")(dialog)

    for _ in range(2):
        strike(walking, Qt.Key.Key_B, Qt.KeyboardModifier.ShiftModifier)
        with answering(look, kind=ExportDialog):
            strike(walking, Qt.Key.Key_E, CTRL)
    assert said == [True, False]


@pytest.mark.slow
def test_through_a_photo_there_is_no_turntable_and_the_dialog_says_so_at_once(walking: Editor, tmp_path: Path) -> None:
    from app.document.model.document import Photo
    from solver.camera import PinholeCamera

    Image.new("RGB", (64, 48), (10, 200, 30)).save(tmp_path / "plain.png")
    camera = PinholeCamera([0.0, 1.0, 4.0], np.eye(3), 60.0, (32.0, 24.0), (64, 48))
    walking.session.edit("Photo", edits.set_photo(Photo(str(tmp_path / "plain.png"), "0" * 64, camera)))
    walking.session.set_view(through_photo=True)
    walking.refresh()
    seen: list[tuple[bool, str]] = []

    def look(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)
        film_page(dialog)
        for id in ("turntable", "motion"):
            chosen(lambda d: d.film.shown, id)(dialog)
            seen.append((dialog.export.isEnabled(), dialog.hint.text()))
        button("Cancel")(dialog)

    with answering(look, kind=ExportDialog):
        strike(walking, Qt.Key.Key_E, CTRL)
    assert [enabled for enabled, _ in seen] == [False, True]
    assert "press 0 in the view" in seen[0][1]
    assert "press 0" not in seen[1][1]


@pytest.mark.slow
def test_a_film_of_a_motion_has_the_motions_own_rate_until_another_is_asked_for(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def small(dialog: ExportDialog) -> None:
        typed(dialog.film.width_px, 160)
        typed(dialog.film.height_px, 100)

    start(walking, tmp_path / "walk.mp4", monkeypatch, small)
    until(lambda: not walking.jobs.busy)
    assert len(frames_of(tmp_path / "walk.mp4")) == 60, "each frame once"


@pytest.mark.parametrize(
    ("rate", "images"), [(24, 24), (29.97, 30), (50, 50), (60, 30), (100, 50), (120, 40), (0.4, 1)]
)
def test_faster_motions_are_shown_by_every_second_frame_or_every_third(rate: float, images: int) -> None:
    assert film_rate(rate) == images
