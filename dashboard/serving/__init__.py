"""The server process: its precautions, its queue of pages, and the processes that read files."""
