"""The interval of a share that was counted in a sample."""

from __future__ import annotations

import math

NORMAL_95 = 1.959963984540054
"""The standard normal distribution's 97.5% quantile."""


def wilson(successes: float, attempts: float, quantile: float = NORMAL_95) -> tuple[float, float]:
    r"""Wilson's interval of a share, which it holds: at 95%, or for another quantile z of the normal distribution.

    .. math:: \frac{s + z^2/2}{n + z^2} \pm \frac{z}{n + z^2} \sqrt{\frac{s (n - s)}{n} + \frac{z^2}{4}}

    The lower and the upper bound, 0 to 1. `successes`: 0 to `attempts`; one that is shared among ties counts in part.
    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22(158), 1927,
    doi 10.1080/01621459.1927.10502953.
    """
    share, z_squared = successes / attempts, quantile * quantile
    center = (successes + z_squared / 2) / (attempts + z_squared)
    half_width = (
        quantile / (attempts + z_squared) * math.sqrt(successes * (attempts - successes) / attempts + z_squared / 4)
    )
    return max(min(center - half_width, share), 0.0), min(max(center + half_width, share), 1.0)
