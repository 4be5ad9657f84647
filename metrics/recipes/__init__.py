"""What was done to a table, as a file that does the same to new data: levels, recodings and suppression, in order."""
