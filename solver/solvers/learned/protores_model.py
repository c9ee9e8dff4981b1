"""ProtoRes and SMPL-IK with int8 weights, run by compiled functions: half the time of onnxruntime for one problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from solver.body.body import GENDERS, SHAPE_COMPONENTS
from solver.size_limits import MAX_JOINTS
from solver.solvers.learned.onnx_tensors import tensors_of
from solver.solvers.learned.protores_kernels import BETAS, JOINTS, KINDS, Numbers, Work, answer

NETWORKS = frozenset({"protores", "smplik"})
FINEST = 32767  # of int16
ROWS = 256  # effectors at once, so that what is worked with stays in the processor's own caches
Tensors = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class _Entry:
    """An input or an output. shape: of an output, a batch of any size first."""

    name: str
    shape: tuple[int | None, ...] = ()


class ProtoResModel:
    """Called like an ONNX model, with the same answers to the fifth digit.

    blocks, layers: of the encoder and of each decoder. shaped: whether it reads betas and gender.
    """

    def __init__(self, numbers: Numbers, blocks: int, layers: int, shaped: bool) -> None:
        self._numbers, self._blocks, self._layers, self._shaped = numbers, blocks, layers, shaped
        self._joints = len(numbers.reads) - JOINTS

    def get_inputs(self) -> Sequence[_Entry]:
        """What it reads."""
        of_body = ("betas", "gender") if self._shaped else ()
        return [_Entry(name) for name in ("data", "tolerance", "joint", "kind", *of_body)]

    def get_outputs(self) -> Sequence[_Entry]:
        """What it answers with."""
        return [_Entry("draft", (None, self._joints, 3)), _Entry("rotations_6d", (None, self._joints, 6))]

    def run(self, outputs: list[str], inputs: dict[str, NDArray[Any]]) -> Sequence[NDArray[Any]]:
        """The outputs of these names, draft (B, J, 3) and rotations_6d (B, J, 6). ValueError if a joint, kind or
        gender is none that it knows, there is no effector, or the inputs do not belong together."""
        joint, kind = _writable(inputs["joint"], np.int64), _writable(inputs["kind"], np.int64)
        data, tolerance = _writable(inputs["data"], np.float32), _writable(inputs["tolerance"], np.float32)
        batch, count = joint.shape
        betas, gender = np.zeros((batch, SHAPE_COMPONENTS), np.float32), np.zeros(batch, np.int64)
        if self._shaped:
            betas, gender = _writable(inputs["betas"], np.float32), _writable(inputs["gender"], np.int64)
        if not (batch and count and data.shape == (batch, count, 6) and tolerance.shape == kind.shape == joint.shape):
            raise ValueError("there is no effector, or not as much of each as of the others")
        if betas.shape != (batch, SHAPE_COMPONENTS) or gender.shape != (batch,):
            raise ValueError("there is not one shape for each problem")
        draft = np.empty((batch, 3 * self._joints), np.float32)
        rotations = np.empty((batch, 6 * self._joints), np.float32)
        step = min(batch, max(1, ROWS // count))
        work = self._work(step, count)
        for start in range(0, batch, step):
            some = slice(start, start + step)
            known = answer(
                data[some], tolerance[some], joint[some], kind[some], betas[some], gender[some],
                self._blocks, self._layers, self._numbers, work, draft[some], rotations[some],
            )  # fmt: skip
            if not known:
                raise ValueError("it knows no such joint, kind of effector or gender")
        said = {"draft": draft.reshape(batch, -1, 3), "rotations_6d": rotations.reshape(batch, -1, 6)}
        return [said[name] for name in outputs]

    def _work(self, batch: int, count: int) -> Work:
        width = self._numbers.reads.shape[1] // 2
        widest = max(2 * width, width + 3 * self._joints, 6 * self._joints)
        rows = np.empty((4, batch * count, widest), np.float32)
        pose, centres = np.empty((batch, widest), np.float32), np.empty((batch, 3), np.float32)
        return Work(rows[0], rows[1], rows[2], rows[3], pose, centres, np.empty(widest, np.int64))


def protores_model(model: bytes, network: str) -> ProtoResModel | None:
    """The ONNX model run so; None if it is another network's, holds other numbers, or nothing is compiled here."""
    if network not in NETWORKS or numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return None
    try:
        return _of_tensors(tensors_of(model))
    except (KeyError, IndexError, ValueError, MemoryError):  # onnxruntime may know what to do with it
        return None


def _writable(numbers: NDArray[Any], kind: type[np.generic]) -> NDArray[Any]:
    """A copy, row by row: functions are compiled for arrays that may be written and lie so, and for no others."""
    return np.array(numbers, kind, order="C")


