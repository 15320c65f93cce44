"""Sentences written for what real texts hold too seldom: units, signs, scores, powers, acronyms.

Each entry is a sentence with a gap, what stands there, the readings that say another thing, and
the spellings that say the same. The sentences are put between sentences of real texts.
"""

from __future__ import annotations

from .planted_words import word_entries

Entry = tuple[str, str, tuple[str, ...], tuple[str, ...]]

UNITS: tuple[Entry, ...] = (
    (
        "Adults over fifty should start with {} of the syrup in the evening.",
        "5 mg",
        ("5 µg", "5 g", "5 mcg", "5 ml", "5 kg"),
        ("5\u00a0mg",),
    ),
    (
        "Each tablet of the older brand contained {} of the vitamin.",
        "25 µg",
        ("25 mg", "25 g", "25 ng", "25 ug/L"),
        ("25 μg", "25\u202fµg"),
    ),
    (
        "The filter holds back every particle larger than {} across.",
        "2 µm",
        ("2 m", "2 mm", "2 nm", "2 pm"),
        ("2 μm",),
    ),
    (
        "The new station can supply {} to the towns along the coast.",
        "40 MW",
        ("40 mW", "40 kW", "40 GW", "40 MWh"),
        ("40\u00a0MW",),
    ),
    (
        "In standby the sensor draws {} from its battery.",
        "3 mW",
        ("3 MW", "3 W", "3 µW", "3 mV"),
        (),
    ),
    (
        "The ferry covers the {} between the two harbours in an hour.",
        "32 km",
        ("32 miles", "32 m", "32 nautical miles"),
        ("32\u2009km",),
    ),
    (
        "The trench was found to be {} deep at its northern end.",
        "11 m",
        ("11 km", "11 ft", "11 cm", "11 mm"),
        (),
    ),
    (
        "The oven must not be heated beyond {} during the test.",
        "180 °C",
        ("180 °F", "180 K"),
        ("180 ℃", "180°C"),
    ),
    ("The disk stores about {} of measurements a day.", "4 GB", ("4 MB", "4 TB", "4 Gb"), ()),
    (
        "The radio link carries {} in both directions.",
        "100 Mb/s",
        ("100 MB/s", "100 kb/s", "100 Gb/s"),
        (),
    ),
    (
        "Samples were kept for {} before they were weighed.",
        "12 hours",
        ("12 days", "12 minutes", "12 weeks"),
        ("12\nhours",),
    ),
    (
        "The membrane is only {} thick at the point where it tears.",
        "70 nm",
        ("70 mm", "70 µm", "70 m"),
        (),
    ),
    (
        "The two stars orbit each other at a distance of {} or so.",
        "3 light-years",
        ("3 light-days", "3 kilometres", "3 years"),
        (),
    ),
    (
        "The village received {} of rain in a single week.",
        "90 mm",
        ("90 cm", "90 inches", "90 m"),
        (),
    ),
    (
        "The reservoir behind the dam holds {} when it is full.",
        "6 million litres",
        ("6 million gallons", "6 million cubic metres"),
        ("6 million\u00a0litres",),
    ),
    (
        "Blood pressure fell to {} after the second week.",
        "120 mmHg",
        ("120 kPa", "120 mmol", "120 cmHg"),
        (),
    ),
    (
        "The lake lost {} of its surface during the drought.",
        "14 km²",
        ("14 km", "14 km³", "14 m²"),
        (),
    ),
    ("The pump delivers {} at normal load.", "8 l/min", ("8 l/h", "8 ml/min", "8 l/s"), ()),
    (
        "A cyclist on the flat road reached {} without help.",
        "50 km/h",
        ("50 mph", "50 m/s", "50 km"),
        (),
    ),
    (
        "The glucose level rose to {} before breakfast.",
        "7 mmol/L",
        ("7 mg/dL", "7 mol/L", "7 µmol/L"),
        (),
    ),
    (
        "The coin weighs {} and is made of silver.",
        "12 ounces",
        ("12 pounds", "12 grams", "12 tonnes"),
        (),
    ),
    (
        "The loan runs for {} and can be repaid early.",
        "18 months",
        ("18 years", "18 weeks", "18 quarters"),
        (),
    ),
)

