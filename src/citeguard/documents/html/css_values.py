"""What values of CSS mean: `longhands`, the numbers in a value, and its colours.

A browser drops a declaration whose value it does not know, and keeps the one before. So here is
the grammar of the properties that can hide text. What it does not cover, such as the functions of
newer browsers, becomes `UNKNOWN`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from itertools import groupby
from typing import Any

from citeguard.documents.document import Colour

_css: Any = import_module("tinycss2")  # it has no types
_parse_colour: Any = import_module("tinycss2.color4").parse_color

UNKNOWN = "(unknown)"
"""A value that is not understood: a browser may take it, and it may hide text."""
WIDE = frozenset("inherit initial unset revert revert-layer".split())
"""The keywords that every property has."""
SCREEN = (1_280, 720)
"""The width and the height of the assumed screen, in pixels."""
# Hundredths of the screen: "1vw" is 12.8 pixels.
_VIEW = {"w": 12.8, "h": 7.2, "i": 12.8, "b": 7.2, "min": 7.2, "max": 12.8}
PIXELS = {
    **{"px": 1, "": 1, "pt": 4 / 3, "pc": 16, "in": 96, "cm": 37.8, "mm": 3.78, "q": 0.945},
    **{f"{of}{side}": n for of in ("v", "sv", "lv", "dv", "cq") for side, n in _VIEW.items()},
    **dict.fromkeys(("em", "rem", "ic", "ric"), 16),
    **dict.fromkeys(("ex", "ch", "cap", "rex", "rch", "rcap"), 8),
    **{"lh": 20, "rlh": 20, "%": 12.8},
}
"""What the units of lengths are in pixels; a percent is one of the screen's width."""
SHARES = {"": 1, "%": 0.01}
"""What the units of shares are."""
SIZES = ("xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large")
"""The keywords for sizes of type: 10 pixels, 12, and so on."""

