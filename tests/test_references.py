"""References: every spelling of one leads to one key, and mentions are found in any text."""

import random
import re

import pytest
from hypothesis import given, strategies as st

from nucleo_schema.errors import InvalidInputError
from nucleo_schema.references import (
    ID_CHARS,
    ID_LENGTH,
    REF_FIELD,
    extract_alias,
    is_reference,
    make_reference,
    new_id,
    normalize_to_key,
    refs_mentioned_in,
)

KEY = "«artifact:link:cite~a7f3b2»"

SPELLINGS = [
    KEY,
    "artifact:link:cite~a7f3b2",
    "«link:cite~a7f3b2»",
    "link:cite~a7f3b2",
    "  «artifact:link:cite~a7f3b2»\n",
    "« artifact:link:cite ~ a7f3b2 »",
    "artifact : link : cite ~ a7f3b2",
    "«\u202fartifact:link:cite~a7f3b2\u00a0»",
    "«artifact:link:cite~a7f3b2",
    "artifact:link:cite~a7f3b2»",
    "««artifact:link:cite~a7f3b2»»",
    "<<artifact:link:cite~a7f3b2>>",
    "<artifact:link:cite~a7f3b2>",
    "‹artifact:link:cite~a7f3b2›",
    "'«artifact:link:cite~a7f3b2»'",
    '"link:cite~a7f3b2"',
    "“link:cite~a7f3b2”",
    "`«artifact:link:cite~a7f3b2»`",
    "\ufeff«artifact:link:cite~a7f3b2»\u200b",
    "«artifact:link:cite~A7F3B2»",
]

NO_REFERENCES = [
    "",
    "   ",
    "hello",
    "link:cite",
    "~a7f3b2",
    "artifact:~a7f3b2",
    "«artifact:link:cite~a7f3b»",
    "«artifact:link:cite~a7f3b2c»",
    "«artifact:link:cite~a7f-b2»",
    "«artifact:link:cite~а7f3b2»",  # the first letter of the id is Cyrillic
    "«artifact:link::cite~a7f3b2»",
    "«artifact:link cite~a7f3b2»",
    "«artifact:link:cite~a7f 3b2»",
    "«artifact:link:cite\n~a7f3b2»",
    "see «artifact:link:cite~a7f3b2»",
    "«artifact:link:cite~a7f3b2» and more",
    "«artifact:link.cite~a7f3b2»",
]

levels = st.from_regex(r"[A-Za-z0-9_-]{1,8}", fullmatch=True)
aliases = st.lists(levels, min_size=1, max_size=4).map(":".join) | st.just("artifact:list")
ids = st.text(ID_CHARS, min_size=ID_LENGTH, max_size=ID_LENGTH)
references = st.builds(make_reference, aliases, ids)
texts = st.text() | st.text("«»artifact:~ \t\n'\"<>ab12-") | references


@st.composite
def spellings(draw):
    """Draw a canonical reference and another spelling of it."""
    alias, ref_id = draw(aliases), draw(ids)
    gaps = st.sampled_from(["", " ", "\t", "\u00a0", "  "])
    shouted = draw(st.booleans())
    opening, closing = draw(
        st.sampled_from([("«", "»"), ("", ""), ("«", ""), ("", "»"), ("<<", ">>"), ("'", "'")])
    )
    prefix = f"artifact{draw(gaps)}:{draw(gaps)}"
    if not alias.startswith("artifact:"):
        prefix = draw(st.sampled_from([prefix, ""]))
    spaced = ":".join(f"{draw(gaps)}{level}{draw(gaps)}" for level in alias.split(":"))
    last = ref_id.upper() if shouted else ref_id
    spelling = f"{draw(gaps)}{opening}{draw(gaps)}{prefix}{spaced}~{draw(gaps)}{last}{draw(gaps)}{closing}"
    return make_reference(alias, ref_id), spelling


def test_the_field_of_a_reference_is_artifact_ref():
    """Artifacts carry their reference under one pinned name."""
    assert REF_FIELD == "artifact_ref"


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_has_the_same_key(spelling):
    """Missing guillemets or prefix, spaces, quotes and capital letters in the id make no difference."""
    assert normalize_to_key(spelling) == KEY


@given(spellings())
def test_a_generated_spelling_has_its_key(pair):
    """The variations may be combined freely."""
    key, spelling = pair

    assert normalize_to_key(spelling) == key


@pytest.mark.parametrize("text", NO_REFERENCES)
def test_other_text_comes_back_stripped(text):
    """What is no reference keeps its words, so that no registry knows it."""
    assert normalize_to_key(f" {text}\n") == text.strip()


@given(texts)
def test_normalizing_twice_changes_nothing(text):
    """The key of a key is the key itself, and so for text that is no reference."""
    key = normalize_to_key(text)

    assert normalize_to_key(key) == key


@given(texts)
def test_what_normalizes_to_a_canonical_form_is_a_reference(text):
    """The test for a reference agrees with the normalization."""
    canonical = re.fullmatch(
        r"«artifact:[A-Za-z0-9_-]+(:[A-Za-z0-9_-]+)*~[a-z0-9]{6}»", normalize_to_key(text)
    )

    assert is_reference(text) == (canonical is not None)


@pytest.mark.parametrize("value", [None, 7, b"link:cite~a7f3b2", ["link:cite~a7f3b2"]])
def test_a_reference_that_is_not_text_is_refused(value):
    """The refusal names the parameter."""
    with pytest.raises(InvalidInputError, match=r"^ref: found "):
        normalize_to_key(value)


