"""Which statements claim more of a thing, or more surely, than the passage."""

import pytest

from citeguard.text.contrast import contrasts

# Kind of the contrast, what is tried, statement, passage.
DIFFERENT = [
    ("modality", "must for may", "Members must vote by post.", "Members may vote by post."),
    ("modality", "must for can", "Tenants must paint the walls.", "Tenants can paint the walls."),
    ("modality", "required for recommended",
     "A helmet is required on the track.", "A helmet is recommended on the track."),
    ("modality", "must for should",
     "Patients must drink two litres of water a day.",
     "Patients should drink two litres of water a day."),
    ("negation", "have to for need not",
     "Guests have to book a table.", "Guests need not book a table."),
    ("negation", "must for do not have to",
     "Pupils must wear a uniform.", "Pupils do not have to wear a uniform."),
    ("modality", "required for optional",
     "The second test is required for all.", "The second test is optional for all."),
    ("modality", "recommended for required",
     "A visa is recommended for the trip.", "A visa is required for the trip."),
    ("modality", "may for must",
     "Drivers may stop at the border.", "Drivers must stop at the border."),
    ("modality", "will for can",
     "The storm will destroy the harbour.", "The storm can destroy the harbour."),
    ("modality", "will for may",
     "The bank will close ten branches.", "The bank may close ten branches."),
    ("modality", "fact for would",
     "The law banned smoking in parks.", "The law would ban smoking in parks."),
    ("modality", "certainly for probably",
     "The disease is certainly spread by ticks.", "The disease is probably spread by ticks."),
    ("quantity", "all for some",
     "All patients recovered within a week.", "Some patients recovered within a week."),
    ("quantity", "all for most",
     "All of the houses were damaged.", "Most of the houses were damaged."),
    ("quantity", "most for some", "Most voters support the plan.", "Some voters support the plan."),
    ("quantity", "every for many",
     "Every school in the city has a garden.", "Many schools in the city have a garden."),
    ("quantity", "none for few",
     "None of the soldiers returned home.", "Few of the soldiers returned home."),
    ("quantity", "no for few", "No birds nest on the island.", "Few birds nest on the island."),
    ("quantity", "all for not all", "All swans are white.", "Not all swans are white."),
    ("quantity", "every for not every",
     "Every pupil passed the exam.", "Not every pupil passed the exam."),
    ("quantity", "each for one", "Each of the rooms has a bath.", "One of the rooms has a bath."),
    ("quantity", "the for one of the",
     "The engines failed during the flight.", "One of the engines failed during the flight."),
    ("quantity", "the for some of the",
     "The students passed the exam.", "Some of the students passed the exam."),
    ("quantity", "the for few of the",
     "The guests stayed for dinner.", "Few of the guests stayed for dinner."),
    ("quantity", "the for half of the",
     "The workers joined the strike.", "Half of the workers joined the strike."),
    ("quantity", "only for too",
     "Only the director knew the code.", "The director and the guard knew the code."),
    ("quantity", "always for often",
     "The river always floods in spring.", "The river often floods in spring."),
    ("quantity", "never for rarely",
     "The river never floods in spring.", "The river rarely floods in spring."),
    ("negation", "some for no", "Some of the tests failed.", "None of the tests failed."),
    ("quantity", "few for a few",
     "Few of the voters came to the meeting.",
     "A few of the voters came to the meeting and many more wrote."),
    ("quantity", "all for at least one",
     "All of the bottles contained poison.", "At least one of the bottles contained poison."),
    ("quantity", "exact for up to",
     "The hall holds 300 people.", "The hall holds up to 300 people."),
    ("quantity", "largest for one of",
     "The town is the largest port in the country.",
     "The town is one of the largest ports in the country."),
    ("quantity", "only for one of",
     "He was the only survivor of the crash.", "He was one of the survivors of the crash."),
    ("quantity", "many for few",
     "Many customers complained about it.", "Few customers complained about it."),
    ("quantity", "all for nearly all",
     "All of the trees were cut down.", "Nearly all of the trees were cut down."),
]  # fmt: skip

