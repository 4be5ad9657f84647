"""What follows a slider: numbers and charts."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import choose_option, open_page, rerun, settled, slider_value

_DRAWN = (
    "() => [...document.querySelectorAll('.js-plotly-plot')].map(one => JSON.stringify([one.data, one.layout.shapes]))"
)


@pytest.mark.parametrize(
    ("path", "slider", "press"),
    [
        ("/profitability", "publisher_loss", "ArrowLeft"),
        ("/t-closeness", "t_limit", "ArrowLeft"),
        ("/risk", "risk_threshold", "ArrowRight"),
    ],
)
def test_charts_show_what_a_slider_sets(shared: Page, path: str, slider: str, press: str) -> None:
    choose_option(shared, "candidate", "candidate_strict.csv")
    open_page(shared, path)
    expect(shared.locator(".js-plotly-plot").first).to_be_visible()
    settled(shared)
    before = shared.evaluate(_DRAWN)
    control = shared.locator(f".st-key-{slider} input[type=range]")
    control.focus()
    for _ in range(10):
        control.press(press)
    settled(shared)
    assert shared.evaluate(_DRAWN) != before


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
        shared.mouse.move(x, y)
        shared.mouse.down()
        for step in range(1, 4):
            before = score.inner_text()
            shared.mouse.move(x - 9 * step, y + 9 * step)
            expect(score).not_to_have_text(before)  # not released yet
        shared.mouse.up()
        settled(shared)
        # What was dragged is what holds: in the address, and in the sliders.
        weights = [slider_value(shared, name) for name in ("w_k", "w_l", "w_t")]
        assert sum(weights) == pytest.approx(1, abs=2e-3)
        assert f"w_k={slider.input_value()}" in shared.url
    with rerun(shared):
        shared.locator(".st-key-what_if_undo button").click()
    assert slider.input_value() == "0.5"
