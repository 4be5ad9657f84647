"""Granularity, also known as loss: how much of its column's domain a value covers."""
