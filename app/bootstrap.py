"""Make `.venv` from a locked list of wheels: `python3 -I app/bootstrap.py [--dev]`.

Standard library only, and every Python from 3.6 on can run it, so that a machine that cannot run Meterhouse is told why
in one line. pip is the machine's own pip with the machine's own settings. Safe to run twice at once and after a kill.
"""

import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

ROOT = Path(__file__).resolve().parent.parent
OLDEST, NEWEST = (3, 11), (3, 14)  # the locks have wheels for these

PROBE = """
import importlib.util, json, platform, sys, sysconfig
print(json.dumps({
    "path": getattr(sys, "_base_executable", None) or sys.executable,
    "version": platform.python_version(),
    "minor": list(sys.version_info[:2]),
    "standard": platform.python_implementation() == "CPython" and not sysconfig.get_config_var("Py_GIL_DISABLED"),
    "modules": [name for name in ("venv", "ensurepip", "pip") if importlib.util.find_spec(name)],
}))
"""

Python = Dict[str, Any]


class Unusable(Exception):
    """The environment cannot be made; the text is one line that names the remedy."""


def main(arguments: List[str]) -> int:
    try:
        ensure_environment(ROOT, dev="--dev" in arguments)
    except Unusable as problem:
        print("meterhouse: {}".format(problem), file=sys.stderr)
        return 1
    except OSError as problem:
        print("meterhouse: .venv could not be made: {}".format(problem), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def ensure_environment(root: Path, dev: bool) -> None:
    """Return at once when the stamp fits. Children hold the folder's lock too, so it lasts as long as a stray one."""
    folder = os.open(str(root), os.O_RDONLY)
    try:
        take_turn(folder)
        if not is_current(root, dev):
            install(root, dev, folder)
    finally:
        os.close(folder)


def take_turn(folder: int) -> None:
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("waiting for another make that is at work on .venv")
        fcntl.flock(folder, fcntl.LOCK_EX)


def install(root: Path, dev: bool, folder: int) -> None:
    """`installing` lies in `.venv` from the first step to the last, so a half-made one is known and made anew."""
    lock = lock_file(root, dev)
    environment = root / ".venv"
    installing = environment / ".installing"
    if not is_sound(root):
        python = usable_python()
        say("making .venv with Python {}".format(python["version"]))
        environment.mkdir(exist_ok=True)
        installing.touch()
        empty(environment, keep=installing)
        run([python["path"], "-I", "-m", "venv", str(environment)], root, folder)
    installing.touch()
    say("installing {} into .venv; this takes a minute or two".format(lock.name))
    pip = [str(environment / "bin" / "python"), "-I", "-m", "pip", "install", "--quiet", "--no-input", "--no-user"]
    pip.append("--disable-pip-version-check")
    run([*pip, "--only-binary", ":all:", "--require-hashes", "--requirement", str(lock)], root, folder)
    run([*pip, "--no-index", "--no-deps", "--no-build-isolation", "--editable", str(root)], root, folder)
    stamp_file(root).write_text(json.dumps({"root": str(root), "key": key(root, dev)}))
    installing.unlink()


def empty(folder: Path, keep: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(str(path))
        elif path != keep:
            path.unlink()


def is_current(root: Path, dev: bool) -> bool:
    """The tools' environment serves the commands as well, not the other way round."""
    wanted = [key(root, True)] if dev else [key(root, True), key(root, False)]
    return read_stamp(root).get("key") in wanted and is_sound(root)


def is_sound(root: Path) -> bool:
    """Made to the end, for this folder (scripts hold absolute paths), and its Python still runs."""
    environment = root / ".venv"
    python = probe(str(environment / "bin" / "python"))
    if python is None or (environment / ".installing").exists():
        return False
    return read_stamp(root).get("root", str(root)) == str(root) and is_supported(python) and "pip" in python["modules"]


def read_stamp(root: Path) -> Dict[str, str]:
    try:
        return json.loads(stamp_file(root).read_text())
    except (OSError, ValueError):
        return {}


def stamp_file(root: Path) -> Path:
    return root / ".venv" / ".installed.json"


def lock_file(root: Path, dev: bool) -> Path:
    return root / ("requirements-dev.lock" if dev else "requirements.lock")


def key(root: Path, dev: bool) -> str:
    digest = hashlib.sha256()
    for path in (lock_file(root, dev), root / "pyproject.toml"):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def usable_python() -> Python:
    """This Python if it will do, else the first of python3.11, python3.12 … on the PATH that does."""
    names = [sys.executable] + ["python3.{}".format(minor) for minor in range(OLDEST[1], NEWEST[1] + 1)]
    found = [python for python in map(probe, names) if python is not None]
    for python in found:
        if objection(python) is None:
            return python
    nearest = next(iter(filter(is_supported, found)), found[0] if found else None)
    raise Unusable(objection(nearest) if nearest else "{} does not run".format(sys.executable))


def probe(name: str) -> Optional[Python]:
    """What that interpreter says of itself; None if there is none or it does not run."""
    path = shutil.which(name)
    if path is None:
        return None
    try:
        return json.loads(subprocess.check_output([path, "-I", "-c", PROBE], stderr=subprocess.DEVNULL).decode())
    except (OSError, ValueError, subprocess.CalledProcessError):
        return None


def objection(python: Python) -> Optional[str]:
    name = "Python {} at {}".format(python["version"], python["path"])
    if not is_supported(python):
        return (
            "{} will not do: the locked wheels are for CPython {}.{} to {}.{}. Install one of these "
            "(`apt install python3.13-venv` or `brew install python@3.13`), then `make demo PYTHON=python3.13`"
        ).format(name, *OLDEST + NEWEST)
    if not {"venv", "ensurepip"} <= set(python["modules"]):
        package = "python{}.{}-venv".format(*python["minor"])
        return "{} lacks its venv module: `apt install {}`, then the same command again".format(name, package)
    return None


def is_supported(python: Python) -> bool:
    return python["standard"] and OLDEST <= tuple(python["minor"]) <= NEWEST


def run(command: List[str], root: Path, folder: int) -> None:
    """Output goes to `.venv/install.log`; a failure is told by its last `ERROR` line."""
    log = root / ".venv" / "install.log"
    with log.open("ab") as output:
        start = output.tell()
        done = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, cwd=str(root), pass_fds=(folder,))
    if done.returncode == 0:
        return
    lines = [line for line in log.read_bytes()[start:].decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")] or lines or ["no reason given"]
    machine = "{} {}".format(platform.system(), platform.machine())
    problem = "`{}` failed on {}: {}".format(" ".join(command[3:5]), machine, errors[-1])
    raise Unusable(problem + ". Is the package index reachable, is there room on the disk? See .venv/install.log")


def say(text: str) -> None:
    print("meterhouse: {}".format(text), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
