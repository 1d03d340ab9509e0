"""A corpus of coding agents' logs whose totals are known: `python benchmarks/agent_corpus.py FOLDER --mb 200`.

FOLDER/home/.claude and FOLDER/home/.codex are a user's logs, three quarters Claude Code by bytes, and FOLDER/truth.json
is what they add up to. The same arguments give the same bytes. Shapes follow recorded logs of Claude Code 2.1 and Codex
0.171 and their older forms; sizes are assumed; text is cut from one pool.

What is in them that a reader can get wrong, each counted in truth.json:
Claude Code: one line a content block, each with the usage of the reply, in old sessions with a part of its output;
sessions behind a gateway without `requestId`; forks that copy lines; sub-agents in files of their own, their usage
again in `toolUseResult`; tool results with log lines as text; lines of model `<synthetic>`; cache writes of two
lifetimes.
Codex: a `token_count` twice, or missing at the end; forks whose counter begins at their parent's; rollouts without
`token_usage_record`.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

CLAUDE_LLMS = ("claude-sonnet-4-5-20250929", "claude-opus-4-5-20251101", "claude-haiku-4-5-20251001")
CODEX_LLMS = ("gpt-5.2-codex", "gpt-5.2", "gpt-5.1-codex-mini")
FIRST_DAY = datetime(2026, 6, 1, tzinfo=UTC)
DAYS = 180
CODEX_SHARE = 0.25
POOL_CHARACTERS = 4_000_000
FORKED_FROM_AT_MOST = 200
"""Sessions that may be forked; a fork in memory would otherwise cost as much as the corpus."""

Line = dict[str, Any]


def spelled(value: Any) -> str:
    """JSON as the agents write it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def stamp(at: datetime) -> str:
    """A time as the agents write it, in milliseconds."""
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"


class Dice(random.Random):
    """Chance with a seed, and the things that logs are made of."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._pool = self._texts()

    def _texts(self) -> str:
        """Lines of code, of tests and of logs; some of them look like a record with usage."""
        words = ["".join(self.choices("abcdefghijklmnopqrstuvwxyz_", k=self.randint(2, 11))) for _ in range(3000)]
        forms = (
            "    {} = self.{}({}, {}=7)", "def {}({}, {}=None):  # {}", '  "{}": {{"{}": 31, "{}": "{}"}},',
            "{}/{}/{}.py:88:4: {}", "PASSED tests/{}/test_{}.py::test_{} {}", "# {} {} — {} {}…",
            "\treturn {}[{}] + '{}' \\{}",
            '{{"type":"assistant","message":{{"id":"msg_{}{}{}{}","usage":{{"input_tokens":5,"output_tokens":9}}}}}}',
        )  # fmt: skip
        chosen = self.choices(forms, (24, 6, 9, 14, 12, 6, 5, 0.5), k=POOL_CHARACTERS // 38)
        return "\n".join(form.format(*self.choices(words, k=4)) for form in chosen)

    def text(self, length: int) -> str:
        start = self.randrange(len(self._pool) - length)
        return self._pool[start : start + length]

    def tool_result(self) -> str:
        """2 KB in the middle, 20 KB at most."""
        return self.text(int(min(20_000, max(500, self.lognormvariate(7.6, 0.95)))))

    def hexadecimal(self, digits: int) -> str:
        return f"{self.getrandbits(4 * digits):0{digits}x}"

    def uuid(self) -> str:
        digits = self.hexadecimal(30)
        return f"{digits[:8]}-{digits[8:12]}-4{digits[12:15]}-a{digits[15:18]}-{digits[18:]}"

    def is_one_in(self, count: float) -> bool:
        return self.random() * count < 1

    def requests(self, mean: float = 3.1, spread: float = 0.9, most: int = 300) -> int:
        return max(1, min(most, int(self.lognormvariate(mean, spread))))

    def day(self) -> datetime:
        return FIRST_DAY + timedelta(seconds=self.randrange(DAYS * 86_400))


@dataclass
class Truth:
    """What the logs add up to, by agent and LLM, and how often each trap is in them."""

    totals: defaultdict[str, defaultdict[str, Counter[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Counter))
    )
    traps: Counter[str] = field(default_factory=Counter)
    files: Counter[str] = field(default_factory=Counter)
    bytes: Counter[str] = field(default_factory=Counter)

    def add(self, agent: str, llm: str, **counts: int) -> None:
        self.totals[agent][llm].update(counts | {"requests": 1})

    def write(self, path: Path, lines: list[str], agent: str) -> None:
        """One log, and count it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        content = ("\n".join(lines) + "\n").encode()
        path.write_bytes(content)
        self.files[agent] += 1
        self.bytes[agent] += len(content)


