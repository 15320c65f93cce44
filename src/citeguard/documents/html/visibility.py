"""How an element of a page is shown by the values of its properties: `Look`, and `shown`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, prod
from typing import Any

from citeguard.documents.document import FAINTEST, SMALLEST, Colour, Reason, contrast, mixed
from citeguard.documents.html.css_values import (
    COLOURS,
    HARMLESS,
    INHERITED,
    LINES,
    PIXELS,
    SCREEN,
    SHARES,
    SIZES,
    UNKNOWN,
    colours_in,
    functions,
    is_current,
    numbers,
    parts,
    tokens_of,
)

# Numbers of a property between which it hides nothing, mostly lengths in pixels.
_LIMITS = {
    "letter-spacing": (-inf, 200),
    **dict.fromkeys(("outline-offset", "text-underline-offset"), (-5, inf)),
    "word-spacing": (-inf, 100),
    "vertical-align": (-100, 100),
    **dict.fromkeys(("padding-left", "padding-top"), (0, 600)),
    **dict.fromkeys(("margin-right", "margin-bottom"), (-450, inf)),
    "text-stroke-width": (-inf, 2),
}
_OUT, _BEYOND = -500, 5_000  # pixels: no wide menu slides in from so far
_PLACED, _MOVED = -20, -50  # pixels: a shift out of the text around it, and one in it
_BULLET = 24  # pixels: what is drawn beside the text is at most so wide
_FLAT = 4  # pixels: a line between two lines of text is at most so high
_INDENTED, _LARGEST, _FAR = 100, 1_000, 200  # pixels
_NARROW = 0.45  # of the size of the type: what a letter takes at least on average
# Latin letters and signs, but "-" and "/", behind which a line may break.
_UNBROKEN = re.compile(r"[!-,.0-~\xa0-\u024f]+")
_BESIDE = ("margin-left", "text-indent", "padding-left")
_LIFTS = {"super": "raised", "sub": "lowered"}
_FAINT = 0.1  # opacity
_OF_ITSELF = 1  # pixels that a percent of an element is assumed to have
_OFF = 75  # percent of itself: what is moved further leaves its place; half is to centre it
_CLOSE, _UP = 0.2, 1.5  # of the size of the type: letters on one another; out of what cuts it
_ASIDE, _AWAY = 3, 8  # pixels: a shift within a word that is seen, and one within a sentence
_RECOLOURING = ("drop-shadow", "grayscale", "sepia", "saturate", "hue-rotate")
_EXTENTS = ("width", "height", "max-width", "max-height")
_CUTTING = {"hidden", "clip", "scroll", "auto", "paint", "strict", "content"}
_WHITE: Colour = (255, 255, 255)
_DARK: Colour = (18, 18, 18)  # behind pages that ask for a dark screen
_BLACK: tuple[Colour, float] = ((0, 0, 0), 1)

World = frozenset[str]
"""Questions that are answered with yes; all others are answered with no."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """How an element is shown under one combination of answers; lengths are in pixels."""

    gone: bool = False  # whether nothing in it is shown
    doubted: bool = False  # whether that may be so
    unseen: Reason | None = None  # why its own text is not seen, or seen struck out
    unsure: bool = False  # whether that may be so
    struck: bool = False  # whether a line strikes it out
    lift: str = ""  # whether it is "raised" or "lowered" from the line that it is in
    size: float = 16  # of its type
    root: float = 16  # of the type of the page
    opacity: float = 1  # what those of all around it multiply to
    moved: float = 0  # what the shifts of all around it add up to
    wide: float = SCREEN[0]
    room: float = inf  # how wide what cuts it is, as far as that is known
    aside: tuple[float, float] = (0, 0)  # how far set apart and shifted from the text beside it
    behind: Sequence[Colour | None] | None = None  # its ground; `None` in it for what is not known
    passed: Mapping[str, str] = field(default_factory=dict[str, str])  # to elements in it
    style: Mapping[str, str] = field(default_factory=dict[str, str], compare=False)

    def cuts(self, text: str) -> bool:
        """Return whether text in it may be cut, as it has no place for a line break."""
        whole = self.style.get("white-space", "") in ("nowrap", "pre")
        runs = text.split("\n") if whole else _UNBROKEN.findall(text)
        return _NARROW * self.size * max(map(len, runs), default=0) > self.room


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """How text of an element looks, as far as the page itself says.

    Attributes:
        states: How it does under each combination of answers to the questions that matter.
        adds: Whether styles add words to it.
        signs: Whether they add signs that change a number beside them.
        numbered: Whether an item of a list shows its number, as far as `::marker` says.
    """

    states: Mapping[World, State]
    adds: bool = False
    signs: bool = False
    numbered: bool = True

    @property
    def gone(self) -> bool:
        """Whether nothing in it is shown, whatever its elements say."""
        return all(state.gone for state in self.states.values())

    @property
    def unseen(self) -> Reason | None:
        """Why a reader does not see the text, or sees it struck out; `None` if neither."""
        reasons = {state.unseen for state in self.states.values()}
        return None if None in reasons else "hidden" if "hidden" in reasons else "struck out"

    @property
    def unsure(self) -> bool:
        """Whether text that is not `unseen` may be."""
        lifts = {state.lift for state in self.states.values()}
        return len(lifts) > 1 or any(each.unseen or each.unsure for each in self.states.values())

    @property
    def usual(self) -> State:
        """How it does if no question is answered with yes."""
        return self.states[World()]

    @property
    def asked(self) -> World:
        """The questions that matter."""
        return World().union(*self.states)

    def is_displaced(self, before: str, text: str, after: str) -> bool:
        """Return whether it is drawn apart from the text around it, of which it may be a part."""
        seams = [before[-1:] + text[:1], text[-1:] + after[:1]]
        seams += [] if text else [before[-1:] + after[:1]]
        seams = [seam for seam in seams if len(seam) > 1 and " " not in seam]
        in_figure, in_word = any(map(str.isdigit, seams)), any(map(str.isalnum, "".join(seams)))
        amid = any(map(str.isalnum, text)) and bool((before + after).strip())
        gap, shift = (max(each.aside[at] for each in self.states.values()) for at in (0, 1))
        return (in_figure and gap > _ASIDE) or shift > min(
            _ASIDE if in_word else inf, _AWAY if amid else inf
        )


def shown(style: dict[str, str], around: State, *, tag: str = "", known: bool = True) -> State:
    """Return how an element is shown.

    Args:
        style: The values of its properties, which it has from what is around it, too.
        around: How that is shown.
        tag: Its tag.
        known: Whether the page itself has all style sheets.
    """
    values = _Values(style, around, tag)
    # Browsers then draw white text on a dark ground, which no rule says.
    if tag == "html" and style.get("color-scheme") in ("dark", "dark only", "only dark"):
        around = replace(around, behind=[_DARK])
        style.setdefault("color", "white")
    gone = values.is_gone()
    opacity = around.opacity * prod(min(1, max(0, n)) for n in values.of("opacity", SHARES))
    concealed = values.word("visibility") in ("hidden", "collapse")
    if tag in ("html", "body") and (gone or opacity < _FAINT or concealed):
        # Pages that hide themselves whole do so until their script runs.
        gone, opacity, concealed, values.doubted = False, 1, False, True
        style.pop("visibility", None)
    hidden = gone or opacity < _FAINT or concealed or values.size < SMALLEST * PIXELS["pt"]
    ink, behind = values.ink(), values.behind(around.behind)
    inks, ground = [ink or _BLACK], behind
    clipped = values.word("background-clip") == "text"
    if clipped:  # the text is painted with what is behind it
        behind = ground = around.behind
        if inks[0][1] < 1 - _FAINT:
            inks = [(each, 1.0) for each in values.behind((None,)) or () if each] or inks
    faint = [
        contrast(mixed(paint, share * opacity, each), each) < FAINTEST
        if each
        else share * opacity < _FAINT
        for each in ground or (_WHITE,)
        for paint, share in inks
    ]
    certain = known or (ink is not None and around.behind is not ground is not None)
    outlined = clipped or "text-stroke-width" in style
    outlined |= values.word("text-shadow") not in ("", "none")
    hidden |= all(faint) and certain and not outlined
    unsure = any(faint) or values.size > _LARGEST
    unsure |= known and UNKNOWN in map(values.word, COLOURS)
    grounds = values.word("background-color"), values.word("background-image")
    values.doubt(known and UNKNOWN in grounds)
    lift = values.lift(around.size)
    struck = around.struck or "line-through" in style.get("text-decoration-line", "")
    return State(
        gone=around.gone or gone,
        doubted=values.doubted,
        unseen="hidden" if hidden or around.gone else "struck out" if struck else None,
        unsure=unsure or values.doubted or values.word("visibility") == UNKNOWN,
        struck=struck,
        lift=lift,
        size=values.size,
        root=values.size if tag == "html" else around.root,
        opacity=opacity,
        moved=values.moved,
        wide=values.wide,
        room=values.room,
        aside=values.displaced(),
        behind=behind,
        passed={n: v for n, v in style.items() if n in INHERITED or n.startswith("--")},
        style=style,
    )


class _Values:
    """The values of an element's properties; notes whether one may hide its text."""

    def __init__(self, style: dict[str, str], around: State, tag: str) -> None:
        self.style, self.tag, self.doubted, self.size = style, tag, around.doubted, around.size
        font, self.moved = style.pop("font-size", ""), around.moved
        self.around, self.wide, self.room = around, around.wide, around.room
        self.across = self.shift = 0.0  # by transforms
        self.units = {**PIXELS, "em": self.size, "%": self.size / 100, "rem": around.root}
        if font in SIZES:
            self.size = 10.0 + 2 * SIZES.index(font)
        elif font in ("smaller", "larger"):
            self.size *= 0.8 if font == "smaller" else 1.2
        else:
            self.size = next(iter(self.numbers(parts(font))), self.size)
        self.size *= prod(zoom or 1 for zoom in self.of("zoom", SHARES))
        half = self.size / 2
        self.units |= {"em": self.size, "ex": half, "ch": half, "%": PIXELS["%"]}

    def doubt(self, doubted: bool) -> None:
        """Note whether something may hide the text."""
        self.doubted = self.doubted or doubted

    def word(self, name: str) -> str:
        """Return the value of a property."""
        return self.style.get(name, "")

    def of(self, name: str, units: Mapping[str, float] | None = None) -> list[float]:
        """Return the numbers in the value of a property; by default lengths, in pixels."""
        return self.numbers(parts(self.style[name]), units) if name in self.style else []

    def numbers(
        self, values: Iterable[Any], units: Mapping[str, float] | None = None
    ) -> list[float]:
        """Return the numbers among values."""
        found = numbers(values, units or self.units)
        self.doubt(None in found)
        return [number for number in found if number is not None]

    def is_gone(self) -> bool:
        """Return whether nothing is shown, whatever is in the element."""
        word = self.word
        for name, harmless in HARMLESS.items():
            self.doubt(not {*re.split(r"[ ,]+", word(name) or harmless)} <= {*harmless.split()})
        self.doubt(any(self.style[name] == UNKNOWN for name in self.style.keys() - COLOURS))
        self.doubt(any(name not in _RECOLOURING for name, _ in functions(word("filter"))))
        self.doubt("url(" in word("filter"))
        for name in ("flex", "grid-template-rows", "grid-template-columns"):
            given = [each.value for each in parts(word(name)) if hasattr(each, "is_integer")]
            self.doubt(0 in given and not (name == "flex" and any(given)))
        close = (n for name in ("letter-spacing", "word-spacing") for n in self.of(name))
        self.doubt(any(number < -_CLOSE * self.size for number in close))
        for name, (low, high) in _LIMITS.items():
            self.doubt(not all(low <= number <= high for number in self.of(name)))
        content = {getattr(each, "lower_name", each.type) for each in parts(word("content"))}
        gone = word("display") in ("none", "table-column", "table-column-group")
        moved, clipped = self._is_moved(), self._is_clipped()
        # "content: url(a.png)" shows a picture in place of the words.
        return gone or moved or clipped or content == {"url"}

    def _measure(self) -> None:
        """Note how wide it is, and whether it is wider than what cuts it."""
        word, sized = self.word, {**self.units, "%": self.around.wide / 100}
        width, most, least = (self.of(name, sized) for name in ("width", "max-width", "min-width"))
        self.wide = max(min(*(width or [self.wide]), *most, inf), *least, 0)
        # Slides beside one another, each as wide as what shows one of them.
        rigid = word("flex") == "none" or word("flex-shrink") == "0"
        given = word("min-width") + (word("width") + word("flex-basis")) * rigid
        full = "flex" in self.around.style.get("display", "") and (
            "100%" in given or "0 100%" in word("flex")
        )
        self.doubt(self.room < inf and (full or self.wide > self.room + 1))
        if word("overflow-x") in ("hidden", "clip") and self.tag not in ("html", "body"):
            self.room = min(self.room, self.wide)
        elif word("overflow-x") not in ("", "visible"):
            self.room = inf

    def _is_clipped(self) -> bool:
        word, gone = self.word, False
        self._measure()
        cutting = {*word("contain").split(), word("overflow-x"), word("overflow-y")}
        if cutting & _CUTTING:
            sides = [number for side in _EXTENTS for number in self.of(side)]
            # "height: 1px; overflow: hidden", as in styles for screen readers alone.
            gone = any(number <= 1 for number in sides)
            self.doubt(any(number < self.size for number in sides))
            gone |= bool({"hidden", "clip"} & cutting) and 0 in self.of("line-height")
        if word("overflow-y") in ("hidden", "clip") and self.tag not in ("html", "body"):
            tall = (*parts(word("height")), *parts(word("max-height")))
            self.doubt(any(each.type != "ident" for each in tall))
            self.doubt("0" in word("flex-basis"))
        if word("overflow-x") in ("hidden", "clip"):
            self.doubt(max(self.of("text-indent"), default=0) > _INDENTED)
            self.doubt(word("white-space") in ("nowrap", "pre"))
        return gone

    def _is_moved(self) -> bool:
        across = sum(sum(self.of(name)) for name in _BESIDE)
        down = sum(self.of("margin-top")) + sum(self.of("padding-top"))
        position = self.word("position")
        if position in ("absolute", "fixed", "relative"):
            across, down = across + sum(self.of("left")), down + sum(self.of("top"))
            for name, most in (("right", SCREEN[0]), ("bottom", SCREEN[1])):
                for far in self.of(name):  # what is on the screen is at most so far from the side
                    self.doubt(far >= most or (far < _PLACED and position != "relative"))
                    across -= far - most if far > most else min(0, far)
            # Below 0, the ground of what is around it may lie over it.
            self.doubt(any(number < 0 for number in self.of("z-index", SHARES)))
            self.doubt(position == "fixed" and down >= SCREEN[1])
        self._transform()
        across, down = across + self.across, down + self.shift
        self.doubt(across >= self.room or (self.room < inf and down < -_UP * self.size))
        self.moved += min(0, across, down)
        self.doubt(self.moved < -_FAR)
        least = _PLACED if position in ("absolute", "fixed") else _MOVED
        self.doubt(not all(least <= far < SCREEN[0] for far in (across, down)))
        return not all(_OUT <= far <= _BEYOND for far in (across, down))

    def _transform(self) -> None:
        transforms = functions(self.word("transform"))
        transforms += [(name, parts(self.word(name))) for name in ("translate", "scale", "rotate")]
        for name, arguments in transforms:
            if name in ("translate", "translatex", "translatey", "translate3d"):
                shares = (each for each in tokens_of(arguments) if each.type == "percentage")
                self.doubt(any(abs(each.value) > _OFF for each in shares))
                given = [*self.numbers(arguments, {**self.units, "%": _OF_ITSELF}), 0, 0]
                self.across += given[0] if name != "translatey" else 0
                self.shift += given[0] if name == "translatey" else given[1]
            else:  # other than by 0, or to its own size
                usual = 1 if name.startswith("scale") else 0
                self.doubt(any(number != usual for number in self.numbers(arguments, SHARES)))
                self.doubt(not name.startswith(("scale", "rotate", "translate")))
            self.doubt(any(each.type == "ident" and each.value != "none" for each in arguments))

    def displaced(self) -> tuple[float, float]:
        """Return how far it is set apart from the text beside it, and shifted along the line."""
        sides, position = ("left", "right"), self.word("position")
        margins = [number for side in sides for number in self.of(f"margin-{side}")]
        gaps = [*margins, *(number for side in sides for number in self.of(f"padding-{side}"))]
        shifts = [self.across] if self.word("display").startswith("inline-") else []
        if position in ("relative", "sticky"):
            shifts += [number for side in sides for number in self.of(side)]
        elif position in ("absolute", "fixed"):
            shifts = [inf]
        placed = [self.word(name) for name in ("width", "min-width", "vertical-align")]
        is_box = self.word("display").startswith("inline-") and any(
            {*placed} - {"", "auto", "baseline"}
        )
        if is_box or self.word("float") in ("left", "right"):
            gaps.append(inf)  # its words may fill it or not
        return max(gaps, default=0), max([0, *map(abs, shifts), *(-number for number in margins)])

    def lift(self, line: float) -> str:
        """Return whether the text is "raised" or "lowered" from a line with type of a size."""
        word = self.word
        display = word("display") or "inline"
        if not display.startswith("inline"):
            return ""
        by_font = _LIFTS.get(word("font-variant-position"), "")
        self.doubt(bool(by_font))  # only some browsers raise letters of fonts without such ones
        if found := _LIFTS.get(word("vertical-align"), by_font):
            return found
        up = sum(self.of("vertical-align"))
        if word("vertical-align") in ("top", "text-top") and display == "inline":
            up = 0.8 * (line - self.size)  # by as much as its letters are less high
        if word("position") == "relative":
            up += sum(self.of("bottom")) - sum(self.of("top"))
        up -= self.shift if display != "inline" else 0
        self.doubt(self.size > 0.9 * line and abs(up) > 0.3 * line)
        if self.size > 0.9 * line or abs(up) < 0.15 * line:
            return ""
        return "raised" if up > 0 else "lowered"

    def ink(self) -> tuple[Colour, float] | None:
        """Return the colour of the text, and how much it covers; `None` if it is not known."""
        # Where it is set, letters have this colour, whatever "color" says.
        fill = self.word("text-fill-color")
        ink = self.word("color") if fill in ("", "currentcolor") else fill
        return next(iter(colours_in(parts(ink))), None)

    def behind(self, behind: Sequence[Colour | None] | None) -> Sequence[Colour | None] | None:
        """Return the colours behind the text, given those behind the element."""
        colour, image = self.word("background-color"), self.word("background-image")
        # Such an element has no box, and so no ground of its own.
        if self.word("display") == "contents":
            return behind
        for paint, share in self._paints(parts(colour)):
            behind = _painted(paint, share, behind) if share else behind
        if UNKNOWN in (colour, image):
            return (None,)
        if "url(" in image:  # which may be missing, or of any colour
            return (*(behind or (_WHITE,)), None)
        stops = self._paints([*tokens_of(parts(image))])
        for _, arguments in functions(image):  # a band may be a line through the text
            shares = [share for _, share in colours_in(arguments)]
            self.doubt(len(shares) > 2 and not shares[0] and not shares[-1] and any(shares))
        placed = self.word("background-size") + self.word("background-position")
        self.doubt(bool(stops and placed))
        return [each for stop in stops for each in _painted(*stop, behind)] if stops else behind

    def _paints(self, tokens: Sequence[Any]) -> list[tuple[Colour, float]]:
        own = [self.ink() or _BLACK for each in tokens if is_current(each)]
        return [*colours_in(tokens), *own]


