"""mini-swe-agent trajectories: one JSON file a run, written again after each step.

A message keeps the whole response that it came from, with the usage of Chat Completions. The file counts the requests
that were begun, so one that was paid for and left no response is known, though not what it used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path, PureWindowsPath
from typing import Annotated

import msgspec

from collectors.agents import Place
from collectors.agents.records import Count, Flag, Key, Record, Session, Turn
from collectors.agents.times import milliseconds_between
from models.errors import UnreadableRecord
from models.vocabulary import TurnStatus

name = "mini-swe-agent"
version = 1
expects = "mini-swe-agent trajectories (*.traj.json)"
places = (
    Place(".config/mini-swe-agent", "MSWEA_GLOBAL_CONFIG_DIR"),
    Place("Library/Application Support/mini-swe-agent", "MSWEA_GLOBAL_CONFIG_DIR"),
)
"""Where the last trajectory of `mini` is, and that of a single SWE-bench run; all others are where the user wants."""

_REFUSALS = frozenset(
    {
        "AuthenticationError", "BadRequestError", "ContentPolicyViolationError", "ContextWindowExceededError",
        "InternalServerError", "NotFoundError", "PermissionDeniedError", "RateLimitError", "ServiceUnavailableError",
        "UnprocessableEntityError", "UnsupportedParamsError",
    }
)  # fmt: skip
"""Exits by which the provider answered with an error, so that nothing was used."""

_ENDS = frozenset({"Submitted", "LimitsExceeded", "TimeExceeded", "RepeatedFormatError"})
"""Exits that no error has made."""


class _Details(msgspec.Struct):
    cached_tokens: Count | None = None
    cache_write_tokens: Count | None = None
    cache_creation_tokens: Count | None = None
    reasoning_tokens: Count | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: Count
    completion_tokens: Count
    total_tokens: Count | None = None
    prompt_tokens_details: _Details | None = None
    completion_tokens_details: _Details | None = None
    cached_tokens: Count | None = None
    """Moonshot's place for it."""
    cache_read_input_tokens: Count | None = None
    cache_creation_input_tokens: Count | None = None


class _Function(msgspec.Struct):
    name: str | None = None


class _Call(msgspec.Struct):
    id: str | None = None
    function: _Function | None = None


class _Said(msgspec.Struct):
    tool_calls: list[_Call] | None = None


class _Choice(msgspec.Struct):
    finish_reason: str | None = None
    message: _Said | None = None


class _Response(msgspec.Struct):
    id: str | None = None
    model: str | None = None
    service_tier: str | None = None
    choices: list[_Choice] = []
    usage: _Usage | None = None


class _Extra(msgspec.Struct):
    response: _Response | None = None
    cost: Annotated[float, msgspec.Meta(ge=-1e12, le=1e12)] | None = None
    timestamp: Annotated[float, msgspec.Meta(ge=0, le=1e11)] | None = None
    """When the response, or a tool's result, was there, in s since 1970."""


class _Message(msgspec.Struct):
    extra: _Extra | None = None


class _Model(msgspec.Struct):
    model_name: str | None = None


class _Environment(msgspec.Struct):
    cwd: str | None = None


class _Config(msgspec.Struct):
    model: _Model | None = None
    environment: _Environment | None = None


class _Stats(msgspec.Struct):
    api_calls: Annotated[int, msgspec.Meta(ge=0, le=100_000)] | None = None
    """Requests that were begun."""


class _Info(msgspec.Struct):
    model_stats: _Stats | None = None
    config: _Config | None = None
    mini_version: str | None = None
    exit_status: str | None = None


class _Trajectory(msgspec.Struct):
    trajectory_format: str
    messages: list[msgspec.Raw]
    info: _Info = msgspec.field(default_factory=_Info)


_decode = msgspec.json.Decoder(_Trajectory).decode
_decode_message = msgspec.json.Decoder(_Message).decode


def reads(path: Path) -> bool:
    """Whether a file of this name could be a trajectory."""
    return path.name.endswith("traj.json")


def knows(head: bytes) -> bool:
    """Whether a file that begins like this is one."""
    return b'"model_stats"' in head or b'"trajectory_format"' in head


def companions(path: Path) -> tuple[Path, ...]:
    """A trajectory is one file."""
    return ()


def read(path: Path) -> Iterator[Record | UnreadableRecord]:
    """Everything that a trajectory tells. Raises UnreadableRecord for a file that is none."""
    raw = path.read_bytes()
    try:
        trajectory = _decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableRecord(path, f"no trajectory: {error}") from None
    if not trajectory.trajectory_format.startswith("mini-swe-agent"):
        raise UnreadableRecord(path, "no trajectory: `trajectory_format` is not mini-swe-agent's")
    extras: dict[int, _Extra] = {}
    for index, message in enumerate(trajectory.messages):
        try:
            extras[index] = _decode_message(message).extra or _Extra()
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            yield UnreadableRecord(path, f"message not as expected: {error}", index)
    first = next((extra.response.id for extra in extras.values() if extra.response and extra.response.id), None)
    yield from _Run(first or hashlib.sha256(raw).hexdigest()[:32], trajectory, extras).records()


