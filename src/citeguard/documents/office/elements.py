"""What Word documents and slides share: the elements of their files, and lengths."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from docx.opc.constants import RELATIONSHIP_TYPE

from citeguard.documents.document import Colour
from citeguard.documents.files import ContentError
from citeguard.documents.office.colours import Theme, opacities

Element = Any  # of lxml, which has no types

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
ON = ("1", "true")
OFF = ("0", "false", "off", "none", "noStrike")
BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
CLEAR = 0.1
"""The share of a colour that covers nothing."""
OVERLAID = -0.5
"""Of the type's size: letters that much closer lie on one another."""
METRIC = 12_700
"""English metric units in a point."""
INKS = tuple(f"{A}{name}Fill" for name in ("solid", "grad", "blip", "patt", "no"))
_HOLLOW = (
    *("frame", "halfFrame", "donut", "arc", "blockArc", "bracketPair", "bracePair"),
    *(f"{side}{form}" for side in ("left", "right") for form in ("Bracket", "Brace")),
)
_NO_FILL = ("0", "1000")  # in a theme
_OF_GROUP = f"{A}grpFill"
_POINTS = {"pt": 1, "pc": 12, "pi": 12, "in": 72, "cm": 72 / 2.54, "mm": 72 / 25.4}
_LENGTH = re.compile(rf"(-?\d{{1,15}}(?:\.\d{{1,15}})?)({'|'.join(_POINTS)})?")
# The namespaces that today's Office knows: what needs another has a fallback, or is skipped.
_KNOWN = re.compile(
    r"http://schemas\.openxmlformats\.org/.+"
    r"|http://schemas\.microsoft\.com/office/(?:drawing|powerpoint|word)/20[012]\d/.+"
    r"|urn:schemas-microsoft-com:(?:office:office|office:word|vml)"
)


def theme_of(part: Any, names: Mapping[str, str] = {}) -> Theme:
    """Return the theme of a document or a master of slides, and other names of its colours."""
    related = (each for each in part.rels.values() if not each.is_external)
    themes = [each for each in related if each.reltype == RELATIONSHIP_TYPE.THEME]
    return Theme(themes[0].target_part.blob if themes else None, names)


def settled(element: Element) -> Element:
    """Return an element in which, of what programs may choose from, is what today's would show."""
    for choices in [*element.iter(f"{COMPATIBILITY}AlternateContent")]:
        shown = None
        for each in choices:
            needed = (each.get("Requires") or "").split()
            spaces = [each.nsmap.get(prefix) or "" for prefix in needed]
            # The first choice that needs nothing unknown, or the fallback, which needs nothing.
            if shown is None and all(map(_KNOWN.fullmatch, spaces)):
                shown = each
            else:
                choices.remove(each)
    return element


@lru_cache(10_000)
def _in_known(tag: str) -> bool:
    return _KNOWN.fullmatch(tag[1:].partition("}")[0]) is not None


def is_known(element: Element) -> bool:
    """Return whether today's Office knows an element, so that it does not skip what is in it."""
    return isinstance(element.tag, str) and _in_known(element.tag)


def attributes(element: Element | None) -> dict[str, str]:
    """Return the attributes of an element by their names, without those of other namespaces.

    Word's have the namespace of their element, those of slides and drawings have none.
    """
    if element is None:
        return {}
    # Office ignores those of a namespace that a file names as one to ignore, whatever they say.
    own = f"{{{element.nsmap.get(element.prefix)}}}"
    unprefixed = {name: text for name, text in element.items() if name[:1] != "{"}
    prefixed = ((name, text) for name, text in element.items() if name.startswith(own))
    return unprefixed | {name.removeprefix(own): text for name, text in prefixed}


def characters(element: Element) -> str:
    """Return the text in an element, also that after a comment.

    Raises:
        ContentError: it has an entity, which could be anything.
    """
    texts = [element.text or ""]
    for each in element:
        if "Entity" in type(each).__name__:
            raise ContentError(f"has an entity, {each.text}, that is not expanded")
        texts.append(each.tail or "")
    return "".join(texts)


def whole(written: str, default: int = 0) -> int:
    """Return a whole number, or the default for anything else."""
    return int(written) if re.fullmatch(r"-?\d{1,15}", written) else default


def points(written: str | None, units: float, default: float = 0) -> float:
    """Return a length in points, given how many of its units are one, unless it names another."""
    match = _LENGTH.fullmatch(written or "")
    if match is None:
        return default
    return float(match[1]) * (_POINTS[match[2]] if match[2] else 1 / units)


def is_pushed_out(body: Element, page: Sequence[float]) -> bool:
    """Return whether a margin in a text box is as wide as the page or the slide."""
    margins = (("lIns", 0), ("rIns", 0), ("tIns", 1), ("bIns", 1))
    return any(points(body.get(side), METRIC) >= page[axis] for side, axis in margins)


def fill_of(properties: Element | None) -> Element | None:
    """Return the fill of what has these properties: its own, its group's, or one of its style."""
    if properties is None:
        return None
    holder = properties.getparent()
    # Two fills break the rules, and the last one is drawn.
    fill = next((each for each in reversed(properties) if each.tag in (*INKS, _OF_GROUP)), None)
    if fill is None:
        styled = holder.find(f"{{*}}style/{A}fillRef")
        return None if styled is None or styled.get("idx") in _NO_FILL else styled
    if fill.tag == _OF_GROUP:
        group = next(holder.iterancestors("{*}grpSp", "{*}wgp"), None)
        return None if group is None else fill_of(group.find("{*}grpSpPr"))
    is_clear = fill.tag == f"{A}noFill" or max(opacities(fill)) < CLEAR
    return None if is_clear else fill


def is_opaque(shape: Element, share: float = 1 - CLEAR) -> bool:
    """Return whether a shape or a picture covers more than a share, by default all, behind it."""
    form = shape.find(f"{{*}}spPr/{A}prstGeom")
    if shape.tag.endswith("}pic"):
        fill = shape.find("{*}blipFill")
        return fill is None or min(opacities(fill)) > share
    if not shape.tag.endswith("sp") or (form is not None and form.get("prst") in _HOLLOW):
        return False
    fill = fill_of(shape.find("{*}spPr"))
    is_filled = fill is not None and min(opacities(fill)) > share
    return is_filled or shape.get("useBgFill") in ON


def is_outlined(shape: Element, least: float = 0) -> bool:
    """Return whether a line of that many points at least is drawn around a shape."""
    line = shape.find(f"{{*}}spPr/{A}ln")
    if line is None:
        return least == 0 and shape.find("{*}style") is not None
    return line.find(f"{A}noFill") is None and points(line.get("w"), METRIC) >= least


def vml_style(shape: Element) -> dict[str, str]:
    """Return the style of a shape of VML by names of CSS."""
    return dict(
        re.findall(r"([a-z-]+):([^;]*)", re.sub(r"\s", "", shape.get("style") or "").lower())
    )
