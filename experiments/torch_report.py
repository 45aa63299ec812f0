"""Prints tables of a file of torch_images.py in Markdown: experiments/torch_report.py experiments/results/torch.csv"""
import csv
import statistics
import sys


def mean(rows, measure):
    return statistics.mean(measure(row) for row in rows)


def error_of(name):
    return lambda row: abs(float(row[name]) - float(row["alpha"]))


def line(name, rows):
    held = mean(rows, lambda row: float(row["low"]) <= float(row["alpha"]) <= float(row["high"]))
    has_pn = all(row["error_pn"] for row in rows)
    pn = f"{mean(rows, lambda row: float(row['error_pn'])):.4f}" if has_pn else ""
    return (f"| {name} | {len(rows)} | {mean(rows, error_of('dedpul')):.4f} | {mean(rows, error_of('pooled')):.4f} | "
            f"{100 * held:.0f}% | {mean(rows, lambda row: float(row['error'])):.4f} | {pn} | "
            f"{mean([row for row in rows if row['seconds']], lambda row: float(row['seconds'])):.0f} |")


def main():
    with open(sys.argv[1], newline="") as file:
        rows = list(csv.DictReader(file))
    print("| set, network, alpha | runs | error of alpha, dedpul | pooled | 95% intervals that hold | classified wrongly, "
          "alpha given | the same, pn | seconds |\n|---|---|---|---|---|---|---|---|")
    for kind in sorted({(row["set"], row["network"]) for row in rows}):
        own = [row for row in rows if (row["set"], row["network"]) == kind]
        alphas = sorted({float(row["alpha"]) for row in own})
        for alpha in alphas:
            print(line(f"{', '.join(kind)}, {alpha:g}", [row for row in own if float(row["alpha"]) == alpha]))
        if len(alphas) > 1:
            print(line(f"**{', '.join(kind)}, all**", own))


if __name__ == "__main__":
    main()
