"""DragPoser's pose autoencoder: a structured latent space of poses (Ponton et al., 2024, section 4.3).

Where it differs from the paper:
- Both halves are given the bones of the body, and so learn on bodies of any shape.
- Layers are smooth (SiLU), because the search follows their slopes with Gauss–Newton.
- Quaternions have the sign nearer to their mean in the data, so that each rotation has one quaternion.
- The skeleton has two levels, joints and limbs; the paper refers to SparsePoser for its own.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.latent.relative_pose import RelativePose, dual_quaternions, of_one_sign, positions
from solver.networks.latent.skeletal_linear import SkeletalLinear
from solver.networks.residual import NetworkShape
from solver.networks.skeleton_levels import levels, shared_joints
from solver.rig.roles import SMPL_ROLES

LIMB_SHARE = 3  # how many times as wide a limb's state is as a joint's
SHIFT_SCALE = 0.03  # metres in a frame: how far the root goes for 1 in the decoder's output
BONE_SCALE = 0.05  # metres: how much bones differ from body to body


class PoseAutoencoder(nn.Module):
    """For SMPL's first `joints` joints. shape.width: numbers of a joint's state. shape.embedding: of the latent."""

    reference: Tensor
    bones: Tensor
    mean: Tensor
    spread: Tensor

    def __init__(self, joints: int, shape: NetworkShape) -> None:
        super().__init__()
        self.joints, self.parents, self.latent = joints, SMPL_PARENTS[:joints], shape.embedding
        joint, limb, _ = levels(SMPL_ROLES[:joints], self.parents)
        near = (joint.adjacency @ joint.adjacency > 0).float()
        own = shared_joints(limb, joint)
        about = (limb.adjacency @ own > 0).float()
        width, wide, limbs = shape.width, LIMB_SHARE * shape.width, len(own)
        self.by_joint = SkeletalLinear(near, 8 + 3, width)
        self.pool = SkeletalLinear(own, width, wide)
        self.by_limb = SkeletalLinear(limb.adjacency, wide, wide)
        self.to_mean, self.to_log_variance = nn.Linear(limbs * wide, self.latent), nn.Linear(limbs * wide, self.latent)
        self.from_latent = nn.Linear(self.latent, limbs * wide)
        self.from_bones = nn.Linear(3 * joints, limbs * wide, bias=False)
        self.unpool = SkeletalLinear(about.T.contiguous(), wide, width)
        self.to_turns = SkeletalLinear(near, width, 4)
        self.to_shift = nn.Linear(joints * width, 3)
        with torch.no_grad():
            self.from_bones.weight.mul_(0.1)
            self.to_log_variance.weight.mul_(0.1)
            self.to_log_variance.bias.fill_(-2.0)
            for layer in (self.to_turns, self.to_shift):
                layer.weight.mul_(0.1)
        self.register_buffer("reference", torch.tensor([0.0, 0.0, 0.0, 1.0]).repeat(joints, 1))
        self.register_buffer("bones", torch.zeros(joints, 3))
        self.register_buffer("mean", torch.zeros(joints, 8))
        self.register_buffer("spread", torch.ones(joints, 8))

    @torch.no_grad()
    def measure(self, pose: RelativePose, bones: Tensor) -> None:
        """Take means and spreads from the data: quaternions (F, J, 4) of any sign, the mean body's bones (J, 3)."""
        reference = pose.quaternions.new_tensor([0.0, 0.0, 0.0, 1.0]).expand(self.joints, 4)
        for _ in range(8):
            mean = of_one_sign(pose.quaternions, reference).mean(dim=0)
            reference = torch.nn.functional.normalize(mean, dim=-1)
        self.reference.copy_(reference)
        self.bones.copy_(bones)
        numbers = self.dual(pose, bones)
        self.mean.copy_(numbers.mean(dim=0))
        self.spread.copy_(numbers.std(dim=0).clamp(min=0.01))

    def dual(self, pose: RelativePose, bones: Tensor) -> Tensor:
        """(B, J, 8) dual quaternions of one sign."""
        signed = RelativePose(of_one_sign(pose.quaternions, self.reference), pose.shift)
        return dual_quaternions(signed, positions(signed, bones, self.parents))

    def encoded(self, numbers: Tensor, bones: Tensor) -> tuple[Tensor, Tensor]:
        """Mean and logarithm of the variance, (B, L) each, of numbers (B, J, 8) of mean 0 and spread 1."""
        told = ((bones - self.bones) / BONE_SCALE).expand(*numbers.shape[:-1], 3)
        h = torch.nn.functional.silu(self.by_joint(torch.cat([numbers, told], dim=-1).flatten(-2)))
        h = torch.nn.functional.silu(self.pool(h))
        h = torch.nn.functional.silu(self.by_limb(h))
        return self.to_mean(h), self.to_log_variance(h)

    def encode(self, pose: RelativePose, bones: Tensor) -> tuple[Tensor, Tensor]:
        """Mean and logarithm of the variance, (B, L) each (equations 9 and 10). bones: (B, J, 3) or (J, 3) metres."""
        return self.encoded((self.dual(pose, bones) - self.mean) / self.spread, bones)

    def decode(self, z: Tensor, bones: Tensor) -> RelativePose:
        """The pose of a latent (B, L) (equation 5)."""
        told = ((bones - self.bones) / BONE_SCALE).flatten(-2)
        h = torch.nn.functional.silu(self.from_latent(z) + self.from_bones(told))
        h = torch.nn.functional.silu(self.unpool(h))
        turns = self.reference + self.to_turns(h).unflatten(-1, (self.joints, 4))
        return RelativePose(torch.nn.functional.normalize(turns, dim=-1), SHIFT_SCALE * self.to_shift(h))
