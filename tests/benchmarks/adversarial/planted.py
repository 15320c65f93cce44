"""Sentences written for what real texts hold too seldom: units, signs, scores, powers, acronyms.

Each entry is a sentence with a gap, what stands there, the readings that say another thing, and
the spellings that say the same. The sentences are put between sentences of real texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from .cases import Draft, whole
from .corpus import Text, TextMaker

Entry = tuple[str, str, tuple[str, ...], tuple[str, ...]]

UNITS: tuple[Entry, ...] = (
    ("Adults over fifty should start with {} of the syrup in the evening.", "5 mg", ("5 µg", "5 g", "5 mcg", "5 ml", "5 kg"), ("5\u00a0mg",)),
    ("Each tablet of the older brand contained {} of the vitamin.", "25 µg", ("25 mg", "25 g", "25 ng", "25 ug/L"), ("25 μg", "25\u202fµg")),
    ("The filter holds back every particle larger than {} across.", "2 µm", ("2 m", "2 mm", "2 nm", "2 pm"), ("2 μm",)),
    ("The new station can supply {} to the towns along the coast.", "40 MW", ("40 mW", "40 kW", "40 GW", "40 MWh"), ("40\u00a0MW",)),
    ("In standby the sensor draws {} from its battery.", "3 mW", ("3 MW", "3 W", "3 µW", "3 mV"), ()),
    ("The ferry covers the {} between the two harbours in an hour.", "32 km", ("32 miles", "32 m", "32 nautical miles"), ("32\u2009km",)),
    ("The trench was found to be {} deep at its northern end.", "11 m", ("11 km", "11 ft", "11 cm", "11 mm"), ()),
    ("The oven must not be heated beyond {} during the test.", "180 °C", ("180 °F", "180 K"), ("180 ℃", "180°C")),
    ("The disk stores about {} of measurements a day.", "4 GB", ("4 MB", "4 TB", "4 Gb"), ()),
    ("The radio link carries {} in both directions.", "100 Mb/s", ("100 MB/s", "100 kb/s", "100 Gb/s"), ()),
    ("Samples were kept for {} before they were weighed.", "12 hours", ("12 days", "12 minutes", "12 weeks"), ("12\nhours",)),
    ("The membrane is only {} thick at the point where it tears.", "70 nm", ("70 mm", "70 µm", "70 m"), ()),
    ("The two stars orbit each other at a distance of {} or so.", "3 light-years", ("3 light-days", "3 kilometres", "3 years"), ()),
    ("The village received {} of rain in a single week.", "90 mm", ("90 cm", "90 inches", "90 m"), ()),
    ("The reservoir behind the dam holds {} when it is full.", "6 million litres", ("6 million gallons", "6 million cubic metres"), ("6 million\u00a0litres",)),
    ("Blood pressure fell to {} after the second week.", "120 mmHg", ("120 kPa", "120 mmol", "120 cmHg"), ()),
    ("The lake lost {} of its surface during the drought.", "14 km²", ("14 km", "14 km³", "14 m²"), ()),
    ("The pump delivers {} at normal load.", "8 l/min", ("8 l/h", "8 ml/min", "8 l/s"), ()),
    ("A cyclist on the flat road reached {} without help.", "50 km/h", ("50 mph", "50 m/s", "50 km"), ()),
    ("The glucose level rose to {} before breakfast.", "7 mmol/L", ("7 mg/dL", "7 mol/L", "7 µmol/L"), ()),
    ("The coin weighs {} and is made of silver.", "12 ounces", ("12 pounds", "12 grams", "12 tonnes"), ()),
    ("The loan runs for {} and can be repaid early.", "18 months", ("18 years", "18 weeks", "18 quarters"), ()),
)  # fmt: skip

RANGES: tuple[Entry, ...] = (
    ("The visitors won the return match {} in front of a small crowd.", "3-1", ("31", "1-3", "3 1", "3-7"), ("3–1", "3‑1", "3—1")),
    ("Patients took {} mg of the drug with food.", "10–15", ("1015", "10 15", "15–10", "10"), ("10-15", "10 – 15")),
    ("The home side led {} at the interval and never looked back.", "2–0", ("20", "0–2", "2–6"), ("2-0",)),
    ("The survey covered households with {} members.", "4-6", ("46", "4.6", "4 6"), ("4–6",)),
    ("He played for the club in the {} season.", "1998–99", ("199899", "1998", "1999–98"), ("1998-99",)),
    ("The bill passed the upper house by {} after a long debate.", "52-48", ("5248", "48-52", "52 48"), ("52–48",)),
    ("The ratio of sand to cement should be {} by volume.", "3:1", ("31", "1:3", "3.1"), ()),
    ("About {} of those asked had never heard of the law.", "1/3", ("13", "3/1", "1 3", "2/3"), ("1⁄3",)),
    ("The meeting will run from {} in the main hall.", "9–11", ("911", "9 11", "11–9"), ("9-11",)),
    ("Chapters {} deal with the early settlements.", "5–12", ("512", "5, 12", "5 12"), ("5-12",)),
    ("Temperatures of {} degrees are normal in spring.", "15-20", ("1520", "20-15", "15 20"), ("15–20",)),
    ("She was ranked in the world's {} for most of the decade.", "top 5-10", ("top 510", "top 5 10"), ("top 5–10",)),
    ("The train leaves at {} from the lower platform.", "7:45", ("745", "7:54", "7.5", "4:75"), ()),
    ("The recipe serves {} people as a main course.", "6-8", ("68", "6 8", "8-6"), ("6–8",)),
)  # fmt: skip

POWERS: tuple[Entry, ...] = (
    ("The energy grows with {} when the load is doubled.", "x²", ("x2", "x³", "x", "2x"), ()),
    ("The culture held {} cells per millilitre at the start.", "10⁶", ("106", "10⁵", "10-6", "10⁻⁶"), ()),
    ("The chance of such an error is about {} in each copy.", "10⁻⁹", ("10⁹", "10-9", "109", "10⁻⁸"), ("10\u207b⁹",)),
    ("The plot measures {} and slopes towards the river.", "450 m²", ("450 m", "450 m2", "450 m³"), ()),
    ("The tank was sized for {} of rain water.", "30 m³", ("30 m", "30 m3", "30 m²"), ()),
    ("The force falls off as {} with growing distance.", "1/r²", ("1/r", "1/r2", "r²", "1/r³"), ()),
    ("The area of the disc is {} in these units.", "πr²", ("πr", "πr2", "2πr"), ()),
    ("The rate constant was {} per second at room temperature.", "3×10⁴", ("3×104", "3×10⁵", "3×10⁻⁴"), ("3 × 10⁴",)),
    ("The sum of squares is written as {} in the paper.", "n²", ("n2", "2n", "n³"), ()),
    ("The gravitational pull at that height is {} or slightly less.", "9.8 m/s²", ("9.8 m/s", "9.8 m/s2", "98 m/s²"), ()),
    ("Light from the source spreads over {} of sky.", "5°", ("5", "5′", "50"), ()),
    ("The half of them, or {}, were sent back unopened.", "12½", ("121/2", "12", "12¼"), ()),
)  # fmt: skip

SIGNS: tuple[Entry, ...] = (
    ("Winter temperatures fall to {} degrees in the valley.", "-5", ("5", "+5", "-50"), ("−5",)),
    ("The index closed the week at {} percent.", "−3.2", ("3.2", "+3.2", "−32"), ("-3.2",)),
    ("The balance at the end of the year was {} euros.", "-1,200", ("1,200", "-1.200", "-12,00"), ("−1,200",)),
    ("The charge of the ion is {} in this state.", "+2", ("-2", "2−"), ("＋2",)),
    ("The margin of error is {} points in either direction.", "±3", ("3", "+3", "-3"), ("± 3",)),
    ("The correlation between the two series was {} overall.", "-0.45", ("0.45", "-0.54", "-4.5"), ("−0.45",)),
    ("Growth in the second quarter came to {} per cent.", "-0.7", ("0.7", "-7", "+0.7"), ("–0.7",)),
    ("The vault is kept at {} to protect the seeds.", "-18 °C", ("18 °C", "-81 °C"), ("−18 °C", "-18°C")),
    ("The lowest point of the basin lies at {} metres.", "-86", ("86", "-68"), ("−86",)),
    ("Only values {} were counted as positive.", "> 5", ("< 5", "= 5", "≥ 5", "5"), (">5",)),
    ("The difference was significant at {} in both groups.", "p < 0.05", ("p > 0.05", "p = 0.05", "p < 0.5"), ("p<0.05",)),
    ("The alloy contains {} carbon by weight.", "≤ 2%", ("≥ 2%", "2%", "≤ 2"), ("≤2%",)),
    ("The company expects {} in sales this year.", "$4.5 million", ("€4.5 million", "$45 million", "$4.5 billion", "4.5 million", "$4.5"), ("$ 4.5 million",)),
    ("The repair cost the parish {} in the end.", "£900", ("$900", "€900", "900"), ()),
    ("Interest on the bonds is fixed at {} a year.", "5%", ("5", "5‰", "0.5%", "$5"), ("5 %", "5％")),
    ("Unemployment in the region stood at {} last autumn.", "7.5%", ("75%", "7.5", "7.5 points", "7,500"), ("7.5 %",)),
)  # fmt: skip

ACRONYMS: tuple[Entry, ...] = (
    ("The minister told {} that the talks would go on.", "us", ("US",), ()),
    ("The report blames {} for the delay at the border.", "US", ("us",), ("U.S.",)),
    ("They asked {} to send more troops to the island.", "the US", ("us",), ("the U.S.",)),
    ("None of {} had expected the vote to be so close.", "us", ("US",), ()),
    ("The letter that reached {} in May was never answered.", "us", ("US", "the US"), ()),
    ("Sanctions imposed by {} took effect at midnight.", "the US", ("us",), ("the U.S.",)),
    ("The treaty gives {} the right to inspect the sites.", "us", ("US",), ()),
    ("Negotiators met {} officials in a hotel near the airport.", "US", ("us", "UN", "UK"), ("U.S.",)),
    ("The storm forced {} to close three bases on the coast.", "the US", ("us",), ("the U.S.",)),
    ("Nobody warned {} about the flood.", "us", ("US",), ()),
    ("A fund run by {} bought the land last year.", "the US", ("us", "the UAE"), ()),
    ("It cost {} a great deal to keep the promise.", "us", ("US",), ()),
)  # fmt: skip

CONTESTED_ACRONYMS: tuple[Entry, ...] = (
    ("The doctors asked {} had approved the trial.", "who", ("WHO",), ()),
    ("The city spent twice as much on {} as before.", "AIDS", ("aids",), ()),
    ("The ministry wants to buy {} from abroad.", "IT", ("it",), ()),
    ("Many visitors praised the {} at the exhibition.", "Polish", ("polish",), ()),
)  # fmt: skip

PAUSES: tuple[Entry, ...] = (
    ("He looked at the letter again{} and put it into the drawer.", "...", (), ("…", ". . .", " ...", " … ")),
    ("We waited{} and waited, but the bus had been cancelled.", "…", (), ("...", " ...", ". . .")),
    ("The old man smiled{} he had heard that story before.", "... ", (), ("… ", "…", " . . . ")),
    ("She said that the answer was simple{} too simple perhaps.", "…", (), ("...", "... ", " … ")),
    ("And then{} silence fell over the whole square.", "... ", (), ("… ", " … ", "....")),
    ("The list went on{} names, dates, debts and small favours.", "...", (), ("…", " …", ". . . ")),
    ("Well{} the committee will have to decide in autumn.", "...", (), ("…", " … ", ". . .")),
)  # fmt: skip

TABLES: dict[str, tuple[Entry, ...]] = {
    "unit": UNITS,
    "range_or_score": RANGES,
    "power": POWERS,
    "sign_or_symbol": SIGNS,
    "us_and_US": ACRONYMS,
    "contested_acronym": CONTESTED_ACRONYMS,
}


def planted(text: Text, index: int, sentence: str) -> Draft:
    """Put a sentence before one of a text's sentences."""
    at = text.sentences[index][0]
    body = f"{text.body[:at]}{sentence} {text.body[at:]}"
    return whole(body, at, at + len(sentence))


