"""BlazePose's networks as plain functions: a detector of people, and two that find one person's landmarks in a region.

Bazarevsky et al., BlazePose: On-device Real-time Body Pose Tracking (2020). Pixels have x to the right and y down.
"""

from __future__ import annotations

import hashlib
import threading
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from solver.memoise import memoised
from solver.photo.detection.model_pruning import without_output
from solver.photo.detection.models import DETECTOR, FULL, HEAVY, OUTLINE, model_path
from solver.photo.detection.parallel import CORES, THREADS, InstancePool

Array = NDArray[np.float64]
Answer = tuple[NDArray[np.float32], NDArray[np.float32]]  # the detector's, raw: (2254, 12) and (2254, 1)
Answers = dict[bytes, Answer]  # by a digest of the pixels

DETECTOR_SIDE, LANDMARK_SIDE, HEATMAP_SIDE = 224, 256, 64
_GRIDS = ((28, 2), (14, 2), (7, 6))  # cells a side, anchors a cell: strides 8, 16 and 32
_REGION_SCALE = 1.25
_HEATMAP_WINDOW, _HEATMAP_CONFIDENCE = 7, 0.5


def _exchanged() -> list[int]:
    order = list(range(33))
    pairs = [(1, 4), (2, 5), (3, 6), (9, 10), (7, 8), *((i, i + 1) for i in range(11, 33, 2))]
    for left, right in pairs:
        order[left], order[right] = right, left
    return order


MIRRORED = _exchanged()  # each landmark's on the other side


@dataclass(frozen=True, eq=False)
class Detections:
    """N people as boxes. scores: (N,). boxes: (N, 4) left, top, right, bottom. points: (N, 4, 2): the mid-hip, the
    point that gives size and direction, and two for the upper body. Pixels."""

    scores: Array
    boxes: Array
    points: Array


@dataclass(frozen=True)
class Region:
    """A square of the picture with a person in it. centre and side in pixels; angle in radians, the way "up" turns."""

    centre: tuple[float, float]
    side: float
    angle: float

    def to_picture(self, unit: Array) -> Array:
        """(..., 2) points of the square, 0..1, in pixels of the picture."""
        return np.asarray(self.centre) + (unit - 0.5) * self.side @ self.turn.T

    @property
    def turn(self) -> Array:
        """(2, 2) rotation from the square to the picture."""
        c, s = np.cos(self.angle), np.sin(self.angle)
        return np.array([[c, -s], [s, c]])


@dataclass(frozen=True, eq=False)
class Face:
    """A person's face. presence: 0..1. points: (468, 3) of MediaPipe's face mesh, pixels of the picture, z away from
    the camera in the same unit."""

    presence: float
    points: Array


@dataclass(frozen=True, eq=False)
class Hand:
    """One hand of a person. presence: 0..1. own_side: 0..1, how much it looks like a hand of the side it is on.
    side: pixels of the square that was looked at. pixels: (21, 2) of MediaPipe's hand, the wrist first. metres:
    (L, 21, 3) as each of L looks saw them, x right, y down, z away from the camera."""

    presence: float
    own_side: float
    side: float
    pixels: Array
    metres: Array


@dataclass(frozen=True, eq=False)
class HeatMaps:
    """How likely each landmark is at each place of a region, as one look has it. values: (64, 64, 33), rows and columns
    of 1 / 64 of the side, of 255."""

    region: Region
    values: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Landmarks:
    """One person. presence: 0..1. pixels: (39, 2). visibility: (33,) 0..1. world: (33, 3) metres about the mid-hip,
    x right, y down, z away from the camera. spread: (33, 3) metres, by how much several looks disagreed, or None.
    looks: those it is the median of; alone: how many of them, the last ones, are by the heavy network without others
    who are near. face, hands (left, right): None where none was seen. heat: of one look by the heavy network."""

    presence: float
    pixels: Array
    visibility: Array
    world: Array
    spread: Array | None = None
    looks: tuple[Landmarks, ...] = ()
    alone: int = 0
    face: Face | None = None
    hands: tuple[Hand | None, Hand | None] = (None, None)
    heat: HeatMaps | None = None


