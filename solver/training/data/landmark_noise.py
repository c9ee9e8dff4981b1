"""Noise of landmark networks for training: measured errors, limbs mirrored in depth, occluded points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from solver.networks.lifter import CentredViewBatch
from solver.photo.fit.evidence import BodyPoints
from solver.training.data.landmark_errors import LandmarkErrors

# Landmarks of the left limbs, from the root outwards; those of the right ones follow at +1.
_LIMBS = ((11, 13, 15, 17, 19), (23, 25, 27, 29, 31))
MOST_ERROR, MOST_BESIDE = 1.3, 1.0  # times the measured errors in space, and in the picture, at most
ALIKE = 0.5  # share of people who get the errors of somebody posed and seen alike; others get anybody's
ALIKE_M = 0.1  # metres: one standard deviation of how far off the points of somebody alike are
TURNED_LIMB = 0.15  # share of limbs whose depth is read as less than it is, as none, or reversed
DEEPER, DEEPER_SHARE = 0.25, 0.5  # one standard deviation of the depth of a whole person, and the share of such people
LARGER = 0.08  # one standard deviation of the size of the metres
LOOSE_M, LOOSE_PX = (0.015, 0.015, 0.03), 0.004  # of each point besides, metres and extents
# The largest share of a person's points that are hidden, their largest weight, and how much farther off they are.
HIDDEN, HIDDEN_WEIGHT, HIDDEN_M, HIDDEN_PX = 0.25, 0.5, 0.08, 0.03


@dataclass(frozen=True)
class LandmarkNoise:
    """Adds noise to points. Of N people, everybody also mirrored: space (N, P, 3), picture (N, P, 2), measured errors
    of the points. places (K, P, 3): where they really were, of the people `known` (K,)."""

    space: Tensor
    picture: Tensor
    places: Tensor
    known: Tensor
    points: BodyPoints

    @classmethod
    def of(cls, errors: LandmarkErrors, points: BodyPoints, device: torch.device) -> LandmarkNoise:
        """With these errors, on a torch device."""
        mirror = np.array([-1.0, 1.0, 1.0])

        def either_side(part: NDArray[np.float16]) -> Tensor:
            both = np.concatenate([part, part[:, points.other_side] * mirror[: part.shape[-1]]])
            return torch.tensor(both, dtype=torch.float32, device=device)

        people = len(errors.space)
        last = torch.arange(people - len(errors.places), people, device=device)
        known = torch.cat([last, people + last])
        return cls(either_side(errors.space), either_side(errors.picture), either_side(errors.places), known, points)

    def applied(self, flat: Tensor, true: Tensor, generator: torch.Generator) -> CentredViewBatch:
        """Points at flat (B, P, 2), in extents, and true (B, P, 3), metres about the hips, with noise."""
        device, batch = flat.device, len(flat)

        def even(*size: int) -> Tensor:
            return torch.rand(*size, generator=generator, device=device)

        def normal(*size: int) -> Tensor:
            return torch.randn(*size, generator=generator, device=device)

        much = MOST_ERROR * even(batch, 1, 1)
        off, beside = self._drawn(true, even, generator)
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

    def _drawn(self, true: Tensor, even: Callable[..., Tensor], generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """The measured errors of one person for each row: anybody's, or of somebody posed and seen alike, turned about
        the view as that person would have to be: landmark networks turn people upright before they look."""
        batch, device = len(true), true.device
        anybody = torch.randint(len(self.space), (batch,), generator=generator, device=device)
        flat, theirs = (torch.view_as_complex(each[..., :2].contiguous()) for each in (true, self.places))
        across = flat @ theirs.conj().T  # (B, K): its argument is the turn that brings them nearest
        along = true[..., 2] @ self.places[..., 2].T
        apart = true.square().sum((1, 2))[:, None] + self.places.square().sum((1, 2)) - 2 * (across.abs() + along)
        likely = -apart / true.shape[1] / (2 * ALIKE_M**2)
        gumbel = -(-even(*likely.shape).clamp(1e-9, 1 - 1e-6).log()).log()
        nearest = (likely + gumbel).argmax(1)  # drawn, somebody with the likelihood of exp(likely)
        alike = even(batch) < ALIKE
        which = torch.where(alike, self.known[nearest], anybody)
        turn = torch.where(alike, across.gather(1, nearest[:, None])[:, 0].angle(), torch.zeros_like(across.real[:, 0]))
        cos, sin = turn.cos(), turn.sin()
        about = torch.stack([cos, sin, -sin, cos], 1).unflatten(1, (2, 2))  # for rows
        space = self.space[which]
        return torch.cat([space[..., :2] @ about, space[..., 2:]], -1), self.picture[which] @ about

    def _with_mirrored_limbs(self, true: Tensor, even: Callable[[int], Tensor]) -> Tensor:
        """A copy in which the depth of some limbs is anywhere between the true one and its mirror image."""
        batch, space, marks = len(true), true.clone(), self.points.landmark.tolist()
        for limb in (tuple(mark + side for mark in line) for line in _LIMBS for side in (0, 1)):
            root, *beyond = map(marks.index, limb)
            way = torch.where(even(batch) < TURNED_LIMB, 2 * even(batch) - 1, torch.ones(batch, device=true.device))
            start = true[:, root, 2].unsqueeze(-1)
            space[:, beyond, 2] = start + way.unsqueeze(-1) * (true[:, beyond, 2] - start)
        return space
