"""Products from the counts of codes are those of the matrix itself."""

import numpy as np
import pytest

from metrics.estimates.design import Design


@pytest.mark.parametrize(("numbers", "groups"), [(0, []), (2, []), (0, [3]), (1, [2, 4]), (2, [3, 1, 5])])
def test_products_are_those_of_the_matrix(numbers: int, groups: list[int]) -> None:
    generator = np.random.default_rng(numbers + len(groups))
    points = 40
    own = np.column_stack([np.ones(points), generator.normal(size=(points, numbers))])
    rows = [generator.random((6, columns)) for columns in groups]
    design = Design(own, rows, [generator.integers(0, 6, points) for _ in groups])
    matrix, weights = design.dense(), generator.random(points)
    parameters = generator.normal(size=matrix.shape[1])
    np.testing.assert_allclose(design @ parameters, matrix @ parameters)
    np.testing.assert_allclose(design.sums(weights), matrix.T @ weights)
    np.testing.assert_allclose(design.products(weights), matrix.T @ (weights[:, np.newaxis] * matrix))
    kept, scale = np.arange(0, matrix.shape[1], 2), generator.random(matrix.shape[1]) + 1
    np.testing.assert_allclose(design.columns(kept, scale).dense(), (matrix / scale)[:, kept])
    np.testing.assert_allclose(design.where(weights > 0.5).dense(), matrix[weights > 0.5])
