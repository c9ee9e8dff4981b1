"""Patches of a body's skin: where each is for a shape, found from the skin, so that a contact can name it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape, mean_shape
from solver.body.finger_chain import rest_points
from solver.body.fingers import has_fingers
from solver.body.hands import Hands, skin_with
from solver.body.whole_rig import FINGER_JOINTS
from solver.contact.fingertips.pinch import pinch_of
from solver.contact.patch_table import MIDDLE_ROWS, PATCH_ROWS, PatchRow, opposes, pinches, side_of
from solver.effectors.contact import ANY_WAY, Contact
from solver.effectors.effector import Effector
from solver.kinematics.mirror import MirrorPlane
from solver.memoise import memoised
from solver.rig.rig import Rig
from solver.rig.roles import ARMS
from solver.values import FloatArray, frozen_array

if TYPE_CHECKING:
    from solver.contact.fingertips.thumb_and_fingers import Spans

Array = NDArray[np.float64]
BORNE = 0.5  # the share of a vertex that a patch's carriers have to bear
STEEPEST = 0.7  # slope of a patch against the way that its row says
STEPS, ROUNDS = 9, 7  # of the search for how a patch lies
YIELDS = 0.0015  # metres that the skin of a patch is pressed in
SIDEWAYS = np.array([1.0, 0.0, 0.0])  # patches that lie on both sides of the body do not lean this way
BEHIND_KNUCKLES = 0.12  # of the palm's length: how far from the knuckles towards the wrist a thin stick lies
HEELWARD, OFF_PALM = 0.2, 1.2  # metres, for each of its radius, that what is held is towards the wrist, off the palm
FINGERWARD = 1.1  # likewise, that what leans towards the wrist on the thumb's side is nearer to the fingertips
LEVEL = 1e-3  # metres: of planes that are equally low to within this, the one that leans least


@dataclass(frozen=True, eq=False)
class Patch:
    """A patch of one body. joint: by name. middle: (3,) metres in its frame, where a plane touches that lies over the
    patch; normal: (3,) that plane's, outward. vertices: of the skin around it. into: (3,) for a hand's hollow or
    fingertips, how far the middle of what is held is off `middle` for each metre of its radius. spans: of thumb and
    fingers, how they hold things of each thickness."""

    row: PatchRow
    joint: str
    middle: FloatArray
    normal: FloatArray
    vertices: NDArray[np.intp]
    into: FloatArray = field(default_factory=lambda: ANY_WAY)
    spans: Spans | None = None

    def middle_of(self, radius: float, tilt: float = 0.0) -> FloatArray:
        """(3,) metres in the joint's frame: the middle of what a hand holds there, of that radius in metres.

        tilt: radians by which it leans in the hand, as a contact's. Towards the wrist it would lean into the thumb, so
        it is nearer to the fingertips then.
        """
        if self.spans is not None:
            return frozen_array(self.spans.middle(radius), (3,), "middle")
        middle = self.middle + radius * self.into
        return middle - FINGERWARD * radius * np.sin(tilt) * self._heelward if tilt > 0.0 else middle

    def leaning_by(self, tilt: float, radius: float = 0.0) -> FloatArray:
        """(3,) unit in the joint's frame: `normal`, leant by `tilt` radians over the palm towards the wrist.

        radius: metres, that of what thumb and fingers hold; it is across that, then.
        """
        if self.spans is not None:
            return frozen_array(self.spans.way(radius), (3,), "way across")
        if not tilt:
            return self.normal
        leant = np.cos(tilt) * self.normal + np.sin(tilt) * self._heelward
        return frozen_array(leant, (3,), "way through the hand")

    @property
    def name(self) -> str:
        """As contacts name it: "left_palm"."""
        return self.row.name

    @property
    def _heelward(self) -> Array:
        """(3,) unit: of a hand's hollow, over the palm towards the wrist."""
        palmward = np.array(self.row.way)
        heelward = self.into - float(palmward @ self.into) * palmward
        return np.asarray(heelward / np.linalg.norm(heelward), np.float64)


def patches(body: Body, shape: BodyShape, hands: Hands | None = None) -> Mapping[str, Patch]:
    """The patches of a body of that shape, the fingers as `hands` have them, by name; the same object for equal ones.

    Each is found when it is first asked for. Patches for which the body has no joint or no skin are left out.
    """
    fingers = None if hands is None else hands.rotations.tobytes()
    return _patches(body, shape.betas.tobytes(), shape.gender, fingers)


