"""URLs of all kinds lead to no connection that is not public or allowed, redirects included."""

import asyncio
import os
import random
import time
from collections import Counter
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

import httpcore
import pytest

from citeguard.judges.loops import run_sync
from citeguard.web import Fetcher, connecting
from citeguard.web.connecting import NoSuchNameError

# Addresses of the long test; a million were tried when this was written.
MANY = int(os.environ.get("CITEGUARD_FUZZED_URLS", "4000"))
ALLOWED = ("localhost", 8080)
INNER = """
    127.0.0.1 127.8.9.10 10.0.0.1 172.16.5.4 192.168.1.1 169.254.169.254 0.0.0.0 100.64.0.1
    100.100.100.200 168.63.129.16 224.0.0.1 255.255.255.255 192.0.2.7 198.18.0.1 240.1.1.1
""".split()
OUTER = "93.184.215.14 8.8.8.8 1.1.1.1 140.82.114.4".split()
INNER_6 = "::1 :: fe80::1 fc00::1 fd00:ec2::254 ff02::1 2001:db8::1 100::1 fec0::1".split()
OUTER_6 = "2606:4700:4700::1111 2001:4860:4860::8888 2a00:1450:4001:81b::200e".split()
NAMES = "localhost example.org attacker.example inner.example mixed.example bücher.example".split()
SCHEMES = "http https HTTP hTTpS ftp file gopher data javascript ws http+unix blob".split()
DOTS = ".\u3002\uff0e\uff61"
ODD = "@:/\\?#[]%.\u3002 \t\r\n\x00\u200b\uff11①ⓛ-_*'\"<>{}|^`~;,=&+$!()é漢\u202e0x7f"


class Addresses:
    """Writes addresses of the web, of this network and of neither, in all ways that there are."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def url(self) -> str:
        chance = self.chance
        scheme = chance.choice(SCHEMES[:4] if chance.random() < 0.9 else SCHEMES)
        slashes = "//" if chance.random() < 0.95 else chance.choice(["", "/", "///", "\\\\", "/\\"])
        user = "" if chance.random() < 0.9 else chance.choice(["a@", "a:b@", f"{self.host()}@"])
        port = "" if chance.random() < 0.6 else f":{chance.choice(['80', '8080', '443', '0', ''])}"
        path = chance.choice(["", "/", "/a?b=c", f"/?u=http://{self.host()}/", "/#@127.0.0.1"])
        url = f"{scheme}:{slashes}{user}{self.host()}{port}{path}"
        for _ in range(chance.choice([0, 0, 0, 1, 2])):
            place = chance.randrange(len(url) + 1)
            url = url[:place] + chance.choice(ODD) + url[place + chance.randrange(2) :]
        return url

    def host(self) -> str:
        chance = self.chance
        kind = chance.randrange(6)
        if kind == 0:
            return self.name(chance.choice(NAMES))
        if kind == 1:
            return f"[{chance.choice(INNER_6 + OUTER_6)}]"
        four = chance.choice(INNER if chance.random() < 0.8 else OUTER)
        if chance.random() < 0.1:
            four = str(IPv4Address(chance.randrange(2**32)))
        if kind == 2:
            return f"[{self.in_six(int(IPv4Address(four)))}]"
        return self.in_four(four)

    def name(self, name: str) -> str:
        chance = self.chance
        name = name.upper() if chance.random() < 0.2 else name
        name = name.replace(".", chance.choice(DOTS)) if chance.random() < 0.2 else name
        return name + "." * chance.choice([0, 0, 0, 1, 2])

    def in_four(self, four: str) -> str:
        chance = self.chance
        parts = [int(part) for part in four.split(".")]
        number = int(IPv4Address(four))
        short = f"{parts[0]}.{number & 0xFFFFFF}"
        writing = chance.choice("{} {} {:o} {:x}".split())
        ways = [
            four,
            four,
            str(number),
            hex(number),
            f"0{number:o}",
            short,
            ".".join(f"0{part:o}" for part in parts),
            ".".join(f"0x{part:x}" for part in parts),
            ".".join(writing.format(part) for part in parts),
            four.replace(".", chance.choice(DOTS)),
            four.translate({ord("0") + digit: ord("０") + digit for digit in range(10)}),
            "".join(f"%{ord(char):02x}" for char in four),
            f"{four}.",
            f"{four}.example",
        ]
        return chance.choice(ways)

    def in_six(self, four: int) -> str:
        chance = self.chance
        prefix = chance.choice([0x2606_4700, 0x2001_0DB8, chance.randrange(2**32)]) << 96
        isatap = chance.choice([0x5EFE, 0x0200_5EFE])
        ways = [
            0xFFFF << 32 | four,
            four,
            0x2002 << 112 | four << 80,
            0x64_FF9B << 96 | four,
            0x64_FF9B_0001 << 80 | four,
            0x64_FF9B_0001 << 80 | four >> 16 << 64 | (four & 0xFFFF) << 40,
            prefix | isatap << 32 | four,
            0x2001 << 112 | four ^ 0xFFFF_FFFF,
            prefix | four,
        ]
        six = IPv6Address(chance.choice(ways))
        return chance.choice([six.compressed, six.exploded, six.compressed.upper()])


def is_public(address: str) -> bool:
    """Return whether anybody can reach an address, as Python's standard library sees it."""
    ip = ip_address(address)
    if isinstance(ip, IPv6Address):
        four = IPv4Address(int(ip) & 0xFFFF_FFFF)
        if ip.ipv4_mapped is not None:
            return is_public(str(four))
        translated = str(ip.exploded).startswith("0064:ff9b:")
        if translated or (int(ip) >> 32) & 0xFDFF_FFFF == 0x5EFE:
            return is_public(str(four))
        if ip.sixtofour is not None or ip.teredo is not None or ip.is_site_local:
            return False
    known = ip_address("168.63.129.16")  # public by its number, and of Azure's machines
    return ip.is_global and not ip.is_multicast and ip != known


