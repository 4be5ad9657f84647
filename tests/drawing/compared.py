"""Random figures of versions whose names look like code."""

from hypothesis import strategies as st

from tests.drawing.drawn import HOSTILE

CHOSEN = ("k_anonymity", "t_closeness", "granularity", "profitability")
ROW = st.fixed_dictionaries(
    {
        "k_anonymity": st.one_of(st.none(), st.integers(1, 5)),
        "t_closeness": st.one_of(st.none(), st.floats(0, 1)),
        "granularity": st.floats(0, 1),
        "profitability": st.booleans(),
    }
)
FIGURES = st.lists(ROW, min_size=1, max_size=len(HOSTILE)).map(lambda rows: dict(zip(HOSTILE, rows, strict=False)))
