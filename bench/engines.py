#!/usr/bin/env python3
"""Dask and Spark with two worker processes of one thread each, against one machine.

Usage: engines.py fit|kill|unbinned|predict dask|spark ROWS DIRECTORY [--sample N] [--pieces N]

Rows of 20 numbers are written to DIRECTORY as Parquet unless they are there; 5% are labeled, and 0.3 of the others are
positive.

fit       fits them, and leaves the model, its sample (as CSV) and the scores of all rows in DIRECTORY.
kill      fits them again, and predicts a piece twice. SIGKILL ends a worker in the middle of a task that scores, in the
          fit and in the second prediction. The models must be equal, and the sums of the posteriors.
unbinned  alpha of the sample by `dedpul fit`, and alpha from the scores of all rows without bins, on one machine.
predict   posteriors of pieces of the rows, by the engine from Parquet and by `dedpul predict --threads 2` from CSV, in
          turn. Processor time is that of all processes of the engine.

The command is DEDPUL.
"""
import argparse
import logging
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np

import dedpul
from dedpul import _engine

WIDTH, PART, ALPHA = 20, 250_000, 0.3
PIECE = 8  # files
OPTIONS = {"classifier": "gbdt"}
COMMAND = os.environ.get("DEDPUL", "dedpul")


# ---- rows ----

def make_part(number, rows):
    """The rows of a file."""
    random = np.random.default_rng(number)
    label = random.random(rows) < 0.05
    is_positive = label | (random.random(rows) < ALPHA)
    columns = random.normal(size=(WIDTH, rows)).astype(np.float32)
    columns[:8] += np.float32(0.9) * is_positive
    columns[9] *= 1 + is_positive
    return {"label": label.astype(np.int8), **{f"x{i}": column for i, column in enumerate(columns)}}


def make_files(directory, rows):
    import pyarrow.parquet
    path = directory / f"rows{rows}"
    if not path.is_dir():
        path.mkdir(parents=True)
        for number in range(rows // PART):
            pyarrow.parquet.write_table(pyarrow.table(make_part(number, PART)), path / f"{number:04}.parquet")
    return sorted(path.glob("*.parquet"))


def write_csv(files, out):
    import pyarrow.csv
    import pyarrow.parquet
    with pyarrow.csv.CSVWriter(out, pyarrow.parquet.read_schema(files[0])) as writer:
        for file in files:
            writer.write(pyarrow.parquet.read_table(file))


# ---- processes ----

def read_stat(pid):
    """Parent, and processor time with that of ended children, of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[1]), sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def family(root):
    """Process ids of a process and all that it has begun, and the processor time of each."""
    stats = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            stats[int(name)] = read_stat(name)
        except (FileNotFoundError, ProcessLookupError):
            pass  # it has ended
    found, grown = {root}, True
    while grown:
        more = {pid for pid, (parent, _) in stats.items() if parent in found} - found
        found, grown = found | more, bool(more)
    return {pid: stats[pid][1] for pid in found}


def highest_memory(pid):
    """In MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


# ---- engines ----

class Dask:
    def __init__(self, directory):
        import dask.dataframe
        import distributed
        import dedpul.dask
        self.module, self.dataframe = dedpul.dask, dask.dataframe
        self.cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        self.client = distributed.Client(self.cluster)

    def read(self, files):
        return self.dataframe.read_parquet([str(file) for file in files], split_row_groups=False)

    def total(self, frame):
        return float(frame.posterior.sum().compute())

    def worker_of(self, pid):
        return pid

    def driver_memory(self):
        return {"Python": highest_memory(os.getpid())}

    def close(self):
        self.client.close()
        self.cluster.close()


class Spark:
    def __init__(self, directory):
        os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_DIRS=str(directory / "spark"),
                          SPARK_WORKER_DIR=str(directory / "spark"))
        from pyspark.sql import SparkSession
        import dedpul.spark
        self.module = dedpul.spark
        builder = SparkSession.builder.master("local-cluster[2,1,1024]")
        for name, value in {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1",
                            "spark.driver.bindAddress": "127.0.0.1", "spark.executor.memory": "800m",
                            "spark.ui.showConsoleProgress": "false",
                            **{f"spark.executorEnv.{name}": os.environ[name]
                               for name in ("PYTHONPATH", "DEDPUL_LIBRARY") if name in os.environ}}.items():
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("ERROR")

    def read(self, files):
        return self.session.read.parquet(*map(str, files))

    def total(self, frame):
        """Spark adds up in the order in which tasks end; here it is that of the partitions."""
        from pyspark.sql.functions import spark_partition_id
        rows = frame.groupBy(spark_partition_id().alias("number")).sum("posterior").collect()
        return sum(row[1] for row in sorted(rows))

    def worker_of(self, pid):
        """The executor: Python's worker is a child of its children."""
        while "CoarseGrainedExecutorBackend" not in Path(f"/proc/{pid}/cmdline").read_text():
            pid, _ = read_stat(pid)
        return pid

    def driver_memory(self):
        java = self.session.sparkContext._gateway.proc.pid
        return {"Python": highest_memory(os.getpid()), "Java": highest_memory(java)}

    def close(self):
        self.session.stop()


