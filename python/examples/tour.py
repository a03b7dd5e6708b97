"""A tour of plywise in Python, cell by cell as in a notebook: ``python tour.py SUITE.epd PICTURE.svg``."""

import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import pandas

import plywise

suite_file, picture = sys.argv[1:3]

# %% Load a position and look at it; in a notebook its board is drawn.
position = plywise.Position("chess", "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 4")
print(position)

# %% Search it: the three best moves, each with its line.
result = plywise.Searcher("chess").search(position, depth=6, lines=3)
for line in result.lines:
    print(f"{line['score']:6} {' '.join(line['pv'])}")

# %% Compare two profiles on a suite, depth by depth.
attempts = plywise.suite("chess", suite_file, ["brute", "best"], depth=[2, 3, 4, 5])
table = pandas.DataFrame(attempts)
figures = table.groupby(["limit", "profile"])[["nodes", "solved"]].sum().unstack()
print(figures)

# %% Plot what they spend and what they solve.
axes = plt.figure(figsize=(7, 4)).add_subplot()
for profile in ["brute", "best"]:
    axes.plot(figures["nodes"][profile], figures["solved"][profile], marker="o", label=profile)
axes.set(xscale="log", xlabel="nodes", ylabel=f"solved of {attempts.summary['positions']}")
axes.legend()
plt.savefig(picture)
print("the plot is in", picture)
