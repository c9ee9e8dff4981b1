"""The desktop application: composes solver and rendering."""

import os

__version__ = "0.1.0"

# Products of small matrices by several threads, which wait for each other, take eight times as long on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
