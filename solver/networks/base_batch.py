"""The base pose as a network reads it: its joints in the world, the bones, and how firmly each joint is to be kept."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor


class BaseBatch(NamedTuple):
    """B base poses of J joints.

    base_positions: (B, J, 3) metres, world. base_world, base_local: (B, J, 3, 3) rotations against the world and the
    parent. offsets: (B, J, 3) bones, metres. keep_place, keep_shape: (B, J) in [0, 1], how firmly each joint keeps its
    global position (C_FK of SKEL-IK) and its local orientation (C_IK).
    """

    base_positions: Tensor
    base_world: Tensor
    base_local: Tensor
    offsets: Tensor
    keep_place: Tensor
    keep_shape: Tensor
