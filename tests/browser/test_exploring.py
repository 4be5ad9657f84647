"""How a reader finds the classes of interest, by a row, a list, a region of the map or a value; and the search."""

import random
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import (
    at_rest,
    choose_option,
    figure_data,
    forget,
    load_sample,
    open_page,
    rerun,
    show_view,
    table_named,
    upload,
)
from tests.browser.test_pages import CLASS_TABLE, click_row

ALL = "122 classes, 9,921 records"


def heading(page: Page) -> Locator:
    """The heading above the table that counts its classes."""
    return page.get_by_role("heading", name=re.compile(r"^[\d,]+ class(es)?, [\d,]+ records?$"))


def drag(page: Page, plot: Locator, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Draw a region on a plot; its corners are shares of the plot's width and height."""
    box = at_rest(plot)
    (x, y), (right, bottom) = ((box["x"] + a * box["width"], box["y"] + b * box["height"]) for a, b in (start, end))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + right) / 2, (y + bottom) / 2, steps=4)
    page.mouse.move(right, bottom, steps=4)
    page.mouse.up()


def test_an_exposed_class_opens_on_its_page(shared: Page) -> None:
    choose_option(shared, "candidate", "candidate_light.csv")
    open_page(shared, "/attacks")
    table = shared.locator(".st-key-attack_classes").get_by_test_id("stDataFrame")
    box = at_rest(table)
    with rerun(shared):
        shared.mouse.click(box["x"] + 18, box["y"] + 52)
    shared.locator(".st-key-open_class button").click()
    expect(shared).to_have_url(re.compile(r"/classes"))
    expect(shared.get_by_test_id("stMain").get_by_text("1 class, 1 record")).to_be_visible()


def test_a_class_chosen_by_its_distance_opens_and_the_data_downloads(shared: Page) -> None:
    choose_option(shared, "candidate", "candidate_balanced.csv")
    open_page(shared, "/t-closeness")
    before = figure_data(shared, "closeness_distribution")
    chosen = shared.locator(".st-key-t_class input")
    with rerun(shared):
        chosen.click()
        shared.get_by_role("option").nth(2).click()
    assert figure_data(shared, "closeness_distribution") != before
    for key in ("closeness_curve", "transport_plan"):
        assert len(figure_data(shared, key).decode("utf-8").splitlines()) > 5
    show_view(shared, "closeness", "By attribute")
    assert len(figure_data(shared, "closeness_by_attribute").decode("utf-8").splitlines()) > 5


def test_a_click_on_a_class_opens_its_distributions_in_place_of_the_map(shared: Page) -> None:
    # Narrower windows have the table below the map.
    shared.set_viewport_size({"width": 1440, "height": 900})
    choose_option(shared, "candidate", "candidate_strict.csv")
    open_page(shared, "/classes")
    class_map = shared.locator("[class*=st-key-class_map_] .js-plotly-plot")
    expect(class_map).to_be_visible()
    place = shared.locator("[class*=st-key-class_table_]").bounding_box()
    for row in (1, 3):
        click_row(shared, CLASS_TABLE, row)
        expect(shared.get_by_role("heading", name=re.compile("^Selected class: "))).to_be_visible()
        # Rows of long classes are higher, so the row that was pressed is the one that is marked.
        marked = table_named(shared, CLASS_TABLE).locator("[role=row][aria-selected=true] [role=gridcell]")
        expect(marked).not_to_have_count(0)
        (labels,) = (cell for cell in marked.all_inner_texts() if " · " in cell)
        sex, age = labels.split(" · ")[:2]
        expect(shared.get_by_text(f"sex = {sex}, age = {age}")).to_be_visible()
    expect(class_map).to_have_count(0)
    assert shared.locator("[class*=st-key-class_table_]").bounding_box() == place
    drawn = shared.locator(".st-key-class_distribution .js-plotly-plot")
    expect(drawn).to_be_visible()
    finding = shared.get_by_role("heading", level=2).filter(has_text="length_of_stay")
    expect(finding).to_have_count(0)
    with rerun(shared):
        shared.locator(".st-key-class_attribute").get_by_role("radio", name="length_of_stay").click()
    expect(finding).to_be_visible()
    expect(drawn).to_be_visible()
    with rerun(shared):
        shared.locator(".st-key-class_close button").click()
    expect(class_map).to_be_visible()
    expect(drawn).to_have_count(0)


