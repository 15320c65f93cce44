"""What a message must survive: texts that could break it, and edits made of them."""

from hypothesis import strategies as st

from citeguard.sources import Edit

NEGATION = Edit(operation="insert", quoted="not", source="", material=True, reason="negation")
NUMBER = Edit(operation="replace", quoted="30", source="14", material=True, reason="number")

# Every kind of character that could break a message, and lengths beyond every budget.
hostile = st.one_of(
    st.text(st.characters()),
    st.text(st.sampled_from('\x00\x1b\n"\\\ud800\udfff\u202e[-]{+}{message}…א한字a ')),
    st.builds(
        lambda text, times: text * times, st.text(st.characters(), min_size=1), st.integers(1, 3000)
    ),
)
ids = st.lists(hostile, min_size=1, max_size=30)
edits = st.lists(
    st.builds(
        Edit,
        operation=st.just("replace"),
        quoted=hostile,
        source=hostile,
        material=st.booleans(),
        reason=hostile,
    ),
    max_size=8,
)
