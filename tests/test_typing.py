"""mypy --strict over the packages as they are shipped, joined under one name."""

import shutil
import subprocess
import sys

from house import FOLDERS, ROOT


def test_the_joined_packages_are_typed_strictly(tmp_path):
    for name, folder in FOLDERS.items():
        shutil.copytree(ROOT / folder, tmp_path.joinpath(*name.split(".")), dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("__pycache__", "*.gz"))
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "-p", "graphanon"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
