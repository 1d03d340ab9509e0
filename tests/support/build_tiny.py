"""Build the tiny project in a process of its own, and die when told to.

build_tiny.py HOME fake        build, and print what was done
build_tiny.py HOME kill FOLDER build copies of HOME, FOLDER/1 …, killed at their first, second … step of I/O
"""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb  # noqa: F401 (before the fork, to save time)
from dying import kill_at_each_step
from tiny import PROJECT, fake_dbt

from app.warehouse import dbt_runner, make  # noqa: F401 (before the fork, to save time)
from app.warehouse.build import build
from collectors.home import Home

if __name__ == "__main__":
    dbt_runner.run = fake_dbt
    home = Path(sys.argv[1])
    if sys.argv[2] == "kill":
        sys.exit(kill_at_each_step(home, Path(sys.argv[3]), lambda copy: build(Home(copy), PROJECT)))
    print(build(Home(home), PROJECT).status)
