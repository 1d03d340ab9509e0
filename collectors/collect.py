"""One collector over one folder: read what is new, decide, append once, remember."""

from __future__ import annotations

import hashlib
import traceback
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from collectors import Collector, Record, Unit
from collectors.home import Home
from collectors.progress import FileSeen, Progress, UnitSeen, load, look, progress_file, save, sha256_of
from collectors.reading import relative_ref, spelled
from collectors.refusals import one_line
from collectors.store import Appended, LocalStore
from models import Event, RecordSetAside
from models.errors import NothingToCollect, SourceNotFound, UnreadableRecord, UsageError
from models.identity import digest


@dataclass(frozen=True)
class SetAside:
    """One record that was not understood: its file as events name it, where in it, and why."""

    path: str
    offset: int
    reason: str


@dataclass(frozen=True)
class Collected:
    """What one collect did."""

    source: str
    root: Path
    units_read: int
    units_skipped: int
    events: int
    new_files: int
    set_aside: list[SetAside]


@dataclass(frozen=True)
class _Reading:
    """What one changed unit said."""

    unit: Unit
    files: dict[str, FileSeen]
    records: list[Record]
    faults: list[UnreadableRecord]


def collect(module: Collector, path: Path, store: LocalStore, home: Home) -> Collected:
    """Append what is new under a path. A record that is not understood is set aside, and the rest lands.

    Raises SourceNotFound where there is no such path, NothingToCollect where it holds nothing of this source.
    """
    units = _units(module, path)
    memory = progress_file(home.progress, module.name, path)
    before = load(memory, module.version)
    unchanged, readings = _read_changed(module, path, units, before, store)
    decided = _decide(module, path, readings)
    faults = _one_a_place(fault for reading in readings for fault in reading.faults)
    set_aside = [_set_aside(module, path, fault) for fault in faults]
    events = [*decided, *set_aside]
    appended = store.append(events) if events else Appended((), 0, 0)
    after = _remembered(before, unchanged, readings, [file.relative_to(store.root) for file in appended.files])
    if after != before:
        save(memory, after)
    return Collected(
        source=module.name,
        root=path,
        units_read=len(readings),
        units_skipped=len(unchanged),
        events=appended.events,
        new_files=appended.new_files,
        set_aside=[SetAside(event.path, event.record_offset, event.reason) for event in set_aside],
    )


def _units(module: Collector, path: Path) -> list[Unit]:
    try:
        if not path.exists():
            raise SourceNotFound(module.name, path)
        units = sorted(module.units(path), key=lambda unit: unit.key)
    except OSError as error:
        raise UsageError(f"{module.name}: expected to read {path}: {error.strerror}") from error
    if not units:
        raise NothingToCollect(module.name, path, module.expects)
    return units


def _read_changed(
    module: Collector, root: Path, units: Iterable[Unit], before: Progress, store: LocalStore
) -> tuple[dict[str, UnitSeen], list[_Reading]]:
    """The units that need no reading, by key, and what the others said."""
    stored = {batch for batch, files in before.batches.items() if all((store.root / file).exists() for file in files)}
    unchanged, readings = {}, []
    for unit in units:
        key = spelled(unit.key)
        seen = before.units.get(key)
        # Looked at before it is read: a file that changes meanwhile then differs next time.
        files = look(root, unit, seen)
        now = UnitSeen(files=files, batch=seen.batch if seen else "")
        if seen and seen.batch in stored and seen.says() == now.says():
            unchanged[key] = now
        else:
            readings.append(_read(module, root, unit, files))
    return unchanged, readings


def _read(module: Collector, root: Path, unit: Unit, files: dict[str, FileSeen]) -> _Reading:
    try:
        records = list(module.read(root, unit))
    except Exception as error:  # whatever one unit holds, the others land
        return _Reading(unit, files, [], [_fault(unit, error)])
    understood = [record for record in records if not isinstance(record, UnreadableRecord)]
    return _Reading(unit, files, understood, [record for record in records if isinstance(record, UnreadableRecord)])


def _decide(module: Collector, root: Path, readings: list[_Reading]) -> list[Event]:
    """What was read, as events; a record that nobody can decide on adds a fault to its reading instead.

    All is decided on at once, so that what many records tell (a task) is told once. Only where that fails is each unit
    decided on by itself, and only of one that fails each record: it is set aside, and what is beside it lands.
    """
    try:
        return module.decide([record for reading in readings for record in reading.records])
    except Exception:
        return [event for reading in readings for event in _decide_unit(module, root, reading)]


def _decide_unit(module: Collector, root: Path, reading: _Reading) -> list[Event]:
    try:
        return module.decide(reading.records)
    except Exception:
        return [event for record in reading.records for event in _decide_alone(module, root, reading, record)]


def _decide_alone(module: Collector, root: Path, reading: _Reading, record: Record) -> list[Event]:
    try:
        return module.decide([record])
    except Exception as error:  # whatever one record holds, the others land
        fault = _fault(reading.unit, error)
        path = next((path for path in reading.unit.files if relative_ref(root, path) == record.source_ref), fault.path)
        reading.faults.append(UnreadableRecord(path, fault.reason, record.source_offset or 0))
        return []


def _fault(unit: Unit, error: Exception) -> UnreadableRecord:
    """What went wrong, in one line that holds no text of the source's; of the unit's first file."""
    match error:
        case UnreadableRecord():
            return error
        case ValidationError():
            reason = f"{error.title}: {one_line(error)}"
        case OSError():
            reason = f"does not open: {error.strerror}"
        case _:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            reason = f"not understood: {type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
    return UnreadableRecord(unit.files[0] if unit.files else unit.key, reason)


def _one_a_place(faults: Iterable[UnreadableRecord]) -> list[UnreadableRecord]:
    """One fault for each place in a file, with every reason once."""
    reasons: dict[tuple[str, int], dict[str, None]] = defaultdict(dict)
    for fault in faults:
        reasons[fault.path, fault.offset][spelled(fault.reason)] = None
    return [UnreadableRecord(path, "; ".join(said), offset) for (path, offset), said in reasons.items()]


def _set_aside(module: Collector, root: Path, fault: UnreadableRecord) -> RecordSetAside:
    ref = relative_ref(root, Path(fault.path))
    return RecordSetAside(
        occurred_at=datetime.now(UTC),
        producer=f"{module.name}/{module.version}",
        source_ref=ref,
        source_offset=fault.offset or None,
        collector=module.name,
        path=ref,
        record_offset=fault.offset,
        reason=fault.reason,
        fingerprint=_fingerprint(Path(fault.path)),
    )


def _fingerprint(path: Path) -> str:
    """sha256 of a file's bytes; of nothing where it cannot be read."""
    try:
        return sha256_of(path)
    except OSError:
        return hashlib.sha256().hexdigest()


def _remembered(
    before: Progress, unchanged: dict[str, UnitSeen], readings: list[_Reading], appended: list[Path]
) -> Progress:
    names = [path.as_posix() for path in appended]
    batch = digest(*names)[:16]
    read = {spelled(reading.unit.key): UnitSeen(files=reading.files, batch=batch) for reading in readings}
    return before.with_units({**unchanged, **read}, {batch: names})
