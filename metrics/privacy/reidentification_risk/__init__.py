"""The risk of re-identification by somebody who knows who is in the table, who does not, or who tries everybody."""
