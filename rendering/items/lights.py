"""The lights of a picture, given to a program that includes shaders/light.glsl."""

from __future__ import annotations

import numpy as np

from rendering.gl.program import Program
from rendering.items.frame import Frame
from rendering.scene.style import RIM_HEIGHT, RIM_TURN, Style, axes, direction


def set_lights(program: Program, style: Style, frame: Frame) -> None:
    """Light what the program, which is current, draws next."""
    rotation, lighting = np.asarray(frame.view.camera.rotation), style.lighting
    program.set_vec3("u_eye", frame.eye)
    program.set_vec3("u_key", direction(style.turn, style.height, rotation))
    program.set_vec3("u_rim", direction(style.turn + RIM_TURN, RIM_HEIGHT, rotation))
    program.set_vec3("u_key_color", lighting.key)
    program.set_vec3("u_rim_color", lighting.rim)
    program.set_float("u_wrap", lighting.wrap)
    right, _, back = axes(rotation)
    program.set_vec3("u_right", right)
    program.set_vec3("u_back", back)
    from_right = np.sin(np.radians(style.turn)) > 0
    sides = (lighting.near, lighting.far) if from_right else (lighting.far, lighting.near)
    for name, color in zip(
        ("u_box_right", "u_box_left", "u_box_above", "u_box_below", "u_box_front", "u_box_back"),
        (*sides, lighting.above, lighting.below, lighting.front, lighting.back),
        strict=True,
    ):
        program.set_vec3(name, color)
