"""Record linkage: how often an attacker who knows some columns of a person finds that person's released record."""
