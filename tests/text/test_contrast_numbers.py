"""Which numbers of a statement are found to differ from those of a passage, and which are not."""

import pytest

from citeguard.text.contrast import Contrast, contrasts

# Id, statement, passage, and where they are shown what stands for what.
DIFFERENT = [
    ("currency-sign", "The deal cost $5 million in all.", "The deal cost €5 million in all.",
     ("$5 million", "€5 million")),
    ("currency-word", "The deal cost 5 million dollars.", "The deal cost 5 million euros.",
     ("5 million dollars", "5 million euros")),
    ("currency-mixed", "They paid £300 for the old car.", "They paid 300 euros for the old car.",
     ("£300", "300 euros")),
    ("currency-code", "The fine was EUR 40,000.", "The fine was USD 40,000.",
     ("EUR 40,000", "USD 40,000")),
    ("currency-short", "Profit rose to €5m last year.", "Profit rose to $5m last year.",
     ("€5m", "$5m")),
    ("currency-per", "The dividend is $5 per share.", "The dividend is €5 per share.",
     ("$5", "€5")),
    ("currency-reworded", "In 2019 the buyer paid $2.5 billion for the firm.",
     "The firm was bought in 2019, and the buyer paid €2.5 billion.",
     ("$2.5 billion", "€2.5 billion")),
    ("sign-lost", "The mean temperature in January is 5 °C.",
     "The mean temperature in January is -5 °C.", ("5 °C", "-5 °C")),
    ("sign-added", "The mean temperature in January is −12 °C.",
     "The mean temperature in January is 12 °C.", ("−12 °C", "12 °C")),
    ("minus-lost", "It was 8 degrees Celsius at night.", "It was minus 8 degrees Celsius at night.",
     ("8 degrees Celsius", "minus 8 degrees Celsius")),
    ("below-zero-lost", "At night it was 20 degrees in the valley.",
     "At night it was 20 degrees below zero in the valley.", None),
    ("sign-of-share", "The margin of the firm was 3.2% in 2020.",
     "The margin of the firm was -3.2% in 2020.", ("3.2%", "-3.2%")),
    ("points", "Turnout rose by 5 percent in the city.",
     "Turnout rose by 5 percentage points in the city.", ("5 percent", "5 percentage points")),
    ("points-added", "The rate was cut by 2 percentage points in May.",
     "The rate was cut by 2% in May.", ("2 percentage points", "2%")),
    ("a-million", "A million people live in the city.", "A thousand people live in the city.",
     ("A million", "A thousand")),
    ("a-hundred", "A hundred guests came to the wedding.", "A dozen guests came to the wedding.",
     ("A hundred", "A dozen")),
    ("a-dozen", "The box holds a dozen eggs.", "The box holds ten eggs.", ("a dozen", "ten")),
    ("a-thousand-digits", "The school has a thousand pupils.", "The school has 1,500 pupils.",
     ("a thousand", "1,500")),
    ("half-million", "Half a million people fled the country.",
     "A million people fled the country.", ("Half a million", "A million")),
    ("dozen-and-half", "A dozen ships were lost in the storm.",
     "A dozen and a half ships were lost in the storm.", ("A dozen", "A dozen and a half")),
    ("half", "Half of the members voted for it.", "A quarter of the members voted for it.",
     ("Half", "A quarter")),
    ("third", "A third of the land is farmed.", "Two thirds of the land is farmed.",
     ("A third", "Two thirds")),
    ("three-quarters", "Three quarters of the shops closed.", "Half of the shops closed.",
     ("Three quarters", "Half")),
    ("half-percent", "Half of the members voted for it.", "30% of the members voted for it.",
     ("Half", "30%")),
    ("percent-third", "60 percent of the land is farmed.", "A third of the land is farmed.",
     ("60 percent", "A third")),
    ("one-in", "One in five adults smokes.", "One in three adults smokes.",
     ("One in five", "One in three")),
    ("one-in-percent", "One in ten adults smokes.", "25% of adults smoke.", ("One in ten", "25%")),
    ("out-of", "Three out of four patients recovered.", "Two out of four patients recovered.",
     ("Three out of four", "Two out of four")),
    ("twice", "Ann won the cup twice.", "Ann won the cup three times.", ("twice", "three times")),
    ("once-a-day", "Take the tablet twice a day.", "Take the tablet once a day.",
     ("twice", "once")),
    ("times-a-day", "Take the tablet three times a day.", "Take the tablet twice a day.",
     ("three times", "twice")),
    ("doubled", "Sales doubled in 2019.", "Sales tripled in 2019.", ("doubled", "tripled")),
    ("fold", "Prices rose tenfold in a year.", "Prices rose fivefold in a year.",
     ("tenfold", "fivefold")),
    ("fold-digits", "Prices rose 10-fold in a year.", "Prices rose fivefold in a year.",
     ("10-fold", "fivefold")),
    ("as-many", "It is twice as large as the old one.",
     "It is three times as large as the old one.", ("twice", "three times")),
    ("mass", "The daily dose is 5 g for adults.", "The daily dose is 5 mg for adults.",
     ("5 g", "5 mg")),
    ("mass-joined", "Each tablet has 250g of it.", "Each tablet has 250mg of it.",
     ("250g", "250mg")),
    ("micro", "The limit is 10 mg per day.", "The limit is 10 μg per day.",
     ("10 mg per day", "10 μg per day")),
    ("length", "The road runs 40 miles along the coast.", "The road runs 40 km along the coast.",
     ("40 miles", "40 km")),
    ("time", "The trip takes 30 hours by bus.", "The trip takes 30 minutes by bus.",
     ("30 hours", "30 minutes")),
    ("time-words", "The ban lasts for six months.", "The ban lasts for six weeks.",
     ("six months", "six weeks")),
    ("temperature", "Water is kept at 60 °F in the tank.", "Water is kept at 60 °C in the tank.",
     ("60 °F", "60 °C")),
    ("temperature-words", "It reached 40 degrees Fahrenheit.", "It reached 40 degrees Celsius.",
     ("40 degrees Fahrenheit", "40 degrees Celsius")),
    ("power", "The plant makes 500 kW of power.", "The plant makes 500 MW of power.",
     ("500 kW", "500 MW")),
    ("area", "The lake covers 40 square miles.", "The lake covers 40 square km.",
     ("40 square miles", "40 square km")),
    ("speed", "The limit is 50 mph in towns.", "The limit is 50 km/h in towns.",
     ("50 mph", "50 km/h")),
    ("volume", "Add 20 ml of water.", "Add 20 litres of water.", ("20 ml", "20 litres")),
    ("unit-within", "Adults should take 5 g of the drug every morning before a meal.",
     "Before a meal, every morning, adults take 5 mg of the drug.", ("5 g", "5 mg")),
    ("day-and-month", "The shop opened on 3 May in Leeds.", "The shop opened on 5 March in Leeds.",
     ("3 May", "5 March")),
    ("day", "It was signed on May 3, 2020.", "It was signed on May 8, 2020.", ("3", "8")),
    ("month", "The exam is on 3 May.", "The exam is on 3 June.", ("3 May", "3 June")),
    ("month-before", "The exam is on June 3.", "The exam is on May 3.", ("June 3", "May 3")),
    ("month-with-year", "She was born on 12 June 1950 in Rome.",
     "She was born on July 12, 1950, in Rome.", ("12 June", "July 12")),
    ("month-said-elsewhere", "Ann left in June and came back on 3 May.",
     "Ann left in May and came back on 3 June.", ("3 May", "3 June")),
    ("iso-day", "Released on 2020-05-03 by the firm.", "Released on 2020-05-08 by the firm.",
     None),
    ("iso-month", "Released on 2020-05-03 by the firm.", "Released on 2020-06-03 by the firm.",
     None),
    ("iso-swapped", "Released on 2020-05-03 by the firm.", "Released on 2020-03-05 by the firm.",
     None),
    ("iso-and-words", "It came out on 3 May 2020.", "It came out on 2020-03-05.", None),
    ("at-least", "At least 20 people were hurt.", "At most 20 people were hurt.",
     ("At least 20", "At most 20")),
    ("up-to", "At least 20 people were hurt.", "Up to 20 people were hurt.",
     ("At least 20", "Up to 20")),
    ("more-than", "More than 500 shops closed.", "Fewer than 500 shops closed.",
     ("More than 500", "Fewer than 500")),
    ("over-under", "Over 500 shops closed.", "Under 500 shops closed.", ("Over 500", "Under 500")),
    ("no-more-than", "It takes no more than 30 guests.", "It takes more than 30 guests.",
     ("no more than 30", "more than 30")),
    ("no-fewer-than", "No fewer than 30 guests came.", "Fewer than 30 guests came.",
     ("No fewer than 30", "Fewer than 30")),
    ("minimum", "A minimum of 10 words is needed.", "A maximum of 10 words is needed.",
     ("minimum of 10", "maximum of 10")),
    ("or-more", "Groups of 10 or more pay less.", "Groups of 10 or fewer pay less.",
     ("10 or more", "10 or fewer")),
    ("bound-of-money", "Fines of more than $500 are paid at once.",
     "Fines of less than $500 are paid at once.", ("more than $500", "less than $500")),
    ("exchanged-shares", "The share was 12 % in 2019 and 15 % in 2020.",
     "The share was 15 % in 2019 and 12 % in 2020.", ("12 %", "15 %")),
    ("exchanged-names", "Ann scored 12 and Bob 9.", "Ann scored 9 and Bob 12.", ("12", "9")),
    ("exchanged-sums", "Revenue rose to $5 million and costs to $3 million.",
     "Revenue rose to $3 million and costs to $5 million.", ("$5 million", "$3 million")),
    ("exchanged-counts", "The town has 12 schools and 7 parks.",
     "The town has 7 schools and 12 parks.", ("12", "7")),
    ("exchanged-years", "The bridge opened in 1950 and closed in 1990.",
     "The bridge opened in 1990 and closed in 1950.", ("1950", "1990")),
    ("exchanged-months", "The bridge opened in May and closed in June.",
     "The bridge opened in June and closed in May.", ("May", "June")),
    ("exchanged-units", "Ann ran 5 km and Bob ran 8 km.", "Ann ran 8 km and Bob ran 5 km.",
     ("5 km", "8 km")),
]  # fmt: skip

