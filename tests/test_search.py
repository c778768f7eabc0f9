"""Search: exact in any case, with positions in the original text, in linear time."""

import itertools

import pytest
from hypothesis import given, strategies as st

from nucleo_schema._artifacts.search import iter_matches


def matches(text, query):
    """Return all matches."""
    return list(iter_matches(text, query))


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("one two ONE", "one", [(0, 3), (8, 11)]),
        ("aaaa", "aa", [(0, 2), (1, 3), (2, 4)]),
        ("abababa", "aba", [(0, 3), (2, 5), (4, 7)]),
        ("aabaabaaab", "aabaab", [(0, 6)]),
        ("aabaaabaab", "aabaab", [(4, 10)]),
        ("none", "x", []),
        ("", "x", []),
        ("text", "", []),
        ("ÄÖÜ äöü", "äÖü", [(0, 3), (4, 7)]),
        ("ΟΔΟΣ οδος", "Οδος", [(0, 4), (5, 9)]),
        ("Straße STRASSE", "strasse", [(0, 6), (7, 14)]),
        ("Straße", "STRAßE", [(0, 6)]),
        ("ß", "s", []),
        ("sß", "ss", [(1, 2)]),
        ("ßß", "ssss", [(0, 2)]),
        ("İİİ needle", "NEEDLE", [(4, 10)]),
        ("İstanbul", "İSTANBUL", [(0, 8)]),
        ("ﬁne fine", "FINE", [(0, 3), (4, 8)]),
    ],
)
def test_a_match_covers_whole_characters_of_the_original(text, query, found):
    """Case folding may make more characters of one, and positions do not shift."""
    assert matches(text, query) == found


LETTERS = st.text(alphabet="aAbBßẞİiıſsK\u212a", max_size=12)


@given(LETTERS, LETTERS.filter(bool))
def test_the_matches_are_those_that_a_naive_search_finds(text, query):
    """Each span whose folded text is the folded query, and no other."""
    spans = itertools.combinations(range(len(text) + 1), 2)
    naive = [(a, b) for a, b in spans if text[a:b].casefold() == query.casefold()]

    assert matches(text, query) == naive


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("a" * 400_000, "A" * 200_000),
        ("ß" * 100_000, "s" * 100_001),
        ("ab" * 200_000, "ab" * 50_000 + "c"),
        ("a" * 200_000 + "b", "a" * 1000 + "b"),
    ],
)
def test_hostile_texts_are_searched_to_the_end(text, query):
    """What would be quadratic takes minutes."""
    assert all(0 <= start < end <= len(text) for start, end in matches(text, query))


def test_a_search_stops_when_nobody_asks_on():
    """The first match comes without looking for the others."""
    assert next(iter_matches("ab" * 1_000_000, "ab")) == (0, 2)