def patches_named(body: Body, shape: BodyShape, hands: Hands | None, names: Iterable[str]) -> Mapping[str, Patch]:
    """Those of the patches that have these names, found without the others."""
    fingers = None if hands is None else hands.rotations.tobytes()
    there = (name for name in names if name in _vertices(body))
    return {name: _patch(body, shape.betas.tobytes(), shape.gender, fingers, name) for name in there}


def with_fitted_patch(effector: Effector, of: Mapping[str, Patch]) -> Effector:
    """A contact with its patch where these patches have it; the effector itself if that changes nothing, or if the
    patch is not among them."""
    if not isinstance(effector, Contact) or effector.patch not in of:
        return effector
    patch = of[effector.patch]
    if patch.joint != effector.joint:
        return effector
    normal = patch.leaning_by(effector.tilt, effector.radius) if patch.row.flat else ANY_WAY
    again = replace(effector, offset=patch.middle_of(effector.radius, effector.tilt), normal=normal)
    return effector if again == effector else again


@memoised(16)
def _patches(body: Body, betas: bytes, gender: str, fingers: bytes | None) -> Mapping[str, Patch]:
    return _Patches(body, betas, gender, fingers)


class _Patches(Mapping[str, Patch]):
    """Patches by name: a drag asks for a handful, and all of them together take a tenth of a second."""

    def __init__(self, body: Body, betas: bytes, gender: str, fingers: bytes | None) -> None:
        self._of, self._names = (body, betas, gender, fingers), _vertices(body)
        self._found: dict[str, Patch] = {}

    def __getitem__(self, name: str) -> Patch:
        found = self._found.get(name)
        if found is None:
            if name not in self._names:
                raise KeyError(name)
            found = self._found.setdefault(name, _patch(*self._of, name))
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names


def _patch(body: Body, betas: bytes, gender: str, fingers: bytes | None, name: str) -> Patch:
    """The patch. One that no hand bears is the same however fingers are held, as they do not bend its skin; so is the
    hollow of a hand, which fingers close around."""
    row = PATCH_ROWS[name]
    if opposes(name):
        return _between(body, betas, gender, name)
    if row.around:
        return (_pinch if pinches(name) else _hollow)(body, betas, gender, name)
    on_hand = any(arm.tip in row.carriers for arm in ARMS)
    return _lying(body, betas, gender, fingers if on_hand else None, name)


@memoised(512)
def _lying(body: Body, betas: bytes, gender: str, fingers: bytes | None, name: str) -> Patch:
    shape = BodyShape(np.frombuffer(betas, np.float32), gender)
    hands = None if fingers is None else Hands(np.frombuffer(fingers, np.float32).reshape(-1, 3, 3))
    rig, row, vertices = body.rig(shape), PATCH_ROWS[name], _vertices(body)[name]
    within, points = _within(rig, row), skin_with(body, shape, hands)[vertices].astype(np.float64)
    if row in MIDDLE_ROWS:
        points = np.concatenate([points, MirrorPlane.across(SIDEWAYS, within).points(points)])
    middle, normal = plane_over(points, within, np.array(row.way))
    joint = rig.joint(row.joint)
    offset = frozen_array(middle - rig.rest_positions[joint], (3,), "middle")
    return Patch(row, rig.names[joint], offset, frozen_array(normal, (3,), "normal"), vertices)


@memoised(64)
def _hollow(body: Body, betas: bytes, gender: str, name: str) -> Patch:
    shape, row = BodyShape(np.frombuffer(betas, np.float32), gender), PATCH_ROWS[name]
    rig, vertices, side = body.rig(shape), _vertices(body)[name], side_of(name)
    joint = rig.joint(row.joint)
    wrist = rig.rest_positions[joint].astype(np.float64)
    knuckles, palmward = rest_points(body, shape)[side, 1:, 0], np.array(row.way)
    through = knuckles[0] - knuckles[-1]
    through -= (through @ palmward) * palmward
    through /= np.linalg.norm(through)
    ahead = np.cross(palmward, through) * (1.0 if side else -1.0)
    middle = knuckles.mean(axis=0) - wrist
    middle -= BEHIND_KNUCKLES * float(middle @ ahead) * ahead
    height = (body.vertices(shape)[vertices] - wrist) @ palmward
    middle += (float(np.median(height)) - float(middle @ palmward)) * palmward
    return Patch(
        row, rig.names[joint], frozen_array(middle, (3,), "middle"), frozen_array(through, (3,), "normal"), vertices,
        frozen_array(OFF_PALM * palmward - HEELWARD * ahead, (3,), "way into the hand"),
    )  # fmt: skip