_SIDES = ("top", "right", "bottom", "left")
_OUTER, _INNER = "block inline run-in", "flow flow-root table flex grid ruby math"
_LINES = "none underline overline line-through blink spelling-error grammar-error"
_BOXES = "border-box padding-box content-box"
# The properties that are understood, with the kinds of their values, lengths ("l"), numbers ("n"),
# colours ("c"), functions ("f") or anything ("*"), and their keywords.
_GRAMMAR = {
    name: (kinds, frozenset(keywords.split()))
    for names, kinds, keywords in (
        ("display", "", (
            f"{_OUTER} {_INNER} none contents list-item inline-block inline-table inline-flex"
            " inline-grid table-row-group table-header-group table-footer-group table-row"
            " table-cell table-column-group table-column table-caption ruby-base ruby-text"
            " -webkit-box -webkit-inline-box -webkit-flex -webkit-inline-flex"
        )),
        ("visibility", "", "visible hidden collapse"),
        ("position", "", "static relative absolute fixed sticky -webkit-sticky"),
        ("text-decoration-line", "", _LINES),
        ("overflow-x overflow-y", "", "visible hidden clip scroll auto overlay"),
        (" ".join(_SIDES), "l", "auto"),
        (" ".join(f"margin-{side}" for side in _SIDES), "l", "auto"),
        ("width height min-width max-width max-height", "l",
         "auto none min-content max-content fit-content stretch -webkit-fill-available"),
        ("text-indent", "l", "hanging each-line"),
        ("letter-spacing word-spacing outline-offset text-underline-offset translate", "l",
         "normal auto none"),
        ("vertical-align", "l",
         "baseline sub super top text-top middle bottom text-bottom -webkit-baseline-middle"),
        (" ".join(f"padding-{side}" for side in _SIDES), "l", ""),
        ("white-space", "", "normal nowrap pre pre-wrap pre-line break-spaces collapse wrap"),
        ("font-size", "l", f"{' '.join(SIZES)} smaller larger math"),
        ("line-height", "ln", "normal"),
        ("font-variant-position", "", "normal sub super"),
        ("opacity zoom scale z-index", "n", "none normal auto"),
        ("color background-color text-fill-color", "c", ""),
        ("transform filter background-image", "f", "none"),
        ("background-clip", "f", f"{_BOXES} text border-area"),
        ("rotate content quotes animation-name list-style-type text-stroke-width text-shadow flex"
         " flex-basis color-scheme background-size background-position grid-template-rows"
         " grid-template-columns border border-top border-bottom", "*", ""),
        ("counter-increment counter-reset counter-set text-transform flex-shrink float", "*", ""),
        ("initial-value inherits size-adjust", "*", ""),  # of variables and fonts
        ("system symbols additive-symbols", "*", ""),  # of marks
    )
    for name in names.split()
}  # fmt: skip
_SEVERAL = "display text-decoration-line text-indent translate scale white-space".split()
_KINDS = {"dimension": "l", "percentage": "ln", "number": "n", "function": "lnf", "url": "f"}
LINES = ("border", "border-top", "border-bottom")
"""The properties that draw lines which may be through a text."""
HARMLESS = {
    **dict.fromkeys(("mask-image", "mask-box", "offset-path", "line-clamp"), "none"),
    **dict.fromkeys(("font-size-adjust", "text-security"), "none"),
    "hyphenate-character": "auto",
    **{"mix-blend-mode": "normal", "text-overflow": "clip", "aspect-ratio": "auto", "clip": "auto"},
    **{"unicode-bidi": "normal embed isolate plaintext", "content-visibility": "visible auto"},
    **{"clip-path": "none inset(0)", "contain": "none inline-size layout style paint content"},
}
"""The values of further properties of which any other may hide text or show other text."""
COLOURS = frozenset(
    "color text-fill-color background background-color background-image background-clip".split()
)
"""The properties that say which colours text has, and which are behind it."""
INHERITED = frozenset(
    (
        "visibility color text-fill-color text-shadow text-stroke-width line-height letter-spacing"
        " word-spacing white-space text-security quotes list-style-type font-size-adjust"
        " counter-increment counter-reset counter-set text-transform"
    ).split()
)
"""The properties that an element has from what is around it, but for the size of its type."""
_ALIASES = {
    **{"block-size": "height", "inline-size": "width", "mask": "mask-image"},
    **{"max-block-size": "max-height", "max-inline-size": "max-width", "offset": "offset-path"},
    **{"inset-inline-start": "left", "inset-inline-end": "right", "inset-block-start": "top"},
    **{"inset-block-end": "bottom", "margin-inline-start": "margin-left"},
    **{"margin-block-start": "margin-top", "animation": "animation-name"},
    **{"list-style": "list-style-type", "text-stroke": "text-stroke-width"},
    **dict.fromkeys(("text-wrap", "text-wrap-mode"), "white-space"),
    **{f"background-position-{axis}": "background-position" for axis in "xy"},
    **dict.fromkeys(("mask-border", "mask-box-image", "mask-box-image-source"), "mask-box"),
}
_SIDED = {
    **{"overflow": ("overflow-x", "overflow-y"), "inset": _SIDES},
    **{name: tuple(f"{name}-{side}" for side in _SIDES) for name in ("margin", "padding")},
    **{"margin-block": ("margin-top", "margin-bottom"), "inset-block": ("top", "bottom")},
    **{"margin-inline": ("margin-left", "margin-right"), "inset-inline": ("left", "right")},
}
_SET: dict[str, Sequence[str]] = {
    **_SIDED,
    "font": ("font-size", "line-height"),
    "text-decoration": ("text-decoration-line",),
    "background": ("background-color", "background-image", "background-clip"),
    "all": (*_GRAMMAR, *HARMLESS),
}
_BEFORE_SIZES = "normal italic oblique bold bolder lighter small-caps".split()
_SYSTEM_FONTS = "caption icon menu message-box small-caption status-bar".split()
_OF_BACKGROUNDS = (
    "none repeat repeat-x repeat-y no-repeat space round scroll fixed local top right bottom left"
    f" center cover contain auto text {_BOXES}"
).split()
_OF_LINES = f"{_LINES} solid double dotted dashed wavy auto from-font currentcolor".split()
_MATH: dict[str, Callable[[list[float]], float]] = {
    **{"calc": max, "-webkit-calc": max, "min": min, "max": max},
    "clamp": lambda bounds: max(bounds[0], min(bounds[1:], default=bounds[0])),
}


def known_as(name: str) -> str:
    """Return the name of a property by which it is known here; empty if it cannot hide text."""
    name = name.removeprefix("-webkit-")
    name = _ALIASES.get(name, name)
    return name if name in _GRAMMAR or name in HARMLESS or name in _SET else ""


