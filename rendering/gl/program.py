"""Shader programs from the files in rendering/shaders."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from OpenGL import GL
from OpenGL.GL import shaders

SHADERS = Path(__file__).resolve().parent.parent / "shaders"


@cache
def shader_source(name: str) -> str:
    """The text of a shader with its `#include "file"` lines resolved."""
    text = (SHADERS / name).read_text(encoding="utf-8")
    return re.sub(r'^#include "([\w.]+)"$', lambda m: shader_source(m[1]), text, flags=re.MULTILINE)


class Program:
    """A linked vertex and fragment shader. A vertex array must be bound while it is made (core profile)."""

    def __init__(self, vertex: str, fragment: str) -> None:
        header = "#version 330 core\n"
        self._id = shaders.compileProgram(
            shaders.compileShader(header + shader_source(vertex), GL.GL_VERTEX_SHADER),
            shaders.compileShader(header + shader_source(fragment), GL.GL_FRAGMENT_SHADER),
            validate=False,
        )
        self._locations: dict[str, int] = {}

    def use(self) -> None:
        """Make it the current program."""
        GL.glUseProgram(self._id)

    def _at(self, name: str) -> int:
        if name not in self._locations:
            self._locations[name] = GL.glGetUniformLocation(self._id, name)
        return self._locations[name]

    def bind_block(self, name: str, binding: int) -> None:
        """Take a uniform block from the buffer at that binding."""
        GL.glUniformBlockBinding(self._id, GL.glGetUniformBlockIndex(self._id, name), binding)

    def set_int(self, name: str, value: int) -> None:
        """Set an int, bool or sampler of the current program."""
        GL.glUniform1i(self._at(name), int(value))

    def set_float(self, name: str, value: float) -> None:
        """Set a float."""
        GL.glUniform1f(self._at(name), float(value))

    def set_vec2(self, name: str, value: ArrayLike) -> None:
        """Set a vec2."""
        GL.glUniform2fv(self._at(name), 1, np.ascontiguousarray(value, np.float32))

    def set_vec3(self, name: str, value: ArrayLike) -> None:
        """Set a vec3."""
        GL.glUniform3fv(self._at(name), 1, np.ascontiguousarray(value, np.float32))

    def set_vec4(self, name: str, values: ArrayLike) -> None:
        """Set a vec4 or an array of them, (..., 4)."""
        array = np.ascontiguousarray(values, np.float32)
        GL.glUniform4fv(self._at(name), array.size // 4, array)

    def set_bits(self, name: str, indices: Iterable[int], words: int) -> None:
        """Set an array of so many uints whose bits at these indices, counted from the first word's lowest, are 1."""
        bits = np.zeros(words, np.uint32)
        for index in indices:
            bits[index >> 5] |= np.uint32(1 << (index & 31))
        GL.glUniform1uiv(self._at(name), words, bits)

    def set_mat4(self, name: str, matrix: ArrayLike) -> None:
        """Set a mat4 from a (4, 4) row-major array that acts on column vectors."""
        GL.glUniformMatrix4fv(self._at(name), 1, GL.GL_TRUE, np.ascontiguousarray(matrix, np.float32))
