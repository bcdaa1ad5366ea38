"""The command jigo."""

import sys

from jigo._jigo import command


def main() -> int:
    """Run the command line of this process."""
    return command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