def may_cover(state: State) -> bool:
    """Return whether a box without words may be a line through text near it, or lie over that."""
    style = state.style
    drawn = any(share > _FAINT for _, share in colours_in(parts(style.get("background-color", ""))))
    drawn |= "gradient" in style.get("background-image", "")
    framed = all(style.get(name, "").endswith("px") for name in ("width", "height"))
    drawn |= not framed and any(style.get(name, "0")[0] not in "0n" for name in LINES)  # or "none"
    placed = style.get("position") in ("absolute", "fixed")
    width, height = (numbers(parts(style.get(name, "")), PIXELS) for name in ("width", "height"))
    wide = any(n is None or n > _BULLET for n in width)
    if state.unseen or not drawn or style.get("z-index", "").startswith("-"):
        return False
    if not placed:  # it may be pulled over what is above it
        tall = any(n is None or n > _FLAT for n in height)
        up = any(style.get(name, "").startswith("-") for name in ("top", "margin-top"))
        return up and tall and (wide or not width)
    if not (wide or {"left", "right"} <= style.keys()):
        return False
    ends = [style[name] for name in ("top", "bottom") if style.get(name, "auto") != "auto"]
    # At an edge of the text it underlines.
    inside = any(not end.startswith("-") and end not in ("0", "0px", "100%") for end in ends)
    return inside or len(ends) > 1 or style.get("height") == "100%" or "transform" in style


def _painted(
    paint: Colour, share: float, behind: Sequence[Colour | None] | None
) -> Sequence[Colour | None]:
    """Return what a colour looks like over those behind it."""
    opaque = paint if share > 1 - _FAINT else None
    return [mixed(paint, share, each) if each else opaque for each in behind or (_WHITE,)]
