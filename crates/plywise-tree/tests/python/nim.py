"""A small alpha-beta search of Nim that sends its trees to plywise.

    python3 nim.py | plywise tree record --from-pipe - -o nim.tree

A move takes matches from one heap: b2 takes two from heap b. The player who takes the last match wins.
"""

HEAPS = (2, 3, 4)
WIN, INFINITE = 100, 1000
CHILD = {"pv": "cut", "cut": "all", "all": "cut"}  # The first child of a pv node is pv as well.


def search(heaps, move, alpha, beta, node, depth):
    print("e", move, alpha, beta, node, 100 * depth)
    best, reason = -INFINITE, "moves"
    if not any(heaps):
        best, reason = -WIN - depth, "over"
    elif depth == 0:
        best, reason = 0, "evaluated"
    else:
        moves = [(heap, taken) for heap, left in enumerate(heaps) for taken in range(1, left + 1)]
        for heap, taken in moves:
            child = heaps[:heap] + (heaps[heap] - taken,) + heaps[heap + 1 :]
            kind = "pv" if node == "pv" and best == -INFINITE else CHILD[node]
            best = max(best, -search(child, "abc"[heap] + str(taken), -beta, -max(alpha, best), kind, depth - 1))
            if best >= beta:
                reason = "cut"
                break
    print("x", best, reason)
    return best


print("plywise-tree 1 nim")
for depth in range(1, 6):
    print("t", depth, *HEAPS)
    for name, left in zip("abc", HEAPS):
        print("b", name, "|" * left)
    search(HEAPS, "-", -INFINITE, INFINITE, "pv", depth)
    print("s")
print("d")
