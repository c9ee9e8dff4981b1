"""How much memory this process holds, from the system itself."""

from __future__ import annotations

import os
import sys

MEGABYTE = 1e6
ROLLUP = "/proc/self/smaps_rollup"


def held_mb() -> float:
    """Megabytes that this process takes, with memory shared with others counted in part (PSS).

    Where the system does not report that, on macOS and Windows and in some containers, resident memory.
    """
    try:
        with open(ROLLUP, encoding="ascii") as file:
            kilobytes = next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return resident_mb()
    return 1024 * kilobytes / MEGABYTE


def resident_mb() -> float:
    """Resident megabytes of this process; on macOS the most there ever were."""
    if sys.platform == "win32":
        return _windows_working_set() / MEGABYTE
    if sys.platform == "darwin":
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE
    with open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE


def _windows_working_set() -> int:
    import ctypes
    from ctypes import wintypes

    class Counters(ctypes.Structure):
        _fields_ = [
            ("cb", wintypes.DWORD),
            ("page_faults", wintypes.DWORD),
            ("peak_working_set", ctypes.c_size_t),
            ("working_set", ctypes.c_size_t),
            ("pools_and_page_files", ctypes.c_size_t * 6),
        ]

    counters = Counters()
    counters.cb = ctypes.sizeof(counters)
    windll = ctypes.windll  # type: ignore[attr-defined]
    windll.kernel32.GetCurrentProcess.restype = wintypes.HANDLE
    read = windll.psapi.GetProcessMemoryInfo
    read.argtypes = [wintypes.HANDLE, ctypes.POINTER(Counters), wintypes.DWORD]
    if not read(windll.kernel32.GetCurrentProcess(), ctypes.byref(counters), counters.cb):
        raise OSError("Windows does not say how much memory the process holds")
    return int(counters.working_set)
