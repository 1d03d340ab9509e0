"""The app as its user starts it, in headless Chromium."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from collectors.home import Home

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 60_000

Visit = Callable[..., Page]


Serve = Callable[[Home], AbstractContextManager[str]]


@pytest.fixture(scope="session")
def serve() -> Serve:
    """`with serve(home) as url`: the app over another home than the shipped data's."""
    return _served


@pytest.fixture(scope="session")
def app_url(demo_home: Home) -> Iterator[str]:
    """The app over the shipped data."""
    with _served(demo_home) as url:
        yield url


@contextmanager
def _served(home: Home) -> Iterator[str]:
    """`meterhouse app` on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(Path(sys.executable).with_name("meterhouse")), "app", "--port", str(port)]
    environment = {**os.environ, "METERHOUSE_HOME": str(home.path)}
    with _ended(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)) as server:
        assert server.stdout
        assert server.stdout.readline().startswith(f"the app is at http://127.0.0.1:{port} ")
        yield f"http://127.0.0.1:{port}"


@contextmanager
def _ended(server: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    with server:
        yield server
        server.terminate()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        chromium = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield chromium
        chromium.close()


@pytest.fixture
def visit(app_url: str, browser: Browser) -> Iterator[Visit]:
    """`visit("/?…", theme="dark", width=420)`: a page when all of it is there.

    At the end of the test the consoles must have been silent, and no request may have been for another machine.
    """
    errors: list[str] = []
    hosts: set[str | None] = set()
    contexts = []

    def open_one(path: str = "/", theme: str = "light", width: int = 1280, height: int = 2000) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)  # pyright: ignore[reportArgumentType]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: hosts.add(urlsplit(request.url).hostname))
        page.goto(app_url + path)
        wait_for_all(page)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert errors == []
    assert hosts <= {"127.0.0.1", None}


def wait_for_all(page: Page) -> None:
    """The last line of the page is there, and nothing is still a placeholder."""
    page.get_by_text(re.compile("^Build .+, made ")).wait_for()
    page.wait_for_function("document.querySelectorAll('[data-testid=stSkeleton]').length === 0")
    page.wait_for_load_state("networkidle")
