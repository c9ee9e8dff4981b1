"""A file is replaced whole or stays as it was."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from full_disk import files_at_most

from solver.errors import InputRefused
from solver.files import temporary
from solver.files.atomic import check_writable, write_bytes, write_text, write_together
from solver.files.temporary import LOCKS, create_temporary, remove_abandoned


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Root may write everywhere, so root steps down for a moment."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_text_is_written_as_utf8_with_its_own_line_ends(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "Zoë\nø\n")
    assert (tmp_path / "a.txt").read_bytes() == "Zoë\nø\n".encode()
    assert names(tmp_path) == ["a.txt"]


def test_a_new_file_gets_the_permissions_that_the_umask_allows(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "a", "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_permissions_of_an_existing_file_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("old")
    file.chmod(0o604)
    write_text(file, "new")
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("new", 0o604)


def test_a_link_stays_a_link_and_its_target_is_rewritten(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "deep" / "real")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "deep" / "real").read_text() == "new"


def test_a_write_cut_short_leaves_the_old_file_whole_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "scene.json"
    file.write_text("old")
    with files_at_most(10_000), pytest.raises(InputRefused, match=r"scene\.json.*unchanged"):
        write_bytes(file, b"x" * 100_000)
    assert file.read_text() == "old"
    assert names(tmp_path) == ["scene.json"]


def test_of_files_that_belong_together_all_are_replaced_or_none(tmp_path: Path) -> None:
    first, second = tmp_path / "label.json", tmp_path / "scene.json"
    first.write_text("old")
    with files_at_most(10_000), pytest.raises(InputRefused, match=r"scene\.json.*Nothing was written"):
        write_together({first: b"new", second: b"x" * 100_000})
    second.mkdir()
    with pytest.raises(InputRefused, match=r"scene\.json.*it is a folder"):
        write_together({first: b"new", second: b"new"})
    assert (first.read_text(), names(tmp_path)) == ("old", ["label.json", "scene.json"])
    second.rmdir()
    write_together({first: b"new", second: b"new"})
    assert (first.read_text(), second.read_text(), names(tmp_path)) == ("new", "new", ["label.json", "scene.json"])


def test_a_full_disk_is_named_and_the_old_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "scene.json"
    file.write_text("old")

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputRefused, match="the disk is full") as caught:
        write_text(file, "new")
    assert "\n" not in str(caught.value)
    assert file.read_text() == "old"
    assert names(tmp_path) == ["scene.json"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_device_is_written_to_and_never_replaced() -> None:
    with pytest.raises(InputRefused, match="the disk is full"):
        write_text("/dev/full", "x")
    assert not stat.S_ISREG(os.stat("/dev/full").st_mode)


def test_an_interrupted_write_leaves_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(source: object, target: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_text(tmp_path / "a", "x")
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("missing/a.json", "folder does not exist"),
        (".", "is a folder"),
        ("file/a.json", "folder does not exist"),
        ("n" * 300, "too long"),
        ("nul\0.json", "null"),
    ],
)
def test_an_impossible_place_is_one_clear_line(tmp_path: Path, place: str, reason: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputRefused, match=reason) as caught:
        write_text(f"{tmp_path}/{place}", "x")
    assert "\n" not in str(caught.value)
    assert names(tmp_path) == ["file"]


def test_a_folder_without_permission_is_refused() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a").write_text("old")
        folder.chmod(0o555)
        try:
            with ordinary_user(), pytest.raises(InputRefused, match="no permission"):
                write_text(folder / "a", "new")
            with ordinary_user(), pytest.raises(InputRefused, match="no permission"):
                write_text(folder / "b", "new")
            assert (folder / "a").read_text() == "old"
        finally:
            folder.chmod(0o755)


@pytest.mark.skipif(not LOCKS, reason="this system has no locks that a dead process gives up")
def test_what_a_killed_save_left_goes_with_the_next_one_and_a_living_ones_stays(tmp_path: Path) -> None:
    (tmp_path / ".contrapposto-0123456789ab.tmp").write_text("half of it")
    (tmp_path / ".somebody-elses.tmp").write_text("not ours")
    handle, living = create_temporary(tmp_path, 0o666)
    write_text(tmp_path / "a", "x")
    assert names(tmp_path) == sorted([living.name, ".somebody-elses.tmp", "a"])
    os.close(handle)
    write_text(tmp_path / "a", "y")
    assert names(tmp_path) == [".somebody-elses.tmp", "a"]


@pytest.mark.skipif(not LOCKS, reason="this system has no locks that a dead process gives up")
def test_a_temporary_file_that_is_swept_before_it_is_held_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold, swept = temporary._hold, []

    def hold_once_swept(handle: int) -> None:
        if not swept:  # by another process that saves into the same folder
            swept.extend(tmp_path.iterdir())
            remove_abandoned(tmp_path)
        hold(handle)

    monkeypatch.setattr(temporary, "_hold", hold_once_swept)
    write_text(tmp_path / "a", "whole")
    assert len(swept) == 1
    assert names(tmp_path) == ["a"]
    assert (tmp_path / "a").read_text() == "whole"


def test_a_private_file_is_nobody_elses_from_its_first_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modes: list[int] = []
    flush = os.fsync
    monkeypatch.setattr(
        os, "fsync", lambda handle: (modes.append(stat.S_IMODE(os.fstat(handle).st_mode)), flush(handle))
    )
    before = os.umask(0)
    try:
        write_text(tmp_path / "a", "x", private=True)
        write_text(tmp_path / "a", "y")  # an existing one keeps its permissions
    finally:
        os.umask(before)
    assert [modes[0], modes[2]] == [0o600, 0o600]
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600


def test_text_that_utf8_cannot_spell_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="UTF-8"):
        write_text(tmp_path / "a", "\ud800")
    assert names(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_whether_there_is_room_is_known_before_a_long_work_and_leaves_nothing(tmp_path: Path) -> None:
    check_writable(tmp_path / "a.json", room=5000)
    with files_at_most(4000), pytest.raises(InputRefused, match="a.json cannot be written: the file would be larger"):
        check_writable(tmp_path / "a.json", room=5000)
    assert not list(tmp_path.iterdir())