SAME = [
    ("rounded", "It earned about 5 million dollars.", "It earned $4.9 million."),
    ("rounded-down", "The town has 12,000 people.", "The town has 12,034 people."),
    ("metres", "The road is 1.5 km long.", "The road is 1,500 metres long."),
    ("minutes", "The film lasts 90 minutes.", "The film lasts an hour and a half."),
    ("minutes-two", "The film lasts 150 minutes.", "The film lasts two and a half hours."),
    ("half-hour", "The break is 30 minutes.", "The break is half an hour."),
    ("half-hour-hyphen", "The break is 30 minutes long.", "It is a half-hour break."),
    ("grams", "The dose is 0.5 g.", "The dose is 500 mg."),
    ("micrograms", "The dose is 500 µg.", "The dose is 0.5 mg."),
    ("mcg", "The dose is 500 mcg a day.", "The dose is 500 μg a day."),
    ("miles", "The race is about 10 km long.", "The race is 6.2 miles long."),
    ("both-units", "The race is 10 km long.", "The race is 6.2 miles (10 km) long."),
    ("both-units-stated", "The race is 6.2 miles (10 km) long.", "The race is 10 km long."),
    ("half-percent", "Half of the members voted.", "50 % of the members voted."),
    ("half-about", "Half of the members voted.", "Some 48 percent of the members voted."),
    ("half-decimal", "The share is 0.5.", "The share is a half."),
    ("third-percent", "A third of the land is farmed.", "33 % of the land is farmed."),
    ("two-thirds-percent", "Two-thirds of the land is farmed.", "67% of the land is farmed."),
    ("one-fifth", "A fifth of adults smoke.", "One in five adults smokes."),
    ("one-in-percent", "20% of adults smoke.", "One in five adults smokes."),
    ("out-of-percent", "Three quarters of patients recovered.",
     "Three out of four patients recovered."),
    ("more-than-half", "More than half of the members voted.", "60% of the members voted."),
    ("second-half", "They scored in the second half.", "They scored half of their goals late."),
    ("half-brother", "His half brother won in 2010.", "A quarter of the town saw him win in 2010."),
    ("third-place", "He came in third.", "Half of them left before he came in third."),
    ("quarter-of-year", "Sales rose in the third quarter.",
     "Sales rose in the third quarter by a half."),
    ("score", "She scored nine out of ten.", "She scored 9 out of 10."),
    ("doubled-twice", "The price doubled.", "The price is twice what it was."),
    ("doubled-percent", "The price doubled.", "The price rose by 100%."),
    ("two-times", "He won two times.", "He won twice."),
    ("three-time", "He won three times.", "He is a three-time winner."),
    ("fold", "Prices rose 10-fold.", "Prices rose tenfold."),
    ("once-then", "Once a large town, it is empty now.",
     "The town, which he saw twice, is empty now."),
    ("the-times", "The Times wrote of it.", "The Times wrote of it three times."),
    ("a-million", "A million people live there.", "1,000,000 people live there."),
    ("half-a-million", "Half a million people live there.", "500,000 people live there."),
    ("a-dozen", "A dozen eggs were broken.", "Twelve eggs were broken."),
    ("dozens", "Dozens of people came.", "A hundred people came."),
    ("quarter-million", "A quarter of a million people came.", "250,000 people came."),
    ("million-and-half", "A million and a half people came.", "1.5 million people came."),
    ("month-of-date", "It opened in May 2020.", "It opened on 3 May 2020."),
    ("month-of-range", "It ran in May.", "It ran from 3 April to 9 June."),
    ("date-notation", "It opened on 3 May 2020.", "It opened on May 3, 2020."),
    ("date-iso", "It opened on 3 May 2020.", "It opened on 2020-05-03."),
    ("date-ordinal", "It opened on the 3rd of May.", "It opened on May 3."),
    ("date-short", "It opened on 3 Sept. 2020.", "It opened on September 3, 2020."),
    ("date-numeric", "It opened on 3 May 2020.", "It opened on 03/05/2020."),
    ("year-alone", "It opened in 2020.", "It opened on 3 May 2020."),
    ("two-dates", "It closed on 3 June.", "It opened on 3 May and closed on 3 June."),
    ("two-dates-of-one", "It opened on 3 May.", "It opened on 3 May and closed on 3 June."),
    ("number-words", "Twenty-five cats were found.", "25 cats were found."),
    ("over", "Over 500 shops closed.", "512 shops closed."),
    ("at-least", "At least 20 people came.", "More than 20 people came."),
    ("up-to", "Up to 20 people came.", "At most 20 people came."),
    ("no-more", "No more than 20 people came.", "At most 20 people came."),
    ("no-fewer", "No fewer than 20 people came.", "At least 20 people came."),
    ("or-more", "At least 20 people are needed.", "20 or more people are needed."),
    ("minimum", "A minimum of 20 people is needed.", "At least 20 people are needed."),
    ("overlapping-bounds", "At least 20 people came.", "Fewer than 50 people came."),
    ("pairs", "It was 12 % in 2019 and 15 % in 2020.", "It was 15 % in 2020 and 12 % in 2019."),
    ("pairs-turned", "In 2019 it was 12 % and in 2020 15 %.",
     "It was 15 % in 2020, up from 12 % in 2019."),
    ("pairs-of-names", "Ann scored 12 and Bob 9.", "Bob scored 9 and Ann 12."),
    ("pairs-with-of", "Ann scored 12 and Bob 9.", "There were 9 for Bob and 12 for Ann."),
    ("pairs-of-things", "It has 12 schools and 7 parks.", "It has 7 parks and 12 schools."),
    ("pairs-respectively", "Ann scored 12 and Bob 9.",
     "Ann and Bob scored 12 and 9, respectively."),
    ("pairs-of-months", "It opened in May and closed in June.",
     "It closed in June, having opened in May."),
    ("pairs-of-years", "It opened in 1950 and closed in 1990.",
     "Opened in 1950, it closed in 1990."),
    ("winner-and-loser", "Ann beat Bob 12 to 9.", "Bob lost to Ann by 9 to 12."),
    ("sign-same", "It was -5 °C at night.", "It was minus 5 degrees Celsius at night."),
    ("sign-below", "It was -5 °C at night.", "It was 5 °C below zero at night."),
    ("sign-and-fall", "Sales fell by 3%.", "The change in sales was -3%."),
    ("sign-of-range", "It takes 5-10 mg.", "It takes 10 mg."),
    ("list-mark", "It took 5 °C.", "- 5 °C is what it took."),
    ("dollars", "It cost $5 million.", "It cost 5 million U.S. dollars."),
    ("us-dollars", "It cost US$5 million.", "It cost $5 million."),
    ("pounds-of-weight", "It weighs 5 pounds.", "It weighs 5 lb."),
    ("currency-left-out", "It cost 5 million.", "It cost €5 million."),
    ("both-currencies", "It cost $5 million.", "It cost €4.4 million ($5 million)."),
    ("percent-signs", "It rose by 5 %.", "It rose by 5 per cent."),
    ("points-pp", "It rose by 5 percentage points.", "It rose by 5 pp."),
    ("half-as", "It is half as large as the moon.", "It is half as big as the moon."),
    ("by-half", "Deaths were cut by half.", "Deaths were cut by 50%."),
    ("one-half", "One half of the land is farmed.", "50% of the land is farmed."),
    ("one-third-party", "One third party signed it.", "Half of the signers were a third party."),
    ("a-third-time", "He won a third time.", "He won for the third time."),
    ("quarters-of-time", "Sales rose for three quarters.", "For three quarters sales rose."),
    ("quarter-of-hour", "It took a quarter of an hour.", "It took 15 minutes."),
    ("three-quarters-of-hour", "It took three quarters of an hour.", "It took 45 minutes."),
    ("written-of", "3/4 of the members voted.", "75% of the members voted."),
    ("written-mixed", "It took 6 1/2 months.", "It took six and a half months."),
    ("written-sign", "It took 6½ months.", "It took 6.5 months."),
    ("written-half", "Add ½ litre of milk.", "Add 0.5 litres of milk."),
    ("hundred-and-ten", "A hundred and ten people came.", "110 people came."),
    ("hundredth", "The two hundred and first guest came.", "Guest 201 came."),
    ("a-hundred-and-first", "It is the hundred and first try.", "A hundred and first try failed."),
    ("numbered-time", "They met at one time.", "They met one time."),
    ("plain-two-time", "Two time zones meet here.", "Two time zones meet in the town."),
    ("three-in-a-row", "He won three in 12 games.", "He won three in 12 games he played."),
    ("not-a-date", "The part is 2020-15-03.", "The part is 2020-15-03 in the list."),
    ("version", "It is version 1.2.3 now.", "It is version 1.2.4 now."),
    ("square-people", "The 5 square boxes fell.", "The five square boxes fell."),
    ("points-half", "It rose by 0.5 percentage points.", "It rose by half a percentage point."),
    ("times-listed", "He won the title three times.", "He won the title in 1998, 2001 and 2004."),
    ("doubled-to", "Sales doubled to $10 million.", "Sales rose from $5 million to $10 million."),
    ("part-of-turnout", "A third of them stayed home.",
     "Turnout was 67%, so a third of them stayed home."),
    ("half-dozen", "It has half a dozen engineers.", "It has six engineers."),
    ("half-marathon", "The half-marathon drew 5,000 runners.",
     "5,000 runners ran the half-marathon, half of them women."),
    ("fell-by", "The temperature fell 10 °C.", "The temperature fell by 10 °C to -3 °C."),
    ("area", "The lake covers 40 square kilometres.", "The lake covers 4,000 hectares."),
    ("speed", "The limit is 50 km/h.", "The limit is about 31 mph."),
    ("fahrenheit", "It was 20 °C at noon.", "It was 68 °F at noon."),
    ("pairs-risen", "Profit was €3 million in 2019 and €4 million in 2020.",
     "Profit rose to €4 million in 2020 from €3 million in 2019."),
    ("first-half", "The first half of 2020 was dry.",
     "The first half of 2020 was dry, and a third of the crop was lost."),
    ("points-short", "It rose by 5 points.", "It rose by 5 percentage points."),
    ("other-thing", "The trip takes 30 minutes.", "The trip takes 30 minutes and costs 30 euros."),
    ("years-old", "She is 30 years old.", "The 30-year-old swims."),
    ("temperature", "It was 20 degrees.", "It was 20 °C."),
    ("metres-of-height", "It is 40 m high.", "It is 40 metres (131 ft) high."),
]  # fmt: skip


