"""Reasoning: the shapes in which a model may say how it came to its answer."""

from __future__ import annotations

from attrs import define, field

from .._declare.metadata import described, meta

__all__ = [
    "AnalysisReasoning",
    "ChainOfThoughtReasoning",
    "Reasoning",
    "SimpleReasoning",
    "ToolSelectionReasoning",
]


@define
class Reasoning:
    """The base class of reasoning shapes."""

    def user_friendly_description(self) -> str | None:
        """Return the reasoning in words for a person; None when there is nothing to say."""
        return None


@described("The reasoning behind the answer")
@define
class SimpleReasoning(Reasoning):
    """Reasoning as one text."""

    thought: str | None = field(default=None, metadata=meta("The thought that led to the answer"))

    def user_friendly_description(self) -> str | None:
        """Return the thought, or None."""
        return self.thought


@described("Why these tools were chosen")
@define
class ToolSelectionReasoning(Reasoning):
    """Reasoning about a choice of tools."""

    rationale: str | None = field(
        default=None, metadata=meta("Why these tools serve the task", required=True)
    )
    confidence: str | None = field(
        default=None, metadata=meta("How sure the choice is", examples=["high", "medium", "low"])
    )

    def user_friendly_description(self) -> str:
        """Return the rationale with the confidence behind it."""
        if _is_blank(self.rationale):
            return (
                "No tool selection rationale provided"
                if _is_blank(self.confidence)
                else f"Confidence: {self.confidence}"
            )
        return (
            f"{self.rationale}"
            if _is_blank(self.confidence)
            else f"{self.rationale} (Confidence: {self.confidence})"
        )


@described("How the answer was worked out, step by step")
@define
class ChainOfThoughtReasoning(Reasoning):
    """Reasoning as an approach and its steps."""

    approach: str | None = field(default=None, metadata=meta("The approach, in a sentence"))
    steps: list[str] | None = field(default=None, metadata=meta("The steps taken, in order", required=True))

    def user_friendly_description(self) -> str:
        """Return the approach and the steps, a line each."""
        steps = " → ".join(step for step in self.steps or () if not _is_blank(step))
        return _lines("No chain of thought provided", Approach=self.approach, Steps=steps)


@described("Why the findings matter, and what limits them")
@define
class AnalysisReasoning(Reasoning):
    """Reasoning about the relevance of findings."""

    relevance_justification: str | None = field(
        default=None, metadata=meta("Why the findings bear on the question", required=True)
    )
    caveats: str | None = field(default=None, metadata=meta("What limits the findings"))

    def user_friendly_description(self) -> str:
        """Return the relevance and the caveats, a line each."""
        return _lines("No analysis provided", Relevance=self.relevance_justification, Caveats=self.caveats)


def _is_blank(text: str | None) -> bool:
    return text is None or not text.strip()


def _lines(without: str, **parts: str | None) -> str:
    """Return the parts that are filled, each under its name; *without* when none is."""
    return "\n".join(f"{name}: {part}" for name, part in parts.items() if not _is_blank(part)) or without