def changed(entries: tuple[Entry, ...]) -> Iterator[tuple[str, str, str]]:
    """List every sentence with another reading: source, quote, and a note; both ways round."""
    for forward in (True, False):
        for frame, true, readings, _ in entries:
            for reading in readings:
                pair = (true, reading) if forward else (reading, true)
                yield frame.format(pair[0]), frame.format(pair[1]), f"{pair[0]!r} -> {pair[1]!r}"


def same(entries: tuple[Entry, ...]) -> Iterator[tuple[str, str, str]]:
    """List every sentence with another spelling of the same, and as it stands; both ways round."""
    for frame, true, _, spellings in entries:
        for spelling in (*spellings, true):
            yield frame.format(true), frame.format(spelling), f"{true!r} = {spelling!r}"
            yield frame.format(spelling), frame.format(true), f"{spelling!r} = {true!r}"


def planted_maker(listed: list[tuple[str, str, str]]) -> TextMaker:
    """Make a maker that takes the listed sentences one after the other, in a shuffled order."""
    order = Random(str(len(listed))).sample(listed, len(listed))
    state = iter(order)

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        entry = next(state, None)
        if entry is None:
            return None
        source, quote, note = entry
        return planted(text, index, source).reworded(quote, note)

    return make


_DENIALS = (
    "It is false that {}.", "It is not true that {}.", "It is a myth that {}.", "It is simply untrue that {}.", "It is wrong to say that {}.",
    "It is not the case that {}.", "It is incorrect that {}.", "The claim that {} is false.", "The belief that {} is a myth.", "The statement that {} is untrue.",
    "Contrary to popular belief, it is not true that {}.", "The idea that {} is simply wrong.", "It isn't true that {}.", "It's false that {}.", "It is a misconception that {}.",
    "The rumour that {} is false.", "That {} is not true.", "The assertion that {} has been disproved.", "It was never the case that {}.", "It would be a mistake to say that {}.",
)  # fmt: skip
_DOUBTS = (
    "There is no evidence that {}.", "The spokesman denied that {}.", "Nobody seriously believes that {}.", "The court rejected the claim that {}.", "No study has shown that {}.",
    "Critics wrongly assume that {}.", "The author disputes the claim that {}.", "The ministry denies that {}.", "It does not follow that {}.", "The report found no proof that {}.",
    "Experts have refuted the notion that {}.", "The company has dismissed claims that {}.",
)  # fmt: skip


