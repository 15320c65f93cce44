"""Sources, places in them, and finding quotes: `Source`, `Sources`, `Span`, `locate`, `Match`."""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.sources.layout import (
        Box,
        Cell,
        Doubt,
        Fields,
        Heading,
        Layout,
        Location,
        Page,
        Part,
        Section,
        Table,
    )
    from citeguard.sources.matches import Edit, Framing, Grade

__all__ = [
    "Box",
    "Cell",
    "Doubt",
    "Edit",
    "Fields",
    "Framing",
    "Grade",
    "Heading",
    "Layout",
    "Location",
    "Page",
    "Part",
    "Section",
    "Table",
]

_HOMES = {
    "layout": "Box Cell Doubt Fields Heading Layout Location Page Part Section Table",
    "matches": "Edit Framing Grade",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
