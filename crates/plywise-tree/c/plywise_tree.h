/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Records the trees that an engine searches, as text that `plywise tree record` reads. docs/tree-protocol.md of plywise
 * describes the text. Copy this file and plywise_tree.c into the engine; they need nothing but C99, and C++ can call
 * them.
 *
 * Use the macros with capital names. Compiled with PLYWISE_TREE defined they are the calls declared here; without it
 * they disappear, and their arguments are not evaluated.
 *
 *     plywise_tree *tree = PLYWISE_TREE_NEW("game.txt", "chess");    once
 *     PLYWISE_TREE_START(tree, iteration, fen);                      before each search of the root
 *     PLYWISE_TREE_ENTER(tree, move, alpha, beta, type, depth);      first thing in a node
 *     PLYWISE_TREE_NARROW(tree, alpha, beta);                        where the table tightens its window
 *     PLYWISE_TREE_EXIT(tree, value);                                before every return from it
 *     PLYWISE_TREE_STOP(tree);                                       after the search of the root
 *     PLYWISE_TREE_DELETE(tree);                                     once, at the end
 *
 * Every call accepts NULL for the recorder and then does nothing. A recorder that cannot write any more, because the
 * disk is full or the reader has gone, stays silent from then on, and the engine plays on. Where the reader of a pipe
 * has gone, the system also sends the engine SIGPIPE, which ends a process by default. The recorder leaves signals to
 * the engine: ignore SIGPIPE with signal(SIGPIPE, SIG_IGN) if the engine is to survive that.
 *
 * A recorder belongs to one thread. Threads that search together each have a recorder and a file of their own. */

#ifndef PLYWISE_TREE_H
#define PLYWISE_TREE_H

#include <limits.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plywise_tree plywise_tree;

/* Stands for a value, an evaluation or a depth that is not known. */
#define PLYWISE_TREE_NONE INT_MIN

/* What a node is, as far as the search knows when it enters it. */
typedef enum plywise_tree_type {
    PLYWISE_NODE_PV,         /* on the principal variation: an open window */
    PLYWISE_NODE_CUT,        /* one move is expected to reach beta */
    PLYWISE_NODE_ALL,        /* no move is expected to reach alpha */
    PLYWISE_NODE_QUIESCENCE, /* in the quiescence search */
    PLYWISE_NODE_NULL,       /* after a null move */
    PLYWISE_NODE_PROBE,      /* a shallower search that decides about a cut, an extension or the order of moves */
    PLYWISE_NODE_RESEARCH,   /* a move that is searched again, deeper or with a wider window */
    PLYWISE_NODE_VERIFY,     /* a search that verifies a cut */
    PLYWISE_NODE_UNKNOWN
} plywise_tree_type;

/* Why a node is left. */
typedef enum plywise_tree_reason {
    PLYWISE_REASON_MOVES,     /* all moves were searched */
    PLYWISE_REASON_CUT,       /* a move reached beta */
    PLYWISE_REASON_TABLE,     /* the transposition table knew the value */
    PLYWISE_REASON_STAND_PAT, /* the evaluation reached beta in the quiescence search */
    PLYWISE_REASON_EVALUATED, /* a leaf */
    PLYWISE_REASON_DRAW,      /* a draw by rule or by repetition */
    PLYWISE_REASON_OVER,      /* the game is over */
    PLYWISE_REASON_NULL_MOVE,
    PLYWISE_REASON_FUTILITY,
    PLYWISE_REASON_MULTI_CUT,
    PLYWISE_REASON_PROBCUT,
    PLYWISE_REASON_STOPPED, /* the search was stopped: the value is PLYWISE_TREE_NONE */
    PLYWISE_REASON_UNKNOWN
} plywise_tree_reason;

