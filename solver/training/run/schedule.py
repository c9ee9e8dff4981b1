"""The learning rate over a run: a linear warm-up, then a cosine that ends with the run's time or steps."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """How long a run lasts: by steps if given, else by seconds of training."""

    seconds: float
    steps: int = 0

    def progress(self, step: int, elapsed: float) -> float:
        """The share of the run that is done, 0..1."""
        return min(1.0, step / self.steps if self.steps > 0 else elapsed / self.seconds)


def rate_factor(step: int, progress: float, warmup_steps: int, final: float) -> float:
    """The factor of the peak rate: up to 1 over the warm-up, then down to `final` at the end."""
    warm = min(1.0, (step + 1) / max(warmup_steps, 1))
    cosine = 0.5 * (1.0 + math.cos(math.pi * progress))
    return warm * (final + (1.0 - final) * cosine)
