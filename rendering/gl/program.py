"""Shader programs from the files in rendering/shaders."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rendering.gl.api import GL

SHADERS = Path(__file__).resolve().parent.parent / "shaders"


@cache
def shader_source(name: str) -> str:
    """The text of a shader with its `#include "file"` lines resolved."""
    text = (SHADERS / name).read_text(encoding="utf-8")
    return re.sub(r'^#include "([\w.]+)"$', lambda m: shader_source(m[1]), text, flags=re.MULTILINE)


class Program:
    """A linked vertex and fragment shader. A vertex array must be bound while it is made (core profile).

    It keeps its uniforms from picture to picture, so that what it already has is not sent again.
    """

    def __init__(self, vertex: str, fragment: str) -> None:
        header = "#version 330 core\n"
        self._id = _linked(
            _compiled(header + shader_source(vertex), GL.GL_VERTEX_SHADER),
            _compiled(header + shader_source(fragment), GL.GL_FRAGMENT_SHADER),
        )
        self._locations: dict[str, int] = {}
        self._held: dict[str, float | bytes] = {}

    def use(self) -> None:
        """Make it the current program."""
        GL.glUseProgram(self._id)

    def _at(self, name: str) -> int:
        if name not in self._locations:
            self._locations[name] = GL.glGetUniformLocation(self._id, name.encode())
        return self._locations[name]

    def _send(self, name: str, value: float | bytes, function: Any, *arguments: object) -> None:
        """Call one of the glUniform functions, unless the program already holds that value."""
        if self._held.get(name) != value:
            function(self._at(name), *arguments)
            self._held[name] = value

    def bind_block(self, name: str, binding: int) -> None:
        """Take a uniform block from the buffer at that binding."""
        GL.glUniformBlockBinding(self._id, GL.glGetUniformBlockIndex(self._id, name.encode()), binding)

    def set_int(self, name: str, value: int) -> None:
        """Set an int, bool or sampler of the current program."""
        self._send(name, int(value), GL.glUniform1i, int(value))

    def set_float(self, name: str, value: float) -> None:
        """Set a float."""
        self._send(name, float(value), GL.glUniform1f, float(value))

    def set_vec2(self, name: str, value: ArrayLike) -> None:
        """Set a vec2."""
        array = np.ascontiguousarray(value, np.float32)
        self._send(name, array.tobytes(), GL.glUniform2fv, 1, array)

    def set_vec3(self, name: str, value: ArrayLike) -> None:
        """Set a vec3."""
        array = np.ascontiguousarray(value, np.float32)
        self._send(name, array.tobytes(), GL.glUniform3fv, 1, array)

    def set_vec4(self, name: str, values: ArrayLike) -> None:
        """Set a vec4 or an array of them, (..., 4)."""
        array = np.ascontiguousarray(values, np.float32)
        self._send(name, array.tobytes(), GL.glUniform4fv, array.size // 4, array)

    def set_bits(self, name: str, indices: Iterable[int], words: int) -> None:
        """Set an array of `words` uints whose bits at these indices, counted from the first word's lowest, are 1."""
        bits = np.zeros(words, np.uint32)
        for index in indices:
            bits[index >> 5] |= np.uint32(1 << (index & 31))
        self._send(name, bits.tobytes(), GL.glUniform1uiv, words, bits)

    def set_mat4(self, name: str, matrix: ArrayLike) -> None:
        """Set a mat4 from a (4, 4) row-major array that acts on column vectors."""
        array = np.ascontiguousarray(matrix, np.float32)
        self._send(name, array.tobytes(), GL.glUniformMatrix4fv, 1, GL.GL_TRUE, array)


def _compiled(source: str, kind: int) -> int:
    shader = int(GL.glCreateShader(kind))
    text = source.encode()
    GL.glShaderSource(shader, 1, ctypes.byref(ctypes.c_char_p(text)), None)
    GL.glCompileShader(shader)
    _refuse_unless(GL.GL_COMPILE_STATUS, shader, GL.glGetShaderiv, GL.glGetShaderInfoLog)
    return shader


def _linked(*shaders: int) -> int:
    program = int(GL.glCreateProgram())
    for shader in shaders:
        GL.glAttachShader(program, shader)
    GL.glLinkProgram(program)
    _refuse_unless(GL.GL_LINK_STATUS, program, GL.glGetProgramiv, GL.glGetProgramInfoLog)
    for shader in shaders:
        GL.glDeleteShader(shader)
    return program


def _refuse_unless(status: int, id: int, ask: Any, log: Any) -> None:
    """RuntimeError with what the driver says about a shader or program whose status is not good."""
    value = ctypes.c_int()
    ask(id, status, ctypes.byref(value))
    if value.value:
        return
    ask(id, GL.GL_INFO_LOG_LENGTH, ctypes.byref(value))
    text = ctypes.create_string_buffer(max(value.value, 1))
    log(id, len(text), None, text)
    raise RuntimeError(f"a shader was refused: {text.value.decode(errors='replace').strip()}")
