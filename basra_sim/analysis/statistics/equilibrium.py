"""Evaluation where strategies may beat each other in a circle: the Nash average and alpha-rank. Pure functions of matrices."""

from __future__ import annotations

import numpy as np

MOST_LOGIT = 12.0  # a score of 0 or 1 counts as odds of 1 : e^12


def logits(scores: np.ndarray) -> np.ndarray:
    """Log odds of a matrix of scores (row against column, 0..1), antisymmetric; NaN (never met) is an error."""
    if np.isnan(scores).any():
        raise ValueError("every strategy must have met every other")
    low = 1.0 / (1.0 + np.exp(MOST_LOGIT))
    p = np.clip(scores, low, 1.0 - low)
    odds = np.log(p / (1.0 - p))
    return np.asarray((odds - odds.T) / 2.0)


def nash_average(payoffs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(weights, values): the Nash equilibrium of greatest entropy of the game "choose a strategy", and what each gets against it.

    `payoffs` is antisymmetric (log odds of row against column). Strategies of the equilibrium's support get 0, others at
    most 0; copies of a strategy share its weight and change nothing else. Balduzzi, Tuyls, Perolat, Graepel (2018),
    Re-evaluating Evaluation, NeurIPS. Solved by a linear program for the support, then a convex one for the entropy.
    """
    n = len(payoffs)
    scale = max(float(np.abs(payoffs).max()), 1e-12)
    a = payoffs / scale
    support = [i for i in range(n) if _most_weight(a, i) > 1e-9]
    weights = np.zeros(n)
    weights[support] = _most_even(a, support)
    return weights, payoffs @ weights


def _most_weight(a: np.ndarray, i: int) -> float:
    """The greatest weight that strategy i has in any equilibrium: a linear program."""
    # scipy.optimize only where it is used: it takes as much memory as numba, and few ask for this
    from scipy.optimize import linprog

    n = len(a)
    goal = np.zeros(n)
    goal[i] = -1.0
    found = linprog(goal, A_ub=a, b_ub=np.full(n, 1e-12), A_eq=np.ones((1, n)), b_eq=[1.0], bounds=(0, 1), method="highs")
    return float(found.x[i]) if found.success else 0.0


def _most_even(a: np.ndarray, support: list[int]) -> np.ndarray:
    """The equilibrium of greatest entropy on a support all of whose members occur in some equilibrium."""
    from scipy.optimize import minimize

    k = len(support)
    if k == 1:
        return np.ones(1)
    rows = a[:, support]
    # every member of the support earns exactly 0 against every equilibrium: equalities, the others inequalities
    inside = np.zeros(len(a), bool)
    inside[support] = True
    equal = np.vstack([rows[inside], np.ones(k)])
    limits = [{"type": "eq", "fun": lambda w: equal[:-1] @ w, "jac": lambda w: equal[:-1]}]
    _, values, right = np.linalg.svd(equal[:-1])
    rank = int((values > 1e-9 * max(values[0], 1.0)).sum())
    free = right[rank:].T  # the null space: the equalities hold by construction
    start = np.linalg.lstsq(free, np.full(k, 1.0 / k), rcond=None)[0]
    limits = [{"type": "eq", "fun": lambda z: (free @ z).sum() - 1.0}]
    if (~inside).any():
        limits.append({"type": "ineq", "fun": lambda z: -(rows[~inside] @ (free @ z))})
    limits.append({"type": "ineq", "fun": lambda z: free @ z - 1e-12})

    def disorder(z: np.ndarray) -> float:
        w = np.maximum(free @ z, 1e-15)
        return float((w * np.log(w)).sum())

    found = minimize(disorder, start, constraints=limits, method="SLSQP", options={"ftol": 1e-14, "maxiter": 1000})
    w = np.maximum(free @ found.x, 0.0)
    return np.asarray(w / w.sum())


def alpha_rank(payoffs: np.ndarray, alpha: float = 100.0, population: int = 50) -> np.ndarray:
    """The share of time that a population spends with each strategy under selection of strength alpha: sums to 1.

    One population of `population` members, symmetric payoffs (row against column; here scores 0..1). A single mutant takes
    over with the fixation probability of Omidshafiei et al. (2019), alpha-Rank, Scientific Reports 9:9937, equation 7; the
    stationary law of that Markov chain, which has no ties of equilibria to break. Great alpha: who is left in the end.
    """
    n = len(payoffs)
    if n == 1:
        return np.ones(1)
    gaps = payoffs.T - payoffs  # [resident, mutant]: what the mutant gets against the resident, less the reverse
    x = alpha * gaps
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        positive = -np.expm1(-np.abs(x)) / -np.expm1(-population * np.abs(x))
        fixation = np.where(x > 0, positive, positive * np.exp(-(population - 1) * np.abs(x)))
    fixation = np.where(np.abs(x) < 1e-12, 1.0 / population, fixation)
    moves = np.maximum(fixation, 1e-300) / (n - 1)
    np.fill_diagonal(moves, 0.0)
    return _stationary(moves)


def _stationary(moves: np.ndarray) -> np.ndarray:
    """The stationary law of a chain with tiny probabilities: Grassmann, Taha and Heyman (1985), which never subtracts."""
    p = moves.copy()
    n = len(p)
    for k in range(n - 1, 0, -1):
        p[:k, k] /= p[k, :k].sum()
        p[:k, :k] += np.outer(p[:k, k], p[k, :k])
    law = np.zeros(n)
    law[0] = 1.0
    for k in range(1, n):
        law[k] = law[:k] @ p[:k, k]
    return np.asarray(law / law.sum())
