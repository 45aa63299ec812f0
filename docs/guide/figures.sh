#!/bin/bash
# The samples and the figures of the guides. docs/guide/figures.sh SAMPLES FIGURES, two directories; run where
# examples/data is. The command is build/dedpul, or what DEDPUL says.
set -eu
samples=$1
figures=$2
dedpul=${DEDPUL:-build/dedpul}
mkdir -p "$samples" "$figures"

python3 - "$samples" <<'END'
import csv, math, random, statistics, sys

def write(name, header, rows):
    with open(f"{sys.argv[1]}/{name}.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])

# Scores whose logits are normal. Groups are (label, rows, mean, standard deviation), and the truth if it is asked for.
def write_scores(name, seed, groups, header=("label", "score")):
    source = random.Random(seed)
    rows = [(label, f"{1 / (1 + math.exp(-source.gauss(mean, deviation))):.6f}", *truth)
            for label, n, mean, deviation, *truth in groups for _ in range(n)]
    source.shuffle(rows)
    write(name, header, rows)

#                          labeled             unlabeled, positive               unlabeled, negative
write_scores("overlap", 2, [(1, 500, 0.15, 1), (0, 500, 0.15, 1),                (0, 1500, -0.15, 1)])
write_scores("flat", 15,   [(1, 5000, 0.01, 0.5), (0, 2500, 0.01, 0.5),          (0, 7500, 0, 0.5)])
write_scores("picked", 4,  [(1, 500, 2.5, 0.7), (0, 100, 2.5, 0.7), (0, 700, 0.5, 0.8), (0, 1200, -2.5, 1)])
write_scores("added", 4,   [(1, 400, 1, 1), (1, 100, 5, 0.5), (0, 800, 1, 1),    (0, 1200, -2.5, 1)])
write_scores("tiny", 8,    [(1, 8, 1.5, 1), (0, 16, 1.5, 1),                     (0, 24, -2.5, 1)])
write_scores("rare", 7,    [(1, 40, 2, 1), (0, 10, 2, 1),                        (0, 500, -2, 1)])
write_scores("buyers", 1,  [(1, 400, 1, 1, 1), (0, 600, 1, 1, 1),                (0, 1400, -1, 1, 0)],
             header=("label", "score", "bought"))

# Wines: labels of the fine ones mostly, and a column that says where each row came from.
with open("examples/data/wine.csv", newline="") as file:
    header, *wines = csv.reader(file)
graded = [[*row, "" if row[0] == "0" else "fine" if int(row[-1]) >= 6 else "plain"] for row in wines]
plain = [row for row in graded if row[-1] == "plain"]
write("fine", [*header, "grade"], [row for row in graded if row[-1] != "plain"] + plain[::9])
# Labels that were lost where the acidity is high: 4 of 5 below a pH of 3.3, 1 of 5 above. A third of all red wines had one.
source = random.Random(11)
inspected = []
for row in wines:
    chance = 0.2 if float(row[header.index("ph")]) < 3.3 else 0.8
    label = row[0] if source.random() < chance else "0"
    inspected.append([label, *row[1:], f"{chance / 3:.4f}" if label == "1" else ""])
write("inspected", [*header, "chance"], inspected)
write("leak", [*header, "source"], [[*row, "cellar" if row[0] == "1" else "market"] for row in wines])
# The day when a row was entered: labeled ones came late.
source = random.Random(9)
write("entered", [*header, "entered"],
      [[*row, source.randrange(75, 160) if row[0] == "1" else source.randrange(0, 120)] for row in wines])

# 60 labeled and 200 other bottles, each analysed 8 times: its row with errors of a tenth of the columns' deviations.
source = random.Random(6)
measured = range(1, 12)
deviation = [statistics.stdev(float(row[j]) for row in wines) for j in measured]
bottles = source.sample([row for row in wines if row[0] == "1"], 60) + source.sample(
    [row for row in wines if row[0] == "0"], 200)
analyses = [[row[0], f"bottle {k}", *(f"{source.gauss(float(row[j]), d / 10):.5g}" for j, d in zip(measured, deviation))]
            for k, row in enumerate(bottles, 1) for _ in range(8)]
source.shuffle(analyses)
write("bottles", ["label", "bottle", *(header[j] for j in measured)], analyses)

# Wines that came later: alcohol as a fraction, and with one positive in eight.
with open("examples/data/wine_new.csv", newline="") as new, open("examples/data/wine_new_truth.csv", newline="") as known:
    header, *wines = csv.reader(new)
    truth = [row[-1] for row in csv.reader(known)][1:]
percent = header.index("alcohol")
write("other_unit", header, [[f"{float(x) / 100:g}" if c == percent else x for c, x in enumerate(row)] for row in wines])
positives = [row for row, is_positive in zip(wines, truth) if is_positive == "1"]
negatives = [row for row, is_positive in zip(wines, truth) if is_positive == "0"]
write("fewer", header, negatives + positives[7::8])
END

"$dedpul" scores examples/data/wine_scores.csv --interval --plot "$figures/wine.svg"
"$dedpul" scores "$samples/overlap.csv" --interval --plot "$figures/overlap.svg"
for sample in flat picked tiny; do
    "$dedpul" scores "$samples/$sample.csv" --plot "$figures/$sample.svg"
done
"$dedpul" evaluate "$samples/buyers.csv" --truth bought --plot "$figures/buyers.svg"
"$dedpul" scores "$samples/rare.csv" --method dedpul --plot "$figures/rare.svg"
"$dedpul" fit "$samples/leak.csv" --classifier logistic --quiet --plot "$figures/leak.svg"
