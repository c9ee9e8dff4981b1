"""What is drawn, as frozen values: the application builds a scene, the renderer compares it by identity with the last.

World: right-handed, Y up, metres. Colours are "#rrggbb". Arrays are never written to once they are in a scene; an
unchanged array object means unchanged content, and costs nothing to draw again.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rendering.camera.camera import PhotoCamera
from rendering.scene.style import PLAIN, Style

if TYPE_CHECKING:
    from rendering.scene.props import DrawnProp

Array = NDArray[np.floating]
Display = Literal["body", "bones", "both"]
HandleShape = Literal["ball", "ring", "target", "contact"]
HandleState = Literal["met", "tolerated", "unreachable", "waiting", "disabled"]
GizmoKind = Literal["move", "rotate", "scale", "both"]
BalanceState = Literal["held", "falling", "in the air"]

MAX_JOINTS = 341  # of a mesh: what fits into a uniform block on every OpenGL 3.3, see shaders/skin.glsl


@dataclass(frozen=True, eq=False)
class Mesh:
    """A skinned surface at rest. vertices: (V, 3) metres. faces: (F, 3) indices, counter-clockwise from outside.

    weights: (V, J), rows sum to 1; the four largest of a row are used. suit: (V,) in [0, 1], 1 where cloth covers.
    coarse: (F', 3), fewer faces over the same vertices, for a software renderer in motion; see rendering.scene.coarse.
    plain: (V, 3) metres, the vertices with hands at rest, used for shadows; None for `vertices` themselves.

    A surface with bones of its own has J of them in place of the figure's joints. carried: (J, joints), 1 where a bone
    goes with a joint of the figure, else 0; `vertices` may then be bound in any pose, and `plain` is in the figure's
    rest pose. colors: (V, 3), linear, its own in looks that have colours. normals: (V, 3) unit; None for smooth ones.
    two_sided: whether it is seen from behind, too.
    """

    vertices: Array
    faces: NDArray[np.integer]
    weights: Array
    suit: Array
    coarse: NDArray[np.integer] | None = None
    plain: Array | None = None
    carried: Array | None = None
    colors: Array | None = None
    normals: Array | None = None
    two_sided: bool = False

    @cached_property
    def by_joint(self) -> Array:
        """(V, joints): the weights of the figure's joints, whatever bones the surface has."""
        return self.weights if self.carried is None else np.asarray(self.weights @ self.carried)

    def bones_of(self, joints: Collection[int]) -> Collection[int]:
        """The columns of `weights` that go with some of the figure's joints."""
        if self.carried is None or not joints:
            return joints
        return np.flatnonzero(self.carried[:, sorted(joints)].any(axis=1)).tolist()


@dataclass(frozen=True, eq=False)
class Figure:
    """One person. skinning: (J, 4, 4) from rest to the world. joints: (J, 3) metres. parents: J indices, -1 at roots.
    frames: (J, 4, 4), those of the joints, where `skinning` is that of a surface's own bones; else None.

    rigid: (R, 3) metres, more joints that are drawn with the bones but carry no skin of their own, such as fingers that
    are not posed; rigid_parents: R indices into joints and rigid together.

    color: accent of bones, ghost and the line around selected people. skin and suit: colours of the body.
    opacity: 0..1.
    A ghost is a translucent silhouette without shadow, and is not picked. dimmed: stands back behind others.
    outline: drawn as a line in its accent around what is seen of it, without surface and shadow.
    eyes: (E, 3, 4), from a ball of radius 1 that looks along +Z to each eye in the world; None without any.
    lit: indices of joints around whose part of the body a line is drawn, such as those under the pointer.
    calm: indices of joints whose part of the body is drawn greyer, because it stays while the rest moves.
    warned: (V,) 0..1, how much each vertex of the mesh is drawn in the theme's warning red; None for nowhere.
    rest: (V, 3) metres, the mesh's vertices at rest as this pose needs them; None for those of the mesh, from which
    normals are always computed.
    """

    id: Hashable
    mesh: Mesh | None
    skinning: Array
    joints: Array
    parents: tuple[int, ...]
    color: str = "#7aa2f7"
    show: Display = "body"
    ghost: bool = False
    opacity: float = 1.0
    selected: bool = False
    dimmed: bool = False
    skin: str = "#d9a383"
    suit: str = "#3f4a5c"
    rigid: Array | None = None
    rigid_parents: tuple[int, ...] = ()
    calm: frozenset[int] = frozenset()
    outline: bool = False
    lit: frozenset[int] = frozenset()
    eyes: Array | None = None
    warned: Array | None = None
    rest: Array | None = None
    frames: Array | None = None

    def unmarked(self) -> Figure:
        """The figure as in a finished picture: not selected, and no part lit or warned of."""
        if not self.selected and not self.lit and self.warned is None:
            return self
        return replace(self, selected=False, lit=frozenset(), warned=None)


class Handle(NamedTuple):
    """An effector's handle; a named tuple, which is made sooner, as many are in each frame of a drag.

    position: (3,) metres, the target. rotation: (3, 3), what a ring turns, else None.

    held_position: (3,) metres, the point of the body that the target is for, as it is now: a thin line joins both where
    they differ. The state sets the colour. faint: drawn lightly until it is hovered or selected.
    facing: (3,) unit, the normal of the surface that it lies on: a ring is drawn there; None without one.
    wide: of a ring, whether it leaves room for the joint's dot in its middle, as it does for a handle there.
    """

    id: Hashable
    shape: HandleShape
    position: Array
    held_position: Array
    state: HandleState = "met"
    rotation: Array | None = None
    pinned: bool = False
    selected: bool = False
    hovered: bool = False
    dimmed: bool = False
    faint: bool = False
    facing: Array | None = None
    wide: bool = False


@dataclass(frozen=True, eq=False)
class JointDots:
    """Small dots on joints that can be picked: N ids, and positions (N, 3) in metres. hovered, selected: some ids."""

    ids: tuple[Hashable, ...]
    positions: Array
    hovered: Hashable | None = None
    selected: Set[Hashable] = frozenset()


NO_DOTS = JointDots((), np.empty((0, 3), np.float32))


@dataclass(frozen=True, eq=False)
class Gizmo:
    """Arrows to move, rings to turn or bars to scale, of constant size on the screen.

    position: (3,) metres. rotation: (3, 3), columns are the gizmo's axes. Parts: move has "x", "y", "z", "xy", "yz",
    "zx" (planes) and "view"; scale has "x", "y", "z" and "view"; rotate has "x", "y", "z" (rings), "view" (the
    outer ring) and "ball" (inside the rings); both has the parts of move, and around them the rings "turn x",
    "turn y" and "turn z".
    """

    kind: GizmoKind
    position: Array
    rotation: Array
    hovered: str | None = None
    active: str | None = None


@dataclass(frozen=True, eq=False)
class RootHandle:
    """Moves and turns a whole person: a cross within a ring on the floor, a wedge where the person faces.

    position: (3,) metres, on the floor. heading: radians, 0 faces +Z, positive turns to +X. hovered, active: its parts
    "move" and "turn".
    """

    position: Array
    heading: float
    color: str = "#7aa2f7"
    hovered: str | None = None
    active: str | None = None
    selected: bool = False


@dataclass(frozen=True, eq=False)
class Guide:
    """A line through the whole scene: the axis that a drag keeps to. through: (3,) metres. along: (3,), its direction.

    axis: "x", "y" or "z", which sets the colour; "" for a plain line, dashed.
    """

    axis: str
    through: Array
    along: Array


@dataclass(frozen=True, eq=False)
class BalanceMark:
    """How a person stands. centre: (3,) metres, of mass. support: (K, 2) x and z, corners on the floor in order.

    The state sets the colour: the centre is over the support, beside it, or nothing touches the floor.
    """

    centre: Array
    support: Array
    state: BalanceState = "held"


@dataclass(frozen=True, eq=False)
class Backplate:
    """A photo behind everything, drawn while the view looks through `camera`. image: (H, W, 4) uint8 RGBA."""

    image: NDArray[np.uint8]
    camera: PhotoCamera
    opacity: float = 1.0


@dataclass(frozen=True, eq=False)
class Scene:
    """All that is drawn. root: the active person's root handle. roots: those of others that show, each with the id of
    its person. guides: lines through everything. wipe: 0..1 of the backplate's width, left of which the photo stands
    alone.
    beside: whether the backplate is drawn a second time, to its own left or above it, with nothing in front of it.
    style: how figures look and are lit.
    """

    figures: tuple[Figure, ...] = ()
    handles: tuple[Handle, ...] = ()
    joints: JointDots = NO_DOTS
    gizmo: Gizmo | None = None
    root: RootHandle | None = None
    backplate: Backplate | None = None
    grid: bool = True
    wipe: float = 0.0
    beside: bool = False
    balances: tuple[BalanceMark, ...] = ()
    style: Style = PLAIN
    props: tuple[DrawnProp, ...] = ()
    roots: tuple[tuple[Hashable, RootHandle], ...] = ()
    guides: tuple[Guide, ...] = ()

    def without_tools(self) -> Scene:
        """The scene for a finished picture: no handles of any sort, no balance, and nothing marked as selected."""
        figures = tuple(figure.unmarked() for figure in self.figures)
        props = tuple(prop.unmarked() for prop in self.props)
        bare = replace(
            self, figures=figures, props=props, handles=(), joints=NO_DOTS, gizmo=None, root=None, balances=()
        )
        return replace(bare, wipe=0.0, beside=False, roots=(), guides=())
