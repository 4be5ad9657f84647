"""Texts that count how often they are compared: twice as many names may need twice, not four times the comparisons."""


class CountedText(str):
    """A text whose comparisons with other texts are counted, for all such texts together."""

    comparisons = 0

    def __eq__(self, other: object) -> bool:
        """Count one comparison."""
        CountedText.comparisons += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def counted_texts(number: int) -> list[CountedText]:
    """Different texts, of which none was compared yet."""
    CountedText.comparisons = 0
    return [CountedText(f"c{index}") for index in range(number)]
