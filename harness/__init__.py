"""A tournament and bot-evaluation harness for the Splendor family of board games."""

__version__ = "0.1.0"
