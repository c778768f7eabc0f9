"""The commands of ``nucleo-schema`` and what they exit with."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .. import NucleoError, dialects
from .batch import Batch, read_batch
from .console import PROGRAM, UsageError, flush_output, report, use_utf8
from .demo import run_demo
from .describing import FORMS, dialect_text, schema_text
from .reading import ACCEPTED, STANDARD_INPUT, read_reply
from .signals import Terminated
from .targets import load_target

__all__ = ["main", "make_parser"]

#: Exit statuses beside 0 and 1, which say whether every reply was accepted.
USAGE = 2
INTERRUPTED = 130
OUTPUT_CLOSED = 141
TERMINATED = 143

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
  nucleo-schema schema shop.answers:OrderAnswer --dialect OPENAI_STRICT
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
  nucleo-schema read shop.answers:OrderAnswer --jsonl replies.jsonl --output results.jsonl --resume
"""

_TARGET_HELP = "the class, as module:Class; the current directory is searched first"
_FORM_HELP = """\
json: JSON Schema with the x-nucleo-* keywords (the default); llm: the notation for prompts; model: JSON
Schema as a model may see it, artifacts as references and without the keywords
"""
_DIALECT_HELP = "JSON Schema in the terms of a provider or of local decoders"
_READ_DIALECT_HELP = "that of the schema which the model was given; what it changed is undone"
_FILE_HELP = "the file that holds the reply; standard input when it is left out or -"
_OUTPUT_HELP = "with --jsonl, the file for the results; standard output when it is left out"
_RESUME_HELP = "with --output, keep the results that OUTPUT holds, and go on with the reply after them"
_WORKERS_HELP = "with --jsonl, the number of processes that read (1, the default: this one)"


def main(argv: Sequence[str] | None = None) -> int:
    """
    Carry out the command in *argv*, by default that of the process.

    Returns:
        0 when all went well, 1 when a reply was refused, 2 when the command cannot be carried out,
        130 when it was interrupted, 141 when nobody reads its output any more, 143 when a batch was
        terminated.
    """
    use_utf8()
    try:
        try:
            return _run(argv)
        finally:
            flush_output()
    except BrokenPipeError:
        return OUTPUT_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except Terminated:
        return TERMINATED
    except OSError as error:
        report(f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror}")
    except (UsageError, NucleoError) as error:
        report(str(error))
    return USAGE


def _run(argv: Sequence[str] | None) -> int:
    arguments = _parse(argv)
    if arguments.command == "demo":
        return run_demo()
    if arguments.command == "read":
        _check_batch_options(arguments)
    target = load_target(arguments.target)
    if arguments.command == "schema":
        chosen = arguments.dialect
        print(dialect_text(target, chosen) if chosen else schema_text(target, arguments.form))
        return ACCEPTED
    source = arguments.file or STANDARD_INPUT
    dialect = dialects.DIALECTS[arguments.dialect]
    if not arguments.jsonl:
        return read_reply(target, source, dialect)
    return read_batch(
        Batch(
            target=target,
            target_name=arguments.target,
            source=source,
            output=arguments.output,
            resume=arguments.resume,
            workers=arguments.workers,
            dialect=dialect,
        )
    )


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse *argv*, with FILE also behind the options, where argparse before Python 3.12.7 does not look."""
    parser = make_parser()
    arguments, rest = parser.parse_known_args(argv)
    if rest and getattr(arguments, "file", "") is None and not rest[0].startswith("--"):
        arguments.file = rest.pop(0)
    if rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    return arguments


def _check_batch_options(arguments: argparse.Namespace) -> None:
    """Refuse options of ``read`` that mean nothing together."""
    if not arguments.jsonl and (arguments.output or arguments.resume or arguments.workers > 1):
        raise UsageError("--output, --resume and --workers are for a batch of replies; add --jsonl.")
    if arguments.resume and not arguments.output:
        raise UsageError("--resume goes on where a file ends; name it with --output.")


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
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--form", choices=list(FORMS), default="json", help=_FORM_HELP)
    forms.add_argument("--dialect", type=_dialect, choices=list(dialects.DIALECTS), help=_DIALECT_HELP)


def _fill_read(parser: argparse.ArgumentParser) -> None:
    parser.description = _READ_DESCRIPTION
    parser.epilog = _READ_EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("target", metavar="TARGET", help=_TARGET_HELP)
    parser.add_argument("file", metavar="FILE", nargs="?", help=_FILE_HELP)
    parser.add_argument("--jsonl", action="store_true", help="read one reply from each line")
    parser.add_argument("--output", metavar="OUTPUT", type=Path, help=_OUTPUT_HELP)
    parser.add_argument("--resume", action="store_true", help=_RESUME_HELP)
    parser.add_argument("--workers", metavar="N", type=_workers, default=1, help=_WORKERS_HELP)
    names = list(dialects.DIALECTS)
    parser.add_argument(
        "--dialect", type=_dialect, choices=names, default="STANDARD", help=_READ_DIALECT_HELP
    )


def _dialect(text: str) -> str:
    """Return the name of a dialect as it is spelled, for one in any case."""
    return text.upper().replace("-", "_")


def _workers(text: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,3}", text):
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a whole number from 1 to 9999")
    return int(text)


def _version() -> str:
    try:
        return version(PROGRAM)
    except PackageNotFoundError:
        return "(not installed)"
