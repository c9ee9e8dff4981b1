"""How far hands have gone from how they were held to what was chosen for them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from solver.body.hands import Hands
from solver.kinematics.rotations import to_rotation_vector

SAME = 1e-4  # of an entry of a rotation


@dataclass(frozen=True)
class Blend:
    """What was chosen last. whose: the character and the sides (0: left) it was chosen for. held: the hands before.

    What the hand of the other side does meanwhile, as by mirroring, is nothing to the blend.
    """

    id: str
    goal: Hands
    whose: tuple[str, tuple[int, ...]]
    held: Hands

    def at(self, share: float) -> Hands:
        """The hands a share of the way, 0..1."""
        return self.held.mixed(self.goal, share, self.whose[1])

    def beside(self, hands: Hands) -> Blend:
        """This blend with the hand of the other side as these hands have it."""
        other = tuple(side for side in (0, 1) if side not in self.whose[1])
        return replace(self, held=self.held.mixed(hands, 1.0, other))

    def share(self, whose: tuple[str, tuple[int, ...]], hands: Hands) -> float | None:
        """How far along the way these hands are; None for others, or if something else was done to these since."""
        if whose != self.whose:
            return None
        back = np.swapaxes(self.held.rotations.astype(np.float64), -1, -2)
        way, gone = (to_rotation_vector(back @ to.rotations) for to in (self.at(1.0), hands))
        far = int(np.argmax(np.linalg.norm(way, axis=-1)))
        length = float(way[far] @ way[far])
        share = float(np.clip(way[far] @ gone[far] / length, 0.0, 1.0)) if length > 0 else 1.0
        return share if np.abs(self.beside(hands).at(share).rotations - hands.rotations).max() < SAME else None
