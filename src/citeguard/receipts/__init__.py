"""Receipts: where an answer's quotes were found, to check again when the sources have changed."""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.receipts.receipt import CheckedReceipt, QuoteState, Receipt, check_receipt

__all__ = ["CheckedReceipt", "QuoteState", "Receipt", "check_receipt"]

_HOMES = {"receipt": "CheckedReceipt QuoteState Receipt check_receipt"}
__getattr__, __dir__ = lazily(__name__, _HOMES)