def set_by(name: str) -> Sequence[str]:
    """Return the properties that a property sets: itself, or several."""
    return _SET.get(name, (name,))


@lru_cache(maxsize=10_000)
def longhands(name: str, value: str, quirks: bool = False) -> Mapping[str, str]:
    """Return the value of each property that a declaration sets; none if browsers drop it.

    Args:
        name: The property.
        value: The value, in lower case and without variables.
        quirks: Whether lengths need no unit, as on pages without a document type.
    """
    tokens, names = parts(value), set_by(name)
    if value in WIDE:
        return dict.fromkeys(names, value)
    if value == UNKNOWN or name not in _SET:
        found = dict.fromkeys(names, value)
    elif name in _SIDED:
        given = [_css.serialize([token]) for token in tokens]
        if not 0 < len(given) <= len(names):
            return {}
        # Of "1px 2px 3px", the left side is as the right one; "1px 2px" is for two sides each.
        given += given[1:2] if len(given) == 3 else given * 3
        found = dict(zip(names, given, strict=False))
    else:
        found = {"font": _font, "background": _background}.get(name, _decoration)(tokens)
    checked = {each: _checked(each, value, quirks) for each, value in found.items()}
    return {} if "" in checked.values() else checked


def _font(tokens: Sequence[Any]) -> dict[str, str]:
    words = [getattr(token, "lower_value", "") for token in tokens]
    # "font: caption" is a font of the system, in its own size.
    if len(words) == 1 and words[0] in _SYSTEM_FONTS:
        return {"font-size": "small"}
    for place, token in enumerate(tokens):
        # A number before the size is a weight: "700 12px a".
        if words[place] not in _BEFORE_SIZES and not (token.type == "number" and token.value):
            rest = tokens[place + 1 :]
            line = _css.serialize(rest[1:2]) if rest and rest[0] == "/" else "normal"
            found = {"font-size": _css.serialize([token]), "line-height": line}
            # Browsers drop a font without the name of one: "font: 12px".
            return found if rest[2 if line != "normal" else 0 :] else {}
    return {}


def _background(tokens: Sequence[Any]) -> dict[str, str]:
    colours = [token for token in tokens if colours_in([token]) or is_current(token)]
    others = [token for token in tokens if token not in colours]
    words = {each.lower_value for each in others if each.type == "ident"}
    images = [each for each in others if each.type in ("url", "function")]
    names = [getattr(each, "lower_name", "url") for each in images]
    placed = any(each.type in ("dimension", "percentage") for each in tokens)
    known = all(name.endswith(("gradient", "url", "image-set")) for name in names)
    if not known or not words <= {*_OF_BACKGROUNDS} or (placed and "gradient" in " ".join(names)):
        return dict.fromkeys(set_by("background"), UNKNOWN)
    found = {
        "background-color": _css.serialize(colours[:1]) or "transparent",
        "background-image": _css.serialize(images) or "none",
        "background-clip": "text" if "text" in words else "border-box",
    }
    # Browsers drop a ground of two colours: "background: red blue".
    return found if len(colours) <= 1 else {}


def _decoration(tokens: Sequence[Any]) -> dict[str, str]:
    words = [token.lower_value for token in tokens if token.type == "ident"]
    lines = " ".join(word for word in words if word in _LINES.split())
    known = all(word in _OF_LINES or colours_in(parts(word)) for word in words)
    return {"text-decoration-line": (lines or "none") if known else UNKNOWN}


def _checked(name: str, value: str, quirks: bool) -> str:
    """Return a value of one property; `UNKNOWN`; or nothing if browsers drop it."""
    kinds, keywords = _GRAMMAR.get(name, ("*", frozenset[str]()))
    tokens = parts(value)
    if kinds == "*" or value == UNKNOWN or not tokens:
        return value
    words = [token.lower_value for token in tokens if token.type == "ident"]
    if kinds == "c":
        colour = len(tokens) == 1 and (colours_in(tokens) or is_current(tokens[0]))
        unknown = words or tokens[0].type == "function" or quirks
        return value if colour else UNKNOWN if unknown else ""
    if len(tokens) > 1 and "f" not in kinds and name not in _SEVERAL:
        return ""
    paired = all(len({*words} & {*each.split()}) == 1 for each in (_OUTER, _INNER))
    if not {*words} <= keywords or (name == "display" and len(words) > 1 and not paired):
        return ""
    for token in tokens:
        fits = {*_KINDS.get(token.type, "")} & {*kinds}
        if token.type == "function" and "f" not in kinds and token.lower_name not in _MATH:
            return UNKNOWN
        # Only a zero needs no unit, except on old pages.
        zero = token.type == "number" and "l" in kinds and (quirks or not token.value)
        known = fits and getattr(token, "lower_unit", "") in PIXELS
        if token.type != "ident" and token != "," and not zero and not known:
            return ""
    return value


