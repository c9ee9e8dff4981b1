"""Compiled pulls of a photo's evidence on a body: what they cost, their gradient and their curvature.

A pull of value s counts as s, or n · log(1 + s / n) where it is heavy-tailed: far misses lose their grip. Curvatures
are Gauss–Newton's, positive; gradients are exact. Both stand for half the cost. The unknowns: see `system_kernels`.
"""

from __future__ import annotations

from math import cos, log, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.ik.kernels.prior_kernels import add_limit_penalty, turn_between
from solver.jit import kernel
from solver.kinematics.rotation_kernels import quaternion
from solver.photo.fit.system_kernels import HEIGHT, PITCH, TURN, Bones, Work, add_block, place_point, point_block

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

TAIL = 9.0  # squared standard deviations on the picture from which a miss loses its grip
NEAREST = 0.1  # metres before the camera; nothing is nearer


class Prior(NamedTuple):
    """What is likely before the photo is seen. mean (J, 4): the natural pose, quaternions w, x, y, z. stiffness
    (3J, 3J): of the whole pose around it, the root's rows zero. frames (J, 3, 3), low, high (J, 3) radians: limits."""

    mean: Array
    stiffness: Array
    frames: Array
    low: Array
    high: Array


class Landmarks(NamedTuple):
    """P points that a picture shows. joints (P,), offsets (P, 3) metres from it, which turn with carriers (P,). pixels
    (P, 2), world (P, 3) metres about the mid-hip. pixel_weights (P,), 0..1, and world_weights (P,), 0..4: how much each
    counts. hips (2,): which points they are. focal, pixel: pixels, the latter one standard deviation."""

    joints: Indices
    carriers: Indices
    offsets: Array
    pixels: Array
    world: Array
    pixel_weights: Array
    world_weights: Array
    hips: Indices
    focal: float
    pixel: float


class Contacts(NamedTuple):
    """C points that may touch the floor. joints (C,), offsets (C, 3), share (C,): how fond each is of it."""

    joints: Indices
    offsets: Array
    share: Array


class Trunk(NamedTuple):
    """Ellipsoids inside the trunk, and A points of the arms that stay out of them. carriers (E,): joints; centres,
    radii (E, 3): metres in their frames. joints (A,), offsets (A, 3)."""

    carriers: Indices
    centres: Array
    radii: Array
    joints: Indices
    offsets: Array


class Spread(NamedTuple):
    """One standard deviation of each kind of evidence, as in `least_squares.Weights`."""

    lateral: float
    depth: float
    prior: float
    tail: float
    limit: float
    shape: float
    floor: float
    below: float
    pitch: float
    inside: float
    turn: float