@memoised(64)
def _pinch(body: Body, betas: bytes, gender: str, name: str) -> Patch:
    shape, row, vertices = BodyShape(np.frombuffer(betas, np.float32), gender), PATCH_ROWS[name], _vertices(body)[name]
    rig, pinch = body.rig(shape), pinch_of(body, shape, side_of(name))
    middle, into = (frozen_array(each, (3,), "place of a pinch") for each in (pinch.middle, pinch.into))
    return Patch(row, rig.name(row.joint), middle, ANY_WAY, vertices, into)


@memoised(64)
def _between(body: Body, betas: bytes, gender: str, name: str) -> Patch:
    from solver.contact.fingertips.thumb_and_fingers import spans_of  # not needed to show the window

    shape, row, vertices = BodyShape(np.frombuffer(betas, np.float32), gender), PATCH_ROWS[name], _vertices(body)[name]
    rig, spans = body.rig(shape), spans_of(body, shape, side_of(name))
    middle, way = frozen_array(spans.middle(0.0), (3,), "middle"), frozen_array(spans.way(0.0), (3,), "way across")
    return Patch(row, rig.name(row.joint), middle, way, vertices, spans=spans)


@memoised(4)
def _vertices(body: Body) -> Mapping[str, NDArray[np.intp]]:
    """The vertices of each patch: chosen on the mean body, and kept for every shape."""
    rig, skin, chosen = body.rig(mean_shape(body)), body.vertices(mean_shape(body)).astype(np.float64), {}
    fingers = _fingers(body)
    for row in PATCH_ROWS.values():
        roles = [role for role in (row.joint, row.start, row.end) if role is not None]
        if rig.lacking(roles) or (row.around and not has_fingers(body)):
            continue
        carriers = [j for role in row.carriers if (j := rig.find(role)) is not None]
        way = np.array(row.way) / np.linalg.norm(row.way)
        borne = np.flatnonzero((body.weights[:, carriers].sum(axis=1) > BORNE) & ~fingers)
        from_within = skin[borne] - _within(rig, row)
        outward = from_within @ way
        across = np.linalg.norm(from_within - outward[:, None] * way, axis=1)
        vertices = borne[(across < row.radius) & (outward > 0.0)]
        if len(vertices) >= 3:
            chosen[row.name] = vertices
    return MappingProxyType(chosen)


def _fingers(body: Body) -> NDArray[np.bool_]:
    """(V,) whether a vertex is on a finger beyond its first bone, where no patch is."""
    names = body.whole_rig(mean_shape(body)).names
    beyond = [names.index(joint) for joint in FINGER_JOINTS if joint in names and joint[-1] in "23"]
    return np.asarray(body.whole_weights[:, beyond].sum(axis=1) > BORNE)


def _within(rig: Rig, row: PatchRow) -> Array:
    """(3,) metres at rest, the point within the body that the patch lies over."""
    start = rig.rest_positions[rig.joint(row.start)].astype(np.float64)
    end = start if row.end is None else rig.rest_positions[rig.joint(row.end)]
    return np.asarray(start + row.share * (end - start) + np.array(row.shift), np.float64)


def plane_over(skin: Array, within: Array, way: Array) -> tuple[Array, Array]:
    """The plane that lies on the skin (N, 3) over a point: where it is over that point, (3,), and its normal, (3,).

    Of all planes that have the whole skin below them it is the lowest one there, like a table's top that the patch is
    pressed on. Its height over the point is a convex function of its two slopes.
    """
    up = way / np.linalg.norm(way)
    side = np.cross(up, np.eye(3)[np.abs(up).argmin()])
    side /= np.linalg.norm(side)
    ahead = np.cross(up, side)
    x, y, height = ((skin - within) @ axis for axis in (side, ahead, up))
    best, span = np.zeros(2), STEEPEST
    for _ in range(ROUNDS):
        steps = np.linspace(-span, span, STEPS)
        slopes = np.clip(best + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2), -STEEPEST, STEEPEST)
        heights = (height - slopes[:, :1] * x - slopes[:, 1:] * y).max(axis=1)
        best = slopes[(heights + LEVEL * (slopes**2).sum(axis=1)).argmin()]
        span *= 2.5 / (STEPS - 1)
    top = float((height - best[0] * x - best[1] * y).max())
    normal = up - best[0] * side - best[1] * ahead
    return within + (top - YIELDS) * up, normal / np.linalg.norm(normal)