# ---- tasks that say when they run ----

class Running:
    """A file that is there while a task runs. Its name tells the process and the partition."""

    def __init__(self, directory, number):
        self.file = directory / "running" / f"{os.getpid()}-{number}"

    def __enter__(self):
        self.file.touch()

    def __exit__(self, *error):
        self.file.unlink()


class WatchedBinRows(_engine.BinRows):
    """Keeps the scores, too."""

    def __init__(self, directory, *rest, **named):
        super().__init__(*rest, **named)
        self.directory = directory

    def __call__(self, parts, number, model):
        self.kept = []
        with Running(self.directory, number):
            answer = super().__call__(parts, number, model)
        np.savez(self.directory / "scores" / f"{number:05}", *map(np.concatenate, zip(*self.kept)))
        return answer

    def _by_model(self, part, model):
        scores = super()._by_model(part, model)
        self.kept.append((scores, _engine._labels(part, self.label)))
        return scores


class WatchedAddColumn(_engine.AddColumn):
    def __init__(self, directory, *rest):
        super().__init__(*rest)
        self.directory = directory

    def __call__(self, part, number, model):
        with Running(self.directory, number):
            return super().__call__(part, number, model)


def kill_when_busy(engine, directory):
    """Ends a worker by SIGKILL that has run a task for a second."""
    def watch():
        since = {}
        while True:
            time.sleep(0.05)
            now = {file.name for file in (directory / "running").iterdir()}
            for name in now:
                since.setdefault(name, time.monotonic())
            old = [name for name in now if time.monotonic() - since[name] > 1]
            if old:
                break
        pid, number = map(int, old[0].split("-"))
        victim = engine.worker_of(pid)
        os.kill(victim, signal.SIGKILL)
        was_busy = (directory / "running" / old[0]).exists()
        print(f"killed {victim} with the task of partition {number} {'running' if was_busy else 'JUST ENDED'}", flush=True)
    for file in (directory / "running").iterdir():
        file.unlink()
    threading.Thread(target=watch, daemon=True).start()


# ---- what is measured ----

def fit(engine, files, directory, sample):
    begin = time.monotonic()
    model = engine.module.fit(engine.read(files), label="label", sample=sample, **OPTIONS)
    print(f"fit: {time.monotonic() - begin:.1f} s, alpha {model.alpha!r}", flush=True)
    memory = engine.driver_memory()
    print(f"driver, highest memory: {sum(memory.values()):.0f} MB,", ", ".join(f"{name} {of:.0f}" for name, of in memory.items()))
    return model


def measure_fit(engine, files, directory, arguments):
    (directory / "scores").mkdir(exist_ok=True)
    for file in (directory / "scores").iterdir():
        file.unlink()
    table = _engine.Table

    def keep_sample(frame, labels, *rest):
        import pyarrow
        import pyarrow.csv
        rows = frame if isinstance(frame, pyarrow.Table) else pyarrow.Table.from_pandas(frame, preserve_index=False)
        rows = rows.cast(pyarrow.schema([(name, pyarrow.float64()) for name in rows.column_names]))  # the numbers to the last bit
        pyarrow.csv.write_csv(rows.append_column("label", pyarrow.array(labels)), directory / "sample.csv")
        np.save(directory / "labels.npy", labels)
        return table(frame, labels, *rest)
    _engine.Table = keep_sample
    model = fit(engine, files, directory, arguments.sample)
    np.savez(directory / "scores" / "sample", model.scores, np.load(directory / "labels.npy"))
    model.save(directory / "model")


