"""The error tree. Only the command line and the app's router turn one of these into prose."""

from pathlib import Path


class MeterhouseError(Exception):
    """Anything that Meterhouse can explain in one line. `exit_code` is what the command line leaves with."""

    exit_code = 1


class UsageError(MeterhouseError):
    """The call itself was wrong: a path that is not there, a date that is none, a flag that does not fit."""

    exit_code = 2


class SourceNotFound(UsageError):
    """The folder or file to collect from does not exist."""

    def __init__(self, source: str, path: Path) -> None:
        super().__init__(f"{source}: expected a folder or file at {path}, found nothing there; check the path")


class NothingToCollect(MeterhouseError):
    """The folder exists and holds nothing that this collector knows."""

    def __init__(self, source: str, path: Path, expected: str) -> None:
        super().__init__(f"{source}: expected {expected} under {path}, found none; nothing was collected")


class UnreadableRecord(MeterhouseError):
    """One record or file that its reader does not understand. Collectors turn it into a `RecordSetAside`."""

    def __init__(self, path: Path | str, reason: str, offset: int = 0) -> None:
        super().__init__(f"{path}: {reason}")
        self.path, self.reason, self.offset = str(path), reason, offset


class NoWarehouse(MeterhouseError):
    """Nothing has been built in this home yet."""

    def __init__(self, home: Path) -> None:
        super().__init__(f"no warehouse in {home} yet; run `meterhouse demo`, or `meterhouse collect` and `build`")


class NothingThatEarly(UsageError):
    """`build --as-of D` with a D before this store had its first event."""


class BuildFailed(MeterhouseError):
    """dbt could not build the warehouse, or one of its data tests failed. The published marts are untouched."""


class DamagedStore(MeterhouseError):
    """A stored file is not what was written."""


class QueryFailed(UsageError):
    """The SQL that a user typed does not run."""
