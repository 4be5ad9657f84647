"""What follows a slider: numbers and charts."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import choose_option, load_sample, open_page, rerun, settled, slider_value

# What each chart shows; the values that Plotly has drawn, not those that it was given.
_DRAWN = """() => [...document.querySelectorAll('.js-plotly-plot')].map((chart) =>
    [...chart.querySelectorAll('.main-svg path, .main-svg text')].map((mark) =>
        mark.getAttribute('d') + mark.getAttribute('transform') + mark.textContent).join(' '))"""
# Frames in which a chart that was there is gone or empty, and charts that were mounted anew.
_WATCH = """() => {
    const charts = () => [...document.querySelectorAll('.js-plotly-plot')];
    const drawn = () => charts().filter((chart) => chart.querySelector('.trace, .point')).length;
    const before = charts(), expected = drawn();
    const watch = window.watch = { blank: 0 };
    window.mounted = () => charts().filter((chart) => !before.includes(chart)).length;
    const look = () => {
        if (drawn() < expected) watch.blank += 1;
        if (window.watch === watch) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""


@pytest.mark.parametrize(
    ("path", "slider", "press"),
    [
        ("/p29", "w_k", "ArrowLeft"),
        ("/profitability", "adversary_gain", "ArrowLeft"),
        ("/t-closeness", "t_limit", "ArrowLeft"),
        ("/classes", "k_limit", "ArrowRight"),
        ("/risk", "risk_threshold", "ArrowRight"),
    ],
)
def test_charts_follow_a_slider_where_they_stand(shared: Page, path: str, slider: str, press: str) -> None:
    choose_option(shared, "candidate", "candidate_strict.csv")
    open_page(shared, path)
    expect(shared.locator(".js-plotly-plot").first).to_be_visible()
    settled(shared)
    shared.evaluate(_WATCH)
    before = shared.evaluate(_DRAWN)
    control = shared.locator(f".st-key-{slider} input[type=range]")
    control.focus()
    for _ in range(10):
        control.press(press)
    settled(shared)
    assert shared.evaluate(_DRAWN) != before
    assert shared.evaluate("() => [window.watch.blank, window.mounted()]") == [0, 0]


def test_what_the_pointer_shows_on_a_chart_survives_a_press(shared: Page) -> None:
    choose_option(shared, "candidate", "candidate_strict.csv")
    open_page(shared, "/p29")
    settled(shared)
    plot = shared.locator(".st-key-p29_breakdown .nsewdrag")
    box = plot.bounding_box()
    assert box is not None
    plot.hover(position={"x": box["width"] / 8, "y": box["height"] / 4})
    label = shared.locator(".st-key-p29_breakdown .hovertext")
    expect(label).to_have_count(1)
    before = shared.evaluate(_DRAWN)
    shared.locator(".st-key-w_k input[type=range]").focus()
    shared.keyboard.press("ArrowLeft")
    # The value is sent a moment after the press.
    shared.wait_for_function(f"(before) => JSON.stringify(({_DRAWN})()) !== JSON.stringify(before)", arg=before)
    settled(shared)
    expect(label).to_have_count(1)


@pytest.mark.parametrize("changed", ["chart._ev.listeners = () => []", "chart.emit = () => {}"])
def test_charts_are_mounted_anew_where_they_cannot_be_updated(page: Page, changed: str) -> None:
    """As with a later version of Streamlit or Plotly that keeps its listeners elsewhere, or does not heed them."""
    open_page(page, "/")
    load_sample(page)
    open_page(page, "/p29")
    expect(page.locator(".st-key-p29_breakdown .main-svg").first).to_be_visible()
    settled(page)
    before = page.evaluate(_DRAWN)
    page.evaluate(f"document.querySelectorAll('.js-plotly-plot').forEach((chart) => {{ {changed} }})")
    page.locator(".st-key-w_k input[type=range]").press("ArrowLeft")
    expect(page.locator("[class*=_update]")).to_have_count(0)
    settled(page)
    after = page.evaluate(_DRAWN)
    assert [len(after), *map(bool, after)] == [len(before), *map(bool, before)]
    assert all(was != now for was, now in zip(before, after, strict=True))


def test_charts_are_those_of_the_version_chosen(shared: Page) -> None:
    open_page(shared, "/attacks")
    drawn = []
    for version in ("candidate_strict.csv", "candidate_light.csv"):
        choose_option(shared, "candidate", version)
        settled(shared)
        drawn.append(shared.evaluate(_DRAWN))
    assert drawn[0] != drawn[1]


def test_number_and_weights_follow_a_slider_and_the_point_of_the_triangle_while_they_are_dragged(shared: Page) -> None:
    choose_option(shared, "candidate", "candidate_strict.csv")
    open_page(shared, "/p29")
    settled(shared)
    score = shared.get_by_test_id("stMetricValue").first
    slider = shared.locator(".st-key-w_k input[type=range]")
    for handle, start in (
        (shared.locator(".st-key-w_k [data-testid=stSliderThumbValue]"), (0.5, 1.5)),
        (shared.locator(".st-key-p29_triangle .nsewdrag"), (0.5, 0.5)),
    ):
        box = handle.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] * start[0], box["y"] + box["height"] * start[1]
        address = shared.url
        shared.mouse.move(x, y)
        shared.mouse.down()
        for step in range(1, 4):
            before = score.inner_text()
            shared.mouse.move(x - 9 * step, y + 9 * step)
            expect(score).not_to_have_text(before)
        settled(shared)
        assert shared.url == address  # not released yet
        shared.mouse.up()
        settled(shared)
        # What was dragged is what holds: in the address, and in the sliders.
        weights = [slider_value(shared, name) for name in ("w_k", "w_l", "w_t")]
        assert sum(weights) == pytest.approx(1, abs=2e-3)
        assert f"w_k={slider.input_value()}" in shared.url
    with rerun(shared):
        shared.locator(".st-key-what_if_undo button").click()
    assert slider.input_value() == "0.5"


def test_what_stands_below_the_moving_part_follows_a_release_a_typed_amount_and_undo(shared: Page) -> None:
    choose_option(shared, "candidate", "candidate_light.csv")
    open_page(shared, "/profitability")
    settled(shared)
    below = "() => document.querySelector('.st-key-attacks_by_cost').textContent.match(/chosen [0-9.]+/)[0]"
    finding = shared.locator(".st-key-finding")
    seen = [shared.evaluate(below)]
    box = shared.locator(".st-key-adversary_cost [data-testid=stSliderThumbValue]").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + 1.5 * box["height"]
    shared.mouse.move(x, y)
    shared.mouse.down()
    before = finding.inner_text()
    shared.mouse.move(x + 40, y)
    expect(finding).not_to_have_text(before)
    shared.mouse.up()
    settled(shared)
    seen.append(shared.evaluate(below))
    field = shared.locator(".st-key-adversary_cost_field input")
    field.fill("60")
    with rerun(shared):
        field.press("Enter")
    settled(shared)
    assert "cost=60" in shared.url
    seen.append(shared.evaluate(below))
    with rerun(shared):
        shared.locator(".st-key-what_if_undo button").click()
    settled(shared)
    assert len(set(seen)) == 3
    assert [seen[0], seen[2], shared.evaluate(below)] == ["chosen 4", "chosen 60", "chosen 4"]
