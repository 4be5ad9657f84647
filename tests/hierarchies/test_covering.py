"""Which released labels cover which values."""

from metrics.hierarchies.covering import covering
from tests.support.small_tables import table


def test_a_set_covers_its_members_and_nothing_else() -> None:
    released = table({"q": ["{a, b}", "{c, a}", "{x}", "*"]})["q"]
    values = table({"q": ["a", "b", "c", None]})["q"]
    of = covering(released, values, None)
    covered = of.matrix(of.group, released.distinct)
    names = {
        value: {released.labels[code] for code in range(released.distinct) if covered[place, code]}
        for place, value in enumerate(values.labels)
    }
    assert names == {"a": {"{a, b}", "{c, a}", "*"}, "b": {"{a, b}", "*"}, "c": {"{c, a}", "*"}, None: {"*"}}
