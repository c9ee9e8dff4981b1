"""Writing files so that a failure never destroys the old one: a temporary file beside it, flushed, then renamed."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, NamedTuple

from solver.errors import InputRefused
from solver.files.temporary import LOCKS, create_temporary, remove_abandoned

REASONS = {
    errno.ENOSPC: ("the disk is full", "Free some space or save on another disk"),
    errno.EDQUOT: ("your disk quota is used up", "Free some space or save on another disk"),
    errno.EFBIG: ("the file would be larger than this disk allows", "Save on another disk"),
    errno.EACCES: ("you have no permission to write there", "Choose another folder"),
    errno.EPERM: ("you have no permission to write there", "Choose another folder"),
    errno.EROFS: ("the disk is read-only", "Choose another folder"),
    errno.ENOENT: ("its folder does not exist", "Create the folder or choose another one"),
    errno.ENOTDIR: ("its folder does not exist", "Create the folder or choose another one"),
    errno.EISDIR: ("it is a folder", "Choose a file name"),
    errno.ENAMETOOLONG: ("the name is too long", "Choose a shorter one"),
}

NOTHING_WRITTEN = "Nothing was written"
STANDARD_OUTPUT = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


def write_text(path: str | os.PathLike[str], text: str, private: bool = False) -> None:
    """Write UTF-8 text as `write_bytes` does; line ends stay as they are."""
    write_bytes(path, encoded(path, text), private)


def encoded(path: str | os.PathLike[str], text: str) -> bytes:
    """A text for a file as UTF-8. InputRefused if it cannot be that."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputRefused(
            path, "the text holds a character that UTF-8 cannot encode", "Rename whatever contains it"
        ) from None


def write_together(files: Mapping[Path, bytes]) -> None:
    """Replace several files, all or none of them: each is written beside its place before the first one takes it.

    Raises InputRefused with the reason, as `write_bytes` does.
    """
    beside: list[tuple[Path, _Beside]] = []
    try:
        for path, data in files.items():
            with _refusing(path):
                mode = _mode(path)
                if mode is not None and not stat.S_ISREG(mode):
                    raise IsADirectoryError(errno.EISDIR, "is no file")
                _refuse_protected(path, mode)
                beside.append((path, _written_beside(Path(os.path.realpath(path)), data, mode, private=False)))
        for path, written in beside:
            with _refusing(path):
                written.take_place()
    finally:
        for _, written in beside:
            written.clear_away()


def write_bytes(path: str | os.PathLike[str], data: bytes, private: bool = False) -> None:
    """Replace the file by `data`, all or nothing; the permissions of an existing file and a link to it are kept.

    private: a new file can be read only by its owner, whatever the umask says.
    Raises InputRefused with the reason when that fails; the old file is then intact and no temporary file stays.
    Standard output by its name is printed on, also where a shell sends it into a file: what it holds already stays.
    BrokenPipeError there if its reader has seen enough.
    """
    with _refusing(path):
        mode = _mode(path)
        if os.fspath(path) in STANDARD_OUTPUT:
            _write_straight(os.dup(1), data)
            return
        if mode is not None and not stat.S_ISREG(mode):
            _write_straight(path, data)
            return
        _refuse_protected(path, mode)
        _replace(Path(os.path.realpath(path)), data, mode, private)


def check_writable(path: str | os.PathLike[str], room: int = 0) -> None:
    """Raises InputRefused if `write_bytes` could not even begin; called before work that takes a while.

    room: bytes that have to fit on the disk; with 0 one that is nearly full is only noticed when the file is written.
    """
    with _refusing(path):
        mode = _mode(path)
        if mode is not None and not stat.S_ISREG(mode):
            if stat.S_ISDIR(mode):
                raise IsADirectoryError(errno.EISDIR, "is a folder")
            return
        _refuse_protected(path, mode)
        handle, temporary = create_temporary(Path(os.path.realpath(path)).parent, 0o600)
        with open(handle, "wb") as file:
            temporary.unlink()
            file.write(bytes(room))
            file.flush()
            os.fsync(file.fileno())  # a full disk may not be noticed before


def make_folder(folder: Path, way_out: str) -> None:
    """Make a folder and those above it if they are not there yet. InputRefused, with that way out, if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        file = next(place for place in (folder, *folder.parents) if place.exists())
        reason = "is a file, not a folder" if file == folder else f"cannot be made: {file.name} is a file, not a folder"
        raise InputRefused(folder, reason, "Move that file away, or choose another folder") from None
    except OSError as error:
        raise InputRefused(folder, f"cannot be made: {reason_of(error)}", way_out) from None


def reason_of(error: OSError | ValueError) -> str:
    """Why the system did not write, in words that fit into a sentence."""
    return REASONS.get(_number(error), ((error.strerror if isinstance(error, OSError) else None) or str(error), ""))[0]


@contextlib.contextmanager
def _refusing(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turns errors of the system into InputRefused, with the reason and what became of a file there."""
    try:
        yield
    except (OSError, ValueError) as error:
        if isinstance(error, BrokenPipeError) and os.fspath(path) in STANDARD_OUTPUT:
            raise
        way_out = REASONS.get(_number(error), ("", "Choose another place"))[1]
        kept = "The file there is unchanged" if os.path.isfile(path) else NOTHING_WRITTEN
        raise InputRefused(path, f"cannot be written: {reason_of(error)}", f"{kept}. {way_out}") from None


def _number(error: OSError | ValueError) -> int:
    return (error.errno if isinstance(error, OSError) else None) or 0


def _refuse_protected(path: str | os.PathLike[str], mode: int | None) -> None:
    if mode is not None and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "write-protected")


def _mode(path: str | os.PathLike[str]) -> int | None:
    """The mode of what the path points to, None if there is nothing."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _write_straight(path: str | os.PathLike[str] | int, data: bytes) -> None:
    # A device or a pipe must not be replaced by a file.
    with open(path, "wb", buffering=0) as file:
        view = memoryview(data)
        while view:
            view = view[file.write(view) :]


def _replace(path: Path, data: bytes, mode: int | None, private: bool) -> None:
    written = _written_beside(path, data, mode, private)
    try:
        written.take_place()
    finally:
        written.clear_away()


class _Beside(NamedTuple):
    """A whole file beside the place that it will take, open and held."""

    path: Path
    temporary: Path
    file: BinaryIO

    def take_place(self) -> None:
        if not LOCKS:
            self.file.close()  # such a system does not move an open file
        os.replace(self.temporary, self.path)  # while it is held: a sweep by another process must not remove it
        self.file.close()
        _flush_folder(self.path.parent)

    def clear_away(self) -> None:
        """Remove it unless it took its place."""
        with contextlib.suppress(OSError):  # what could not be written is flushed once more
            self.file.close()
        with contextlib.suppress(OSError):
            self.temporary.unlink()


def _written_beside(path: Path, data: bytes, mode: int | None, private: bool) -> _Beside:
    remove_abandoned(path.parent)
    # 0o666 lets the user's umask decide, as for any new file; a temporary-file helper would make it private.
    usual = 0o600 if private else 0o666
    handle, temporary = create_temporary(path.parent, usual if mode is None else stat.S_IMODE(mode))
    written = _Beside(path, temporary, os.fdopen(handle, "wb"))
    try:
        written.file.write(data)
        written.file.flush()
        os.fsync(written.file.fileno())
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
    except BaseException:
        written.clear_away()
        raise
    return written


def _flush_folder(folder: Path) -> None:
    # Makes the rename itself survive a power cut; not every system can, and the file is whole even without it.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
