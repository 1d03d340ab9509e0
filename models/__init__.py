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
schemas      the Arrow schema of each
columns      many events of one type at once
dbt_contracts  what dbt has to know of them
"""

from models.base import Event
from models.claims import ClaimPublished, RecordSetAside
from models.prices import PriceObserved
from models.runs import RunExcluded, RunFinished, RunFlagged, RunStarted
from models.serving import ThroughputSampled
from models.tasks import SplitFrozen, SplitOpened, TaskDefined
from models.usage import BillLineRecorded, CostReported, TokensReported, TurnCompleted
from models.verdicts import RunGraded, RunJudged

EVENTS: dict[str, type[Event]] = {
    kind.event_type: kind
    for kind in (
        TaskDefined,
        RunStarted,
        RunFinished,
        TurnCompleted,
        TokensReported,
        CostReported,
        PriceObserved,
        BillLineRecorded,
        ThroughputSampled,
        RunGraded,
        RunJudged,
        RunFlagged,
        RunExcluded,
        ClaimPublished,
        RecordSetAside,
        SplitFrozen,
        SplitOpened,
    )
}
"""Every event type, in the order in which an attempt meets them."""

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
