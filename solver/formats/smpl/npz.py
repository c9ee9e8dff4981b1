"""Reading motions of SMPL bodies: AMASS's .npz files and the like. Pickled parts of such a file are never opened."""

from __future__ import annotations

import os
import zipfile
from dataclasses import dataclass, replace
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from solver.body.body import GENDERS, SHAPE_COMPONENTS, SHAPE_LIMIT, BodyShape
from solver.body.catalog import DEFAULT_BODY, OURS, is_fitted, is_ours
from solver.body.whole_rig import FINGER_JOINTS
from solver.errors import InputRefused
from solver.files.npz_file import Shapes, read_npz
from solver.files.reading import open_regular
from solver.size_limits import MAX_ARCHIVE_BYTES, MAX_FRAMES

DEFAULT_FPS = 30.0
LARGEST_TURN = 8 * np.pi  # radians: numbers beyond are degrees, or nothing at all
FARTHEST = 1e4  # metres
RATES = ("mocap_framerate", "mocap_frame_rate")
Z_UP = "contrapposto_z_up"  # in our own files; in others it has to be guessed which axis points up
OUR_SHAPE = "contrapposto_shape"  # likewise: the gender's number in GENDERS and the betas of a body of our own
OUR_BODY = "contrapposto_body"  # and its number in OURS; the adult's where it is missing
OUR_FITTED = "contrapposto_body_id"  # instead of that, of a body in the proportions of somebody's own character
OUR_NAME = "contrapposto_name"  # and what the person is called, in UTF-8
LONGEST_NAME = 1000  # bytes
CHUNK = 4096  # frames looked at at once
PARTS = ("root_orient", "pose_body")  # what “poses” begins with, if a file has only the parts

Array = NDArray[np.float64]


class _Layout(NamedTuple):
    """model: whose joints these are. hands: places of left_hand and right_hand, SMPL's last two joints. fingers: the
    place of the first of the 30 finger joints, in the order of `FINGER_JOINTS`."""

    model: str
    hands: tuple[int, int] | None
    fingers: int | None = None


# By the number of joints. With fingers the hand is the middle finger's first joint, where SMPL's hand joint is.
_LAYOUTS = {
    22: _Layout("SMPL", None),
    24: _Layout("SMPL", (22, 23)),
    52: _Layout("SMPL-H", (25, 40), 22),
    55: _Layout("SMPL-X", (28, 43), 25),
}


@dataclass(frozen=True, eq=False)
class SmplFile:
    """The content of such a file, in its own axes.

    model: "SMPL", "SMPL-H" or "SMPL-X". poses: (F, 24, 3) axis times angle of SMPL's joints, R_parent_joint.
    trans: (F, 3) metres. fps: frames a second. notes: what was missing and how it was filled in. up: the axis that
    points up, "+Y", "-Y" or "+Z", where that is known; "" where it has to be guessed. fingers: (F, 30, 3) likewise for
    `FINGER_JOINTS`, whose first joints hang on the wrist; None if the file has none or leaves them all at rest. shape:
    of our own body, in files of this program; body: its id. name: what the person is called in such a file, "" in
    others. has_floor: whether the floor is at the height 0; if not, feet say where it is.
    """

    source: str
    model: str
    poses: Array
    trans: Array
    fps: float
    notes: tuple[str, ...] = ()
    up: str = ""
    fingers: Array | None = None
    shape: BodyShape | None = None
    body: str = DEFAULT_BODY
    name: str = ""
    has_floor: bool = True

    def __len__(self) -> int:
        return len(self.poses)

    def thinned(self, step: int) -> SmplFile:
        """Every `step`-th frame."""
        fingers = None if self.fingers is None else self.fingers[::step]
        return replace(self, poses=self.poses[::step], trans=self.trans[::step], fps=self.fps / step, fingers=fingers)


