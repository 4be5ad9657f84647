"""What every page is drawn within: page configuration, navigation, and the choice of the version."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from threading import Thread

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402 - the root must be on the path first

from dashboard.components.keyboard import keyboard  # noqa: E402
from dashboard.components.page_frame import (  # noqa: E402
    changes_notice,
    folded_menu,
    policy_panel,
    unload_warning,
    version_picker,
)
from dashboard.links import read_link  # noqa: E402
from dashboard.navigation import PageRequirement, available_data, menu, requirement_of  # noqa: E402
from dashboard.serving.page_queue import page_queue  # noqa: E402
from dashboard.serving.server import ends_with_its_run, prepare  # noqa: E402
from dashboard.session import workspace  # noqa: E402
from dashboard.warm_up import warm_up  # noqa: E402

A_DAY_S = 86_400

LOST = (
    "The connection was lost for too long, or the server was restarted, and your tables are no longer in its memory. "
    "Load them again to continue."
)


@st.cache_resource(show_spinner=False)
def start_process() -> None:
    """Prepare the server once, and keep the collector off what pages import, which it would walk after every run."""
    serving = prepare()
    import pandas  # noqa: F401

    import metrics.charts  # noqa: F401

    gc.collect()
    gc.freeze()
    if serving:
        Thread(target=warm_up, name="warm-up", daemon=True).start()


@st.fragment(run_every=A_DAY_S)
def rerun_when_reconnected() -> None:
    """A page with a part that is due some time asks for all of it once it is connected again, to a new server too.

    Without it, values of tables that are gone would stay until something is pressed.
    """


st.set_page_config(page_title="Quasi", page_icon=HERE / "icon.svg", layout="wide")
start_process()
read_link(workspace())
page = st.navigation(menu(available_data(workspace())), expanded=True)
st.html(HERE / "style.css")
rerun_when_reconnected()
st.logo(HERE / "logo.svg", size="large", icon_image=HERE / "icon.svg")
# Before the page, which may end the run.
with st.sidebar:
    policy_panel(workspace())
    unload_warning(workspace())
    folded_menu(page.url_path)
    keyboard(f"{page.url_path} {workspace().tables.empty}")
if requirement_of(page.url_path) is not PageRequirement.NOTHING:
    version_picker(workspace())
    changes_notice(workspace())
if workspace().lost and workspace().tables.empty:
    st.warning(LOST)
scores = workspace().score_cache.work
with ends_with_its_run(), scores.wanted(), page_queue().slot(scores.start):
    page.run()
