"""Scenes of a builder that remembers are those that a new one builds, whatever has changed since, undo included."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.document import Document
from app.document.posing.create import new_character, new_document
from app.services.view_state import ViewState
from app.viewport.scene_builder import Look, SceneBuilder
from solver.body.body import BodyShape
from solver.effectors.kinds import LookAt
from solver.kinematics.pose import Pose

LOOKS = (Look("#d9a98b", "#4a5568"), Look("#5a3a28", "#4a5568"))
TALL = BodyShape(np.array([4.0, *[0.0] * 9], np.float32))


def is_same(a: Any, b: Any) -> bool:
    """Whether two parts of scenes are drawn alike."""
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b)
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(is_same, a, b))
    if is_dataclass(a):
        return a is b or all(is_same(getattr(a, each.name), getattr(b, each.name)) for each in fields(a))
    return bool(a == b)


def history() -> list[Document]:
    """A scene after one edit upon another."""
    document = new_document()
    document = edits.add_character(new_character(document))(document)
    id, other = (character.id for character in document.characters)
    box, hand = new_prop(document, "box"), document.characters[0].effectors[0].id
    gaze = LookAt("head", np.array([1.0, 1.5, 2.0], np.float32), id="look")
    raised = edits.on_character(
        id, lambda c: replace(c, pose=Pose(c.pose.root_position + np.float32([0, 0.5, 0]), c.pose.rotations))
    )
    changes = [
        edits.add_prop(replace(box, place=document.characters[0].pose.root_position * [1, 0, 1])), raised,
        edits.move_prop(box.id, (0.6, 0.0, 0.0)), edits.move_prop(box.id, (-0.6, 0.0, 0.0)),
        edits.on_character(id, lambda c: replace(c, shape=TALL)), edits.add_effector(id, gaze),
        edits.set_target(id, "look", (-1.0, 1.0, 2.0)), edits.set_enabled(id, "look", False),
        edits.set_pinned(id, hand, True), edits.set_color(id, "#ff0000"), edits.set_stature(other, 1.2),
        edits.turn_character(id, 0.7), edits.set_visible(other, False), edits.set_locked(id, True),
    ]  # fmt: skip
    documents = [document]
    for change in changes:
        documents.append(change(documents[-1]))
    return documents


def test_nothing_that_is_remembered_is_out_of_date() -> None:
    builder, documents = SceneBuilder(), history()
    for step, document in enumerate([*documents, *documents[::-2]]):
        view = ViewState(character=document.characters[step % 5 == 4].id, ghost=True, balance=True)
        look = LOOKS[step % 4 == 3]
        remembered, new = builder.build(document, view, look), SceneBuilder().build(document, view, look)
        for part in fields(new):
            assert is_same(getattr(remembered, part.name), getattr(new, part.name)), (step, part.name)