def measure_kill(engine, files, directory, arguments):
    fit_table = _engine.fit_table

    def fit_and_kill(*given):
        model = fit_table(*given)
        kill_when_busy(engine, directory)
        return model
    _engine.fit_table = fit_and_kill
    again = fit(engine, files, directory, arguments.sample)
    print("the same model:", again.to_bytes() == (directory / "model").read_bytes())
    totals = []
    for kill in (False, True):
        if kill:
            kill_when_busy(engine, directory)
        _engine.AddColumn = partial(WatchedAddColumn, directory)
        totals.append(engine.total(engine.module.predict(again, engine.read(files[:PIECE]), keep=[])))
    print(f"sums of posteriors {totals[0]!r} and {totals[1]!r}, equal: {totals[0] == totals[1]}")


def measure_unbinned(directory):
    subprocess.run([COMMAND, "fit", directory / "sample.csv", "--model", directory / "sample.model",
                    *(text for name, value in OPTIONS.items() for text in (f"--{name}", value))], check=True,
                   capture_output=True)
    print("alpha of the sample, by the command:", dedpul.load_model(directory / "sample.model").alpha)
    files = [np.load(file) for file in sorted((directory / "scores").iterdir())]
    scores, labels = (np.concatenate([file[name] for file in files]) for name in ("arr_0", "arr_1"))
    begin = time.monotonic()
    alpha = dedpul.estimate(scores, labels, interval=False).alpha
    print(f"alpha of all {len(scores)} scores without bins: {alpha!r}, {time.monotonic() - begin:.0f} s")


def measure_predict(engine, files, directory, arguments):
    spent = {"engine": np.zeros(2), "command": np.zeros(2)}
    rows = 0
    for number in range(arguments.pieces):
        piece = files[number * PIECE:(number + 1) * PIECE]
        write_csv(piece, directory / "piece.csv")
        rows += len(piece) * PART

        before, begin = family(os.getpid()), time.monotonic()
        total = engine.total(engine.module.predict(directory / "model", engine.read(piece), keep=[]))
        seconds, after = time.monotonic() - begin, family(os.getpid())
        spent["engine"] += (seconds, sum(after.values()) - sum(before.values()))

        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run([COMMAND, "predict", directory / "model", directory / "piece.csv", "--threads", "2", "--out",
                        directory / "out.csv"], check=True, capture_output=True)
        seconds, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
        spent["command"] += (seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        for who, (wall, processor) in spent.items():
            print(f"{rows} rows, {who}: {wall:.1f} s, {processor:.1f} s of processors, {processor / rows * 1e6:.2f} us a row, "
                  f"of the command's speed {spent['command'][0] / wall:.0%}, by processor time "
                  f"{spent['command'][1] / processor:.0%}", flush=True)
        print(f"  the piece's sum of posteriors {total!r}")
    print("driver, highest memory, MB:", engine.driver_memory())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["fit", "kill", "unbinned", "predict"])
    parser.add_argument("engine", choices=["dask", "spark"])
    parser.add_argument("rows", type=int)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--sample", type=int, default=20_000)
    parser.add_argument("--pieces", type=int, default=1)
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    logging.getLogger("dedpul").setLevel(logging.INFO)
    files = make_files(arguments.directory, arguments.rows)
    directory = arguments.directory / arguments.engine
    (directory / "running").mkdir(parents=True, exist_ok=True)
    if arguments.what == "unbinned":
        measure_unbinned(directory)
        return
    _engine.BinRows = partial(WatchedBinRows, directory)
    engine = {"dask": Dask, "spark": Spark}[arguments.engine](directory)
    {"fit": measure_fit, "kill": measure_kill, "predict": measure_predict}[arguments.what](engine, files, directory, arguments)
    engine.close()


if __name__ == "__main__":
    main()
