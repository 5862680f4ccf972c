"""A short closed tour through points, from their distances."""

import random

KICKS = 30


def short_tour(distances, seed=0):
    """A locally optimal tour, improved by `KICKS` random changes."""
    pick = random.Random(seed)
    best = improved(nearest_first(distances), distances)
    for _ in range(KICKS):
        i, j, k = sorted(pick.sample(range(1, len(best)), 3))
        other = improved(best[:i] + best[j:k] + best[i:j] + best[k:], distances)
        if length(other, distances) < length(best, distances):
            best = other
    return best


def length(tour, distances):
    return sum(distances[a][b] for a, b in steps(tour))


def steps(tour):
    """Consecutive pairs, including the last and the first."""
    return list(zip(tour, tour[1:] + tour[:1], strict=True))


def nearest_first(distances):
    tour, left = [0], set(range(1, len(distances)))
    while left:
        tour.append(min(left, key=lambda point: distances[tour[-1]][point]))
        left.remove(tour[-1])
    return tour


def improved(tour, distances):
    """Reverses segments and moves short ones until neither shortens the tour."""
    while True:
        before = length(tour, distances)
        tour = move_segments(reverse_segments(list(tour), distances), distances)
        if length(tour, distances) >= before * (1 - 1e-12):
            return tour


def reverse_segments(tour, distances):
    n = len(tour)
    for i in range(n - 1):
        for j in range(i + 2, n - (i == 0)):
            a, b, c, d = tour[i], tour[i + 1], tour[j], tour[(j + 1) % n]
            if distances[a][c] + distances[b][d] < distances[a][b] + distances[c][d]:
                tour[i + 1 : j + 1] = tour[i + 1 : j + 1][::-1]
    return tour


def move_segments(tour, distances):
    def extra(a, segment, b):
        """The length that a segment adds to the tour between two points."""
        return distances[a][segment[0]] + distances[segment[-1]][b] - distances[a][b]

    for size in (1, 2, 3):
        for start in range(len(tour)):
            rotated = tour[start:] + tour[:start]
            segment, rest = rotated[:size], rotated[size:]
            least, best_at, best = extra(rest[-1], segment, rest[0]), len(rest), segment
            for at in range(1, len(rest)):
                for other in (segment, segment[::-1]):
                    if extra(rest[at - 1], other, rest[at]) < least:
                        least, best_at, best = extra(rest[at - 1], other, rest[at]), at, other
            tour = rest[:best_at] + best + rest[best_at:]
    return tour
