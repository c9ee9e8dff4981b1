"""Bodies by id: "anny" is the embedded adult, "anny:child" a variant, "smpl:FOLDER" a folder of official files, and
"anny:rig:JOINTS" the adult with the proportions of somebody's own character."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solver.body.body import SHAPE_COMPONENTS, SHAPE_LIMIT, Body, BodyShape
from solver.body.embedded_body import EmbeddedBody
from solver.errors import UnknownName
from solver.memoise import memoised

if TYPE_CHECKING:
    from solver.body.variants.fitted import FittedBody
    from solver.rig.roles import Role

DEFAULT_BODY = "anny"
VARIANTS = tuple(f"{DEFAULT_BODY}:{name}" for name in ("child", "youth", "elder", "chibi"))
OURS = (DEFAULT_BODY, *VARIANTS)  # files say their place in this row: add new ones at its end
KEPT = 64  # bodies at once: each of a folder's characters may have one of its own, of 4 MB
_OFFICIAL = "smpl:"
_FITTED = f"{DEFAULT_BODY}:rig:"


def official_body_id(folder: Path | str) -> str:
    """The id under which a folder of official SMPL, SMPL-H or SMPL-X files is loaded."""
    return f"{_OFFICIAL}{Path(folder).expanduser().resolve()}"


def fitted_body_id(
    joints: NDArray[np.floating], shape: BodyShape, ankle: float | None = None, merged: Collection[Role] = ()
) -> str:
    """The id of the embedded adult of that shape with its joints at other places, (24, 3) metres at rest.

    ankle: metres from the soles to the ankles, if not as with our feet. merged: roles of joints that do not bend (see
    `Rig`). ValueError for joints that no body can have.
    """
    from solver.body.variants.fitted import fitted_name

    id = f"{_FITTED}{fitted_name(joints, shape.betas, ankle, merged)}"
    if _fitted_of(id) is None:  # a limb's bone too short, as with stubs for arms
        raise ValueError("no body has such joints")
    return id


def is_fitted(id: str) -> bool:
    """Whether it is the body of a character of other proportions, with its joints where that one's are."""
    return id.startswith(_FITTED)


def is_ours(id: str) -> bool:
    """Whether it is the embedded adult, a variant, or that adult in other proportions, and can be made."""
    return _fitted_of(id) is not None if is_fitted(id) else id in OURS


def origin_of(id: str) -> str:
    """The id of the body that a variant was made from; for any other body its own id."""
    return DEFAULT_BODY if id in VARIANTS or is_fitted(id) else id


def official_folder(id: str) -> Path | None:
    """The folder of official files that a body's id names; None for the embedded body and for an unknown id."""
    return Path(id.removeprefix(_OFFICIAL)) if id.startswith(_OFFICIAL) else None


@memoised(KEPT)
def load_body(id: str) -> Body:
    """The body of that id, made at first use. Raises UnknownName, or InputRefused for a folder that cannot be used."""
    if id == DEFAULT_BODY:
        return EmbeddedBody()
    if id in VARIANTS:
        from solver.body.variants.variant_table import CHANGES  # seldom needed, and not to show the window

        return EmbeddedBody(id=id, change=CHANGES[id.removeprefix(f"{DEFAULT_BODY}:")])
    if is_fitted(id) and (fitted := _fitted_of(id)) is not None:
        return EmbeddedBody(id=id, change=fitted.change, merged=fitted.merged)
    folder = official_folder(id)
    if folder is not None:
        from solver.body.smpl_files import SmplBody

        return SmplBody(folder)
    raise UnknownName("body", id, (DEFAULT_BODY, *VARIANTS, f"{_OFFICIAL}FOLDER"))


def _fitted_of(id: str) -> FittedBody | None:
    """A fitted body; None where its id says nothing."""
    from solver.body.variants.fitted import fitted_body  # seldom needed

    return fitted_body(id.removeprefix(_FITTED), SHAPE_COMPONENTS, SHAPE_LIMIT)
