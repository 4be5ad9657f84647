"""The types of attributes by the names that PETWorks gives them."""

from metrics.petworks import attributetypes


def test_attribute_types_have_the_values_of_petworks() -> None:
    assert [getattr(attributetypes, name) for name in dir(attributetypes) if name.isupper()] == [
        "identifier",
        "insensitive_attribute",
        "quasi_identifier",
        "sensitive_attribute",
    ]
