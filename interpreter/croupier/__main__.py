"""`python -m croupier`: the command line without the installed script."""

from croupier.cli import main

if __name__ == "__main__":
    main()
