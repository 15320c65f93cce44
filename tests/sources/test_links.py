import pytest

from citeguard.sources.links import page_url, text_fragment_url, web_url


class TestWebUrl:
    def test_takes_web_pages(self) -> None:
        for url in ["https://example.org", "http://example.org/a?b=c#d", "HTTPS://example.org"]:
            assert web_url(url) == url

    def test_takes_nothing_else(self) -> None:
        for url in [
            None,
            "",
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "java\nscript:alert(1)",
            " https://example.org",
            "data:text/html,x",
            "file:///etc/passwd",
            "//example.org",
            "https:example.org",
            "https:\\\\example.org",
            "https://[broken",
            "https://a..b",
            "http://127.0.0.1:0",
            "http://127.0.0.1:99999",
            "handbook.pdf",
        ]:
            assert web_url(url) is None


class TestTextFragmentUrl:
    def test_is_left_out_where_it_would_be_endless(self) -> None:
        assert text_fragment_url("https://a.example", "通知" * 400, 0, 800) == "https://a.example"

    @pytest.mark.parametrize(
        ("before", "words", "after", "directive"),
        [
            ("It ", "froze, well-known & so", " on.", "froze%2C%20well%2Dknown%20%26%20so"),
            ("", "A b c d e f g h i", ".", "A%20b%20c%20d,f%20g%20h%20i"),  # long
            ("", "Pay\n\nIt is monthly", ".", "Pay,It%20is%20monthly"),  # two blocks
            ("", "Year | Pay\n2020 | 3 %", "", "Year,3%20%25"),  # cells
            ("Rules:\n\n", "- Stop here.\n- Go on.", "", "Stop%20here.,Go%20on."),  # a list
            (
                "The lake froze. Then ",
                "the lake",
                " thawed.",
                "The%20lake%20froze.%20Then-,the%20lake",
            ),
            ("Pay\n\n", "Pay", " is monthly.", "Pay,-is%20monthly."),
            ("The pond fr", "oze", " over.", "froze"),  # whole words
        ],
    )
    def test_names_a_place_as_browsers_look_for_it(
        self, before: str, words: str, after: str, directive: str
    ) -> None:
        text = before + words + after
        url = text_fragment_url("https://a.example", text, len(before), len(before + words))
        assert url == f"https://a.example#:~:text={directive}"


class TestPageUrl:
    def test_opens_the_page_whatever_place_was_named(self) -> None:
        for place in ["", "#", "#page=1", "#:~:text=Notice"]:
            assert page_url(f"https://example.org/a.pdf{place}", 12) == (
                "https://example.org/a.pdf#page=12"
            )
