"""The limits that search and repair enforce: on nodes of the lattice, and on single classes."""
