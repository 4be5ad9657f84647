"""Missing and suppressed cells: the share of cells without a value."""
