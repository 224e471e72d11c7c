"""Whether what was drawn has the distribution that it should have."""

import numpy as np
from scipy import stats

# a true distribution is called false once in a million; the coins are fixed, so a test that passes goes on passing
ALARM = 1e-6


def fits(observed, expected):
    """Whether counts are those of a distribution, by a chi-square test; rare values are put together."""
    observed, expected = np.asarray(observed, dtype=float), np.asarray(expected, dtype=float)
    rare = expected < 5
    observed = np.append(observed[~rare], observed[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    kept = expected > 0
    assert observed[~kept].sum() == 0
    if kept.sum() < 2:
        return True
    return stats.chisquare(observed[kept], expected[kept] * observed.sum() / expected[kept].sum()).pvalue > ALARM
