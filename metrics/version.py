"""The version of Quasi: what packages and reports say."""

VERSION = "0.1.0"
