"""What must hold for every metric of the catalog."""
