"""The entry point: `python main.py` opens the window, `python main.py --help` lists the sub-commands."""

import sys

try:
    from app.cli.main import main
except KeyboardInterrupt:  # Ctrl+C before the command line is there to say so
    print("Stopped.", file=sys.stderr)
    sys.exit(130)

if __name__ == "__main__":
    sys.exit(main())
