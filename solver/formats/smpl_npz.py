"""Reading motion of SMPL bodies: AMASS's .npz files and their kin. What such a file has pickled is never opened."""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.reading import MEBIBYTE, read_bytes

MAX_FRAMES = 1_000_000
MAX_BYTES = 80_000_000 * 8  # of one array, unpacked
DEFAULT_FPS = 30.0
LARGEST_TURN = 8 * np.pi  # radians: numbers beyond are degrees, or nothing at all
FARTHEST = 1e4  # metres
RATES = ("mocap_framerate", "mocap_frame_rate")
PARTS = ("root_orient", "pose_body")  # what “poses” begins with, where a file has only the parts

# What numpy and zipfile raise for a file that is no archive, was cut short, or announces more than it holds.
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, KeyError, NotImplementedError, MemoryError)

Array = NDArray[np.float64]


class _Layout(NamedTuple):
    """model: whose joints these are. hands: places of left_hand and right_hand, SMPL's last two joints."""

    model: str
    hands: tuple[int, int] | None


# By the number of joints. With fingers the hand is the middle finger's first joint, where SMPL's hand joint is.
_LAYOUTS = {
    22: _Layout("SMPL", None),
    24: _Layout("SMPL", (22, 23)),
    52: _Layout("SMPL-H", (25, 40)),
    55: _Layout("SMPL-X", (28, 43)),
}


@dataclass(frozen=True, eq=False)
class SmplFile:
    """What such a file says, in its own axes.

    model: "SMPL", "SMPL-H" or "SMPL-X". poses: (F, 24, 3) axis times angle of SMPL's joints, R_parent_joint.
    trans: (F, 3) metres. fps: frames a second. notes: what was missing and how it was filled in.
    """

    source: str
    model: str
    poses: Array
    trans: Array
    fps: float
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.poses)

    def thinned(self, step: int) -> SmplFile:
        """Every `step`-th frame."""
        return replace(self, poses=self.poses[::step], trans=self.trans[::step], fps=self.fps / step)


def read_smpl_npz(path: str | os.PathLike[str]) -> SmplFile:
    """Read a file with `poses` (F, 66, 72, 156 or 165) and `trans` (F, 3); InputRefused says what is wrong otherwise.

    Only these arrays and the frame rate are read: AMASS's files for SMPL-X also hold an object, which stays shut.
    """
    arrays = _arrays(path)
    for name in ("poses", "trans"):
        if name not in arrays:
            raise InputRefused(path, f"holds no {name}", "Choose a motion of an SMPL body, as AMASS has them")
    notes: list[str] = []
    poses = _numbers(path, "poses", arrays["poses"], LARGEST_TURN)
    trans = _numbers(path, "trans", arrays["trans"], FARTHEST)
    frames, width = poses.shape
    layout = _LAYOUTS.get(width // 3) if width % 3 == 0 else None
    if layout is None:
        known = ", ".join(str(3 * joints) for joints in _LAYOUTS)
        raise InputRefused(path, f"has {width} numbers a frame, not {known}", "Export it as axis and angle", "poses")
    if trans.shape != (frames, 3):
        raise InputRefused(path, f"has the shape {trans.shape}, not {(frames, 3)}", "Export it again", "trans")
    if not 1 <= frames <= MAX_FRAMES:
        raise InputRefused(path, f"has {frames:,} frames", f"Choose one with 1 to {MAX_FRAMES:,}", "poses")
    turns = poses.reshape(frames, -1, 3)
    hands = np.zeros((frames, 2, 3)) if layout.hands is None else turns[:, list(layout.hands)]
    body = np.concatenate([turns[:, :22], hands], axis=1)
    return SmplFile(str(path), layout.model, body, trans, _rate(path, arrays, notes), tuple(notes))


def _arrays(path: str | os.PathLike[str]) -> dict[str, NDArray]:
    """The arrays that are wanted and there."""
    data = io.BytesIO(read_bytes(path, 512 * MEBIBYTE))
    try:
        file = np.load(data, allow_pickle=False)
        if not isinstance(file, NpzFile):
            raise InputRefused(path, "is one array, not an archive of arrays", "Choose another file")
        with file:
            wanted = {"trans", *RATES, *(("poses",) if "poses" in file.files else PARTS)}
            found = {name: _one(path, file, name) for name in file.files if name in wanted}
    except _DAMAGED as error:
        raise InputRefused(path, f"is damaged or no .npz file ({error})", "Copy it again") from None
    if "poses" not in found and all(part in found for part in PARTS):
        try:
            found["poses"] = np.concatenate([found.pop(part) for part in PARTS], axis=-1)
        except ValueError:
            raise InputRefused(path, "root_orient and pose_body do not belong together", "Export it again") from None
    return found


def _one(path: str | os.PathLike[str], file: NpzFile, name: str) -> NDArray:
    """One array of the archive, which may not unpack to absurd sizes and may not be pickled."""
    assert file.zip is not None
    if file.zip.getinfo(f"{name}.npy").file_size > MAX_BYTES:
        raise InputRefused(path, f"is larger than {MAX_BYTES // 2**20} MB", "Choose a shorter part", name)
    try:
        return file[name]
    except _DAMAGED as error:
        if "allow_pickle" in str(error):
            reason = "holds pickled objects, which could run any program, so it was not opened"
            raise InputRefused(path, reason, "Save it as plain numbers", name) from None
        raise InputRefused(path, f"cannot be read ({error})", "Copy it again", name) from None


def _numbers(path: str | os.PathLike[str], name: str, array: NDArray, largest: float) -> Array:
    """The array as float64 with a row for each frame; InputRefused names the first row that is no motion."""
    if array.dtype.kind not in "fiu":
        raise InputRefused(path, f"holds {array.dtype}, not numbers", "Export it again", name)
    values = np.asarray(array, dtype=np.float64)
    values = values[None] if values.ndim == 1 else values  # a single pose
    if values.ndim != 2:
        raise InputRefused(path, f"has the shape {values.shape}, not (frames, numbers)", "Export it again", name)
    wrong = ~(np.abs(values) <= largest).all(axis=-1)
    if wrong.any():
        row = int(np.argmax(wrong))
        finite = np.isfinite(values[row]).all()
        reason = f"holds numbers beyond ±{largest:.5g}" if finite else "holds a number that is not finite (NaN)"
        way_out = "Angles are radians, lengths metres" if finite else "Mend or remove the file"
        raise InputRefused(path, reason, way_out, f"{name}, frame {row + 1}")
    return values


def _rate(path: str | os.PathLike[str], arrays: dict[str, NDArray], notes: list[str]) -> float:
    rate = next((arrays[name] for name in RATES if name in arrays), None)
    if rate is None:
        notes.append(f"the frame rate is missing; {DEFAULT_FPS:g} frames a second were taken")
        return DEFAULT_FPS
    if rate.size != 1 or rate.dtype.kind not in "fiu" or not 1e-3 <= float(rate.item()) <= 1e5:
        raise InputRefused(path, f"the frame rate is impossible ({str(rate)[:40]})", "Write frames a second", RATES[0])
    return float(rate.item())