@kernel
def add_landmarks(bones: Bones, landmarks: Landmarks, turn: Array, spread: Spread, work: Work) -> float:
    """Landmarks on the picture, heavy-tailed, and about the mid-hip in metres, whose depth alone is; the cost.

    turn (2,): by how much the metres are turned about x, then about y.
    """
    size = work.gradient.shape[0]
    cost = 0.0
    for i in range(2):
        row = size - TURN + i
        cost += (turn[i] / spread.turn) ** 2
        work.gradient[row] += turn[i] / spread.turn**2
        work.normal[row, row] += 1.0 / spread.turn**2
    ca, sa, cb, sb = cos(turn[0]), sin(turn[0]), cos(turn[1]), sin(turn[1])
    point, middle, m, force = np.empty(3), np.zeros(3), np.empty((3, 3)), np.empty(3)
    for h in landmarks.hips:
        place_point(landmarks.joints[h], landmarks.carriers[h], landmarks.offsets[h], work, point)
        middle += 0.5 * point
    count = bones.directions.shape[2]
    for p in range(landmarks.joints.shape[0]):
        joint, carrier = landmarks.joints[p], landmarks.carriers[p]
        place_point(joint, carrier, landmarks.offsets[p], work, point)
        n = point_block(bones, joint, carrier, point, work)
        depth = max(-point[2], NEAREST)
        scale = landmarks.pixel_weights[p] / (landmarks.pixel * landmarks.pixel)
        f = landmarks.focal / depth
        u, v = f * point[0], f * point[1]
        du, dv = u - landmarks.pixels[p, 0], v - landmarks.pixels[p, 1]
        s = scale * (du * du + dv * dv) / TAIL
        cost += TAIL * log(1.0 + s)
        k = scale / (1.0 + s)
        a, b = u / depth, v / depth
        m[0, 0], m[0, 1], m[0, 2] = k * f * f, 0.0, k * f * a
        m[1, 0], m[1, 1], m[1, 2] = 0.0, k * f * f, k * f * b
        m[2, 0], m[2, 1], m[2, 2] = k * f * a, k * f * b, k * (a * a + b * b)
        force[0], force[1], force[2] = k * f * du, k * f * dv, k * (a * du + b * dv)
        add_block(work.block, n, m, force, work)

        relative = work.relative
        pelvis = work.world[0]
        x, y, z = point[0] - middle[0], point[1] - middle[1], point[2] - middle[2]
        for i in range(3):
            for q in range(n):
                relative[i, q] = work.block[i, q]
        for c in range(3):  # turning the pelvis turns about the mid-hip, as far as this is concerned
            e0, e1, e2 = pelvis[0, c], pelvis[1, c], pelvis[2, c]
            relative[0, c], relative[1, c], relative[2, c] = e1 * z - e2 * y, e2 * x - e0 * z, e0 * y - e1 * x
        first = n - count - 3
        for i in range(3):
            for q in range(3):
                relative[i, first + q] = 0.0
            for q in range(count):
                for h in landmarks.hips:
                    relative[i, first + 3 + q] -= 0.5 * work.drift[landmarks.joints[h], i, q]
        wx, wy, wz = landmarks.world[p, 0], landmarks.world[p, 1], landmarks.world[p, 2]
        wy, wz = ca * wy - sa * wz, sa * wy + ca * wz
        wx, wz = cb * wx + sb * wz, cb * wz - sb * wx
        relative[0, n], relative[1, n], relative[2, n] = -sb * wy, sb * wx + cb * wz, -cb * wy
        relative[0, n + 1], relative[1, n + 1], relative[2, n + 1] = -wz, 0.0, wx
        work.columns[n], work.columns[n + 1] = size - TURN, size - TURN + 1
        n += 2
        x, y, z = x - wx, y - wy, z - wz
        across = landmarks.world_weights[p] / (spread.lateral * spread.lateral)
        along = landmarks.world_weights[p] / (spread.depth * spread.depth)
        s = along * z * z
        cost += across * (x * x + y * y) + log(1.0 + s)
        along /= 1.0 + s
        m[0, 2] = m[1, 2] = m[2, 0] = m[2, 1] = 0.0
        m[0, 0], m[1, 1], m[2, 2] = across, across, along
        force[0], force[1], force[2] = across * x, across * y, along * z
        add_block(relative, n, m, force, work)
    return cost


@kernel
def add_floor(bones: Bones, contacts: Contacts, ground: Array, spread: Spread, work: Work) -> float:
    """What may touch the floor likes to, nothing is below it, and cameras are held level; the cost.

    ground (2,): the floor's height before a camera that is turned down by the pitch ground[1].
    """
    height, pitch = ground[0], ground[1]
    up, tilt = np.array([0.0, cos(pitch), sin(pitch)]), np.array([0.0, -sin(pitch), cos(pitch)])
    size = work.gradient.shape[0]
    cost = (pitch / spread.pitch) ** 2
    work.gradient[size - PITCH] += pitch / spread.pitch**2
    work.normal[size - PITCH, size - PITCH] += 1.0 / spread.pitch**2
    point, m, force = np.empty(3), np.zeros((3, 3)), np.zeros(3)
    for c in range(contacts.joints.shape[0]):
        joint = contacts.joints[c]
        place_point(joint, joint, contacts.offsets[c], work, point)
        gap = up[1] * point[1] + up[2] * point[2] - height
        s = (gap / spread.floor) ** 2
        cost += contacts.share[c] * log(1.0 + s)
        k = contacts.share[c] / (spread.floor**2 * (1.0 + s))
        if gap < 0.0:
            cost += (gap / spread.below) ** 2
            k += 1.0 / spread.below**2
        n = point_block(bones, joint, joint, point, work)
        row = work.block  # its first row becomes how the height over the floor changes
        for q in range(n):
            row[0, q] = up[1] * row[1, q] + up[2] * row[2, q]
        row[0, n], work.columns[n] = -1.0, size - HEIGHT
        row[0, n + 1], work.columns[n + 1] = tilt[1] * point[1] + tilt[2] * point[2], size - PITCH
        n += 2
        for i in range(1, 3):
            for q in range(n):
                row[i, q] = 0.0
        m[0, 0], force[0] = k, k * gap
        add_block(row, n, m, force, work)
    return cost


