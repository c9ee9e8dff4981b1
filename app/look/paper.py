"""How large pictures are on paper."""

from __future__ import annotations

DPI = 300  # dots an inch, as printers ask for
