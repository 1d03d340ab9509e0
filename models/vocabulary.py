"""The closed word lists that events use. A word outside its list is refused at the door, never stored."""

from typing import Literal

Basis = Literal["exact", "day", "batch", "snapshot"]
"""How fine a time is: the source's own time, its date (00:00 UTC), its batch's submission time, the snapshot's date."""

CostBasis = Literal["invoiced", "provider_reported", "list_price", "hardware", "credits", "client_estimate"]
"""The standing of an amount, best first. Amounts of different standing never mix."""

COST_BASES: tuple[CostBasis, ...] = (
    "invoiced",
    "provider_reported",
    "list_price",
    "hardware",
    "credits",
    "client_estimate",
)

UsageSource = Literal["proxy", "agent_log", "provider", "bill", "run_report"]
"""Who observed an amount or a token count."""

SubjectKind = Literal["turn", "run", "bucket", "batch"]
"""What an amount or a count is about. A batch is a set of attempts that were submitted, and stated, together."""

RunKind = Literal["attempt", "session"]

Outcome = Literal[
    "completed",
    "agent_error",
    "timeout",
    "budget_wall",
    "budget_usd",
    "budget_tokens",
    "budget_turns",
    "budget_tool_calls",
    "infra_error",
    "killed",
    "unstated",
]

GradeStatus = Literal["resolved", "unresolved", "empty_patch", "not_submitted", "verifier_error", "ungraded"]
"""The first is a solve, the next three are failures of the agent, the last two are no verdict at all."""

JudgeStatus = Literal["parsed", "unparsed", "out_of_range", "no_artifact"]

ClientPrice = Literal["own", "foreign"]
"""`foreign`: the client priced the tokens as another LLM's, so its estimate is no cost."""

Hosting = Literal["api", "plan", "own_gpu", "unstated"]

TurnStatus = Literal["completed", "incomplete", "failed", "unanswered"]
"""How a request to an LLM ended. `completed`: the reply ended as it should. `incomplete`: it broke off, and its usage
is what came until then. `failed`: it was refused or broken, and no reply is in the log. `unanswered`: the log ends, or
goes on, without saying what became of it."""

Completeness = Literal["complete", "lower_bound"]

ClaimScope = Literal["arm", "run", "dataset"]

ExclusionReason = Literal["infra_error", "duplicate", "broken_task"]

SampleKind = Literal["scrape", "level"]

UNSTATED = "unstated"
"""What an arm field, a dataset version, a split or a verifier's version is where the source does not say."""
