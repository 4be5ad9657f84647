"""What the user states about the tables: roles, parameters of metrics, how records are matched."""
