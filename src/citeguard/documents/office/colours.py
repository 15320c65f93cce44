"""Colours of Office files: `Theme`, which also knows its fonts, and what changes them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from colorsys import hls_to_rgb, rgb_to_hls
from importlib import import_module
from typing import Any

from PIL import ImageColor

from citeguard.documents.document import Colour

Element = Any  # of lxml, which has no types
_etree: Any = import_module("lxml.etree")

# How parts of a file name colours of a theme, in the order in which Excel counts them.
_NAMES = "lt1 dk1 lt2 dk2 accent1 accent2 accent3 accent4 accent5 accent6 hlink folHlink".split()
_ALIASES = {
    **{"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"},
    **{"background1": "lt1", "text1": "dk1", "background2": "lt2", "text2": "dk2"},
    **{"light1": "lt1", "dark1": "dk1", "light2": "lt2", "dark2": "dk2"},
    **{"hyperlink": "hlink", "followedHyperlink": "folHlink"},
}
_SYSTEM = {"window": (255, 255, 255), "windowText": (0, 0, 0)}
_USUAL = {"lt1": (255, 255, 255), "dk1": (0, 0, 0)}
_KINDS = ("srgb", "scheme", "sys", "prst", "scrgb", "hsl")  # of elements with colours
_FULL_TURN = 21_600_000  # 360 degrees, in their 60,000ths
_WHOLE = 100_000  # of an amount in thousandths of a percent


class Theme:
    """The colours and fonts of a file's theme.

    Args:
        content: The part of the file that has it, if any.
        names: Other names of its colours: "bg1" of a dark presentation is its "dk1".

    Attributes:
        fonts: The "major" and the "minor" font of letters.
    """

    def __init__(self, content: bytes | None = None, names: Mapping[str, str] = {}) -> None:
        self._names = _ALIASES | dict(names)
        self._colours: dict[str, Colour] = dict(_USUAL)
        self.fonts: dict[str, str] = {}
        if content:
            parser = _etree.XMLParser(resolve_entities=False, no_network=True)
            theme = _etree.fromstring(content, parser)
            for kind in ("major", "minor"):
                font = theme.find(f".//{{*}}{kind}Font/{{*}}latin")
                self.fonts[kind] = "" if font is None else font.get("typeface", "")
            scheme = theme.find(".//{*}clrScheme")
            for each in () if scheme is None else scheme:
                if isinstance(each.tag, str) and (colour := self.colour_in(each)):
                    self._colours[each.tag.partition("}")[2]] = colour

    def named(self, name: str | int) -> Colour | None:
        """Return a colour by its name, or by its number in Excel; `None` if unknown."""
        if isinstance(name, int):
            name = _NAMES[name] if name < len(_NAMES) else ""
        return self._colours.get(self._names.get(name, name))

    def colour_in(self, element: Element | None) -> Colour | None:
        """Return the colour that an element of DrawingML has in it, or `None` if unknown."""
        for each in () if element is None else element:
            kind = each.tag.partition("}")[2] if isinstance(each.tag, str) else ""
            value = next((text for key, text in each.items() if key.endswith("val")), "")
            colour: Colour | None = None
            if kind == "srgbClr":
                colour = rgb(value)
            elif kind == "schemeClr":
                colour = self.named(value)
            elif kind == "sysClr":
                # "lastClr" is what that colour was where the file was saved.
                colour = _SYSTEM.get(value) or rgb(each.get("lastClr") or "")
            elif kind == "prstClr":
                colour = named(value)
            elif kind == "scrgbClr":
                red, green, blue = (min(255, round(255 * amount(each.get(n)))) for n in "rgb")
                colour = red, green, blue
            elif kind == "hslClr":
                hue = float(each.get("hue") or 0) / _FULL_TURN
                colour = _from_hls(hue, amount(each.get("lum")), amount(each.get("sat")))
            if colour is not None:
                return _changed(colour, each)
        return None


def amount(written: str | None) -> float:
    """Return an amount in thousandths of a percent, or with a percent sign, as a share."""
    match = re.fullmatch(r"(-?\d+(?:\.\d+)?)(%?)", written or "")
    return 0.0 if match is None else float(match[1]) / (100 if match[2] else _WHOLE)


def opacities(fill: Element) -> list[float]:
    """Return the opacity of each colour and picture of a fill: 0 is clear, 1 is opaque."""
    found: list[float] = []
    for each in fill.iter("{*}blip", *(f"{{*}}{kind}Clr" for kind in _KINDS)):
        share = 1.0
        for change in each.iterchildren("{*}alpha", "{*}alphaMod", "{*}alphaModFix", "{*}alphaOff"):
            by = amount(change.get("val") or change.get("amt") or "100%")
            share = share + by if change.tag.endswith("Off") else share * by
        found.append(share)
    return found or [1.0]


def rgb(written: str) -> Colour | None:
    """Return a colour written as six hexadecimal digits, or behind two for its opacity."""
    if not re.fullmatch(r"(?:[0-9A-Fa-f]{2})?[0-9A-Fa-f]{6}", written):
        return None
    red, green, blue = bytes.fromhex(written[-6:])
    return red, green, blue


def tinted(colour: Colour, tint: float) -> Colour:
    """Return a colour made lighter by a share of what it lacks to white, or darker (below 0)."""
    hue, light, full = rgb_to_hls(*(part / 255 for part in colour))
    light = light + (1 - light) * tint if tint > 0 else light * (1 + tint)
    return _from_hls(hue, light, full)


def _changed(colour: Colour, element: Element) -> Colour:
    for each in element:
        kind = each.tag.partition("}")[2] if isinstance(each.tag, str) else ""
        share = amount(next((text for key, text in each.items() if key.endswith("val")), ""))
        hue, light, full = rgb_to_hls(*(part / 255 for part in colour))
        if kind == "lumMod":
            colour = _from_hls(hue, light * share, full)
        elif kind == "lumOff":
            colour = _from_hls(hue, light + share, full)
        elif kind == "tint":
            colour = tinted(colour, 1 - share)
        elif kind == "shade":
            colour = tinted(colour, share - 1)
        elif kind == "inv":
            red, green, blue = colour
            colour = 255 - red, 255 - green, 255 - blue
    return colour


def _from_hls(hue: float, light: float, full: float) -> Colour:
    red, green, blue = hls_to_rgb(hue, min(1.0, max(0.0, light)), full)
    return round(red * 255), round(green * 255), round(blue * 255)


def named(name: str) -> Colour | None:
    """Return a colour by its name in CSS, or `None` if unknown."""
    try:
        red, green, blue = ImageColor.getrgb(name)[:3]
    except ValueError:
        return None
    return red, green, blue
