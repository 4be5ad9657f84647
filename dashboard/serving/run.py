"""`python -m dashboard.serving.run` is `python -m streamlit`, made fit to be stopped, and to give memory back."""

import runpy
import signal

from dashboard.serving.spare_memory import limit_malloc_arenas

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until Streamlit minds it: its imports take a second
    limit_malloc_arenas()
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
