"""Sections of the pages on people at risk: Classes and Risk."""
