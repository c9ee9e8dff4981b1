"""What a GLB file of this program tells of its person beside what other programs read: name, body and shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.body.body import GENDERS, SHAPE_COMPONENTS, SHAPE_LIMIT, BodyShape
from solver.body.catalog import is_ours as is_our_body

KEY = "contrapposto"  # in the "extras" of a skin
GENERATOR = "Contrapposto"  # as our exports name it; others may have changed the skeleton and kept the extras
LONGEST_NAME = 300


@dataclass(frozen=True, eq=False)
class Told:
    """The shape of a body of ours, and its id."""

    shape: BodyShape
    body: str


def extras_of(told: Told) -> dict[str, Any]:
    """What a skin says of its body."""
    betas = [float(beta) for beta in told.shape.betas]
    return {KEY: {"body": told.body, "gender": told.shape.gender, "betas": betas}}


def is_ours(content: Mapping[str, Any]) -> bool:
    """Whether a file is as this program wrote it."""
    return str((content.get("asset") or {}).get("generator", "")).startswith(GENERATOR)


def name_in(skin: Mapping[str, Any]) -> str:
    """What a skin's person is called, in a line; "" where it has no name."""
    name = " ".join(str(skin.get("name") or "").split())[:LONGEST_NAME]
    return name.encode("utf-8", "replace").decode("utf-8")  # JSON may hold half a character


def told_in(skin: Mapping[str, Any]) -> Told | None:
    """What a skin of ours says of its body; None where it says nothing, or what this version does not know: the bones
    then tell the shape."""
    extras = skin.get("extras")
    said = extras.get(KEY) if isinstance(extras, Mapping) else None
    if not isinstance(said, Mapping) or said.get("gender") not in GENDERS:
        return None
    if not is_our_body(str(said.get("body"))):
        return None
    try:
        betas = np.array(said.get("betas"), np.float32)
    except (TypeError, ValueError, OverflowError):
        return None
    if betas.shape != (SHAPE_COMPONENTS,) or not (np.abs(betas) <= SHAPE_LIMIT).all():
        return None
    return Told(BodyShape(betas, str(said["gender"])), str(said["body"]))
