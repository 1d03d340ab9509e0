"""How quick the logs of agents are read, beside ccusage and tokscale: `python benchmarks/bench_agents.py --mb 1000`.

First what each tool counts, against what the logs add up to; then rounds in which the tools take turns, so that each
ratio is of two runs of the same minute; then what a collect with nothing new takes, beside `meterhouse --version`; then
the memory of the largest process. The corpus is made once, in a cache folder. Figures, not tests: another machine, and
another load, has others. What costs processor time but no waiting shows in the second figure, user + system.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
from agent_corpus import write_corpus

METERHOUSE = Path(sys.executable).parent / "meterhouse"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "meterhouse-bench"
SETTLES_AFTER_S = 2.5
"""A log that has just changed is looked at again, and then something is new."""
INSTALL = {
    "ccusage": ("@ccusage/ccusage-linux-x64", "bin/ccusage"),
    "tokscale": ("@tokscale/cli-linux-x64-gnu", "bin/tokscale"),
}
"""Tool -> the npm package of its native binary, and where in it that is."""
KINDS = ("input", "cache_read", "cache_write", "output")
OURS = """
    with usages as (
        select
            any_value(split_part(producer, '/', 1)) as agent,
            max(raw_counts['input_tokens']) as input,
            max(coalesce(raw_counts['cache_read_input_tokens'], raw_counts['cached_input_tokens'], 0)) as cache_read,
            max(coalesce(
                raw_counts['cache_creation_input_tokens'], raw_counts['cache_write_input_tokens'], 0
            )) as cache_write,
            max(raw_counts['output_tokens']) as output
        from read_parquet('{events}/tokens_reported/month=2*/*.parquet')
        group by subject_id
    )

    select
        if(agent = 'codex', 'codex', 'claude') as agent,
        sum(if(agent = 'codex', input - cache_read - cache_write, input)) as input,
        sum(cache_read) as cache_read,
        sum(cache_write) as cache_write,
        sum(output) as output
    from usages
    group by 1
