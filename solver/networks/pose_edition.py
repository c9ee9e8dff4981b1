"""Pose edition: a start pose and targets for some of its joints become a pose (Victor et al., CAVW 2021, section 3.3).

Poses are joint positions as seen by `EditBatch`. An autoencoder learns a latent space of poses (3.3.1); in it small
solvers, one for each set of targets, go from the latent of the start pose to that of the edited one (3.3.2). For other
sets of targets they run one after the other (3.5), and for all five joints there is one that knows them all.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from solver.networks.residual import NetworkShape
from solver.rig.roles import ENDS, SMPL_ROLES, Role

HEAD, FEET, HANDS, ALL = Role.HEAD.value, "feet", "hands", "all"
SETS: dict[str, tuple[int, ...]] = {HEAD: (4,), FEET: (2, 3), HANDS: (0, 1), ALL: (0, 1, 2, 3, 4)}  # of ENDS
SEQUENCE = (HEAD, FEET, HANDS)  # the last one is met best, and hands are moved most
HIDDEN = 126  # neurons in each of the three hidden layers of a solver
LEAST_DEVIATION = 1e-3  # metres: the pelvis never leaves the vertical above the origin


class EditBatch(NamedTuple):
    """B edits, metres, as seen from below the start pose's pelvis on the floor, facing as the start pose does.

    start: (B, J, 3). targets: (B, 5, 3), of ENDS in `solver.rig.roles`. asked: (B, 5), 1 where a target counts, else 0.
    """

    start: Tensor
    targets: Tensor
    asked: Tensor


class EditPrediction(NamedTuple):
    """B poses in metres, (B, J, 3) each. positions: the answer. rebuilt: the start pose through the autoencoder.

    each: (S, B, J, 3), what each solver in the order of SETS makes of the start pose and its own targets.
    """

    positions: Tensor
    rebuilt: Tensor
    each: Tensor


class PoseEdition(nn.Module):
    """For SMPL's first `joints` joints. shape.width: of the autoencoder's hidden layers. shape.embedding: the latent's.

    The decoder is the encoder reversed, with the same weights and biases of its own.
    """

    mean: Tensor
    deviation: Tensor

    def __init__(self, joints: int, shape: NetworkShape) -> None:
        super().__init__()
        self.joints = joints
        self.ends = [SMPL_ROLES.index(role) for role in ENDS]
        sizes = (3 * joints, shape.width, shape.width, shape.embedding)
        self.encoder = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        self.decoder_biases = nn.ParameterList(nn.Parameter(torch.zeros(size)) for size in sizes[-2::-1])
        self.solvers = nn.ModuleDict({name: _solver(len(on), shape.embedding) for name, on in SETS.items()})
        self.register_buffer("mean", torch.zeros(joints, 3))
        self.register_buffer("deviation", torch.ones(joints, 3))

    @torch.no_grad()
    def normalise_by(self, poses: Tensor) -> None:
        """Adopt the mean and the standard deviation of each number of the poses (F, J, 3) (section 3.2)."""
        self.mean.copy_(poses.mean(dim=0))
        self.deviation.copy_(poses.std(dim=0).clamp(min=LEAST_DEVIATION))

    def forward(self, start: Tensor, targets: Tensor, asked: Tensor) -> EditPrediction:
        """The poses for start poses (B, J, 3) and targets (B, 5, 3) of ENDS; asked (B, 5): 1 where one counts.

        If only one joint of a set is asked for, the other one's target is its present place.
        The solvers' gradients reach the decoder, but not the latent that they start from. In training all are asked.
        """
        seen = (start - self.mean) / self.deviation
        goals = (targets - self.mean[self.ends]) / self.deviation[self.ends]
        wanted = torch.where(asked.unsqueeze(-1) > 0, goals, seen[:, self.ends])
        latent = self._encoded(seen.flatten(1))
        own = latent.detach()
        each = torch.stack([self._solved(name, own, wanted) for name in SETS])
        edited = self._decoded(each)
        if self.training:
            return EditPrediction(edited[-1], self._decoded(latent), edited)
        found = self._composed(own, each[-1], wanted, asked)
        return EditPrediction(self._decoded(found), self._decoded(latent), edited)

    def _composed(self, latent: Tensor, all_five: Tensor, wanted: Tensor, asked: Tensor) -> Tensor:
        """The answer for each row: from the solver of all five if all are asked for, else from one after the other."""
        found = latent
        for name in SEQUENCE:
            active = asked[:, list(SETS[name])].amax(dim=1, keepdim=True)
            found = found + active * (self._solved(name, found, wanted) - found)
        return found + asked.amin(dim=1, keepdim=True) * (all_five - found)

    def _encoded(self, pose: Tensor) -> Tensor:
        x = pose
        for number, layer in enumerate(self._layers()):
            x = layer(torch.relu(x) if number else x)
        return x

    def _decoded(self, latent: Tensor) -> Tensor:
        """(..., J, 3) metres."""
        x, layers = latent, self._layers()[::-1]
        for number, (layer, bias) in enumerate(zip(layers, self.decoder_biases, strict=True)):
            x = functional.linear(torch.relu(x) if number else x, layer.weight.T, bias)
        return x.unflatten(-1, (self.joints, 3)) * self.deviation + self.mean

    def _layers(self) -> list[nn.Linear]:
        return [layer for layer in self.encoder if isinstance(layer, nn.Linear)]

    def _solved(self, name: str, latent: Tensor, wanted: Tensor) -> Tensor:
        """The latent of the edited pose, ẑ = S_t(z, p_t). wanted: (B, 5, 3), of which the set's rows are read."""
        found: Tensor = self.solvers[name](torch.cat([latent, wanted[:, list(SETS[name])].flatten(1)], dim=-1))
        return found


def _solver(targets: int, latent: int) -> nn.Sequential:
    """Three hidden layers and an output layer of the latent's size."""
    sizes = (latent + 3 * targets, HIDDEN, HIDDEN, HIDDEN)
    layers: list[nn.Module] = []
    for a, b in pairwise(sizes):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(HIDDEN, latent))
