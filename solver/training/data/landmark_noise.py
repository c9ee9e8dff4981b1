"""Noise of landmark networks for training: measured errors, limbs mirrored in depth, occluded points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from solver.networks.lifter import CentredViewBatch
from solver.photo.fit.evidence import BodyPoints
from solver.training.data.landmark_errors import LandmarkErrors

# Landmarks of the left limbs, from the root outwards; those of the right ones follow at +1.
_LIMBS = ((11, 13, 15, 17, 19), (23, 25, 27, 29, 31))
MOST_ERROR, MOST_BESIDE = 1.3, 1.0  # times the measured errors in space, and in the picture, at most
TURNED_LIMB = 0.15  # share of limbs whose depth is read as less than it is, as none, or reversed
DEEPER, DEEPER_SHARE = 0.25, 0.5  # one standard deviation of the depth of a whole person, and the share of such people
LARGER = 0.08  # one standard deviation of the size of the metres
LOOSE_M, LOOSE_PX = (0.015, 0.015, 0.03), 0.004  # of each point besides, metres and extents
# The largest share of a person's points that are hidden, their largest weight, and how much farther off they are.
HIDDEN, HIDDEN_WEIGHT, HIDDEN_M, HIDDEN_PX = 0.25, 0.5, 0.08, 0.03


@dataclass(frozen=True)
class LandmarkNoise:
    """Adds noise to points. space (N, P, 3), picture (N, P, 2): measured errors of the points."""

    space: Tensor
    picture: Tensor
    points: BodyPoints

    @classmethod
    def of(cls, errors: LandmarkErrors, points: BodyPoints, device: torch.device) -> LandmarkNoise:
        """With these errors, on a torch device."""
        space, picture = (
            torch.tensor(part, dtype=torch.float32, device=device) for part in (errors.space, errors.picture)
        )
        return cls(space, picture, points)

    def applied(self, flat: Tensor, true: Tensor, generator: torch.Generator) -> CentredViewBatch:
        """Points at flat (B, P, 2), in extents, and true (B, P, 3), metres about the hips, with noise."""
        device, batch = flat.device, len(flat)

        def even(*size: int) -> Tensor:
            return torch.rand(*size, generator=generator, device=device)

        def normal(*size: int) -> Tensor:
            return torch.randn(*size, generator=generator, device=device)

        much = MOST_ERROR * even(batch, 1, 1)
        off, beside = self._drawn(batch, even(batch), generator)
        space = self._with_mirrored_limbs(true, even)
        some = even(batch, 1) < DEEPER_SHARE
        space[..., 2] *= 1 + DEEPER * normal(batch, 1) * some
        space = space + much * off + normal(*space.shape) * torch.tensor(LOOSE_M, device=device)
        space = (space - space[:, self.points.hips].mean(1, keepdim=True)) * (1 + LARGER * normal(batch, 1, 1))
        picture = flat + much.clamp(max=MOST_BESIDE) * beside + LOOSE_PX * normal(*flat.shape)
        points = flat.shape[1]
        hidden = even(batch, points) < HIDDEN * even(batch, 1)
        weight = torch.where(hidden, HIDDEN_WEIGHT * even(batch, points), torch.ones(batch, points, device=device))
        unseen = (1 - weight).unsqueeze(-1)
        picture = picture + HIDDEN_PX * unseen * normal(*flat.shape)
        return CentredViewBatch(picture, space + HIDDEN_M * unseen * normal(*space.shape), weight)

    def _drawn(self, batch: int, chance: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """The measured errors of one person for each row, on average every second one mirrored."""
        which = torch.randint(len(self.space), (batch,), generator=generator, device=chance.device)
        flip = (chance < 0.5)[:, None, None]
        found = []
        for part in (self.space[which], self.picture[which]):
            sign = torch.ones(part.shape[-1], device=part.device)
            sign[0] = -1.0
            found.append(torch.where(flip, part[:, self.points.other_side] * sign, part))
        return found[0], found[1]

    def _with_mirrored_limbs(self, true: Tensor, even: Callable[[int], Tensor]) -> Tensor:
        """A copy in which the depth of some limbs is anywhere between the true one and its mirror image."""
        batch, space, marks = len(true), true.clone(), self.points.landmark.tolist()
        for limb in (tuple(mark + side for mark in line) for line in _LIMBS for side in (0, 1)):
            root, *beyond = map(marks.index, limb)
            way = torch.where(even(batch) < TURNED_LIMB, 2 * even(batch) - 1, torch.ones(batch, device=true.device))
            start = true[:, root, 2].unsqueeze(-1)
            space[:, beyond, 2] = start + way.unsqueeze(-1) * (true[:, beyond, 2] - start)
        return space
