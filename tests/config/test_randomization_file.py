"""Files of randomizations, and what is refused in them."""

from pathlib import Path

import numpy as np
import pytest

from metrics import InputError, read_randomization


def read(folder: Path, written: str) -> dict[str, float]:
    path = folder / "randomization.yaml"
    path.write_text(written, encoding="utf-8")
    return {name: by.epsilon for name, by in read_randomization(path).items()}


def test_both_forms(tmp_path: Path) -> None:
    written = """
    randomization:
      ill: {values: [flu, null, "null"], epsilon: 1.5}
      sex: {values: [F, M], matrix: [[0.75, 0.25], [0.5, 0.5]]}
    """
    assert read(tmp_path, written) == pytest.approx({"ill": 1.5, "sex": np.log(2)})
    assert read_randomization(tmp_path / "randomization.yaml")["ill"].values == ("flu", None, "null")


@pytest.mark.parametrize(
    ("column", "problem"),
    [
        ("{values: [F, M]}", "needs either a key epsilon or a key matrix"),
        ("{values: [F, M], epsilon: 1, matrix: []}", "needs either a key epsilon or a key matrix"),
        ("{values: [F, M], epsilon: -1}", "not given by numbers of at least 0"),
        ("{values: [F, M], epsilon: [1]}", "not given by numbers of at least 0"),
        ("{values: [F], epsilon: 1}", "fewer than two"),
        ("{values: [F, M], matrix: [[1, 0]]}", "is not a square"),
        ("{values: [F, M], matrix: [[1, 0], [1]]}", "not given by numbers of at least 0"),
        ("{values: [F, M], matrix: [[1, x], [1, .nan]]}", "not given by numbers of at least 0"),
        ("{values: [F, M], matrix: [[1, 0], [1, nan]]}", "is not a square"),
        ("{values: [F, M], matrix: [[1, 0], [0, 2]]}", "sum to 1"),
        ("{values: F, epsilon: 1}", "is not a list"),
        ("{seed: 1}", "no key"),
    ],
)
def test_what_is_refused(tmp_path: Path, column: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read(tmp_path, f"randomization: {{sex: {column}}}")
    (tmp_path / "latin.yaml").write_bytes(b"randomization: \xff")
    with pytest.raises(InputError, match="UTF-8"):
        read_randomization(tmp_path / "latin.yaml")
