"""Databases for tests: each gives connections that begin empty."""
import glob
import os
import shutil
import sqlite3
import subprocess
import tempfile

import pytest


# For PostgreSQL's programs: with what a sanitizer preloads, they hang.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


class SQLite:
    dialect = "sqlite"

    def connect(self):
        return sqlite3.connect(":memory:")

    def stop(self):
        pass


class DuckDB:
    dialect = "duckdb"

    def __init__(self):
        self.module = pytest.importorskip("duckdb", reason="there is no DuckDB; scripts/bootstrap.sh extras installs it")

    def connect(self):
        return self.module.connect()

    def stop(self):
        pass


class Postgres:
    """A server of our own, without a port, that runs as nobody if we are root."""

    dialect = "postgres"

    def __init__(self):
        self.module = pytest.importorskip("psycopg2", reason="there is no python3-psycopg2")
        programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        if not programs:
            pytest.skip("there is no PostgreSQL (Debian's package postgresql)")
        self.programs = programs[-1]
        self.directory = tempfile.mkdtemp(prefix="dedpul")  # not pytest's, which others cannot enter
        self.n_connections = 0
        self.as_nobody = []
        if os.geteuid() == 0:
            self.as_nobody = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
            shutil.chown(self.directory, "nobody", "nogroup")
        try:
            self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
            self.run("pg_ctl", "-D", self.data, "-w", "-l", os.path.join(self.directory, "log"), "-o",
                     f"-k {self.directory} -c listen_addresses= -c fsync=off", "start")
        except Exception:
            shutil.rmtree(self.directory)
            raise

    @property
    def data(self):
        return os.path.join(self.directory, "data")

    def run(self, program, *arguments, **settings):
        # A server that keeps our pipe would keep us waiting for its end.
        with tempfile.TemporaryFile("w+") as output:
            done = subprocess.run([*self.as_nobody, os.path.join(self.programs, program), *arguments], stdout=output,
                                  stderr=output, env=ENVIRONMENT, cwd=self.directory, **settings)
            output.seek(0)
            text = output.read()
        assert done.returncode == 0, text
        return text

    def connect(self):
        """Each connection has a schema of its own."""
        connection = self.module.connect(host=self.directory, user="postgres", dbname="postgres")
        connection.autocommit = True  # so that a statement that fails does not spoil those after it
        self.n_connections += 1
        cursor = connection.cursor()
        cursor.execute(f"CREATE SCHEMA test{self.n_connections}; SET search_path = test{self.n_connections}")
        return connection

    def stop(self):
        self.run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.directory)


DATABASES = {"sqlite": SQLite, "postgres": Postgres, "duckdb": DuckDB}
