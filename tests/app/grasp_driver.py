"""Things before somebody's left shoulder, for tests that take them in the hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from prop_driver import added, the_prop
from window_driver import active

from app.document import edits
from app.document.model.prop import Prop
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.effectors.contact import Contact
from solver.kinematics.rotations import from_rotation_vector

IN_FRONT = (0.28, 1.05, 0.36)  # metres, before the left shoulder


def put(editor: Editor, kind: str, size: tuple[float, float, float], turn: tuple[float, float, float]) -> Prop:
    """A prop of that size in front of the left shoulder; the person is selected."""
    who, prop = active(editor).id, added(editor, kind)
    turned = replace(prop.sized(size), turn=np.asarray(from_rotation_vector(np.array(turn)), np.float32))
    middle = np.array(IN_FRONT) - turned.turn @ np.array([0.0, size[1] / 2, 0.0])
    editor.session.edit("Put", edits.put_prop(replace(turned, place=middle.astype(np.float32))))
    editor.session.select(who)
    editor.viewport.set_camera(OrbitCamera(target=(0.2, 1.0, 0.2), yaw=0.5, pitch=0.4, distance=2.2))
    editor.refresh()
    return the_prop(editor)


def held(editor: Editor) -> Contact:
    """The only contact of the active person."""
    (contact,) = (e for e in active(editor).effectors if isinstance(e, Contact))
    return contact
