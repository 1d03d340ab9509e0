"""`meterhouse`: the commands, their exit codes, and one line for anything that goes wrong.

0 ok · 1 failed work · 2 usage · 130 Ctrl-C. A closed pipe ends a command without a word.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import Annotated, NoReturn

import typer

from app.commands import build, collect, demo, doctor, prune, serve, sql, verify
from app.commands.shared import complain

_RARE_GARBAGE_COLLECTION = (100_000, 50, 100)
"""A command keeps nearly all that it makes, and looking through it for garbage took a sixth of its time."""

cli = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)
cli.command()(demo.demo)
cli.command()(collect.collect)
cli.command()(build.build)
cli.command()(sql.sql)
cli.command()(verify.verify)
cli.command()(prune.prune)
cli.command("app")(serve.serve)
cli.command()(doctor.doctor)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import version

        print(f"meterhouse {version('meterhouse')}")
        raise typer.Exit


@cli.callback()
def options(
    is_debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    is_version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Which harness, model and serving path should do this work, at what quality, cost and latency?

    Events and marts live in the folder METERHOUSE_HOME, by default .meterhouse in the current folder.

    \b
    Exit codes: 0 ok, 1 failed work, 2 wrong usage, 130 Ctrl-C.

    \b
    Example:
      meterhouse demo
    """


def main() -> NoReturn:
    """The entry of the `meterhouse` command."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    code = run(sys.argv[1:])
    _end_output()
    gc.freeze()  # or Python looks through all of it once more before it ends
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command; its exit code. `--debug` may stand anywhere before a `--`."""
    gc.set_threshold(*_RARE_GARBAGE_COLLECTION)
    end = arguments.index("--") if "--" in arguments else len(arguments)
    is_debug = "--debug" in arguments[:end]
    try:
        given = [argument for argument in arguments[:end] if argument != "--debug"] + arguments[end:]
        code = cli(given, prog_name="meterhouse", standalone_mode=False) or 0
        sys.stdout.flush()
        return code
    except typer.TyperException as error:
        complain(f"{error.format_message().rstrip('.')}; see `{_command(error)} --help`")
        return error.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except Exception as error:
        if is_debug:
            raise
        return _explain(error)


def _end_output() -> None:
    """What did not get out by now was told of; Python would try again as it ends, and tell of it in its own way."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _explain(error: Exception) -> int:
    # Only here: it brings every event contract along, and help does without.
    from models.errors import BuildFailed, MeterhouseError

    if isinstance(error, MeterhouseError):
        # Several models of a build may fail, each with a line.
        for line in str(error).splitlines() if isinstance(error, BuildFailed) else [str(error)]:
            complain(line)
        return error.exit_code
    if isinstance(error, OSError) and error.strerror:
        complain(f"{error.filename or 'expected to write all of the output'}: {error.strerror}")
        return 1
    complain(f"unexpected {type(error).__name__}: {' '.join(str(error).split())}; run it with --debug and report this")
    return 1


def _command(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return context.command_path if context else "meterhouse"
