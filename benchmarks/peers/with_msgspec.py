"""msgspec, which reads and writes the same attrs classes in C."""

from __future__ import annotations

import msgspec

from ..attrs_classes import Answer, Page
from . import ANSWER, PAGE, Competitor

__all__ = ["COMPETITOR"]

COMPETITOR = Competitor(
    packages=("msgspec",),
    read={ANSWER: msgspec.json.Decoder(Answer).decode, PAGE: msgspec.json.Decoder(Page).decode},
    write=msgspec.json.Encoder().encode,
    refusal=(msgspec.ValidationError,),
)
