"""How soon the app's first page is there: `METERHOUSE_HOME=… python benchmarks/bench_app.py [RUNS]`.

Wall seconds, the median of several visits (10 unless told) to one server over published marts, each by a new session.
`sent` is the server's part, from connecting to the last byte of the page. `title` and `chart` are what Chromium shows,
with Streamlit's own files in its cache; a Streamlit page that holds a title and a chart of two points stands beside
them, as the part that is not ours. Figures, not tests: another machine, and another load, has others.
"""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, sync_playwright
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

METERHOUSE = Path(sys.executable).parent / "meterhouse"
MAY_TAKE_S = 1
SEEN = {"title": "h1", "chart": "svg.marks"}
STARTS_WITHIN_S = 60
BARE_PAGE = """
import streamlit as st
st.title("Bare")
x, y = ({"field": name, "type": "quantitative"} for name in "xy")
st.vega_lite_chart([{"x": 1, "y": 1}, {"x": 2, "y": 2}], {"mark": "point", "encoding": {"x": x, "y": y}})
"""


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    print(f"{'what':<42}{'median s':>9}{'least s':>9}{'may take s':>12}   ({runs} visits, {os.cpu_count()} cores)")
    with served([str(METERHOUSE), "app", "--port={port}"]) as address:
        print(line("first page, first visit: sent", [sent_s(address)]))
        print(line("first page, warm: sent", [sent_s(address) for _ in range(runs)], MAY_TAKE_S))
        print_seen("first page, warm", address, runs)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "bare.py"
        page.write_text(BARE_PAGE)
        options = ["--server.headless=true", "--browser.gatherUsageStats=false", "--server.address=127.0.0.1"]
        with served([sys.executable, "-m", "streamlit", "run", str(page), "--server.port={port}", *options]) as address:
            print_seen("bare Streamlit page", address, runs)


def print_seen(what: str, address: str, runs: int) -> None:
    for part, seconds in seen_s(address, runs).items():
        print(line(f"{what}: {part} in Chromium", seconds))


@contextmanager
def served(command: list[str]) -> Iterator[str]:
    """A server on a free port, which the command names as `{port}`; its host and port, once it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    ours = [part.format(port=port) for part in command]
    with subprocess.Popen(ours, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        wait_for(port)
        yield f"127.0.0.1:{port}"
        server.terminate()


def wait_for(port: int) -> None:
    until = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit(f"expected a server on port {port} within {STARTS_WITHIN_S} s, found none")


def sent_s(address: str) -> float:
    """From connecting to the end of the page's script, as a browser would ask for it."""
    start = time.perf_counter()
    url = f"ws://{address}/_stcore/stream"
    with connect(
        url, origin=Origin(f"http://{address}"), subprotocols=[Subprotocol("streamlit")], max_size=None
    ) as server:
        ask = BackMsg()
        ask.rerun_script.query_string = ""
        server.send(ask.SerializeToString())
        while ForwardMsg.FromString(server.recv(decode=False)).WhichOneof("type") != "script_finished":
            pass
    return time.perf_counter() - start


def seen_s(address: str, runs: int) -> dict[str, list[float]]:
    """Part -> seconds until Chromium shows it. The first visit fills its cache and does not count."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        context = chromium.new_context()
        visits = [visit(context, address) for _ in range(runs + 1)][1:]
        chromium.close()
    return {part: [seconds[part] for seconds in visits] for part in SEEN}


def visit(context: BrowserContext, address: str) -> dict[str, float]:
    page = context.new_page()
    start = time.perf_counter()
    page.goto(f"http://{address}/", wait_until="commit")
    seconds = {}
    for part, selector in SEEN.items():
        page.wait_for_selector(selector)
        seconds[part] = time.perf_counter() - start
    page.close()
    return seconds


def line(name: str, seconds: list[float], may_take_s: float | None = None) -> str:
    limit = "" if may_take_s is None else f"{may_take_s:g}"
    return f"{name:<42}{statistics.median(seconds):>9.2f}{min(seconds):>9.2f}{limit:>12}"


if __name__ == "__main__":
    main()
