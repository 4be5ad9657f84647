"""The dashboard: its state and its wording alone, and its pages as Streamlit's own test runner sees them."""
