"""What an attacker who knows some columns learns from the release, compared with guessing and a control."""
