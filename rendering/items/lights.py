"""The lights of a picture, given to a program that includes shaders/light.glsl."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rendering.gl.program import Program
from rendering.items.frame import Frame
from rendering.scene.style import RIM_HEIGHT, RIM_TURN, Style, axes, direction
from rendering.scene.theme import Rgb


def set_lights(program: Program, style: Style, frame: Frame) -> None:
    """Set the lights for what the program, which is current, draws next."""
    program.set_vec3("u_eye", frame.eye)
    rotation, lighting = np.asarray(frame.view.camera.rotation, np.float64), style.lighting
    for name, vector in _vectors(style, rotation.tobytes()).items():
        program.set_vec3(name, vector)
    program.set_float("u_wrap", lighting.wrap)


@lru_cache(maxsize=8)  # lights stand still relative to the viewer, so while the camera rests they do too
def _vectors(style: Style, rotation: bytes) -> dict[str, NDArray[np.float32] | Rgb]:
    """Directions and colours by their names in shaders. rotation: (3, 3) float64, the camera's."""
    seen = np.frombuffer(rotation).reshape(3, 3)
    (right, _, back), lighting = axes(seen), style.lighting
    from_right = np.sin(np.radians(style.turn)) > 0
    sides = (lighting.near, lighting.far) if from_right else (lighting.far, lighting.near)
    return {
        "u_key": direction(style.turn, style.height, seen),
        "u_rim": direction(style.turn + RIM_TURN, RIM_HEIGHT, seen),
        "u_key_color": lighting.key,
        "u_rim_color": lighting.rim,
        "u_right": right.astype(np.float32),
        "u_back": back.astype(np.float32),
        "u_box_right": sides[0],
        "u_box_left": sides[1],
        "u_box_above": lighting.above,
        "u_box_below": lighting.below,
        "u_box_front": lighting.front,
        "u_box_back": lighting.back,
    }
