"""Files of SMPL parameters: 4D-Humans (HMR2) and its tracks, ROMP and BEV, and SMPL(-X) of one or many people.

The layouts are in docs/estimates.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.body.bone_lengths import Lengths, bone_lengths
from solver.errors import InputRefused
from solver.estimates.checks import (
    are_whole,
    camera_doubts,
    film_doubt,
    film_gaps,
    focal_length,
    picture_side,
    whole_rows,
)
from solver.estimates.content import CORRECT, numbers
from solver.estimates.estimate import (
    Estimate,
    Person,
    SmplParameters,
    parameters_of_mean_body,
    rotation_matrices,
    rows,
    smpl_rotations,
)
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.roles import LEGS, Role

Array = NDArray[np.float64]
Content = Mapping[str, Any]
HMR2_FOCAL = 5000 / 256  # of the picture's longer side
ROMP_FOCAL = 443.4 / 512  # 60 degrees
# Which joints of SMPL the first 25 of OpenPose's are in HMR2's output.
_OPENPOSE = {
    1: Role.NECK, 2: Role.RIGHT_SHOULDER, 3: Role.RIGHT_ELBOW, 4: Role.RIGHT_WRIST, 5: Role.LEFT_SHOULDER,
    6: Role.LEFT_ELBOW, 7: Role.LEFT_WRIST, 8: Role.PELVIS, 9: Role.RIGHT_HIP, 10: Role.RIGHT_KNEE,
    11: Role.RIGHT_ANKLE, 12: Role.LEFT_HIP, 13: Role.LEFT_KNEE, 14: Role.LEFT_ANKLE,
}  # fmt: skip
_STANDS = 0.5  # mean share of “up” along an axis from which people stand along it
_TURNS = ("global_orient", "body_pose")
_JOINTS = "joints_3d_world"
# What files hold of each person: numbers in rows, and one number alone.
_TABLES = (
    *_TURNS, "betas", _JOINTS, "pred_cam_t_full", "cam_t", "transl", "trans", "cam_trans", "pred_cam", "box_center",
    "smpl_thetas", "smpl_betas", "joints",
)  # fmt: skip
_SCORES = ("center_confs", "scores", "score")
_LISTS = (*_SCORES, "box_size")
_OF_TRACE = ("track_ids", "reorganize_idx")
_EXTRINSICS = ("cam_rotation", "cam_translation")
_SIZES = ("image_size", "img_size")
_MATRICES = ("K", "cam_int", "intrinsics")


def read_tracks(content: Any, source: str) -> Estimate | None:
    """4D-Humans' tracks (PHALP): frame's name -> lists `smpl`, `camera`, `tid`, `size`, `3d_joints` by person."""
    if not isinstance(content, Mapping) or not content:
        return None
    frames = [(name, frame) for name, frame in content.items() if isinstance(frame, Mapping)]
    if len(frames) != len(content) or not all("smpl" in frame and "camera" in frame for _, frame in frames):
        return None
    people, size, gaps = [], None, 0
    whole = {name: _seen_whole(frame) for name, frame in frames}
    some = any(map(any, whole.values()))
    for number, (name, frame) in enumerate(sorted(frames, key=lambda item: _time(item[0], item[1], source))):
        tids, sizes = frame.get("tid", ()), frame.get("size", ())
        for i, one in enumerate(frame["smpl"]):
            if some and not whole[name][i]:
                gaps += 1
                continue
            place = f"{name}, smpl[{i}]"
            if not isinstance(one, Mapping) or i >= len(frame["camera"]):
                raise InputRefused(source, "is not a person of 4D-Humans with a camera", "Save the tracks again", place)
            joints = frame["3d_joints"][i] if i < len(frame.get("3d_joints", ())) else None
            parameters = hmr2_person(one, frame["camera"][i], joints, source, place)
            track = _track(tids[i], source, f"{name}, tid[{i}]") if i < len(tids) else str(i)
            people.append(Person(parameters, track=track, frame=number))
            if size is None and i < len(sizes):
                where = f"{name}, size[{i}]"
                height, width = rows(numbers(sizes[i], source, where), 1, 2, source, where)[0]
                size = picture_side(width, source, where), picture_side(height, source, where)
    notes = film_gaps(gaps, sum(map(len, whole.values())))
    return Estimate(source, "4D-Humans tracks", tuple(people), focal_share=HMR2_FOCAL, image_size=size, notes=notes)


def _seen_whole(frame: Content) -> list[bool]:
    """Of each person in a frame of tracks whether all numbers are finite."""
    tables = [frame.get(name, ()) for name in ("camera", "3d_joints")]
    return [
        are_whole(*(one.values() if isinstance(one, Mapping) else ()), *(each[i] for each in tables if i < len(each)))
        for i, one in enumerate(frame["smpl"])
    ]


def read_romp(content: Any, source: str) -> Estimate | None:
    """ROMP's and BEV's output: `smpl_thetas` (N, 72), `cam_trans` (N, 3), with `smpl_betas`, `joints`; in `results`."""
    if isinstance(content, Mapping) and isinstance(content.get("results"), Mapping):
        content = content["results"]
    if not isinstance(content, Mapping) or not content:
        return None
    left_out: tuple[str, ...] = ()
    if "smpl_thetas" in content:
        count = _length(content["smpl_thetas"])
        content, left_out = whole_rows(content, count, _TABLES, (*_LISTS, *_OF_TRACE))
        left_out = film_gaps(len(left_out), count) if _OF_TRACE[0] in content else left_out
        people = _of_romp(content, source, 0)
    elif all(isinstance(one, Mapping) and "smpl_thetas" in one for one in content.values()):  # a film, by picture
        whole = [are_whole(*(one.get(name) for name in _TABLES)) for one in content.values()]
        left_out = film_gaps(whole.count(False), len(whole), "frames") if any(whole) else ()
        frames = [(i, one) for i, one in enumerate(content.values()) if whole[i] or not any(whole)]
        films = (_of_romp(one, source, i) for i, one in frames)
        people = [replace(one, track=one.track or str(i)) for frame in films for i, one in enumerate(frame)]
    elif "cam_trans" in content and "smpl_betas" in content:
        raise InputRefused(
            source, "holds no smpl_thetas", "Save the output of ROMP or BEV unchanged, or SMPL parameters"
        )
    else:
        return None
    return Estimate(source, "ROMP or BEV", tuple(people), focal_share=ROMP_FOCAL, notes=left_out)


def _of_romp(content: Content, source: str, frame: int) -> list[Person]:
    """Everybody in one picture, or in the frames of a film of which TRACE says whose is where: `reorganize_idx`."""
    if "cam_trans" not in content:
        raise InputRefused(source, "holds no cam_trans", "Save the output of ROMP or BEV unchanged, or SMPL parameters")
    thetas = numbers(content["smpl_thetas"], source, "smpl_thetas")
    if not thetas.size:
        return []
    count = len(thetas) if thetas.ndim == 2 else 1
    poses = rows(thetas, count, 72, source, "smpl_thetas")
    turns, _ = smpl_rotations(poses[:, :3], poses[:, 3:], source)
    shifts = rows(numbers(content["cam_trans"], source, "cam_trans"), count, 3, source, "cam_trans")
    betas = _betas(content, "smpl_betas", count, source)
    sure = _scores(content, count, source)
    tracks, frames = _tracks_of_romp(content, count, source)
    frames = frames or [frame] * count
    joints = None
    if "joints" in content:
        flat = numbers(content["joints"], source, "joints")
        if flat.size != 3 * 24 * count and (flat.ndim < 2 or flat.shape[-2] < 24):
            reason = f"has the shape {flat.shape}, not ({count}, 71, 3), of which SMPL's 24 joints come first"
            raise InputRefused(source, reason, "Save them as ROMP or BEV do", "joints")
        joints = rows(flat, count, 72, source, "joints").reshape(count, 24, 3)
    people = []
    for i in range(count):
        if joints is None:  # both put the middle of the hips at cam_trans
            parameters = replace(parameters_of_mean_body(turns[i], np.zeros(3), "SMPL", betas[i]), hip_centre=shifts[i])
        else:
            lengths = bone_lengths(dict(zip(SMPL_JOINTS, joints[i], strict=True)))
            parameters = SmplParameters(turns[i], shifts[i] + joints[i, 1:3].mean(axis=0), _leg(lengths), betas[i])
            parameters = replace(parameters, bone_lengths=lengths)
        people.append(Person(parameters, sure[i], tracks[i], frames[i]))
    return people


def _tracks_of_romp(content: Content, count: int, source: str) -> tuple[list[str], list[int]]:
    """Who each person is, "" where nobody was tracked; and at which frame, where the file holds several."""
    if "track_ids" not in content:
        return [""] * count, []
    ids = numbers(content["track_ids"], source, "track_ids").ravel()
    if len(ids) != count:
        raise InputRefused(source, f"has {len(ids)} numbers, not {count}", "Save one for each person", "track_ids")
    frames = numbers(content.get("reorganize_idx", ()), source, "reorganize_idx").ravel()
    return [str(int(one)) for one in ids], [int(one) for one in frames] if len(frames) == count else []


def read_smpl(content: Any, source: str) -> Estimate | None:
    """`global_orient`, `body_pose` and where they stand, of one or many people; HMR2's output among them."""
    if isinstance(content, Mapping) and isinstance(content.get("pred_smpl_params"), Mapping):
        content = {**content, **content["pred_smpl_params"]}
    if not isinstance(content, Mapping) or not any(name in content for name in _TURNS):
        return None
    for name, other in (_TURNS, _TURNS[::-1]):
        if name not in content:
            raise InputRefused(source, f"holds {other}, but no {name}", f"Save {name} as well")
    many = _length(content["body_pose"]) == _length(content["global_orient"])  # else joints of one person
    content, left_out = whole_rows(content, _length(content["body_pose"]) if many else 0, _TABLES, _LISTS)
    orient, pose = (numbers(content[name], source, name) for name in _TURNS)
    if not orient.size and not pose.size:
        return Estimate(source, "SMPL parameters", ())
    turns, model = smpl_rotations(orient, pose, source)
    count = len(turns)
    size, focal, principal, doubts = _camera(content, source)
    hmr2 = any(name in content for name in ("pred_cam", "pred_cam_t_full", "pred_cam_t"))
    if hmr2 and focal is None and size is not None:
        focal = HMR2_FOCAL * max(size)
    shifts, notes = _shifts(content, count, size, focal, source)
    up = "camera" if hmr2 or focal is not None else _up(turns)
    betas, scores = _betas(content, "betas", count, source), _scores(content, count, source)
    parameters = [parameters_of_mean_body(turns[i], shifts[i], model, betas[i]) for i in range(count)]
    if _JOINTS in content:
        parameters = _with_joints(parameters, content, source)
    if all(name in content for name in _EXTRINSICS):
        turn, moved = (
            _of_camera(content, name, shape, source) for name, shape in zip(_EXTRINSICS, ((3, 3), (3,)), strict=True)
        )
        rotation = rotation_matrices(turn.reshape(1, 1, 9), True, source, _EXTRINSICS[0])[0, 0]
        parameters, up = [_seen_by(rotation, moved, one) for one in parameters], "camera"
    people = tuple(
        Person(replace(one, gender=_gender(content)), sure) for one, sure in zip(parameters, scores, strict=True)
    )
    kind = "4D-Humans (HMR2)" if hmr2 else f"{model} parameters"
    share, picture = HMR2_FOCAL if hmr2 else None, _picture(content)
    notes = (*left_out, *notes, *doubts, *(() if hmr2 else film_doubt(shifts)))
    return Estimate(source, kind, people, focal, share, size, principal, up, notes, picture)


