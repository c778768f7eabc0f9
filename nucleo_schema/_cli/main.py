"""The commands of ``nucleo-schema`` and what they exit with."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from .. import NucleoError
from .console import PROGRAM, UsageError, abandon_output, report, use_utf8
from .demo import run_demo
from .describing import FORMS, schema_text
from .reading import ACCEPTED, STANDARD_INPUT, read_lines, read_reply
from .targets import load_target

__all__ = ["main", "make_parser"]

#: Exit statuses beside 0 and 1, which say whether every reply was accepted.
USAGE = 2
INTERRUPTED = 130
OUTPUT_CLOSED = 141

_DESCRIPTION = """\
Describe an attrs class to a language model, and read its raw reply back as an instance of it.
"""

_EXAMPLES = """\
examples:
  nucleo-schema demo
  nucleo-schema schema shop.answers:OrderAnswer --form llm
  nucleo-schema read shop.answers:OrderAnswer reply.txt
  nucleo-schema read shop.answers:OrderAnswer --jsonl < replies.jsonl > results.jsonl

exit status: 0 when all went well, 1 when a reply was refused, 2 when the command cannot be carried out.
"""

_DEMO_DESCRIPTION = """\
Show a class, its two schemas, and real-looking replies with what comes of each. Exits with 1 if
one comes out otherwise than expected.
"""

_SCHEMA_EXAMPLES = """\
examples:
  nucleo-schema schema shop.answers:OrderAnswer
  nucleo-schema schema shop.answers:OrderAnswer --form llm >> prompt.txt
"""

_READ_DESCRIPTION = """\
Read a model's raw reply and print it as normalized JSON, or print what is wrong with it on standard
error, one line for each problem.
"""

_READ_EXAMPLES = """\
With --jsonl each line is one reply: as it is, as a JSON string, or as the "text" of a JSON object.
Each result is one line, in the order of the replies; blank lines are skipped but counted:
  {"line": 1, "value": {"reply": "It arrives on Monday."}}
  {"line": 2, "problems": ["reply: missing, expected string"]}

examples:
  nucleo-schema read shop.answers:OrderAnswer reply.txt
  nucleo-schema read shop.answers:OrderAnswer < reply.txt
  nucleo-schema read shop.answers:OrderAnswer --jsonl replies.jsonl > results.jsonl
"""

_TARGET_HELP = "the class, as module:Class; the current directory is searched first"
_FORM_HELP = """\
json: JSON Schema with the x-nucleo-* keywords (the default); llm: the notation for prompts; model: JSON
Schema as a model may see it, artifacts as references and without the keywords
"""
_FILE_HELP = "the file that holds the reply; standard input when it is left out or -"


def main(argv: Sequence[str] | None = None) -> int:
    """
    Carry out the command in *argv*, by default that of the process.

    Returns:
        0 when all went well, 1 when a reply was refused, 2 when the command cannot be carried out,
        130 when it was interrupted, 141 when nobody reads its output any more.
    """
    use_utf8()
    try:
        try:
            return _run(argv)
        finally:
            print(end="", flush=True)
    except BrokenPipeError:
        abandon_output()
        return OUTPUT_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if not error.filename:  # it is the output: what could not be written would be tried again at exit
            abandon_output()
        report(f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror}")
    except (UsageError, NucleoError) as error:
        report(str(error))
    return USAGE


def _run(argv: Sequence[str] | None) -> int:
    arguments = _parse(argv)
    if arguments.command == "demo":
        return run_demo()
    target = load_target(arguments.target)
    if arguments.command == "schema":
        print(schema_text(target, arguments.form))
        return ACCEPTED
    return (read_lines if arguments.jsonl else read_reply)(target, arguments.file or STANDARD_INPUT)


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse *argv*, with FILE also behind the options, where argparse before Python 3.12.7 does not look."""
    parser = make_parser()
    arguments, rest = parser.parse_known_args(argv)
    if rest and getattr(arguments, "file", "") is None and not rest[0].startswith("--"):
        arguments.file = rest.pop(0)
    if rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    return arguments


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {_version()}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", title="commands")
    _fill_schema(commands.add_parser("schema", help="print the schema of a class"))
    _fill_read(commands.add_parser("read", help="read a model's raw reply and print it as normalized JSON"))
    demo = commands.add_parser("demo", help="show a class, its schemas, and what comes of messy replies")
    demo.description = _DEMO_DESCRIPTION
    return parser


def _fill_schema(parser: argparse.ArgumentParser) -> None:
    parser.description = "Print the schema of a class."
    parser.epilog = _SCHEMA_EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("target", metavar="TARGET", help=_TARGET_HELP)
    parser.add_argument("--form", choices=list(FORMS), default="json", help=_FORM_HELP)


def _fill_read(parser: argparse.ArgumentParser) -> None:
    parser.description = _READ_DESCRIPTION
    parser.epilog = _READ_EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("target", metavar="TARGET", help=_TARGET_HELP)
    parser.add_argument("file", metavar="FILE", nargs="?", help=_FILE_HELP)
    parser.add_argument("--jsonl", action="store_true", help="read one reply from each line")


def _version() -> str:
    try:
        return version(PROGRAM)
    except PackageNotFoundError:
        return "(not installed)"
