"""The census-like tables of large searches: the same from the seed, every value in its hierarchy."""

from benchmarks.census import census
from metrics.candidates.generalization.levels import lattice_columns


def test_the_tables_are_the_same_each_time_and_their_hierarchies_fit() -> None:
    made, again = census(20, records=300), census(20, records=300)
    assert made.original.head(300) == again.original.head(300)
    columns = lattice_columns(made.original, made.roles, made.hierarchies)
    assert len(columns) == 20
    assert all(of.labels[-1] == ("*",) for of in columns)
    assert census(15, records=300).roles.quasi_identifiers == made.roles.quasi_identifiers[:15]
