"""What README shows is what happens: its commands and snippets are run, and what they say is compared."""

import re
import shlex
import subprocess
import sys
import tomllib

import pytest
from desk import Desk
from house import ROOT

from graphanon.io.schema_file import read_schema

README = (ROOT / "README.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
PART = re.compile(rf"(?P<number>{NUMBER.pattern})|.")
SECONDS = re.compile(r"\d+\.\d s\)")
NEAR = 0.1  # by which share a number may differ, since searches may end elsewhere on another processor


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def commands():
    """Return each command of the console blocks with the lines that are shown under it."""
    found = []
    for line in "".join(blocks("console")).splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def number(text):
    return float(text.replace(",", ""))


def alike(shown, said):
    """Return whether a line says what is shown of it, where an ellipsis stands for anything."""
    shown, said = (" ".join(SECONDS.sub("s)", line).split()) for line in (shown, said))
    pattern = "".join(
        ".*" if part[0] == "…" else NUMBER.pattern if part["number"] else re.escape(part[0])
        for part in PART.finditer(shown)
    )
    if not re.fullmatch(pattern, said):
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(said), strict=False)
    return all(abs(number(a) - number(b)) <= NEAR * max(number(a), number(b)) for a, b in pairs)


def unlike(shown, said):
    """Return the first shown line that does not follow, None if all do; a line of an ellipsis passes over lines."""
    place, anywhere = 0, False
    for line in shown:
        if line == "…":
            anywhere = True
            continue
        rest = said[place:] if anywhere else said[place:place + 1]
        ahead = next((i for i, other in enumerate(rest) if alike(line, other)), None)
        if ahead is None:
            return line, rest[:3]
        place, anywhere = place + ahead + 1, False
    return None


@pytest.fixture(scope="module")
def tried(tmp_path_factory):
    """A folder in which every command of README was run, and what each said."""
    desk = Desk(tmp_path_factory.mktemp("readme"))
    said = {}
    for command, _ in commands():
        words = shlex.split(command)
        done = desk(*words[1:]) if words[0] == "graphanon" else subprocess.run(
            words, cwd=desk.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (command, done.stderr)
        said[command] = done.stdout
    return desk.folder, said


def test_there_is_something_to_try():
    assert sum(command.startswith("graphanon") for command, _ in commands()) >= 4
    assert len(blocks("python")) >= 2


@pytest.mark.parametrize(("command", "shown"), [pair for pair in commands() if any(pair[1])])
def test_a_command_says_what_is_shown(tried, command, shown):
    _, said = tried
    assert unlike(shown, said[command].splitlines()) is None


def test_the_snippets_run_as_printed_after_the_commands(tried):
    folder, _ = tried
    for snippet in blocks("python"):
        done = subprocess.run([sys.executable, "-c", snippet], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_the_schemas_are_ones_that_are_read(tried, tmp_path):
    folder, _ = tried
    first, whole, *_ = blocks("toml")
    (folder / "m1" / "shown.toml").write_text(first)
    assert len(read_schema(folder / "m1" / "shown.toml").columns) == len(tomllib.loads(first)["columns"])
    (tmp_path / "job.csv").write_text(blocks("text")[0])
    (tmp_path / "shown.toml").write_text(whole)
    schema = read_schema(tmp_path / "shown.toml")
    assert schema.promises.k == 5
    assert sorted(schema["job"].domain.addresses()) == ["doctor", "nurse", "teacher", "tutor"]


@pytest.mark.parametrize(("shown", "said", "same"), [
    ("k  5  5", "k 5 5", True),
    ("ncp 0.1411 precision", "ncp 0.1450 precision", True),
    ("ncp 0.1411 precision", "ncp 0.2450 precision", False),
    ("ncp 0.1411 precision", "ngil 0.1411 precision", False),
    ("id,age,…", "id,age,sex", True),
    ("(sangreea, 1.9 s)", "(sangreea, 9.3 s)", True),
])
def test_lines_are_compared_by_their_words_and_nearly_by_their_numbers(shown, said, same):
    assert alike(shown, said) is same
