"""The entry point: `python main.py` opens the window, `python main.py --help` lists the sub-commands."""

import sys

from app.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
