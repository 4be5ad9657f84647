"""Report: the page for people who were not there, previewed, and the files that go with it."""

from dataclasses import replace

import streamlit as st

from dashboard.components.compared_versions import compared_versions
from dashboard.components.guard import require_all_classes
from dashboard.components.limits import page_title
from dashboard.components.scripts import version_script
from dashboard.components.uploader import settings_uploader
from dashboard.session import chosen_version, workspace
from pages.report.downloads import confidential_downloads, downloads, report_of

_PREVIEW_PX = 1_260
"""Height of the report's first page at the width of a desk; the style sheet has that of a telephone."""
state = workspace()
scored = require_all_classes()
page_title("Report")
card = state.with_analyses(state.with_singling_out(scored))
if saved := state.policy.parameters.analyses:  # the report answers counts, too, and the file of scores lists all
    card = replace(card, parameters=replace(card.parameters, analyses=saved))
label = chosen_version(state)
versions = state.cards()[0]
if len(versions) > 1:
    compared_versions(state, versions)
report = report_of(state, label, card)
downloads(state, label, card, report)
st.caption("Preview: scroll inside it for the following pages.")
with st.container(border=True, key="report_preview"):
    st.iframe(report, height=_PREVIEW_PX)
confidential_downloads(state, label, card)
version_script(state, label, [other for other in versions if other in state.tables.versions])
with st.expander("Restore a session"):
    settings_uploader(state)