def _with_joints(parameters: list[SmplParameters], content: Content, source: str) -> list[SmplParameters]:
    """People whose file has SMPL's joints as well, as this program's labels do: hips and lengths of bones are theirs,
    whatever body `transl` and `betas` are of."""
    count = len(parameters)
    joints = rows(numbers(content[_JOINTS], source, _JOINTS), count, 72, source, _JOINTS).reshape(count, 24, 3)
    lengths = [bone_lengths(dict(zip(SMPL_JOINTS, one, strict=True))) for one in joints]
    return [
        replace(one, hip_centre=at[1:3].mean(axis=0), leg_length=_leg(long), bone_lengths=long)
        for one, at, long in zip(parameters, joints, lengths, strict=True)
    ]


def _seen_by(rotation: Array, moved: Array, parameters: SmplParameters) -> SmplParameters:
    """A person in a world, in the frame of a camera that has the world's points at rotation @ point + moved."""
    turns = parameters.rotations.copy()
    turns[0] = rotation @ turns[0]
    return replace(parameters, rotations=turns, hip_centre=rotation @ parameters.hip_centre + moved)


def hmr2_person(one: Content, camera: Any, joints: Any, source: str, place: str) -> SmplParameters:
    """One person at one frame. one: `global_orient`, `body_pose`, perhaps `betas`. camera: (3,) metres. joints: metres,
    the first 25 are OpenPose's; or None. place: of it in the file, for messages."""
    for name in _TURNS:
        if name not in one:
            raise InputRefused(source, f"holds no {name}", "Save the tracks again", place)
    orient, pose = (numbers(one[name], source, f"{place}, {name}") for name in _TURNS)
    turns, model = smpl_rotations(orient.reshape(1, -1), pose.reshape(1, -1), source)
    shift = rows(numbers(camera, source, f"{place}, camera"), 1, 3, source, f"{place}, camera")[0]
    parameters = parameters_of_mean_body(turns[0], shift, model, _betas(one, "betas", 1, source)[0])
    if joints is not None:
        points, at = numbers(joints, source, f"{place}, 3d_joints"), f"{place}, 3d_joints"
        if points.ndim != 2 or points.shape[1] != 3 or len(points) <= max(_OPENPOSE):
            raise InputRefused(source, f"has the shape {points.shape}, not (45, 3)", "Save the tracks again", at)
        lengths = bone_lengths({name: points[i] for i, name in _OPENPOSE.items()})
        parameters = replace(parameters, bone_lengths=lengths, leg_length=_leg(lengths))
    return parameters


