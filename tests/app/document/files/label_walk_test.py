"""A folder that is labelled: where each picture comes from, which is next, what is said of damaged files."""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from labelling_driver import CAMERA, prepared, scene_of, wrist
from PIL import Image

from app.document import edits
from app.document.exchange.label_files import COCO_FILE, FOLDER, files_of
from app.document.exchange.label_folder import make_label_folder, prepare, save_label
from app.document.exchange.label_opening import LabelPicture, PeopleReader, open_picture, with_picture_of_now
from app.document.exchange.label_sequence import LabelSequence, read_sequence
from app.document.exchange.label_state import PictureState, Stage, state_of
from app.document.model.document import Document, Photo
from app.document.scene_file.io import load_scene, save_scene
from app.document.scene_file.photo_link import sha256_of
from solver.errors import InputRefused


@dataclass(frozen=True)
class Seen(PeopleReader):
    """Sees one person in every picture, and remembers which it was asked for."""

    asked: list[str] = field(default_factory=list)

    def people_in(self, path: Path, progress: Any = None, cancelled: Any = None) -> tuple[Document, int]:
        self.asked.append(path.name)
        return scene_of(path), 0


def opened(picture: LabelPicture | None) -> Document:
    assert picture is not None
    assert picture.document is not None
    return picture.document


def test_a_picture_comes_from_its_scene_else_its_label_else_it_is_read_and_proposed(tmp_path: Path) -> None:
    folder, reader = prepared(tmp_path), Seen("anny")
    one, two, three = files_of(folder, folder / FOLDER)
    document = scene_of(one.picture)
    moved = edits.rename_character(document.characters[0].id, "Ada")(document)
    save_label(one, moved, checked=True)
    two.scene.unlink()
    three.scene.unlink()
    three.label.unlink()
    assert opened(open_picture(one, 1, reader)).characters[0].name == "Ada"
    assert len(opened(open_picture(two, 2, reader)).characters) == 2
    assert reader.asked == []
    found = open_picture(three, 3, reader)
    np.testing.assert_allclose(wrist(opened(found)), wrist(scene_of(three.picture)))
    assert found is not None
    assert (found.state.stage, found.seen) == (Stage.PROPOSED, sha256_of(three.scene))
    assert reader.asked == ["c.png"]


def test_reading_that_is_cancelled_writes_nothing(tmp_path: Path) -> None:
    Image.new("RGB", (80, 60)).save(tmp_path / "a.png")
    (files,) = files_of(tmp_path, tmp_path)
    assert open_picture(files, 1, Seen("anny"), cancelled=lambda: True) is None
    assert not files.label.exists()


def test_a_proposal_that_cannot_be_written_is_open_all_the_same(tmp_path: Path) -> None:
    Image.new("RGB", (80, 60)).save(tmp_path / "a.png")
    (files,) = files_of(tmp_path, tmp_path / "gone")
    found = open_picture(files, 1, Seen("anny"))
    assert found is not None
    assert (found.state.stage, found.seen, len(opened(found).characters)) == (Stage.NEW, "", 1)


