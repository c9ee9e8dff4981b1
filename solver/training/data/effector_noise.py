"""What a network reads for an effector on a known pose: the truth plus noise (ProtoRes appendix B)."""

from __future__ import annotations

import torch
from torch import Tensor

from solver.networks.effector_batch import AIM, POSITION, EffectorBatch
from solver.networks.geometry import matrices_from_euler_zyx, sixd_from_matrices
from solver.training.data.effector_sampling import EffectorChoice

AIM_DISTANCE = 5.0  # metres, standard deviation before folding at 0


def _normal(shape: torch.Size | tuple[int, ...], generator: torch.Generator) -> Tensor:
    return torch.randn(shape, generator=generator, device=generator.device)


def noisy_positions(positions: Tensor, deviation: Tensor, generator: torch.Generator) -> Tensor:
    """(..., 3) joint positions with Gaussian noise of the deviation (...) on each axis (B.1, equation 16)."""
    return positions + deviation.unsqueeze(-1) * _normal(positions.shape, generator)


def noisy_rotations(rotations: Tensor, deviation: Tensor, generator: torch.Generator) -> Tensor:
    """(..., 3, 3) global rotations turned by Gaussian Euler angles of the deviation (...) (B.2, equation 17)."""
    angles = deviation.unsqueeze(-1) * _normal((*deviation.shape, 3), generator)
    return matrices_from_euler_zyx(angles) @ rotations


def aim_targets(
    positions: Tensor, rotations: Tensor, deviation: Tensor, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Noisy targets (..., 3) and the local directions (..., 3) that point to the targets without noise (B.3).

    The direction is uniform on the sphere, in the joint's frame; the distance is normal, of deviation 5 m, folded at 0.
    """
    local = torch.nn.functional.normalize(_normal(positions.shape, generator), dim=-1)
    distance = AIM_DISTANCE * _normal(deviation.shape, generator).abs()
    along = (rotations @ local.unsqueeze(-1)).squeeze(-1)
    targets = positions + distance.unsqueeze(-1) * along
    return noisy_positions(targets, deviation, generator), local


def effector_batch(
    choice: EffectorChoice, positions: Tensor, rotations: Tensor, deviation: Tensor, generator: torch.Generator
) -> EffectorBatch:
    """The network's input for world joints positions (B, J, 3), rotations (B, J, 3, 3) and noise deviation (B, N)."""
    rows = torch.arange(len(positions), device=positions.device).unsqueeze(1)
    at, turned = positions[rows, choice.joint], rotations[rows, choice.joint]
    placed = torch.nn.functional.pad(noisy_positions(at, deviation, generator), (0, 3))
    columns = sixd_from_matrices(noisy_rotations(turned, deviation, generator))
    target, local = aim_targets(at, turned, deviation, generator)
    kind = choice.kind.unsqueeze(-1)
    data = torch.where(kind == POSITION, placed, columns)
    data = torch.where(kind == AIM, torch.cat([target, local], dim=-1), data)
    return EffectorBatch(data, choice.tolerance, choice.joint, choice.kind)
