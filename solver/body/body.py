"""What a body model is to the rest of the program, and the shape that a user chooses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from solver.memoise import memoised
from solver.rig.rig import Rig
from solver.values import ArrayValue, FloatArray, frozen_array

GENDERS = ("neutral", "male", "female")
SHAPE_COMPONENTS = 10
SHAPE_LIMIT = 5.0  # betas beyond five standard deviations are no longer people


@dataclass(frozen=True, eq=False)
class BodyShape(ArrayValue):
    """A body's shape. betas: (10,) standard deviations from the mean of that gender, within ±5."""

    betas: FloatArray = field(default_factory=lambda: np.zeros(SHAPE_COMPONENTS, np.float32))
    gender: str = "neutral"

    def __post_init__(self) -> None:
        object.__setattr__(self, "betas", frozen_array(self.betas, (SHAPE_COMPONENTS,), "betas"))
        if np.abs(self.betas).max() > SHAPE_LIMIT:
            raise ValueError(f"betas must lie within ±{SHAPE_LIMIT:g}")
        if self.gender not in GENDERS:
            raise ValueError(f"gender must be one of {', '.join(GENDERS)}, not “{self.gender}”")


class Body(Protocol):
    """A skinned body model: shape in, T-pose mesh and skeleton out. Usable as a key of caches.

    Poses move SMPL's 24 joints. Those that the model has beyond them (jaw, eyes, fingers) are rigid, see `whole`.
    """

    def __hash__(self) -> int: ...

    @property
    def id(self) -> str:
        """Names the model in a scene; "anny" for the embedded one."""
        ...

    @property
    def component_names(self) -> tuple[str, ...]:
        """One label for each of the 10 betas."""
        ...

    @property
    def faces(self) -> NDArray[np.int32]:
        """(F, 3) triangles, the same for every gender."""
        ...

    @property
    def weights(self) -> FloatArray:
        """(V, 24) skinning weights, rows sum to 1; a rigid joint's share goes to the joint that carries it."""
        ...

    @property
    def whole_weights(self) -> FloatArray:
        """(V, 24 + R) skinning weights of all joints, the rigid ones behind the others; not kept in memory."""
        ...

    @property
    def sole_vertices(self) -> NDArray[np.int32]:
        """Indices of the vertices under the feet, for floor contact."""
        ...

    @property
    def genders(self) -> tuple[str, ...]:
        """The genders that it has: a folder of official files may lack some."""
        ...

    @property
    def suit_mask(self) -> FloatArray:
        """(V,) in [0, 1], above 0.5 where the plain fitted suit covers the skin; a ramp, so that its edge is smooth."""
        ...

    def vertices(self, shape: BodyShape) -> FloatArray:
        """(V, 3) metres, T-pose vertices; the soles of the mean shape stand near y = 0."""
        ...

    def rig(self, shape: BodyShape) -> Rig:
        """The joints of that shape and what they are; cached, since every edit asks for it."""
        ...

    def skeleton(self, shape: BodyShape) -> Rig:
        """The rig, for callers that need no roles."""
        ...

    def whole_rig(self, shape: BodyShape) -> Rig:
        """All joints of that shape: those of `rig`, and behind them the rigid ones, if any, by SMPL-X's names."""
        ...


@memoised(4, by_identity=True)
def mean_shape(body: Body) -> BodyShape:
    """A body's mean shape, of the first gender that it has; one object, so that people who have it share their skin."""
    return BodyShape(gender=body.genders[0])
