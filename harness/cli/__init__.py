"""The ``harness`` command. Commands parse, call and print; what is heavy they import themselves."""

import errno
import io
import os
import sys
import traceback
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from harness import __version__
from harness.cli import bench, lists, match, replay, run
from harness.errors import HarnessError, UsageError

INTERRUPTED = 130


class _Group(TyperGroup):
    """Ends a command with a bare message and the right exit code where a HarnessError or Ctrl-C comes up."""

    def invoke(self, ctx: Any) -> Any:
        _mend_streams()
        try:
            _need_current_folder()
            result = super().invoke(ctx)
            sys.stdout.flush()  # a full disk is told here, not by the interpreter as it ends
            return result
        except HarnessError as error:
            if os.environ.get("HARNESS_DEBUG") == "1":
                raise
            print(error, file=sys.stderr)
            raise typer.Exit(error.exit_code) from None
        except EOFError:  # typer would take it for an end of the user's input, and say "Aborted"
            traceback.print_exc()
            raise typer.Exit(1) from None
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            _give_up_stdout()
            where = error.filename or "the output of this command"
            print(f"cannot write {where}: {error.strerror}; free some space and try again", file=sys.stderr)
            raise typer.Exit(UsageError.exit_code) from None
        except KeyboardInterrupt:
            print("interrupted", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None


def _mend_streams() -> None:
    """Put /dev/null where a standard stream is closed, lest the next file takes its place; and print what a terminal
    cannot show as question marks.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_RDWR)
            if handle != number:
                os.dup2(handle, number)
                os.close(handle)
            setattr(sys, name, open(number, "w" if number else "r", closefd=False))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")


def _give_up_stdout() -> None:
    """Let what waits to be printed go nowhere, if that is what cannot be written."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _need_current_folder() -> None:
    try:
        os.getcwd()
    except OSError as error:
        raise UsageError(f"the current folder is gone ({error.strerror}); go to another folder first") from None


app = typer.Typer(
    name="harness",
    cls=_Group,
    help="Tournaments and evaluation of bots for the Splendor family of board games.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"jewel-harness {__version__}")
        raise typer.Exit


@app.callback()
def main(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Tournaments and evaluation of bots for the Splendor family of board games."""


app.command("run")(run.run)
app.command("match")(match.match)
app.command("report")(run.report)
app.command("replay")(replay.replay)
app.add_typer(lists.bots_app, name="bots")
app.add_typer(lists.games_app, name="games")
app.command("bench")(bench.bench)