def test_a_region_of_the_map_or_a_value_chooses_the_classes_of_the_table(shared: Page) -> None:
    open_page(shared, "/")  # what others have filtered by is forgotten
    forget(shared)
    load_sample(shared)
    choose_option(shared, "candidate", "candidate_balanced.csv")
    open_page(shared, "/classes")
    expect(shared.get_by_text(re.compile("^No class fails .*; all classes are listed"))).to_be_visible()
    shown = shared.locator(".st-key-class_filter").get_by_role("radio", name="all", exact=True)
    expect(shown).to_have_attribute("aria-checked", "true")
    expect(heading(shared)).to_have_text(ALL)
    filters = shared.get_by_role("button", name="More filters")
    filters.click()
    field = shared.locator(".st-key-class_value_sex input")
    with rerun(shared):
        field.press_sequentially("Fem")
        expect(shared.get_by_role("option", name="Female", exact=True)).to_be_visible()
        field.press("Enter")
    # The list of the filters lies over the page while it is open.
    shared.keyboard.press("Escape")
    shared.keyboard.press("Escape")
    field.wait_for(state="hidden")
    expect(shared.get_by_text("Filtered by sex.")).to_be_visible()
    expect(heading(shared)).not_to_have_text(ALL)
    rows = table_named(shared, CLASS_TABLE)
    for row in range(1, 5):
        cells = rows.locator(f'[role=row][aria-rowindex="{row + 1}"] [role=gridcell]')
        expect(cells.filter(has_text=" · ")).to_have_text(re.compile("^Female · "))
    before = int(heading(shared).inner_text().split()[0])
    with rerun(shared):
        drag(shared, shared.locator("[class*=st-key-class_map_] .nsewdrag"), (0.02, 0.02), (0.5, 0.98))
    inside = heading(shared).inner_text()
    assert 0 < int(inside.split()[0]) < before
    # The rectangle stays while a class is shown in place of the map.
    click_row(shared, CLASS_TABLE, 1)
    expect(heading(shared)).to_have_text(inside)
    with rerun(shared):
        shared.locator(".st-key-class_close button").click()
    expect(heading(shared)).to_have_text(inside)
    with rerun(shared):
        shared.locator(".st-key-class_map_clear button").click()
    assert int(heading(shared).inner_text().split()[0]) == before


def test_a_search_that_was_left_is_offered_to_be_finished(page: Page, tmp_path: Path) -> None:
    """Of millions of generalizations, so that however late a busy machine leaves the page, the search goes on."""
    names = [f"c{number}" for number in range(8)]
    cells = random.Random(0).choices(range(64), k=9 * 2_000)
    rows = [*zip(*[iter(map(str, cells))] * 9, strict=True)]
    (tmp_path / "original.csv").write_text("\n".join(map(",".join, [(*names, "s"), *rows])))
    (tmp_path / "roles.yaml").write_text(f"quasi_identifiers: [{', '.join(names)}]\nsensitive: [s]\n")
    levels = [
        ",".join([str(value), *(f"{value >> level} of {level}" for level in range(1, 6)), "*"]) for value in range(64)
    ]
    for name in names:
        (tmp_path / f"{name}.csv").write_text("\n".join(levels))
    open_page(page, "/")
    upload(page, "upload_original", [tmp_path / "original.csv"])
    upload(page, "upload_roles_0", [tmp_path / "roles.yaml"])
    upload(page, "upload_hierarchies", [tmp_path / f"{name}.csv" for name in names])
    open_page(page, "/explore")
    page.locator(".st-key-explore_search button").click()
    expect(page.get_by_role("button", name="Stop")).to_have_count(1)  # Streamlit's own is hidden
    open_page(page, "/")
    open_page(page, "/explore")
    expect(page.get_by_role("alert").filter(has_text="The search was stopped after")).to_be_visible()
    expect(page.locator(".st-key-explore_search button")).to_have_text(re.compile("Finish the search"))
    expect(page.locator(".st-key-explore_keep button")).to_have_attribute("kind", "secondary")
