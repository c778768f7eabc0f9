"""msgspec, which reads and writes the same attrs classes in C."""

from __future__ import annotations

import msgspec

from ..attrs_classes import Answer, Page
from . import ANSWER, PAGE, Competitor

__all__ = ["COMPETITOR"]

_ENCODER = msgspec.json.Encoder()


def _write(obj: object) -> str:
    return _ENCODER.encode(obj).decode()


COMPETITOR = Competitor(
    packages=("msgspec",),
    read={ANSWER: msgspec.json.Decoder(Answer).decode, PAGE: msgspec.json.Decoder(Page).decode},
    write=_write,
    refusal=(msgspec.ValidationError,),
)
