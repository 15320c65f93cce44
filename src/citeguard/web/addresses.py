"""Which addresses may be opened: URLs of the web, and IP addresses that anybody can reach.

A name says nothing about where it leads, so a URL is only checked for its form here. What decides
is `refusal_of` for the IP address that a socket is about to be opened to (`web.connecting`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

import httpx

from citeguard.errors import CiteguardError, check_text

IPAddress = IPv4Address | IPv6Address

NOT_PUBLIC = "its address is not public"
"""Why an address is not opened that the caller could allow; see `refusal_of`."""

_PORTS = {"http": 80, "https": 443}
_LONGEST_URL = 8_000  # characters; RFC 9110 asks servers to take that many
# Underscores are against the rules for hosts (RFC 952), but some names of the web have them.
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_LONGEST_HOST = 253
# Where a number ends a host, browsers read an IPv4 address (WHATWG URL, "ends in a number").
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_AUTHORITY = re.compile(r"[^:/?#]*:/*(?P<authority>[^/?#]*)")

METADATA = frozenset(
    map(
        ip_address,
        (
            "100.100.100.200 168.63.129.16 169.254.42.42 169.254.169.254 169.254.170.2"
            " 169.254.170.23 192.0.0.192 fd00:42::42 fd00:ec2::23 fd00:ec2::254 fd20:ce::254"
        ).split(),
    )
)
"""Where clouds hand out credentials to the machines that they run: never opened, even if allowed.

