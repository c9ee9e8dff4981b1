"""How a person holds their fingers, in a scene file."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.document.scene_file.poses import MATRIX
from solver.body.hands import Hands
from solver.body.whole import FINGER_JOINTS
from solver.files.json_checks import Node
from solver.files.json_forms import Context, Definitions, Form, Rest, Schema


class FingerTurns(Form):
    """(30, 3, 3): a matrix for every finger joint that is turned, by SMPL-X's names."""

    def read(self, node: Node, context: Context) -> tuple[Hands, Rest]:
        """The hands; joints that are not named are at rest, those of other names are kept."""
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
