"""`meterhouse demo` over the shipped data, the second time: nothing to do but to show the frontier."""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal

from commands import in_terminal, meterhouse

from collectors.home import Home, resources

FRONTIER = """
Four of 43 arms are on the cost frontier over 500 tasks of SWE-bench Verified

arm                          solved   95% interval    per task
───────────────────────────  ───────  ──────────────  ────────
openhands · DeepSeek-V4-Pro  366/500  69.2% to 76.9%  $0.0395
openhands · MiniMax-M3       382/500  72.5% to 79.9%  $0.1535
openhands · claude-opus-4-8  419/500  80.3% to 86.8%  $0.7418
openhands · claude-fable-5   479/500  93.7% to 97.2%  $1.4319

Cost is what each harness computed itself (client estimate), not an invoice;
failed attempts are in it.
Known in full for 28 arms; 24 of them are beaten: an arm above solves as many
for less.
A lower bound for 13 arms: 13 beaten even at that.
Unknown for two arms, neither on the frontier nor beaten: codex · GPT-5.5
(390/500) and codex · GPT-5.4 (369/500).

"""


def test_a_second_demo_builds_nothing_and_prints_the_frontier(demo_home: Home) -> None:
    run = meterhouse(demo_home, "demo", "--no-app")
    published = resources("datasets") / "published"
    assert run.stdout == (
        f"openhands-index: nothing new in {published / 'openhands-index'} (44 unchanged)\n"
        f"reference-benchmark: nothing new in {published / 'reference-benchmark'} (5 unchanged)\n"
        f"build {demo_home.current_build()} is already current: no event and no dbt file has changed\n{FRONTIER}"
    )
    assert (run.returncode, run.stderr) == (0, "")


def test_the_finding_is_bold_at_a_terminal_unless_somebody_wants_no_colour(demo_home: Home) -> None:
    finding = FRONTIER.splitlines()[1]
    assert f"\x1b[1m{finding}\x1b[0m" in in_terminal(demo_home, "demo", "--no-app")
    assert "\x1b[1m" not in in_terminal(demo_home, "demo", "--no-app", NO_COLOR="1")


def test_the_frontier_fits_80_columns() -> None:
    assert max(map(len, FRONTIER.splitlines())) <= 80


def test_json_has_every_arm_and_its_place(demo_home: Home) -> None:
    rows = json.loads(meterhouse(demo_home, "demo", "--json").stdout, parse_float=Decimal)
    assert Counter((row["status"], row["cost_status"]) for row in rows) == {
        ("on_frontier", "known"): 4,
        ("dominated", "known"): 24,
        ("dominated", "lower_bound"): 13,
        ("not_comparable", "unknown"): 2,
    }
    [opus] = [row for row in rows if row["arm_label"] == "openhands · claude-opus-4-8"]
    assert (opus["solved"], opus["attempts"], round(opus["cost_per_task_usd"], 4)) == (419, 500, Decimal("0.7418"))
