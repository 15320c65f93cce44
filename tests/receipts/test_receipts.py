"""Receipts of answers: what they record, and what is noticed when a source or a receipt changes."""

import hmac
import json
import sys
import unicodedata
from hashlib import sha256
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from inline_snapshot import snapshot

from citeguard import Answer, CiteguardError, Source, Sources
from citeguard.receipts import Receipt, check_receipt
from citeguard.sources.layout import Fields, Layout
from rows import each_row

TEXT = (
    "Café rules 😀\n\nVisitors need a badge. The notice period is one month\nfor everybody. It "
    "doesn’t apply during probation.\n\nThis is a heading\n\nDogs are allowed in the garden, and "
    "on all other days in the kitchen.\n"
)
QUOTE = "The notice period is one month\nfor everybody"
ELIDED = "Dogs are allowed in the garden … in the kitchen"
SECRET = "0123456789abcdef"


def answered(sources: Any, *quotes: str) -> Answer:
    cited = [{"text": "So it is.", "citations": [{"quote": quote}]} for quote in quotes]
    return Answer.model_validate({"statements": cited}, context=Sources(sources).as_context())


def receipt_of(*quotes: str, text: str = TEXT, key: str | bytes | None = None) -> Receipt:
    return answered({"rules": text}, *quotes).receipt({"rules": text}, key=key)


def status_of(receipt: Any, text: str = TEXT, source_id: str = "rules", **given: Any) -> str:
    return check_receipt(receipt, {source_id: text}, **given).status


class TestReceipt:
    def test_records_places_context_and_source(self) -> None:
        layout = Layout("text", len(TEXT), fields=Fields(authors=("Ada",), date="2024-05"))
        sources = Sources(Source("rules", TEXT, "Rules", "https://a.org/r", layout))
        receipt = answered(sources, QUOTE).receipt(sources)
        assert receipt.created_at.microsecond == 0
        told = json.loads(receipt.to_json())
        assert receipt.to_json().isascii()
        assert told.pop("created_at").endswith("Z")
        assert told.pop("citeguard")[0].isdecimal()
        assert told["sources"][0].pop("sha256") == sha256(TEXT.encode()).hexdigest()
        assert told == snapshot(
            {
                "format": "citeguard.receipt/1",
                "sources": [
                    {
                        "id": "rules",
                        "title": "Rules",
                        "authors": ["Ada"],
                        "date": "2024-05",
                        "url": "https://a.org/r",
                    }
                ],
                "quotes": [
                    {
                        "statement": "So it is.",
                        "quote": """\
The notice period is one month
for everybody\
""",
                        "source_id": "rules",
                        "grade": "exact",
                        "parts": [
                            {
                                "text": """\
The notice period is one month
for everybody\
""",
                                "prefix": """\
Café rules 😀

Visitors need a badge. \
""",
                                "suffix": ". It doesn’t apply during probation.",
                                "place": {
                                    "code_points": [37, 81],
                                    "utf16": [38, 82],
                                    "utf8": [41, 85],
                                },
                            }
                        ],
                    }
                ],
            }
        )

    def test_a_slice_in_each_unit_is_the_quote(self) -> None:
        for part in receipt_of(QUOTE, ELIDED).quotes[1].parts:
            start, end = part.place["utf8"]
            assert TEXT.encode()[start:end].decode() == part.text
            start, end = part.place["utf16"]
            assert TEXT.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le") == part.text

    def test_an_answer_without_quotes_has_none(self) -> None:
        answer = Answer.model_validate(
            {"statements": [], "unanswerable": "Nothing is said of cats."},
            context=Sources(TEXT).as_context(),
        )
        with pytest.raises(CiteguardError, match="without quotes has no receipt"):
            answer.receipt(TEXT)

    def test_cannot_hold_half_of_a_surrogate_pair_or_too_many_quotes(self) -> None:
        with pytest.raises(
            CiteguardError, match=r"no receipt can be made .* surrogates not allowed"
        ):
            receipt_of(QUOTE, text=TEXT.replace("badge", "\ud83d"))
        with pytest.raises(CiteguardError, match="at most 1000 items"):
            receipt_of(*[QUOTE] * 1001)


