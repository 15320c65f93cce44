"""Which addresses may be opened: the forms of URLs, and the addresses that anybody can reach.

The lists of addresses are facts from pydantic-ai's `tests/test_ssrf.py` and the registries of IANA.
"""

from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard import CiteguardError
from citeguard.web.addresses import (
    METADATA,
    AddressRefusedError,
    port_of,
    read_allowed,
    read_url,
    refusal_of,
)
from rows import each_row

NOT_PUBLIC = """
    127.0.0.1 127.0.0.2 127.255.255.255 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255
    192.168.0.1 192.168.255.255 169.254.0.1 169.254.255.255 0.0.0.0 0.255.255.255 100.64.0.1
    100.127.255.255 100.100.100.200 192.0.0.1 192.0.0.170 192.0.2.1 198.18.0.1 198.19.255.255
    198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 192.88.99.1
    ::1 fe80::1 fe80::ffff:ffff:ffff:ffff fc00::1 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
    2002::1 2002:c0a8:0101::1 2002:0a00:0001::1 :: 100::1 2001::1 2001:db8::1 ff02::1 fec0::1
    3fff::1 5f00::1 64:ff9b::192.168.1.1 64:ff9b::a9fe:a9fe 64:ff9b:1::192.168.1.1
    64:ff9b:1:c0a8:1:100:: ::192.168.1.1 ::10.0.0.1 ::a9fe:a9fe 2606:4700::5efe:192.168.1.1
    2606:4700::200:5efe:169.254.169.254 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:192.168.1.1
    ::ffff:172.16.0.1 ::ffff:7f00:1 fe80::1%eth0 not-an-ip
""".split()

PUBLIC = """
    8.8.8.8 1.1.1.1 93.184.215.14 140.82.114.4 2001:4860:4860::8888 2606:4700:4700::1111
    ::ffff:8.8.8.8 ::ffff:1.1.1.1 64:ff9b::8.8.8.8 2606:4700::5efe:8.8.8.8 100.63.255.255
    172.32.0.1 169.253.255.255 192.0.1.1 223.255.255.255 2a00:1450:4001::200e
""".split()

OF_CLOUDS = """
    169.254.169.254 169.254.170.2 169.254.170.23 168.63.129.16 100.100.100.200 192.0.0.192
    169.254.42.42 fd00:ec2::254 fd00:ec2::23 fd20:ce::254 fd00:42::42 ::ffff:169.254.169.254
    ::ffff:a9fe:a9fe ::ffff:100.100.100.200 64:ff9b::169.254.169.254 64:ff9b::a9fe:a9fe
    64:ff9b::100.100.100.200 2002:a9fe:a9fe:: 2002:6464:64c8:: 64:ff9b:1::169.254.169.254
    64:ff9b:1:a9fe:a9:fe00:: ::169.254.169.254 ::a9fe:a9fe 2606:4700::5efe:169.254.169.254
    2606:4700::200:5efe:169.254.169.254 2001:db8:64::a9fe:a9fe 64:ff9b::169.254.170.2
    2001::5601:5601
""".split()

NOT_OF_CLOUDS = """
    127.0.0.1 169.254.169.253 169.254.169.255 169.254.170.1 169.254.170.3 168.63.129.15
    168.63.129.17 100.100.100.199 100.100.100.201 ::8.8.8.8 2606:4700::5efe:8.8.8.8
    64:ff9b::8.8.8.8 2606:4700:4700::1111 ::1 10.0.0.1
""".split()


REFUSED = {
    "it is no address with http or https": """
        file:///etc/passwd ftp://ftp.example.com/file.txt gopher://gopher.example.com
        gs://bucket/object s3://bucket/key data:text/plain,hello javascript:alert(1)
        view-source:http://example.com httpx://example.com
    """.split(),
    "it is no complete address: it has no scheme such as https": ["example.com/a", ""],
    "it names no host": ["http://", "http:///a"],
    "it has a user name or password in it, which is never sent": """
        http://user:password@example.com/ http://user@example.com/ http://example.com%2F@127.0.0.1/
    """.split(),
    "it has a backslash in its host": [
        "http://example.com\\@127.0.0.1/",
        "http://127.0.0.1\\.example.com/",
    ],
    "its host is a number, but no IP address in the usual form": """
        http://2130706433/ http://0x7f000001/ http://0x7f.1/ http://127.1/ http://127.0.0.1.1/
        http://%31%32%37.0.0.1/ http://1.0x/ http://[fe80::1%25eth0]/ http://[fe80::1%eth0]/
    """.split(),
    "its host is not a name that the web uses": [
        *"http://a..b/ http://-a.example/ http://%6c%6f%63%61%6c%68%6f%73%74/".split(),
        f"http://{'a' * 64}.example/",
        f"http://{'a.' * 127}example/",
        "http://a b.example/",
        "http://local*host/",
    ],
    "it cannot be read as an address": [
        *"http://１２７.0.0.1/ http://ⓛocalhost/ http://0177.0.0.1/ http://127.0.0.01/".split(),
        *"http://256.0.0.1/ http://[::1::2]/ http://example.com:http/ http://[::1/".split(),
        "http://exa\tmple.com/",
        "http://example.com/\r\nHost: localhost",
        "http://\ud800.example/",
        "http://[fe80::1%ⓛ]/",
    ],
    "it has a port that there is not": "http://a.example:0/ http://a.example:65536/".split(),
    "it has more than 8,000 characters": [f"http://example.com/{'a' * 8_000}"],
}


