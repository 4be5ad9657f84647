"""Attribute inference: how often an attacker who knows some columns of a person guesses a sensitive value."""
