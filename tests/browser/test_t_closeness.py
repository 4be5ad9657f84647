"""The t-closeness page as its reader uses it: the limit by keyboard, a class by clicking, another ground distance."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.actions import (
    at_rest,
    choose_option,
    download,
    figure,
    figure_data,
    metric_value,
    open_page,
    rerun,
    set_limit,
    show_view,
    tag,
    upload,
)


def press(page: Page, key: str, times: int = 1) -> None:
    """Press a key on the limit's slider, which waits for each run."""
    page.locator('.st-key-t_limit input[type="range"]').focus()
    for _ in range(times):
        with rerun(page):
            page.keyboard.press(key)


def click_cell(page: Page, number: int) -> None:
    """Click the middle of a heatmap's cell: Plotly listens on a layer above the cells."""
    cell = page.locator(".st-key-closeness_heatmap .barlayer .trace").first.locator(".point path").nth(number)
    box = at_rest(cell)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    with rerun(page):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_the_limit_by_keyboard_moves_the_counts_and_stays(shared: Page) -> None:
    open_page(shared, "/t-closeness")
    assert metric_value(shared, "t-closeness") == "0.8798"
    assert metric_value(shared, "Classes above the limit") == "1,689"
    press(shared, "ArrowRight", 2)
    expect(shared.locator(".st-key-finding")).to_contain_text("0.52")
    at_52 = int(metric_value(shared, "Classes above the limit").replace(",", ""))
    assert 0 < at_52 < 1_689
    press(shared, "End")
    press(shared, "ArrowLeft")
    assert metric_value(shared, "Classes above the limit") == "0"
    show_view(shared, "closeness", "Classes above the limit")
    expect(shared.get_by_text("No class exceeds the limit.")).to_be_visible()
    press(shared, "Home")
    assert metric_value(shared, "Classes above the limit") == "2,293"
    press(shared, "ArrowRight", 2)
    open_page(shared, "/p29")
    open_page(shared, "/t-closeness")
    expect(shared.locator(".st-key-finding")).to_contain_text("0.02")
    assert "t_limit=0.02" in shared.url


def test_a_ground_distance_a_class_and_an_attribute_are_chosen_and_the_data_downloads(
    page: Page, seed_tables: Path
) -> None:
    folder = seed_tables / "patient"
    open_page(page, "/")
    upload(page, "upload_anonymized", [folder / "patient_anonymized.csv"])
    quasi, sensitive = "quasi-identifier", "sensitive"
    tag(page, {"ZIPCode": quasi, "Age": quasi, "Salary": sensitive, "Disease": sensitive})
    upload(page, "upload_hierarchies", sorted((folder / "patient_hierarchy").glob("*.csv")))
    set_limit(page, "t_closeness", "0.2")
    open_page(page, "/t-closeness")
    assert metric_value(page, "t-closeness") == "0.2963"
    show_view(page, "closeness", "Classes above the limit")
    assert len(download(page, "All of them as CSV (confidential)").decode("utf-8").splitlines()) == 3
    show_view(page, "closeness", "One class")
    for key, rows in (("closeness_heatmap", 3), ("closeness_curve", 4), ("transport_plan", 11)):
        assert len(figure_data(page, key).decode("utf-8").splitlines()) == rows + 1
    expect(figure(page, "transport_plan")).to_have_accessible_name(re.compile(r"0\.2222 of the distance 0\.2963"))
    choose_option(page, "t_distance_Disease", "equal")
    assert metric_value(page, "t-closeness") == "0.5556"
    expect(figure(page, "transport_plan")).to_have_accessible_name(
        re.compile("records would have to change their Disease")
    )
    choose_option(page, "t_distance_Disease", "ordered")
    expect(page.get_by_text("Not changed")).to_contain_text("therefore no order")
    assert metric_value(page, "t-closeness") == "0.5556"
    expect(page.locator(".st-key-t_distance_Disease input")).to_have_value("equal")
    choose_option(page, "t_distance_Disease", "automatic (hierarchical)")
    assert metric_value(page, "t-closeness") == "0.2963"
    expect(page.get_by_text("ZIPCode = 4790*, Age = >40: 3 records")).to_be_visible()
    click_cell(page, 2)
    expect(page.get_by_text(re.compile(r"ZIPCode = 4760\*, Age = .*40: 3 records"))).to_be_visible()
    expect(figure(page, "transport_plan")).to_have_accessible_name(re.compile(r"0\.1111 of the distance 0\.1852"))
    click_cell(page, 3)
    expect(page.get_by_text("ZIPCode = 4790*, Age = >40: 3 records")).to_be_visible()
    expect(figure(page, "closeness_distribution")).to_have_accessible_name(re.compile("values of Salary"))
    expect(figure(page, "transport_plan")).to_have_accessible_name(re.compile("the area between the lines"))
    open_page(page, "/scorecard")
    open_page(page, "/t-closeness")
    expect(figure(page, "closeness_distribution")).to_have_accessible_name(re.compile("values of Salary"))
