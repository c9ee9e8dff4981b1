"""The library's files: what is in a folder, whatever else lies there, and poses put into it."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from full_disk import files_at_most

from app.document.library import pose_files, shelf
from app.document.library.pose_files import add_file, free_stem, pose_text, remove, rename, save_pose, tags_of
from app.document.library.shelf import MAX_BYTES, Entry, entry_of, poses_of, shelf_of
from app.document.model.document import Character
from app.document.posing.create import new_document
from solver.errors import InputRefused

PNG = b"\x89PNG picture"


@pytest.fixture(scope="module")
def person() -> Character:
    return new_document().characters[0]


def named(root: Path) -> list[tuple[str, str]]:
    return [(entry.folder, entry.name) for entry in shelf_of(root).entries]


def test_a_saved_pose_is_found_again_with_all_that_was_said_of_it(tmp_path: Path, person: Character) -> None:
    saved = save_pose(tmp_path, "standing/at ease", "Wait: here?", ("calm", "two feet"), [person], PNG)
    (found,) = shelf_of(tmp_path, own=True).entries
    assert found == saved
    assert (found.name, found.folder, found.tags) == ("Wait: here?", "standing/at ease", ("calm", "two feet"))
    assert found.picture is not None
    assert found.picture.read_bytes() == PNG
    pose = poses_of(found).people[0].pose
    assert np.allclose(pose.rotations, person.pose.rotations, atol=1e-6)
    assert np.allclose(pose.root_position, person.pose.root_position, atol=1e-6)


@pytest.mark.skipif(sys.platform == "win32", reason="a process has no limit of file sizes there")
def test_a_pose_whose_picture_finds_no_room_is_not_left_there_without_it(tmp_path: Path, person: Character) -> None:
    with files_at_most(50_000), pytest.raises(InputRefused, match=r"Sit\.png cannot .*Nothing was written"):
        save_pose(tmp_path, "", "Sit", (), [person], PNG + bytes(60_000))
    assert not list(tmp_path.iterdir())
    assert save_pose(tmp_path, "", "Sit", (), [person], PNG).name == "Sit"


def test_a_library_that_was_never_made_is_empty(tmp_path: Path) -> None:
    assert shelf_of(tmp_path / "nowhere") == shelf_of(tmp_path)
    assert not shelf_of(tmp_path).entries


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_that_leads_nowhere_is_told_of_each_time(tmp_path: Path) -> None:
    (tmp_path / "Gone.json").symlink_to(tmp_path / "nowhere.json")
    for _ in range(2):
        (entry,) = shelf_of(tmp_path).entries
        assert (entry.name, bool(entry.trouble)) == ("Gone", True)


def test_a_file_is_read_again_where_it_has_changed_and_only_there(
    tmp_path: Path, person: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    sit, stand, wave = (save_pose(tmp_path, "", name, (), [person]).path for name in ("Sit", "Stand", "Wave"))
    read, entry = [], shelf.entry_of
    monkeypatch.setattr(shelf, "entry_of", lambda path, *rest: read.append(path) or entry(path, *rest))
    monkeypatch.setattr(shelf, "TICK_NS", 0)
    monkeypatch.setattr(shelf, "COARSE_NS", 0)
    first = shelf_of(tmp_path)
    assert read == [sit, stand, wave]
    read.clear()
    assert shelf_of(tmp_path) == first
    assert not read
    stand.write_text(stand.read_text(encoding="utf-8").replace("Stand", "Spare"), encoding="utf-8")
    sit.with_suffix(".png").write_bytes(PNG)
    wave.unlink()
    again = shelf_of(tmp_path).entries
    assert [(each.name, each.picture and each.picture.name) for each in again] == [("Sit", "Sit.png"), ("Spare", None)]
    assert read == [stand]


def test_a_file_whose_disk_counts_by_seconds_is_read_again_until_it_cannot_change_within_one(
    tmp_path: Path, person: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save_pose(tmp_path, "", "Sit", (), [person]).path
    read, entry = [], shelf.entry_of
    monkeypatch.setattr(shelf, "entry_of", lambda path, *rest: read.append(path) or entry(path, *rest))
    for seconds_ago, times in ((0, 3), (60, 1)):
        changed = (int(time.time()) - seconds_ago) * 1_000_000_000
        os.utime(path, ns=(changed, changed))
        read.clear()
        for _ in range(3):
            assert named(tmp_path) == [("", "Sit")]
        assert len(read) == times


def test_a_second_pose_of_a_name_replaces_nothing(tmp_path: Path, person: Character) -> None:
    first, second = (save_pose(tmp_path, "", "Sit", (), [person]) for _ in range(2))
    assert first.path != second.path
    assert named(tmp_path) == [("", "Sit"), ("", "Sit")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "ends too early"),
        ("[]", "is not a pose file"),
        ('{"format": "contrapposto-pose", "version": 9}', "newer"),
        ('{"format": "contrapposto-pose", "version": 1, "people": []}', "holds no people"),
        (
            '{"format": "contrapposto-pose", "version": 1, "people": [{"body": {"rest_joints": {"hip": 1}}}]}',
            "skeleton",
        ),
    ],
)
def test_a_file_that_cannot_be_used_says_why_and_the_others_stay(
    tmp_path: Path, person: Character, text: str, said: str
) -> None:
    save_pose(tmp_path, "", "Good", (), [person])
    (tmp_path / "bad.json").write_text(text, encoding="utf-8")
    bad, good = shelf_of(tmp_path).entries
    assert said in bad.trouble
    assert str(tmp_path / "bad.json") in bad.trouble
    assert (good.name, good.trouble) == ("Good", "")


def test_a_pose_of_another_rig_says_which_joints_are_meant_and_is_not_added(tmp_path: Path, person: Character) -> None:
    text = save_pose(tmp_path / "outside", "", "Knight", (), [person]).path.read_text(encoding="utf-8")
    for ours, theirs in (("pelvis", "Hips"), ("left_", "mixamorig:Left"), ("right_", "mixamorig:Right")):
        text = text.replace(f'"{ours}', f'"{theirs}')
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_text(text, encoding="utf-8")
    (foreign,) = (entry for entry in shelf_of(tmp_path).entries if entry.path == elsewhere)
    assert "Hips" in foreign.trouble
    with pytest.raises(InputRefused, match="Hips"):
        add_file(tmp_path / "mine", "", elsewhere)
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize("name", ["walk.bvh", "photo.jpg"])
def test_a_file_of_another_kind_is_not_read_as_a_damaged_pose(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"HIERARCHY\xff")
    with pytest.raises(InputRefused, match=rf"{name} is not a pose file\. .* drop it onto the view"):
        add_file(tmp_path / "mine", "", tmp_path / name)


def test_numbers_that_are_wrong_are_found_when_the_pose_is_read(tmp_path: Path, person: Character) -> None:
    content = json.loads(pose_text("Odd", (), [person]))
    content["people"][0]["local_rotations"]["head"] = [0, 0, 0, 9]
    (tmp_path / "odd.json").write_text(json.dumps(content), encoding="utf-8")
    (odd,) = shelf_of(tmp_path).entries
    with pytest.raises(InputRefused, match=r"odd\.json, people\[0\]\.local_rotations\.head"):
        poses_of(odd)


def test_what_lies_beside_poses_does_not_matter(tmp_path: Path, person: Character) -> None:
    save_pose(tmp_path, "", "Sit", (), [person])
    (tmp_path / "notes.txt").write_text("no pose", encoding="utf-8")
    (tmp_path / ".hidden.json").write_text("{}", encoding="utf-8")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path)
    assert named(tmp_path) == [("", "Sit")]


def test_a_file_that_is_far_too_large_is_not_read(tmp_path: Path) -> None:
    with open(tmp_path / "huge.json", "wb") as file:
        file.truncate(MAX_BYTES + 1)
    (huge,) = shelf_of(tmp_path).entries
    assert "larger than" in huge.trouble


def test_a_pose_file_from_elsewhere_is_copied_with_its_picture(tmp_path: Path, person: Character) -> None:
    outside = save_pose(tmp_path / "outside", "", "Lunge", ("fight",), [person], PNG)
    added = add_file(tmp_path / "mine", "new", outside.path)
    assert (added.name, added.folder, added.tags, added.own) == ("Lunge", "new", ("fight",), True)
    assert added.picture is not None


def test_a_file_that_is_no_pose_is_not_added(tmp_path: Path) -> None:
    (tmp_path / "scene.json").write_text('{"format": "contrapposto-scene"}', encoding="utf-8")
    with pytest.raises(InputRefused, match="scene.json"):
        add_file(tmp_path / "mine", "", tmp_path / "scene.json")
    assert not (tmp_path / "mine").exists()


def test_ones_own_pose_can_be_deleted_and_a_shipped_one_cannot(tmp_path: Path, person: Character) -> None:
    mine = save_pose(tmp_path, "", "Sit", (), [person], PNG)
    remove(mine)
    assert not list(tmp_path.iterdir())
    shipped = Entry(tmp_path / "a.json", "A")
    with pytest.raises(InputRefused, match="came with the program"):
        remove(shipped)


def test_a_name_becomes_a_file_that_every_system_takes(tmp_path: Path) -> None:
    assert free_stem(tmp_path, 'a/b\\c: "d"?') == "a b c d"
    assert free_stem(tmp_path, "con") == "con_"
    assert free_stem(tmp_path, " .. ") == "Pose"
    assert len(free_stem(tmp_path, "x" * 500)) <= 80


def test_a_line_of_tags_is_taken_apart() -> None:
    assert tags_of(" calm,two  feet,, calm ") == ("calm", "two feet")


@pytest.mark.parametrize(
    ("search", "found"), [("", True), ("sit", True), ("chair SIT", True), ("floor", True), ("air", False)]
)
def test_a_search_finds_the_beginnings_of_words(search: str, found: bool) -> None:
    entry = Entry(Path("a.json"), "Sit on a chair", folder="Sitting", tags=("cross-legged", "floor"))
    assert entry.answers(search) is found


def test_a_name_that_no_text_can_hold_is_shown_as_near_as_can_be(tmp_path: Path) -> None:
    path = tmp_path / "bad\udcff.json"
    path.write_text("{}", encoding="utf-8")
    assert entry_of(path).name.startswith("bad")


def test_more_poses_than_a_library_holds_are_left_out_and_that_is_said(
    tmp_path: Path, person: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        save_pose(tmp_path, "", "Sit", (), [person])
    monkeypatch.setattr(shelf, "MOST_FILES", 2)
    found = shelf_of(tmp_path)
    assert len(found.entries) == 2
    assert "more than 2 poses" in found.trouble


def test_a_folder_that_cannot_be_looked_through_says_so(tmp_path: Path, person: Character) -> None:
    file = tmp_path / "file"
    file.write_text("no folder", encoding="utf-8")
    assert str(file) in shelf_of(file).trouble


def test_where_nothing_can_be_written_or_deleted_one_line_says_why(tmp_path: Path, person: Character) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(InputRefused, match="is a file, not a folder"):
        save_pose(tmp_path / "file", "", "Sit", (), [person])
    folder = tmp_path / "folder.json"
    folder.mkdir()
    with pytest.raises(InputRefused, match="cannot be deleted"):
        remove(Entry(folder, "Folder", own=True))
    plain = save_pose(tmp_path, "", "Sit", (), [person])
    remove(plain)
    assert not plain.path.exists()


def test_of_a_folder_before_the_present_one_nothing_is_kept(tmp_path: Path, person: Character) -> None:
    for name in ("one", "two"):
        save_pose(tmp_path / name, "", name, (), [person], PNG)
        for file in (tmp_path / name).iterdir():
            os.utime(file, (1e9, 1e9))
        assert [entry.name for entry in shelf_of(tmp_path / name, own=True).entries] == [name]
    root, kept = shelf._looked[True]
    assert root == tmp_path / "two"
    assert [entry.name for _, entry in kept.values()] == ["two"]
    assert len(shelf._looked) <= 2


def test_a_name_in_other_capitals_renames_the_pose_and_its_picture(tmp_path: Path, person: Character) -> None:
    renamed = rename(save_pose(tmp_path, "", "Wave", (), [person], PNG), tmp_path, "", "wave", ("hello",))
    assert [(entry.name, entry.tags) for entry in shelf_of(tmp_path, own=True).entries] == [("wave", ("hello",))]
    assert renamed.picture is not None
    assert renamed.picture.read_bytes() == PNG
    assert sorted(path.name.lower() for path in tmp_path.iterdir()) == ["wave.json", "wave.png"]


def test_where_two_names_are_one_file_a_renamed_pose_is_not_deleted_as_the_old_one(
    tmp_path: Path, person: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a disk that takes no notice of capitals: what is written to one name is in the other."""
    saved = save_pose(tmp_path, "", "Wave", (), [person], PNG)

    def written(path: Path, text: str) -> None:
        saved.path.write_text(text, encoding="utf-8")
        path.symlink_to(saved.path)

    monkeypatch.setattr(pose_files, "write_text", written)
    renamed = rename(saved, tmp_path, "", "wave", ())
    assert renamed.name == "wave"
    assert len(poses_of(renamed).people) == 1
    assert saved.picture is not None
    assert saved.picture.exists()