RANGES: tuple[Entry, ...] = (
    (
        "The visitors won the return match {} in front of a small crowd.",
        "3-1",
        ("31", "1-3", "3 1", "3-7"),
        ("3–1", "3‑1", "3—1"),
    ),
    (
        "Patients took {} mg of the drug with food.",
        "10–15",
        ("1015", "10 15", "15–10", "10"),
        ("10-15", "10 – 15"),
    ),
    (
        "The home side led {} at the interval and never looked back.",
        "2–0",
        ("20", "0–2", "2–6"),
        ("2-0",),
    ),
    ("The survey covered households with {} members.", "4-6", ("46", "4.6", "4 6"), ("4–6",)),
    (
        "He played for the club in the {} season.",
        "1998–99",
        ("199899", "1998", "1999–98"),
        ("1998-99",),
    ),
    (
        "The bill passed the upper house by {} after a long debate.",
        "52-48",
        ("5248", "48-52", "52 48"),
        ("52–48",),
    ),
    ("The ratio of sand to cement should be {} by volume.", "3:1", ("31", "1:3", "3.1"), ()),
    ("About {} of those asked had never heard of the law.", "1/3", ("13", "3/1", "1 3", "2/3"), ()),
    ("The meeting will run from {} in the main hall.", "9–11", ("911", "9 11", "11–9"), ("9-11",)),
    ("Chapters {} deal with the early settlements.", "5–12", ("512", "5, 12", "5 12"), ("5-12",)),
    (
        "Temperatures of {} degrees are normal in spring.",
        "15-20",
        ("1520", "20-15", "15 20"),
        ("15–20",),
    ),
    (
        "She was ranked in the world's {} for most of the decade.",
        "top 5-10",
        ("top 510", "top 5 10"),
        ("top 5–10",),
    ),
    ("The train leaves at {} from the lower platform.", "7:45", ("745", "7:54", "7.5", "4:75"), ()),
    ("The recipe serves {} people as a main course.", "6-8", ("68", "6 8", "8-6"), ("6–8",)),
)

POWERS: tuple[Entry, ...] = (
    ("The energy grows with {} when the load is doubled.", "x²", ("x2", "x³", "x", "2x"), ()),
    (
        "The culture held {} cells per millilitre at the start.",
        "10⁶",
        ("106", "10⁵", "10-6", "10⁻⁶"),
        (),
    ),
    (
        "The chance of such an error is about {} in each copy.",
        "10⁻⁹",
        ("10⁹", "10-9", "109", "10⁻⁸"),
        ("10\u207b⁹",),
    ),
    (
        "The plot measures {} and slopes towards the river.",
        "450 m²",
        ("450 m", "450 m2", "450 m³"),
        (),
    ),
    ("The tank was sized for {} of rain water.", "30 m³", ("30 m", "30 m3", "30 m²"), ()),
    ("The force falls off as {} with growing distance.", "1/r²", ("1/r", "1/r2", "r²", "1/r³"), ()),
    ("The area of the disc is {} in these units.", "πr²", ("πr", "πr2", "2πr"), ()),
    (
        "The rate constant was {} per second at room temperature.",
        "3×10⁴",
        ("3×104", "3×10⁵", "3×10⁻⁴"),
        ("3 × 10⁴",),
    ),
    ("The sum of squares is written as {} in the paper.", "n²", ("n2", "2n", "n³"), ()),
    (
        "The gravitational pull at that height is {} or slightly less.",
        "9.8 m/s²",
        ("9.8 m/s", "9.8 m/s2", "98 m/s²"),
        (),
    ),
    ("Light from the source spreads over {} of sky.", "5°", ("5", "5′", "50"), ()),
    ("The half of them, or {}, were sent back unopened.", "12½", ("121/2", "12", "12¼"), ()),
)

