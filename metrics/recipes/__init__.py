"""The steps applied to a table, as a file that repeats them on new data: levels, recodings and suppression."""
