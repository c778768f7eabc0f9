"""Seeded data: the same documents and replies in every run, as JSON trees and text."""

from __future__ import annotations

import datetime as dt
import json
import random
import re
from typing import Any

__all__ = [
    "LARGE_CITATIONS",
    "PAGE_CITATIONS",
    "answer_tree",
    "compact",
    "echo_reply",
    "fenced_reply",
    "messy_reply",
    "page_tree",
    "prose",
    "refused_reply",
]

PAGE_CITATIONS = 50
#: About 5 MB.
LARGE_CITATIONS = 5400

_SEED = 20241231
_PROSE_WORDS = 150  # before the fence, and as many after it
_TEXT = """
the of a and in to for with on by from that this as are is was were between under over within
analysis binding cell cohort control data depth dose effect enzyme error expression factor field
genome growth higher increase layer level light lower marker matrix measure membrane method model
network outcome pathway patient pattern phase protein rate receptor region response result sample
sequence signal site soil species stress structure study surface system target therapy tissue trial
variance vector water yield naïve Sjögren β-catenin 37°C
"""
_WORDS = _TEXT.split()
_NAMES = ("Okafor", "Lindqvist", "Müller", "Tanaka", "García", "Novak", "O'Brien", "Haddad", "Iyer")
_JOURNALS = ("Annals of Measurement", "Field Notes in Biology", "The Open Laboratory", "Review of Methods")
_KINDS = ("article", "review", "preprint", "data-set")


def page_tree(citations: int = PAGE_CITATIONS) -> dict[str, Any]:
    """Return a page of search results: about 45 KB with 50 citations."""
    rng = random.Random(_SEED)
    return {
        "query": "stress response under low light",
        "total": 1284,
        "citations": [_citation(rng) for _ in range(citations)],
    }


def answer_tree() -> dict[str, Any]:
    """Return a small answer, about 1 KB: nested reasoning and one citation."""
    rng = random.Random(_SEED + 1)
    citation = _citation(rng, abstract_words=20)
    return {
        "reply": "Yes: growth falls by a third under low light, and recovers within nine days.",
        "reasoning": {
            "approach": "Compare the cohorts by light level.",
            "steps": ["Found two trials.", "Read both abstracts.", "Took the larger one."],
            "confidence": 0.83,
        },
        "citations": [citation],
        "complete": True,
    }


def _citation(rng: random.Random, abstract_words: int = 80) -> dict[str, Any]:
    number = rng.randrange(10_000, 99_999)
    citation = {
        "title": _sentence(rng, rng.randrange(7, 13)),
        "authors": [f"{name} {rng.choice('ABCDEFG')}." for name in rng.sample(_NAMES, rng.randrange(2, 6))],
        "journal": rng.choice(_JOURNALS),
        "abstract": " ".join(_sentence(rng, abstract_words // 5) for _ in range(5)),
        "doi": f"10.5555/{number}",
        "published": str(dt.date(1990, 1, 1) + dt.timedelta(days=rng.randrange(12_000))),
        "relevance": round(rng.random(), 4),
        "kind": rng.choice(_KINDS),
        "peer_reviewed": rng.random() < 0.8,  # noqa: PLR2004
        "cited_by": rng.randrange(4_000),
        "keywords": rng.sample(_WORDS[20:], rng.randrange(3, 7)),
        "url": f"https://example.org/publications/{number}",
    }
    if rng.random() < 0.1:  # noqa: PLR2004
        del citation["doi"]
    return citation


def _sentence(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(_WORDS, k=words)).capitalize() + "."


def compact(tree: Any) -> str:
    """Return *tree* as JSON text without white space."""
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":"))


def prose(words: int, seed: int) -> str:
    """Return paragraphs of plain prose, with the quotes and brackets that prose has."""
    rng = random.Random(_SEED + seed)
    sentences: list[str] = []
    written = 0
    while written < words:
        length = rng.randrange(8, 16)
        sentence = _sentence(rng, length)
        written += length
        if rng.random() < 0.3:  # noqa: PLR2004
            sentence = f"I'd say it's \"{sentence[:-1].lower()}\" (see below)."
        sentences.append(sentence)
    return "\n\n".join(" ".join(sentences[i : i + 5]) for i in range(0, len(sentences), 5))


def fenced_reply(tree: Any) -> str:
    """Return *tree* in a fence, as models indent it, with 300 words of prose around it."""
    text = json.dumps(tree, ensure_ascii=False, indent=2)
    return f"{prose(_PROSE_WORDS, 1)}\n\n```json\n{text}\n```\n\n{prose(_PROSE_WORDS, 2)}\n"


_MEMBER = re.compile(r'^( *)"([a-z_]+)": (.*?)(,?)$')
_TEXT_OF_PLAIN_WORDS = re.compile(r'"([^"\'\\]*)"')


def messy_reply(tree: Any) -> str:
    """Return *tree* with comments, unquoted names, single quotes and trailing commas, all through it."""
    rng = random.Random(_SEED + 2)
    lines = [_messy_line(line, rng) for line in json.dumps(tree, ensure_ascii=False, indent=2).splitlines()]
    return "\n".join(lines)


def _messy_line(line: str, rng: random.Random) -> str:
    stripped = line.lstrip()
    if stripped[:1] in "}]" and not stripped.endswith(",") and line != stripped:
        return f"{line},"
    member = _MEMBER.match(line)
    if member is None:
        return line
    indent, name, value, comma = member.groups()
    if rng.random() < 0.5:  # noqa: PLR2004
        value = _TEXT_OF_PLAIN_WORDS.sub(r"'\1'", value)
    comment = "  // as found" if rng.random() < 0.05 and value[-1] not in "[{" else ""  # noqa: PLR2004
    opened = value[-1] in "[{"
    return f"{indent}{name}: {value}{comma if opened else ','}{comment}"


def echo_reply(tree: dict[str, Any]) -> str:
    """Return a page as a model writes it that fills in the schema itself, under the type's name."""
    citations = [{"@type": "Citation", "@fields": citation} for citation in tree["citations"]]
    page = {"@type": "Page", "@fields": {**tree, "citations": citations}}
    return json.dumps({"Page": page}, ensure_ascii=False, indent=2)


def refused_reply(tree: dict[str, Any]) -> str:
    """Return a page with one wrong value, in its last citation."""
    *before, last = tree["citations"]
    return compact({**tree, "citations": [*before, {**last, "cited_by": "many"}]})