# What is true the one way only: the statement says less.
WITHIN = [
    ("between-and", "It costs $7.", "It costs between $5 and $10."),
    ("day-of-range", "It rained on 5 May.", "It rained from 3 to 9 May."),
    ("day-of-short-range", "It rained on 4 May.", "It rained on 3-5 May."),
]  # fmt: skip


def numbers(statement: str, passage: str) -> list[Contrast]:
    return [found for found in contrasts(statement, passage) if found.kind == "number"]


class TestDifferent:
    @pytest.mark.parametrize(
        ("statement", "passage", "shown"),
        [row[1:] for row in DIFFERENT],
        ids=[row[0] for row in DIFFERENT],
    )
    def test_numbers_are_found(
        self, statement: str, passage: str, shown: tuple[str, str] | None
    ) -> None:
        found = [(each.stated, each.found) for each in numbers(statement, passage)]
        assert found
        assert shown is None or shown in found

    @pytest.mark.parametrize(
        ("statement", "passage"),
        [row[1:3] for row in DIFFERENT],
        ids=[row[0] for row in DIFFERENT],
    )
    def test_numbers_are_found_from_the_other_side(self, statement: str, passage: str) -> None:
        assert numbers(passage, statement)


class TestSame:
    @pytest.mark.parametrize(
        ("statement", "passage"),
        [row[1:] for row in [*SAME, *WITHIN]],
        ids=[row[0] for row in [*SAME, *WITHIN]],
    )
    def test_numbers_are_no_contrast(self, statement: str, passage: str) -> None:
        assert numbers(statement, passage) == []

    @pytest.mark.parametrize(
        ("statement", "passage"), [row[1:] for row in SAME], ids=[row[0] for row in SAME]
    )
    def test_numbers_are_none_from_the_other_side(self, statement: str, passage: str) -> None:
        assert numbers(passage, statement) == []

    @pytest.mark.parametrize("row", DIFFERENT, ids=[row[0] for row in DIFFERENT])
    def test_text_is_like_itself_in_a_longer_one(self, row: tuple[str, ...]) -> None:
        assert numbers(row[1], f"{row[1]} It was late.") == []


class TestWorkedOut:
    """A number that may follow from others is no conflict, and still not what the passage says."""

    @pytest.mark.parametrize(
        ("statement", "passage"),
        [
            (
                "A total of 256 participants had clear skin.",
                "In one group 208 participants had clear skin, in the other 48 participants.",
            ),
            (
                "Net profit fell by $13 million in 2020.",
                "Net profit fell to $61 million in 2020, from $74 million.",
            ),
            (
                "The collection was opened in 1934.",
                "The collection was given in 1931 and opened three years later.",
            ),
        ],
        ids=["sum", "difference", "year"],
    )
    def test_is_of_quantity(self, statement: str, passage: str) -> None:
        assert {found.kind for found in contrasts(statement, passage)} == {"quantity"}

    def test_what_does_not_follow_is_of_number(self) -> None:
        passage = "In one group 208 participants had clear skin, in the other 48 participants."
        (found,) = contrasts("A total of 257 participants had clear skin.", passage)
        assert found.kind == "number"
