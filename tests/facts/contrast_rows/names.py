"""Names that stand for others, and those that may be the same."""

# Kinds of the contrasts, what is tried, the words stated, statement, passage.
DIFFERENT = [
    ("name", "beside the shared part", "Hillary Clinton",
     "The law was signed by Hillary Clinton.", "In the old hall Bill Clinton signed the law."),
    ("name", "same neighbours, the rest otherwise", "Leeds",
     "Last week the mayor praised Leeds for its parks.",
     "The old mayor praised York for the quiet streets and old schools of the town. He was "
     "born in Leeds."),
    ("name", "same neighbours, no other word", "Leeds",
     "Keller praised Leeds for the quiet parks and new schools on its hill.",
     "Keller praised York for its trees. Leeds has none."),
]  # fmt: skip

# What is tried, statement, passage.
SAME = [
    ("list in another order",
     "The kingdom on the island includes England, Scotland and Wales.",
     "The kingdom on the island includes Wales, Scotland and England."),
    ("first word of a sentence",
     "In the old hall the law was signed by Bill Clinton.",
     "Reluctantly Clinton signed the law in the hall."),
    ("middle name", "Ann Lee of Leeds wrote the book.", "Ann Mary Lee wrote the book in Leeds."),
]  # fmt: skip
