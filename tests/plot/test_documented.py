"""What docs/pictures.md says can be done."""

import re
import shlex

from house import ROOT

from graphanon.plot import LAYOUTS, PICTURES

TEXT = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")


def test_every_kind_is_shown_with_its_command_and_a_small_picture():
    commands = [shlex.split(line, comments=True) for line in re.findall(r"^graphanon plot .*", TEXT.replace("\\\n", " "), flags=re.MULTILINE)]
    shown = {words[words.index("--kind") + 1] for words in commands if "--kind" in words}
    assert shown | {"supernodes", "people"} == set(PICTURES)
    for name in re.findall(r"\]\((images/[^)]+)\)", TEXT):
        assert 0 < (ROOT / "docs" / name).stat().st_size <= 150_000


def test_the_table_lists_every_kind_and_the_text_every_layout():
    assert set(re.findall(r"^\| `([a-z][a-z-]*)` \|", TEXT, flags=re.MULTILINE)) == set(PICTURES)
    assert all(f"`{layout}`" in TEXT for layout in LAYOUTS)
