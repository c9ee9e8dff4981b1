"""A prop: a thing of the scene that nobody poses, such as a box to sit on, a stick to hold or a mesh from a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document.model.clip import EMPTY
from app.document.model.prop_clip import CarriedWay, PropClip, PropKey, slot_of
from app.document.model.prop_frame import PropFrame
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import nearest_rotation
from solver.memoise import memoised_on_value
from solver.size_limits import FARTHEST_M
from solver.values import ArrayValue, FloatArray, frozen_array

if TYPE_CHECKING:
    from app.document.model.prop_mesh import PropMesh
    from app.document.model.prop_shapes import Surface
    from solver.contact.solids import Solid

Array = NDArray[np.float64]
MESH = "mesh"
SMALLEST_M, LARGEST_M = 0.001, 1000.0  # metres of a side
CLAY = "#a9a79f"  # calm beside skin and suit, on a dark ground and a light one


class PropKind(NamedTuple):
    """A kind of prop to add. size: (3,) metres of a new one. tied: groups of axes of one size, so as to stay round.
    open_above: whether it is a vessel, which hands take by its side, also where they are brought to its top.
    """

    title: str
    size: tuple[float, float, float]
    tied: tuple[int, ...] = ()
    open_above: bool = False

    @property
    def is_round(self) -> bool:
        """Whether it is round about a point or an axis, so that a hand can close around it."""
        return bool(self.tied)

    @property
    def has_axis(self) -> bool:
        """Whether it is round about its own upright axis alone."""
        return self.tied == (0, 2)


KINDS: Mapping[str, PropKind] = {
    "box": PropKind("Box", (0.5, 0.45, 0.5)),
    "plane": PropKind("Plane", (2.0, 0.01, 2.0)),
    "stairs": PropKind("Stairs", (1.0, 0.85, 1.4)),
    "ball": PropKind("Ball", (0.25, 0.25, 0.25), (0, 1, 2)),
    "cylinder": PropKind("Cylinder", (0.4, 0.6, 0.4), (0, 2)),
    "stick": PropKind("Stick", (0.03, 1.3, 0.03), (0, 2)),
    "chair": PropKind("Chair", (0.45, 0.9, 0.45)),
    "table": PropKind("Table", (1.2, 0.74, 0.7)),
    "cup": PropKind("Cup", (0.075, 0.105, 0.075), (0, 2), open_above=True),  # as large as the hand preset holds it
    MESH: PropKind("Mesh", (1.0, 1.0, 1.0)),
}


@dataclass(frozen=True, eq=False)
class Prop(ArrayValue):
    """One prop. kind: one of `KINDS`. size: (3,) metres along its own x, y and z. place: (3,) metres, the middle of
    its base. turn: (3, 3) R_world_prop. Its front faces its own +Z, as people do. color: "#rrggbb".

    mesh: of kind “mesh”, the surface. clip: where it is over time, None if it stands still; place and turn are those
    of one frame of it. extra: keys of a newer or foreign file, kept for the next save.

    ValueError for impossible values.
    """

    id: str
    name: str
    kind: str
    size: FloatArray
    place: FloatArray = field(default_factory=lambda: frozen_array(np.zeros(3), (3,), "place"))
    turn: FloatArray = field(default_factory=lambda: frozen_array(np.eye(3), (3, 3), "turn"))
    color: str = CLAY
    visible: bool = True
    locked: bool = False
    mesh: PropMesh | None = None
    extra: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    clip: PropClip | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"there is no prop of the kind “{self.kind}”: it is one of {', '.join(KINDS)}")
        if (self.mesh is None) == (self.kind == MESH):
            raise ValueError("a prop of the kind “mesh” has a mesh, and no other has")
        for name, shape in (("size", (3,)), ("place", (3,)), ("turn", (3, 3))):
            object.__setattr__(self, name, frozen_array(getattr(self, name), shape, name))
        if not (self.size.min() >= 0.999 * SMALLEST_M and self.size.max() <= 1.001 * LARGEST_M):
            raise ValueError(f"a prop measures from {SMALLEST_M * 1000:g} mm to {LARGEST_M:,g} m along each side")
        if np.abs(self.place).max() > FARTHEST_M:
            raise ValueError(f"a prop is within {FARTHEST_M / 1e3:,.0f} km of the origin")
        tied = self.size[list(KINDS[self.kind].tied)]
        if len(tied) and np.ptp(tied) > 1e-3 * tied.max():
            which = "three sizes are one" if len(tied) == 3 else "sizes along x and z are one"
            raise ValueError(f"a {self.kind} is round: its {which}")

    @cached_property
    def frame(self) -> PropFrame:
        """Where its own points are in the world."""
        return PropFrame(self.place, self.turn, self.size)

    @property
    def middle(self) -> Array:
        """(3,) metres, the middle of the box around it: what it is turned about."""
        return self.frame.points((0.0, 0.5, 0.0))

    @property
    def corners(self) -> Array:
        """(8, 3) metres, of the box around it."""
        own = np.stack(np.meshgrid((-0.5, 0.5), (0.0, 1.0), (-0.5, 0.5), indexing="ij"), axis=-1).reshape(-1, 3)
        return self.frame.points(own)

    @cached_property
    def surface(self) -> Surface:
        """What is drawn of it, in its own frame; the same object for all of a kind."""
        from app.document.model.prop_shapes import surface_of

        return self.mesh.surface if self.mesh is not None else surface_of(self.kind)

    @memoised_on_value  # asked for several times in each step of a drag
    def solids(self) -> tuple[Solid, ...]:
        """The solid parts of it in the world: boxes, a ball or a cylinder; of a mesh its inside, if it is closed."""
        if self.mesh is not None:
            from app.document.model.mesh_solid import solids_of_mesh

            return solids_of_mesh(self.mesh, self.frame)
        from app.document.model.prop_shapes import solids_of

        return solids_of(self.kind, self.frame)

    @property
    def slot(self) -> str:
        """What its frame goes by in `Document.frames`."""
        return slot_of(self.id)

    def at(self, frame: int) -> Prop:
        """The prop where its clip has it at a frame; itself if it is there, or stands still."""
        if self.clip is None:
            return self
        place, turn = self.clip.at(self.clip.within(frame))
        same = np.array_equal(place, self.place) and np.array_equal(turn, self.turn)
        return self if same else replace(self, place=place, turn=turn)

    def at_time(self, time_s: float) -> Prop:
        """The prop where it is at a time in seconds."""
        return self if self.clip is None else self.at(self.clip.frame_at(time_s))

    def with_ways(self, ways: tuple[CarriedWay, ...]) -> Prop:
        """The prop with ways on which it is carried between keys; itself where it has these."""
        clip = self.clip
        if clip is None or (len(clip.ways) == len(ways) and all(a is b for a, b in zip(clip.ways, ways, strict=True))):
            return self
        return replace(self, clip=replace(clip, ways=ways))

    def keyed(self, frame: int) -> Prop:
        """The prop with a key at a frame, if it is elsewhere than its clip has it there."""
        if self.clip is None or self.at(frame) is self:
            return self
        return replace(self, clip=self.clip.with_key(self.key_at(self.clip.within(frame))))

    def key_at(self, frame: int) -> PropKey:
        """A key of where it is now; the present key's unknown values stay."""
        before = self.clip.key(frame) if self.clip is not None else None
        return PropKey(frame, self.place, self.turn, before.extra if before is not None else EMPTY)

    def moved(self, by: ArrayLike) -> Prop:
        """Moved on by (3,) metres."""
        return replace(self, place=self.place + np.asarray(by, np.float64))

    def carried(self, way: RigidMotion) -> Prop:
        """Moved and turned as a whole."""
        place, turn = way.points(self.place.astype(np.float64)), way.rotations(self.turn)
        return replace(self, place=place, turn=nearest_rotation(turn) if way.turns else self.turn)

    def turned_to(self, turn: ArrayLike) -> Prop:
        """Turned about its middle to (3, 3) R_world_prop."""
        exact = nearest_rotation(np.asarray(turn, np.float64))
        up = np.array([0.0, self.size[1] / 2.0, 0.0])
        return replace(self, turn=exact, place=self.middle - exact @ up)

    def pushed(self, eye: ArrayLike, times: float) -> Prop:
        """So many times as far from `eye` (3,) metres and as large, so that it looks the same from there, throughout
        its clip if it has one."""
        away = np.asarray(eye, np.float64)
        larger, place = self.sized(self.size.astype(np.float64) * times), away + times * (self.place - away)
        clip = self.clip.pushed(away, times) if self.clip is not None else None
        return replace(larger, place=place.astype(np.float32), clip=clip)

    def sized(self, size: ArrayLike) -> Prop:
        """With another size, (3,) metres, its base kept; a round one takes the size that differs most from its own."""
        wanted = np.clip(np.asarray(size, np.float64), SMALLEST_M, LARGEST_M)
        tied = list(KINDS[self.kind].tied)
        if tied:
            wanted[tied] = wanted[tied][np.argmax(np.abs(np.log(wanted[tied] / self.size[tied])))]
        return replace(self, size=wanted.astype(np.float32))