@dataclass
class ClaudeSession:
    """What is the same in all lines of a session, and where it has come to."""

    id: str
    project: str
    at: datetime
    llm: str
    form: str
    """`new` writes its requests as well, `old` a part of the output on all lines but the last."""
    is_behind_gateway: bool
    cache: str
    context: int
    sub_agent: str | None = None
    parent: str | None = None
    lines: list[str] = field(default_factory=list)

    @property
    def version(self) -> str:
        return {"new": "2.1.332", "middle": "2.0.41", "old": "1.0.65"}[self.form]

    def put(self, kind: str, **more: Any) -> None:
        """One line of no request."""
        said = {"sessionId": self.id, "timestamp": stamp(self.at), "version": self.version}
        self.lines.append(spelled({"type": kind, **more, **said}))

    def chain(self, dice: Dice, **told: Any) -> str:
        """One line of the conversation, behind the one before."""
        own = {"agentId": self.sub_agent} if self.sub_agent else {}
        uuid = dice.uuid()
        envelope = {
            "uuid": uuid, "timestamp": stamp(self.at), "userType": "external", "entrypoint": "cli",
            "cwd": f"/home/someone/{self.project}", "sessionId": self.id, "version": self.version, "gitBranch": "main",
        }  # fmt: skip
        before = {"parentUuid": self.parent, "isSidechain": self.sub_agent is not None}
        self.lines.append(spelled({**before, **own, **told, **envelope}))
        self.parent = uuid
        return uuid


