"""OpenGL 3.3 core, as much of it as is drawn with.

PyOpenGL's own `OpenGL.GL` declares every version and extension that there is, thousands of functions and names, and
takes a tenth of the time that the window has to start. Here are only those in use, which PyOpenGL still finds in the
driver and checks for errors.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from OpenGL.platform import PLATFORM
from OpenGL.raw.GL._errors import _error_checker

_N = ctypes.c_uint  # a name of an object, a named constant, bits
_I, _S = ctypes.c_int, ctypes.c_ssize_t
_B, _F, _D = ctypes.c_ubyte, ctypes.c_float, ctypes.c_double


class _Pointer:
    """An address, bytes, a ctypes array, None, or a numpy array of the type and order wanted."""

    @classmethod
    def from_param(cls, value: object) -> Any:
        return ctypes.c_void_p.from_param(value.ctypes.data if isinstance(value, np.ndarray) else value)


_P = _Pointer


def _function(name: str, *types: Any, result: Any = None) -> Any:
    """The driver's function, found when it is first called."""
    return PLATFORM.nullFunction(
        name,
        dll=PLATFORM.GL,
        resultType=result,
        argTypes=types,
        extension="GL_VERSION_GL_3_3",
        error_checker=_error_checker,
    )


class GL:
    """The functions and constants by OpenGL's own names; pointers may be numpy arrays."""

    GL_ALWAYS = 0x0207
    GL_ARRAY_BUFFER = 0x8892
    GL_BACK = 0x0405
    GL_BGRA = 0x80E1
    GL_BLEND = 0x0BE2
    GL_CLAMP_TO_EDGE = 0x812F
    GL_COLOR_ATTACHMENT0 = 0x8CE0
    GL_COLOR_BUFFER_BIT = 0x4000
    GL_COMPILE_STATUS = 0x8B81
    GL_CULL_FACE = 0x0B44
    GL_DEPTH24_STENCIL8 = 0x88F0
    GL_DEPTH_BUFFER_BIT = 0x0100
    GL_DEPTH_STENCIL_ATTACHMENT = 0x821A
    GL_DEPTH_TEST = 0x0B71
    GL_DRAW_FRAMEBUFFER = 0x8CA9
    GL_DYNAMIC_DRAW = 0x88E8
    GL_ELEMENT_ARRAY_BUFFER = 0x8893
    GL_FLOAT = 0x1406
    GL_FRAGMENT_SHADER = 0x8B30
    GL_FRAMEBUFFER = 0x8D40
    GL_FRAMEBUFFER_COMPLETE = 0x8CD5
    GL_FRONT = 0x0404
    GL_FUNC_ADD = 0x8006
    GL_GREATER = 0x0204
    GL_INFO_LOG_LENGTH = 0x8B84
    GL_KEEP = 0x1E00
    GL_LEQUAL = 0x0203
    GL_LINEAR = 0x2601
    GL_LINEAR_MIPMAP_LINEAR = 0x2703
    GL_LINK_STATUS = 0x8B82
    GL_MAX = 0x8008
    GL_MAX_SAMPLES = 0x8D57
    GL_MAX_TEXTURE_SIZE = 0x0D33
    GL_NEAREST = 0x2600
    GL_NOTEQUAL = 0x0205
    GL_ONE = 1
    GL_ONE_MINUS_SRC_ALPHA = 0x0303
    GL_PACK_ALIGNMENT = 0x0D05
    GL_PACK_INVERT_MESA = 0x8758
    GL_POLYGON_OFFSET_FILL = 0x8037
    GL_R8 = 0x8229
    GL_READ_FRAMEBUFFER = 0x8CA8
    GL_RED = 0x1903
    GL_RENDERBUFFER = 0x8D41
    GL_RENDERER = 0x1F01
    GL_REPLACE = 0x1E01
    GL_RGBA = 0x1908
    GL_RGBA8 = 0x8058
    GL_SCISSOR_TEST = 0x0C11
    GL_SRC_ALPHA = 0x0302
    GL_STENCIL_BUFFER_BIT = 0x0400
    GL_STENCIL_TEST = 0x0B90
    GL_TEXTURE0 = 0x84C0
    GL_TEXTURE_2D = 0x0DE1
    GL_TEXTURE_MAG_FILTER = 0x2800
    GL_TEXTURE_MIN_FILTER = 0x2801
    GL_TEXTURE_WRAP_S = 0x2802
    GL_TEXTURE_WRAP_T = 0x2803
    GL_TRIANGLES = 4
    GL_TRIANGLE_STRIP = 5
    GL_TRUE = 1
    GL_UNIFORM_BUFFER = 0x8A11
    GL_UNPACK_ALIGNMENT = 0x0CF5
    GL_UNSIGNED_BYTE = 0x1401
    GL_UNSIGNED_INT = 0x1405
    GL_VERSION = 0x1F02
    GL_VERTEX_SHADER = 0x8B31

    glActiveTexture = _function("glActiveTexture", _N)
    glAttachShader = _function("glAttachShader", _N, _N)
    glBindBuffer = _function("glBindBuffer", _N, _N)
    glBindBufferBase = _function("glBindBufferBase", _N, _N, _N)
    glBindFramebuffer = _function("glBindFramebuffer", _N, _N)
    glBindRenderbuffer = _function("glBindRenderbuffer", _N, _N)
    glBindTexture = _function("glBindTexture", _N, _N)
    glBindVertexArray = _function("glBindVertexArray", _N)
    glBlendEquation = _function("glBlendEquation", _N)
    glBlendFuncSeparate = _function("glBlendFuncSeparate", _N, _N, _N, _N)
    glBlitFramebuffer = _function("glBlitFramebuffer", _I, _I, _I, _I, _I, _I, _I, _I, _N, _N)
    glBufferData = _function("glBufferData", _N, _S, _P, _N)
    glBufferSubData = _function("glBufferSubData", _N, _S, _S, _P)
    glCheckFramebufferStatus = _function("glCheckFramebufferStatus", _N, result=_N)
    glClear = _function("glClear", _N)
    glClearColor = _function("glClearColor", _F, _F, _F, _F)
    glColorMask = _function("glColorMask", _B, _B, _B, _B)
    glCompileShader = _function("glCompileShader", _N)
    glCreateProgram = _function("glCreateProgram", result=_N)
    glCreateShader = _function("glCreateShader", _N, result=_N)
    glCullFace = _function("glCullFace", _N)
    glDeleteBuffers = _function("glDeleteBuffers", _I, _P)
    glDeleteFramebuffers = _function("glDeleteFramebuffers", _I, _P)
    glDeleteRenderbuffers = _function("glDeleteRenderbuffers", _I, _P)
    glDeleteShader = _function("glDeleteShader", _N)
    glDeleteTextures = _function("glDeleteTextures", _I, _P)
    glDeleteVertexArrays = _function("glDeleteVertexArrays", _I, _P)
    glDepthFunc = _function("glDepthFunc", _N)
    glDepthMask = _function("glDepthMask", _B)
    glDepthRange = _function("glDepthRange", _D, _D)
    glDisable = _function("glDisable", _N)
    glDisableVertexAttribArray = _function("glDisableVertexAttribArray", _N)
    glDrawArrays = _function("glDrawArrays", _N, _I, _I)
    glDrawArraysInstanced = _function("glDrawArraysInstanced", _N, _I, _I, _I)
    glDrawElements = _function("glDrawElements", _N, _I, _N, _P)
    glEnable = _function("glEnable", _N)
    glEnableVertexAttribArray = _function("glEnableVertexAttribArray", _N)
    glFinish = _function("glFinish")
    glFramebufferRenderbuffer = _function("glFramebufferRenderbuffer", _N, _N, _N, _N)
    glFramebufferTexture2D = _function("glFramebufferTexture2D", _N, _N, _N, _N, _I)
    glGenBuffers = _function("glGenBuffers", _I, _P)
    glGenFramebuffers = _function("glGenFramebuffers", _I, _P)
    glGenRenderbuffers = _function("glGenRenderbuffers", _I, _P)
    glGenTextures = _function("glGenTextures", _I, _P)
    glGenVertexArrays = _function("glGenVertexArrays", _I, _P)
    glGenerateMipmap = _function("glGenerateMipmap", _N)
    glGetIntegerv = _function("glGetIntegerv", _N, _P)
    glGetProgramInfoLog = _function("glGetProgramInfoLog", _N, _I, _P, _P)
    glGetProgramiv = _function("glGetProgramiv", _N, _N, _P)
    glGetShaderInfoLog = _function("glGetShaderInfoLog", _N, _I, _P, _P)
    glGetShaderiv = _function("glGetShaderiv", _N, _N, _P)
    glGetString = _function("glGetString", _N, result=ctypes.c_char_p)
    glGetUniformBlockIndex = _function("glGetUniformBlockIndex", _N, ctypes.c_char_p, result=_N)
    glGetUniformLocation = _function("glGetUniformLocation", _N, ctypes.c_char_p, result=_I)
    glLinkProgram = _function("glLinkProgram", _N)
    glPixelStorei = _function("glPixelStorei", _N, _I)
    glPolygonOffset = _function("glPolygonOffset", _F, _F)
    glReadPixels = _function("glReadPixels", _I, _I, _I, _I, _N, _N, _P)
    glRenderbufferStorageMultisample = _function("glRenderbufferStorageMultisample", _N, _I, _N, _I, _I)
    glScissor = _function("glScissor", _I, _I, _I, _I)
    glShaderSource = _function("glShaderSource", _N, _I, _P, _P)
    glStencilFunc = _function("glStencilFunc", _N, _I, _N)
    glStencilMask = _function("glStencilMask", _N)
    glStencilOp = _function("glStencilOp", _N, _N, _N)
    glTexImage2D = _function("glTexImage2D", _N, _I, _I, _I, _I, _I, _N, _N, _P)
    glTexParameteri = _function("glTexParameteri", _N, _N, _I)
    glTexSubImage2D = _function("glTexSubImage2D", _N, _I, _I, _I, _I, _I, _N, _N, _P)
    glUniform1f = _function("glUniform1f", _I, _F)
    glUniform1i = _function("glUniform1i", _I, _I)
    glUniform1uiv = _function("glUniform1uiv", _I, _I, _P)
    glUniform2fv = _function("glUniform2fv", _I, _I, _P)
    glUniform3fv = _function("glUniform3fv", _I, _I, _P)
    glUniform4fv = _function("glUniform4fv", _I, _I, _P)
    glUniformBlockBinding = _function("glUniformBlockBinding", _N, _N, _N)
    glUniformMatrix4fv = _function("glUniformMatrix4fv", _I, _I, _B, _P)
    glUseProgram = _function("glUseProgram", _N)
    glVertexAttribDivisor = _function("glVertexAttribDivisor", _N, _N)
    glVertexAttribPointer = _function("glVertexAttribPointer", _N, _I, _N, _B, _I, _P)
    glViewport = _function("glViewport", _I, _I, _I, _I)


def new_names(generate: Any, count: int = 1) -> list[int]:
    """`count` names of new objects from one of the glGen functions."""
    names = (_N * count)()
    generate(count, names)
    return list(names)


def delete_names(delete: Any, *names: int) -> None:
    """Free the objects of these names with one of the glDelete functions."""
    delete(len(names), (_N * len(names))(*names))


def limit_of(name: int) -> int:
    """The driver's maximum for a number."""
    value = _I()
    GL.glGetIntegerv(name, ctypes.byref(value))
    return value.value
