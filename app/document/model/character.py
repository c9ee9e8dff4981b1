"""A character: an actor as it is at one frame, which is what panels, tools, edits and solvers read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.document.model.clip import EMPTY, Clip, Preserve
from solver.body.body import BodyShape
from solver.effectors.effector import Effector
from solver.errors import PoserError, UnknownName
from solver.ik.options import NO_OPTIONS, Options
from solver.kinematics.pose import Pose
from solver.size_limits import MAX_EFFECTORS
from solver.solvers.catalog import DEFAULT_SOLVER
from solver.values import ArrayValue

if TYPE_CHECKING:
    from app.document.model.own_skin import OwnSkin
    from solver.body.hands import Hands
    from solver.photo.sighting import Sighting


@dataclass(frozen=True, eq=False)
class Character(ArrayValue):
    """One person at one frame: body, pose, effectors, base pose, all in the world.

    Read from an actor by `Actor.at`; a changed one is put back by `Document.with_character`, as a key at its frame.
    clip and frame: where pose, base pose, effectors, preservation and hands were read from; they are not read again
    when the clip is replaced. solver_options: the solver options that the user has set, by their ids.
    sighting: what networks saw of it in a photo, if it comes from one. hands: how it holds its fingers at this frame;
    None at rest. own_skin: of the user's own character whom the body poses, if any. What a solver found out about it is
    in `Findings`.
    """

    id: str
    name: str
    pose: Pose
    base_pose: Pose
    clip: Clip
    frame: int = 0
    body: str = "anny"
    shape: BodyShape = field(default_factory=BodyShape)
    own_skin: OwnSkin | None = None
    effectors: tuple[Effector, ...] = ()
    preserve: Preserve = field(default_factory=Preserve)
    solver: str = DEFAULT_SOLVER
    solver_options: Options = field(default_factory=lambda: NO_OPTIONS)
    color: str = "#7aa2f7"
    visible: bool = True
    locked: bool = False
    sighting: Sighting | None = None
    hands: Hands | None = None
    extra: Mapping[str, Any] = field(default_factory=lambda: EMPTY)

    def __post_init__(self) -> None:
        if len(self.effectors) > MAX_EFFECTORS:
            raise PoserError(f"“{self.name}” would have more than {MAX_EFFECTORS:,} effectors. Remove some first.")

    @property
    def stands_freely(self) -> bool:
        """Whether it may be put elsewhere for what it is to hold or to sit on: it is not locked, and does not move."""
        return not self.locked and self.clip.source is None and len(self.clip.keys) <= 1

    def effector(self, id: str) -> Effector:
        """The effector with that id; UnknownName otherwise."""
        for effector in self.effectors:
            if effector.id == id:
                return effector
        raise UnknownName("effector", id, (e.id for e in self.effectors))
