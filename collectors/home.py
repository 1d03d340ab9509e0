"""Where a warehouse lives on disk, and where the data that ships with the package is."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from models.errors import DamagedStore, NoWarehouse, UsageError

PACKAGES = Path(__file__).resolve().parent.parent
NO_BUILD = "(none)"
"""What a CURRENT names that holds no build's id. No build of that name is there, so it is told of and built anew."""
_BUILD_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class Home:
    """One warehouse: the events, how far collectors have read, and the builds.

    events/<event_type>/month=YYYY-MM/   progress/<collector>/   builds/<id>/marts/   CURRENT   dbt/
    """

    path: Path

    @property
    def events(self) -> Path:
        return self.path / "events"

    @property
    def progress(self) -> Path:
        return self.path / "progress"

    @property
    def builds(self) -> Path:
        return self.path / "builds"

    @property
    def dbt_target(self) -> Path:
        return self.path / "dbt"

    @property
    def current(self) -> Path:
        """The file that names the published build."""
        return self.path / "CURRENT"

    def current_build(self) -> str | None:
        """The id of the published build; None before the first, and `NO_BUILD` where CURRENT holds no id."""
        try:
            name = self.current.read_bytes().decode("ascii", "replace").strip()
        except FileNotFoundError:
            return None
        except OSError as error:
            told = f"expected {self.current} to name a build: {error.strerror}"
            raise DamagedStore(f"{told}; move it away, then run `meterhouse build`") from error
        return name if _BUILD_ID.fullmatch(name) else NO_BUILD

    def marts(self, build_id: str | None = None) -> Path:
        """The folder of a build's marts, by default the published one's. Raises NoWarehouse."""
        build_id = build_id or self.current_build()
        folder = self.builds / str(build_id) / "marts"
        if build_id is None or not folder.is_dir():
            raise NoWarehouse(self.path)
        return folder


def find_home(explicit: Path | None = None) -> Home:
    """The home asked for, else METERHOUSE_HOME, else `.meterhouse` in the current directory. It need not exist.

    Raises UsageError where it can be no folder.
    """
    path = explicit or Path(os.environ.get("METERHOUSE_HOME") or ".meterhouse")
    home = path.expanduser().absolute()
    first = next(place for place in (home, *home.parents) if os.path.lexists(place))
    if not first.is_dir():
        told = f"expected a folder for events and marts at {home}, {first} is none"
        raise UsageError(f"{told}; move it away, or set METERHOUSE_HOME to a folder")
    return Home(home)


def resources(name: str) -> Path:
    """The folder `dbt_project` or `datasets`, in an installed wheel or in a checkout."""
    # The wheel's own folder first: beside the packages, `datasets` may be somebody else's.
    for folder in (PACKAGES / "meterhouse_data" / name, PACKAGES / name):
        if folder.is_dir():
            return folder
    raise UsageError(f"expected the folder {name} in {PACKAGES}, found none; install Meterhouse again")