def detect(
    picture: Image.Image, box: tuple[float, float, float, float], threshold: float, answers: Answers | None = None
) -> Detections:
    """People in one rectangle (left, top, right, bottom) of an RGB picture, which is letterboxed into the network.

    answers: the network's answers for earlier rectangles; it is not asked again about the same pixels.
    """
    left, top, right, bottom = box
    side = max(right - left, bottom - top)
    x0, y0 = (left + right - side) / 2, (top + bottom - side) / 2
    cut = crop(picture, Region((x0 + side / 2, y0 + side / 2), side, 0.0), DETECTOR_SIDE)
    raw, logits = _detector_outputs(cut, answers)
    scores = 1 / (1 + np.exp(-np.clip(logits[:, 0], -80, 80)))
    keep = scores >= threshold
    values, centres = raw[keep].astype(np.float64) / DETECTOR_SIDE, anchors()[keep]
    middle, size = values[:, :2] + centres, values[:, 2:4]
    boxes = np.concatenate([middle - size / 2, middle + size / 2], axis=1)
    points = values[:, 4:].reshape(-1, 4, 2) + centres[:, None]
    origin = np.array([x0, y0])
    return Detections(scores[keep], boxes * side + np.tile(origin, 2), points * side + origin)


def _detector_outputs(cut: NDArray[np.float32], answers: Answers | None) -> Answer:
    key = hashlib.blake2b(cut.astype(np.uint8).tobytes()).digest() if answers is not None else b""
    if answers is not None and key in answers:
        return answers[key]
    outputs = run_network(DETECTOR, cut / 127.5 - 1.0)
    raw, logits = (next(o for o in outputs.values() if o.shape[-1] == width)[0] for width in (12, 1))
    if answers is not None:
        answers[key] = raw, logits
    return raw, logits


def region_of(middle: Array, end: Array) -> Region:
    """The landmark network's square for a person whose mid-hip and size point are given, (2,) pixels each."""
    along = end - middle
    return Region(
        (float(middle[0]), float(middle[1])),
        float(2 * _REGION_SCALE * np.linalg.norm(along)),
        float(np.arctan2(along[1], along[0]) + np.pi / 2),
    )


def landmarks(picture: Image.Image, region: Region, network: str = FULL) -> Landmarks:
    """The landmarks of the person in a region of an RGB picture. network: FULL, or the slower HEAVY."""
    outputs = run_network(network, crop(picture, region, LANDMARK_SIDE) / 255.0)
    values = outputs["Identity"].reshape(39, 5).astype(np.float64)
    unit = values[:, :2] / LANDMARK_SIDE
    unit = _refined(unit, outputs["Identity_3"][0])
    world = outputs["Identity_4"].reshape(39, 3)[:33].astype(np.float64)
    world[:, :2] = world[:, :2] @ region.turn.T
    visibility = 1 / (1 + np.exp(-values[:33, 3]))
    heat = HeatMaps(region, _likely(outputs["Identity_3"][0])) if network == HEAVY else None
    presence = float(outputs["Identity_1"].ravel()[0])
    return Landmarks(presence, region.to_picture(unit), visibility, world, heat=heat)


def mirrored_back(heat: HeatMaps, region: Region) -> HeatMaps:
    """The maps of a look at a mirrored picture as those of this region of the picture itself."""
    values = np.zeros_like(heat.values)
    values[:, 1:] = heat.values[:, :0:-1, MIRRORED]  # the first column's counterpart lies beyond the last
    return HeatMaps(region, values)


@cache
def anchors() -> Array:
    """(2254, 2): the centres of the detector's anchors, 0..1."""
    rows = []
    for cells, repeats in _GRIDS:
        line = (np.arange(cells) + 0.5) / cells
        grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
        rows.append(np.repeat(grid, repeats, axis=0))
    return np.concatenate(rows)


