"""How old the people of `scripts.photo.photo_renderings` are: with --young, some are children or teenagers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, VARIANTS, load_body

GROWN, CHILD, YOUTH = DEFAULT_BODY, *(f"{DEFAULT_BODY}:{age}" for age in ("child", "youth"))
assert {CHILD, YOUTH} <= set(VARIANTS)
CHILDREN = 0.8  # of the young; the others are teenagers


@dataclass(frozen=True)
class Ages:
    """young: 0 to 1, the share of people who are not grown up. The first in each picture always is."""

    young: float = 0.0

    def body(self, first: bool, rng: np.random.Generator) -> Body:
        """Somebody's body. Nothing is drawn where everybody is grown up, so that such pictures stay as they are."""
        if not self.young:
            return load_body(GROWN)
        drawn = rng.uniform()
        if first or drawn > self.young:
            return load_body(GROWN)
        return load_body(CHILD if drawn < CHILDREN * self.young else YOUTH)
