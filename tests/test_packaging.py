"""What is installed: every package, every data file, and nothing that could clash with another project."""

import importlib
import shutil
import subprocess
import sys
import zipfile

import pytest
from house import FOLDERS, PROJECT, ROOT, TOOL, modules


def test_every_package_on_disk_is_listed():
    on_disk = set()
    for name, folder in FOLDERS.items():
        for init in (ROOT / folder).rglob("__init__.py"):
            on_disk.add(".".join((name, *init.parent.relative_to(ROOT / folder).parts)))
    assert on_disk == set(TOOL["packages"])


def test_every_folder_with_modules_is_a_package():
    bare = {path.parent for path in modules().values() if not (path.parent / "__init__.py").exists()}
    assert not bare


def test_no_package_offers_a_name_that_one_of_its_modules_has():
    # whichever is imported last would hide the other
    inside = {name.rpartition(".")[::2] for name in modules()}
    clashes = [f"{package}.{name}" for package in TOOL["packages"]
               for name in getattr(importlib.import_module(package), "__all__", ()) if (package, name) in inside]
    assert not clashes


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> list[str]:
    """Build the wheel from a copy of the sources, without a network, and return the names inside."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for folder in FOLDERS.values():
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    build = f"from setuptools import build_meta; build_meta.build_wheel({str(out)!r})"
    run = subprocess.run([sys.executable, "-c", build], cwd=source, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return zipfile.ZipFile(next(out.glob("*.whl"))).namelist()


def test_the_wheel_installs_one_top_level_name(wheel):
    tops = {name.partition("/")[0] for name in wheel}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"graphanon"}


def test_the_wheel_holds_every_module(wheel):
    wanted = {f"{folder(name, path)}.py" for name, path in modules().items()}
    assert wanted == {name for name in wheel if name.endswith(".py")}


def folder(name: str, path) -> str:
    """Return where a module lies inside the wheel, without its ending."""
    return name.replace(".", "/") + ("/__init__" if path.name == "__init__.py" else "")


def test_the_wheel_holds_every_data_file_and_the_mark_of_types(wheel):
    data = ROOT / FOLDERS["graphanon.datasets"] / "data"
    files = {f"graphanon/datasets/data/{path.name}" for path in data.iterdir()
             if path.is_file() and path.suffix != ".py"}
    templates = ROOT / FOLDERS["graphanon"] / "report" / "templates"
    files |= {f"graphanon/report/templates/{path.name}" for path in templates.iterdir()}
    assert files | {"graphanon/py.typed"} <= set(wheel)


def test_the_licence_goes_along(wheel):
    assert any(name.endswith("LICENSE") for name in wheel)


def test_the_command_is_installed_under_the_name_of_the_project():
    assert PROJECT["project"]["scripts"] == {"graphanon": "graphanon.__main__:main"}
