"""What holds of every kind of picture, whatever it is drawn from."""

import logging
import re
import struct
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import AxesImage
from matplotlib.legend import Legend
from pictured import AGE, ILLNESS, JOB, graph, svg_texts, table, town, words
from releases import grouping as grouped
from releases import town as people
from releases import written

import graphanon
from graphanon.errors import InputProblem
from graphanon.plot import PICTURES, kinds_for, picture, render, save
from graphanon.plot.figure import FORMATS, WIDTHS, styled
from graphanon.plot.style import fonts
from graphanon.release import PublicColumn

LONG = PublicColumn(name="the highest level of education that was ever completed, in words", role="quasi", type="category")
FOREIGN = PublicColumn(name="професія", role="quasi", type="category")
SOURCES = {
    "graph": graph(),
    "arcs": graph(ties=((0, 1, 2), (1, 0, 3)), directed=True),
    "one supernode": graph([9], (), [3], [("20", "30", "*")]),
    "no ties": graph(ties=(), inside=(0, 0, 0)),
    "no attributes": graph(cells=[()] * 3, columns=()),
    "long labels": graph(columns=(LONG,), cells=[(f"{i} — {'a very long label ' * 9}",) for i in range(3)]),
    "foreign labels": graph(columns=(FOREIGN,), cells=[("лікар",), ("דוקטור",), ("医師",)]),
    "withheld": graph(people=40, withheld=5),
    "many": town(150),
    "table": table(),
    "one class": table([("*", "*", "*")], [30]),
    "wide table": table([(str(a), "nurse", "low") for a in range(20, 60)], list(range(5, 3000, 75))),
}
# what is drawn alike wherever it comes from is drawn once or twice
ONCE = {"blocks": ("graph", "arcs", "one supernode", "no ties", "many"), "sizes": ("graph", "one class", "wide table", "withheld"),
        "losses": ("graph", "no attributes", "no ties", "long labels", "table"), "degrees": ("arcs", "one supernode", "no ties"),
        "class-losses": ("graph", "no ties", "table"), "levels": ("graph", "long labels", "withheld", "foreign labels", "table"),
        "records": ("long labels", "wide table", "one class")}
DRAWN = [(name, kind) for name, source in SOURCES.items() for kind in kinds_for(source) if name in ONCE.get(kind, SOURCES)]


@pytest.fixture(scope="module")
def run():
    """A run on sixty people, and one of theirs wishes for more than k."""
    reading = graphanon.load("m1")
    return graphanon.anonymize(reading, requirement=graphanon.Requirement(k=5), method="pas-caa", seed=1, refine=False)


@pytest.mark.parametrize(("name", "kind"), DRAWN)
def test_a_picture_has_a_legend_a_title_and_letters_that_can_be_read(name, kind):
    widths = WIDTHS if name == "long labels" else WIDTHS[:1]
    for width in widths:
        with styled(SOURCES[name]):
            figure = picture(SOURCES[name], kind, width=width)
            figure.canvas.draw()
        first = figure.axes[0]
        assert [child for child in first.get_children() if isinstance(child, Legend)] or len(figure.axes) == 2
        assert first.get_title(loc="left")
        shown = words(figure)
        assert min(text.get_fontsize() for text in shown) >= 5
        whole = figure.bbox.padded(2)
        outside = [text.get_text() for text in shown if not whole.fully_overlaps(text.get_window_extent())
                   or not (whole.x0 <= text.get_window_extent().x0 and text.get_window_extent().x1 <= whole.x1)]
        assert not outside
        assert not _overlaps([text for text in shown if text is first._left_title or text in first.texts or text.axes is None])


def _overlaps(texts):
    """Return texts of which one lies over the other, beyond a hair."""
    boxes = [(text.get_text(), text.get_window_extent().padded(-1)) for text in texts]
    return [(one, other) for i, (one, box) in enumerate(boxes) for other, second in boxes[:i]
            if box.width > 0 and second.width > 0 and box.overlaps(second)]


