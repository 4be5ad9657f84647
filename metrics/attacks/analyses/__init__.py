"""Questions about several attacks or releases: who is exposed, what more knowledge adds, what an intersection tells."""