# What is tried, statement, passage.
SAME = [
    ("must, have to", "Members have to vote by post.", "Members must vote by post."),
    ("must, required", "Members are required to vote by post.", "Members must vote by post."),
    ("may, allowed", "Members are allowed to vote by post.", "Members may vote by post."),
    ("can, may", "Tenants may paint the walls.", "Tenants can paint the walls."),
    ("should, recommended",
     "It is recommended that patients drink two litres of water.",
     "Patients should drink two litres of water a day."),
    ("need not, do not have to",
     "Guests do not have to book a table.", "Guests need not book a table."),
    ("need not, not required",
     "Guests are not required to book a table.", "Guests need not book a table."),
    ("optional, not required", "The second test is not required.", "The second test is optional."),
    ("must not, may not",
     "Visitors may not feed the animals.", "Visitors must not feed the animals."),
    ("must not, prohibited",
     "Visitors are prohibited from feeding the animals.", "Visitors must not feed the animals."),
    ("cannot, prohibited",
     "Visitors can't take any photos in the chapel.", "Taking photos in the chapel is prohibited."),
    ("can for will", "The storm can destroy the harbour.", "The storm will destroy the harbour."),
    ("may, might", "The bank might close ten branches.", "The bank may close ten branches."),
    ("may, possible",
     "It is possible that the bank will close ten branches.", "The bank may close ten branches."),
    ("could, can", "The bank could close ten branches.", "The bank can close ten branches."),
    ("month of May", "The bank closed in May.", "The bank closed ten branches in May."),
    ("some for all",
     "Some patients recovered within a week.", "All patients recovered within a week."),
    ("most for all", "Most of the houses were damaged.", "All of the houses were damaged."),
    ("every, all", "Every school has a garden.", "All schools in the city have a garden."),
    ("none, no", "No soldiers returned home.", "None of the soldiers returned home."),
    ("not all, some not", "Some swans are not white.", "Not all swans are white."),
    ("not all, both", "Not all swans are white.", "Not all of the swans are white."),
    ("a few, some", "Some voters came to the meeting.", "A few voters came to the meeting."),
    ("the for all the", "The houses were damaged.", "All of the houses were damaged."),
    ("one of, same", "One of the engines failed.", "One of the engines failed during the flight."),
    ("one of, an",
     "An engine failed during the flight.", "One of the engines failed during the flight."),
    ("one of the largest, same",
     "The town is one of the country's largest ports.",
     "The town is one of the largest ports in the country."),
    ("half, 50 percent",
     "Half of the workers joined the strike.", "About half of the workers joined the strike."),
    ("always, every", "The river floods every spring.", "The river always floods in spring."),
    ("at least, exact", "At least 300 people came.", "300 people came to the hall."),
    ("up to, same", "The hall has room for up to 300 people.", "The hall holds up to 300 people."),
    ("up to, a maximum",
     "The hall holds a maximum of 300 people.", "The hall holds up to 300 people."),
    ("both, two",
     "The two wings of the house burned down.", "Both wings of the house burned down."),
    ("only dropped", "The director knew the code.", "Only the director knew the code."),
    ("rarely, seldom", "The river seldom floods in spring.", "The river rarely floods in spring."),
    ("few, hardly any", "Hardly any guests stayed for dinner.", "Few guests stayed for dinner."),
    ("some of others",
     "All students passed the hard exam in June with high marks.",
     "The marks for the hard exam in June were read by Mr Gray, whose sons, a cook "
     "and some students ran a farm and a mill."),
    ("three of the others",
     "The students wrote long letters to the mayor in June.",
     "The mayor read long letters in June. On a farm in Perth, three of the ill "
     "students slept all day."),
    ("above all", "Above all, students passed the exam.", "Some students passed the exam."),
]  # fmt: skip


class TestDifferent:
    @pytest.mark.parametrize(
        ("kind", "statement", "passage"), [pytest.param(k, s, p, id=i) for k, i, s, p in DIFFERENT]
    )
    def test_facts_are_found(self, kind: str, statement: str, passage: str) -> None:
        assert kind in {found.kind for found in contrasts(statement, passage)}

    @pytest.mark.parametrize("text", sorted({row[3] for row in DIFFERENT}))
    def test_text_has_no_contrast_with_itself(self, text: str) -> None:
        assert contrasts(text, text) == ()


class TestSame:
    @pytest.mark.parametrize(
        ("statement", "passage"), [pytest.param(s, p, id=i) for i, s, p in SAME]
    )
    def test_facts_in_other_words_are_no_contrast(self, statement: str, passage: str) -> None:
        assert contrasts(statement, passage) == ()
