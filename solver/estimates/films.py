"""Motions of SMPL bodies in pickles and arrays of data sets and estimators: AIST++, EDGE, WHAM, GVHMR,
SLAHMR, 3DPW, Motion-X.

The layouts are in docs/estimates.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.estimates.checks import has_whole_frame, held_frames, people_missing
from solver.estimates.content import numbers
from solver.estimates.estimate import rotation_matrices
from solver.formats.smpl.npz import DEFAULT_FPS, RATES, SmplFile, smpl_file
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector

Array = NDArray[np.float64]
Content = Mapping[str, Any]
AIST_FPS = 60.0
_RATES = (*RATES, "fps", "frame_rate", "framerate")
_WHOLE = ("poses", "pose")
_PARTS = (("root_orient", "pose_body"), ("global_orient", "body_pose"))
_PATHS = ("trans", "transl", "translation")
_SLAHMR = (_PATHS[0], *_PARTS[0])
_ASSUMED = f"the frame rate is missing; {DEFAULT_FPS:g} frames a second were assumed"
# Motion-X: root 3, body 63, hands 90, jaw 3, expression 50, shape of the face 100, path 3, betas 10.
_MOTION_X, _X_BODY, _X_HANDS, _X_PATH = 322, slice(0, 66), slice(66, 156), slice(309, 312)
_CHECKED = 500  # frames by which the axis that points up is told


def smpl_films(content: Any, source: str) -> tuple[SmplFile, ...] | None:
    """The people of a file with their motions; None where it has none, or another layout."""
    if isinstance(content, np.ndarray):
        return (_motion_x(content, source),) if content.ndim == 2 and content.shape[1] == _MOTION_X else None
    if not isinstance(content, Mapping):
        return None
    if "smpl_poses" in content:
        return (_aist(content, source),)
    if isinstance(content.get("smpl_params_global"), Mapping):
        return (_gvhmr(content["smpl_params_global"], source),)
    if all(isinstance(content.get(name), np.ndarray) and content[name].ndim == 3 for name in _SLAHMR):
        return _slahmr(content, source)
    if any(isinstance(content.get(name), list) and _are_people(content[name]) for name in _WHOLE):
        return _several(content, source)
    worlds = {name: one for name, one in content.items() if isinstance(one, Mapping) and "pose_world" in one}
    if len(worlds) == len(content) == 1:  # each of several people has a world of their own
        ((name, one),) = worlds.items()
        return (_wham(one, source, name),)
    film = _one(content, source)
    return None if film is None else (film,)


def _aist(content: Content, source: str) -> SmplFile:
    """`smpl_poses` (T, 72) and `smpl_trans` (T, 3), which AIST++ has times `smpl_scaling`, and EDGE in metres."""
    if "smpl_trans" not in content:
        raise InputRefused(source, "holds smpl_poses, but no smpl_trans", "Save smpl_trans as well")
    tables, held = held_frames([content["smpl_poses"], content["smpl_trans"]])
    poses, path = _turns(tables[0], source, "smpl_poses"), numbers(tables[1], source, "smpl_trans")
    if "smpl_scaling" not in content:
        return _upright(smpl_file(source, poses, path, DEFAULT_FPS, (_ASSUMED, *held)))
    scale = numbers(content["smpl_scaling"], source, "smpl_scaling").ravel()
    if len(scale) != 1 or scale[0] <= 0:
        raise InputRefused(source, "holds no single scale above 0", "Save it as AIST++ has it", "smpl_scaling")
    note = f"the frame rate was taken to be that of AIST++, {AIST_FPS:g} frames a second"
    return _upright(smpl_file(source, poses, path / scale[0], AIST_FPS, (note, *held)))


def _wham(one: Content, source: str, name: object) -> SmplFile:
    place = f"{name}, trans_world"
    if "trans_world" not in one:
        raise InputRefused(source, "holds pose_world, but no trans_world", "Save it as WHAM does", place)
    tables, held = held_frames([one["pose_world"], one["trans_world"]])
    poses = _turns(tables[0], source, f"{name}, pose_world")
    path = numbers(tables[1], source, place)
    return replace(smpl_file(source, poses, path, DEFAULT_FPS, (_ASSUMED, *held)), up="+Y", has_floor=False)


def _gvhmr(one: Content, source: str) -> SmplFile:
    """GVHMR's `smpl_params_global`: `global_orient` (T, 3), `body_pose` (T, 63), `transl` (T, 3), Y up."""
    found = _one({**one, _RATES[0]: DEFAULT_FPS}, source)
    if found is None:
        reason = "holds no global_orient, body_pose and transl of a film"
        raise InputRefused(source, reason, "Save them as GVHMR has them", "smpl_params_global")
    return replace(found, model="SMPL-X", up="+Y", notes=(_ASSUMED, *found.notes))


def _slahmr(content: Content, source: str) -> tuple[SmplFile, ...]:
    """SLAHMR's `trans` (B, T, 3), `root_orient` (B, T, 3) and `pose_body` (B, T, 63)."""
    path, root, body = (content[name] for name in _SLAHMR)
    if not len(path):
        raise InputRefused(source, "holds no people", "Save at least one", _SLAHMR[0])
    if not len(path) == len(root) == len(body) or root.shape[1] != body.shape[1]:
        reason = f"holds {len(path)}, {len(root)} and {len(body)} people in trans, root_orient and pose_body"
        raise InputRefused(source, reason, "Save all three of the same people and frames")
    people = []
    for i in _whole_people(path, root, body):
        tables, held = held_frames([path[i], root[i], body[i]], f" of person {i + 1}")
        way, *turns = (numbers(table, source, f"{name}[{i}]") for name, table in zip(_SLAHMR, tables, strict=True))
        people.append(smpl_file(source, np.concatenate(turns, axis=1), way, DEFAULT_FPS, (_ASSUMED, *held)))
    people = _told_missing(people, len(path))
    up = _up_axis(people)
    return tuple(replace(one, up=up, has_floor=False) for one in people)


