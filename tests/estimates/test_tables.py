"""What is said of the groups of an analysis: set aside, guessed, merged, and with many records more or less."""

from metrics import Crosstab, Hierarchy, Linear, Logistic, Mean
from tests.estimates.test_analyze import AFTER, BEFORE, TREE, run


def test_groups_that_the_original_sets_aside_are_named() -> None:
    """Nobody of d is ill."""
    ill = ["0" if group == "d" else ill for group, ill in zip(BEFORE["g"], BEFORE["ill"], strict=True)]
    before = {**BEFORE, "ill": ill}
    found = run(before, before, Logistic("ill", "1", ["age", "g"]))
    assert found.summary().endswith(
        " Set aside in the original, as all their records have one outcome: g: d (60 records)."
    )
    assert [each.name for each in found.originals] == ["age", "g: b", "g: c"]
    assert not run(BEFORE, BEFORE, Logistic("ill", "1", ["age", "g"])).notes


def test_records_whose_labels_stand_for_several_groups_are_counted_once() -> None:
    """The labels ab and cd beside a, b, c and d; none where whole groups are merged."""
    broad = [label for label in AFTER["g"] if label in ("ab", "cd")]
    share, of_b = len(broad) / len(AFTER["g"]), broad.count("ab") / 2
    of_b /= of_b + AFTER["g"].count("b")
    for analysis in (Mean("stay", ["g", "sex"]), Linear("stay", ["age", "g"])):
        (note,) = run(BEFORE, AFTER, analysis, g=TREE).notes
        guessed = f"the groups of {100 * share:.3g}% of its records are guessed from broader labels"
        assert note == f"{guessed}, above all {100 * of_b:.3g}% of g b"
        whole = {**BEFORE, "g": [TREE.rows["abcd".index(group)][1] for group in BEFORE["g"]]}
        assert not any("guessed" in each for each in run(BEFORE, whole, analysis, g=TREE).notes)


def test_the_groups_that_lose_or_gain_many_records_are_named_with_both_numbers() -> None:
    """Half of the records of d are suppressed; where all groups lose the same share, none is named."""
    of_d = [row for row, group in enumerate(BEFORE["g"]) if group == "d"]
    half = {**BEFORE, "g": ["*" if row in of_d[::2] else cell for row, cell in enumerate(BEFORE["g"])]}
    for analysis in (Mean("stay", "g"), Crosstab(["g", "sex"]), Linear("stay", ["g", "age"])):
        *_, note = run(BEFORE, half, analysis).notes
        assert note == f"records change by a fifth or more: g d ({len(of_d)} → {len(of_d) // 2})"
    thinned = {**BEFORE, "g": ["*" if row % 2 else cell for row, cell in enumerate(BEFORE["g"])]}
    assert not run(BEFORE, thinned, Mean("stay", "g")).notes


def test_the_groups_that_a_version_merges_are_named_or_counted() -> None:
    merged = {**BEFORE, "g": ["cd" if cell in "cd" else cell for cell in BEFORE["g"]]}
    assert run(BEFORE, merged, Mean("stay", "g"), g=TREE).notes == ("coarser: g in cd (c + d)",)
    letters = "abcdefghi"
    thirds = Hierarchy([[letter, ["abc", "def", "ghi"][place // 3]] for place, letter in enumerate(letters)])
    before = {"g": [*letters] * 20, "stay": [str(row % 7) for row in range(180)]}
    after = {**before, "g": [thirds.rows[letters.index(letter)][1] for letter in before["g"]]}
    assert run(before, after, Mean("stay", "g"), g=thirds).notes == ("coarser: g in 3 groups instead of 9",)