def holds_motion(path: str | os.PathLike[str]) -> bool:
    """Whether an archive has the arrays of one motion, which those of several people are not; true for what is not an
    archive, which `read_smpl_npz` refuses.

    InputRefused for a file that cannot be read.
    """
    with open_regular(path, MAX_ARCHIVE_BYTES) as file:
        try:
            with zipfile.ZipFile(file) as archive:
                there = [f"{name}.npy" for name in ("poses", *PARTS) if f"{name}.npy" in archive.namelist()]
                return bool(there) and not _of_several(archive, there[0])
        except Exception:  # zipfile raises a dozen kinds for a damaged archive
            return True


def _of_several(archive: zipfile.ZipFile, name: str) -> bool:
    """Whether an array has a row for each frame of each person."""
    with archive.open(name) as array:
        major, _ = npy.read_magic(array)
        header = npy.read_array_header_1_0 if major == 1 else npy.read_array_header_2_0
        return len(header(array)[0]) > len(("frames", "numbers"))


def read_smpl_npz(path: str | os.PathLike[str]) -> SmplFile:
    """Read a file with `poses` (F, 66, 72, 156 or 165) and `trans` (F, 3); InputRefused says what is wrong.

    Only these arrays and the frame rate are read: AMASS's files for SMPL-X also hold an object, which is not opened.
    """
    arrays = _arrays(path)
    for name in ("poses", "trans"):
        if name not in arrays:
            raise InputRefused(path, f"holds no {name}", "Choose a motion of an SMPL body, such as those of AMASS")
    notes: list[str] = []
    rate = _rate(path, arrays, notes)
    file = smpl_file(path, arrays["poses"], arrays["trans"], rate, tuple(notes))
    ours = _shape(path, arrays), _body(path, arrays), _name(path, arrays)
    return replace(file, up="+Z" if Z_UP in arrays else "", shape=ours[0], body=ours[1], name=ours[2])


