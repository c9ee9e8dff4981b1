"""ProtoRes and SMPL-IK for few problems, compiled: what solver/networks/protores.py describes, for int8 weights.

Behind a ReLU most numbers are zero, three of four in a hidden layer. A layer adds up the rows of its weights that
belong to the others and never reads the rest. Weights stay the whole numbers that they are in the file, a quarter of
what float32 takes, so that fewer come from beyond the processor's own caches.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel_in_place

Array = NDArray[np.float32]
Indices = NDArray[np.int64]

NONE, ONE = np.float32(0), np.float32(1)
POSITION, ROTATION = 0, 1  # kinds, as solver/networks/effector_batch.py has them
TOLERANCE, BETAS, GENDERS, KINDS, JOINTS = 6, 7, 17, 20, 23  # rows of `reads`; the six numbers are before these


class Numbers(NamedTuple):
    """A network of width W with J joints.

    reads: (23 + J, 2 W) what the first layer adds for each of an effector's numbers, its tolerance and the ten betas,
    and for each gender, its bias with it, kind and joint. fine: (F,) int16, the first layers of the encoder's other
    blocks, one after the other. whole: (H,) int8, all other layers. scales: (S,) of each of these layers, fine or
    whole, in the order of the pass, what one is worth in each column, then the bias. Each layer is (inputs, outputs).
    """

    reads: Array
    fine: NDArray[np.int16]
    whole: NDArray[np.int8]
    scales: Array


class Work(NamedTuple):
    """Room for B N rows, as wide as anything that a layer reads or makes; `places` one row of it.

    read: what a block reads, hidden: what its layers hand on, skipped: what passes them by, made: what one layer makes.
    pose: (B, ...) the embedding. centres: (B, 3) of the position effectors.
    """

    read: Array
    hidden: Array
    skipped: Array
    made: Array
    pose: Array
    centres: Array
    places: Indices


@kernel_in_place
def _add_four(
    out: Array,
    a: NDArray,
    b: NDArray,
    c: NDArray,
    d: NDArray,
    x: np.float32,
    y: np.float32,
    z: np.float32,
    w: np.float32,
) -> None:
    for j in range(out.shape[0]):
        out[j] += (x * np.float32(a[j]) + y * np.float32(b[j])) + (z * np.float32(c[j]) + w * np.float32(d[j]))


@kernel_in_place
def _add_three(out: Array, a: NDArray, b: NDArray, c: NDArray, x: np.float32, y: np.float32, z: np.float32) -> None:
    for j in range(out.shape[0]):
        out[j] += (x * np.float32(a[j]) + y * np.float32(b[j])) + z * np.float32(c[j])


@kernel_in_place
def _copy(out: Array, x: Array) -> None:  # slices that are handed to slices would be copied twice
    for j in range(out.shape[0]):
        out[j] = x[j]


@kernel_in_place
def _add(out: Array, x: Array, times: np.float32) -> None:
    for j in range(out.shape[0]):
        out[j] += x[j] * times


@kernel_in_place
def _layer(
    x: Array, weights: NDArray, at: int, wide: int, scales: Array, place: int, out: Array, places: Indices
) -> None:
    """out = what a layer of `wide` outputs says to x, or the first of them, as many as `out` takes.

    at, place: where the layer begins in `weights` and in `scales`.
    """
    count, taken = 0, out.shape[0]
    for k in range(x.shape[0]):  # without a branch, which would be guessed wrongly every fourth time
        places[count] = k
        count += 1 if x[k] != NONE else 0
    out[:] = NONE
    for i in range(0, count - 3, 4):
        k, m, n, p = places[i], places[i + 1], places[i + 2], places[i + 3]
        a, b, c, d = at + k * wide, at + m * wide, at + n * wide, at + p * wide
        _add_four(
            out, weights[a : a + taken], weights[b : b + taken], weights[c : c + taken], weights[d : d + taken],
            x[k], x[m], x[n], x[p],
        )  # fmt: skip
    left = count & 3
    if left:
        k = places[count - left]
        m, y = (places[count - left + 1], x[places[count - left + 1]]) if left > 1 else (k, NONE)
        n, z = (places[count - 1], x[places[count - 1]]) if left > 2 else (k, NONE)
        a, b, c = at + k * wide, at + m * wide, at + n * wide
        _add_three(out, weights[a : a + taken], weights[b : b + taken], weights[c : c + taken], x[k], y, z)
    worth, bias = scales[place : place + taken], scales[place + wide : place + wide + taken]
    for j in range(taken):
        out[j] = out[j] * worth[j] + bias[j]


@kernel_in_place
def _no_less(out: Array, x: Array) -> None:
    """out = ReLU(x); what is not a number stays so."""
    for j in range(out.shape[0]):
        out[j] = NONE if x[j] < NONE else x[j]


@kernel_in_place
def _split(rows: int, width: int, last: bool, work: Work) -> None:
    """What a block's first layer made, into what the next ones read and what passes them by, none in the last block."""
    for r in range(rows):
        _no_less(work.hidden[r, :width], work.made[r, :width])
        if not last:
            _copy(work.skipped[r, :width], work.made[r, width : 2 * width])


