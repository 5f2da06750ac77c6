"""Runs the command line for `python -m varves`."""

from __future__ import annotations

import sys

from varves.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
