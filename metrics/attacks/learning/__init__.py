"""An attacker who trains a model on the release."""