class TestRefusalOf:
    @each_row("address", NOT_PUBLIC)
    def test_what_not_everybody_can_reach_is_not_opened(self, address: str) -> None:
        assert refusal_of(address)

    @each_row("address", PUBLIC)
    def test_what_everybody_can_reach_is_opened(self, address: str) -> None:
        assert refusal_of(address) == ""

    @each_row("address", OF_CLOUDS)
    def test_metadata_is_never_opened(self, address: str) -> None:
        reason = "its address is that of a metadata service of a cloud"
        assert refusal_of(address, allowed=True) == refusal_of(address) == reason

    @each_row("address", NOT_OF_CLOUDS)
    def test_others_are_opened_if_they_are_allowed(self, address: str) -> None:
        assert refusal_of(address, allowed=True) == ""

    @given((st.ip_addresses(v=4) | st.ip_addresses(v=6)).filter(lambda ip: not ip.is_global))
    def test_python_knows_no_more_of_them(self, ip: IPv4Address | IPv6Address) -> None:
        if isinstance(ip, IPv4Address) or ip.ipv4_mapped is None:
            assert refusal_of(str(ip))

    @given(
        st.sampled_from([ip for ip in METADATA if isinstance(ip, IPv4Address)]),
        st.sampled_from([32, 40, 48, 56, 64, 96]),
        st.integers(0, 2**96 - 1),
    )
    def test_metadata_behind_any_prefix_of_rfc_6052(
        self, ip: IPv4Address, length: int, prefix: int
    ) -> None:
        bits = f"{prefix >> (96 - length):0{length}b}{int(ip):032b}"
        if length < 96:
            bits = f"{bits[:64]}{'0' * 8}{bits[64:]}"
        address = IPv6Address(int(bits.ljust(128, "0"), 2))
        assert "metadata" in refusal_of(str(address), allowed=True)


class TestReadUrl:
    @each_row(
        ("url", "read"),
        [
            ("http://example.com", "http://example.com/"),
            ("HTTPS://EXAMPLE.COM", "https://example.com/"),
            ("https://example.com.:443/a b", "https://example.com/a%20b"),
            ("http://example.com:8080/a?b=c#d", "http://example.com:8080/a?b=c"),
            ("  http://example.com/#:~:text=a", "http://example.com/"),
            ("http://bücher.example/ä", "http://xn--bcher-kva.example/%C3%A4"),
            ("http://[::FFFF:7F00:1]:80/", "http://[::ffff:7f00:1]/"),
            ("http://127。0。0。1/", "http://127.0.0.1/"),
            ("http://a_b.example/", "http://a_b.example/"),
        ],
    )
    def test_is_in_one_form(self, url: str, read: str) -> None:
        assert str(read_url(url)) in (read, read.removesuffix("/"))
        assert read_url(str(read_url(url))) == read_url(url)

    @each_row(
        ("url", "reason"),
        [(url, reason) for reason, urls in REFUSED.items() for url in urls],
        ids=lambda value: value[:40],
    )
    def test_says_why_an_address_is_not_opened(self, url: str, reason: str) -> None:
        with pytest.raises(AddressRefusedError) as refused:
            read_url(url)
        assert str(refused.value) == reason

    @given(st.text(), st.sampled_from(["", "http://", "https://example.com/"]))
    def test_reads_any_text_or_refuses_it(self, text: str, before: str) -> None:
        with suppress(AddressRefusedError):
            read = read_url(f"{before}{text}")
            assert read.scheme in ("http", "https")
            assert not read.userinfo
            assert not read.fragment
            assert read.raw_host
            assert 0 < port_of(read) < 2**16


class TestReadAllowed:
    def test_hosts_are_in_the_form_of_urls(self) -> None:
        allowed = read_allowed(["LocalHost.:8080", "[::1]:80", "10.0.0.1:443", "bücher.example:1"])
        assert allowed == {
            ("localhost", 8080),
            ("::1", 80),
            ("10.0.0.1", 443),
            ("xn--bcher-kva.example", 1),
        }

    @each_row(
        "pairs",
        [
            *(
                [pair]
                for pair in """
                    localhost localhost: localhost:http localhost:0 localhost:65536 ::1:80
                    http://localhost:80 user@localhost:80 *:80 :80 0x7f.1:80
                """.split()
            ),
            [80],
            "localhost:80",
        ],
    )
    def test_anything_else_is_a_mistake(self, pairs: list[str]) -> None:
        with pytest.raises(CiteguardError, match="allow"):
            read_allowed(pairs)
