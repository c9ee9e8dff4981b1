"""How a person's fingers are held, in a scene file: once for the person, and in each key that differs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from app.document.model.clip import Clip
from app.document.scene_file.poses import MATRIX
from solver.body.hands import Hands, hands_at_rest
from solver.body.whole_rig import FINGER_JOINTS
from solver.files.json_checks import Node
from solver.files.json_forms import Context, Definitions, Form, Rest, Schema


class FingerTurns(Form):
    """(30, 3, 3): a matrix for every finger joint that is turned, by SMPL-X's names."""

    def read(self, node: Node, context: Context) -> tuple[Hands, Rest]:
        """The hands; joints that are not named are at rest, and unknown names are kept."""
        rest = np.eye(3, dtype=np.float32)
        known = {name: MATRIX.value(node[name], context) for name in FINGER_JOINTS if name in node}
        return Hands(np.stack([known.get(name, rest) for name in FINGER_JOINTS])), node.others(FINGER_JOINTS)

    def write(self, value: Any, context: Context) -> dict[str, Any]:
        """The matrices of the joints that are turned."""
        turned = ((name, each) for name, each in value.by_joint().items() if not np.array_equal(each, np.eye(3)))
        return {name: MATRIX.write(each, context) for name, each in turned}

    def schema(self, definitions: Definitions) -> Schema:
        """An object of matrices."""
        return {"type": "object", "additionalProperties": MATRIX.schema(definitions)}


def common_hands(clip: Clip) -> Hands | None:
    """The hands written once for all keys that do not differ: those of the source motion, or of the first key."""
    source = clip.source
    return clip.keys[0].hands if source is None or source.moving_hands is not None else source.hands_at(0)


def without_common_hands(clip: Clip) -> Clip:
    """The clip as it is written: hands only in keys that differ from the common ones."""
    said = common_hands(clip)
    others = [key.hands != said for key in clip.keys]
    keys = tuple(
        replace(key, hands=key.hands or hands_at_rest()) if other else replace(key, hands=None)
        for key, other in zip(clip.keys, others, strict=True)
    )
    return replace(clip, keys=keys)


def with_common_hands(clip: Clip, hands: Hands | None) -> Clip:
    """The clip as it was read, with the common hands wherever it has none."""
    if hands is None:
        return clip
    keys = tuple(key if key.hands is not None else replace(key, hands=hands) for key in clip.keys)
    source = clip.source
    return replace(clip, keys=keys, source=source.held(hands) if source and source.hands is None else source)
