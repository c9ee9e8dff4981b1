"""Methods of dataclasses that are compiled when they are first called.

Python writes each method of a dataclass as text and compiles it, in every start anew: with some hundred classes a sixth
of what importing the window takes, and most of these methods are never called. Since 3.13 Python compiles all of a
class in one go, which stays as it is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

LATER = ("__setattr__", "__delattr__", "__repr__", "__eq__", "__hash__")  # all that are made but `__init__`
_MAKER = "__create_fn__"  # this and how the text is laid out are dataclasses' own: another text is compiled at once


@contextmanager
def compiled_when_called() -> Iterator[None]:
    """While this lasts, dataclasses are made without compiling those methods; each is when it is first called."""
    dataclasses.exec = _execute  # type: ignore[attr-defined]  # the module finds it before the built-in one
    try:
        yield
    finally:
        del dataclasses.exec  # type: ignore[attr-defined]


def _execute(text: str, names: dict[str, Any], made: dict[str, Any]) -> None:
    maker, *methods = text.split("\n def ")
    name = methods[0].partition("(")[0] if len(methods) == 1 and maker.startswith(f"def {_MAKER}(") else ""
    if name in LATER:
        made[_MAKER] = lambda **captured: _compiled_later(name, text, names, captured)
    else:
        exec(text, names, made)


def _compiled_later(name: str, text: str, names: dict[str, Any], captured: dict[str, Any]) -> Callable[..., object]:
    compiled: Callable[..., object] | None = None

    def method(self: object, *others: object) -> object:
        nonlocal compiled
        if compiled is None:
            made: dict[str, Any] = {}
            exec(text, names, made)
            compiled = made[_MAKER](**captured)
            compiled.__qualname__ = method.__qualname__
            for kind in type(self).__mro__:  # from now on it is called without this detour
                if vars(kind).get(name) is method:
                    setattr(kind, name, compiled)
        return compiled(self, *others)

    method.__name__ = name  # the class gets it under this name
    return method
