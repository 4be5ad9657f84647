"""Ages with a hierarchy of three levels."""

from metrics.hierarchies.hierarchy import Hierarchy

AGES = Hierarchy(
    [
        ["21", "20-29", "20-39", "*"],
        ["25", "20-29", "20-39", "*"],
        ["33", "30-39", "20-39", "*"],
        ["61", "60-69", "60-79", "*"],
    ]
)
