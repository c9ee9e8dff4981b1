"""A person's own skin: what the view draws of the user's own character in place of our body's skin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from app.document.model.clip import EMPTY

if TYPE_CHECKING:
    from solver.formats.mesh.rig_skin import RigSkin

_HELD = "_rig"  # beside an own skin's fields: what it is posed by
_known: WeakValueDictionary[bytes, RigSkin] = WeakValueDictionary()


@dataclass(frozen=True)
class OwnSkin:
    """name: of the character's file. packed: its skin and rig as `packed_skin` writes them. shown: whether it is drawn;
    if not, our body is, which poses it. extra: unknown keys of a scene file, kept."""

    name: str
    packed: bytes = field(repr=False)
    shown: bool = True
    extra: Mapping[str, Any] = field(default_factory=lambda: EMPTY)

    @property
    def hides_fingers(self) -> bool:
        """Whether it is drawn, and has no fingers to pose."""
        return self.shown and not self.rig().has_fingers

    def rig(self) -> RigSkin:
        """The skin ready to be posed; the same object for every own skin with that content. InputRefused if it is
        damaged."""
        held: RigSkin | None = self.__dict__.get(_HELD)
        if held is None:
            held = _known.get(self.packed)
            if held is None:
                from solver.formats.mesh.rig_skin import read_rig_skin  # the window starts without

                held = _known[self.packed] = read_rig_skin(self.packed, self.name)
            self.__dict__[_HELD] = held
        return held
