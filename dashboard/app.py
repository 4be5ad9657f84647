"""The server: Streamlit's application around `main.py`, with every request checked first.

`python3 -m dashboard` runs it, and so does `streamlit run dashboard/app.py`.
"""

from __future__ import annotations

import sys
import threading
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402 - the root must be on the path first
from starlette.middleware import Middleware  # noqa: E402

from dashboard.serving.http_security import HttpSecurity  # noqa: E402


@asynccontextmanager
async def open_browser(_: st.App) -> AsyncIterator[None]:
    """Open a window unless the server is headless; it waits until the server answers."""
    if not st.get_option("server.headless"):
        address = f"http://localhost:{st.get_option('server.port')}"
        threading.Thread(target=webbrowser.open, args=(address,), name="open-browser", daemon=True).start()
    yield


app = st.App(HERE / "main.py", lifespan=open_browser, middleware=[Middleware(HttpSecurity)])
