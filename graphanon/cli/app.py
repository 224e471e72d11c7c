"""The commands by name, and the one place where their answers and failures become text and exit codes."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.main import get_command

from graphanon.cli.answer import Answer, give, tell
from graphanon.cli.catalog_commands import datasets_command, methods_command
from graphanon.cli.convert_command import convert_command
from graphanon.cli.ldp_commands import cluster_command, perturb_command
from graphanon.cli.look_commands import audit_command, inspect_command
from graphanon.cli.options import JSON, READING, accept
from graphanon.cli.plot_command import plot_command
from graphanon.cli.release_commands import anonymize_command, demo_command, run_command
from graphanon.cli.report_command import report_command
from graphanon.cli.signals import INTERRUPTED, Ended, interrupted
from graphanon.errors import GraphanonError, Problem

__all__ = ["app", "run"]

FAULT = 3
WRONG_USE = 2

app = typer.Typer(
    name="graphanon",
    rich_markup_mode=None,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


@app.callback()
def _top(
    *, version: Annotated[bool, typer.Option("--version", help="Show the version and leave.", is_eager=True)] = False
) -> None:
    """Release social networks and tables as groups of at least k people, audited before they leave.

    Begin with 'graphanon demo', or with 'graphanon inspect PEOPLE --ties TIES' for your own data.
    """
    # --version is answered by `run`, before a command is asked for
    del version


_COMMANDS: tuple[tuple[str, Callable[..., Answer], Sequence[Parameter], str], ...] = (
    ("demo", demo_command, (), "Anonymize and draw a built-in social graph of 500 people."),
    ("inspect", inspect_command, READING, "Tell what was read and who stands alone; draft a schema."),
    ("anonymize", anonymize_command, READING, "Group people and write an audited release."),
    ("run", run_command, (), "Do what a job file says."),
    ("audit", audit_command, READING, "Recount every promise of a release from its files."),
    ("plot", plot_command, READING, "Draw pictures of a release."),
    ("report", report_command, (), "Draw pages about a run for its recipients and its custodian."),
    ("convert", convert_command, READING, "Write people and ties in another format."),
    ("methods", methods_command, (), "List the methods, or show one in full."),
    ("datasets", datasets_command, (), "List the built-in data sets, or write one as files."),
)
for _name, _command, _reading, _help in _COMMANDS:
    app.command(_name, short_help=_help)(accept(_command, JSON, gathered=_reading))

ldp = typer.Typer(
    rich_markup_mode=None, add_completion=False, no_args_is_help=True,
    help="Local differential privacy: randomize records one by one, and find groups in the answers.",
)
ldp.command("perturb", short_help="Randomize everyone's own record.")(accept(perturb_command, JSON, gathered=READING))
ldp.command("cluster", short_help="Find groups of alike people in randomized answers.")(accept(cluster_command, JSON))
app.add_typer(ldp, name="ldp", short_help="Randomize records one by one; find groups in the answers.")


def run(arguments: Sequence[str]) -> int:
    """Carry out one command line and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    as_json = "--json" in arguments
    try:
        return _carried_out(arguments, as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        tell("graphanon: interrupted")
        return INTERRUPTED
    except Ended as end:
        tell("graphanon: told to end")
        return end.code
    except Exception as error:  # noqa: BLE001  this is where every failure becomes a message
        code = None if isinstance(error, GraphanonError) else interrupted()
        if code is None:
            return _fail(error, as_json=as_json)
        tell("graphanon: interrupted")
        return code


def _carried_out(arguments: Sequence[str], *, as_json: bool) -> int:
    try:
        result = _answer(list(arguments) or ["--help"])
    except typer.Exit as end:
        return end.exit_code
    if not isinstance(result, Answer):
        return 0
    give(result, as_json=as_json)
    return result.code


def _answer(arguments: list[str]) -> Any:
    if arguments[0] == "--version":
        from graphanon import __version__

        return Answer(text=f"graphanon {__version__}", json={"version": __version__})
    command = get_command(app)
    with command.make_context("graphanon", arguments) as context:
        return command.invoke(context)


def _fail(error: Exception, *, as_json: bool) -> int:
    """Tell what went wrong, as text or as JSON, and return the exit code."""
    if isinstance(error, BrokenPipeError):
        # help that nobody reads to its end
        give(Answer(text=""), as_json=False)
        return 0
    problems, code = _problems(error)
    if os.environ.get("GRAPHANON_TRACEBACK"):
        tell("".join(traceback.format_exception(error)).rstrip())
    if as_json:
        told: dict[str, Any] = {"error": problems[0].as_json()}
        if len(problems) > 1:
            told["problems"] = [problem.as_json() for problem in problems]
        findings = getattr(error, "findings", None)
        if findings is not None:
            told["findings"] = list(findings)
        give(Answer(text="", json=told), as_json=True)
    for problem in problems:
        tell(f"graphanon: {problem}")
    return code


def _problems(error: Exception) -> tuple[tuple[Problem, ...], int]:
    """Return what to tell of an exception and the exit code that it means."""
    if isinstance(error, GraphanonError):
        return error.problems, error.exit_code
    if hasattr(error, "format_message"):
        return (_usage_problem(error),), WRONG_USE
    if isinstance(error, OSError):
        what = error.strerror or type(error).__name__
        file = None if error.filename is None else os.fsdecode(error.filename)
        return (Problem(what=what, file=file),), WRONG_USE
    if isinstance(error, MemoryError):
        return (Problem(what="there is not enough memory for this job"),), FAULT
    return (_fault_problem(error),), FAULT


def _usage_problem(error: Any) -> Problem:
    """Return a mistake in the command line as a problem like any other."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "graphanon"
    what = " ".join(error.format_message().split()).rstrip(".")
    return Problem(what=what, fix=f"'{command} --help' shows what can be given")


def _fault_problem(error: Exception) -> Problem:
    """Return an internal fault by its kind and place alone: its message may quote somebody's data."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "graphanon" in frame.filename]
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    what = f"internal fault: {type(error).__name__}{place}; the fault is graphanon's, and nothing was released"
    fix = "set GRAPHANON_TRACEBACK=1 and run again to see where (a traceback may quote your data)"
    return Problem(what=what, fix=fix)