def smpl_file(
    path: str | os.PathLike[str], poses: NDArray[Any], trans: NDArray[Any], fps: float, notes: tuple[str, ...] = ()
) -> SmplFile:
    """A file of these numbers: poses (F, 66, 72, 156 or 165), trans (F, 3). InputRefused names what does not fit."""
    poses = _numbers(path, "poses", poses, LARGEST_TURN)
    trans = _numbers(path, "trans", trans, FARTHEST)
    frames, width = poses.shape
    layout = _LAYOUTS.get(width // 3) if width % 3 == 0 else None
    if layout is None:
        known = ", ".join(str(3 * joints) for joints in _LAYOUTS)
        raise InputRefused(path, f"has {width} numbers a frame, not {known}", "Export it as axis and angle", "poses")
    if trans.shape != (frames, 3):
        raise InputRefused(path, f"has the shape {trans.shape}, not {(frames, 3)}", "Export it again", "trans")
    if not 1 <= frames <= MAX_FRAMES:
        raise InputRefused(path, f"has {frames:,} frames", f"Choose one with 1 to {MAX_FRAMES:,}", "poses")
    turns, body = poses.reshape(frames, -1, 3), np.zeros((frames, 24, 3))
    body[:, :22] = turns[:, :22]
    if layout.hands is not None:
        body[:, 22:] = turns[:, list(layout.hands)]
    fingers = None if layout.fingers is None else turns[:, layout.fingers : layout.fingers + len(FINGER_JOINTS)]
    if fingers is not None and not np.any(fingers):
        fingers = None
    return SmplFile(str(path), layout.model, body, np.asarray(trans, np.float64), fps, notes, fingers=fingers)


def _arrays(path: str | os.PathLike[str]) -> dict[str, NDArray[Any]]:
    """Those of the wanted arrays that are there."""

    def choose(shapes: Shapes) -> list[str]:
        for name, shape in shapes.items():
            if name in (*PARTS, "poses", "trans") and len(shape) > 1 and shape[0] > MAX_FRAMES:
                way_out = f"Choose one with 1 to {MAX_FRAMES:,}"
                raise InputRefused(path, f"has {shape[0]:,} frames", way_out, name)
            if name in RATES and prod(shape) != 1:
                raise InputRefused(path, f"the frame rate has the shape {shape}", "Write frames a second", name)
        return [name for name in shapes if "poses" not in shapes or name not in PARTS]

    found = read_npz(path, ("poses", *PARTS, "trans", *RATES, Z_UP, OUR_SHAPE, OUR_BODY, OUR_FITTED, OUR_NAME), choose)
    if "poses" not in found and all(part in found for part in PARTS):
        try:
            found["poses"] = np.concatenate([found.pop(part) for part in PARTS], axis=-1)
        except ValueError:
            raise InputRefused(path, "root_orient and pose_body do not belong together", "Export it again") from None
    return found


def _numbers(path: str | os.PathLike[str], name: str, array: NDArray, largest: float) -> NDArray[Any]:
    """The array with a row for each frame; InputRefused names the first row that is not valid motion."""
    values = array[None] if array.ndim == 1 else array  # a single pose
    if values.ndim != 2:
        raise InputRefused(path, f"has the shape {values.shape}, not (frames, numbers)", "Export it again", name)
    for first in range(0, len(values), CHUNK):
        fits = (np.abs(values[first : first + CHUNK].astype(np.float64)) <= largest).all(axis=-1)
        if fits.all():
            continue
        row = first + int(np.argmin(fits))
        finite = np.isfinite(values[row]).all()
        reason = f"holds numbers beyond ±{largest:.5g}" if finite else "holds a number that is not finite (NaN)"
        way_out = "Angles are radians, lengths metres" if finite else "Mend or remove the file"
        raise InputRefused(path, reason, way_out, f"{name}, frame {row + 1}")
    return values


def _rate(path: str | os.PathLike[str], arrays: dict[str, NDArray], notes: list[str]) -> float:
    rate = next((arrays[name] for name in RATES if name in arrays), None)
    if rate is None:
        notes.append(f"the frame rate is missing; {DEFAULT_FPS:g} frames a second were assumed")
        return DEFAULT_FPS
    if not 1e-3 <= float(rate.item()) <= 1e5:
        raise InputRefused(path, f"the frame rate is impossible ({str(rate)[:40]})", "Write frames a second", RATES[0])
    return float(rate.item())


def _shape(path: str | os.PathLike[str], arrays: dict[str, NDArray]) -> BodyShape | None:
    told = arrays.get(OUR_SHAPE)
    if told is None:
        return None
    fits = told.shape == (1 + SHAPE_COMPONENTS,) and bool(np.isfinite(told).all())
    if not fits or told[0] not in range(len(GENDERS)) or np.abs(told[1:]).max() > SHAPE_LIMIT:
        raise InputRefused(path, "does not hold a shape of our body", "Export it again", OUR_SHAPE)
    return BodyShape(told[1:].astype(np.float32), GENDERS[int(told[0])])


def _body(path: str | os.PathLike[str], arrays: dict[str, NDArray]) -> str:
    if (id := arrays.get(OUR_FITTED)) is not None:
        named = id.tobytes().decode("ascii", "replace") if id.ndim == 1 and id.dtype == np.uint8 else ""
        if not (is_fitted(named) and is_ours(named)):
            raise InputRefused(path, "does not name a body of this program", "Export it again", OUR_FITTED)
        return named
    told = arrays.get(OUR_BODY, np.array(0))
    if told.shape != () or told not in range(len(OURS)):
        raise InputRefused(path, "does not name a body of this program", "Export it again", OUR_BODY)
    return OURS[int(told)]


def _name(path: str | os.PathLike[str], arrays: dict[str, NDArray]) -> str:
    told = arrays.get(OUR_NAME, np.zeros(0, np.uint8))
    if told.ndim != 1 or told.dtype != np.uint8 or len(told) > LONGEST_NAME:
        raise InputRefused(path, "does not hold a person's name", "Export it again", OUR_NAME)
    return " ".join(told.tobytes().decode("utf-8", "replace").split())