/* Opens `file` for writing. At a named pipe it waits for the reader. NULL or "-" is the standard output, on which the
 * engine must then print nothing else. `game` is its name in plywise (chess, loa, othello, abalone) or any other name.
 * Returns NULL if the file cannot be opened. The recorder collects its text and writes it when it has enough of it, at
 * `stop` and at `delete`. */
plywise_tree *plywise_tree_new(const char *file, const char *game);

/* Begins the tree of iteration `number` at `position`: one line in the notation of the game, in chess a FEN. NULL or ""
 * is the start of the game. A tree that is still open ends first. */
void plywise_tree_start(plywise_tree *t, int number, const char *position);

/* Sends the board of the root as text of several lines, for a game that plywise does not know. Call it between `start`
 * and the first `enter`; later it does nothing. */
void plywise_tree_board(plywise_tree *t, const char *rows);

/* Enters a node. `move` is the move that led to it, as engines write it (e2e4), NULL or "-" at the root and "0" for a
 * null move. The window is that of the side to move at the node. The depth that is left is in hundredths of a ply, or
 * PLYWISE_TREE_NONE. */
void plywise_tree_enter(plywise_tree *t, const char *move, int alpha, int beta, plywise_tree_type type,
                        int depth_in_hundredths);

/* The table, or another thing that is known about the node that was entered last, tightens its window to this one. */
void plywise_tree_narrow(plywise_tree *t, int alpha, int beta);

/* Leaves the node that was entered last, with its value for the side to move at it, or PLYWISE_TREE_NONE if the search
 * was stopped. */
void plywise_tree_exit(plywise_tree *t, int value);

/* The same, with the reason and the static evaluation of the node, or PLYWISE_TREE_NONE if there is none. */
void plywise_tree_exit_with(plywise_tree *t, int value, plywise_tree_reason reason, int evaluation);

/* Ends the tree. Nodes that are still open count as stopped, so a search that is stopped may return without `exit`. */
void plywise_tree_stop(plywise_tree *t);

/* Ends the recording, closes the file and frees the recorder. */
void plywise_tree_delete(plywise_tree *t);

#ifdef __cplusplus
}
#endif

#ifdef PLYWISE_TREE
#define PLYWISE_TREE_NEW(file, game) plywise_tree_new((file), (game))
#define PLYWISE_TREE_START(t, number, position) plywise_tree_start((t), (number), (position))
#define PLYWISE_TREE_BOARD(t, rows) plywise_tree_board((t), (rows))
#define PLYWISE_TREE_ENTER(t, move, alpha, beta, type, depth_in_hundredths) \
    plywise_tree_enter((t), (move), (alpha), (beta), (type), (depth_in_hundredths))
#define PLYWISE_TREE_NARROW(t, alpha, beta) plywise_tree_narrow((t), (alpha), (beta))
#define PLYWISE_TREE_EXIT(t, value) plywise_tree_exit((t), (value))
#define PLYWISE_TREE_EXIT_WITH(t, value, reason, evaluation) \
    plywise_tree_exit_with((t), (value), (reason), (evaluation))
#define PLYWISE_TREE_STOP(t) plywise_tree_stop(t)
#define PLYWISE_TREE_DELETE(t) plywise_tree_delete(t)
#else
#define PLYWISE_TREE_NEW(file, game) ((plywise_tree *)0)
#define PLYWISE_TREE_START(t, number, position) ((void)0)
#define PLYWISE_TREE_BOARD(t, rows) ((void)0)
#define PLYWISE_TREE_ENTER(t, move, alpha, beta, type, depth_in_hundredths) ((void)0)
#define PLYWISE_TREE_NARROW(t, alpha, beta) ((void)0)
#define PLYWISE_TREE_EXIT(t, value) ((void)0)
#define PLYWISE_TREE_EXIT_WITH(t, value, reason, evaluation) ((void)0)
#define PLYWISE_TREE_STOP(t) ((void)0)
#define PLYWISE_TREE_DELETE(t) ((void)0)
#endif

#endif
