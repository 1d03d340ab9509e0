"""The wheel is whole: it runs without the checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
RUN = """
import sys
from app.cli import main
from collectors.home import resources
print(resources("dbt_project"), resources("datasets"), sep="\\n", flush=True)
sys.argv = ["meterhouse", "--version"]
main()
"""


def test_the_wheel_carries_the_dbt_project_and_the_data_and_runs_anywhere(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = tmp_path.glob("meterhouse-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")

    (tmp_path / "elsewhere").mkdir()
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    done = subprocess.run(
        [sys.executable, "-c", RUN], cwd=tmp_path / "elsewhere", env=environment, capture_output=True, text=True
    )
    data = tmp_path / "site" / "meterhouse_data"
    version = wheel.name.split("-")[1]
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (
        0,
        [str(data / "dbt_project"), str(data / "datasets"), f"meterhouse {version}"],
        "",
    )
    assert (data / "dbt_project" / "dbt_project.yml").is_file()
    assert (data / "datasets" / "published" / "reference-benchmark" / "attempts.csv").is_file()