def framed(frames: tuple[str, ...]) -> TextMaker:
    """Make a maker that puts a sentence of a text into another that denies it, and quotes it whole."""

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        words = text.sentence(index)
        if not words.endswith(".") or any(mark in words[:-1] for mark in '.!?:;"“”') or not words[1:2].islower():
            return None
        inner = words[0].lower() + words[1:-1] if words.split()[0] in _SMALL else words[:-1]
        frame = rng.choice(frames)
        before = frame.index("{")
        draft = planted(text, index, frame.format(inner))
        start = draft.hull[0] + before
        return whole(draft.text, start, start + len(inner))

    return make


_SMALL = frozenset("The A An In This These It They He She We At On For By During As Most Many Some All Such Each After Before When While However Its His Her Their There One Two Other Both".split())


def denied_before(text: Text, index: int, rng: Random) -> Draft | None:
    """Let the sentence before deny something else; the quoted one stands for itself."""
    words = text.sentence(index)
    lower = words.lower()
    if any(token in lower for token in ("n't", "n’t", " not ", "false", "myth", "wrong", "deni", "no ", "never", "untrue", "disput", "claim", "reject", "incorrect", "contrary", "allege", "mis", "refut", "dismiss", "doubt", "fail", "nor", "without", "nobody", "hardly", "unlikely", "if ")):  # fmt: skip
        return None
    before = rng.choice(("That is false. ", "It is not true that the moon is hollow. ", "The mayor denied everything. ", "This claim is a myth. ", ""))
    draft = planted(text, index, before + words)
    start, end = draft.hull
    return whole(draft.text, start + len(before), end)


def flag_makers() -> dict[str, tuple[TextMaker, bool]]:
    """Return the makers of quotes whose sentence denies them, and whether `denied` is wanted."""
    return {
        "flag_false": (framed(_DENIALS), True),
        "flag_doubt": (framed(_DOUBTS), True),
        "flag_none": (denied_before, False),
    }