@kernel_in_place
def _hidden(rows: int, width: int, layers: int, numbers: Numbers, at: int, place: int, work: Work) -> tuple[int, int]:
    """work.hidden through a block's layers behind the first; where the layer after these begins."""
    for _ in range(layers - 1):
        for r in range(rows):
            row, made = work.hidden[r, :width], work.made[r, :width]
            _layer(row, numbers.whole, at, width, numbers.scales, place, made, work.places)
            _no_less(row, made)
        at += width * width
        place += 2 * width
    return at, place


@kernel_in_place
def _read(
    data: Array,
    tolerance: Array,
    joint: Indices,
    kind: Indices,
    betas: Array,
    gender: Indices,
    reads: Array,
    work: Work,
) -> bool:
    """work.made = what the first layer says to each effector; False where one is of no joint or kind, or somebody of
    no gender, that the network knows."""
    wide, joints = reads.shape[1], reads.shape[0] - JOINTS
    batch, count = kind.shape
    for b in range(batch):
        if not 0 <= gender[b] < KINDS - GENDERS:
            return False
        placed, centre, common = NONE, work.centres[b], work.pose[b, :wide]
        centre[:] = NONE
        for e in range(count):
            if not (0 <= kind[b, e] < JOINTS - KINDS and 0 <= joint[b, e] < joints):
                return False
            if kind[b, e] == POSITION:
                placed += ONE
                _add(centre, data[b, e], ONE)
        for i in range(3):
            centre[i] /= max(placed, ONE)
        _copy(common, reads[GENDERS + gender[b]])
        for k in range(BETAS, GENDERS):
            _add(common, reads[k], betas[b, k - BETAS])
        for e in range(count):
            out, away = work.made[b * count + e, :wide], NONE if kind[b, e] == ROTATION else ONE
            _copy(out, common)
            _add(out, reads[KINDS + kind[b, e]], ONE)
            _add(out, reads[JOINTS + joint[b, e]], ONE)
            _add(out, reads[TOLERANCE], tolerance[b, e])
            for i in range(6):
                _add(out, reads[i], data[b, e, i] - away * centre[i] if i < 3 else data[b, e, i])
    return True