class Claude:
    """Writes sessions of Claude Code."""

    def __init__(self, home: Path, dice: Dice, truth: Truth) -> None:
        self._projects, self._dice, self._truth = home / ".claude/projects", dice, truth
        self._done: list[ClaudeSession] = []

    def session(self) -> None:
        """A new session, or a fork of an earlier one, with its sub-agents."""
        dice = self._dice
        is_fork = bool(self._done) and dice.is_one_in(16)
        session = self._forked(dice.choice(self._done)) if is_fork else self._begun()
        self._truth.traps["claude_sessions_behind_a_gateway"] += session.is_behind_gateway
        prompts, requests = dice.randint(1, 4), dice.requests()
        for _ in range(prompts):
            session.chain(dice, type="user", message={"role": "user", "content": dice.text(dice.randint(30, 600))})
            self._requests(session, max(1, requests // prompts))
            if dice.is_one_in(8):
                self._sub_agent(session)
        session.put("last-prompt", lastPrompt="fix the failing test")
        folder = self._projects / f"-home-dev-{session.project}"
        self._truth.write(folder / f"{session.id}.jsonl", session.lines, "claude")
        if len(self._done) < FORKED_FROM_AT_MOST and not is_fork:
            self._done.append(session)

    def _begun(self) -> ClaudeSession:
        dice = self._dice
        session = ClaudeSession(
            id=dice.uuid(),
            project=dice.choice(("api", "web-shop", "infra", "docs")),
            at=dice.day(),
            llm=dice.choices(CLAUDE_LLMS, (60, 30, 10))[0],
            form=dice.choices(("new", "middle", "old"), (35, 45, 20))[0],
            is_behind_gateway=dice.is_one_in(16),
            cache=dice.choices(("5m", "1h", "both"), (60, 30, 10))[0],
            context=dice.choice((0, 11_000, 16_000)),
        )
        session.put("queue-operation", operation="enqueue", content="fix the failing test")
        for size in (600, 300, 1800, 6000, 900):
            session.chain(dice, type="attachment", attachment={"type": "skill_listing", "content": dice.text(size)})
        if session.form == "new":
            session.put("api-request-shape", shapeHash=dice.hexadecimal(64), shape=dice.text(16_000))
        return session

    def _forked(self, source: ClaudeSession) -> ClaudeSession:
        """A session that begins with lines of another one, under its own id."""
        kept = source.lines[: max(4, int(len(source.lines) * self._dice.uniform(0.2, 0.9)))]
        session = ClaudeSession(
            self._dice.uuid(), source.project, source.at + timedelta(hours=1), source.llm, source.form,
            source.is_behind_gateway, source.cache, source.context // 2, parent=source.parent,
        )  # fmt: skip
        session.lines = [line.replace(source.id, session.id) for line in kept]
        self._truth.traps["claude_lines_copied_by_forks"] += sum('"usage":{' in line for line in kept)
        return session

    def _requests(self, session: ClaudeSession, count: int) -> None:
        for number in range(count):
            tools = 0 if number == count - 1 else self._dice.choices((1, 2, 3, 5), (70, 18, 9, 3))[0]
            self._request(session, tools)

    def _request(self, session: ClaudeSession, tools: int) -> None:
        dice = self._dice
        if session.sub_agent is None and dice.is_one_in(100):
            session.llm = dice.choice(CLAUDE_LLMS)
        usage = self._usage(session)
        message = {"id": f"msg_01{dice.hexadecimal(22)}", "type": "message", "role": "assistant", "model": session.llm}
        told = {"requestRef": dice.uuid(), "requestedModel": session.llm, "type": "assistant"}
        if not session.is_behind_gateway:
            told = {"requestId": f"req_011{dice.hexadecimal(21)}"} | told
        if session.form == "new":
            params = {"model": session.llm, "max_tokens": 32_000}
            session.put("api-request", id=told["requestRef"], shapeHash=dice.hexadecimal(64), params=params)
        blocks = self._blocks(tools)
        end = {"stop_reason": "tool_use" if tools else "end_turn", "stop_sequence": None}
        for number, block in enumerate(blocks):
            session.at += timedelta(milliseconds=dice.randint(200, 9000))
            is_partial = session.form == "old" and number < len(blocks) - 1
            used = usage | {"output_tokens": dice.randint(1, 8)} if is_partial else usage
            self._truth.traps["claude_lines_with_a_part_of_the_output"] += is_partial
            session.chain(
                dice, message=message | {"content": [block], **end, "usage": used}, apiBlockIndex=number, **told
            )
        self._truth.traps["claude_lines_that_repeat_usage"] += len(blocks) - 1
        self._results(session, [block for block in blocks if block["type"] == "tool_use"])
        if dice.is_one_in(300):
            self._synthetic(session)

    def _usage(self, session: ClaudeSession) -> Line:
        """What a request uses, into the truth as well."""
        dice = self._dice
        written, fresh, output = dice.randint(200, 6000), dice.randint(1, 14), dice.randint(40, 1800)
        an_hour = {"5m": 0, "1h": written, "both": dice.randint(0, written)}[session.cache]
        self._truth.add(
            "claude", session.llm, input=fresh, cache_read=session.context, cache_write=written, output=output,
            cache_write_5m=written - an_hour, cache_write_1h=an_hour,
        )  # fmt: skip
        usage = {
            "input_tokens": fresh, "cache_creation_input_tokens": written, "cache_read_input_tokens": session.context,
            "output_tokens": output, "output_tokens_details": {"thinking_tokens": dice.randint(0, 40)},
            "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0}, "service_tier": "standard",
            "cache_creation": {"ephemeral_1h_input_tokens": an_hour, "ephemeral_5m_input_tokens": written - an_hour},
            "inference_geo": "", "iterations": [], "speed": "standard",
        }  # fmt: skip
        session.context += written
        return usage

    def _blocks(self, tools: int) -> list[Line]:
        dice, blocks = self._dice, []
        if dice.is_one_in(2):
            thought = {"thinking": dice.text(dice.randint(80, 1500)), "signature": dice.hexadecimal(400)}
            blocks.append({"type": "thinking", **thought})
        if not tools or dice.is_one_in(1.6):
            blocks.append({"type": "text", "text": dice.text(dice.randint(40, 900))})
        for _ in range(tools):
            name, most = dice.choices((("Bash", 200), ("Read", 200), ("Edit", 5000), ("Grep", 200)), (35, 30, 23, 12))[
                0
            ]
            asked = {"file_path": "/home/someone/x.py", "content": dice.text(dice.randint(30, most))}
            blocks.append({"type": "tool_use", "id": f"toolu_01{dice.hexadecimal(22)}", "name": name, "input": asked})
        return blocks

    def _results(self, session: ClaudeSession, calls: list[Line]) -> None:
        dice, results = self._dice, []
        for call in calls:
            session.at += timedelta(milliseconds=dice.randint(20, 4000))
            text = dice.tool_result()
            results.append({"tool_use_id": call["id"], "type": "tool_result", "content": text, "is_error": False})
            told = {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
            message = {"role": "user", "content": results[-1:]}
            session.chain(dice, type="user", message=message, toolUseResult=told)
        if results and session.form == "new":
            session.put("api-request-blob", hash=dice.hexadecimal(64), message={"role": "user", "content": results})

    def _synthetic(self, session: ClaudeSession) -> None:
        """A line that Claude Code writes itself where a request failed for good."""
        said = [{"type": "text", "text": "API Error: 529 overloaded"}]
        usage = dict.fromkeys(("input_tokens", "output_tokens", "cache_creation_input_tokens"), 0)
        message = {
            "id": self._dice.uuid(),
            "model": "<synthetic>",
            "role": "assistant",
            "content": said,
            "usage": usage,
        }
        session.chain(self._dice, type="assistant", message=message, isApiErrorMessage=True)
        self._truth.traps["claude_synthetic_lines"] += 1

    def _sub_agent(self, session: ClaudeSession) -> None:
        """A sub-agent's own file, and its usage once more in the result that its parent reads."""
        dice, name = self._dice, f"a{self._dice.hexadecimal(16)}"
        sub = ClaudeSession(
            session.id, session.project, session.at, dice.choices(CLAUDE_LLMS, (30, 5, 65))[0], session.form,
            session.is_behind_gateway, session.cache, 8000, sub_agent=name,
        )  # fmt: skip
        self._requests(sub, dice.requests(2.2, 0.7, 60))
        folder = self._projects / f"-home-dev-{session.project}" / session.id / "subagents"
        self._truth.write(folder / f"agent-{name}.jsonl", sub.lines, "claude")
        said = [{"type": "text", "text": dice.text(2500)}]
        result = {"tool_use_id": f"toolu_01{dice.hexadecimal(22)}", "type": "tool_result", "content": said}
        used = {"input_tokens": 5, "cache_read_input_tokens": sub.context, "output_tokens": 700}
        told = {"status": "completed", "agentId": name, "content": said, "usage": used}
        session.chain(dice, type="user", message={"role": "user", "content": [result]}, toolUseResult=told)
        self._truth.traps["claude_sub_agents"] += 1


COUNTED = (
    "input_tokens", "cached_input_tokens", "cache_write_input_tokens", "output_tokens", "reasoning_output_tokens",
    "total_tokens",
)  # fmt: skip


@dataclass
class CodexThread:
    """What is the same in all lines of a thread, and where it has come to."""

    id: str
    at: datetime
    llm: str
    is_old: bool
    turn: str
    counter: Counter[str] = field(default_factory=Counter)
    context: int = 6000
    ordinal: int = 0
    lines: list[str] = field(default_factory=list)

    def put(self, kind: str, payload: Line) -> None:
        """One line."""
        ordinal = {} if self.is_old else {"ordinal": self.ordinal}
        self.lines.append(spelled({"timestamp": stamp(self.at), **ordinal, "type": kind, "payload": payload}))
        self.ordinal += 1

    def completed(self, item: Line) -> None:
        """What newer versions write beside each item: the same text once more."""
        if not self.is_old:
            told = {"type": "item_completed", "thread_id": self.id, "turn_id": self.turn, "item": item}
            self.put("event_msg", told)


class Codex:
    """Writes rollouts of Codex."""

    def __init__(self, home: Path, dice: Dice, truth: Truth) -> None:
        self._sessions, self._dice, self._truth = home / ".codex/sessions", dice, truth
        self._done: list[CodexThread] = []

    def session(self) -> None:
        """A new thread, or a fork of an earlier one."""
        dice, thread = self._dice, self._begun()
        requests, is_killed = dice.requests(), dice.is_one_in(25) and not thread.is_old
        for number in range(requests):
            is_last = number == requests - 1
            self._request(thread, tools=0 if is_last else dice.choices((1, 2, 3), (75, 18, 7))[0])
            if is_last and is_killed:
                self._truth.traps["codex_last_token_count_missing"] += 1
            else:
                self._count(thread)
        name = f"rollout-{thread.at:%Y-%m-%dT%H-%M-%S}-{thread.id}.jsonl"
        self._truth.write(self._sessions / f"{thread.at:%Y/%m/%d}" / name, thread.lines, "codex")
        self._truth.traps["codex_without_usage_records"] += thread.is_old
        if not thread.is_old and len(self._done) < FORKED_FROM_AT_MOST:
            self._done.append(thread)

    def _begun(self) -> CodexThread:
        dice = self._dice
        llm = dice.choices(CODEX_LLMS, (60, 25, 15))[0]
        thread = CodexThread(dice.uuid(), dice.day(), llm, dice.is_one_in(5), dice.uuid())
        meta = {
            "session_id": thread.id, "id": thread.id, "timestamp": stamp(thread.at), "cwd": "/home/someone/api",
            "cli_version": "0.63.0" if thread.is_old else "0.171.0", "source": "exec", "model_provider": "openai",
            "base_instructions": {"text": dice.text(9000)},
        }  # fmt: skip
        if self._done and not thread.is_old and dice.is_one_in(20):
            source = dice.choice(self._done)
            thread.llm, thread.counter, thread.ordinal = source.llm, Counter(source.counter), source.ordinal
            thread.at = source.at + timedelta(hours=1)
            meta["forked_from_id"] = source.id
            self._truth.traps["codex_forks"] += 1
        thread.put("session_meta", meta)
        thread.put("turn_context", {"turn_id": thread.turn, "cwd": "/home/someone/api", "model": thread.llm})
        asked = [{"type": "input_text", "text": dice.text(2000)}]
        thread.put("response_item", {"type": "message", "role": "user", "content": asked})
        return thread

    def _request(self, thread: CodexThread, tools: int) -> None:
        dice, response = self._dice, f"resp_{self._dice.hexadecimal(48)}"
        thread.at += timedelta(milliseconds=dice.randint(500, 9000))
        thought = {"summary": [], "encrypted_content": dice.hexadecimal(dice.randint(400, 2400))}
        thread.put("response_item", {"type": "reasoning", "id": f"rs_{response[5:]}", **thought})
        said = dice.text(dice.randint(40, 500))
        thread.completed({"type": "AgentMessage", "content": [{"type": "Text", "text": said}]})
        content = [{"type": "output_text", "text": said}]
        thread.put("response_item", {"type": "message", "role": "assistant", "content": content})
        calls = [f"call_{dice.hexadecimal(24)}" for _ in range(tools)]
        for call in calls:
            arguments = spelled({"cmd": dice.text(dice.randint(20, 400))})
            told = {"name": "exec_command", "call_id": call, "arguments": arguments}
            thread.put("response_item", {"type": "function_call", **told})
        self.usage = self._usage(thread)
        if not thread.is_old:
            ids = {"thread_id": thread.id, "turn_id": thread.turn, "response_id": response}
            thread.put("token_usage_record", {**ids, "usage": self.usage, "thread_token_usage": thread.counter})
        for call in calls:
            self._result(thread, call)

    def _usage(self, thread: CodexThread) -> Line:
        """What a request uses, into the counter and into the truth as well."""
        dice = self._dice
        new, output = dice.randint(300, 6000), dice.randint(40, 1800)
        written = dice.randint(0, new) if thread.llm == "gpt-5.2" and not thread.is_old else 0
        total, reasoning = thread.context + new, dice.randint(0, output // 2)
        counts = (total, thread.context, written, output, reasoning, total + output)
        usage: Line = dict(zip(COUNTED, counts, strict=True))
        if thread.is_old:
            del usage["cache_write_input_tokens"]
        self._truth.add(
            "codex", thread.llm, input=new - written, cache_read=thread.context, cache_write=written, output=output
        )
        thread.counter.update(usage)
        thread.context += new
        return usage

    def _result(self, thread: CodexThread, call: str) -> None:
        text = self._dice.tool_result()
        thread.at += timedelta(milliseconds=self._dice.randint(20, 4000))
        thread.completed({"type": "CommandExecution", "id": call, "aggregated_output": text, "exit_code": 0})
        thread.put("response_item", {"type": "function_call_output", "call_id": call, "output": f"Output:\n{text}"})

    def _count(self, thread: CodexThread) -> None:
        """The thread's counter, now and then twice."""
        info = {"total_token_usage": thread.counter, "last_token_usage": self.usage, "model_context_window": 258_400}
        is_twice = self._dice.is_one_in(33)
        for _ in range(1 + is_twice):
            thread.put("event_msg", {"type": "token_count", "info": info, "rate_limits": None})
        self._truth.traps["codex_token_count_twice"] += is_twice


def write_corpus(folder: Path, mb: int, seed: int = 1) -> None:
    """Logs of about `mb` megabytes into a folder that has none yet, and what they add up to."""
    dice, truth = Dice(seed), Truth()
    claude, codex = Claude(folder / "home", dice, truth), Codex(folder / "home", dice, truth)
    while (size := truth.bytes.total()) < mb * 1_000_000:
        (codex if truth.bytes["codex"] < CODEX_SHARE * size else claude).session()
    told = {name: getattr(truth, name) for name in ("totals", "traps", "files", "bytes")}
    (folder / "truth.json").write_text(json.dumps(told, indent=1, sort_keys=True) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mb", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.folder.exists():
        parser.error(f"{arguments.folder} is there already")
    write_corpus(arguments.folder, arguments.mb, arguments.seed)


if __name__ == "__main__":
    main()
