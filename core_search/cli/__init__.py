"""The command line (SPEC 6). Exit 0 on success, 1 on a failure with one line on stderr, 2 on wrong usage."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from core_search.cli import benchmark, doctor, explaining, memory, querying, routing_report, scoring, sharing
from core_search.errors import CoreSearchError

COMMANDS = (
    *memory.COMMANDS,
    *querying.COMMANDS,
    *explaining.COMMANDS,
    *scoring.COMMANDS,
    *routing_report.COMMANDS,
    *sharing.COMMANDS,
    *doctor.COMMANDS,
    *benchmark.COMMANDS,
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = build_parser()
    given = parser.parse_args(arguments)
    try:
        return int(given.run(given) or 0)
    except CoreSearchError as error:
        if given.debug:
            raise
        print(f"core-search: {error}", file=sys.stderr)
    except BrokenPipeError:
        # The reader has gone (`| head`): there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print("core-search: stopped", file=sys.stderr)
    except OSError as error:
        if given.debug:
            raise
        print(f"core-search: {error}", file=sys.stderr)
    return 1


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="core-search", description="Search an agent's memory and see every stage of the search."
    )
    parser.add_argument("--debug", action="store_true", help="show a traceback when something fails")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, help_text, add_arguments, run in COMMANDS:
        command = commands.add_parser(name, help=help_text, description=help_text)
        command.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        add_arguments(command)
        command.set_defaults(run=run, parser=command)
    return parser
