"""`python -m app`: the same door as main.py, for where the program is installed without it."""

import sys

from app.cli import main

if __name__ == "__main__":
    sys.exit(main())
