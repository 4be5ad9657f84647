"""The application: the Streamlit dashboard, and `python3 -m dashboard`, which sets it up and starts it."""
