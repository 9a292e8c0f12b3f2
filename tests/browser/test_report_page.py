"""The report in a real browser: it opens silently, sorts, filters, and shows a variable's evidence, wide and narrow."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import find_browser
import pytest
from unit.test_report import RUN, make_results

from himation.report.collect import collect
from himation.report.page import render
from himation.report.values import Variable

pytestmark = pytest.mark.xdist_group("browser")
PLAIN = ("Smoking", "Genetics", "Coughing", "Allergy", "Anxiety", "Yellow_Fingers")
SIZES = {"wide": (1280, 900), "narrow": (400, 800)}


@pytest.fixture(scope="module")
def chromium():
    sync_api = pytest.importorskip("playwright.sync_api", reason=find_browser.MISSING)
    path = find_browser.find()
    if not path:
        pytest.skip(find_browser.MISSING)
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path)
        yield running
        running.close()


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    """Three data sets: one with harmless names, one with hostile ones, and one with little to show."""
    folder = tmp_path_factory.mktemp("results")
    make_results(folder, "lucas", labels=PLAIN)
    make_results(folder, "hostile")
    make_results(folder, "bare", optional=False, manipulation="unknown")
    truth = folder / "truth.csv"
    truth.write_text("from,to\n1,0\n2,0\n0,3\n4,3\n")
    return [collect(folder, "lucas", truth), collect(folder, "hostile"), collect(folder, "bare")]


@pytest.fixture(scope="module")
def report(sets, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render(sets, RUN), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(params=SIZES)
def page(request, chromium, report):
    """The page at one width; whatever it says to the console or asks of the network fails the test."""
    yield from opened(chromium, report, *SIZES[request.param])


def opened(chromium, address, width, height, **options):
    context = chromium.new_context(viewport={"width": width, "height": height}, **options)
    page = context.new_page()
    told = []
    page.on("console", lambda message: told.append(message.text))
    page.on("pageerror", lambda error: told.append(str(error)))
    page.on("request", lambda request: told.append(request.url) if not known(request.url, address) else None)
    page.goto(address)
    yield page
    context.close()
    assert told == []


def known(url, address):
    return url.split("#")[0] == address.split("#")[0] or url.startswith(("data:", "blob:"))


def unfold(page):
    page.evaluate("document.querySelectorAll('details').forEach(function (part) { part.open = true; })")


def column(page, index):
    """What the shown rows of the first evidence table have in a column."""
    rows = page.locator("#lucas-evidence tbody tr:visible")
    return [row.locator("th, td").nth(index).inner_text().strip() for row in rows.all()]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_opens_without_a_word_and_fits_the_width(page, scheme):
    page.emulate_media(color_scheme=scheme)
    assert page.title() == "Himation report: lucas, hostile, bare"
    assert page.locator("#summary .card").count() == 3
    unfold(page)
    for section in page.locator("section").all():  # sections out of sight are laid out when they come near
        section.scroll_into_view_if_needed()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, paper.strip("rgb()").split(","))) > 380) == (scheme == "light")


def test_every_picture_has_a_text_and_can_be_seen(page):
    unfold(page)
    pictures = page.locator("svg.figure:visible").all()
    assert len(pictures) > 15
    for picture in pictures:
        picture.scroll_into_view_if_needed()
        assert len(picture.get_attribute("aria-label")) > 20
        assert picture.bounding_box()["height"] > 50


def test_sorts_by_a_click_and_by_the_keyboard(page):
    heading = page.locator("#lucas-evidence thead th", has_text="P(child)")
    button = heading.get_by_role("button")
    button.click()
    values = [float(text) for text in column(page, 4)]
    assert values == sorted(values, reverse=True) and values[0] == 0.9
    assert heading.get_attribute("aria-sort") == "descending"
    button.press("Enter")
    assert [float(text) for text in column(page, 4)] == sorted(values)
    assert heading.get_attribute("aria-sort") == "ascending"
    page.locator("#lucas-evidence thead th", has_text="variable").get_by_role("button").click()
    assert column(page, 0) == sorted(PLAIN, key=str.lower)
    assert page.locator("#lucas-evidence th[aria-sort]").count() == 1


def test_filters_by_text_role_and_kind(page):
    tools = page.locator(".table-tools[data-table=lucas-evidence]")
    tools.locator(".find").fill("ing")
    assert set(column(page, 0)) == {"Smoking", "Coughing", "Yellow_Fingers"}
    assert tools.locator(".shown").inner_text() == "3 of 6 rows"
    tools.locator(".role").select_option("parent")
    assert column(page, 0) == ["Smoking"]
    tools.locator(".find").fill("")
    tools.locator(".role").select_option("")
    tools.locator(".which").select_option("manipulated")
    assert set(column(page, 0)) == {"Smoking", "Coughing"}
    tools.locator(".find").fill("nothing is called this")
    assert column(page, 0) == [] and tools.locator(".shown").inner_text() == "0 of 6 rows"


def test_click_in_the_drawing_shows_the_evidence(page):
    panel = page.locator("#panel")
    assert not panel.is_visible()
    page.locator("#lucas svg:visible a", has_text="Coughing").first.click()
    assert panel.locator("h2").inner_text() == "Coughing"
    text = panel.inner_text()
    assert "a child in 90" in text and "2, best p-score 0.7" in text and "mmmb (rank 3)" in text
    box, size = panel.bounding_box(), page.viewport_size
    assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
    assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"]
    page.keyboard.press("Escape")
    assert not panel.is_visible()


def test_name_in_the_table_opens_by_keyboard_and_focus_comes_back(page):
    name = page.locator("#lucas-3 a.name")
    name.press("Enter")
    assert page.locator("#panel h2").inner_text() == "Coughing"
    assert page.evaluate("document.activeElement.id") == "panel-close"
    page.keyboard.press("Enter")
    assert not page.locator("#panel").is_visible()
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#lucas-3"


def test_hostile_names_are_shown_as_they_are(page):
    page.locator("#hostile-1 a.name").click()
    assert page.locator("#panel h2").inner_text() == "<script>alert(1)</script>"
    assert page.locator("#panel script").count() == 0


def test_row_of_a_filtered_variable_can_still_be_reached(page):
    page.locator(".table-tools[data-table=lucas-evidence] .find").fill("Smoking")
    page.locator("#lucas svg:visible a", has_text="Allergy").first.click()
    page.locator("#panel-where a").click()
    assert page.locator("#lucas-4").is_visible() and "Allergy" in column(page, 0)


def test_link_to_a_variable_opens_on_it(chromium, report):
    for page in opened(chromium, f"{report}#lucas-4", 1280, 900):
        assert page.locator("#panel h2").inner_text() == "Allergy"
        top = page.locator("#lucas-4").bounding_box()["y"]
        assert 0 < top < 900


def test_page_is_whole_without_scripts_and_on_paper(chromium, report):
    for page in opened(chromium, report, 1280, 900, java_script_enabled=False):
        assert page.locator("#lucas-evidence tbody tr:visible").count() == 6
        assert not page.locator(".table-tools").first.is_visible()
    for page in opened(chromium, report, 1280, 900):
        page.emulate_media(media="print", color_scheme="dark")
        assert not page.locator(".table-tools").first.is_visible() and not page.locator(".top").is_visible()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_parts_fold_by_a_click_and_by_the_keyboard_and_a_link_unfolds_them(chromium, report):
    for page in opened(chromium, report, 1280, 900):
        part = page.locator("#lucas-table")
        summary = part.locator("> summary")
        assert page.locator("#lucas-4").is_visible()
        summary.click()
        assert not page.locator("#lucas-4").is_visible()
        page.locator("#lucas svg:visible a", has_text="Allergy").first.click()
        page.locator("#panel-where a").click()
        assert page.locator("#lucas-4").is_visible()
        page.keyboard.press("Escape")
        methods = page.locator("#lucas-methods")
        assert not methods.locator(".methods").is_visible()
        methods.locator("> summary").press("Enter")
        text = methods.locator(".methods").inner_text()
        assert "training examples of 6 variables" in text and "[1]" in text and "mmmb [" in text
        assert methods.locator(".cited li").count() == 5


def test_tables_and_figures_are_saved(chromium, report, tmp_path):
    for page in opened(chromium, report, 1280, 900, accept_downloads=True):
        with page.expect_download() as table:
            page.locator("#lucas-table").get_by_role("button", name="Table as TSV").click()
        table.value.save_as(tmp_path / "t.tsv")
        lines = (tmp_path / "t.tsv").read_text(encoding="utf-8").splitlines()
        assert lines[0].split("\t")[:4] == ["variable", "column", "role", "P(parent)"] and len(lines) == 7
        assert [line.split("\t")[0] for line in lines[1:]] == column(page, 0)
        assert table.value.suggested_filename.startswith("himation-lucas-")
        with page.expect_download() as figure:
            page.locator("#lucas-network").get_by_role("button", name="Figure as SVG").click()
        figure.value.save_as(tmp_path / "f.svg")
        text = (tmp_path / "f.svg").read_text(encoding="utf-8")
        assert "var(--" not in text and "Smoking" in text
        assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize("name", ["lucas", "hostile"])
def test_figures_are_saved_as_pdf(chromium, report, tmp_path, name):
    """The file's own table of places is right, its strings and states end, and Latin names can be searched for."""
    for page in opened(chromium, report, 1280, 900, accept_downloads=True):
        with page.expect_download() as figure:
            page.locator(f"#{name}-network").get_by_role("button", name="Figure as PDF").click()
        figure.value.save_as(tmp_path / "f.pdf")
        assert figure.value.suggested_filename.endswith(".pdf")
    file = (tmp_path / "f.pdf").read_bytes()
    assert file.startswith(b"%PDF-1.4\n") and file.endswith(b"%%EOF\n")
    table = int(re.search(rb"startxref\n(\d+)", file)[1])
    places = [int(place) for place in re.findall(rb"^(\d{10}) 00000 n $", file[table:], flags=re.MULTILINE)]
    assert len(places) == 5
    assert all(file[at:].startswith(b"%d 0 obj\n" % number) for number, at in enumerate(places, start=1))
    length, content = re.search(rb"/Length (\d+) >>\nstream\n(.*)\nendstream", file, flags=re.DOTALL).groups()
    assert int(length) == len(content)
    lines = content.split(b"\n")
    assert lines.count(b"q") == lines.count(b"Q") > 10 and b"NaN" not in content
    shown = re.findall(rb"\(((?:[^\\()]|\\.)*)\) Tj", content)
    assert len(shown) == content.count(b" Tj") > 5 and b"parents" in shown
    assert (b"Smoking" in shown) == (name == "lucas")
    assert (b"/IM true" in content) == (name == "hostile")  # a name that Helvetica has no letters for is a picture


@pytest.mark.slow
def test_eighteen_large_data_sets_open(chromium, sets, tmp_path):
    rows = tuple(
        Variable(f"a_rather_long_name_{i}", i, "child", p_child=0.5, depth=1, selected=i < 40, reason="because " * 20)
        for i in range(1, 251)
    )
    large = replace(sets[0], variables=rows, n_variables=5000, unlisted=4750)
    page = tmp_path / "report.html"
    page.write_text(render([replace(large, id=f"set{i}") for i in range(18)], RUN), encoding="utf-8")
    assert page.stat().st_size < 12e6
    for shown in opened(chromium, page.as_uri(), 1280, 900):
        assert shown.locator("#set17-evidence tbody tr").count() == 250
        shown.locator("#set17-250 a.name").click(timeout=10_000)
        assert shown.locator("#panel h2").inner_text() == "a_rather_long_name_250"
