"""The command line: what a person or a script says, turned into calls of the library.

A command is a function that returns an :class:`~graphanon.cli.answer.Answer`: what a person reads, what
a script reads, and the exit code. Nothing but :mod:`graphanon.cli.app` prints one, so that ``--json``
means one object on standard output whatever the command, and every way to fail ends in one of the exit
codes: 0 done and every promise holds, 1 a promise is broken, 2 wrong use, bad input or an infeasible
promise, 3 an internal fault, 130 interrupted (143 and 129: ended by SIGTERM or SIGHUP).

The modules import only typer and the errors at their top; numpy and all that follows wait inside the
commands, so that help is quick.
"""

__all__: list[str] = []
