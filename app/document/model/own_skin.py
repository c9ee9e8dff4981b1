"""A person's own skin: what the view draws of the user's own character in place of our body's skin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.document.model.clip import EMPTY
from solver.memoise import memoised

if TYPE_CHECKING:
    from solver.formats.mesh.rig_skin import RigSkin

LAST = 16  # skins that are kept as they are posed


@dataclass(frozen=True)
class OwnSkin:
    """name: of the character's file. packed: its skin and rig as `packed_skin` writes them. shown: whether it is drawn;
    if not, our body is, which poses it. extra: unknown keys of a scene file, kept."""

    name: str
    packed: bytes = field(repr=False)
    shown: bool = True
    extra: Mapping[str, Any] = field(default_factory=lambda: EMPTY)

    def rig(self) -> RigSkin:
        """The skin ready to be posed; the same object again for the same skin. InputRefused if it is damaged."""
        return _rig(self.packed, self.name)


@memoised(LAST)
def _rig(packed: bytes, name: str) -> RigSkin:
    from solver.formats.mesh.rig_skin import read_rig_skin  # the window starts without

    return read_rig_skin(packed, name)
