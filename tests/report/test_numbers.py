"""The public page says nothing that the release does not: every number on it is counted again from the files.

The counting here shares no code with the pages; it reads the CSV files and the statement as a recipient would.
"""

import json
import re
import shutil
from collections import Counter, defaultdict
from statistics import median

import pytest
from releases import rows
from reported import explored, text_of, unpacked

from graphanon.audit import audit_release
from graphanon.report import write_reports

NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e-?\d+)?")
GRAPHS = ["town", "evil", "directed", "many"]


def numbers_in(thing):
    """Yield every number in JSON."""
    if isinstance(thing, dict):
        thing = list(thing.values())
    if isinstance(thing, list):
        for each in thing:
            yield from numbers_in(each)
    elif isinstance(thing, int | float) and not isinstance(thing, bool):
        yield float(thing)


def classes_of(folder):
    """Return the size of each class, its cells, and how often each value occurs in it, from the files."""
    if (folder / "supernodes.csv").exists():
        head, *lines = rows(folder / "supernodes.csv")
        first = 4 if "weight_inside" in head else 3
        sizes = {line[0]: int(line[1]) for line in lines}
        cells = {line[0]: dict(zip(head[first:], line[first:], strict=True)) for line in lines}
        tallies = defaultdict(lambda: defaultdict(Counter))
        if (folder / "sensitive.csv").exists():
            for name, attribute, value, count in rows(folder / "sensitive.csv")[1:]:
                tallies[name][attribute][value] += int(count)
        return sizes, cells, tallies
    roles = {line[0]: line[1] for line in rows(folder / "codebook.csv")[1:]}
    head, *lines = rows(folder / "records.csv")
    quasi = [j for j, name in enumerate(head) if roles[name] == "quasi"]
    names, sizes, cells, tallies = {}, Counter(), {}, defaultdict(lambda: defaultdict(Counter))
    for line in lines:
        name = names.setdefault(tuple(line[j] for j in quasi), str(len(names) + 1))
        sizes[name] += 1
        cells[name] = {head[j]: line[j] for j in quasi}
        for j, column in enumerate(head):
            if roles[column] != "quasi":
                tallies[name][column][line[j]] += 1
    return dict(sizes), cells, tallies


def counted(folder):
    """Return every number that can be counted in a release and is worth telling."""
    told = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    sizes, cells, tallies = classes_of(folder)
    people = sum(sizes.values())
    found = set(numbers_in(told)) | {float(people), float(len(sizes))}
    found |= {float(size) for size in sizes.values()} | {float(c) for c in Counter(sizes.values()).values()}
    found |= set(numbers_in([finding.as_json() for finding in audit_release(folder)])) | {float(len(audit_release(folder)))}
    if "ties" in told:
        lines = rows(folder / "supernodes.csv")[1:]
        inside = sum(int(line[2]) for line in lines)
        found |= {float(inside), float(told["ties"] - inside), float(len(rows(folder / "superedges.csv")) - 1)}
    whole = defaultdict(Counter)
    for own in tallies.values():
        for attribute, tally in own.items():
            whole[attribute] += tally
    for tally in whole.values():
        found |= {float(len(tally))} | {float(count) for count in tally.values()} | {count / people for count in tally.values()}
    for attribute in {name.removesuffix("_low").removesuffix("_high") for own in cells.values() for name in own}:
        costs = {name: cost(folder, told, attribute, own) for name, own in cells.items()}
        found.add(sum(sizes[name] * c for name, c in costs.items()) / people)
        for wanted in (0.0, 1.0):
            found.add(sum(sizes[n] for n, c in costs.items() if c == wanted) / people)
        found.add(sum(sizes[n] for n, own in cells.items() if "*" in (own.get(attribute), own.get(f"{attribute}_low"))) / people)
    return found


def cost(folder, told, attribute, own):
    """Return the share of its values that a cell covers."""
    facts = told["columns"][attribute]
    if attribute in own and not own[attribute].startswith("["):
        low = high = own[attribute]
    elif attribute in own:
        low, high = own[attribute][1:-1].split(", ")
    else:
        low, high = own[f"{attribute}_low"], own[f"{attribute}_high"]
    if low == "*":
        return 1.0
    if "range" in facts:
        return (float(high) - float(low)) / (facts["range"][1] - facts["range"][0])
    if "order" in facts:
        return (facts["order"].index(high) - facts["order"].index(low)) / (len(facts["order"]) - 1)
    if "hierarchy" not in facts or not low:
        return 0.0
    lines = rows(folder / "hierarchies" / facts["hierarchy"], ";")
    under = {line[0] for line in lines if low in line}
    return 0.0 if low in {line[0] for line in lines} else len(under) / len(lines)


def is_among(text, numbers):
    """Whether a number as printed is one of these, or a hundred times a share, rounded as it is printed."""
    digits = len(text.partition("e")[0].partition(".")[2])
    value = float(text.replace(",", ""))
    half = 0.5 * 10.0 ** -digits * (1 if "e" not in text else 10.0 ** int(text.partition("e")[2])) + 1e-9
    return any(abs(value - scale * number) <= half for number in numbers for scale in (1, 100))


def of_the_template(evil_free_text):
    """Return the numbers that stand on every page: 0 is nothing, 1 is all, l = 2, and the example of ages."""
    return evil_free_text in {"0", "1", "2", "30", "40", "100"}


