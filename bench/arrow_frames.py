"""Data frames against the CSV file of the same rows: time, memory, and the same model.

Needs the packages of scripts/bootstrap.sh extras: build/venv/bin/python bench/arrow_frames.py [ROWS]
DEDPUL_LIBRARY names the library. Exits with 1 if a limit is missed.
"""
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.csv

import dedpul
from dedpul._model import Table

LEAST_SPEEDUP, MOST_MEMORY = 5, 1.3
N_NUMBERS, N_GAPS, N_COUNTS, N_TEXTS = 38, 4, 4, 4
REPEATS = 3


def make_table(n):
    """50 columns, beside the label: numbers, some with missing values, counts and texts."""
    random = np.random.default_rng(0)
    label = random.random(n) < 0.3
    columns = {"label": label.astype(np.int8)}
    for i in range(N_NUMBERS):
        columns[f"number{i}"] = random.normal(size=n) + label * (i < 3)
    for i in range(N_GAPS):
        columns[f"gap{i}"] = pyarrow.array(random.normal(size=n), mask=random.random(n) < 0.1)
    for i in range(N_COUNTS):
        columns[f"count{i}"] = random.integers(0, 1000, n)
    for i in range(N_TEXTS):
        words = pyarrow.array([f"level {k}" for k in range(4 ** (i + 1))])
        columns[f"text{i}"] = words.take(pyarrow.array(random.integers(0, len(words), n)))
    return pyarrow.table(columns)


def memory(key):
    """Resident memory in bytes, now (VmRSS) or at its highest (VmHWM)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line.split()[1] for line in lines if line.startswith(key)))


def measure(source):
    """The least CPU and wall time of reading, and the highest memory beside the input."""
    times, peaks = [], []
    for _ in range(REPEATS):
        Path("/proc/self/clear_refs").write_text("5")  # forget the highest
        before, wall, cpu = memory("VmRSS"), time.perf_counter(), time.process_time()
        table = Table(source, None, None, None, None)
        times.append((time.process_time() - cpu, time.perf_counter() - wall))
        peaks.append(memory("VmHWM") - before)
        del table
    return *map(min, zip(*times)), max(peaks)


def saved(source, directory):
    path = os.path.join(directory, "saved.model")
    dedpul.fit(source, classifier="gbdt", folds=2, ensemble=1, tree_rounds=3).save(path)
    return Path(path).read_bytes()


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1000000
    size = n * (8 * (N_NUMBERS + N_GAPS + N_COUNTS) + 4 * N_TEXTS + 1)  # of the library's table
    table = make_table(n)
    is_missed = False
    frames = {"pyarrow": lambda table: table, "polars": polars.from_arrow, "pandas": pyarrow.Table.to_pandas,
              "pandas, category": lambda table: table.to_pandas(
                  categories=[name for name in table.column_names if name.startswith("text")])}
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "table.csv")
        pyarrow.csv.write_csv(table, path)
        cpu_of_csv, wall_of_csv, peak = measure(path)
        print(f"{n} rows, 50 columns; the table takes {size / 1e6:.0f} MB, the CSV file "
              f"{os.path.getsize(path) / 1e6:.0f} MB. Least of {REPEATS} times.")
        print(f"{'':18} {'CPU s':>7} {'wall s':>7} {'faster':>7} {'memory/table':>13}")
        print(f"{'CSV file':18} {cpu_of_csv:7.2f} {wall_of_csv:7.2f} {1:7.1f} {peak / size:13.2f}")
        for name, convert in frames.items():
            frame = convert(table)
            cpu, wall, peak = measure(frame)
            is_missed |= cpu_of_csv < LEAST_SPEEDUP * cpu or peak > MOST_MEMORY * size
            print(f"{name:18} {cpu:7.2f} {wall:7.2f} {cpu_of_csv / cpu:7.1f} {peak / size:13.2f}", flush=True)
            del frame
        expected = saved(path, directory)  # fits keep memory, so they come last
        for name, convert in frames.items():
            is_same = saved(convert(table), directory) == expected
            is_missed |= not is_same
            print(f"{name:18} {'the same model' if is_same else 'ANOTHER MODEL'}", flush=True)
    print(f"Limits: {LEAST_SPEEDUP} times faster, {MOST_MEMORY} times the table's memory, the same model: "
          f"{'MISSED' if is_missed else 'all kept'}")
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(main())