def _refined(unit: Array, heatmaps: NDArray[np.float32]) -> Array:
    """Landmarks moved to the centre of mass of the heatmap around them, where it is certain enough."""
    refined, reach = unit.copy(), np.arange(_HEATMAP_WINDOW) - _HEATMAP_WINDOW // 2
    columns, rows = (unit * HEATMAP_SIDE).astype(np.int64).T
    on_map = np.flatnonzero(_on_map(columns) & _on_map(rows))
    columns, rows = columns[on_map, None] + reach, rows[on_map, None] + reach  # (L, 7)
    inside = _on_map(rows)[:, :, None] & _on_map(columns)[:, None]
    last = HEATMAP_SIDE - 1
    windows = heatmaps[rows.clip(0, last)[:, :, None], columns.clip(0, last)[:, None], on_map[:, None, None]]
    weights = np.where(inside, 1 / (1 + np.exp(-windows.astype(np.float64))), 0.0)
    certain = weights.max(axis=(1, 2)) >= _HEATMAP_CONFIDENCE
    across, down = weights.sum(axis=1), weights.sum(axis=2)
    middle = np.stack([(across * columns).sum(axis=1), (down * rows).sum(axis=1)], axis=1)[certain]
    refined[on_map[certain]] = middle / across.sum(axis=1)[certain, None] / HEATMAP_SIDE
    return refined


def _likely(logits: NDArray[np.float32]) -> NDArray[np.uint8]:
    return np.asarray(np.rint(255 / (1 + np.exp(-np.clip(logits[..., :33], -20, 20)))), dtype=np.uint8)


def _on_map(cells: NDArray[np.int64]) -> NDArray[np.bool_]:
    return (cells >= 0) & (cells < HEATMAP_SIDE)


def crop(picture: Image.Image, region: Region, size: int) -> NDArray[np.float32]:
    """(size, size, 3) float32 of 0..255: the region turned upright and scaled; black beyond the picture."""
    scale = region.side / size
    turn = region.turn * scale
    corner = region.to_picture(np.zeros(2)) + turn @ [0.5, 0.5]
    a, b, c, d = turn.ravel()
    reduce = max(1, int(scale))
    if reduce > 1:  # a picture much larger than the network is averaged first, so that nothing aliases
        picture = _downscaled(picture, reduce)
        a, b, c, d = (v / reduce for v in (a, b, c, d))
        corner = corner / reduce
    coefficients = (a, b, corner[0] - 0.5 * (a + b), c, d, corner[1] - 0.5 * (c + d))
    cut = picture.transform((size, size), Image.Transform.AFFINE, coefficients, Image.Resampling.BILINEAR)
    return np.asarray(cut, dtype=np.float32)


# By identity, which a later picture may be given again: hence the weak reference beside each.
_reducing = threading.Lock()
_reductions: dict[tuple[int, int], tuple[weakref.ref[Image.Image], Image.Image]] = {}


def _downscaled(picture: Image.Image, factor: int) -> Image.Image:
    key = (id(picture), factor)
    with _reducing:
        known = _reductions.get(key)
        if known is not None and known[0]() is picture:
            return known[1]
        if len(_reductions) > 4:
            _reductions.clear()
        reduced = picture.reduce(factor)
        _reductions[key] = (weakref.ref(picture), reduced)
    return reduced


@dataclass(frozen=True, eq=False)
class _Network:
    """An interpreter, which holds its input until it has answered, with the numbers of its tensors: asking it for these
    takes longer than reading them. outputs: by name."""

    interpreter: Any
    input: int
    outputs: Mapping[str, int]


@memoised()
def _interpreters(name: str) -> InstancePool[_Network]:
    from ai_edge_litert.interpreter import Interpreter

    model = model_path(name).read_bytes()
    if name in OUTLINE:
        model = without_output(model, OUTLINE[name])
    most = 1 if name == HEAVY else THREADS  # a second one of that would take 140 MB

    def loaded() -> _Network:
        interpreter = Interpreter(model_content=model, num_threads=CORES // most)
        interpreter.allocate_tensors()
        outputs = {detail["name"]: detail["index"] for detail in interpreter.get_output_details()}
        return _Network(interpreter, interpreter.get_input_details()[0]["index"], outputs)

    return InstancePool(loaded, most)


def run_network(name: str, values: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
    """The outputs of a network by name, for one input without its batch axis; a landmark network's outline of the
    person is left out."""
    with _interpreters(name).borrowed() as network:
        network.interpreter.set_tensor(network.input, values[None].astype(np.float32, copy=False))
        network.interpreter.invoke()
        return {output: network.interpreter.get_tensor(number) for output, number in network.outputs.items()}
