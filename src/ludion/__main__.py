"""`python -m ludion` is the command line."""

from ludion.cli import main

main()