@kernel_in_place
def _encode(batch: int, count: int, blocks: int, layers: int, numbers: Numbers, work: Work) -> tuple[int, int]:
    """work.pose = the embedding of the rows whose first layer is made; where the decoders begin."""
    width, rows = numbers.reads.shape[1] // 2, batch * count
    at, place, fine = 0, 0, 0
    work.pose[:batch, :width] = NONE
    for block in range(blocks):
        last = block == blocks - 1
        if block > 0:
            for r in range(rows):
                out = work.made[r, : width if last else 2 * width]
                _layer(work.read[r, :width], numbers.fine, fine, 2 * width, numbers.scales, place, out, work.places)
            fine += 2 * width * width
            place += 4 * width
        _split(rows, width, last, work)
        at, place = _hidden(rows, width, layers, numbers, at, place, work)
        mean, out = work.made[0, :width], work.made[0, width : 2 * width]
        for b in range(batch):
            mean[:] = NONE
            for r in range(b * count, (b + 1) * count):
                _add(mean, work.hidden[r], ONE / np.float32(count))
            _layer(mean, numbers.whole, at, width, numbers.scales, place, out, work.places)
            pose = work.pose[b, :width]
            _add(pose, out, ONE)
            if not last:
                for r in range(b * count, (b + 1) * count):
                    _beyond(work.read[r], work.hidden[r], work.skipped[r], pose, ONE / np.float32(block + 1))
        at += width * width
        place += 2 * width
    return at, place


@kernel_in_place
def _beyond(out: Array, kept: Array, passed: Array, pose: Array, share: np.float32) -> None:
    """out = what a row says beyond the embedding so far, equation (2)."""
    for j in range(pose.shape[0]):
        v = kept[j] + passed[j]
        v = (NONE if v < NONE else v) - pose[j] * share
        out[j] = NONE if v < NONE else v


@kernel_in_place
def _decode(
    batch: int, inputs: int, blocks: int, layers: int, numbers: Numbers, at: int, place: int, out: Array, work: Work
) -> tuple[int, int]:
    """out (B, O) = what a decoder says to as many numbers of each row of work.read; where the next one begins."""
    width, outputs = numbers.reads.shape[1] // 2, out.shape[1]
    out[:] = NONE
    for block in range(blocks):
        last = block == blocks - 1
        for b in range(batch):
            made = work.made[b, : width if last else 2 * width]
            _layer(work.read[b, :inputs], numbers.whole, at, 2 * width, numbers.scales, place, made, work.places)
        at += 2 * width * inputs
        place += 4 * width
        _split(batch, width, last, work)
        at, place = _hidden(batch, width, layers, numbers, at, place, work)
        for b in range(batch):
            row, made = work.hidden[b, :width], work.made[b, :outputs]
            _layer(row, numbers.whole, at, outputs, numbers.scales, place, made, work.places)
            _add(out[b], made, ONE)
            if not last:
                _add(row, work.skipped[b], ONE)
                _no_less(work.read[b, :width], row)
        at += width * outputs
        place += 2 * outputs
        inputs = width
    return at, place


@kernel_in_place
def answer(
    data: Array, tolerance: Array, joint: Indices, kind: Indices, betas: Array, gender: Indices,
    blocks: int, layers: int, numbers: Numbers, work: Work, draft: Array, rotations_6d: Array,
) -> bool:  # fmt: skip
    """Fill draft (B, 3 J) and rotations_6d (B, 6 J) with what the network says to B problems of N effectors.

    Inputs as in EffectorBatch; betas (B, 10), gender (B,). False where a joint, kind or gender is none that it knows.
    """
    if not _read(data, tolerance, joint, kind, betas, gender, numbers.reads, work):
        return False
    (batch, count), width, flat = kind.shape, numbers.reads.shape[1] // 2, draft.shape[1]
    at, place = _encode(batch, count, blocks, layers, numbers, work)
    for b in range(batch):
        _copy(work.read[b, :width], work.pose[b])
    at, place = _decode(batch, width, blocks, layers, numbers, at, place, draft, work)
    for b in range(batch):
        _copy(work.read[b, :width], work.pose[b])
        _copy(work.read[b, width : width + flat], draft[b])
    _decode(batch, width + flat, blocks, layers, numbers, at, place, rotations_6d, work)
    for b in range(batch):
        for j in range(0, flat, 3):
            for i in range(3):
                draft[b, j + i] += work.centres[b, i]
            rotations_6d[b, 2 * j] += ONE  # relative to the rest pose
            rotations_6d[b, 2 * j + 4] += ONE
    return True
