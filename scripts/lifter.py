"""A small network that lifts landmarks to a pose, and what it learns from: recorded poses seen by random cameras, with
the errors that the landmark networks were measured to make.

Everything is seen as in a cut-out: the camera looks straight at the middle of the hips (x right, y up, looking along
-z), metres about the hips; the picture's points by the extent of the person there.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from solver.body.body import SHAPE_COMPONENTS, BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.evaluation.posture import postures_of
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.geometry import matrices_from_6d, matrices_from_euler_zyx, matrices_from_quaternions_xyzw
from solver.photo.fit.evidence import body_points
from solver.rig.roles import SMPL_ROLES
from solver.training.data.dataset import QUATERNION_SCALE, PoseData

Array = NDArray[np.float64]
BODY = load_body(DEFAULT_BODY)
POINTS = body_points(BODY)
COUNT, JOINTS = len(POINTS.joint), len(SMPL_PARENTS)
HIPS = [int(np.flatnonzero(POINTS.landmark == mark)[0]) for mark in (23, 24)]
MARKS = POINTS.landmark.tolist()
OTHER_POINT = [MARKS.index(m if m == 0 else m + 1 if m % 2 else m - 1) for m in MARKS]
OTHER_JOINT = [SMPL_ROLES.index(role.mirrored) for role in SMPL_ROLES]
LIMBS = [[MARKS.index(m) for m in line] for line in (
    (11, 13, 15, 17, 19), (12, 14, 16, 18, 20), (23, 25, 27, 29, 31), (24, 26, 28, 30, 32),
)]  # fmt: skip
UPPER, LEFT_ARM = [9, *range(12, 24)], [13, 16, 18, 20]
BATCH, RATE = 256, 1e-3
SIGN = torch.tensor([-1.0, 1.0, 1.0])


class Lifter(nn.Module):
    """Points in the picture (B, P, 2) and in space (B, P, 3) with weights (B, P) 0..1 become local rotations
    (B, 24, 3, 3), and the logarithm of how far each point is off (B, P), in decimetres."""

    def __init__(self, width: int = 512, blocks: int = 3) -> None:
        super().__init__()
        self.first = nn.Linear(COUNT * 6, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU(), nn.Linear(width, width))
            for _ in range(blocks)
        )
        self.norm, self.last = nn.LayerNorm(width), nn.Linear(width, JOINTS * 6 + COUNT)
        with torch.no_grad():
            self.last.weight *= 0.1
            self.last.bias[: JOINTS * 6] = torch.tensor([1.0, 0, 0, 0, 1, 0]).repeat(JOINTS)

    def forward(self, picture: Tensor, space: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
        """The rotations, and the logarithms."""
        seen = torch.cat([2 * (picture * weight[..., None]).flatten(1), 1.5 * space.flatten(1), weight], dim=1)
        x = self.first(seen)
        for block in self.blocks:
            x = x + block(x)
        out = self.last(self.norm(x))
        return matrices_from_6d(out[:, : JOINTS * 6].unflatten(1, (JOINTS, 6))), out[:, JOINTS * 6 :]


class Lesson(NamedTuple):
    """What is seen, see `Lifter`; local rotations (B, 24, 3, 3) and world ones; points (B, P, 3) about the hips."""

    picture: Tensor
    space: Tensor
    weight: Tensor
    local: Tensor
    world: Tensor
    points: Tensor


def posed(local: Tensor, offsets: Tensor) -> tuple[Tensor, Tensor]:
    """Places (B, 24, 3) about the root and world rotations of poses on bones (B, 24, 3)."""
    world, places = [local[:, 0]], [torch.zeros_like(offsets[:, 0])]
    for joint, parent in enumerate(SMPL_PARENTS[1:], start=1):
        world.append(world[parent] @ local[:, joint])
        places.append(places[parent] + (world[parent] @ offsets[:, joint, :, None])[..., 0])
    return torch.stack(places, 1), torch.stack(world, 1)


def points_of(local: Tensor, offsets: Tensor) -> tuple[Tensor, Tensor]:
    """Points (B, P, 3) about the middle of the hips, and world rotations."""
    places, world = posed(local, offsets)
    carried = world[:, POINTS.carrier] @ torch.tensor(POINTS.offset, dtype=torch.float32)[None, :, :, None]
    points = places[:, POINTS.joint] + carried[..., 0]
    return points - points[:, HIPS].mean(1, keepdim=True), world


class Lessons:
    """Draws lessons. off_space (N, P, 3), off_picture (N, P, 2): errors that were measured."""

    def __init__(self, data: PoseData, clips: set[str], off_space: Array, off_picture: Array, seed: int = 0) -> None:
        chosen = np.isin(data.frame_clip, [i for i, name in enumerate(data.clip_names) if name in clips])
        recorded = torch.tensor(data.quaternions_xyzw[chosen] / QUATERNION_SCALE, dtype=torch.float32)
        turns = matrices_from_quaternions_xyzw(recorded)
        self._local = torch.eye(3).repeat(len(turns), JOINTS, 1, 1)
        self._local[:, : turns.shape[1]] = turns
        skeleton = BODY.skeleton(BodyShape())
        self.bones = torch.tensor(skeleton.offsets, dtype=torch.float32)
        self.bones[0] = 0.0
        unit = np.eye(SHAPE_COMPONENTS, dtype=np.float32)
        grown = [BODY.skeleton(BodyShape(row)).offsets - skeleton.offsets for row in unit]
        self._growth = torch.tensor(np.stack(grown, axis=-1), dtype=torch.float32)
        self._off = [torch.tensor(part, dtype=torch.float32) for part in (off_space, off_picture)]
        self._generator = torch.Generator().manual_seed(seed)
        places = (
            posed(self._local, self.bones.expand(len(turns), -1, -1))[0].numpy() + data.root_positions[chosen, None]
        )
        classes = postures_of(skeleton, places)
        self._chance = torch.tensor(1.0 / np.sqrt(np.bincount(classes)[classes]))  # rare postures more often

    def draw(self, batch: int = BATCH) -> Lesson:
        """A batch."""
        local = self._turned(self._mixed(batch))
        betas = 0.8 * self._normal(batch, SHAPE_COMPONENTS)
        bones = self.bones + (self._growth * betas[:, None, None]).sum(-1)
        true, _ = points_of(local, bones)
        away = 1.8 + 6 * self._even(batch, 1, 1) ** 1.5
        flat = true[..., :2] / (1 - true[..., 2:] / away).clamp(min=0.2)
        flat = flat / (flat.amax(1) - flat.amin(1)).norm(dim=-1)[:, None, None]
        picture, space, weight = self._misread(flat, true)
        mean, world = points_of(local, self.bones.expand(batch, -1, -1))
        return Lesson(picture, space, weight, local, world, mean)

    def _mixed(self, batch: int) -> Tensor:
        """Recorded poses, some with the upper body or an arm of others, half of them mirrored, joints shaken."""
        local = self._pick(batch)
        for joints in (UPPER, LEFT_ARM):
            some = (self._even(batch) < 0.15)[:, None] & torch.isin(torch.arange(JOINTS), torch.tensor(joints))
            local = torch.where(some[..., None, None], self._pick(batch), local)
        mirrored = local[:, OTHER_JOINT] * SIGN * SIGN[:, None]
        local = torch.where((self._even(batch) < 0.5)[:, None, None, None], mirrored, local)
        return local @ matrices_from_euler_zyx(0.05 * self._normal(batch, JOINTS, 3))

    def _turned(self, local: Tensor) -> Tensor:
        """Seen from any side and a little from above; every fourth any way up."""
        batch = len(local)
        way = torch.zeros(3, batch, 3)  # angles about z, y and x
        way[0, :, 1] = 2 * np.pi * self._even(batch)
        way[1, :, 2] = 0.15 + 0.25 * self._normal(batch)
        way[2, :, 0] = 0.1 * self._normal(batch)
        about, tilt, roll = matrices_from_euler_zyx(way)
        seen = roll @ tilt @ about
        anyhow = matrices_from_6d(self._normal(batch, 6))
        seen = torch.where((self._even(batch) < 0.25)[:, None, None], anyhow, seen)
        return torch.cat([(seen @ local[:, 0])[:, None], local[:, 1:]], dim=1)

    def _misread(self, flat: Tensor, true: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Points as networks might see them: measured errors, limbs read the other way in depth, hidden points."""
        batch = len(flat)
        which = torch.randint(len(self._off[0]), (batch,), generator=self._generator)
        flip, much = (self._even(batch) < 0.5)[:, None, None], 1.3 * self._even(batch, 1, 1)
        off, beside = (part[which] for part in self._off)
        off = torch.where(flip, off[:, OTHER_POINT] * SIGN, off)
        beside = torch.where(flip, beside[:, OTHER_POINT] * SIGN[:2], beside)
        space = true.clone()
        for limb in LIMBS:
            some = self._even(batch) < 0.15
            way = torch.where(some, 2 * self._even(batch) - 1, torch.ones(batch))[:, None]
            root = true[:, limb[:1], 2]
            space[:, limb[1:], 2] = root + way * (true[:, limb[1:], 2] - root)
        deep = 1 + 0.25 * self._normal(batch, 1) * (self._even(batch, 1) < 0.5)
        space[..., 2] *= deep
        space = space + much * off + self._normal(*space.shape) * torch.tensor([0.015, 0.015, 0.03])
        space = (space - space[:, HIPS].mean(1, keepdim=True)) * (1 + 0.08 * self._normal(batch, 1, 1))
        picture = flat + much.clamp(max=1) * beside + 0.004 * self._normal(*flat.shape)
        hidden = self._even(batch, COUNT) < 0.25 * self._even(batch, 1)
        weight = torch.where(hidden, 0.5 * self._even(batch, COUNT), torch.ones(batch, COUNT))
        unseen = 1 - weight[..., None]
        picture = picture + 0.03 * unseen * self._normal(*flat.shape)
        return picture, space + 0.08 * unseen * self._normal(*space.shape), weight

    def _pick(self, batch: int) -> Tensor:
        return self._local[torch.multinomial(self._chance, batch, True, generator=self._generator)]

    def _even(self, *size: int) -> Tensor:
        return torch.rand(*size, generator=self._generator)

    def _normal(self, *size: int) -> Tensor:
        return torch.randn(*size, generator=self._generator)


