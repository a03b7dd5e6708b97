#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "strength.h"

static int height[7];
static char board[7][6];
static long nodes;

static int four(int column, char who) {
    static const int way[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    int row = height[column];
    for (int w = 0; w < 4; w++) {
        int count = 1;
        for (int sign = -1; sign <= 1; sign += 2)
            for (int step = 1; step < 4; step++) {
                int x = column + sign * step * way[w][0], y = row + sign * step * way[w][1];
                if (x < 0 || x > 6 || y < 0 || y > 5 || board[x][y] != who) break;
                count++;
            }
        if (count >= 4) return 1;
    }
    return 0;
}

static int choose(char me) {
    static const int order[7] = {3, 2, 4, 1, 5, 0, 6};
    if (LOOKS_AHEAD)
        for (int turn = 0; turn < 2; turn++)
            for (int i = 0; i < 7; i++) {
                nodes++;
                if (height[i] < 6 && four(i, turn ? 1 - me : me)) return i;
            }
    for (int i = 0; i < 7; i++) {
        int column = LOOKS_AHEAD ? order[i] : i;
        nodes++;
        if (height[column] < 6) return column;
    }
    return 0;
}

int main(int count, char **words) {
    char line[4096], me = 0;
    if (count > 1 && !strcmp(words[1], "bench")) {
        volatile long work = 0;
        for (long i = 0; i < 3000000L * SLOWNESS; i++) work += i;
        printf("%d nodes %d nps\n", BENCH, 1000000 / SLOWNESS);
        return 0;
    }
    setbuf(stdout, NULL);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "uci\n", 4)) puts("id name toy\nuciok");
        else if (!strncmp(line, "isready", 7)) puts("readyok");
        else if (!strncmp(line, "quit", 4)) return 0;
        else if (!strncmp(line, "position", 8)) {
            char *moves = strstr(line, "moves");
            memset(height, 0, sizeof height);
            memset(board, -1, sizeof board);
            me = 0;
            for (char *word = moves ? strtok(moves + 5, " \n") : NULL; word; word = strtok(NULL, " \n")) {
                int column = word[0] - 'a';
                board[column][height[column]++] = me;
                me = 1 - me;
            }
        } else if (!strncmp(line, "go", 2)) {
            nodes = 0;
            int column = choose(me);
            printf("info depth 1 nodes %ld score cp 0 pv %c\nbestmove %c\n", nodes, 'a' + column, 'a' + column);
        }
    }
    return 0;
}