class TestChangedSource:
    @each_row(
        ("old", "new", "status"),
        [
            ("", "", "holds"),
            ("kitchen.\n", "kitchen.\n\nMore of it.", "holds"),  # far behind it
            ("month\nfor", "month for", "holds"),
            ("Café", "New title\n\nCafé", "moved"),
            ("\n", "\r\n", "moved"),
            ("NFD", None, "moved"),
            ("kitchen.\n", f"kitchen.\n\n{QUOTE}, again.", "holds"),  # and not its repetition
            ("The notice", "It is not true that the notice", "context_changed"),
            ("The notice", "Until 2020, the notice", "context_changed"),
            ("Visitors need a badge.", "The following is repealed.", "context_changed"),
            ("doesn’t apply", "applies", "context_changed"),
            ("everybody.", "everybody in 2020.", "context_changed"),
            (f"{QUOTE}.", f"~~{QUOTE}.~~", "stale"),
            ("everybody", "everybody no longer", "stale"),  # clipped
            ("everybody.", "everybody, except interns.", "stale"),
            ("one month", "two months", "stale"),
            ("one month", "1 month", "stale"),
            ("everybody", "everbody", "stale"),
            (TEXT, "Nothing of the kind.", "stale"),
        ],
    )
    def test_is_noticed(self, old: str, new: str | None, status: str) -> None:
        text = unicodedata.normalize("NFD", TEXT) if new is None else TEXT.replace(old, new)
        checked = check_receipt(receipt_of(QUOTE), {"rules": text})
        assert checked.status == status
        [state] = checked.quotes
        assert (state.problem is None) == (status in ("holds", "moved"))
        found = [text[span.start : span.end] for span in state.spans]
        words = [" ".join(unicodedata.normalize("NFC", each).split()).lower() for each in found]
        assert words == ([] if status == "stale" else [" ".join(QUOTE.split()).lower()])

    @each_row(
        ("old", "new", "status"),
        [
            ("Café", "A café", "moved"),
            ("and on all other days", "but never", "stale"),
            ("garden, and on all other days in the kitchen", "kitchen … in the garden", "stale"),
            ("This is a heading", "Not in force:", "context_changed"),
        ],
    )
    def test_of_an_elided_quote_is_noticed(self, old: str, new: str, status: str) -> None:
        assert status_of(receipt_of(ELIDED), TEXT.replace(old, new)) == status

    def test_negated_at_the_very_beginning_is_noticed(self) -> None:
        receipt = receipt_of("Lunch is free", text="Lunch is free.")
        assert status_of(receipt, "It is a myth that lunch is free.") == "context_changed"

    def test_of_text_that_nobody_sees_is_noticed(self) -> None:
        hidden = f"<div hidden>\n\n{TEXT}\n\n</div>"
        assert status_of(receipt_of(QUOTE), hidden) == "context_changed"

    def test_with_another_id_has_moved_and_with_another_text_too_is_gone(self) -> None:
        receipt = receipt_of(QUOTE)
        assert status_of(receipt, source_id="renamed") == "moved"
        assert status_of(receipt, f"New. {TEXT}", source_id="renamed") == "stale"

    def test_tells_what_is_closest(self) -> None:
        [state] = check_receipt(receipt_of(QUOTE), {"rules": TEXT.replace("one", "two")}).quotes
        assert state.problem is not None
        assert state.problem.nearest == QUOTE.replace("one", "two")


def edited(receipt: Receipt, *path: str | int, value: Any) -> str:
    """Return the JSON of a receipt with another value at a place."""
    data: Any = json.loads(receipt.to_json())
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return json.dumps(data)


PART = ("quotes", 0, "parts", 0)


class TestForgedReceipt:
    @each_row(
        ("path", "value"),
        [
            (("format",), "citeguard.receipt/2"),
            (("extra",), 1),
            (("quotes",), []),
            (("quotes", 0, "quote"), "The notice period is two months"),
            (("quotes", 0, "source_id"), "faq"),
            (("quotes", 0, "parts"), []),
            ((*PART, "text"), "The notice period is two months"),
            ((*PART, "prefix"), "Visitors need no badge. "),
            ((*PART, "suffix"), ". It applies always."),
            ((*PART, "place", "code_points"), [0, 44]),
            ((*PART, "place", "code_points"), [39, 82]),
            ((*PART, "place", "utf16"), [39, 83]),
            ((*PART, "place", "utf8"), [41, 84]),
            ((*PART, "place", "utf8"), [10**30, 10**30 + 44]),
            ((*PART, "place", "code_points"), ["38", "82"]),
            ((*PART, "place"), {"code_points": [38, 82]}),
            (("sources", 0, "sha256"), "0" * 63),
            (("sources", 0, "id"), "faq"),
        ],
    )
    def test_by_hand_is_noticed(self, path: tuple[str | int, ...], value: Any) -> None:
        assert status_of(edited(receipt_of(QUOTE), *path, value=value)) == "forged"

    def test_with_parts_in_another_order_is_noticed(self) -> None:
        [quote] = receipt_of(ELIDED).quotes
        last, first = json.loads(quote.model_dump_json())["parts"]
        swapped = {"parts": [first, last], "quote": f"{first['text']} … {last['text']}"}
        again = quote.model_dump(mode="json") | swapped
        assert status_of(edited(receipt_of(ELIDED), "quotes", 0, value=again)) == "forged"

    @each_row(
        "content",
        [
            *(receipt_of(QUOTE).to_json()[:length] for length in range(0, 900, 60)),
            "[" * 1_000_000,
            '"' + "x" * 11_000_000 + '"',
            receipt_of(QUOTE).to_json().replace("{", '{"citeguard": "0.1.0",', 1),  # twice
            b"\xff\xfe",
        ],
        ids=lambda content: f"{len(content)} {content[:10]!r}",
    )
    def test_or_cut_off_is_not_read(self, content: str | bytes) -> None:
        checked = check_receipt(content, TEXT)
        assert (checked.status, checked.receipt, checked.quotes) == ("forged", None, ())
        assert checked.reason

    def test_by_copying_with_other_values_is_noticed(self) -> None:
        receipt = receipt_of(QUOTE)
        [quote] = receipt.quotes
        other = quote.model_copy(update={"quote": "Anything"})
        assert status_of(receipt.model_copy(update={"quotes": (other,)})) == "forged"