"""

Totals = dict[str, Counter[str]]
"""Agent -> kind -> tokens."""


@dataclass(frozen=True)
class Run:
    """What one run of a command took."""

    wall_s: float
    cpu_s: float
    peak_mb: float
    """Of its largest process."""
    said: str


@dataclass
class Tool:
    """A command that adds up logs."""

    name: str
    command: list[str]
    totals: Callable[[str], Totals]
    """What it counted, from what it said."""
    scratch: Path
    """Emptied before each run: nothing is known from the run before."""
    variables: dict[str, str] = field(default_factory=dict)

    def run(self, logs: Path) -> Run:
        shutil.rmtree(self.scratch, ignore_errors=True)
        return run(self.command, logs, self.variables)


MEASURED = """
import json, os, sys, time
start = time.perf_counter()
process = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ, file_actions=[
    (os.POSIX_SPAWN_OPEN, 1, sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
])
_, status, used = os.wait4(process, 0)
wall_s = time.perf_counter() - start
print(json.dumps([os.waitstatus_to_exitcode(status), wall_s, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""
"""Runs a command from a small process: a child's peak memory is never told as less than its parent's was."""


def run(command: Sequence[str], logs: Path, variables: dict[str, str]) -> Run:
    """One run, as a user whose home folder has the logs."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(logs), "TZ": "UTC", **variables}
    with tempfile.NamedTemporaryFile() as said:
        measured = [sys.executable, "-I", "-S", "-c", MEASURED, said.name, *command]
        told = subprocess.run(measured, stdout=subprocess.PIPE, check=True, env=environment).stdout
        code, wall_s, cpu_s, peak_mb = json.loads(told)
        if code:
            raise SystemExit(f"{' '.join(command)} exited with {code}")
        return Run(wall_s, cpu_s, peak_mb, Path(said.name).read_text())


def meterhouse(scratch: Path) -> Tool:
    """`meterhouse collect agents` into a fresh home."""
    home = scratch / "warehouse"
    command = [str(METERHOUSE), "collect", "agents"]
    return Tool("meterhouse", command, lambda _: _ours(home), home, {"METERHOUSE_HOME": str(home)})


def _ours(home: Path) -> Totals:
    rows = duckdb.sql(OURS.format(events=home / "events")).fetchall()
    return {agent: Counter(dict(zip(KINDS, map(int, counts), strict=True))) for agent, *counts in rows}


def others(paths: dict[str, str | None], scratch: Path) -> list[Tool]:
    """The other tools that are there; for each that is not, how to get it."""
    made = {"ccusage": _ccusage, "tokscale": _tokscale}
    found = []
    for name, make in made.items():
        path = paths[name] or os.environ.get(name.upper()) or shutil.which(name)
        if path:
            found.append(make(path, scratch / name))
        else:
            package, binary = INSTALL[name]
            print(f"no {name}: npm install {package}, then --{name} node_modules/{package}/{binary}")
    return found


def _ccusage(path: str, scratch: Path) -> Tool:
    return Tool("ccusage", [path, "daily", "--json", "--offline", "--by-agent"], _ccusage_totals, scratch)


def _ccusage_totals(said: str) -> Totals:
    found: Totals = defaultdict(Counter)
    for day in json.loads(said)["daily"]:
        for each in day["agents"]:
            names = ("inputTokens", "cacheReadTokens", "cacheCreationTokens", "outputTokens")
            found[each["agent"]].update({kind: each[name] for kind, name in zip(KINDS, names, strict=True)})
    return found


def _tokscale(path: str, scratch: Path) -> Tool:
    variables = {"TOKSCALE_CONFIG_DIR": str(scratch), "TOKSCALE_PRICING_CACHE_ONLY": "1"}
    return Tool("tokscale", [path, "models", "--json", "--no-spinner"], _tokscale_totals, scratch, variables)


def _tokscale_totals(said: str) -> Totals:
    found: Totals = defaultdict(Counter)
    for each in json.loads(said)["entries"]:
        counts = (each["input"], each["cacheRead"], each["cacheWrite"], each["output"] + each.get("reasoning", 0))
        found[each["client"]].update(dict(zip(KINDS, counts, strict=True)))
    return found


def corpus(mb: int, cache: Path) -> Path:
    """The corpus of a size, from the cache or made anew."""
    folder = cache / f"agents-{mb}mb"
    if not (folder / "truth.json").exists():
        print(f"making {mb} MB of logs in {folder}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        write_corpus(folder, mb)
    return folder


def padded(source: Path) -> Path:
    """The logs of a corpus, each with three times its bytes of lines that say nothing behind it."""
    folder = source.with_name(f"{source.name}-x4")
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(source / "home", folder / "home")
        for path in (folder / "home").rglob("*.jsonl"):
            _pad(path)
        (folder / "done").touch()
        time.sleep(SETTLES_AFTER_S)
    return folder


def _pad(path: Path) -> None:
    line: dict[str, Any] = {"timestamp": "2026-12-01T00:00:00.000Z", "type": "event_msg"}
    line["payload"] = {"type": "agent_message", "message": "x" * 10_000}
    text = json.dumps(line, separators=(",", ":")).encode() + b"\n"
    with path.open("ab") as file:
        file.write(text * max(1, 3 * path.stat().st_size // len(text)))


def check(tools: Sequence[Tool], folder: Path) -> None:
    """By how much each tool is off, of each agent's tokens of each kind."""
    truth = {
        agent: sum(map(Counter, llms.values()), Counter())
        for agent, llms in json.loads((folder / "truth.json").read_text())["totals"].items()
    }
    print(f"\n{'off by':<12}{'agent':<8}" + "".join(f"{kind:>14}" for kind in KINDS))
    for tool in tools:
        found = tool.totals(tool.run(folder / "home").said)
        for agent, counts in truth.items():
            print(f"{tool.name:<12}{agent:<8}" + "".join(f"{_off(found, agent, kind, counts):>14}" for kind in KINDS))


def _off(found: Totals, agent: str, kind: str, truth: Counter[str]) -> str:
    off = found.get(agent, Counter())[kind] - truth[kind]
    return f"{off / truth[kind]:+.3%}" if off and truth[kind] else f"{off:+}" if off else "exact"


def compare(tools: Sequence[Tool], folder: Path, rounds: int) -> None:
    """The tools by turns; ratios within a round are of their time to that of the first one."""
    runs: list[list[Run]] = [[tool.run(folder / "home") for tool in tools] for _ in range(rounds)]
    print(f"\n{f'{rounds} rounds':<12}{'wall s':>8}{'cpu s':>8}{'peak MB':>9}   {'wall, x ours':<19}cpu, x ours")
    for at, tool in enumerate(tools):
        own = [each[at] for each in runs]
        walls = [each[at].wall_s / each[0].wall_s for each in runs]
        cpus = [each[at].cpu_s / each[0].cpu_s for each in runs]
        print(
            f"{tool.name:<12}{statistics.median(run.wall_s for run in own):>8.2f}"
            f"{statistics.median(run.cpu_s for run in own):>8.2f}{max(run.peak_mb for run in own):>9.0f}"
            f"   {_spread(walls):<19}{_spread(cpus)}"
        )


def _spread(ratios: Sequence[float]) -> str:
    return f"{statistics.median(ratios):.2f} [{min(ratios):.2f}-{max(ratios):.2f}]"


def nothing_new(folders: dict[str, Path], scratch: Path, rounds: int) -> None:
    """A collect with nothing new, beside the version, by turns."""
    tool, variables = meterhouse(scratch), {}
    commands = {"--version": ([str(METERHOUSE), "--version"], next(iter(folders.values())))}
    for name, folder in folders.items():
        home = scratch / f"known-{folder.name}"
        shutil.rmtree(home, ignore_errors=True)
        variables[name] = {"METERHOUSE_HOME": str(home)}
        run(tool.command, folder / "home", variables[name])
        commands[name] = (tool.command, folder)
    print(f"\n{'nothing new':<24}{'wall s':>8}{'cpu s':>8}")
    taken: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, (command, folder) in commands.items():
            taken[name].append(run(command, folder / "home", variables.get(name, {})))
    for name, runs in taken.items():
        wall, cpu = (statistics.median(getattr(each, what) for each in runs) for what in ("wall_s", "cpu_s"))
        print(f"{name:<24}{wall:>8.2f}{cpu:>8.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--mb", type=int, default=1000, help="of logs; a fifth of it for the smaller corpus")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cache", type=Path, default=CACHE, help="where the corpora are kept")
    parser.add_argument("--ccusage", help="its native binary; else $CCUSAGE, else on the PATH")
    parser.add_argument("--tokscale", help="its native binary; else $TOKSCALE, else on the PATH")
    arguments = parser.parse_args()
    scratch = arguments.cache / "scratch"
    large, small = corpus(arguments.mb, arguments.cache), corpus(max(1, arguments.mb // 5), arguments.cache)
    paths = {"ccusage": arguments.ccusage, "tokscale": arguments.tokscale}
    tools = [meterhouse(scratch), *others(paths, scratch)]
    check(tools, large)
    compare(tools, large, arguments.rounds)
    nothing_new({small.name: small, f"{small.name}, 4x the bytes": padded(small)}, scratch, arguments.rounds)
    print("\npeak MB of the largest process")
    for folder in (small, large):
        print(f"{folder.name:<24}{tools[0].run(folder / 'home').peak_mb:>8.0f}")


if __name__ == "__main__":
    main()
