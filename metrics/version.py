"""The version of Quasi: what packages and reports say."""

VERSION = "1.0.0"