def test_a_pose_that_somebody_deletes_while_it_is_renamed_is_there_under_its_new_name(
    tmp_path: Path, person: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = save_pose(tmp_path, "", "Wave", (), [person])

    def written(path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        saved.path.unlink()

    monkeypatch.setattr(pose_files, "write_text", written)
    renamed = rename(saved, tmp_path, "", "Hello", ())
    assert [path.name for path in tmp_path.iterdir()] == ["Hello.json"]
    assert len(poses_of(renamed).people) == 1


def test_a_renamed_pose_takes_no_other_s_file(tmp_path: Path, person: Character) -> None:
    other = save_pose(tmp_path, "new", "Sit", ("theirs",), [person], PNG)
    before = other.path.read_bytes()
    renamed = rename(save_pose(tmp_path, "", "Stand", (), [person]), tmp_path, "new", "SIT", ())
    assert renamed.path.name == "SIT 2.json"
    assert renamed.picture is None
    assert other.path.read_bytes() == before
    assert named(tmp_path) == [("new", "SIT"), ("new", "Sit")]


def test_what_another_program_wrote_into_a_pose_stays_when_it_is_renamed(tmp_path: Path, person: Character) -> None:
    saved = save_pose(tmp_path, "", "Sit", (), [person])
    saved.path.write_text(json.dumps({**json.loads(saved.path.read_text("utf-8")), "note": "of 1924"}), "utf-8")
    for name in ("Sit", "Sit down"):  # in its file, and in another
        saved = rename(saved, tmp_path, "", name, ("low",))
        assert json.loads(saved.path.read_text("utf-8"))["note"] == "of 1924"
    assert saved.path.name == "Sit down.json"


@pytest.mark.parametrize("text", [None, "{", "[]"])
def test_a_pose_that_another_program_damaged_or_deleted_is_not_renamed(
    tmp_path: Path, person: Character, text: str | None
) -> None:
    saved = save_pose(tmp_path, "", "Sit", (), [person])
    if text is None:
        saved.path.unlink()
    else:
        saved.path.write_text(text, encoding="utf-8")
    with pytest.raises(InputRefused, match=r"Sit\.json"):
        rename(saved, tmp_path, "", "Stand", ())
    assert [path.name for path in tmp_path.iterdir()] == ([] if text is None else ["Sit.json"])


def test_a_pose_is_never_renamed_to_what_could_not_be_read_again(tmp_path: Path, person: Character) -> None:
    saved = save_pose(tmp_path, "", "Sit", (), [person])
    before = saved.path.read_bytes()
    for name in ("Sit", "Stand"):
        with pytest.raises(InputRefused, match="tags"):
            rename(saved, tmp_path, "", name, ["a tag"] * 10_000)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [before]