def test_a_picture_whose_name_is_too_long_for_its_files_is_open_all_the_same(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    Image.new("RGB", (80, 60)).save(tmp_path / f"{'人' * 83}.png")
    (files,) = files_of(tmp_path, tmp_path / FOLDER)
    assert len(os.fsencode(files.scene.name)) > 255, "longer than a name may be"
    found = open_picture(files, 1, Seen("anny"))
    assert found is not None
    assert (found.state.stage, found.seen, len(opened(found).characters)) == (Stage.NEW, "", 1)
    assert read_sequence(tmp_path).states == [PictureState()]
    with pytest.raises(InputRefused, match="the name is too long"):
        save_label(files, opened(found), checked=True)


def test_a_label_that_cannot_be_read_stays_while_its_picture_is_read(tmp_path: Path) -> None:
    Image.new("RGB", (80, 60)).save(tmp_path / "a.png")
    (files,) = files_of(tmp_path, tmp_path)
    files.label.write_text("{}")
    found = open_picture(files, 1, Seen("anny"))
    assert found is not None
    assert found.state.stage is Stage.REFUSED
    assert len(opened(found).characters) == 1
    assert files.label.read_text() == "{}"
    assert not files.scene.exists()


def test_a_picture_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("no picture")
    (files,) = files_of(tmp_path, tmp_path)
    found = open_picture(files, 1, PeopleReader("anny"))
    assert found is not None
    assert (found.document, found.state.stage) == (None, Stage.UNREADABLE)
    assert found.state.reason == f"{files.picture} is not a picture that this program can read."
    assert files.by_name(found.state.reason) == "a.png is not a picture that this program can read."


def test_a_damaged_scene_leaves_its_picture_in_the_key_points_and_says_that_the_label_can_be_opened(
    tmp_path: Path,
) -> None:
    folder = prepared(tmp_path)
    one = files_of(folder, folder / FOLDER)[0]
    one.scene.write_text(one.scene.read_text()[:200])
    found = open_picture(one, 1, Seen("anny"))
    assert found is not None
    assert (found.document, found.state.stage) == (None, Stage.UNREADABLE)
    assert found.state.row == state_of(one, 1).row
    assert re.search(r"a\.scene\.json.* ends too early.*\. .*move it away: then the picture opens", found.state.reason)
    one.scene.unlink()
    assert len(opened(open_picture(one, 1, Seen("anny"))).characters) == 1
    one.picture.unlink()
    gone = open_picture(one, 1, Seen("anny"))
    assert gone is not None
    assert gone.state.row is None


def test_a_label_of_another_scene_than_is_there_now_no_longer_counts_as_checked(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    one, two, _ = files_of(folder, folder / FOLDER)
    for files in (one, two):
        save_label(files, load_scene(files.scene), checked=True)
        same = open_picture(files, 1, Seen("anny"))
        assert same is not None
        assert (same.state.stage, same.state.is_decided, same.stale) == (Stage.CHECKED, True, False)
    save_scene(one.scene, edits.rename_character(load_scene(one.scene).characters[0].id, "Ada")(load_scene(one.scene)))
    changed = open_picture(one, 1, Seen("anny"))
    assert changed is not None
    assert (changed.state.stage, changed.stale) == (Stage.PROPOSED, True)
    label = json.loads(two.label.read_text(encoding="utf-8"))
    del label["scene"]  # as earlier versions wrote them
    two.label.write_text(json.dumps(label), encoding="utf-8")
    old = open_picture(two, 2, Seen("anny"))
    assert old is not None
    assert (old.state.stage, old.stale) == (Stage.CHECKED, False)


def test_another_content_of_the_picture_is_noticed_and_taken_over_once_it_was_looked_at(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    one, two, three = files_of(folder, folder / FOLDER)
    same = open_picture(one, 1, Seen("anny"))
    assert same is not None
    assert with_picture_of_now(opened(same), one, same.now) is opened(same)
    Image.new("RGB", CAMERA.image_size, "red").save(two.picture)
    other = open_picture(two, 2, Seen("anny"))
    assert other is not None
    assert (other.now, other.fits) == (sha256_of(two.picture), True)
    further = edits.choose_photo(1)(edits.add_photo(Photo("x.png", "0" * 64, CAMERA))(opened(other)))
    photos = with_picture_of_now(further, two, other.now).photos
    assert [photo.sha256 for photo in photos] == ["0" * 64, other.now]
    Image.new("RGB", (80, 60), "red").save(three.picture)
    small = open_picture(three, 3, Seen("anny"))
    assert small is not None
    assert not small.fits


def test_going_on_and_back_passes_what_cannot_be_read_and_wraps_for_the_unchecked(tmp_path: Path) -> None:
    stages = (Stage.PROPOSED, Stage.UNREADABLE, Stage.CHECKED, Stage.UNUSABLE, Stage.NEW)
    sequence = LabelSequence([], [PictureState(stage) for stage in stages])
    sequence.every = files_of_many(tmp_path, len(stages))
    assert [sequence.following(0, 1), sequence.following(2, -1)] == [2, 0]
    assert [sequence.following(4, 1), sequence.following(0, -1)] == [None, None]
    assert sequence.following(0, 1, unchecked=True) == 4
    assert sequence.following(4, 1, unchecked=True) == 0
    assert sequence.following(0, -1, unchecked=True) == 4
    assert sequence.first() == 0
    assert sequence.count(Stage.CHECKED, Stage.UNUSABLE) == 2


def files_of_many(folder: Path, count: int) -> list[Any]:
    for number in range(count):
        (folder / f"{number}.png").touch()
    return files_of(folder, folder)


def test_a_folder_is_looked_through_with_progress_and_its_key_points_are_written_anew(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    for number in range(60):
        (folder / f"z{number}.png").touch()
    (folder / FOLDER / COCO_FILE).unlink(missing_ok=True)
    told: list[float] = []
    sequence = read_sequence(folder, lambda share, _text: told.append(share))
    assert [state.stage for state in sequence.states[:4]] == [Stage.PROPOSED] * 3 + [Stage.NEW]
    assert told == [pytest.approx(50 / 63)]
    assert len(json.loads((folder / FOLDER / COCO_FILE).read_text())["images"]) == 3
    assert read_sequence(folder).first() == 0


def test_where_the_labels_folder_cannot_be_made_the_reason_is_said(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("a file in its place")
    with pytest.raises(InputRefused, match="is a file, not a folder. Move that file away"):
        make_label_folder(tmp_path / FOLDER)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda top: top.update(version=3), "version"),
        (lambda top: top.update(checked="yes"), "checked"),
        (lambda top: top.update(usable=1), "usable"),
        (lambda top: top["people"][0]["key_points"].pop(), "people[0].key_points"),
        (lambda top: top["people"][0]["key_points"][3].pop(), "people[0].key_points[3]"),
        (lambda top: top["people"][0]["key_points"][3].__setitem__(0, "left"), "people[0].key_points[3][0]"),
        (lambda top: top["people"][0]["key_points"][3].__setitem__(0, 1e9), "people[0].key_points[3][0]"),
    ],
)
def test_what_is_wrong_is_said_by_its_place_and_the_label_counts_as_refused(
    tmp_path: Path, change: Any, place: str
) -> None:
    folder = prepared(tmp_path)
    files = files_of(folder, folder / FOLDER)[0]
    top = json.loads(files.label.read_text(encoding="utf-8"))
    change(top)
    files.label.write_text(json.dumps(top), encoding="utf-8")
    state = state_of(files, 1)
    assert state.stage is Stage.REFUSED
    assert re.search(re.escape(place) + "[: ]", state.reason)


def test_a_label_with_a_damaged_pose_opens_with_its_scene_and_counts_as_refused(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    files = files_of(folder, folder / FOLDER)[0]
    top = json.loads(files.label.read_text(encoding="utf-8"))
    top["people"][0]["betas"][0] = 99.0
    files.label.write_text(json.dumps(top), encoding="utf-8")
    found = open_picture(files, 1, Seen("anny"))
    assert found is not None
    assert found.state.stage is Stage.REFUSED
    assert "people[0].betas[0]" in found.state.reason
    assert len(opened(found).characters) == 1


def test_text_that_is_no_json_is_said_with_its_line(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    files = files_of(folder, folder / FOLDER)[0]
    files.label.write_text('{"format": \n oh}', encoding="utf-8")
    assert "line 2" in state_of(files, 1).reason


def test_a_picture_given_for_a_folder_is_called_a_file(tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    Image.new("RGB", (8, 8)).save(picture)
    with pytest.raises(InputRefused, match="is a file, not a folder"):
        files_of(picture, tmp_path)


def test_a_folder_that_the_system_refuses_to_list_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="cannot be read"):
        files_of(tmp_path / ("long" * 100), tmp_path)


def test_preparing_that_is_stopped_leaves_the_key_points_of_what_was_read(tmp_path: Path) -> None:
    folder, out = prepared(tmp_path), tmp_path / "out"

    def read(path: Path) -> tuple[Document, int]:
        if path.name == "c.png":
            raise KeyboardInterrupt
        return scene_of(path), 0

    with pytest.raises(KeyboardInterrupt):
        prepare(folder, out, read, lambda _line: None, pytest.fail)

    coco = json.loads((out / COCO_FILE).read_text(encoding="utf-8"))
    assert [Path(image["file_name"]).name for image in coco["images"]] == ["a.png", "b.png"]
    assert len(coco["annotations"]) == 2


def test_preparing_ends_once_no_further_label_can_be_written(tmp_path: Path) -> None:
    folder, out = prepared(tmp_path), tmp_path / "out"
    seen: list[str] = []

    def read(path: Path) -> tuple[Document, int]:
        seen.append(path.name)
        if path.name == "b.png":
            shutil.rmtree(out)
        return scene_of(path), 0

    with pytest.raises(InputRefused, match="coco.json cannot be written: its folder does not exist"):
        prepare(folder, out, read, lambda _line: None, pytest.fail)
    assert seen == ["a.png", "b.png"], "to read the rest would be in vain"
