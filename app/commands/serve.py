"""`meterhouse app`: the pages, on a free port, until Ctrl-C."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collectors.home import Home

Port = Annotated[
    int | None,
    typer.Option(min=1, max=65535, help="The app's port; by default the first free one from 8501.", show_default=False),
]

_ADDRESS = "127.0.0.1"
_FIRST_PORT = 8501
_PORTS = 100
_STARTS_WITHIN_S = 60


def serve(port: Port = None) -> None:
    """Start the app and say where it is. Ctrl-C ends it.

    It listens on this machine only, sends no telemetry, and reads the marts that are published, also those that a later
    build publishes.

    \b
    Exits 0 when it was ended, 1 when it could not start.

    \b
    Example:
      meterhouse app --port 8600
    """
    from collectors.home import find_home

    raise typer.Exit(run_app(find_home(), port))


def run_app(home: Home, port: int | None) -> int:
    """Serve the pages until somebody ends them; the exit code. Raises UsageError, MeterhouseError."""
    from models.errors import MeterhouseError

    for candidate in _candidates(port):
        with _started(home, candidate) as server:
            if _answers(server, candidate):
                print(f"the app is at http://{_ADDRESS}:{candidate} (Ctrl-C ends it)", flush=True)
                return _wait(server)
        if _is_free(candidate):
            raise MeterhouseError(
                f"expected the app to start, it ended with code {server.returncode}; its reason is above"
            )
    raise MeterhouseError(f"expected a free port from {_FIRST_PORT} on, found none; choose one with --port")


def _candidates(port: int | None) -> Iterator[int]:
    """Free ports. One that is taken between this look and the start is passed over as well."""
    from models.errors import MeterhouseError

    if port is not None and not _is_free(port):
        raise MeterhouseError(f"expected port {port} to be free, it is in use; choose another, or leave out --port")
    ports = range(_FIRST_PORT, _FIRST_PORT + _PORTS) if port is None else [port]
    return (candidate for candidate in ports if _is_free(candidate))


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_ADDRESS, port))
        except OSError:
            return False
    return True


@contextmanager
def _started(home: Home, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Streamlit in a process of its own, which ends with this one."""
    page = Path(__file__).resolve().parent.parent / "main.py"
    options = {
        "server.port": port,
        "server.address": _ADDRESS,
        "server.headless": "true",
        "browser.gatherUsageStats": "false",
        "logger.level": "warning",
    }
    # -P: the folder that somebody stands in may have an `app` or `models` of its own.
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(page)]
    command += [f"--{name}={value}" for name, value in options.items()]
    environment = {**os.environ, "METERHOUSE_HOME": str(home.path)}
    # In a session of its own, so that Ctrl-C reaches it once, from here.
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield server
    finally:
        signal.signal(signal.SIGTERM, before)
        _end(server)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _end(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(timeout=10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _answers(server: subprocess.Popen[bytes], port: int) -> bool:
    """Whether the server takes connections, before it ends or time is up."""
    until = time.monotonic() + _STARTS_WITHIN_S
    while server.poll() is None and time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex((_ADDRESS, port)) == 0:
                return server.poll() is None
        time.sleep(0.1)
    return False


def _wait(server: subprocess.Popen[bytes]) -> int:
    try:
        return server.wait()
    except KeyboardInterrupt:
        return 0
