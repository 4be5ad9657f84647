"""Why classes violate, in words: written for all classes at once, and as Python writes each."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from metrics.config.parameters import P29Parameters
from metrics.privacy.p29 import P29Components, p29

MIDDLES = [0.00005, 0.00015, 0.12345, 0.50005, 0.99995, 1 / 3, 2 / 3, 1.0]


@given(
    st.lists(
        st.tuples(
            st.integers(1, 3),
            st.sampled_from([0.0, 0.5]),
            st.one_of(st.sampled_from(MIDDLES), st.integers(0, 20_000).map(lambda n: n / 20_000), st.floats(0, 1)),
        ),
        min_size=1,
        max_size=30,
    ),
    st.sampled_from([0.0, 0.00004, 0.2, 0.5]),
)
def test_reasons_are_those_of_each_class(classes: list[tuple[int, float, float]], most: float) -> None:
    sizes, entropies, distances = (np.array(values) for values in zip(*classes, strict=True))
    components = P29Components(sizes, {"illness": entropies}, {"illness": distances})
    result = p29(components, P29Parameters(t_max=most))
    expected = []
    for size, entropy, distance in classes:
        reasons = ["k = 1"] * (size == 1) + ["l = 0 for illness"] * (entropy == 0)
        reasons += [f"t = {distance:.4f} > {most:g} for illness"] * (distance > most)
        expected.append("; ".join(reasons))
    assert result.reason_texts().to_pylist() == expected
    chosen = np.arange(len(classes))[::-2]
    assert result.reason_texts(chosen).to_pylist() == [expected[place] for place in chosen]
    assert result.reason_texts(np.arange(0)).to_pylist() == []
