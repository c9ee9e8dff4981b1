"""The document: what undo restores and a scene file holds. Selection, hover and the view's camera are not in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from solver.body.body import BodyShape
from solver.errors import PoserError, UnknownName
from solver.ik.catalog import DEFAULT_SOLVER
from solver.ik.effectors import Effector
from solver.ik.problem import Residual
from solver.kinematics.pose import Motion, Pose
from solver.size_limits import MAX_ALL_EFFECTORS, MAX_EFFECTORS, MAX_FRAMES, MAX_PEOPLE
from solver.values import ArrayValue, FloatArray, frozen_array

FORMAT_VERSION = 1
EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Preserve:
    """Base-pose preservation. strength: 0..1 for the whole character.

    place: joints that keep their global position; shape: joints that keep their local orientation.
    """

    strength: float = 0.5
    place: frozenset[str] = frozenset()
    shape: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Character(ArrayValue):
    """One person: body, pose, effectors, base pose. `residuals` belong to `pose`; `solver_state` is not saved.

    raw: show what the network of a learned solver says, without the exact stage.
    motion and frame: the clip this character came from and the frame now shown, None and 0 without one.
    extra: keys of a newer or foreign file, kept for the next save.
    """

    id: str
    name: str
    pose: Pose
    base_pose: Pose
    body: str = "anny"
    shape: BodyShape = field(default_factory=BodyShape)
    effectors: tuple[Effector, ...] = ()
    preserve: Preserve = Preserve()
    solver: str = DEFAULT_SOLVER
    raw: bool = False
    solver_state: Any = field(default=None, compare=False)
    residuals: tuple[Residual, ...] = field(default=(), compare=False)
    elapsed_s: float = field(default=0.0, compare=False)
    motion: Motion | None = None
    frame: int = 0
    color: str = "#7aa2f7"
    visible: bool = True
    locked: bool = False
    extra: Mapping[str, Any] = field(default_factory=lambda: EMPTY)

    def __post_init__(self) -> None:
        if len(self.effectors) > MAX_EFFECTORS:
            raise PoserError(f"“{self.name}” would have more than {MAX_EFFECTORS:,} effectors. Remove some first.")

    def effector(self, id: str) -> Effector:
        """The effector with that id; UnknownName otherwise."""
        for effector in self.effectors:
            if effector.id == id:
                return effector
        raise UnknownName("effector", id, (e.id for e in self.effectors))


@dataclass(frozen=True, eq=False)
class PhotoCamera(ArrayValue):
    """The photo's pinhole camera in the world. position: (3,) metres. rotation: (3, 3) R_world_camera.

    The camera's frame: x right, y up, it looks along -z. focal_px and principal_px: in pixels of the photo, whose
    size is `image_size` (width, height).
    """

    position: FloatArray
    rotation: FloatArray
    focal_px: float
    principal_px: tuple[float, float]
    image_size: tuple[int, int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", frozen_array(self.position, (3,), "camera position"))
        object.__setattr__(self, "rotation", frozen_array(self.rotation, (3, 3), "camera rotation"))


@dataclass(frozen=True)
class Photo:
    """The photo behind the scene. path: where the file was last seen; sha256: its content, to find it again."""

    path: str
    sha256: str
    camera: PhotoCamera
    visible: bool = True
    opacity: float = 1.0
    extra: Mapping[str, Any] = field(default_factory=lambda: EMPTY)


@dataclass(frozen=True)
class Document:
    """All characters and the photo. `extra`: unknown keys of the file, kept.

    Raises PoserError where it would grow beyond what a scene file may hold.
    """

    characters: tuple[Character, ...] = ()
    photo: Photo | None = None
    extra: Mapping[str, Any] = field(default_factory=lambda: EMPTY)

    def __post_init__(self) -> None:
        if len(self.characters) > MAX_PEOPLE:
            raise PoserError(f"A scene holds up to {MAX_PEOPLE} people. Remove some first.")
        if sum(len(c.effectors) for c in self.characters) > MAX_ALL_EFFECTORS:
            raise PoserError(f"A scene holds up to {MAX_ALL_EFFECTORS:,} effectors. Remove some first.")
        if sum(len(c.motion) for c in self.characters if c.motion is not None) > MAX_FRAMES:
            raise PoserError(
                f"The motions of a scene hold up to {MAX_FRAMES:,} frames together. "
                "Import a shorter part, or remove another one first."
            )

    def character(self, id: str) -> Character:
        """The character with that id; UnknownName otherwise."""
        for character in self.characters:
            if character.id == id:
                return character
        raise UnknownName("character", id, (c.id for c in self.characters))

    def with_character(self, character: Character) -> Document:
        """The document with the character of the same id replaced."""
        self.character(character.id)
        return replace(self, characters=tuple(character if c.id == character.id else c for c in self.characters))
