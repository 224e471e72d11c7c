"""Pages to look at, drawn once, and a browser to look with."""

import shutil

import pytest
import releases
from reported import crowd, evil_town, paired, reported

NO_BROWSER = "no Chromium on this machine: install the package 'chromium' to run the browser tests"


@pytest.fixture(scope="session")
def evil(tmp_path_factory):
    folder = tmp_path_factory.mktemp("evil") / "run"
    return reported(folder, releases.written(folder, paired(evil_town(), 5)))


@pytest.fixture(scope="session")
def town(tmp_path_factory):
    folder = tmp_path_factory.mktemp("town") / "run"
    return reported(folder, releases.written(folder, releases.grouping(releases.town(), withheld=3)))


@pytest.fixture(scope="session")
def table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("table") / "run"
    return reported(folder, releases.written(folder, releases.grouping(releases.town(has_ties=False))))


@pytest.fixture(scope="session")
def many(tmp_path_factory):
    folder = tmp_path_factory.mktemp("many") / "run"
    return reported(folder, releases.written(folder, paired(crowd(), 2)))


@pytest.fixture(scope="session")
def directed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("directed") / "run"
    graph = releases.town(directed=True, weight="sum")
    return reported(folder, releases.written(folder, releases.grouping(graph)))


@pytest.fixture(scope="session")
def browser():
    """Chromium without a head; the tests that need it are skipped, with a word, where there is none."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip(NO_BROWSER)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        # a sandbox needs more rights than a container gives; the pages are our own
        running = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield running
        running.close()
