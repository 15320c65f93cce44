from __future__ import annotations

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
            "handbook.pdf",
        ]:
            assert web_url(url) is None


class TestTextFragmentUrl:
    def test_is_left_out_where_it_would_be_endless(self) -> None:
        assert text_fragment_url("https://a.example", "通知" * 400) == "https://a.example"


class TestPageUrl:
    def test_opens_the_page_whatever_place_was_named(self) -> None:
        for place in ["", "#", "#page=1", "#:~:text=Notice"]:
            assert page_url(f"https://example.org/a.pdf{place}", 12) == (
                "https://example.org/a.pdf#page=12"
            )
