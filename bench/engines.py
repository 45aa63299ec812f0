#!/usr/bin/env python3
"""Dask and Spark with two worker processes of one thread each, against one machine.

Usage: engines.py dask|spark|command ROWS DIRECTORY [--sample N] [--kill]

Rows of 20 numbers are written to DIRECTORY as Parquet (and CSV, for the command) unless they are there; 5% are
labeled, and 0.3 of the others are positive. An engine fits them, and counts the rows and the posteriors of a
prediction. `command` measures `dedpul predict --threads 2` with the model that an engine has left in DIRECTORY. --kill ends a worker by SIGKILL in the middle of each.
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
from pathlib import Path

import numpy as np

import dedpul

WIDTH, PART, ALPHA = 20, 250_000, 0.3
OPTIONS = {"classifier": "gbdt"}


def make_part(number, rows):
    """The rows of a file."""
    random = np.random.default_rng(number)
    label = random.random(rows) < 0.05
    is_positive = label | (random.random(rows) < ALPHA)
    columns = random.normal(size=(WIDTH, rows)).astype(np.float32)
    columns[:8] += np.float32(0.9) * is_positive
    columns[9] *= 1 + is_positive
    return {"label": label.astype(np.int8), **{f"x{i}": column for i, column in enumerate(columns)}}


def make_files(directory, rows, with_csv):
    import pyarrow
    import pyarrow.csv
    import pyarrow.parquet
    path, text = directory / f"rows{rows}", directory / f"rows{rows}.csv"
    if not path.is_dir():
        path.mkdir(parents=True)
        for number in range(rows // PART):
            pyarrow.parquet.write_table(pyarrow.table(make_part(number, PART)), path / f"{number:04}.parquet")
    if with_csv and not text.exists():
        tables = (pyarrow.table(make_part(number, PART)) for number in range(rows // PART))
        first = next(tables)
        with pyarrow.csv.CSVWriter(text, first.schema) as writer:
            writer.write(first)
            for table in tables:
                writer.write(table)
    return path, text


class Dask:
    def __init__(self, directory):
        import dask.dataframe
        import distributed
        import dedpul.dask
        self.module, self.dataframe = dedpul.dask, dask.dataframe
        self.cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        self.client = distributed.Client(self.cluster)

    def read(self, path):
        return self.dataframe.read_parquet(path, split_row_groups=False)

    def total(self, frame):
        return frame.posterior.sum().compute()

    def workers(self):
        return [worker.process.pid for worker in self.cluster.workers.values()]


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
                            **{f"spark.executorEnv.{name}": os.environ[name]
                               for name in ("PYTHONPATH", "DEDPUL_LIBRARY") if name in os.environ}}.items():
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("ERROR")

    def read(self, path):
        return self.session.read.parquet(str(path))

    def total(self, frame):
        return frame.groupBy().sum("posterior").collect()[0][0]

    def workers(self):
        driver = self.session.sparkContext._gateway.proc.pid
        children = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(driver)], capture_output=True, text=True).stdout
        return [int(line.split()[0]) for line in children.splitlines() if "CoarseGrainedExecutorBackend" in line]


def measure_engine(engine, path, arguments):
    frame = engine.read(path)
    if arguments.kill:  # while the rows that are not in the sample are scored
        fit_table = dedpul._engine.fit_table

        def fit_and_kill(*given):
            model = fit_table(*given)
            kill_soon(engine)
            return model
        dedpul._engine.fit_table = fit_and_kill
    begin = time.monotonic()
    model = engine.module.fit(frame, label="label", sample=arguments.sample, **OPTIONS)
    print(f"fit: {time.monotonic() - begin:.1f} s, alpha {model.alpha:.4f}")
    model.save(arguments.directory / "model")
    if arguments.kill:
        kill_soon(engine)
    begin = time.monotonic()
    total = engine.total(engine.module.predict(model, frame, keep=[]))
    seconds = time.monotonic() - begin
    print(f"predict: {seconds:.1f} s, {arguments.rows / seconds / 1e3:.0f} thousand rows/s, sum of posteriors {total!r}")
    print(f"driver: at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB (Python)")


def kill_soon(engine):
    def kill():
        victim = engine.workers()[0]
        os.kill(victim, signal.SIGKILL)
        print("killed", victim)
    threading.Timer(2, kill).start()


def measure_command(path, text, arguments):
    command = os.environ.get("DEDPUL", "dedpul")
    begin = time.monotonic()
    subprocess.run([command, "predict", arguments.directory / "model", text, "--threads", "2", "--out",
                    arguments.directory / "out.csv"], check=True, capture_output=True)
    seconds = time.monotonic() - begin
    print(f"dedpul predict --threads 2: {seconds:.1f} s, {arguments.rows / seconds / 1e3:.0f} thousand rows/s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["dask", "spark", "command"])
    parser.add_argument("rows", type=int)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--sample", type=int, default=20_000)
    parser.add_argument("--kill", action="store_true")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    logging.getLogger("dedpul").setLevel(logging.INFO)
    logging.getLogger("distributed").setLevel(logging.WARNING)
    path, text = make_files(arguments.directory, arguments.rows, arguments.what == "command")
    if arguments.what == "command":
        measure_command(path, text, arguments)
    else:
        measure_engine({"dask": Dask, "spark": Spark}[arguments.what](arguments.directory), path, arguments)


if __name__ == "__main__":
    main()
