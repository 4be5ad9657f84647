"""What another site can do to the dashboard in a browser: frame it, link to it, or be asked by it. Nothing."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser.actions import open_page
from tests.browser.serving import Server


class Site(ThreadingHTTPServer):
    """Another site: a page that frames an address, and the paths it was asked for."""

    framed = ""

    def __init__(self) -> None:
        self.asked: list[str] = []
        super().__init__(("127.0.0.1", 0), Answer)

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.server_port}"


class Answer(BaseHTTPRequestHandler):
    """Its answers, which any page may read."""

    server: Site

    def do_GET(self) -> None:
        """A page with a frame."""
        self.server.asked.append(self.path)
        body = f'<iframe src="{self.server.framed}"></iframe>'.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *_: object) -> None:
        """Not logged."""


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    thread = Thread(target=made.serve_forever)
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


@pytest.fixture
def plain(context: BrowserContext) -> Iterator[Page]:
    """A page whose refused requests are no failure."""
    with context.new_page() as opened:
        yield opened


def test_no_other_site_can_frame_the_dashboard(plain: Page, server: Server, site: Site) -> None:
    site.framed = server.url
    with plain.expect_console_message(lambda said: "frame-ancestors" in said.text):
        plain.goto(site.url)
    assert not plain.frames[1].url.startswith(server.url)


def test_the_page_cannot_ask_another_host(plain: Page, site: Site) -> None:
    plain.goto("/")
    outcome = plain.evaluate("url => fetch(url).then(() => 'answered', () => 'refused')", f"{site.url}/asked")
    assert outcome == "refused"
    assert site.asked == []


def test_the_page_cannot_run_a_script_that_stands_in_it(plain: Page) -> None:
    plain.goto("/")
    plain.evaluate(
        "() => { const one = document.createElement('script'); one.textContent = 'window.ran = true';"
        " document.body.append(one); }"
    )
    assert plain.evaluate("() => window.ran") is None


def test_a_link_with_the_parameter_opens_no_page_and_asks_nobody(plain: Page, server: Server) -> None:
    asked: list[str] = []
    plain.on("request", lambda request: asked.append(request.url))
    answer = plain.goto("/?staticAppId=abc")
    assert answer is not None
    assert answer.status == 400
    assert all(url.startswith(server.url) for url in asked)


def test_the_pages_script_trusts_no_other_origin(page: Page, server: Server) -> None:
    open_page(page, "/")
    config = page.evaluate("() => fetch('/_stcore/host-config').then((answer) => answer.json())")
    assert config["allowedOrigins"] == []