class Net:
    """A resolver that lies, and servers that redirect to whatever there is."""

    def __init__(self, addresses: Addresses) -> None:
        self.addresses = addresses
        self.opened: Counter[tuple[str, int]] = Counter()
        self.hosts: dict[str, str] = {}
        self.wrong: list[tuple[str, int]] = []
        self.asked_for = 0

    async def resolve(self, host: str, port: int) -> list[str]:
        chance = self.addresses.chance
        await asyncio.sleep(0)
        try:
            return [str(ip_address(host))]
        except ValueError:
            pass
        if host == "localhost":
            return ["::1", "127.0.0.1"]
        if host == "inner.example":
            return [chance.choice(INNER + INNER_6)]
        if host == "mixed.example":
            return [chance.choice(OUTER), chance.choice(INNER + INNER_6)]
        if host == "attacker.example":  # another answer each time
            return [chance.choice(OUTER + INNER + INNER_6)]
        if host.endswith("example") or host == "example.org":
            return [chance.choice(OUTER + OUTER_6)]
        # A resolver of C reads the ways of writing numbers that are left.
        if host.replace(".", "").isalnum() and chance.random() < 0.5:
            return [chance.choice(INNER)]
        raise NoSuchNameError(host)

    async def open_socket(
        self, address: str, port: int, timeout: float, options: Any
    ) -> httpcore.AsyncNetworkStream:
        self.opened[address, port] += 1
        own = port == ALLOWED[1] and address in ("::1", "127.0.0.1")
        if not own and not is_public(address):
            self.wrong.append((address, port))
        self.asked_for += 1
        target = self.addresses.url().encode("utf-8", "replace").translate(None, b"\r\n\0")
        head = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + target + b"\r\n\r\n"
        return httpcore.AsyncMockStream([head])


async def fuzz(addresses: Addresses, net: Net, count: int) -> Counter[str]:
    """Ask for addresses until so many were tried, and return what became of them."""
    outcomes: Counter[str] = Counter()
    fetcher = Fetcher(
        allow=[f"{ALLOWED[0]}:{ALLOWED[1]}"], robots=False, seconds_between=0, max_redirects=20
    )
    while outcomes.total() + net.asked_for < count:
        batch = await asyncio.gather(
            *(fetcher.afetch(addresses.url()) for _ in range(min(50, count)))
        )
        outcomes.update(page.outcome for page in batch)
    return outcomes


@pytest.mark.parametrize(
    ("count", "seed"),
    [(700, 1), pytest.param(MANY, None, marks=pytest.mark.slow)],
    ids=["quick", "long"],
)
def test_no_address_leads_inside(
    count: int, seed: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = time.time_ns() if seed is None else seed
    addresses = Addresses(seed)
    net = Net(addresses)
    monkeypatch.setattr(connecting, "resolve", net.resolve)
    monkeypatch.setattr(connecting, "open_socket", net.open_socket)
    outcomes = run_sync(fuzz(addresses, net, count))
    assert net.wrong == [], seed
    # It is no test if nothing was opened at all.
    assert net.opened.total() > count / 20
    assert ("127.0.0.1", 8080) in net.opened or ("::1", 8080) in net.opened
    assert outcomes["refused"] > count / 10
    assert set(outcomes) <= {"refused", "unreachable"}