@pytest.mark.parametrize("name", [*GRAPHS, "table"])
def test_every_number_of_the_public_page_is_counted_in_the_release(name, request):
    pages = request.getfixturevalue(name)
    assert not strange(pages.public, pages.case.folder)
    numbers = counted(pages.case.folder)
    facts = {number for number in numbers_in(pages.facts) if not is_among(repr(number), numbers)} - {0.0, 1.0}
    assert not facts


@pytest.mark.parametrize("name", [*GRAPHS, "table"])
def test_every_number_that_describes_a_picture_is_counted_in_the_release(name, request):
    pages = request.getfixturevalue(name)
    alts = text_of(pages.public).alts
    assert len(alts) >= 5
    # communities only arrange what is drawn; the loss of ties by class is held to its definition with the pictures
    text = re.sub(r"in \d+ communit|(?<=, )(?:ties|arcs) \d\.\d+(?=;|\.)", "", " ".join(alts))
    numbers = counted(pages.case.folder) | described(pages.case.folder)
    assert not {word for word in NUMBER.findall(text) if not is_among(word, numbers)}


def described(folder):
    """Return what pictures tell besides: middles, and means over attributes, of cells and over people."""
    told = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    sizes, cells, _ = classes_of(folder)
    names = {name.removesuffix("_low").removesuffix("_high") for own in cells.values() for name in own}
    people = sum(sizes.values())
    costs = {name: [cost(folder, told, each, own) for each in sorted(names)] for name, own in cells.items()}
    lost = sorted(sum(costs[name]) / max(len(names), 1) for name, size in sizes.items() for _ in range(size))
    found = {median(sizes.values()), sum(lost) / people, lost[(people - 1) // 2], lost[-1], 0.0}
    found.add(2 * told.get("ties", 0) / people)  # arcs count at both of their ends
    for wanted in (0, 1):
        shares = [sum(size for name, size in sizes.items() if costs[name][j] == wanted) / people for j in range(len(names))]
        found.add(sum(shares) / max(len(shares), 1))
    return found


def test_numbers_that_only_the_custodian_has_would_be_found(town):
    assert "987654321" in strange(town.internal, town.case.folder)


def strange(page, folder):
    """Return the numbers on a page that cannot be counted in a release."""
    numbers = counted(folder)
    labels = {cell for path in folder.rglob("*.csv") for line in rows(path) for cell in line}
    text = " ".join(" ".join(text_of(page).parts).split())
    for label in sorted(filter(None, labels), key=len, reverse=True):
        # what a cell says is in the release already, digits and all
        text = text.replace(" ".join(label.split()), " ") if not label.isdigit() else text
    text = text.replace("graphanon 0.1", "").replace("SHA256SUMS", "")
    return {word for word in NUMBER.findall(text) if not of_the_template(word) and not is_among(word, numbers)}


@pytest.mark.parametrize("name", GRAPHS)
def test_the_explorer_holds_the_release_and_nothing_else(name, request):
    folder, data = request.getfixturevalue(name).case.folder, explored(request.getfixturevalue(name).public)
    lines = rows(folder / "supernodes.csv")[1:]
    assert data["names"] == [line[0] for line in lines]
    assert data["sizes"] == [int(line[1]) for line in lines]
    assert data["inside"] == [int(line[2]) for line in lines]
    ties = Counter()
    for line in rows(folder / "superedges.csv")[1:]:
        ties[frozenset(line[:2])] += int(line[2])
    assert unpacked(data) == ties
    for i, line in enumerate(lines):
        assert data["between"][i] == sum(count for pair, count in ties.items() if line[0] in pair)
    _, cells, tallies = classes_of(folder)
    for column in data["columns"]:
        for i, name_ in enumerate(data["names"]):
            assert spoken(cells[name_], column["name"]) == column["texts"][column["codes"][i]]
    for values in data["values"]:
        for i, name_ in enumerate(data["names"]):
            flat = values["counts"][i]
            own = {values["texts"][v].replace("(missing)", ""): c for v, c in zip(flat[::2], flat[1::2], strict=True)}
            assert own == dict(tallies[name_][values["name"]])
    assert set(data) == {"graph", "unit", "word", "directed", "left_out", "names", "sizes", "lost", "columns", "values", "x", "y",
                         "overview", "inside", "between", "community", "superedges", "edges"}


def spoken(own, name):
    """Return a released cell as the explorer words it."""
    if name in own:
        return own[name] or "(missing)"
    low, high = own[f"{name}_low"], own[f"{name}_high"]
    return low if low == high else f"{low} to {high}"


@pytest.mark.parametrize("name", ["town", "table"])
def test_the_public_page_is_drawn_from_the_release_folder_alone(name, request, tmp_path):
    pages = request.getfixturevalue(name)
    shutil.copytree(pages.case.folder, tmp_path / "received")
    alone = write_reports(tmp_path / "received", into=tmp_path / "pages")
    assert alone.internal is None
    for suffix in (".html", ".json"):
        assert alone.public.with_suffix(suffix).read_bytes() == pages.public.with_suffix(suffix).read_bytes()


def test_what_only_the_custodian_may_know_stands_on_the_internal_page_alone(town):
    internal = town.internal.read_text(encoding="utf-8")
    for secret in ("987654321", "beta", "truth.people", "a warning", "come closest"):
        assert secret in internal
        assert secret not in " ".join(text_of(town.public).parts)
        assert secret not in town.public.with_suffix(".json").read_text(encoding="utf-8")
    # nobody's id stands anywhere, not even where the custodian reads
    ids = set(town.case.ids)
    for page in (town.public, town.internal):
        for file in (page, page.with_suffix(".json")):
            assert not ids & set(re.findall(r"user-\d+", file.read_text(encoding="utf-8")))
