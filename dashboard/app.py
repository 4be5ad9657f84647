"""The entry of the dashboard: page configuration, navigation, and the choice of the candidate."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402 - the root must be on the path first

from dashboard.components.candidate_picker import candidate_picker  # noqa: E402
from dashboard.links import read_link  # noqa: E402
from dashboard.navigation import PAGES  # noqa: E402
from dashboard.server import prepare  # noqa: E402
from dashboard.session import workspace  # noqa: E402
from dashboard.warm_up import warm_up_soon  # noqa: E402

UNREACHABLE = (
    "The connection to Quasi is lost: its server has ended, or cannot be reached. This page connects again by itself. "
    "What you have saved is safe; if the server has ended, load your tables again."
)
# Streamlit's own export of a table on the page would hand a spreadsheet cells that it takes for formulas; the buttons
# below the tables write the same, and more, made harmless. Its word on a lost connection tells of another program.
STYLE = f"""<style>
[data-testid="stElementToolbarButton"]:has(button[aria-label^="Download as CSV"]) {{ display: none; }}
body:has([data-test-connection-state="PINGING_SERVER"]) [data-testid="stDialog"] h2 + div > * {{ display: none; }}
body:has([data-test-connection-state="PINGING_SERVER"]) [data-testid="stDialog"] h2 + div::before {{
    content: "{UNREACHABLE}";
}}
</style>"""
A_DAY_S = 86_400

LOST = (
    "The connection was lost for too long, or the server was started anew: your tables were freed, and nothing of them "
    "was kept. Load them again to go on."
)


@st.cache_resource(show_spinner=False)
def start_process() -> None:
    """Once: prepare the server, and keep the collector off what pages import, since each rerun ends with a full one."""
    serving = prepare()
    import pandas  # noqa: F401

    import metrics.figures  # noqa: F401

    gc.collect()
    gc.freeze()
    if serving:
        warm_up_soon()


@st.fragment(run_every=A_DAY_S)
def draw_when_back() -> None:
    """A page with a part that is due some time asks for all of it once it is connected again, to a new server too.

    Without it, figures of tables that are gone would stay until something is pressed.
    """


st.set_page_config(page_title="Quasi", page_icon=Path(__file__).with_name("icon.svg"), layout="wide")
start_process()
read_link(workspace())
page = st.navigation([spec.page(workspace().there()) for spec in PAGES], expanded=True)
st.html(STYLE)
draw_when_back()
st.logo(Path(__file__).with_name("logo.svg"), size="large", icon_image=Path(__file__).with_name("icon.svg"))
with st.sidebar:
    candidate_picker(workspace())
if workspace().lost and workspace().empty:
    st.warning(LOST)
page.run()