def test_the_alias_keeps_its_case():
    """Aliases are told apart by case, ids are not."""
    assert normalize_to_key("Link:Cite~A7F3B2") == "«artifact:Link:Cite~a7f3b2»"


@pytest.mark.parametrize(
    ("spelling", "alias"),
    [
        ("artifact:x~a7f3b2", "x"),
        ("artifact:artifact:x~a7f3b2", "artifact:x"),
        ("«artifact:artifact~a7f3b2»", "artifact"),
        ("artifact~a7f3b2", "artifact"),
        ("artifacts:x~a7f3b2", "artifacts:x"),
    ],
)
def test_a_leading_artifact_is_the_prefix_and_taken_off_once(spelling, alias):
    """An alias that begins with the word itself needs the prefix in front of it."""
    assert extract_alias(spelling) == alias


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_the_alias_is_extracted_from_every_spelling(spelling):
    """The alias comes without spaces, prefix and id."""
    assert extract_alias(spelling) == "link:cite"


@pytest.mark.parametrize("text", [*NO_REFERENCES, None, 7])
def test_what_is_no_reference_has_no_alias(text):
    """There is nothing to extract, and asking is no error."""
    assert extract_alias(text) is None


@pytest.mark.parametrize("text", [*NO_REFERENCES, None, 7])
def test_what_is_no_reference_is_told_apart(text):
    """The test answers for any value and never raises."""
    assert not is_reference(text)


@given(aliases, ids)
def test_a_reference_that_is_made_reads_back(alias, ref_id):
    """The alias is recovered, and the reference is canonical already."""
    ref = make_reference(alias, ref_id)

    assert (extract_alias(ref), normalize_to_key(ref)) == (alias, ref)


@pytest.mark.parametrize("alias", ["", " ", "a b", "a:", ":a", "a::b", "a~b", "é", "a\n", None])
def test_an_alias_that_would_not_read_back_is_refused(alias):
    """A reference is made only of what its spelling can carry."""
    with pytest.raises(InvalidInputError, match=r"^alias: found "):
        make_reference(alias, "a7f3b2")


@pytest.mark.parametrize("ref_id", ["", "a7f3b", "a7f3b2c", "A7F3B2", "a7f3b²", "a7f3b2\n", None])
def test_an_id_of_another_shape_is_refused(ref_id):
    """Ids are six small letters and digits."""
    with pytest.raises(InvalidInputError, match=r"^ref_id: found "):
        make_reference("link", ref_id)


def test_a_new_id_has_six_small_letters_and_digits():
    """Ids fit into references."""
    assert all(re.fullmatch("[a-z0-9]{6}", new_id()) for _ in range(100))


def test_a_seeded_generator_does_not_repeat_ids():
    """Ids come from the system's randomness, whatever a host does to the random module."""
    drawn = []
    for _ in range(5):
        random.seed(7)
        drawn.append(new_id())

    assert len(set(drawn)) > 1


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        (None, []),
        ("", []),
        ("nothing here", []),
        (f"Based on {KEY}, and so on.", [KEY]),
        (f"{KEY}{KEY}", [KEY]),
        ("« artifact: link:cite ~ A7F3B2 »", [KEY]),
        (
            f"first «artifact:code~bbbbbb», then {KEY}, then «artifact:code~bbbbbb»",
            ["«artifact:code~bbbbbb»", KEY],
        ),
        (f"an open one « and {KEY}", [KEY]),
        (f"««artifact:link:cite~a7f3b2»» and «{KEY}", [KEY]),
        (f'{{"artifact_refs": ["{KEY}"]}}', [KEY]),
        ("artifact:link:cite~a7f3b2", []),
        ("«link:cite~a7f3b2»", []),
        ("«artifact:link:cite~a7f3b2", []),
        ("<<artifact:link:cite~a7f3b2>>", []),
        ("«artifact:link:cite~a7f3b2x»", []),
        ("«artifact:link:cite~\na7f3b2»", []),
        ("«\nartifact:link:cite~a7f3b2»", []),
        ("«artifact:link:cite~a7f3b2\u2028»", []),
    ],
)
def test_mentions_are_found(text, refs):
    """A mention has guillemets and prefix and stands on one line; each counts once, at its first place."""
    assert refs_mentioned_in(text) == refs


@given(st.lists(references), st.text("ab »~:\n"))
def test_all_mentions_between_prose_are_found_in_order(refs, prose):
    """Whatever prose stands around them, references are found as they are, without repetition."""
    text = prose + prose.join(refs) + prose

    assert refs_mentioned_in(text) == list(dict.fromkeys(refs))


HOSTILE = ["«", "«artifact:", "«artifact:a:", "« ", "«artifact:a~", "«artifact:a ~ ", "»", "a:", "artifact: "]


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("start", ["", "«", "«artifact:"])
def test_a_long_hostile_text_mentions_nothing(start, piece):
    """Half a million repetitions are read in one pass; quadratic time would take hours."""
    assert refs_mentioned_in(start + piece * 500_000) == []


@pytest.mark.parametrize("piece", [*HOSTILE, " ", "a", "a : ", "-", '"'])
@pytest.mark.parametrize("start", ["a", "a~", "artifact:"])
def test_a_long_hostile_text_is_no_reference(start, piece):
    """A long text is judged in one pass; quadratic time would take hours."""
    assert not is_reference(start + piece * 500_000 + "!")