class TestSignature:
    @each_row("name", ["secret", "pair"])
    def test_is_proved(self, name: str) -> None:
        pair = key_pair()
        private, public = (SECRET, f"{SECRET}\n") if name == "secret" else pair
        receipt = receipt_of(QUOTE, key=private)
        assert status_of(receipt, key=private) == "holds"
        assert status_of(receipt, key=public) == "holds"
        assert status_of(receipt) == "holds"
        reordered = dict(reversed(json.loads(receipt.to_json()).items()))
        assert status_of(json.dumps(reordered, ensure_ascii=False), key=public) == "holds"
        for wrong in (SECRET * 2, key_pair()[1], pair[1] if name == "secret" else SECRET):
            assert status_of(receipt, key=wrong) == "forged"

    @each_row(
        ("path", "value"),
        [
            (("quotes", 0, "statement"), "It takes no time."),
            (("created_at",), "2020-01-01T00:00:00Z"),
            (("citeguard",), "0.1.0"),
            (("sources", 0, "sha256"), "0" * 64),
            (("sources", 0, "title"), "The law"),
            (("signature",), None),
            (("signature", "value"), "0" * 64),
            (("signature", "algorithm"), "ed25519"),
        ],
    )
    def test_is_that_of_all_the_receipt(self, path: tuple[str | int, ...], value: Any) -> None:
        changed = edited(receipt_of(QUOTE, ELIDED, key=SECRET), *path, value=value)
        checked = check_receipt(changed, {"rules": TEXT}, key=SECRET)
        assert [each.status for each in checked.quotes] == ["forged", "forged"]
        assert checked.reason == "it is not signed with this key"

    def test_is_that_of_quotes_in_their_order(self) -> None:
        receipt = receipt_of(QUOTE, ELIDED, key=SECRET)
        changed = edited(receipt, "quotes", value=json.loads(receipt.to_json())["quotes"][::-1])
        assert status_of(changed, key=SECRET) == "forged"
        assert status_of(changed) == "holds"

    def test_is_not_made_with_what_everybody_knows(self) -> None:
        _, public = key_pair()
        receipt = receipt_of(QUOTE)
        value = hmac.digest(public.strip(), receipt.canonical, "sha256").hex()
        signature = {"algorithm": "hmac-sha256", "value": value}
        assert status_of(edited(receipt, "signature", value=signature), key=public) == "forged"

    def test_is_of_canonical_json(self) -> None:
        canonical = receipt_of(QUOTE, key=SECRET).canonical.decode()
        assert canonical.startswith('{"citeguard":"0.')
        assert '"place":{"code_points":[37,81],"utf16":[38,82],"utf8":[41,85]}' in canonical
        assert "Café rules 😀\\n" in canonical
        assert "null" not in canonical
        assert "signature" not in canonical

    @each_row(
        ("name", "problem"),
        [
            ("short", "needs at least 16 bytes"),
            ("public", "the public key only checks it"),
            ("ssh", "cannot be read as PEM"),
            ("encrypted", "cannot be read as PEM"),
            ("other", "a secret, or one of Ed25519"),
        ],
    )
    def test_needs_a_key_that_can_sign(self, name: str, problem: str) -> None:
        key = Ed25519PrivateKey.generate()
        encrypted = BestAvailableEncryption(b"secret")
        keys = {
            "short": b"0123",
            "public": key_pair()[1],
            "ssh": key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH),
            "encrypted": key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encrypted),
            "other": generate_private_key(SECP256R1()).private_bytes(
                Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
            ),
        }
        with pytest.raises(CiteguardError, match=problem):
            receipt_of(QUOTE, key=keys[name])

    def test_by_a_pair_needs_a_package(self, monkeypatch: pytest.MonkeyPatch) -> None:
        private, _ = key_pair()
        monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives", None)
        with pytest.raises(CiteguardError, match="pip install cryptography"):
            receipt_of(QUOTE, key=private)


def key_pair() -> tuple[bytes, bytes]:
    """Return a private key and its public key, in PEM."""
    key = Ed25519PrivateKey.generate()
    public = key.public_key()
    return (
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
        public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
    )
