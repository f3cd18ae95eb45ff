"""The bots of this package, one per file, registered through the same hook as anyone's."""