@lru_cache(maxsize=10_000)
def parts(value: str) -> tuple[Any, ...]:
    """Return what a value is made of, without white space; a function is one part of it."""
    parsed = _css.parse_component_value_list(value, skip_comments=True)
    return tuple(each for each in parsed if each.type != "whitespace")


def functions(value: str) -> list[tuple[str, list[Any]]]:
    """Return the functions in a value: their names and arguments."""
    return [
        (each.lower_name, [a for a in each.arguments if a.type not in ("whitespace", "literal")])
        for each in parts(value)
        if each.type == "function"
    ]


def tokens_of(values: Iterable[Any]) -> Iterator[Any]:
    """Yield what values are made of, and so what is in functions."""
    waiting = [*values][::-1]
    while waiting:
        yield (token := waiting.pop())
        waiting += getattr(token, "arguments", ())[::-1]


def numbers(values: Iterable[Any], units: Mapping[str, float]) -> list[float | None]:
    """Return the numbers among values, by their units; `None` for what is not understood."""
    return [_number(each, units) for each in values if each.type not in ("ident", "literal")]


def _number(token: Any, units: Mapping[str, float]) -> float | None:
    unit = "%" if token.type == "percentage" else getattr(token, "lower_unit", "")
    if token.type in ("number", "percentage", "dimension"):
        return token.value * units[unit] if unit in units else None if token.value else 0
    if token.type == "() block":
        return _sum(token.content, units)
    if token.type != "function" or token.lower_name not in _MATH:
        return None
    terms = groupby(token.arguments, lambda each: each == ",")
    found = [_sum(term, units) for is_comma, term in terms if not is_comma]
    known = [number for number in found if number is not None]
    return _MATH[token.lower_name](known) if known and len(known) == len(found) else None


def _sum(tokens: Iterable[Any], units: Mapping[str, float]) -> float | None:
    """Return the result of a calculation."""
    total, product, sign = 0.0, 0.0, "+"
    for token in tokens:
        if token.type == "literal":
            sign = token.value
        elif token.type != "whitespace":
            number = _number(token, units)
            if number is None or (sign == "/" and not number):
                return None
            if sign in "+-":
                total, product = total + product, number if sign == "+" else -number
            else:
                product *= number if sign == "*" else 1 / number
    return total + product


def is_current(token: Any) -> bool:
    """Return whether a value is the colour of the text."""
    return token.type == "ident" and token.lower_value == "currentcolor"


def colours_in(tokens: Iterable[Any]) -> list[tuple[Colour, float]]:
    """Return the colours among values, and how much of what is behind each of them covers."""
    return [found for token in tokens if (found := _colour(token)) is not None]


def _colour(token: Any) -> tuple[Colour, float] | None:
    if token.type == "ident" and token.lower_value in _OF_THE_SYSTEM:
        return _OF_THE_SYSTEM[token.lower_value], 1
    try:
        colour = _parse_colour(token) if token.type in ("ident", "hash", "function") else None
    except ValueError:  # of "color()"
        return None
    if colour is None or colour == "currentcolor":
        return None
    if colour.space in ("srgb", "hsl", "hwb", "display-p3"):
        given = colour if colour.space == "display-p3" else colour.to("srgb")
    elif colour.space in ("lab", "lch", "oklab", "oklch"):  # the grey that is as light
        light = max(0, (colour.to("lab")[0] + 16) / 116) ** 3
        given = [12.92 * light if light < 0.0031 else 1.055 * light ** (1 / 2.4) - 0.055] * 3
    else:
        return None
    red, green, blue = (round(255 * min(1, max(0, n))) for n in given[:3])
    return (red, green, blue), colour.alpha


_OF_THE_SYSTEM: dict[str, Colour] = {"canvas": (255, 255, 255), "canvastext": (0, 0, 0)}
