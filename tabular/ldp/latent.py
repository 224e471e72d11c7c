"""Clusters from answers about pairs: a mixture of K classes in which attributes are independent.

The server cannot see a record, but it can ask which K profiles make all answers about pairs likeliest: every
pair's table is then a mixture of products. The likelihood is that of the answers as they were sent, randomization and
all, so what is impossible under any profile counts against it, and no noisy table is ever taken for a table.
EM climbs slowly where answers are noisy, so its steps are extrapolated.

Where to start decides what is found. The main directions in which people differ, in the distances that clustering is
about, are the leading eigenvectors of the covariance of indicator variables, and pairs of attributes are just what
a covariance consists of; profiles start from the cluster centres of a normal cloud along these directions.

Sources: P. Lazarsfeld and N. Henry, Latent Structure Analysis, 1968; C. Ding and X. He, K-means Clustering via Principal
Component Analysis, 2004; R. Varadhan and C. Roland, Simple and Globally Convergent Methods for Accelerating the
Convergence of Any EM Algorithm, 2008.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.linalg import block_diag

from graphanon.tabular.ldp.evidence import Evidence, Margins, on_simplex, table_of

__all__ = ["Profiles", "drawn_together", "fit", "spectral_start"]

Floats = NDArray[np.float64]
_CLOUD = 4000


@dataclass(frozen=True, kw_only=True, eq=False)
class Profiles:
    """K classes: their `shares` float64[K], and for each attribute float64[K, inputs] the shares of its inputs."""

    shares: Floats
    profiles: tuple[Floats, ...]
    likelihood: float = -np.inf

    def vector(self) -> Floats:
        """Return all numbers in one row."""
        return np.concatenate([self.shares, *(profile.ravel() for profile in self.profiles)])

    def like(self, vector: Floats) -> Profiles:
        """Return profiles of the same shapes with other numbers: nothing negative, and sums of 1."""
        ends = np.cumsum([self.shares.size, *(profile.size for profile in self.profiles)])
        parts = np.split(np.maximum(vector, 1e-9), ends[:-1])
        shaped = [part.reshape(old.shape) for part, old in zip(parts[1:], self.profiles, strict=True)]
        return Profiles(shares=parts[0] / parts[0].sum(),
                        profiles=tuple(part / part.sum(axis=1, keepdims=True) for part in shaped))


def fit(
    evidence: Sequence[Evidence], margins: Margins, embeddings: Sequence[Floats], k: int, rng: Generator,
    *, starts: int = 6, steps: int = 90,
) -> Profiles:
    """Return the likeliest of several fits of `k` classes.

    `embeddings` place the inputs of each attribute where distances are those of clustering, float64[dimensions, inputs].
    """
    tables = [table_of(piece, margins) for piece in evidence]
    covariance = _covariance(evidence, tables, margins)
    found = [climb(evidence, margins, spectral_start(covariance, margins, embeddings, k, rng, turned=number > 0), steps)
             for number in range(starts)]
    return found[int(np.argmax([profiles.likelihood for profiles in found]))]


def drawn_together(evidence: Sequence[Evidence], found: Profiles) -> Profiles:
    """Return the profiles drawn towards their mean as far as noise alone would have driven them apart.

    A profile of c inputs, each of which answers tell up to a variance v, lies c · v from where it belongs, squared;
    what it stands off the mean beyond that is kept. Source: W. James and C. Stein, Estimation with Quadratic Loss, 1961.
    """
    drawn = []
    for j, profile in enumerate(found.profiles):
        precision = sum(piece.se**-2 for piece in evidence if j in {piece.a, piece.b} and piece.se > 0)
        mean = found.shares @ profile
        apart = ((profile - mean) ** 2).sum(axis=1, keepdims=True)
        noise = profile.shape[1] / precision if precision else 0.0
        drawn.append(mean + np.maximum(0.0, 1 - noise / np.maximum(apart, 1e-300)) * (profile - mean))
    return Profiles(shares=found.shares, profiles=tuple(drawn), likelihood=found.likelihood)


def climb(evidence: Sequence[Evidence], margins: Margins, start: Profiles, steps: int) -> Profiles:
    """Return where EM ends from a start: two steps tell a direction, a leap along it is taken where it pays.

    How far a leap may go doubles when one of full length paid and is halved when one did not.
    """
    here, limit = _step(evidence, margins, start), 4.0
    for _ in range(steps // 3):
        once = _step(evidence, margins, here)
        twice = _step(evidence, margins, once)
        first = once.vector() - here.vector()
        second = twice.vector() - once.vector() - first
        length = min(float(np.linalg.norm(first)) / max(float(np.linalg.norm(second)), 1e-300), limit)
        leap = here.like(here.vector() + 2 * length * first + length**2 * second) if length > 1 else twice
        after = _step(evidence, margins, leap)
        # profiles carry the likelihood of those before their last step: that of the leap, and of the first step
        pays = after.likelihood >= twice.likelihood
        better = after if pays else twice
        limit = (limit * 2 if length == limit else limit) if pays else max(limit / 2, 1.0)
        if pays and better.likelihood - here.likelihood < 1e-8 * abs(here.likelihood):
            return better
        here = better
    return here


def _step(evidence: Sequence[Evidence], margins: Margins, now: Profiles) -> Profiles:
    """Return the profiles after one step of EM, with the (penalized) likelihood of those before it.

    The penalty is that of one person more in each class for each attribute, spread as everyone is.
    """
    shares = np.full(len(now.shares), 10.0)
    counts = [np.tile(margin, (len(shares), 1)) for margin in margins]
    likelihood = 10.0 * float(np.log(now.shares).sum())
    likelihood += float(sum((count * np.log(old)).sum() for count, old in zip(counts, now.profiles, strict=True)))
    for piece in evidence:
        weighted = now.shares[:, None] * now.profiles[piece.a]
        other = now.profiles[piece.b]
        own, factor = piece.expected((weighted.T @ other).ravel())
        likelihood += own
        table = factor.reshape(piece.shape)
        of_a, of_b = weighted * (other @ table.T), other * (weighted @ table)
        counts[piece.a] += of_a
        counts[piece.b] += of_b
        shares += of_a.sum(axis=1)
    profiles = tuple(np.maximum(count, 1e-9) for count in counts)
    return Profiles(shares=shares / shares.sum(), likelihood=likelihood,
                    profiles=tuple(count / count.sum(axis=1, keepdims=True) for count in profiles))


def spectral_start(
    covariance: Floats, margins: Margins, embeddings: Sequence[Floats], k: int, rng: Generator, *, turned: bool = False,
) -> Profiles:
    """Return profiles along the main K - 1 directions, at the centres of K parts of a normal cloud.

    A `turned` start has four directions more, and parts the cloud along a random one.
    """
    place = block_diag(*embeddings)
    values, vectors = np.linalg.eigh(place @ covariance @ place.T)
    used = max(1, min(k - 1 + 4 * turned, int((values > 1e-9).sum())))
    strength = np.sqrt(np.maximum(values[::-1][:used], 1e-12))
    main = covariance @ place.T @ vectors[:, ::-1][:, :used] / strength
    centres = _cloud_centres(strength, k, rng, turned=turned) / strength
    moved = np.concatenate(margins) + centres @ main.T
    ends = np.cumsum([len(margin) for margin in margins])[:-1]
    profiles = [np.stack([on_simplex(row) for row in part]) + 0.02 for part in np.split(moved, ends, axis=1)]
    return Profiles(shares=np.full(k, 1 / k),
                    profiles=tuple(profile / profile.sum(axis=1, keepdims=True) for profile in profiles))


def _covariance(evidence: Sequence[Evidence], tables: Sequence[Floats], margins: Margins) -> Floats:
    """Return the covariance of the indicators of all inputs; pairs that nobody was asked about count as independent."""
    ends = np.cumsum([0, *(len(margin) for margin in margins)])
    found = np.asarray(block_diag(*(np.diag(margin) - np.outer(margin, margin) for margin in margins)))
    for piece, table in zip(evidence, tables, strict=True):
        rows, columns = slice(*ends[piece.a : piece.a + 2]), slice(*ends[piece.b : piece.b + 2])
        found[rows, columns] = table - np.outer(margins[piece.a], margins[piece.b])
        found[columns, rows] = found[rows, columns].T
    return found


def _cloud_centres(strength: Floats, k: int, rng: Generator, *, turned: bool) -> Floats:
    """Return float64[k, dimensions]: the centres that K-means finds in a normal cloud of these deviations.

    K-means starts from parts along the first direction; where `turned`, from those along a random one, and ends at once.
    """
    cloud = rng.normal(size=(_CLOUD, len(strength))) * strength
    along = cloud @ rng.normal(size=len(strength)) if turned else cloud[:, 0]
    centres = cloud[np.argsort(along)[((np.arange(k) + 0.5) * _CLOUD / k).astype(np.int64)]]
    for _ in range(1 if turned else 30):
        nearest = np.argmin((centres**2).sum(axis=1) - 2 * cloud @ centres.T, axis=1)
        filled = np.flatnonzero(np.bincount(nearest, minlength=k))
        centres[filled] = np.stack([cloud[nearest == j].mean(axis=0) for j in filled.tolist()])
    return centres
