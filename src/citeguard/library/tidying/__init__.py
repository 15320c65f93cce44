"""Text of PDF files, tidied by a language model that cannot change what it says: `tidy`."""

from citeguard.library.tidying.tidying import Tidied, TidiedParagraph, atidy, tidy

__all__ = ["Tidied", "TidiedParagraph", "atidy", "tidy"]
