"""What one session has chosen and computed, by subject. No Streamlit."""
