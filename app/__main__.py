"""`python -m app`: the same entry as main.py, for an installed program, which has none."""

import sys

try:
    from app.cli.main import main
except KeyboardInterrupt:  # Ctrl+C before the command line is there to say so
    print("Stopped.", file=sys.stderr)
    sys.exit(130)

if __name__ == "__main__":
    sys.exit(main())
