/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The recorder of plywise_tree.h. Its six main calls are those of the game-tree library in Yngvi Björnsson, Selective
 * Depth-First Game-Tree Search, 2002, appendix A. */

#include "plywise_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 16 };

struct plywise_tree {
    FILE *out;
    int in_tree;              /* after `start`, before `stop` */
    int entered;              /* the tree has a node */
    unsigned long open_nodes; /* entered and not left */
    char buffer[BUFFER_BYTES];
};

/* In the order of plywise_tree_type. */
static const char *const TYPES[] = {
    "pv", "cut", "all", "quiescence", "null", "probe", "research", "verify", "unknown",
};

/* In the order of plywise_tree_reason. */
static const char *const REASONS[] = {
    "moves",     "cut",      "table",     "stand_pat", "evaluated", "draw",    "over",
    "null_move", "futility", "multi_cut", "probcut",   "stopped",   "unknown",
};

/* After a write error the stream says so for good, and nothing more is sent to it. */
static int can_write(const plywise_tree *t)
{
    return t != NULL && !ferror(t->out);
}

/* Writes text so that it stays on its line: a control character becomes `instead`. So does a space in a field that ends
 * at a space, where `instead` is another character. */
static void put_text(FILE *out, const char *text, size_t length, char instead)
{
    size_t i;
    for (i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        putc(c <= ' ' || c == 127 ? instead : c, out);
    }
}

/* The last field of a line, with the space before it. An empty one is left out. */
static void put_rest(FILE *out, const char *text, size_t length)
{
    if (length > 0) {
        putc(' ', out);
        put_text(out, text, length, ' ');
    }
    putc('\n', out);
}

static void put_number(FILE *out, int number)
{
    if (number == PLYWISE_TREE_NONE)
        fputs(" ?", out);
    else
        fprintf(out, " %d", number);
}

plywise_tree *plywise_tree_new(const char *file, const char *game)
{
    plywise_tree *t = (plywise_tree *)calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    if (file == NULL || strcmp(file, "-") == 0) {
        t->out = stdout;
    } else {
        t->out = fopen(file, "wb");
        if (t->out == NULL) {
            free(t);
            return NULL;
        }
        setvbuf(t->out, t->buffer, _IOFBF, BUFFER_BYTES);
    }
    if (game == NULL || *game == '\0')
        game = "unknown";
    fputs("plywise-tree 1", t->out);
    put_rest(t->out, game, strlen(game));
    return t;
}

void plywise_tree_start(plywise_tree *t, int number, const char *position)
{
    plywise_tree_stop(t);
    if (!can_write(t))
        return;
    t->in_tree = 1;
    t->entered = 0;
    t->open_nodes = 0;
    fprintf(t->out, "t %d", number);
    put_rest(t->out, position, position == NULL ? 0 : strlen(position));
}

void plywise_tree_board(plywise_tree *t, const char *rows)
{
    if (!can_write(t) || !t->in_tree || t->entered || rows == NULL)
        return;
    while (*rows != '\0') {
        size_t length = strcspn(rows, "\r\n");
        putc('b', t->out);
        put_rest(t->out, rows, length);
        rows += length;
        rows += strncmp(rows, "\r\n", 2) == 0 ? 2 : *rows != '\0';
    }
}

void plywise_tree_enter(plywise_tree *t, const char *move, int alpha, int beta, plywise_tree_type type,
                        int depth_in_hundredths)
{
    if (!can_write(t) || !t->in_tree)
        return;
    if (move == NULL || *move == '\0')
        move = "-";
    if ((unsigned)type > PLYWISE_NODE_UNKNOWN)
        type = PLYWISE_NODE_UNKNOWN;
    t->entered = 1;
    t->open_nodes++;
    fputs("e ", t->out);
    put_text(t->out, move, strlen(move), '_');
    fprintf(t->out, " %d %d %s", alpha, beta, TYPES[type]);
    if (depth_in_hundredths != PLYWISE_TREE_NONE)
        put_number(t->out, depth_in_hundredths);
    putc('\n', t->out);
}

void plywise_tree_narrow(plywise_tree *t, int alpha, int beta)
{
    if (can_write(t) && t->open_nodes > 0)
        fprintf(t->out, "w %d %d\n", alpha, beta);
}

/* The beginning of an exit, or false where no node is open. */
static int leave(plywise_tree *t, int value)
{
    if (!can_write(t) || t->open_nodes == 0)
        return 0;
    t->open_nodes--;
    putc('x', t->out);
    put_number(t->out, value);
    return 1;
}

void plywise_tree_exit(plywise_tree *t, int value)
{
    if (leave(t, value))
        putc('\n', t->out);
}

void plywise_tree_exit_with(plywise_tree *t, int value, plywise_tree_reason reason, int evaluation)
{
    if (!leave(t, value))
        return;
    if ((unsigned)reason > PLYWISE_REASON_UNKNOWN)
        reason = PLYWISE_REASON_UNKNOWN;
    fprintf(t->out, " %s", REASONS[reason]);
    if (evaluation != PLYWISE_TREE_NONE)
        put_number(t->out, evaluation);
    putc('\n', t->out);
}

void plywise_tree_stop(plywise_tree *t)
{
    if (!can_write(t) || !t->in_tree)
        return;
    t->in_tree = 0;
    t->open_nodes = 0;
    fputs("s\n", t->out);
    fflush(t->out);
}

void plywise_tree_delete(plywise_tree *t)
{
    if (t == NULL)
        return;
    plywise_tree_stop(t);
    if (can_write(t))
        fputs("d\n", t->out);
    if (t->out == stdout)
        fflush(t->out);
    else
        fclose(t->out);
    free(t);
}
