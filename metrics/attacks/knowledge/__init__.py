"""What an attacker knows of a person, and which released records could be that person's."""
