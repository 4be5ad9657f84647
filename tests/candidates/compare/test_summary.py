"""A comparison in sentences: who is best, who is dominated, and where nothing can be said."""

from metrics.candidates.compare.summary import comparison_summary
from tests.support.comparisons import comparison_of


def test_the_verdict_names_the_best_versions_and_the_dominated_ones() -> None:
    figures = {
        "light.csv": {"p29": 0.1, "k_anonymity": 2, "granularity": 0.9},
        "\u202estrict": {"p29": 0.8, "k_anonymity": 9, "granularity": 0.4},
        "worse": {"p29": 0.7, "k_anonymity": 9, "granularity": 0.4},
    }
    first, second = comparison_summary(comparison_of(figures), ("p29", "k_anonymity", "granularity"))
    assert first == (
        "⟨U+202E⟩strict is best in P_29 and k-anonymity; worse is best in k-anonymity; light.csv is best in "
        "granularity."
    )
    assert second == ("worse is dominated by ⟨U+202E⟩strict: it is never worse, and better in P_29 (0.8 versus 0.7).")


def test_the_verdict_says_that_versions_are_equal_or_have_no_value() -> None:
    alike = {"a": {"p29": 0.5, "granularity": None}, "b": {"p29": 0.5, "granularity": None}}
    assert comparison_summary(comparison_of(alike), ("p29", "granularity")) == (
        "All 2 versions are equal in the chosen metrics.",
        "No version is Pareto-dominated in P_29.",
    )
    assert comparison_summary(comparison_of(alike), ("granularity",)) == (
        "No version has a comparable value for the chosen metrics.",
    )


def test_a_long_verdict_is_cut() -> None:
    figures = {f"c{place}": {"p29": place / 20} for place in range(20)}
    sentences = comparison_summary(comparison_of(figures), ("p29",))
    assert sentences[0] == "c19 is best in P_29."
    assert sentences[-1] == "14 more versions are dominated."
    assert "and 14 more: c1 is never worse" in sentences[1]
    assert len(sentences) == 7
