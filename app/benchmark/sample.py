"""A scene to try things on: two people, each in their own pose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document import edits
from app.document.model.document import Document
from app.document.posing.create import new_character
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.rig.roles import ARMS

# Targets of the wrists, in metres from where they hang.
REACHES = (((0.25, 0.55, 0.30), (-0.15, 0.25, 0.35)), ((0.10, 0.15, 0.30), (-0.35, 0.70, 0.15)))


def two_people() -> Document:
    """Two people side by side who reach with their hands."""
    document = Document()
    for reaches in REACHES:
        character = new_character(document)
        moved = dict(zip((arm.end.value for arm in ARMS), reaches, strict=True))
        effectors = tuple(_reaching(e, moved[e.joint]) if e.joint in moved else e for e in character.effectors)
        document = edits.add_character(replace(character, effectors=effectors))(document)
        document = edits.solve(character.id)(document)
    return document


def _reaching(effector: Effector, by: tuple[float, float, float]) -> Effector:
    """The effector with its target moved by (3,) metres, and strict."""
    assert isinstance(effector, Position)
    return replace(effector, target=effector.target + np.array(by, np.float32), loose=False)
