"""The pages of the dashboard, one script each."""
