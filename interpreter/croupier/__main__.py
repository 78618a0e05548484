"""`python -m croupier`: the command line without the installed script."""

import sys

from croupier.cli import main

if __name__ == "__main__":
    sys.exit(main())