Alibaba, Azure, Scaleway, AWS (and Google, Azure, Oracle, …), ECS, EKS, Oracle Classic; with IPv6
Scaleway, EKS, AWS, Google.
"""

# Not reachable by anybody: the registries of special-purpose addresses (RFC 6890), and multicast.
_NOT_PUBLIC_4 = [
    IPv4Network(network)
    for network in (
        "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12"
        " 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24"
        " 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"
    ).split()
]
_UNICAST = IPv6Network("2000::/3")
# Of the addresses in it: protocols with Teredo, documentation, 6to4, documentation again.
_NOT_PUBLIC_6 = [
    IPv6Network(network) for network in "2001::/23 2001:db8::/32 2002::/16 3fff::/20".split()
]
_NAT64 = IPv6Network("64:ff9b::/96")
_ISATAP = (0x00005EFE, 0x02005EFE)
_TEREDO = IPv6Network("2001::/32")
_TO_32_BITS = 0xFFFF_FFFF
_PREFIXES = (32, 40, 48, 56, 64)  # bits before an IPv4 address (RFC 6052, 2.2), besides 96


class AddressRefusedError(Exception):
    """An address is not opened; the message says why, and does not repeat the address."""


def read_url(url: str | httpx.URL) -> httpx.URL:
    """Return a URL in the form in which it is opened.

    Its host is in lower case and in ASCII, without a dot at its end; it has no fragment, and no
    port that its scheme has anyway.

    Raises:
        AddressRefusedError: It is not a URL with `http` or `https`, has a user name or password,
            writes an IPv4 address in another way than four decimal numbers, or has no proper host.

    Examples:
        >>> str(read_url("HTTPS://Example.org.:443/pay?page=2#notice"))
        'https://example.org/pay?page=2'
    """
    if isinstance(url, str):
        url = url.strip()
        if len(url) > _LONGEST_URL:
            raise AddressRefusedError(f"it has more than {_LONGEST_URL:,} characters")
        authority = _AUTHORITY.match(url)
        # Browsers read a backslash as a slash there, and httpx as a character of the user name.
        if authority is not None and "\\" in authority["authority"]:
            raise AddressRefusedError("it has a backslash in its host")
    try:
        url = httpx.URL(url)
    # UnicodeError: of a host that `idna` cannot encode.
    except (httpx.InvalidURL, ValueError) as error:
        raise AddressRefusedError("it cannot be read as an address") from error
    if url.scheme not in _PORTS:
        raise AddressRefusedError(
            "it is no address with http or https"
            if url.scheme
            else "it is no complete address: it has no scheme such as https"
        )
    if url.userinfo:
        raise AddressRefusedError("it has a user name or password in it, which is never sent")
    if url.port is not None and not 0 < url.port < 1 << 16:
        raise AddressRefusedError("it has a port that there is not")
    port = None if url.port == _PORTS[url.scheme] else url.port
    try:
        return url.copy_with(host=read_host(host_of(url)), port=port, fragment=None)
    except (httpx.InvalidURL, ValueError) as error:  # ValueError: characters that are not ASCII
        raise AddressRefusedError("it cannot be read as an address") from error


def joined(url: httpx.URL, reference: str) -> httpx.URL:
    """Return the address that a page refers to, as `read_url` does."""
    try:
        return read_url(str(url.join(reference.strip())))
    except (httpx.InvalidURL, ValueError) as error:
        raise AddressRefusedError("it cannot be read as an address") from error


def read_host(host: str) -> str:
    """Return a host in lower case, without brackets and without a dot at its end.

    It is an `AddressRefusedError` if it is neither a name nor an IP address in its usual form.
    """
    host = host.lower().removeprefix("[").removesuffix("]").removesuffix(".")
    if ":" in host:
        return str(_address(host))
    labels = host.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return str(_address(host))
    if len(host) > _LONGEST_HOST or not all(map(_LABEL.fullmatch, labels)):
        raise AddressRefusedError("its host is not a name that the web uses" if host else _NO_HOST)
    return host


_NO_HOST = "it names no host"


def _address(host: str) -> IPAddress:
    try:
        if "%" in host:  # a zone of this machine
            raise ValueError
        return ip_address(host)
    except ValueError as error:
        raise AddressRefusedError(
            "its host is a number, but no IP address in the usual form"
        ) from error


def host_of(url: httpx.URL) -> str:
    """Return the host of a URL of `read_url`, in ASCII; an IPv6 address without brackets."""
    return url.raw_host.decode("ascii")


def port_of(url: httpx.URL) -> int:
    """Return the port that a URL of `read_url` leads to."""
    return url.port or _PORTS[url.scheme]


def read_allowed(pairs: Collection[str]) -> frozenset[tuple[str, int]]:
    """Return pairs of a host and a port, as written "host:port", or "[::1]:8080"."""
    if isinstance(pairs, str):
        raise CiteguardError(f'allow: expected a collection of "host:port", got {pairs!r}')
    allowed: set[tuple[str, int]] = set()
    for pair in pairs:
        check_text("allow", pair, required=True)
        host, colon, port = pair.rpartition(":")
        is_port = port.isascii() and port.isdigit() and 0 < int(port) < 1 << 16
        bare = ":" in host and not host.startswith("[")
        try:
            if not colon or not is_port or bare:
                raise AddressRefusedError('it must be "host:port", such as "localhost:8080"')
            allowed.add((host_of(read_url(f"http://{host}:{port}")), int(port)))
        except AddressRefusedError as error:
            raise CiteguardError(f"allow: {pair!r}: {error}") from error
    return frozenset(allowed)


def refusal_of(address: str, *, allowed: bool = False) -> str:
    """Return why an IP address is not opened; empty if it may be.

    An IPv4 address that is written in an IPv6 address counts as both: mapped, compatible, 6to4,
    NAT64 (RFC 6052, RFC 8215), ISATAP and Teredo. One that the caller `allowed` may be private, but
    a metadata service of a cloud is never opened.

    Examples:
        >>> refusal_of("93.184.215.14"), refusal_of("127.0.0.1", allowed=True)
        ('', '')
        >>> refusal_of("::ffff:10.0.0.1")
        'its address is not public'
    """
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return "its address is not an IP address"
    # First of all, as no caller can allow these.
    if ip in METADATA or any(each in METADATA for each in _possibly_in(ip)):
        return "its address is that of a metadata service of a cloud"
    if allowed or _is_public(ip):
        return ""
    return NOT_PUBLIC


def _is_public(ip: IPAddress) -> bool:
    if isinstance(ip, IPv4Address):
        return not any(ip in network for network in _NOT_PUBLIC_4)
    if ip.ipv4_mapped is not None:
        return _is_public(ip.ipv4_mapped)
    low = IPv4Address(int(ip) & _TO_32_BITS)
    if ip in _NAT64:
        return _is_public(low)
    if ip not in _UNICAST or any(ip in network for network in _NOT_PUBLIC_6):
        return False
    return _is_public(low) if (int(ip) >> 32) & _TO_32_BITS in _ISATAP else True


def _possibly_in(ip: IPAddress) -> Iterator[IPv4Address]:
    """Yield the IPv4 addresses that an IPv6 address can hold, wherever a network may put them.

    Which prefix a network translates from is its own choice, so all of RFC 6052 are tried.
    """
    if isinstance(ip, IPv4Address):
        return
    bits = int(ip)
    yield IPv4Address(bits & _TO_32_BITS)
    if ip.sixtofour is not None:
        yield ip.sixtofour
    if ip in _TEREDO:
        yield IPv4Address(~bits & _TO_32_BITS)
    # Bits 64 to 71 are no part of it: without them, an IPv4 address is in one piece.
    joined = bits >> 64 << 56 | bits & (1 << 56) - 1
    for prefix in _PREFIXES:
        yield IPv4Address(joined >> 120 - 32 - prefix & _TO_32_BITS)
