"""What the classes of all competitors share."""

from __future__ import annotations

import enum

__all__ = ["Kind"]


class Kind(enum.Enum):
    """What sort of publication is cited."""

    ARTICLE = "article"
    REVIEW = "review"
    PREPRINT = "preprint"
    DATA_SET = "data-set"
