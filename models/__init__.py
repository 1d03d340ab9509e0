"""Event contracts: what may be appended, and what makes an event that event.

vocabulary   the closed word lists
errors       the error tree
identity     how ids are made
base         the envelope, and the rules of identity and conflict
tasks        TaskDefined, SplitFrozen, SplitOpened
runs         RunStarted, RunFinished, RunFlagged, RunExcluded
usage        TurnCompleted, TokensReported, CostReported, BillLineRecorded
prices       PriceObserved
serving      ThroughputSampled
verdicts     RunGraded, RunJudged
claims       ClaimPublished, RecordSetAside
events       all of them, by type
schemas      the Arrow schema of each
columns      many events of one type at once
column_kinds   what columns have to know of the contracts
dbt_contracts  what dbt has to know of them
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from models.base import Event
    from models.claims import ClaimPublished, RecordSetAside
    from models.events import EVENTS
    from models.prices import PriceObserved
    from models.runs import RunExcluded, RunFinished, RunFlagged, RunStarted
    from models.serving import ThroughputSampled
    from models.tasks import SplitFrozen, SplitOpened, TaskDefined
    from models.usage import BillLineRecorded, CostReported, TokensReported, TurnCompleted
    from models.verdicts import RunGraded, RunJudged

__all__ = [
    "EVENTS",
    "BillLineRecorded",
    "ClaimPublished",
    "CostReported",
    "Event",
    "PriceObserved",
    "RecordSetAside",
    "RunExcluded",
    "RunFinished",
    "RunFlagged",
    "RunGraded",
    "RunJudged",
    "RunStarted",
    "SplitFrozen",
    "SplitOpened",
    "TaskDefined",
    "ThroughputSampled",
    "TokensReported",
    "TurnCompleted",
]


def __getattr__(name: str) -> Any:
    """The contracts, when the first of them is asked for: pydantic takes 0.2 s, and many a command needs none."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = {each: getattr(import_module("models.events"), each) for each in __all__}
    globals().update(found)
    return found[name]
