"""Every example in a docstring runs and prints what it says."""

import doctest
import importlib
import pkgutil

import pytest
from house import FOLDERS, modules


def walked() -> list[str]:
    """Return every module, found by walking each package's own path."""
    names = []
    for package in FOLDERS:
        path = importlib.import_module(package).__path__
        names += [package, *(info.name for info in pkgutil.walk_packages(path, package + "."))]
    return sorted(name for name in set(names) if not name.endswith("__main__"))


@pytest.mark.parametrize("name", walked())
def test_examples_run(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS, report=True)
    assert result.failed == 0


def test_the_walk_finds_every_module():
    assert set(walked()) == {name for name in modules() if not name.endswith("__main__")}
