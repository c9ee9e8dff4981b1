"""Points of people as landmark networks might see them: measured errors, limbs read the other way, hidden points."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from solver.networks.lifter import LookBatch
from solver.training.data.landmark_errors import LandmarkErrors

# Landmarks of a limb from its root outwards, of the left side; the right ones follow at +1.
_LIMBS = ((11, 13, 15, 17, 19), (23, 25, 27, 29, 31))
HIPS = (23, 24)
# Measured errors come as they are, weaker, or stronger by so much; the networks' own copy a third of a metre at most.
MOST_ERROR, ITS_PICTURE = 1.3, 1.0
TURNED_LIMB = 0.15  # share of limbs whose depth is read as less than it is, none, or the other way
DEEPER, DEEPER_SHARE = 0.25, 0.5  # one standard deviation of the depth of a whole person, and of whom
LARGER = 0.08  # one standard deviation of the size of the metres
LOOSE_M, LOOSE_PX = (0.015, 0.015, 0.03), 0.004  # of each point besides, metres and extents
HIDDEN, HIDDEN_WEIGHT, HIDDEN_M, HIDDEN_PX = 0.25, 0.5, 0.08, 0.03


@dataclass(frozen=True)
class Misreading:
    """What misreads. space (N, P, 3), picture (N, P, 2): measured errors. marks: (P,) the landmarks of the points."""

    space: Tensor
    picture: Tensor
    marks: tuple[int, ...]

    @classmethod
    def of(cls, errors: LandmarkErrors, marks: tuple[int, ...], device: torch.device) -> Misreading:
        """With these errors, on a torch device."""
        space, picture = (
            torch.tensor(part, dtype=torch.float32, device=device) for part in (errors.space, errors.picture)
        )
        return cls(space, picture, marks)

    @property
    def other_point(self) -> list[int]:
        """(P,) each point's counterpart on the other side."""
        return [self.marks.index(m if m == 0 else m + 1 if m % 2 else m - 1) for m in self.marks]

    @property
    def hips(self) -> list[int]:
        """The points at both hips."""
        return [self.marks.index(mark) for mark in HIPS]

    def seen(self, flat: Tensor, true: Tensor, generator: torch.Generator) -> LookBatch:
        """What is made of points at flat (B, P, 2), of the extent, and true (B, P, 3), metres about the hips."""
        device, batch = flat.device, len(flat)

        def even(*size: int) -> Tensor:
            return torch.rand(*size, generator=generator, device=device)

        def normal(*size: int) -> Tensor:
            return torch.randn(*size, generator=generator, device=device)

        much = MOST_ERROR * even(batch, 1, 1)
        off, beside = self._drawn(batch, even(batch), generator)
        space = self._limbs_misread(true, even)
        some = even(batch, 1) < DEEPER_SHARE
        space = space * torch.stack(
            [torch.ones(batch, 1, device=device)] * 2 + [1 + DEEPER * normal(batch, 1) * some], -1
        )
        space = space + much * off + normal(*space.shape) * torch.tensor(LOOSE_M, device=device)
        space = (space - space[:, self.hips].mean(1, keepdim=True)) * (1 + LARGER * normal(batch, 1, 1))
        picture = flat + much.clamp(max=ITS_PICTURE) * beside + LOOSE_PX * normal(*flat.shape)
        points = flat.shape[1]
        hidden = even(batch, points) < HIDDEN * even(batch, 1)
        weight = torch.where(hidden, HIDDEN_WEIGHT * even(batch, points), torch.ones(batch, points, device=device))
        unseen = (1 - weight).unsqueeze(-1)
        picture = picture + HIDDEN_PX * unseen * normal(*flat.shape)
        return LookBatch(picture, space + HIDDEN_M * unseen * normal(*space.shape), weight)

    def _drawn(self, batch: int, chance: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """The errors of somebody who was measured, every second time in the mirror."""
        which = torch.randint(len(self.space), (batch,), generator=generator, device=chance.device)
        flip = (chance < 0.5)[:, None, None]
        found = []
        for part in (self.space[which], self.picture[which]):
            sign = torch.ones(part.shape[-1], device=part.device)
            sign[0] = -1.0
            found.append(torch.where(flip, part[:, self.other_point] * sign, part))
        return found[0], found[1]

    def _limbs_misread(self, true: Tensor, even: object) -> Tensor:
        """Some limbs in depth anywhere between what they are and the mirror image."""
        assert callable(even)
        batch, space = len(true), true.clone()
        for limb in (tuple(mark + side for mark in line) for line in _LIMBS for side in (0, 1)):
            root, *beyond = (self.marks.index(mark) for mark in limb)
            way = torch.where(even(batch) < TURNED_LIMB, 2 * even(batch) - 1, torch.ones(batch, device=true.device))
            start = true[:, root, 2].unsqueeze(-1)
            space[:, beyond, 2] = start + way.unsqueeze(-1) * (true[:, beyond, 2] - start)
        return space
