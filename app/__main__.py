"""`python -m app`: the same entry as main.py, for an installed program, which has none."""

import sys

from app.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