def _leg(lengths: Lengths) -> float:
    return sum(lengths[bone] for leg in LEGS for bone in pairwise(leg.line)) / 2


def _shifts(
    content: Content, count: int, size: tuple[int, int] | None, focal: float | None, source: str
) -> tuple[Array, tuple[str, ...]]:
    """(N, 3) where people stand, by whichever of the names is there; and notes on what was assumed."""
    for name in ("pred_cam_t_full", "cam_t", "transl", "trans", "cam_trans"):
        if name in content:
            return rows(numbers(content[name], source, name), count, 3, source, name), ()
    if all(name in content for name in ("pred_cam", "box_center", "box_size")) and size is not None and focal:
        scale, x, y = rows(numbers(content["pred_cam"], source, "pred_cam"), count, 3, source, "pred_cam").T
        centre = rows(numbers(content["box_center"], source, "box_center"), count, 2, source, "box_center")
        side = rows(numbers(content["box_size"], source, "box_size"), count, 1, source, "box_size")[:, 0]
        if (scale * side <= 1e-6).any():
            raise InputRefused(source, "has a scale of 0", "Leave that person out", "pred_cam")
        wide = side * scale
        middle = 2 * (centre - np.array(size) / 2) / wide[:, None] + np.column_stack([x, y])
        return np.column_stack([middle, 2 * focal / wide]), ()
    if "pred_cam_t" in content and count == 1:
        note = "only the camera of the cut-out is known: the person stands in the middle of the picture"
        return rows(numbers(content["pred_cam_t"], source, "pred_cam_t"), 1, 3, source, "pred_cam_t"), (note,)
    if count == 1:
        return np.array([[0.0, 0.0, 5.0]]), ("the file does not say where the person stands",)
    way_out = "Save transl or pred_cam_t_full, or pred_cam with box_center, box_size and img_size"
    raise InputRefused(source, f"does not say where its {count} people stand", way_out)


