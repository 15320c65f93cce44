"""Sources, places in them, and finding quotes: `Source`, `Sources`, `Span`, `locate`, `Match`."""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.sources.layout import Box, Doubt, Heading, Layout, Location, Page, Section
    from citeguard.sources.matches import Edit, Framing, Grade

__all__ = [
    "Box",
    "Doubt",
    "Edit",
    "Framing",
    "Grade",
    "Heading",
    "Layout",
    "Location",
    "Page",
    "Section",
]

_HOMES = {
    "layout": "Box Doubt Heading Layout Location Page Section",
    "matches": "Edit Framing Grade",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