@pytest.mark.parametrize(("name", "kind"), [("long labels", "supernodes"), ("graph", "blocks"), ("graph", "losses"), ("table", "records")])
def test_the_three_formats_show_the_same(name, kind):
    files = {kind_of: render(SOURCES[name], kind, file_format=kind_of, width=89) for kind_of in FORMATS}
    assert len({drawn.alt for drawn in files.values()}) == 1
    width, height = struct.unpack(">II", files["png"].content[16:24])
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+)", files["pdf"].content).groups()
    size = re.search(rb'<svg[^>]*?width="([\d.]+)pt" height="([\d.]+)pt"|height="([\d.]+)pt"', files["svg"].content)
    assert np.allclose([width / 300 * 72, height / 300 * 72], [float(side) for side in box], atol=0.5)
    assert b"viewBox" in files["svg"].content
    assert size
    figure = picture(SOURCES[name], kind, width=89)
    figure.canvas.draw()
    said = {line for text in words(figure) for line in text.get_text().replace(r"\$", "$").split("\n")}
    assert {" ".join(line.split()) for line in said if line.strip()} <= set(svg_texts(files["svg"].content))


@pytest.mark.parametrize("file_format", FORMATS)
def test_a_picture_is_undated_and_drawn_again_the_same(file_format):
    one, other = (render(SOURCES["graph"], file_format=file_format).content for _ in range(2))
    assert one == other
    assert not any(word in one for word in (b"CreationDate", b"dc:date", b"tIME", b"Creation Time", b"Software", b"matplotlib v"))


def test_another_seed_gives_another_picture():
    one, other = (render(SOURCES["graph"], seed=seed, layout="islands").content for seed in (1, 2))
    assert one != other


def test_a_folder_and_what_was_read_from_it_give_the_same_picture(tmp_path):
    case = written(tmp_path / "out", grouped(people()))
    for kind in ("supernodes", "levels"):
        assert render(case.folder, kind).content == render(case.release, kind).content


def test_no_picture_of_a_release_wants_anything_private(tmp_path):
    case = written(tmp_path / "out", grouped(people()))
    assert not [kind for kind in kinds_for(case.folder) if PICTURES[kind].private]
    for kind in ("people", "beside"):
        with pytest.raises(InputProblem, match="not in a release"):
            render(case.folder, kind)


def test_private_pictures_say_so(run):
    assert {"people", "beside"} <= set(kinds_for(run))
    for kind in ("people", "beside", "degrees"):
        assert "private, not to be released" in render(run, kind).alt
    assert "private" not in render(run.release, "degrees").alt


def test_a_picture_of_a_run_and_of_its_release_differ_only_in_what_is_private(run):
    for kind in ("supernodes", "losses"):
        assert render(run, kind).content == render(run.release, kind).content
    assert render(run, "sizes").content != render(run.release, "sizes").content


def test_supernodes_that_must_be_larger_are_ringed_in_a_run(run):
    figure = picture(run, "supernodes", ring="floor")
    rings = next(child for child in figure.axes[0].collections if child.get_gid() == "rings")
    partition = run.grouping.partition
    assert len(rings.get_offsets()) == int((partition.floors > 5).sum()) > 0
    large = {name for name, size in zip(run.release.names, run.release.sizes.tolist(), strict=True) if size > 5}
    ringed = {run.membership[person] for person in np.flatnonzero(partition.floors[partition.labels] > 5)}
    assert ringed <= large


def test_people_and_supernodes_beside_each_other_have_the_same_colours(run):
    left, right = picture(run, "beside").axes[:2]
    meaning = [_meaning(ax) for ax in (left, right)]
    shared = set(meaning[0]) & set(meaning[1])
    assert len(shared) >= 2
    assert {label: meaning[0][label] for label in shared} == {label: meaning[1][label] for label in shared}


