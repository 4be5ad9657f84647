"""What an attacker who knows some columns of a person achieves with the release, against guessing and a control."""
