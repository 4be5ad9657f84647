"""ε of randomized columns, and the frequencies that their cells tell."""
