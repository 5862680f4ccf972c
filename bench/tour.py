"""A short closed tour through points, by their distances alone."""

import random

KICKS = 30


def short_tour(distances, seed=0):
    """The order of a short tour: locally best, also after `KICKS` random changes."""
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
    """Pairs that follow each other, the last and the first too."""
    return list(zip(tour, tour[1:] + tour[:1], strict=True))


def nearest_first(distances):
    tour, left = [0], set(range(1, len(distances)))
    while left:
        tour.append(min(left, key=lambda point: distances[tour[-1]][point]))
        left.remove(tour[-1])
    return tour


def improved(tour, distances):
    """Turns stretches around and moves short ones until neither makes the tour shorter."""
    while True:
        before = length(tour, distances)
        tour = move_stretches(turn_stretches(list(tour), distances), distances)
        if length(tour, distances) >= before * (1 - 1e-12):
            return tour


def turn_stretches(tour, distances):
    n = len(tour)
    for i in range(n - 1):
        for j in range(i + 2, n - (i == 0)):
            a, b, c, d = tour[i], tour[i + 1], tour[j], tour[(j + 1) % n]
            if distances[a][c] + distances[b][d] < distances[a][b] + distances[c][d]:
                tour[i + 1 : j + 1] = tour[i + 1 : j + 1][::-1]
    return tour


def move_stretches(tour, distances):
    def extra(a, stretch, b):
        """What a stretch adds to the tour between two points."""
        return distances[a][stretch[0]] + distances[stretch[-1]][b] - distances[a][b]

    for size in (1, 2, 3):
        for start in range(len(tour)):
            turned = tour[start:] + tour[:start]
            stretch, rest = turned[:size], turned[size:]
            least, place, way = extra(rest[-1], stretch, rest[0]), len(rest), stretch
            for at in range(1, len(rest)):
                for other in (stretch, stretch[::-1]):
                    if extra(rest[at - 1], other, rest[at]) < least:
                        least, place, way = extra(rest[at - 1], other, rest[at]), at, other
            tour = rest[:place] + way + rest[place:]
    return tour
