/* A small engine that records its trees. It searches Nim with three heaps: a move takes matches from one heap, and the
 * player who takes the last match wins. Principal variation search with iterative deepening, one tree an iteration.
 *
 *     cc -std=c99 -DPLYWISE_TREE -I../../c nim.c ../../c/plywise_tree.c -o nim
 *     ./nim nim.txt
 *
 * It prints the number of nodes of all iterations. */

#include <stdio.h>

#include "plywise_tree.h"

enum { HEAPS = 3, MOST_DEPTH = 6, WIN = 100, INFINITE = 1000 };

struct position {
    int left[HEAPS];
    char last[3]; /* The move that led here: the heap's letter and how many were taken. */
};

struct engine {
    plywise_tree *tree;
    long nodes;
};

static struct position play(struct position p, int heap, int taken)
{
    p.left[heap] -= taken;
    p.last[0] = (char)('a' + heap);
    p.last[1] = (char)('0' + taken);
    p.last[2] = '\0';
    return p;
}

/* An odd number of matches looks good: they may be taken one by one. */
static int evaluate(const struct position *p)
{
    return (p->left[0] + p->left[1] + p->left[2]) % 2 ? 5 : -5;
}

static plywise_tree_type type_of_child(plywise_tree_type type, int number)
{
    switch (type) {
    case PLYWISE_NODE_CUT:
        return PLYWISE_NODE_ALL;
    case PLYWISE_NODE_ALL:
        return PLYWISE_NODE_CUT;
    default:
        return number == 1 ? PLYWISE_NODE_PV : PLYWISE_NODE_CUT;
    }
}

static int search(struct engine *e, const struct position *p, int ply, int depth, int alpha, int beta,
                  plywise_tree_type type)
{
    int evaluation = evaluate(p);
    int best = -INFINITE;
    int number = 0;

    e->nodes++;
    PLYWISE_TREE_ENTER(e->tree, p->last, alpha, beta, type, 100 * depth);
    if (p->left[0] + p->left[1] + p->left[2] == 0) {
        PLYWISE_TREE_EXIT_WITH(e->tree, ply - WIN, PLYWISE_REASON_OVER, PLYWISE_TREE_NONE);
        return ply - WIN;
    }
    if (depth == 0) {
        PLYWISE_TREE_EXIT_WITH(e->tree, evaluation, PLYWISE_REASON_EVALUATED, evaluation);
        return evaluation;
    }
    if (beta > WIN - ply - 1) { /* No win is nearer than the next move. */
        beta = WIN - ply - 1;
        PLYWISE_TREE_NARROW(e->tree, alpha, beta);
    }
    for (int heap = 0; heap < HEAPS; heap++) {
        for (int taken = 1; taken <= p->left[heap]; taken++) {
            struct position next = play(*p, heap, taken);
            int lower = best > alpha ? best : alpha;
            int upper = ++number == 1 ? beta : lower + 1;
            int value = -search(e, &next, ply + 1, depth - 1, -upper, -lower, type_of_child(type, number));
            if (value >= upper && upper < beta)
                value = -search(e, &next, ply + 1, depth - 1, -beta, -lower, PLYWISE_NODE_RESEARCH);
            if (value > best)
                best = value;
            if (best >= beta) {
                PLYWISE_TREE_EXIT_WITH(e->tree, best, PLYWISE_REASON_CUT, evaluation);
                return best;
            }
        }
    }
    PLYWISE_TREE_EXIT_WITH(e->tree, best, PLYWISE_REASON_MOVES, evaluation);
    return best;
}

int main(int argc, char **argv)
{
    const struct position root = {{3, 4, 5}, "-"};
    struct engine e = {NULL, 0};

    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    e.tree = PLYWISE_TREE_NEW(argv[1], "nim");
    for (int depth = 1; depth <= MOST_DEPTH; depth++) {
        PLYWISE_TREE_START(e.tree, depth, "3 4 5");
        PLYWISE_TREE_BOARD(e.tree, "a |||\nb ||||\nc |||||\n");
        search(&e, &root, 0, depth, -INFINITE, INFINITE, PLYWISE_NODE_PV);
        PLYWISE_TREE_STOP(e.tree);
    }
    PLYWISE_TREE_DELETE(e.tree);
    printf("%ld\n", e.nodes);
    return 0;
}