@kernel
def add_clearance(bones: Bones, trunk: Trunk, spread: Spread, work: Work) -> float:
    """Arms stay out of the trunk; the cost. What carries a part of the trunk carries the arm as well."""
    cost = 0.0
    point, q, force, m = np.empty(3), np.empty(3), np.empty(3), np.empty((3, 3))
    for a in range(trunk.joints.shape[0]):
        joint = trunk.joints[a]
        place_point(joint, joint, trunk.offsets[a], work, point)
        for e in range(trunk.carriers.shape[0]):
            carrier = trunk.carriers[e]
            w, radii = work.world[carrier], trunk.radii[e]
            s = 0.0
            for c in range(3):
                q[c] = -trunk.centres[e, c]
                for i in range(3):
                    q[c] += w[i, c] * (point[i] - work.positions[carrier, i])
                s += (q[c] / radii[c]) ** 2
            if s >= 1.0:
                continue
            # How deep: 1 - s, in units of the thinnest radius; smooth everywhere.
            k = radii.min() / (2.0 * spread.inside)
            deep = k * (1.0 - s)
            cost += deep * deep
            n = point_block(bones, joint, joint, point, work)
            for i in range(3):
                force[i] = 0.0
                for c in range(3):
                    force[i] -= 2.0 * k * q[c] / radii[c] ** 2 * w[i, c]
            for i in range(3):
                for b in range(3):
                    m[i, b] = force[i] * force[b]
            for i in range(3):
                force[i] *= deep
            count = bones.directions.shape[2]
            for i in range(3):
                work.block[i, : 3 * bones.depths[carrier]] = 0.0
                work.block[i, n - count - 3 : n - count] = 0.0
                for b in range(count):
                    work.block[i, n - count + b] -= work.drift[carrier, i, b]
            add_block(work.block, n, m, force, work)
    return cost


@kernel
def add_prior(local: Array, betas: Array, prior: Prior, spread: Spread, work: Work) -> float:
    """The natural pose as a whole, the joints' ranges and ordinary proportions; the cost."""
    q, v, a, c, g = np.empty(4), np.empty(3), np.empty((3, 3)), np.empty((3, 3)), np.empty(3)
    joints = local.shape[0]
    cost = add_natural_pose(local, prior, spread, work)
    for j in range(1, joints):
        quaternion(local[j], q)
        c[:], g[:] = 0.0, 0.0
        cost += 2.0 * add_limit_penalty(q, prior.frames[j], prior.low[j], prior.high[j], spread.limit**-2.0, v, a, c, g)
        for i in range(3):
            work.gradient[3 * j + i] += g[i]
            for b in range(i + 1):
                work.normal[3 * j + i, 3 * j + b] += c[i, b]
    for b in range(betas.shape[0]):
        row = 3 * joints + 3 + b
        cost += (betas[b] / spread.shape) ** 2
        work.gradient[row] += betas[b] / spread.shape**2
        work.normal[row, row] += 1.0 / spread.shape**2
    return cost


@kernel
def add_natural_pose(local: Array, prior: Prior, spread: Spread, work: Work) -> float:
    """s = vᵀ S v for the turns v of all joints from the natural pose (prior_kernels) with their common stiffness S.

    Heavy-tailed, n · log(1 + s / n) with n = spread.tail: nobody is natural all the time.
    """
    size = 3 * local.shape[0]
    q, v, a = np.empty(4), np.empty(size), np.zeros((size, 3))
    for j in range(local.shape[0]):
        quaternion(local[j], q)
        m = prior.mean[j]
        c, x, y, z = turn_between(m[0], m[1], m[2], m[3], q[0], q[1], q[2], q[3])
        at = 3 * j
        v[at], v[at + 1], v[at + 2] = 2.0 * x, 2.0 * y, 2.0 * z
        # How it changes with the joint's turn: c + [h]×.
        a[at, 0], a[at, 1], a[at, 2] = c, -z, y
        a[at + 1, 0], a[at + 1, 1], a[at + 1, 2] = z, c, -x
        a[at + 2, 0], a[at + 2, 1], a[at + 2, 2] = -y, x, c
    pulled, room = prior.stiffness @ v, np.empty((3, 3))
    s = v @ pulled
    scale = 1.0 / (spread.prior**2 * (1.0 + s / spread.tail))
    pulled *= scale
    for j in range(3, size, 3):
        for i in range(3):
            for k in range(3):
                work.gradient[j + i] += a[j + k, i] * pulled[j + k]
        for other in range(3, j + 1, 3):
            for k in range(3):
                for b in range(3):
                    room[k, b] = 0.0
                    for n in range(3):
                        room[k, b] += scale * prior.stiffness[j + k, other + n] * a[other + n, b]
            for i in range(3):
                for b in range(3):
                    for k in range(3):
                        work.normal[j + i, other + b] += a[j + k, i] * room[k, b]
    return float(spread.tail * log(1.0 + s / spread.tail) / spread.prior**2)
