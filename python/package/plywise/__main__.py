"""The command line of plywise: ``python -m plywise analyse chess``."""

import sys

from . import _plywise


def main() -> int:
    """Runs the command line; the result is its exit code."""
    return _plywise.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
