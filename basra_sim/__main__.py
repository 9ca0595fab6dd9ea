"""`python -m basra_sim` is `basra-sim`."""

from .cli import main

if __name__ == "__main__":
    main()