def _several(content: Content, source: str) -> tuple[SmplFile, ...]:
    """3DPW: `poses`, `trans` and `genders` as lists by person."""
    name = next(name for name in _WHOLE if isinstance(content.get(name), list))
    path = next((name for name in _PATHS if isinstance(content.get(name), list)), None)
    if path is None or len(content[path]) != len(content[name]):
        raise InputRefused(source, "does not say where each of its people is", f"Save {_PATHS[0]} of each person", name)
    fps, notes = _rate(content, source)
    people = []
    for i in _whole_people(content[name], content[path]):
        (poses, way), held = held_frames([content[name][i], content[path][i]], f" of person {i + 1}")
        table = _turns(poses, source, f"{name}[{i}]"), numbers(way, source, f"{path}[{i}]")
        people.append(smpl_file(source, *table, fps, (*notes, *held)))
    people = _told_missing(people, len(content[name]))
    up = _up_axis(people)
    return tuple(replace(one, up=up, has_floor=False) for one in people)


def _whole_people(*tables: Sequence[Any]) -> list[int]:
    """The numbers of people of whom at least one frame has finite numbers alone; everybody's where that is nobody."""
    seen = [i for i, parts in enumerate(zip(*tables, strict=True)) if has_whole_frame(parts)]
    return seen or list(range(len(tables[0])))


def _told_missing(people: list[SmplFile], count: int) -> list[SmplFile]:
    """With a note on how many of the people in the file are not among these."""
    missing = people_missing(count - len(people), count)
    return [replace(one, notes=(*one.notes, *missing)) for one in people]


def _one(content: Content, source: str) -> SmplFile | None:
    """`poses` (T, 66 or more) with `trans` (T, 3), or root and body apart where a frame rate says that it is a film."""
    path = next((name for name in _PATHS if name in content), None)
    whole = next((name for name in _WHOLE if name in content), None)
    if path is None:
        return None
    way, held = content[path], tuple[str, ...]()
    if whole is not None:
        (table, way), held = held_frames([content[whole], way])
        poses = _turns(table, source, whole)
    else:
        parts = next((parts for parts in _PARTS if all(name in content for name in parts)), None)
        if parts is None or not any(name in content for name in _RATES):
            return None
        (way, *raw), held = held_frames([way, *(content[name] for name in parts)])
        tables = [_turns(table, source, name) for name, table in zip(parts, raw, strict=True)]
        if any(table.ndim < 2 or len(table) != len(tables[0]) for table in tables):
            return None
        poses = np.concatenate(tables, axis=1)
    fps, notes = _rate(content, source)
    return _upright(smpl_file(source, poses, numbers(way, source, path), fps, (*notes, *held)))


def _motion_x(table: Array, source: str) -> SmplFile:
    (kept,), held = held_frames([table])
    values = numbers(kept, source, "")
    hands = values[:, _X_HANDS]
    poses = np.concatenate([values[:, _X_BODY], np.zeros((len(values), 9)), hands], axis=1)
    return _upright(smpl_file(source, poses, values[:, _X_PATH], DEFAULT_FPS, (_ASSUMED, *held)))


def _turns(value: Any, source: str, place: str) -> Array:
    """(T, numbers) or (numbers,) axis times angle, of matrices as well."""
    table = numbers(value, source, place)
    if not table.size:
        raise InputRefused(source, "holds no frames", "Save at least one", place)
    if table.ndim > 2 and table.shape[-2:] == (3, 3):
        matrices = table.reshape(len(table), -1, 9)
        table = np.asarray(to_rotation_vector(rotation_matrices(matrices, True, source, place)))
    return table.reshape(len(table), -1) if table.ndim > 1 else table


def _upright(file: SmplFile) -> SmplFile:
    return replace(file, up=_up_axis([file]), has_floor=False)


def _up_axis(people: list[SmplFile]) -> str:
    """The axis along which people stand most of the time."""
    ups = []
    for one in people:
        step = max(1, len(one) // _CHECKED)
        ups.append(np.asarray(from_rotation_vector(one.poses[::step, 0]))[:, :, 1].mean(axis=0))
    up = np.mean(ups, axis=0)
    return max({"+Y": up[1], "-Y": -up[1], "+Z": up[2]}.items(), key=lambda axis: axis[1])[0]


def _rate(content: Content, source: str) -> tuple[float, tuple[str, ...]]:
    name = next((name for name in _RATES if name in content), None)
    if name is None:
        return DEFAULT_FPS, (_ASSUMED,)
    rate = numbers(content[name], source, name).ravel()
    if len(rate) != 1 or not 1e-3 <= rate[0] <= 1e5:
        raise InputRefused(source, "holds no possible frame rate", "Write how many frames a second has", name)
    return float(rate[0]), ()


def _are_people(value: list[Any]) -> bool:
    return bool(value) and all(isinstance(one, np.ndarray) and one.ndim == 2 for one in value)
