"""The pages in a browser: nothing is fetched, nothing fails, disc, table and description show the same."""

from contextlib import contextmanager

import pytest
import releases
from reported import EVIL, NAME, bare, evil_town, explored, paired, reported, text_of

from graphanon.report import explorer, write_reports

SECTIONS = ["glance", "leaves", "lost", "risk", "explore", "terms"]


@contextmanager
def opened(browser, file, **options):
    """Open a page; whatever it asked for or complained of must be nothing."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
    page = context.new_page()
    asked, complaints = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message) or dialog.dismiss())
    page.goto(file.as_uri())
    page.wait_for_function("document.documentElement.dataset.explorer", timeout=30_000)
    yield page
    assert page.evaluate("document.documentElement.dataset.explorer") == "ready"
    assert [url for url in asked if not url.startswith("data:")] == [file.as_uri()]
    assert complaints == []
    context.close()


def at(page, index):
    """Return where on the screen the disc of a class stands."""
    return page.evaluate("""(index) => {
        const { canvas, sources, items } = window.graphanon, k = items().findIndex((item) => (item.index ?? item.community) === index);
        const view = [...Bokeh.index.roots].find((root) => root.model === canvas);
        const frame = view.frame, data = sources.discs.data;
        view.el.scrollIntoView({ block: "center", behavior: "instant" });
        const box = view.el.getBoundingClientRect();
        return [box.left + frame.x_scale.compute(data.x[k]), box.top + frame.y_scale.compute(data.y[k])];
    }""", index)


def plain(text):
    """Return a text without the marks that keep labels of other directions apart."""
    return text.replace("\u2068", "").replace("\u2069", "")


def chosen(page):
    """Return what the table, the description and the canvas say is selected."""
    row = page.locator("#classes-body tr[aria-selected=true] th")
    return (
        row.inner_text() if row.count() else None,
        page.locator("#details h4").inner_text() if page.locator("#details h4").count() else None,
        page.evaluate("window.graphanon.sources.marks.data.x.length"),
    )


def test_a_disc_that_is_selected_is_the_row_that_is_selected_and_the_reverse(browser, town):
    with opened(browser, town.public) as page:
        assert chosen(page) == (None, None, 0)
        page.mouse.click(*at(page, 4))
        page.wait_for_selector("#details h4", timeout=8000)
        name = page.evaluate("document.querySelector('#details h4').textContent")
        assert chosen(page) == (name, name, 1)
        assert page.evaluate("window.graphanon.state.selected") == 4
        other = page.locator("#classes-body tr[aria-selected=false] th button").first
        wanted = other.inner_text()
        other.click()
        assert chosen(page) == (wanted, wanted, 1)
        assert page.evaluate("window.graphanon.sources.lit.data.x0.length") > 0
        page.locator("#classes-body tr[aria-selected=true] th button").click()
        assert chosen(page) == (None, None, 0)


def test_pointing_at_a_disc_tells_of_it_and_markup_stays_text(browser, evil):
    with opened(browser, evil.internal, color_scheme="dark") as page:
        page.mouse.move(*at(page, 2))
        tip = page.locator(".bk-Tooltip")
        tip.wait_for(timeout=8000)
        text = plain(tip.evaluate("(host) => (host.shadowRoot ?? host).textContent"))
        assert "5 people" in text
        assert any(f"{NAME}: {label}" in text for label in EVIL[:3])
        page.locator("#classes-body tr").nth(0).click()
        details = page.locator("#details").inner_text()
        assert NAME in details
        assert any(label in details for label in EVIL)
        assert page.locator("#evil, main img[src=x], main i:has-text('lives')").count() == 0
        assert page.evaluate("document.body.innerText.includes('{{ 7 * 7 }}')")


def test_labels_from_right_to_left_and_long_ones_leave_the_words_of_the_page_alone(browser, tmp_path):
    hebrew, reversing, long = "\u05e9\u05dc\u05d5\u05dd", "\u202eill", "w" * 2000
    graph = evil_town(labels=(hebrew, reversing, long))
    with opened(browser, reported(tmp_path / "run", releases.written(tmp_path / "run", paired(graph, 5))).public) as page:
        cells = page.locator("#classes-body td:last-child").all_text_contents()
        assert all(cell.startswith("\u2068") and "\u2069 (" in cell for cell in cells)
        assert max(map(len, cells)) < 250
        # what is counted stands where it can be seen, however long the label before it is
        room = page.evaluate("document.documentElement.clientWidth")
        shares = page.locator("#leaves .share")
        assert all(shares.nth(i).bounding_box()["x"] < room for i in range(shares.count()))
        page.select_option("#colour", "s0:0")
        assert len(page.locator("#legend strong").inner_text()) < 300


def test_superedges_that_a_page_does_not_carry_are_told_under_the_canvas(browser, tmp_path, monkeypatch):
    run = tmp_path / "run"
    public = reported(run, releases.written(run, paired(evil_town(), 2))).public
    whole = explored(public)
    monkeypatch.setattr(explorer, "ROOM", len(text_of(public).scripts["explorer-data"].strip()) - 8)
    data = explored(write_reports(run, force=True).public)
    absent = whole["superedges"] - sum(data["edges"]["counts"])
    assert 0 < absent < whole["superedges"]
    with opened(browser, run / "report.html") as page:
        told = page.locator("#drawn").inner_text()
        assert f"20 supernodes and {whole['superedges'] - absent} superedges between them are drawn." in told
        assert f"Besides these, {absent} superedges of fewer ties are in the files of the release only." in told


def test_filters_search_sort_and_colours_work_together(browser, town):
    with opened(browser, town.public) as page:
        rows = page.locator("#classes-body tr")
        whole = rows.count()
        page.fill("#search", "hiv")
        with_hiv = page.evaluate("window.graphanon.items().length")
        assert 0 < with_hiv <= whole
        assert rows.count() == with_hiv
        page.fill("#least", "1000")
        assert page.locator("#pages").inner_text() == "nothing passes the filters"
        assert page.evaluate("window.graphanon.sources.discs.data.x.length") == 0
        page.fill("#least", "")
        page.fill("#search", "")
        assert page.evaluate("window.graphanon.items().length") == whole
        for value in page.locator("#colour option").evaluate_all("(all) => all.map((o) => o.value)"):
            page.select_option("#colour", value)
            assert page.locator("#legend li").count() > 0
        page.select_option("#size", "equal")
        assert len(set(page.evaluate("window.graphanon.sources.discs.data.size"))) == 1
        page.locator("#classes-head button", has_text="People").click()
        page.locator("#classes-head button", has_text="People").click()
        people = [int(text) for text in page.locator("#classes-body td:nth-child(2)").all_inner_texts()]
        assert people == sorted(people, reverse=True)
        before = page.evaluate("window.graphanon.canvas.x_range.end")
        page.click("#closer")
        assert page.evaluate("window.graphanon.canvas.x_range.end") < before
        page.click("#whole")
        assert page.evaluate("window.graphanon.canvas.x_range.end") == pytest.approx(before)


def test_many_supernodes_begin_with_an_overview_that_opens(browser, many):
    with opened(browser, many.public) as page:
        items = page.evaluate("window.graphanon.items().map((item) => item.members.length)")
        assert len(items) > 1
        assert sum(items) == 450
        page.mouse.click(*at(page, 0))
        page.wait_for_function("window.graphanon.state.view === 0", timeout=8000)
        inside = page.evaluate("window.graphanon.items().map((item) => item.index)")
        assert len(inside) == items[0]
        page.click("#back")
        assert page.evaluate("window.graphanon.state.view") == "overview"
        # a row of another community opens it
        page.locator("#classes-body tr").nth(0).click()
        assert chosen(page)[2] == 1
        page.select_option("#view", "all")
        assert page.evaluate("window.graphanon.sources.discs.data.x.length") == 450
        assert page.evaluate("window.graphanon.sources.edges.data.x0.length") <= 4000


def test_the_classes_of_a_table_are_explored_likewise(browser, table):
    with opened(browser, table.public) as page:
        page.mouse.click(*at(page, 1))
        page.wait_for_selector("#details h4", timeout=8000)
        assert chosen(page)[:2] == ("Class 2", "Class 2")


@pytest.mark.parametrize(("people", "ties", "size"), [(4, 0, 4), (860, 0, 2)])
def test_people_of_whom_little_is_known_can_be_explored_too(browser, tmp_path, people, ties, size):
    pages = reported(tmp_path / "run", releases.written(tmp_path / "run", bare(people, ties, size)))
    with opened(browser, pages.internal) as page:
        page.locator("#classes-body tr").nth(0).click()
        assert chosen(page) == ("S1", "S1", 1)


def test_print_shows_every_section_and_no_controls(browser, town):
    with opened(browser, town.internal) as page:
        page.emulate_media(media="print")
        for section in [*SECTIONS, "before", "run"]:
            box = page.locator(f"#{section}").bounding_box()
            assert box["height"] > 60
            assert page.locator(f"#{section} h2").is_visible()
        assert not any(page.locator(name).is_visible() for name in ("nav", ".controls", "#explorer", ".pager"))
        assert page.locator("#explore figure.printed img").is_visible()
        assert page.locator("#classes-body tr").first.is_visible()
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0


@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_is_wider_than_the_screen(browser, town, width):
    with opened(browser, town.internal) as page:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_page_may_ask_nobody_for_anything(browser, town):
    context = browser.new_context()
    page = context.new_page()
    fetched = []
    page.goto(town.public.as_uri())
    page.on("response", lambda response: fetched.append(response.url))
    page.on("requestfinished", lambda request: fetched.append(request.url))
    refused = page.evaluate("""async () => {
        const fetched = await fetch("https://example.invalid/").then(() => "fetched", () => "refused");
        const image = await new Promise((done) => {
            const img = new Image(); img.onload = () => done("fetched"); img.onerror = () => done("refused");
            img.src = "https://example.invalid/a.png";
        });
        const script = document.createElement("script"); script.textContent = "window.ran = true"; document.body.append(script);
        return [fetched, image, window.ran ?? "not run"];
    }""")
    assert refused == ["refused", "refused", "not run"]
    assert fetched == []
    context.close()
