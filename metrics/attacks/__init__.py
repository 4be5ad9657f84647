"""What an attacker who knows some columns learns from the release, compared with a baseline and a control."""
