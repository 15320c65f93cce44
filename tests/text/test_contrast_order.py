"""Which statements have the words of the passage in each other's places."""

import pytest

from citeguard.text.contrast import contrasts

# Kind of the contrast, what is tried, statement, passage.
DIFFERENT = [
    ("modality", "thanked", "The nurse thanked the doctor.", "The doctor thanked the nurse."),
    ("modality", "thanked, long",
     "The young nurse thanked the old doctor after the operation.",
     "The old doctor thanked the young nurse after the operation."),
    ("opposite", "cheaper", "Copper is cheaper than zinc.", "Zinc is cheaper than copper."),
    ("modality", "causes",
     "Stress causes insomnia in adults.", "Insomnia causes stress in adults."),
    ("modality", "passive",
     "The wolves were chased by the dogs.", "The dogs were chased by the wolves."),
    ("modality", "passive for active",
     "The nurse was thanked by the doctor.", "The nurse thanked the doctor."),
    ("modality", "active for passive",
     "The teacher praised the parents.", "The teacher was praised by the parents."),
    ("modality", "leads to", "Poverty leads to crime.", "Crime leads to poverty."),
    ("opposite", "younger for older, exchanged twice",
     "The church is younger than the castle.", "The church is older than the castle."),
    ("opposite", "more than", "Men smoke more than women.", "Women smoke more than men."),
    ("opposite", "more expensive",
     "Trains are more expensive than buses.", "Buses are more expensive than trains."),
    ("opposite", "larger, names", "Mars is larger than Venus.", "Venus is larger than Mars."),
    ("modality", "owns", "The bank owns the insurer.", "The insurer owns the bank."),
    ("modality", "taught", "The monk taught the prince.", "The prince taught the monk."),
    ("modality", "preceded", "The flood preceded the famine.", "The famine preceded the flood."),
    ("opposite", "fewer than",
     "Cows have fewer teeth than horses.", "Horses have fewer teeth than cows."),
    ("modality", "depends on", "Growth depends on trade.", "Trade depends on growth."),
    ("modality", "replaced",
     "Steam replaced sail on the route.", "Sail replaced steam on the route."),
    ("modality", "caused by",
     "The fire was caused by the explosion.", "The explosion was caused by the fire."),
]  # fmt: skip

# What is tried, statement, passage.
SAME = [
    ("thanked, passive", "The doctor was thanked by the nurse.", "The nurse thanked the doctor."),
    ("causes, passive",
     "Insomnia is caused by stress in adults.", "Stress causes insomnia in adults."),
    ("cheaper, converse", "Zinc is more expensive than copper.", "Copper is cheaper than zinc."),
    ("taller, converse", "Bob is shorter than Ann.", "Ann is taller than Bob."),
    ("older, converse",
     "The castle is older than the church.", "The church is younger than the castle."),
    ("more, converse", "Women smoke less than men.", "Men smoke more than women."),
    ("and, other order",
     "The nurse and the doctor thanked the porter.",
     "The doctor and the nurse thanked the porter."),
    ("met", "The nurse met the doctor and the porter.", "The nurse met the porter and the doctor."),
    ("of and genitive",
     "The bank's owner is the insurer.", "The owner of the bank is the insurer."),
    ("population growth",
     "The city population growth was slow.", "The growth of the population in the city was slow."),
    ("buy, sell",
     "The bank bought the insurer from the state.", "The state sold the insurer to the bank."),
    ("lend, borrow",
     "The farmer borrowed money from the bank.", "The bank lent money to the farmer."),
    ("before, after", "The flood came before the famine.", "The famine came after the flood."),
    ("adverb in front",
     "In the morning the nurse thanked the doctor.",
     "The nurse thanked the doctor in the morning."),
    ("same as", "The cat is as old as the dog.", "The dog is as old as the cat."),
    ("married", "The actor married the singer.", "The singer married the actor."),
    ("relative clause",
     "The doctor, whom the nurse thanked, left.", "The nurse thanked the doctor, who left."),
    ("less old more young",
     "The more recent the study, the lower the risk.",
     "The less recent the study, the higher the risk."),
    ("does not cause",
     "Insomnia does not cause stress.", "Stress causes insomnia; insomnia does not cause stress."),
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
