"""Errors meant for people: each message names the file, key or bot and the next step; the CLI prints it bare."""


class HarnessError(Exception):
    """Something the user can mend. ``exit_code`` is what the command ends with."""

    exit_code = 1


class UsageError(HarnessError):
    """A wrong command line, config or results folder."""

    exit_code = 2


class BotLoadError(HarnessError):
    """A bot that the run needs could not be loaded."""

    exit_code = 5
