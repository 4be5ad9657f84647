"""Utility bias: how far a statistic of the anonymized table is from that of the original."""
