"""Tails of sums and of tables against convolution and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from basra_sim.shuffles.laws import permutation_laws as laws
from basra_sim.shuffles.laws import tails as pvalues


@pytest.mark.parametrize("name", ["rising", "fixed", "parity", "footrule", "inversions"])
def test_saddlepoint_agrees_with_convolution(name):
    law = laws.named_law(name, 52)
    exact = pvalues.SumLaw(law, 12)
    low, high = exact._convolved()
    for at in range(0, exact.top, max(1, exact.top // 60)):
        if low[at] > 1e-9:
            assert exact._tail(at, -1) == pytest.approx(np.log10(low[at]), abs=0.02)
        if high[at] > 1e-9:
            assert exact._tail(at, +1) == pytest.approx(np.log10(high[at]), abs=0.02)


def test_tails_agree_with_scipy():
    law = stats.chi2(51)
    for value in (20.0, 51.0, 90.0, 150.0):
        tails = pvalues.gamma_tails(value, 51, 102, 8 * 51)
        assert (tails.low, tails.high) == pytest.approx((law.logcdf(value) / np.log(10), law.logsf(value) / np.log(10)), abs=1e-6)
    binomial = stats.binom(40, 0.5)
    tails = pvalues.SumLaw(laws.named_law("parity", 52), 40).tails(31)
    assert tails.high == pytest.approx(binomial.logsf(30) / np.log(10), abs=1e-9)
    poisson = pvalues.poisson_tails(5, 0.3)
    assert poisson.high == pytest.approx(stats.poisson(0.3).logsf(4) / np.log(10), abs=1e-9)


def test_noncentrality_and_holm():
    assert pvalues.noncentrality(2601, 0.001) == pytest.approx(296.06, abs=0.01)
    adjusted = pvalues.holm([np.log10(p) for p in (0.01, 0.04, 0.03)])
    assert [10**x for x in adjusted] == pytest.approx([0.03, 0.06, 0.06])
