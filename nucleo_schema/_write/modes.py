"""Ways of writing: one frozen value, handed down to everything that writes."""

from __future__ import annotations

from attrs import frozen

__all__ = ["SUMMARIZED", "TREE", "WHOLE", "WITH_REFS", "WriteMode"]


@frozen
class WriteMode:
    """
    What one way of writing does differently.

    Attributes:
        name: How messages call it.
        summarize: Whether long texts give way to summaries, and lists of artifacts to digests.
        artifacts_as_refs: Whether an artifact gives way to its reference.
        skip_context_ignored: Whether members marked ``context_ignore`` are left out.
        for_orjson: Whether orjson writes what comes of it: days, moments and UUIDs may then stay what they
            are, and an object's own list or dict may be handed over.
    """

    name: str
    summarize: bool = False
    artifacts_as_refs: bool = False
    skip_context_ignored: bool = False
    for_orjson: bool = True


TREE = WriteMode("tree", for_orjson=False)
WHOLE = WriteMode("whole")
SUMMARIZED = WriteMode("summarized", summarize=True)
WITH_REFS = WriteMode("with refs", summarize=True, artifacts_as_refs=True, skip_context_ignored=True)