SIGNS: tuple[Entry, ...] = (
    ("Winter temperatures fall to {} degrees in the valley.", "-5", ("5", "+5", "-50"), ("−5",)),
    ("The index closed the week at {} percent.", "−3.2", ("3.2", "+3.2", "−32"), ("-3.2",)),
    (
        "The balance at the end of the year was {} euros.",
        "-1,200",
        ("1,200", "-1.200", "-12,00"),
        ("−1,200",),
    ),
    ("The charge of the ion is {} in this state.", "+2", ("-2", "2−"), ("＋2",)),
    ("The margin of error is {} points in either direction.", "±3", ("3", "+3", "-3"), ("± 3",)),
    (
        "The correlation between the two series was {} overall.",
        "-0.45",
        ("0.45", "-0.54", "-4.5"),
        ("−0.45",),
    ),
    ("Growth in the second quarter came to {} per cent.", "-0.7", ("0.7", "-7", "+0.7"), ("–0.7",)),
    (
        "The vault is kept at {} to protect the seeds.",
        "-18 °C",
        ("18 °C", "-81 °C"),
        ("−18 °C", "-18°C"),
    ),
    ("The lowest point of the basin lies at {} metres.", "-86", ("86", "-68"), ("−86",)),
    ("Only values {} were counted as positive.", "> 5", ("< 5", "= 5", "≥ 5", "5"), (">5",)),
    (
        "The difference was significant at {} in both groups.",
        "p < 0.05",
        ("p > 0.05", "p = 0.05", "p < 0.5"),
        ("p<0.05",),
    ),
    ("The alloy contains {} carbon by weight.", "≤ 2%", ("≥ 2%", "2%", "≤ 2"), ("≤2%",)),
    (
        "The company expects {} in sales this year.",
        "$4.5 million",
        ("€4.5 million", "$45 million", "$4.5 billion", "4.5 million", "$4.5"),
        ("$ 4.5 million",),
    ),
    ("The repair cost the parish {} in the end.", "£900", ("$900", "€900", "900"), ()),
    (
        "Interest on the bonds is fixed at {} a year.",
        "5%",
        ("5", "5‰", "0.5%", "$5"),
        ("5 %", "5％"),
    ),
    (
        "Unemployment in the region stood at {} last autumn.",
        "7.5%",
        ("75%", "7.5", "7.5 points", "7,500"),
        ("7.5 %",),
    ),
)

ACRONYMS: tuple[Entry, ...] = (
    ("The minister told {} that the talks would go on.", "us", ("US",), ()),
    ("The report blames {} for the delay at the border.", "US", ("us",), ("U.S.",)),
    ("They asked {} to send more troops to the island.", "the US", ("us",), ("the U.S.",)),
    ("None of {} had expected the vote to be so close.", "us", ("US",), ()),
    ("The letter that reached {} in May was never answered.", "us", ("US", "the US"), ()),
    ("Sanctions imposed by {} took effect at midnight.", "the US", ("us",), ("the U.S.",)),
    ("The treaty gives {} the right to inspect the sites.", "us", ("US",), ()),
    (
        "Negotiators met {} officials in a hotel near the airport.",
        "US",
        ("us", "UN", "UK"),
        ("U.S.",),
    ),
    ("The storm forced {} to close three bases on the coast.", "the US", ("us",), ("the U.S.",)),
    ("Nobody warned {} about the flood.", "us", ("US",), ()),
    ("A fund run by {} bought the land last year.", "the US", ("us", "the UAE"), ()),
    ("It cost {} a great deal to keep the promise.", "us", ("US",), ()),
)

