"""Kernels fetched from numba's cache without waking its compiler.

Numba wakes the whole compiler before it looks into its cache: it imports how each builtin and each function of numpy is
compiled, scipy's linear algebra with it, and compiles its own memory manager. Cached machine code needs none of that,
which saves a third of a second and 40 MB. If nothing is found, numba wakes the compiler itself.

A cache is no reason to fail: what cannot be read is compiled again, and what cannot be kept is compiled next time.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

from numba.core.caching import FunctionCache

_LOAD = "_load_overload"  # not numba's public interface


class QuietCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of one function."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function of this signature, None if it is not in the cache."""
        _name_the_memory_manager()
        try:
            return self._load_overload(sig, target_context)
        except OSError:  # another process is writing it, so Windows refuses to open it
            return None
        except Exception:  # a damaged file, cut off as the power went; pickle raises almost anything
            with suppress(OSError):
                self.flush()  # numba reads the index again before it writes
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the compiled function, if the disk takes it."""
        with suppress(OSError):
            super().save_overload(sig, data)


def keep(dispatcher: Any) -> Any:
    """Let numba keep this compiled function's machine code on disk; a function that is not compiled stays as it is."""
    if hasattr(dispatcher, "enable_caching"):
        dispatcher.enable_caching()
        if hasattr(FunctionCache, _LOAD) and hasattr(dispatcher, "_cache"):
            dispatcher._cache = QuietCache(dispatcher.py_func)
    return dispatcher


@cache
def _name_the_memory_manager() -> None:
    """Tell LLVM where the functions of numba's memory manager are, which cached machine code calls by name."""
    from llvmlite import binding
    from numba.core.runtime import _nrt_python  # type: ignore[attr-defined]

    for name, address in _nrt_python.c_helpers.items():
        binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
