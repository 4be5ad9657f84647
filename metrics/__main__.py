"""`python -m metrics`: the command line."""

from metrics.cli import end_process, main

if __name__ == "__main__":
    end_process(main(program="python -m metrics"))