def trained(lessons: Lessons, minutes: float) -> Lifter:
    """A network after so many minutes on one thread, at a rate that falls to nothing."""
    torch.manual_seed(0)
    network = Lifter()
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=1e-4)
    began, step = time.monotonic(), 0
    while (share := (time.monotonic() - began) / (60 * minutes)) < 1:
        optimizer.param_groups[0]["lr"] = RATE * min(1.0, step / 200) * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-6
        lesson = lessons.draw()
        local, unsure = network(lesson.picture, lesson.space, lesson.weight)
        points, world = points_of(local, lessons.bones.expand(len(local), -1, -1))
        off = (points - lesson.points).norm(dim=-1)
        unsure = unsure.clamp(-4, 3)
        honest = (off.detach() / (0.1 * unsure.exp()) + unsure).mean()
        turned = 2 * (world - lesson.world).abs().mean() + (local - lesson.local).abs().mean()
        optimizer.zero_grad()
        (8 * off.mean() + 0.1 * honest + turned).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        step += 1
        if step % 500 == 0:
            print(f"step {step}: points {1000 * float(off.detach().mean()):.1f} mm off", flush=True)
    return network.eval()


def names_of(data: PoseData, splits: Sequence[str]) -> set[str]:
    """The clips of these splits."""
    return {name for name, split in zip(data.clip_names, data.clip_splits, strict=True) if split in splits}
