"""Report: the page for people who were not there, previewed, and the files that go with it."""