def _camera(
    content: Content, source: str
) -> tuple[tuple[int, int] | None, float | None, tuple[float, float] | None, tuple[str, ...]]:
    """Width and height, focal length in pixels and principal point, where the file has them; and doubts about them."""
    size = focal = principal = None
    doubts: tuple[str, ...] = ()
    for name in _SIZES:
        if name in content:
            sides = numbers(content[name], source, name, CORRECT).ravel()[:2]
            width, height = rows(sides, 1, 2, source, name)[0]
            size = picture_side(width, source, name), picture_side(height, source, name)
    for name in _MATRICES:
        if name in content:
            k = _of_camera(content, name, (3, 3), source)
            focal, principal = focal_length(k[0, 0], source, name), (float(k[0, 2]), float(k[1, 2]))
            doubts = camera_doubts(k, size)
    for name in ("scaled_focal_length", "focal_length"):
        if focal is None and name in content:
            every = numbers(content[name], source, name, CORRECT).ravel()
            focal = focal_length(every[:1], source, name)  # the same for several people in one picture
    return size, focal, principal, doubts


def _of_camera(content: Content, name: str, shape: tuple[int, ...], source: str) -> Array:
    """An array of that shape, or the first of several."""
    array = numbers(content[name], source, name, CORRECT)
    if array.size != prod(shape) and (array.size == 0 or array.shape[-len(shape) :] != shape):
        raise InputRefused(source, f"has the shape {array.shape}, not {shape}", "Save it for the one camera", name)
    return array.reshape(-1, *shape)[0]