IDENTIFIERS: tuple[Entry, ...] = (
    (
        "The invoice is dated {} and was paid the same week.",
        "03/04/2019",
        ("04/03/2019", "03/04/2018", "03042019"),
        (),
    ),
    (
        "The archive lists the letter under {} in the second box.",
        "2019-03-04",
        ("2019-04-03", "2018-03-04"),
        (),
    ),
    (
        "Deaths from {} fell by half in the district.",
        "COVID-19",
        ("COVID-18", "COVID"),
        ("COVID‑19", "Covid-19"),
    ),
    ("The outbreak was caused by {} and spread quickly.", "H1N1", ("H5N1", "H1N2", "HIN"), ()),
    (
        "A diet rich in {} was given to the first group.",
        "omega-3",
        ("omega-6", "omega"),
        ("omega‑3",),
    ),
    (
        "Most of the patients with {} diabetes were over sixty.",
        "type 2",
        ("type 1", "type"),
        ("type 2",),
    ),
    ("The tumour cells had lost {} in both copies.", "p53", ("p35", "p63", "p5"), ()),
    ("The update to version {} closes the gap.", "3.10", ("3.1", "3.11", "310"), ()),
    (
        "Sales in {} were better than the board had hoped.",
        "Q3 2020",
        ("Q2 2020", "Q3 2021", "Q3"),
        (),
    ),
    (
        "He ruled the province until {} without a rival.",
        "44 BC",
        ("44 AD", "44", "44 BCE or later"),
        (),
    ),
    ("A lack of vitamin {} was found in every second child.", "B12", ("B6", "B2", "D"), ()),
    ("The valve releases {} when the pressure is too high.", "CO2", ("CO", "CO3", "O2"), ("CO₂",)),
    ("The expanding town needed {} by the end of the decade.", "5G", ("4G", "G5", "50"), ()),
    ("Her symphony {} was first played in Leipzig.", "No. 7", ("No. 1", "No. 77"), ("No. 7",)),
    ("The bus line {} stops in front of the school.", "M45", ("M54", "N45", "45"), ()),
    (
        "The takeover was worth {} to the family that sold.",
        "$5bn",
        ("$5m", "$5", "5bn", "£5bn"),
        (),
    ),
    (
        "The road is closed from {} until further notice.",
        "6 p.m.",
        ("6 a.m.", "9 p.m."),
        ("6 p.m.",),
    ),
    ("The rule is set out in Article {} of the treaty.", "12(3)", ("12(4)", "13(2)", "12"), ()),
    (
        "Blood group {} was the rarest in the sample.",
        "AB-negative",
        ("AB-positive", "B-negative", "AB"),
        (),
    ),
    ("The grade of the steel was {} throughout.", "A+", ("A-", "A", "B+"), ()),
    ("Only programs written in {} were accepted.", "C++", ("C", "C#", "C+"), ()),
)

CONTESTED_ACRONYMS: tuple[Entry, ...] = (
    ("The doctors asked {} had approved the trial.", "who", ("WHO",), ()),
    ("The city spent twice as much on {} as before.", "AIDS", ("aids",), ()),
    ("The ministry wants to buy {} from abroad.", "IT", ("it",), ()),
    ("Many visitors praised the {} at the exhibition.", "Polish", ("polish",), ()),
)

PAUSES: tuple[Entry, ...] = (
    (
        "He looked at the letter again{} and put it into the drawer.",
        "...",
        (),
        ("…", ". . .", " ...", " … "),
    ),
    ("We waited{} and waited, but the bus had been cancelled.", "…", (), ("...", " ...", ". . .")),
    ("The old man smiled{} he had heard that story before.", "... ", (), ("… ", "…", " . . . ")),
    ("She said that the answer was simple{} too simple perhaps.", "…", (), ("...", "... ", " … ")),
    ("And then{} silence fell over the whole square.", "... ", (), ("… ", " … ", "....")),
    ("The list went on{} names, dates, debts and small favours.", "...", (), ("…", " …", ". . . ")),
    ("Well{} the committee will have to decide in autumn.", "...", (), ("…", " … ", ". . .")),
)

TABLES: dict[str, tuple[Entry, ...]] = {
    "near_word_planted": word_entries(),
    "unit": UNITS,
    "range_or_score": RANGES,
    "power": POWERS,
    "sign_or_symbol": SIGNS,
    "identifier": IDENTIFIERS,
    "us_and_US": ACRONYMS,
    "contested_acronym": CONTESTED_ACRONYMS,
}
