"""Colours, axes and common shapes of charts."""
