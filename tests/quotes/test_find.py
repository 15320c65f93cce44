"""Finding in one text: which place wins, its grade, and what is found beyond the budget."""

import pytest

from citeguard.quotes.canonical import PreparedText
from citeguard.quotes.find import Occurrence, QuoteForm, accepted_places, find_quote, find_verbatim
from rows import each_row

TEXT = (
    "The tide mill at Eling grinds wheat twice a day, whenever the water in the pond stands higher "
    "than the water in the creek. It was not built for show: until 1946 the miller sold flour to "
    "every baker within 12 miles. Visitors may watch the wheel, but nobody may touch it."
)


def find(quote: str, text: str = TEXT) -> Occurrence | None:
    return find_quote(QuoteForm(quote), PreparedText(text))


def found(quote: str, text: str = TEXT) -> Occurrence:
    place = find(quote, text)
    assert place is not None
    return place


def words(place: Occurrence, text: str = TEXT) -> list[str]:
    return [text[start:end] for start, end in place.intervals]


class TestFindVerbatim:
    @pytest.mark.parametrize("quote", ["The tide mill", "touch it.", TEXT, " 12 miles "])
    def test_finds(self, quote: str) -> None:
        place = find_verbatim(QuoteForm(quote), PreparedText(TEXT))
        assert place is not None
        assert (words(place), place.grade, place.similarity) == ([quote.strip()], "exact", 1.0)

    @pytest.mark.parametrize(
        "quote", ["tide mills", "THE TIDE", "ide mill", "2 miles", "1946 the mill", ""]
    )
    def test_finds_nothing_altered_or_clipped(self, quote: str) -> None:
        assert find_verbatim(QuoteForm(quote), PreparedText(TEXT)) is None

    def test_passes_over_places_that_are_clipped(self) -> None:
        place = find_verbatim(QuoteForm("5 million"), PreparedText("25 million, then 5 million"))
        assert place is not None
        assert place.intervals == ((17, 26),)

    def test_passes_over_a_long_run_of_letters(self) -> None:
        place = find_verbatim(QuoteForm("aa"), PreparedText("a" * 100_000 + " aa"))
        assert place is not None
        assert place.intervals == ((100_001, 100_003),)


class TestAcceptedPlaces:
    def test_are_in_order_without_altered_ones(self) -> None:
        text = "It's safe. It is safe. “It’s safe.” Is it's safer?"
        places = list(accepted_places(QuoteForm("it's safe"), PreparedText(text)))
        assert [words(place, text) for place in places] == [["It's safe"], ["It’s safe"]]


class TestBest:
    def test_is_accepted_before_altered(self) -> None:
        text = "It was not built for show. It was built for show."
        assert words(found("It was built for show", text), text) == ["It was built for show"]

    def test_has_the_fewest_material_edits(self) -> None:
        text = "The mill by the old creek ground 12 tons. The mill by the creek ground 13 tons."
        place = found("The mill by the creek ground 14 tons", text)
        assert words(place, text) == ["The mill by the creek ground 13 tons"]

    def test_ends_with_the_sign_that_the_quote_spells_out(self) -> None:
        text = "The lens of one camera sees an angle of 84°. For a 35 mm camera, it is wide."
        place = found("The lens of one camera sees an angle of 84 degrees", text)
        assert words(place, text) == ["The lens of one camera sees an angle of 84°"]

    def test_has_the_nearest_typography(self) -> None:
        text = "IT'S SAFE. It’s safe. it's safe!"
        assert words(found("it's safe", text), text) == ["it's safe"]
        assert words(found("It’s  safe", text), text) == ["It’s safe"]

    def test_is_the_first_of_equals(self) -> None:
        text = "IT WAS SAFE. IT WAS SAFE."
        assert found("it was safe", text).intervals == ((0, 11),)


class TestPageBreaks:
    """More is missing than the edit budget allows, but it belongs to the page."""

    HEAD = "\n\n112\nProceedings of the Mill Society\n\n"

    @pytest.mark.parametrize("cut", [40, 80, 150, 240])
    def test_are_bridged(self, cut: int) -> None:
        cut = TEXT.index(" ", cut)
        text = TEXT[:cut] + self.HEAD + TEXT[cut + 1 :]
        place = found(TEXT, text)
        assert place.accepted
        assert place.intervals == ((0, len(text)),)
        assert [edit.reason for edit in place.edits] == ["page furniture"]

    def test_are_bridged_near_the_end_of_a_short_quote(self) -> None:
        text = TEXT.replace("twice a day", "twice" + self.HEAD + "a day")
        assert found("The tide mill at Eling grinds wheat twice a day", text).accepted

    def test_of_text_are_not_bridged(self) -> None:
        text = TEXT.replace("twice a day", "twice\n\nor less often, they say, in\n\na day")
        place = find("The tide mill at Eling grinds wheat twice a day", text)
        assert place is None or not place.accepted


class TestElided:
    def test_takes_the_place_near_the_other_segments(self) -> None:
        text = "The mill burnt down. " * 3 + "x " * 400 + "The mill, they say, still grinds wheat."
        place = found("The mill … still grinds wheat", text)
        assert place.intervals[0][0] == text.rindex("The mill")

    def test_of_passages_far_apart(self) -> None:
        text = "The mill stood still." + " It rained and rained." * 1000 + " Nobody came to see it."
        place = found("The mill stood still … Nobody came to see it", text)
        assert [edit.reason for edit in place.edits] == ["different passages"]

    def test_of_many_segments(self) -> None:
        assert found(" … ".join(TEXT.split()[::2][:20])).grade == "elided"
        assert find(" … ".join(TEXT.split()[::2][:21])) is None

    def test_with_a_leading_and_a_trailing_ellipsis_is_one_segment(self) -> None:
        place = found("… tide mill at Eling …")
        assert (words(place), place.accepted) == (["tide mill at Eling"], True)


class TestBrackets:
    def test_of_the_source_are_found_as_they_are(self) -> None:
        text = "The value of a[i] is [the] sum."
        assert found("value of a[i] is [the] sum", text).grade == "exact"


@each_row(
    ("quote", "text"),
    [
        ("The error is 3 mm.", "The error is +/−2 mm."),
        ("2−>", "r"),
        ("①…<b>", "①b"),
        ("²\x1c*", "\nthe ²²\x1c*"),
    ],
)
def test_odd_signs_are_no_quote(quote: str, text: str) -> None:
    place = find(quote, text)
    assert place is None or not place.accepted or place.grade == "exact"