def _betas(content: Content, name: str, count: int, source: str) -> list[Array | None]:
    if name not in content:
        return [None] * count
    values = numbers(content[name], source, name)
    if values.size == 10 and count > 1:
        values = np.tile(values.ravel(), (count, 1))
    return list(rows(values, count, 10, source, name))


def _scores(content: Content, count: int, source: str) -> list[float | None]:
    for name in _SCORES:
        if name in content:
            values = numbers(content[name], source, name).ravel()
            if len(values) == count:
                return [float(value) for value in np.clip(values, 0.0, 1.0)]
    return [None] * count


def _picture(content: Content) -> str:
    """Where the picture is, as labels of this program say it; "" where nothing is said."""
    value = content.get("picture")
    return value if isinstance(value, str) and len(value) <= 4096 and "\0" not in value else ""


def _gender(content: Content) -> str:
    value = content.get("gender")
    return value if value in ("male", "female") else "neutral"


def _up(turns: Array) -> str:
    """Which way people mostly stand: only in a world do heads point along +Y or +Z."""
    up = turns[:, 0, :, 1].mean(axis=0)
    if up[1] > _STANDS:
        return "+Y"
    return "+Z" if up[2] > _STANDS else "camera"


def _time(name: str, frame: Content, source: str) -> float:
    times = numbers(frame.get("time", 0), source, f"{name}, time").ravel()
    if len(times) != 1:
        reason = f"holds {len(times)} numbers, not one"
        raise InputRefused(source, reason, "Save the tracks again", f"{name}, time")
    return float(times[0])


def _length(value: Any) -> int:
    """How many rows an array or a list has; 0 for anything else."""
    return len(value) if isinstance(value, list | tuple) or np.ndim(value) else 0


def _track(id: Any, source: str, place: str) -> str:
    return id if isinstance(id, str) else str(numbers(id, source, place).tolist())