def _meaning(ax):
    """Return the colour of each label in the first part of the legend."""
    part = next(child for child in ax.get_children() if isinstance(child, Legend))
    return {text.get_text(): mark.get_markerfacecolor() for mark, text in zip(part.legend_handles, part.get_texts(), strict=True)}


def test_the_people_of_a_table_are_no_graph():
    with pytest.raises(InputProblem, match="no ties to draw"):
        render(people(has_ties=False), "people")
    with pytest.raises(InputProblem, match="is a table"):
        render(SOURCES["table"], "supernodes")


@pytest.mark.parametrize("kind", ["levels", "records"])
def test_without_attributes_there_is_nothing_generalized_to_draw(kind):
    assert kind not in kinds_for(SOURCES["no attributes"])
    with pytest.raises(InputProblem, match="no attribute that was generalized"):
        render(SOURCES["no attributes"], kind)


def test_an_unknown_kind_and_format_are_refused():
    with pytest.raises(InputProblem, match="supernodes, people"):
        render(SOURCES["graph"], "pie")
    with pytest.raises(InputProblem, match="png, svg, pdf"):
        render(SOURCES["graph"], file_format="gif")


def test_a_release_of_another_kind_is_told_so(tmp_path):
    (tmp_path / "release.json").write_text('{"kind": "perturbed-table"}')
    with pytest.raises(InputProblem, match="perturbed-table"):
        render(tmp_path)
    (tmp_path / "release.json").write_text("{")
    with pytest.raises(InputProblem, match="not valid JSON"):
        render(tmp_path)


def test_a_file_appears_whole_or_not_at_all(tmp_path):
    with pytest.raises(InputProblem, match="income"):
        save(SOURCES["graph"], tmp_path / "a.png", colour="income")
    assert not list(tmp_path.iterdir())
    assert "people in 3 supernodes" in save(SOURCES["graph"], tmp_path / "a.png")


@pytest.mark.parametrize("problem", [KeyboardInterrupt(), OSError(28, "No space left on device")], ids=repr)
@pytest.mark.parametrize("call", ["write_bytes", "replace"])
def test_whatever_ends_the_drawing_nothing_of_it_is_left(tmp_path, monkeypatch, problem, call):
    def broken(*_):
        raise problem

    source = SOURCES["graph"]
    monkeypatch.setattr(Path, call, broken)
    with pytest.raises((KeyboardInterrupt, InputProblem)):
        save(source, tmp_path / "a.svg", kind="sizes")
    assert not list(tmp_path.iterdir())


def test_a_folder_or_a_link_in_the_way_of_a_picture_is_told(tmp_path):
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "link.svg").symlink_to(tmp_path / "nothing.svg")
    with pytest.raises(InputProblem, match="is a folder"):
        save(SOURCES["graph"], tmp_path / "folder.svg", kind="sizes", force=True)
    with pytest.raises(InputProblem, match="exists already"):
        save(SOURCES["graph"], tmp_path / "link.svg", kind="sizes")


def test_what_a_library_says_of_its_fonts_is_kept_from_people(caplog):
    log = logging.getLogger("matplotlib.font_manager")
    with styled(SOURCES["graph"]):
        log.warning("no bold one, now using 400")
    assert not caplog.records
    log.warning("outside, it says what it likes")
    assert len(caplog.records) == 1


def test_letters_that_the_first_font_lacks_are_looked_for_in_others():
    assert fonts(["plain", "лікар"]) == ["DejaVu Sans"]
    found = fonts(["\U00010900"])
    assert found[0] == "DejaVu Sans"
    assert len(found) <= 2


def test_small_cells_of_a_sensitive_attribute_are_never_more_than_the_release_tells():
    release = graph(columns=(AGE, JOB), counts=[("S1", "illness", "flu", 5), ("S2", "illness", "flu", 20), ("S3", "illness", "cold", 10)])
    assert ILLNESS in release.columns
    told = set(svg_texts(render(release, colour="illness", ring="none").content))
    assert {"flu", "cold"} <= told
    assert not [image for ax in picture(release).axes for image in ax.findobj(AxesImage)]
