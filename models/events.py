"""Every event type by its name."""

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