class _Run:
    """One trajectory. It has no id of its own, so its first response names the session."""

    def __init__(self, session: str, trajectory: _Trajectory, extras: dict[int, _Extra]) -> None:
        self._session = session
        self._info = trajectory.info
        self._config = trajectory.info.config or _Config()
        self._extras = extras
        self._length = len(trajectory.messages)
        self._answers = 0

    def records(self) -> Iterator[Record]:
        """The session, and its requests in order; last, those that left no response."""
        environment, asked_at = self._config.environment, None
        begun_at = next((_us(extra.timestamp) for extra in self._extras.values() if extra.timestamp), None)
        cwd = environment.cwd if environment else None
        yield Session(
            session=self._session, at_us=begun_at, project=(PureWindowsPath(cwd).name or None) if cwd else None
        )
        for index, extra in self._extras.items():
            if extra.response:
                yield (turn := self._answer(index, extra, extra.response, asked_at))
                yield from _contradiction(turn)
            asked_at = _us(extra.timestamp) or asked_at
        yield from self._lost(asked_at)

    def _answer(self, index: int, extra: _Extra, response: _Response, asked_at: int | None) -> Turn:
        key: Key = ("response", response.id) if response.id else ("message", self._session, index)
        turn = self._turn(key, _us(extra.timestamp), index)
        choice = response.choices[0] if response.choices else _Choice()
        calls = (choice.message.tool_calls if choice.message else None) or []
        turn.llm_answered, turn.service_tier = response.model, response.service_tier
        turn.message_id = turn.response_id = response.id
        turn.stop_reason = choice.finish_reason
        turn.tool_call_ids = tuple(call.id for call in calls if call.id)
        turn.tool_names = tuple(call.function.name for call in calls if call.function and call.function.name)
        turn.duration_ms = milliseconds_between(asked_at, turn.at_us)
        turn.cost_usd = None if extra.cost is None else Decimal(str(extra.cost))
        turn.attempt = self._asked
        _count(turn, response.usage)
        self._answers += 1
        return turn

    def _lost(self, at_us: int | None) -> Iterator[Turn]:
        """Requests without a response: those that an interruption or an error ended, and, where the file just stops (as
        it does while the agent runs), the one that may be in flight."""
        exit_status, stats = self._info.exit_status, self._info.model_stats or _Stats()
        unreadable = self._length - len(self._extras)
        missing = max(0, (stats.api_calls or 0) - self._answers - unreadable) + (not exit_status)
        for number in range(missing - 1):
            yield self._turn(("lost", self._session, number), at_us, self._length, status="unanswered")
        if missing and exit_status in _REFUSALS:
            refused = self._turn(("refused", *self._asked), at_us, self._length, status="failed")
            refused.attempt, refused.error_code = self._asked, exit_status
            yield refused
        elif missing:
            last = self._turn(self._asked, at_us, self._length, status="unanswered")
            last.error_code = exit_status if exit_status and exit_status not in _ENDS else None
            yield last

    @property
    def _asked(self) -> Key:
        """What names the request that goes out next, until its answer is there."""
        return ("asked", self._session, self._answers)

    def _turn(self, key: Key, at_us: int | None, offset: int, *, status: TurnStatus = "completed") -> Turn:
        return Turn(
            session=self._session,
            key=key,
            at_us=at_us,
            offset=offset,
            session_id=self._session,
            llm_asked=self._config.model.model_name if self._config.model else None,
            status=status,
            harness_version=self._info.mini_version,
            usage_format="openai.chat",
        )


def _us(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1_000_000)


def _count(turn: Turn, usage: _Usage | None) -> None:
    """What a request used, its nested counts as one flat list."""
    if usage is None:
        turn.completeness, turn.incomplete_reason = "lower_bound", "no usage"
        return
    prompt = usage.prompt_tokens_details or _Details()
    completion = usage.completion_tokens_details or _Details()
    counts = {
        "prompt_tokens": usage.prompt_tokens,
        "cached_tokens": _first(prompt.cached_tokens, usage.cached_tokens, usage.cache_read_input_tokens),
        "cache_write_tokens": _first(
            prompt.cache_write_tokens, prompt.cache_creation_tokens, usage.cache_creation_input_tokens
        ),
        "completion_tokens": usage.completion_tokens,
        "reasoning_tokens": completion.reasoning_tokens,
        "total_tokens": usage.total_tokens,
    }
    turn.raw_counts = {kind: count for kind, count in counts.items() if count is not None}
    beside, inside = _sums(turn.raw_counts)
    if (
        usage.total_tokens == beside != inside
    ):  # whether reasoning is inside the completion: the total of each row tells
        turn.usage_format = "openai.chat.reasoning-beside"


def _contradiction(turn: Turn) -> Iterator[Flag]:
    counts = turn.raw_counts or {}
    if counts and counts.get("total_tokens") not in (None, *_sums(counts)):
        detail = "usage.total_tokens is not the sum of its parts"
        yield Flag(session=turn.session, flag="usage_contradicts_total", detail=detail, at_us=turn.at_us)


def _sums(counts: dict[str, int]) -> tuple[int, int]:
    """What the total is where reasoning is beside the completion, and where it is inside."""
    inside = counts["prompt_tokens"] + counts["completion_tokens"]
    return inside + counts.get("reasoning_tokens", 0), inside


def _first(*counts: int | None) -> int | None:
    """The first place that has a count."""
    return next((count for count in counts if count is not None), None)
