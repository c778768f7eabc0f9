"""The picture: one bar for each competitor, in an SVG that reads on light and on dark pages."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from .peers import OURS
from .report import Environment, Outcome, amount
from .runner import ratio_of

__all__ = ["chart"]

_WIDTH = 760
_LABEL_WIDTH = 190
_BAR_WIDTH = 330  # of the longest bar of a group
_BAR_HEIGHT = 14
_ROW_HEIGHT = 19
_TITLE_HEIGHT = 30
_MARGIN = 16
_LINE_CHARS = 110

_STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; font-size: 13px; }
  .note { fill: #59636e; }
  .ours { fill: #0969da; }
  .peer { fill: #afb8c1; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .note { fill: #9198a1; }
    .ours { fill: #4493f8; }
    .peer { fill: #57606a; }
  }
"""


def chart(environment: Environment, outcomes: Sequence[Outcome]) -> str:
    """Return the SVG of all that was measured; each group has a scale of its own."""
    body: list[str] = []
    top = _MARGIN
    for outcome in outcomes:
        body += _group(outcome, top)
        top += _TITLE_HEIGHT + _ROW_HEIGHT * len(outcome.measures) + _MARGIN // 2
    versions = ", ".join(f"{name} {version}" for name, version in environment.packages.items())
    place = f"Shorter is better. {environment.python}, {environment.system}, {environment.cpus} CPUs."
    lines = [place, *textwrap.wrap(versions, _LINE_CHARS)]
    for line in lines:
        top += _ROW_HEIGHT
        body.append(_text(_MARGIN, top, line, "note"))
    height = top + _MARGIN
    size = f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
    title = "<title>nucleo_schema beside its peers</title>"
    return "\n".join([head, title, f"<style>{_STYLE}</style>", *body, "</svg>", ""])


def _group(outcome: Outcome, top: int) -> Iterator[str]:
    yield _text(_MARGIN, top + 18, outcome.name, "title")
    longest = max(measure.median for measure in outcome.measures.values())
    ours = outcome.measures[OURS]
    for row, (name, measure) in enumerate(outcome.measures.items()):
        y = top + _TITLE_HEIGHT + row * _ROW_HEIGHT
        width = max(1.0, _BAR_WIDTH * measure.median / longest)
        kind = "ours" if name == OURS else "peer"
        note = amount(measure.median, outcome.unit)
        if name != OURS:
            note += f", {ratio_of(measure, ours).median:.2f} times ours"
        yield _text(_MARGIN, y + 11, name, "")
        x = _MARGIN + _LABEL_WIDTH
        yield f'<rect class="{kind}" x="{x}" y="{y}" width="{width:.1f}" height="{_BAR_HEIGHT}" rx="2"/>'
        yield _text(x + width + 6, y + 11, note, "note")


def _text(x: float, y: float, text: str, kind: str) -> str:
    attribute = f' class="{kind}"' if kind else ""
    return f'<text{attribute} x="{x:g}" y="{y:g}">{escape(text)}</text>'
