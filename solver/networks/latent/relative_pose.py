"""Poses as DragPoser sees them (section 4.1): every joint from the root, the root from where it was a frame before."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from solver.networks.geometry import ancestors, tree_levels


class RelativePose(NamedTuple):
    """quaternions: (..., J, 4) xyzw, of each joint in the root's frame; the first is the root's own turn since the last
    frame. shift: (..., 3) metres, the root's way since the last frame, in the root's axes at that frame."""

    quaternions: Tensor
    shift: Tensor

    @property
    def vector(self) -> Tensor:
        """(..., J * 4 + 3), the x of the paper."""
        return torch.cat([self.quaternions.flatten(-2), self.shift], dim=-1)

    def rows(self, chosen: Tensor | slice) -> RelativePose:
        """Some of the poses."""
        return RelativePose(self.quaternions[chosen], self.shift[chosen])


def relative_poses(local: Tensor, root: Tensor, parents: tuple[int, ...]) -> RelativePose:
    """The poses of consecutive frames, one fewer than those of local (F, J, 4) xyzw and root (F, 3)."""
    before, now = slice(None, -1), slice(1, None)
    seen = {0: local[now, 0] * 0 + local.new_tensor([0.0, 0.0, 0.0, 1.0])}
    for level in tree_levels(parents):
        for joint in level:
            seen[joint] = product(seen[parents[joint]], local[now, joint])
    back = conjugate(local[before, 0])
    seen[0] = product(back, local[now, 0])
    return RelativePose(
        torch.stack([seen[j] for j in range(len(parents))], dim=-2), rotated(back, root[now] - root[before])
    )


def mirrored(pose: RelativePose, other_side: Tensor) -> RelativePose:
    """The poses in the mirror x = 0. other_side: (J,) joint of the other side."""
    flip = pose.shift.new_tensor([1.0, -1.0, -1.0, 1.0])
    across = pose.shift.new_tensor([-1.0, 1.0, 1.0])
    return RelativePose(pose.quaternions[..., other_side, :] * flip, pose.shift * across)


def of_one_sign(quaternions: Tensor, reference: Tensor) -> Tensor:
    """The quaternions (..., J, 4), each with the sign nearer to the reference (J, 4)."""
    return torch.where((quaternions * reference).sum(dim=-1, keepdim=True) < 0, -quaternions, quaternions)


def positions(pose: RelativePose, offsets: Tensor, parents: tuple[int, ...]) -> Tensor:
    """(..., J, 3) metres from the root, in the root's frame; offsets (..., J, 3) are the bones."""
    turns = pose.quaternions[..., 1:, :]
    identity = torch.zeros_like(pose.quaternions[..., :1, :]) + turns.new_tensor([0.0, 0.0, 0.0, 1.0])
    above = torch.cat([identity, turns], dim=-2)[..., [max(p, 0) for p in parents], :]
    below = turns.new_tensor([0.0] + [1.0] * len(parents[1:])).unsqueeze(-1)
    bones = rotated(above, offsets.expand(above[..., :3].shape)) * below
    return ancestors(parents, turns.device) @ bones


def carried(pose: RelativePose, seen: Tensor) -> Tensor:
    """Points (..., J, 3) from the root's axes to its axes one frame before."""
    return rotated(pose.quaternions[..., :1, :].expand(*seen.shape[:-1], 4), seen) + pose.shift.unsqueeze(-2)


def dual_quaternions(pose: RelativePose, seen: Tensor) -> Tensor:
    """(..., J, 8): turn and place of each joint in the root's frame; of the root, how it moved. seen: `positions`."""
    place = torch.cat([pose.shift.unsqueeze(-2), seen[..., 1:, :]], dim=-2)
    dual = 0.5 * product(torch.nn.functional.pad(place, (0, 1)), pose.quaternions)
    return torch.cat([pose.quaternions, dual], dim=-1)


def product(a: Tensor, b: Tensor) -> Tensor:
    """The quaternions' product, (..., 4) xyzw each."""
    u, v, s, t = a[..., :3], b[..., :3], a[..., 3:], b[..., 3:]
    return torch.cat([s * v + t * u + torch.linalg.cross(u, v), s * t - (u * v).sum(dim=-1, keepdim=True)], dim=-1)


def conjugate(q: Tensor) -> Tensor:
    """The inverse of unit quaternions (..., 4) xyzw."""
    return torch.cat([-q[..., :3], q[..., 3:]], dim=-1)


def rotated(q: Tensor, v: Tensor) -> Tensor:
    """Vectors (..., 3) turned by unit quaternions (..., 4) xyzw."""
    twice = 2.0 * torch.linalg.cross(q[..., :3], v)
    return v + q[..., 3:] * twice + torch.linalg.cross(q[..., :3], twice)