def _of_tensors(known: Tensors) -> ProtoResModel | None:
    """The model of these tensors; None if their sizes do not fit together. KeyError if one is missing."""
    shaped = "network.gender_embedding.weight" in known
    width, joints = known["network.encoder.blocks.0.first.bias"].size // 2, len(known["network.joint_embedding.weight"])
    if not _fit_to_read(known, shaped, width, joints):
        return None
    reads = _reads(known, shaped)
    blocks, layers = _count(known, "blocks.{}.first"), 1 + _count(known, "blocks.0.hidden.{}")
    fine: list[NDArray[Any]] = []
    whole: list[NDArray[Any]] = []
    scales: list[NDArray[Any]] = []

    def put(layer: str, size: tuple[int, int], finer: bool = False) -> bool:
        numbers, worth = _fine(known, layer) if finer else _whole(known, layer)
        bias = known[f"network.{layer}.bias"]
        (fine if finer else whole).append(numbers.ravel())
        scales.extend((worth, bias))
        return numbers.shape == size and worth.shape == bias.shape == size[1:]

    fits = True
    for part, inputs, outputs in (
        ("encoder", 0, width), ("position_decoder", width, 3 * joints),
        ("rotation_decoder", width + 3 * joints, 6 * joints),
    ):  # fmt: skip
        for block in range(blocks):
            place, reading = f"{part}.blocks.{block}", inputs if block == 0 else width
            if reading:  # what reads the effectors is in `reads`
                fits &= put(f"{place}.first", (reading, 2 * width), finer=part == "encoder")
            for layer in range(layers - 1):
                fits &= put(f"{place}.hidden.{layer}", (width, width))
            fits &= put(f"{place}.forward_output", (width, outputs))
    worth = np.concatenate(scales).astype(np.float32)
    if not (fits and np.isfinite(reads).all() and np.isfinite(worth).all()):
        return None
    finer = np.concatenate(fine) if fine else np.zeros(0, np.int16)
    return ProtoResModel(Numbers(reads, finer, np.concatenate(whole), worth), blocks, layers, shaped)


def _fit_to_read(known: Tensors, shaped: bool, width: int, joints: int) -> bool:
    """Whether what reads the effectors has the sizes that `_reads` and the functions count on."""
    told = [
        (known[f"network.{name}_embedding.weight"], size)
        for name, size in (("joint", joints), ("kind", JOINTS - KINDS))
    ]
    rows = BETAS + sum(embedding.shape[-1] for embedding, _ in told)
    if shaped:
        told.append((known["network.gender_embedding.weight"], len(GENDERS)))
        rows += SHAPE_COMPONENTS + told[-1][0].shape[-1]
    return (
        all(embedding.ndim == 2 and len(embedding) == size for embedding, size in told)
        and joints <= MAX_JOINTS
        and known[_weight("encoder.blocks.0.first")].shape == (rows, 2 * width)
        and known["network.encoder.blocks.0.first.bias"].shape == (2 * width,)
        and known[f"{_weight('position_decoder.blocks.0.first')}_quantized"].shape == (width, 2 * width)
    )


def _reads(known: Tensors, shaped: bool) -> NDArray[Any]:
    """See Numbers; what is embedded goes through the layer once, here."""
    joint, kind = known["network.joint_embedding.weight"], known["network.kind_embedding.weight"]
    first, bias = known[_weight("encoder.blocks.0.first")], known["network.encoder.blocks.0.first.bias"]
    parts = np.split(first, np.cumsum([BETAS, joint.shape[1], kind.shape[1]]))
    if shaped:
        betas, gender = np.split(parts[3], [SHAPE_COMPONENTS])
        gender = known["network.gender_embedding.weight"] @ gender
    else:
        betas, gender = (np.zeros((rows, first.shape[1]), np.float32) for rows in (SHAPE_COMPONENTS, len(GENDERS)))
    return np.concatenate([parts[0], betas, gender + bias, kind @ parts[2], joint @ parts[1]]).astype(np.float32)


def _whole(known: Tensors, layer: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Whole numbers and what one is worth in each column. KeyError if they are none, or zero is not zero."""
    name = _weight(layer)
    numbers = known[f"{name}_quantized"]
    if known[f"{name}_zero_point"].any() or numbers.dtype != np.int8:
        raise KeyError(name)
    return numbers, known[f"{name}_scale"]


def _fine(known: Tensors, layer: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """The weights of a float32 layer as int16, and each column's scale; rounding changes a weight by less than
    1/30,000 of the largest in its column."""
    weights = known[_weight(layer)]
    if weights.ndim != 2 or not np.isfinite(weights).all():
        raise ValueError(layer)
    worth = np.maximum(np.abs(weights).max(axis=0), np.float32(1e-30)) / np.float32(FINEST)
    return np.round(weights / worth).astype(np.int16), worth


def _weight(layer: str) -> str:
    return f"network.{layer}.weight_Transposed"


def _count(known: Tensors, name: str) -> int:
    """How many layers of a decoder have such a name, numbered from 0."""
    count = 0
    while f"network.position_decoder.{name.format(count)}.bias" in known:
        count += 1
    return count
