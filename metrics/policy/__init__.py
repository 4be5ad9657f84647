"""What a release must meet: limits, requirements, and the settings file that keeps them."""
